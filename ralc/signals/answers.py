"""The answers to one question, and the signals that are made from them, by name.

A signal of answers is a function that `makes` it, and an entry of `ralc.registry.SIGNALS`.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from numpy.typing import ArrayLike

from ralc.beta import Beta
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
    """

    texts: Sequence[str]
    clusters: Sequence[int]
    token_logprobs: Sequence[ArrayLike | None]
    question: str = ""
    token_ends: Sequence[ArrayLike | None] = ()

    @property
    def members(self) -> tuple[int, ...]:
        """Which answers are in the largest cluster, of equals the one that came first; the first is the original."""
        largest = Counter(self.clusters).most_common(1)[0][0]
        return tuple(place for place, cluster in enumerate(self.clusters) if cluster == largest)

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

    >>> of_answers("semantic_uncertainty", Answers(["Oslo", "Oslo", "Bergen"], [0, 0, 1], [None] * 3))
    Beta(alpha=2.5, beta=1.5)
    """
    return OF_ANSWERS[signal](answers, resolve(protocol))
