"""Each signal by its name, from the answers to one question: the seam that the workflow, an application and the bench
share."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from ralc.beta import Beta
from ralc.beta.validation import Floats
from ralc.names import SIGNALS
from ralc.protocols import Protocol, resolve
from ralc.signals.agreement import (
    cluster_count,
    discrete_semantic_entropy,
    semantic_entropy,
    semantic_uncertainty,
)
from ralc.signals.first_token import first_token_entropy, first_token_margin
from ralc.signals.likelihood import (
    minimum_token_probability,
    perplexity,
    sequence_probability,
    token_probability,
    within,
)
from ralc.signals.similarity import degree, eccentricity, jaccard
from ralc.signals.support import among_neighbours, said_in, support, support_where_spoken_of


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
    alternatives : sequence
        Of each the log-probabilities of what its first token could have been, nats; None (or nothing) for one without.
    token_ends : sequence
        Of each where its tokens end in it, in characters; None (or nothing) for one of which that is not known.
    """

    texts: Sequence[str]
    clusters: Sequence[int]
    token_logprobs: Sequence[ArrayLike | None]
    question: str = ""
    alternatives: Sequence[ArrayLike | None] = ()
    token_ends: Sequence[ArrayLike | None] = ()

    @property
    def members(self) -> tuple[int, ...]:
        """Which answers are in the largest cluster, of equals the one that came first; the first is the original."""
        largest = Counter(self.clusters).most_common(1)[0][0]
        return tuple(place for place, cluster in enumerate(self.clusters) if cluster == largest)

    def first(self, n: int) -> Self:
        """The first n of them, as if no more had been asked for."""
        of_each = ("texts", "clusters", "token_logprobs", "alternatives", "token_ends")
        return self._replace(**{name: getattr(self, name)[:n] for name in of_each})


#: The function that makes each signal from answers; None where they lack what it needs.
OF_ANSWERS: dict[str, Callable[[Answers, Protocol], Beta | None]] = {}


def of_answers(signal: str, answers: Answers, protocol: str | Protocol = "ralc") -> Beta | None:
    """Return a signal of the original answer among some; None where they lack what it needs.

    That is a further answer where it compares several, or log-probabilities.

    >>> of_answers("semantic_uncertainty", Answers(["Oslo", "Oslo", "Bergen"], [0, 0, 1], [None] * 3))
    Beta(alpha=2.5, beta=1.5)
    """
    return OF_ANSWERS[signal](answers, resolve(protocol))


def _known(logprobs: ArrayLike | None, least: int = 1) -> bool:
    """Whether an answer has log-probabilities, so many at least."""
    return logprobs is not None and len(logprobs) >= least


def _token_probability(answers: Answers, protocol: Protocol) -> Beta | None:
    logprobs = [answers.token_logprobs[place] for place in answers.members]
    known = [one for one in logprobs if _known(one)]
    return token_probability(known, protocol) if known else None


OF_ANSWERS["token_probability"] = _token_probability
OF_ANSWERS["semantic_uncertainty"] = lambda answers, how: semantic_uncertainty(
    len(answers.members), len(answers.clusters), how
)


def _of_several(signal: str, function: Callable[[Answers, Protocol], Beta | None]) -> None:
    """Register a signal that one answer alone does not have."""
    OF_ANSWERS[signal] = lambda answers, protocol: (
        function(answers, protocol) if len(answers.texts) > 1 else None
    )


def _semantic_entropy(answers: Answers, protocol: Protocol) -> Beta | None:
    if not all(_known(one) for one in answers.token_logprobs):
        return None
    return semantic_entropy(answers.clusters, answers.token_logprobs, protocol)


_of_several("cluster_count", lambda answers, how: cluster_count(answers.clusters, how))
_of_several(
    "discrete_semantic_entropy", lambda answers, how: discrete_semantic_entropy(answers.clusters, how)
)
_of_several("semantic_entropy", _semantic_entropy)
_of_several("degree", lambda answers, how: degree(jaccard(answers.texts), answers.members[0], how))
_of_several(
    "eccentricity", lambda answers, how: eccentricity(jaccard(answers.texts), answers.members[0], how)
)


