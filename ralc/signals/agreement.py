"""The answers to one question, and signals of how far they mean the same, from their clusters.

A signal of answers is a function that `makes` it, and an entry of `ralc.registry.SIGNALS`.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import entr

from ralc.beta import Beta
from ralc.beta.validation import PARAMETER_FLOOR, Floats, as_floats, require
from ralc.protocols import Protocol, resolve


class Answers(NamedTuple):
    """The answers to one question, in the order in which they came.

    Attributes
    ----------
    texts : sequence of str
        The answers.
    clusters : sequence of int
        What each means.
    token_logprobs : sequence
        Of each the log-probabilities of its tokens, nats; None (or nothing) for one without.
    question : str
        What they answer: its words say nothing of a sentence that repeats them.
    token_ends : sequence
        Of each where its tokens end in it, in characters; None (or nothing) where that is unknown.
    given : bool
        Whether the first was given and is no sample: signals then say how far the others agree with it.
    """

    texts: Sequence[str]
    clusters: Sequence[int]
    token_logprobs: Sequence[ArrayLike | None]
    question: str = ""
    token_ends: Sequence[ArrayLike | None] = ()
    given: bool = False

    @property
    def members(self) -> tuple[int, ...]:
        """Which answers are in the cluster of the given one, else in the largest, of equals the one that came first.

        The first of them is the original answer.
        """
        chosen = self.clusters[0] if self.given else Counter(self.clusters).most_common(1)[0][0]
        return tuple(place for place, cluster in enumerate(self.clusters) if cluster == chosen)

    def logprobs(self, place: int) -> ArrayLike | None:
        """Return the log-probabilities of one answer; None without any."""
        values = self.token_logprobs[place]
        return None if values is None or not len(values) else values


Maker = Callable[[Answers, Protocol], Beta | None]
#: The function that makes each signal; it returns None of answers that lack what it needs.
OF_ANSWERS: dict[str, Maker] = {}


def makes(signal: str) -> Callable[[Maker], Maker]:
    """Mark the function that makes a signal."""

    def register(maker: Maker) -> Maker:
        OF_ANSWERS[signal] = maker
        return maker

    return register


def of_answers(signal: str, answers: Answers, protocol: str | Protocol = "ralc") -> Beta | None:
    """Return a signal of the original answer; None where a further answer or log-probabilities are lacking.

    Parameters
    ----------
    signal
        A name in `OF_ANSWERS`.
    answers
        The answers to one question, in clusters.
    protocol
        A protocol or its name.

    Examples
    --------
    >>> of_answers("semantic_uncertainty", Answers(["Oslo", "Oslo", "Bergen"], [0, 0, 1], [None] * 3))
    Beta(alpha=2.5, beta=1.5)
    """
    return OF_ANSWERS[signal](answers, resolve(protocol))


def semantic_uncertainty(support: ArrayLike, samples: ArrayLike, protocol: str | Protocol = "ralc") -> Beta:
    """Return the Beta of how many samples support the answer (paper section 4.3); broadcasts.

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
    """Return the confidence by the entropy of the clusters' shares of N answers (Farquhar et al. 2024).

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
    support = len(answers.members) - answers.given
    samples = len(answers.clusters) - answers.given
    return semantic_uncertainty(support, samples, protocol) if samples else None


@makes("discrete_semantic_entropy")
def _discrete_semantic_entropy(answers: Answers, protocol: Protocol) -> Beta | None:
    clusters = answers.clusters[answers.given :]
    return discrete_semantic_entropy(clusters, protocol) if len(clusters) > 1 else None
