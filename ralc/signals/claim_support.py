"""How far other answers to the same question say what a sentence says: support for each sentence of a long answer.

Sampled answers agree on what a model knows (SelfCheckGPT, Manakul et al. 2023), sentence by sentence (LUQ, Zhang et al.
2024). Who says what is told here without a model: by the words that both have. A model that is asked tells who
contradicts it, too (`ralc.pipeline.sentence_support`).
"""

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from ralc.beta import Beta
from ralc.beta.validation import Floats, probabilities
from ralc.english.normalisation import plain, set_of, tokens

#: What a number (a date is one) and a name of a sentence weigh beside another word: on biographies they are wrong most
#: often (`docs/signals.md`).
NUMBER, NAME = 3, 2
#: An answer that says less of a sentence does not speak of it.
SPOKEN_OF = 0.25
#: What the sentences before and behind one weigh together: what is known of one is mostly known of the next.
NEIGHBOURS = 0.3
#: Letters by which two words are one, whatever their endings.
_STEM = 6
_IDLE = set_of(
    """
    a an the and or but of in on at for to from by with as is are was were be been being has have had his her he she
    him they them their it its who whom whose which that this these those also including such well most known not into
    after before during where when while than then more over one two there
    """
)


def said_in(sentence: str, answers: Sequence[str], question: str = "") -> Floats:
    """Return how much of a sentence each answer says, shape (answers,), in [0, 1].

    The share of its words, numbers and names that stand anywhere in the answer, by their weight; the question's own
    words say nothing.

    >>> said_in("She was born in Oslo in 1956.", ["Born in 1956 in Bergen.", "She lives."], "Tell me of Ann Lee.")
    array([0.66666667, 0.        ])
    """
    asked = _stems(question).keys()
    claimed = {stem: weight for stem, weight in _stems(sentence).items() if stem not in asked}
    weights = np.array(list(claimed.values()), dtype=float)
    if not claimed:
        return np.zeros(len(answers))
    heard = [_stems(answer).keys() for answer in answers]
    return np.array([weights @ [stem in said for stem in claimed] for said in heard]) / weights.sum()


def among_neighbours(said: Floats) -> Floats:
    """Return how much of each sentence of an answer others say, some of it (`NEIGHBOURS`) by the sentences beside it.

    `said` is of shape (sentences, N), in their order. The first and the last, which lack a neighbour, stand for it.

    >>> among_neighbours(np.array([[1.0], [0.0], [0.0]])).round(2).ravel()
    array([0.85, 0.15, 0.  ])
    """
    beside = np.pad(said, ((1, 1), (0, 0)), mode="edge")
    return (1 - NEIGHBOURS) * said + NEIGHBOURS * (beside[:-2] + beside[2:]) / 2


def support(said: ArrayLike) -> Beta:
    """Beta of a sentence's support in N other answers: m of them say it, Beta(m + 1/2, N - m + 1/2).

    Answers that say a part count with that part; those that contradict it, and those that do not speak of it, with
    none. The mean of an answer that stands alone is 1/2.

    Parameters
    ----------
    said : array_like of shape (..., N), in [0, 1]
        How much of the sentence each other answer says (`said_in`).

    Examples
    --------
    >>> support([1, 0.5])
    Beta(alpha=2.0, beta=1.0)
    """
    shares = probabilities(said, "said")
    m, n = shares.sum(axis=-1), shares.shape[-1]
    return Beta(m + 0.5, n - m + 0.5)


def support_where_spoken_of(said: ArrayLike, contradicted: ArrayLike = 0.0) -> Beta:
    """Beta of a sentence's support in those other answers that speak of it: that say it, or contradict it.

    What none speaks of has the mean 1/2 and a concentration of 1: a value of its own.

    Parameters
    ----------
    said : array_like of shape (..., N), in [0, 1]
        As for `support`.
    contradicted : array_like, broadcasts, in [0, 1]
        How far each other answer contradicts it: a model tells (LUQ, Zhang et al. 2024); words that are shared do not.

    Returns
    -------
    Beta
        Of shape (...).

    Examples
    --------
    >>> support_where_spoken_of([1, 0.1]), support_where_spoken_of([0, 0.1])
    (Beta(alpha=1.5, beta=0.5), Beta(alpha=0.5, beta=0.5))
    >>> support_where_spoken_of([1, 0], [0, 1])
    Beta(alpha=1.5, beta=1.5)
    """
    shares = probabilities(said, "said")
    spoken = shares + probabilities(contradicted, "contradicted") >= SPOKEN_OF
    m, n = (shares * spoken).sum(axis=-1), spoken.sum(axis=-1)
    return Beta(m + 0.5, n - m + 0.5)


@lru_cache(maxsize=1_000)
def _stems(text: str) -> dict[str, int]:
    """The beginnings of a text's words, but for those that say nothing, each with its weight."""
    found = ((plain(word), word) for word in tokens(text))
    return {
        _stem(word): NUMBER if word[0].isdigit() else NAME if written[0].isupper() else 1
        for word, written in found
        if word and word not in _IDLE
    }


def _stem(word: str) -> str:
    """What a word shares with its other forms; a number is itself."""
    return word if re.search(r"\d", word) else word[:_STEM]
