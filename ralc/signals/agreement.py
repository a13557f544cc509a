"""How far several answers to one question mean the same: signals from their clusters."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import entr

from ralc.beta import Beta
from ralc.beta.validation import PARAMETER_FLOOR, Floats, as_floats, require
from ralc.protocols import Protocol, resolve
from ralc.signals.answers import Answers, makes


def semantic_uncertainty(support: ArrayLike, samples: ArrayLike, protocol: str | Protocol = "ralc") -> Beta:
    """Beta of how many samples support the answer (paper section 4.3); broadcasts.

    Self-consistency (Wang et al. 2023) has the same mean, m/N, but for half an answer on either side.

    Parameters
    ----------
    support : array_like of int
        Size m of the largest cluster, 0 <= m <= `samples`.
    samples : array_like of int
        Number N of samples, at least 1; the first impossible count is named.
    protocol : str or Protocol
        Its choice ``semantic_uncertainty``.

    Examples
    --------
    >>> semantic_uncertainty(20, 20, protocol="paper")
    Beta(alpha=20.0, beta=1e-06)
    """
    protocol = resolve(protocol)
    m, n = np.broadcast_arrays(_count(support, "support", 0), _count(samples, "samples", 1))
    require(m, lambda v: v <= n, "support", "at most samples")
    if protocol.semantic_uncertainty == "jeffreys":
        # DEVIATES from the paper's floor of 1e-6, where a unanimous wrong answer of 20 samples costs FD 264.
        return Beta(m + 0.5, n - m + 0.5)
    floor = 1.0 if protocol.semantic_uncertainty == "clamp" else PARAMETER_FLOOR
    return Beta(np.maximum(m, floor), np.maximum(n - m, floor))


def _count(values: ArrayLike, name: str, least: int) -> Floats:
    """Counts of at least so many; the first that is none is named."""
    return require(
        as_floats(values, name), lambda v: (v >= least) & (v == np.floor(v)), name, f"a count >= {least}"
    )


def discrete_semantic_entropy(clusters: Sequence[int], protocol: str | Protocol = "ralc") -> Beta:
    """Confidence by the entropy of the clusters' shares of N answers (Farquhar et al. 2024: discrete semantic entropy).

    The mean is 1 - H / ln N: 1 where all mean the same, 0 where no two do. The concentration is N.

    Parameters
    ----------
    clusters : sequence of int, shape (answers,)
        What each answer means; at least two answers.
    protocol : str or Protocol
        Its ``resolution`` keeps the mean off the ends.

    Examples
    --------
    >>> discrete_semantic_entropy([0, 0, 1, 1]).mean
    np.float64(0.5)
    """
    n = len(clusters)
    if n < 2:
        raise ValueError(f"clusters: {n} answers; agreement needs at least two")
    shares = np.unique(np.asarray(clusters), return_counts=True)[1] / n
    edge = resolve(protocol).resolution / 4
    mean = np.clip(1 - entr(shares).sum() / np.log(n), edge, 1 - edge)
    return Beta.from_mean_concentration(mean, float(n))


@makes("semantic_uncertainty")
def _semantic_uncertainty(answers: Answers, protocol: Protocol) -> Beta:
    return semantic_uncertainty(len(answers.members), len(answers.clusters), protocol)


@makes("discrete_semantic_entropy")
def _discrete_semantic_entropy(answers: Answers, protocol: Protocol) -> Beta | None:
    return discrete_semantic_entropy(answers.clusters, protocol) if len(answers.texts) > 1 else None
