"""Each signal by its name, from the answers to one question.

The workflow and an application share this seam. A signal of answers is a function and an entry of `OF_ANSWERS` in its
module; a signal of each sentence of a long answer is one in `OF_SENTENCES`.
"""

from collections.abc import Callable, Sequence

import numpy as np

from ralc.beta import Beta
from ralc.beta.validation import Floats
from ralc.protocols import Protocol, resolve
from ralc.signals.agreement import OF_ANSWERS as OF_CLUSTERS
from ralc.signals.answers import Answers
from ralc.signals.claim_support import among_neighbours, said_in, support, support_where_spoken_of
from ralc.signals.token_probability import OF_ANSWERS as OF_TOKENS
from ralc.signals.token_probability import within


def _of_the_original(signal: str) -> Callable[[Answers, Protocol], Beta | None]:
    """Return a signal of sentences as one of the original answer, taken as one sentence."""

    def made(answers: Answers, _: Protocol) -> Beta | None:
        found = of_sentences(signal, answers, [answers.texts[answers.members[0]]])
        return None if found is None else found[0]

    return made


#: The function that makes a signal of each sentence, from how much of it each other answer says, and how far it
#: contradicts it, both of shape (sentences, answers); a short answer is one sentence.
OF_SENTENCES: dict[str, Callable[[Floats, Floats], Beta]] = {
    "support": lambda said, _: support(among_neighbours(said)),
    "support_where_spoken_of": support_where_spoken_of,
    "answer_support": lambda said, _: support(np.broadcast_to(said.mean(axis=0), said.shape)),
}
#: The function that makes each signal from answers; it returns None where they lack what it needs.
OF_ANSWERS: dict[str, Callable[[Answers, Protocol], Beta | None]] = {
    **OF_TOKENS,
    **OF_CLUSTERS,
    **{signal: _of_the_original(signal) for signal in OF_SENTENCES},
}


def of_answers(signal: str, answers: Answers, protocol: str | Protocol = "ralc") -> Beta | None:
    """Return a signal of the original answer among some; None where they lack what it needs.

    That is a further answer where it compares several, or log-probabilities.

    >>> of_answers("semantic_uncertainty", Answers(["Oslo", "Oslo", "Bergen"], [0, 0, 1], [None] * 3))
    Beta(alpha=2.5, beta=1.5)
    """
    return OF_ANSWERS[signal](answers, resolve(protocol))


def of_sentences(signal: str, answers: Answers, sentences: Sequence[str]) -> Beta | None:
    """Return a signal of each of some sentences of the original answer, from all other answers; None without any.

    >>> answers = Answers(["Born in 1956. A poet.", "A poet."], [0, 1], [None] * 2)
    >>> of_sentences("support", answers, ["Born in 1956.", "A poet."]).mean
    array([0.325, 0.675])
    """
    original = answers.members[0]
    others = [text for place, text in enumerate(answers.texts) if place != original]
    if not others:
        return None
    if not sentences:
        return Beta([], [])
    said = np.array([said_in(one, others, answers.question) for one in sentences])
    return OF_SENTENCES[signal](said, np.zeros_like(said))


def of_own_tokens(
    signal: str, answers: Answers, sentence: tuple[int, int], protocol: str | Protocol = "ralc"
) -> Beta | None:
    """Return a signal of log-probabilities for a sentence of the original answer, over its own tokens.

    `sentence` is where it begins and ends, in characters of the original answer. Where the ends of tokens are unknown,
    it has the answer's value. None without log-probabilities, or where no token stands in the sentence.

    Examples
    --------
    >>> answers = Answers(["He sings. In Oslo."], [0], [np.log([0.9, 0.4, 0.8, 0.2])], token_ends=[[2, 9, 12, 18]])
    >>> of_own_tokens("perplexity", answers, (10, 18)).mean.round(2)
    np.float64(0.4)
    """
    original = answers.members[0]
    ends = answers.token_ends[original] if answers.token_ends else None
    logprobs = answers.logprobs(original)
    if not np.ndim(ends) or logprobs is None:
        return of_answers(signal, answers, protocol)
    own = within(np.asarray(logprobs, float), ends, sentence)
    return of_answers(signal, Answers([answers.texts[original][slice(*sentence)]], [0], [own]), protocol)
