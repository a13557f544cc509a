"""How far several answers to one question mean the same: signals from their clusters."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import entr, logsumexp, softmax

from ralc.beta import Beta
from ralc.beta.validation import Floats, as_floats, require, same_shape
from ralc.protocols import Protocol, resolve
from ralc.signals.likelihood import tokens


def semantic_uncertainty(support: ArrayLike, samples: ArrayLike, protocol: str | Protocol = "ralc") -> Beta:
    """Beta of how many samples support the answer (paper section 4.3); broadcasts.

    Self-consistency (Wang et al. 2023) has the same mean, m/N, but for half an answer on either side.

    Parameters
    ----------
    support : array_like of int
        Size m of the largest cluster, 0 <= m <= `samples`.
    samples : array_like of int
        Number N of samples, at least 1.
    protocol : str or Protocol
        Its choice ``semantic_uncertainty`` and the floor.

    Raises
    ------
    ValueError
        If a count is impossible, naming the first.

    Examples
    --------
    >>> semantic_uncertainty(20, 20, protocol="paper")
    Beta(alpha=20.0, beta=1e-06)
    """
    protocol = resolve(protocol)
    n = require(
        as_floats(samples, "samples"), lambda v: (v >= 1) & (v == np.floor(v)), "samples", "a count >= 1"
    )
    m = require(
        as_floats(support, "support"), lambda v: (v >= 0) & (v == np.floor(v)), "support", "a count >= 0"
    )
    m, n = np.broadcast_arrays(m, n)
    require(m, lambda v: v <= n, "support", "at most samples")
    if protocol.semantic_uncertainty == "jeffreys":
        # DEVIATES from the paper's floor of 1e-6, where a unanimous wrong answer of 20 samples costs FD 264.
        return Beta(m + 0.5, n - m + 0.5)
    floor = 1.0 if protocol.semantic_uncertainty == "clamp" else protocol.parameter_floor
    return Beta(np.maximum(m, floor), np.maximum(n - m, floor))


def cluster_count(clusters: Sequence[int], protocol: str | Protocol = "ralc") -> Beta:
    """Confidence by the number C of different meanings of N answers (Lin et al. 2024: the number of semantic sets):
    mean (N - C) / (N - 1), 1 where all mean the same; concentration N.

    Parameters and errors as of `discrete_semantic_entropy`.

    >>> cluster_count([0, 0, 1]).mean
    np.float64(0.5)
    """
    counts = _counts(clusters)
    n = counts.sum()
    return of_several((n - counts.size) / (n - 1), n, protocol)


def discrete_semantic_entropy(clusters: Sequence[int], protocol: str | Protocol = "ralc") -> Beta:
    """Confidence by the entropy of the clusters' shares of N answers (Farquhar et al. 2024: discrete semantic entropy).

    The mean is 1 - H / ln N: 1 where all mean the same, 0 where no two do. The concentration is N.

    Parameters
    ----------
    clusters : sequence of int, shape (answers,)
        What each answer means; at least two answers.
    protocol : str or Protocol
        Its ``resolution`` keeps the mean off the ends.

    Raises
    ------
    ValueError
        If there are fewer than two answers.

    Examples
    --------
    >>> discrete_semantic_entropy([0, 0, 1, 1]).mean
    np.float64(0.5)
    """
    counts = _counts(clusters)
    n = counts.sum()
    return of_several(1 - entr(counts / n).sum() / np.log(n), n, protocol)


def semantic_entropy(
    clusters: Sequence[int], token_logprobs: Sequence[ArrayLike], protocol: str | Protocol = "ralc"
) -> Beta:
    """Confidence by semantic entropy (Kuhn et al. 2023), the clusters weighted by their answers' probabilities.

    As Farquhar et al. (2024) estimate it: an answer's probability is length-normalised, that of a cluster the sum of
    its answers', scaled so that all clusters have 1 together. Mean and concentration as of
    `discrete_semantic_entropy`.

    Parameters
    ----------
    clusters : sequence of int, shape (answers,)
        What each answer means; at least two answers.
    token_logprobs : list, one entry an answer, of arrays of shape (tokens,)
        Nats.
    protocol : str or Protocol
        As of `discrete_semantic_entropy`.

    Raises
    ------
    ValueError
        If there are fewer than two answers, not one entry an answer, or an entry is not allowed.

    Examples
    --------
    >>> semantic_entropy([0, 1], [np.log([0.5]), np.log([0.5])]).mean
    np.float64(0.0125)
    """
    counts = _counts(clusters)
    same_shape((len(clusters),), (len(token_logprobs),), names="clusters and token_logprobs")
    each = np.array([tokens(one, f"token_logprobs[{i}]").mean() for i, one in enumerate(token_logprobs)])
    labels = np.asarray(clusters)
    logs = np.array([logsumexp(each[labels == label]) for label in np.unique(labels)])
    # Where no answer has any probability, they are alike.
    shares = softmax(logs) if np.isfinite(logs.max()) else np.full(logs.size, 1 / logs.size)
    n = counts.sum()
    return of_several(1 - entr(shares).sum() / np.log(n), n, protocol)


def of_several(score: float, n: int, protocol: str | Protocol) -> Beta:
    """The Beta of a score in [0, 1] of n answers: that mean, kept off the ends by the protocol's resolution,
    concentration n."""
    edge = resolve(protocol).resolution / 4
    return Beta.from_mean_concentration(np.clip(score, edge, 1 - edge), float(n))


def _counts(clusters: Sequence[int]) -> Floats:
    """The sizes of the clusters of at least two answers."""
    if len(clusters) < 2:
        raise ValueError(f"clusters: {len(clusters)} answers; agreement needs at least two")
    return np.unique(np.asarray(clusters), return_counts=True)[1].astype(float)
