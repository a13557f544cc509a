"""Method ``overlap``: the content words that an answer and its rewrite share."""

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ralc.english import normalise, words

Masses = npt.NDArray[np.float64]

_IDLE = """
    is are was were be been being am in on at of to from for by with as it its this that these those there
    and or but do does did has have had i my me we you your he she they them his her will would so than then
    which who s t
"""
_IDLE_WORDS = frozenset(_IDLE.split())


def overlap(originals: Sequence[str], rewrites: Sequence[str], hedges: Sequence[str]) -> Masses:
    """Return the Dice coefficient of the content words of originals and rewrites, one a pair: 1 where all are shared.

    ``2 |A and B| / (|A| + |B|)``, over sets of words in normal form (`ralc.english.normalisation.words`) without
    function words and the run's hedges: a hedge adds and takes no content. Two texts without content words score 1.

    >>> overlap(["It was Paris.", "Paris"], ["Perhaps it was Paris.", "It is Lyon."], ["perhaps"]).tolist()
    [1.0, 0.0]
    """
    content = Content(hedges)
    return np.array([content.dice(*pair) for pair in zip(originals, rewrites, strict=True)], dtype=float)


class Content:
    """What an answer says, apart from the hedges of a lexicon."""

    def __init__(self, hedges: Sequence[str]) -> None:
        expressions = sorted({normalise(hedge) for hedge in hedges}, key=len, reverse=True)
        phrases = [f" {re.escape(hedge)}(?= )" for hedge in expressions if " " in hedge]
        self._phrases = re.compile("|".join(phrases) or r"(?!)")
        carriers = words("the answer is, my answer would be, it is not the case that")
        found = {word for hedge in hedges for word in words(hedge)}
        #: The words that hedges are made of, and those that carry them; negations are no hedging words.
        self.hedge_words = frozenset(found.union(carriers) - _IDLE_WORDS - {"not", "no", "never"})

    def words(self, text: str) -> frozenset[str]:
        """Return the words of a text, in normal form, that are no function words and belong to no hedge.

        Hedges of several words go as a whole, so that the *not* of "I am not sure" is no negation of the answer.

        >>> sorted(Content(["I am not sure"]).words("I am not sure, but the report is not accurate."))
        ['accurate', 'not', 'report']
        """
        return frozenset(self._phrases.sub(" ", f" {normalise(text)} ").split()) - _IDLE_WORDS

    def dice(self, original: str, rewrite: str) -> float:
        """Return the Dice coefficient of two texts' content words."""
        before, after = self.words(original), self.words(rewrite)
        # A hedging word that only one of the two has came or went with its hedge.
        before, after = before - (self.hedge_words - after), after - (self.hedge_words - before)
        both = len(before) + len(after)
        return 2 * len(before & after) / both if both else 1.0