#: What makes a signal of each sentence, from how much of it each other answer says, and how far it contradicts it, both
#: of shape (sentences, answers); a short answer is one sentence.
OF_SENTENCES: dict[str, Callable[[Floats, Floats], Beta]] = {
    "support": lambda said, _: support(among_neighbours(said)),
    "support_where_spoken_of": support_where_spoken_of,
    "answer_support": lambda said, _: support(np.broadcast_to(said.mean(axis=0), said.shape)),
}


def of_sentences(signal: str, answers: Answers, sentences: Sequence[str]) -> Beta | None:
    """Return a signal of each of some sentences of the original answer, from all other answers; None without any.

    >>> answers = Answers(["Born in 1956. A poet.", "A poet."], [0, 1], [None] * 2)
    >>> of_sentences("support", answers, ["Born in 1956.", "A poet."]).mean
    array([0.325, 0.675])
    """
    taken = answers.members[0]
    others = [text for place, text in enumerate(answers.texts) if place != taken]
    if not others:
        return None
    if not sentences:
        return Beta([], [])
    said = np.array([said_in(one, others, answers.question) for one in sentences])
    return OF_SENTENCES[signal](said, np.zeros_like(said))


def _of_the_others(answers: Answers, signal: str) -> Beta:
    """A signal of the original answer as one sentence."""
    return of_sentences(signal, answers, [answers.texts[answers.members[0]]])[0]


for _signal in OF_SENTENCES:
    _of_several(_signal, lambda answers, _, signal=_signal: _of_the_others(answers, signal))


def _of_the_original(signal: str, function: Callable[[ArrayLike], Beta], least: int = 1) -> None:
    """Register a signal of log-probabilities of the original answer alone, of which it needs so many."""

    def made(answers: Answers, protocol: Protocol) -> Beta | None:
        given = getattr(answers, SIGNALS[signal].logprobs)
        logprobs = given[answers.members[0]] if given else None
        return function(logprobs) if _known(logprobs, least) else None

    OF_ANSWERS[signal] = made


_of_the_original("perplexity", perplexity)
_of_the_original("minimum_token_probability", minimum_token_probability)
_of_the_original("sequence_probability", sequence_probability)
_of_the_original("first_token_entropy", first_token_entropy, least=2)
_of_the_original("first_token_margin", first_token_margin, least=2)


def of_own_tokens(
    signal: str, answers: Answers, sentence: tuple[int, int], protocol: str | Protocol = "ralc"
) -> Beta | None:
    """Return a signal of log-probabilities for a sentence of the original answer, over its own tokens.

    Parameters
    ----------
    signal
        One of tokens' log-probabilities that knows one answer alone (``perplexity``, ``minimum_token_probability``,
        ``sequence_probability``, ``token_probability``).
    answers
        Where the ends of tokens are not known, the answer's value is the sentence's.
    sentence
        Where it begins and ends, in characters of the original answer.
    protocol
        Of the run.

    Returns
    -------
    Beta or None
        None without log-probabilities, or where no token stands in the sentence.

    Examples
    --------
    >>> answers = Answers(["He sings. In Oslo."], [0], [np.log([0.9, 0.4, 0.8, 0.2])], token_ends=[[2, 9, 12, 18]])
    >>> of_own_tokens("sequence_probability", answers, (10, 18)).mean.round(2)
    np.float64(0.16)
    """
    taken = answers.members[0]
    ends = answers.token_ends[taken] if answers.token_ends else None
    logprobs = answers.token_logprobs[taken]
    if not np.ndim(ends) or not _known(logprobs):
        return of_answers(signal, answers, protocol)
    (own,) = within(np.asarray(logprobs, float), ends, [sentence])
    return of_answers(signal, Answers([answers.texts[taken][slice(*sentence)]], [0], [own]), protocol)
