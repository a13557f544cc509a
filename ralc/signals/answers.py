"""The answers to one question, from which signals are made."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from numpy.typing import ArrayLike


class Answers(NamedTuple):
    """The answers to one question, in the order in which they came, and what each means.

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
        Of each where its tokens end in it, in characters; None (or nothing) for one of which that is not known.
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
