"""How far other answers to the same question say what a sentence says: support for each sentence of a long answer.

Sampled answers agree on what a model knows (SelfCheckGPT, Manakul et al. 2023), sentence by sentence (LUQ, Zhang et al.
2024). The words that two texts share tell here who says what. A model also tells who contradicts it
(`ralc.pipeline.sentence_support`).
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial

import numpy as np
from numpy.typing import ArrayLike

from ralc.beta import Beta
from ralc.beta.validation import Floats, probabilities
from ralc.english import words
from ralc.protocols import Protocol
from ralc.signals.agreement import Answers, makes

#: What a number (a date is one) and a name weigh beside another word: on biographies they are wrong most often
#: (`docs/signals.md`).
NUMBER = 3
NAME = 2
#: An answer that says less of a sentence does not speak of it.
MENTIONED = 0.25
#: What the sentences before and behind one weigh together: what is known of one is mostly known of the next.
NEIGHBOURS = 0.3
#: Letters by which two words are one, whatever their endings.
_STEM = 6
_IDLE = frozenset(
    words(
        """
        and but or of in on at for to from by with as is are was were be been being has have had his her he she him them
        they their it its who whom whose which that this these those also including such well most known not into after
        before during where when while than then more over one two there
        """
    )
)


def covered(sentence: str, answers: Sequence[str], question: str = "") -> Floats:
    """Return how much of a sentence each answer says, shape (answers,), in [0, 1].

    The share of its words, numbers and names that stand anywhere in the answer, by their weight; the question's own
    words say nothing.

    Parameters
    ----------
    sentence
        The sentence.
    answers
        Texts that may say it.
    question
        What was asked; its words do not count.

    Examples
    --------
    >>> covered("She was born in Oslo in 1956.", ["Born in 1956 in Bergen.", "She lives."], "Tell me of Ann Lee.")
    array([0.66666667, 0.        ])
    """
    query = _stems(question).keys()
    claimed = {stem: weight for stem, weight in _stems(sentence).items() if stem not in query}
    if not claimed:
        return np.zeros(len(answers))
    weights = np.array(list(claimed.values()), dtype=float)
    stems = [_stems(answer).keys() for answer in answers]
    return np.array([weights @ [stem in sample for stem in claimed] for sample in stems]) / weights.sum()


@lru_cache(maxsize=1_000)
def _stems(text: str) -> dict[str, int]:
    """The beginnings of a text's words, but for those that say nothing, each with its weight; numbers are whole."""
    weights = {}
    for word, written in zip(words(text), words(text, written=True), strict=True):
        if not word or word in _IDLE:
            continue
        stem = word if any(map(str.isdigit, word)) else word[:_STEM]
        weight = NAME if written[0].isupper() else 1
        weights[stem] = NUMBER if word[0].isdigit() else weight
    return weights


def among_neighbours(coverage: Floats) -> Floats:
    """Return how much of each sentence of an answer others say, some of it (`NEIGHBOURS`) by the sentences beside it.

    `coverage` is of shape (sentences, N), in their order. The first and the last, which lack a neighbour, stand for it.

    >>> among_neighbours(np.array([[1.0], [0.0], [0.0]])).round(2).ravel()
    array([0.85, 0.15, 0.  ])
    """
    padded = np.pad(coverage, ((1, 1), (0, 0)), mode="edge")
    return (1 - NEIGHBOURS) * coverage + NEIGHBOURS * (padded[:-2] + padded[2:]) / 2


def support(coverage: ArrayLike) -> Beta:
    """Return a sentence's support in N other answers, of which m say it: Beta(m + 1/2, N - m + 1/2).

    `coverage`, of shape (..., N) and in [0, 1], is how much of the sentence each other answer says (`covered`). Answers
    that contradict it, or do not speak of it, count with none. The mean of an answer that stands alone is 1/2.

    >>> support([1, 0.5])
    Beta(alpha=2.0, beta=1.0)
    """
    shares = probabilities(coverage, "coverage")
    m = shares.sum(axis=-1)
    n = shares.shape[-1]
    return Beta(m + 0.5, n - m + 0.5)


def support_if_mentioned(coverage: ArrayLike, contradicted: ArrayLike = 0.0) -> Beta:
    """Return a sentence's support in those other answers that speak of it: that say it, or contradict it.

    What none speaks of has the mean 1/2 and a concentration of 1: a value of its own. `coverage` is as for `support`;
    `contradicted` broadcasts, in [0, 1]: how far a model finds that each other answer contradicts it (LUQ).

    >>> support_if_mentioned([1, 0.1]), support_if_mentioned([0, 0.1])
    (Beta(alpha=1.5, beta=0.5), Beta(alpha=0.5, beta=0.5))
    >>> support_if_mentioned([1, 0], [0, 1])
    Beta(alpha=1.5, beta=1.5)
    """
    shares = probabilities(coverage, "coverage")
    counted = shares + probabilities(contradicted, "contradicted") >= MENTIONED
    m = (shares * counted).sum(axis=-1)
    n = counted.sum(axis=-1)
    return Beta(m + 0.5, n - m + 0.5)


#: The function that makes a signal of each sentence. Its arguments are how much of the sentence each other answer says,
#: and how far it contradicts it, of shape (sentences, answers). A short answer is one sentence.
OF_SENTENCES: dict[str, Callable[[Floats, Floats], Beta]] = {
    "support": lambda coverage, _: support(among_neighbours(coverage)),
    "support_if_mentioned": support_if_mentioned,
    "answer_support": lambda coverage, _: support(np.broadcast_to(coverage.mean(axis=0), coverage.shape)),
}


def of_sentences(signal: str, answers: Answers, sentences: Sequence[str]) -> Beta | None:
    """Return a signal of each of some sentences of the original answer, from all other answers; None without any.

    Parameters
    ----------
    signal
        A name in `OF_SENTENCES`.
    answers
        The answers to one question; the first of its `members` is the original.
    sentences
        Sentences of the original answer.

    Examples
    --------
    >>> answers = Answers(["Born in 1956. A poet.", "A poet."], [0, 1], [None] * 2)
    >>> of_sentences("support", answers, ["Born in 1956.", "A poet."]).mean
    array([0.325, 0.675])
    """
    original = answers.members[0]
    other_texts = [text for place, text in enumerate(answers.texts) if place != original]
    if not (other_texts and sentences):
        return Beta([], []) if other_texts else None
    shares = np.array([covered(sentence, other_texts, answers.question) for sentence in sentences])
    return OF_SENTENCES[signal](shares, np.zeros_like(shares))


def _of_the_original(answers: Answers, _: Protocol, *, signal: str) -> Beta | None:
    """A signal of sentences as one of the original answer, taken as one sentence."""
    supports = of_sentences(signal, answers, [answers.texts[answers.members[0]]])
    return None if supports is None else supports[0]


for _signal in OF_SENTENCES:
    makes(_signal)(partial(_of_the_original, signal=_signal))
