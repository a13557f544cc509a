"""Content preservation: how much of an original answer its rewrite keeps (paper section 5.3).

Two methods. ``overlap`` counts shared content words. It sees a lost or an added word, and nothing of what
words mean together, so it is no entailment and is never called so. ``entailment`` is the paper's, a
natural-language-inference model, which is asked as any other is (`ralc.llm.engines.entailment`).
"""

import re
from collections.abc import Sequence
from itertools import starmap

import numpy as np
from numpy.typing import NDArray

from ralc.english import words

Masses = NDArray[np.float64]
_IDLE = frozenset(
    words(
        """
        is are was were be been being am in on at of to from for by with as it its this that these those there
        and or but do does did has have had i my me we you your he she they them his her will would so than then
        which who s t
        """
    )
)


def overlap(originals: Sequence[str], rewrites: Sequence[str], hedges: Sequence[str]) -> Masses:
    """Return the Dice coefficient of the content words of originals and rewrites, one a pair: 1 where all are shared.

    ``2 |A and B| / (|A| + |B|)``, over sets of words in normal form (`ralc.english.words`). Function words
    and the run's hedges are left out: a hedge adds and takes no content. Two texts without content words score 1.

    Parameters
    ----------
    originals, rewrites
        Texts, of one length.
    hedges
        Expressions whose words do not count.

    Examples
    --------
    >>> overlap(["It was Paris.", "Paris"], ["Perhaps it was Paris.", "It is Lyon."], ["perhaps"]).tolist()
    [1.0, 0.0]
    """
    return np.array(list(starmap(Content(hedges).dice, zip(originals, rewrites, strict=True))), dtype=float)


class Content:
    """What an answer says, apart from the hedges of a lexicon."""

    def __init__(self, hedges: Sequence[str]) -> None:
        expressions = sorted({" ".join(words(hedge)) for hedge in hedges}, key=len, reverse=True)
        phrases = [f" {re.escape(hedge)}(?= )" for hedge in expressions if " " in hedge]
        self._phrases = re.compile("|".join(phrases) or r"(?!)")
        carriers = words("the answer is, my answer would be, it is not the case that")
        hedging = {word for hedge in hedges for word in words(hedge)}
        #: The words that hedges are made of, and those that carry them; negations are no hedging words.
        self.hedge_words = frozenset(hedging.union(carriers) - _IDLE - {"not", "no", "never"})

    def words(self, text: str) -> frozenset[str]:
        """Return the words of a text, in normal form, that are no function words and belong to no hedge.

        Hedges of several words go as a whole, so that the *not* of "I am not sure" is no negation of the answer.

        >>> sorted(Content(["I am not sure"]).words("I am not sure, but the report is not accurate."))
        ['accurate', 'not', 'report']
        """
        return frozenset(self._phrases.sub(" ", " ".join(["", *words(text), ""])).split()) - _IDLE

    def dice(self, original: str, rewrite: str) -> float:
        """Return the Dice coefficient of two texts' content words."""
        before = self.words(original)
        after = self.words(rewrite)
        # A hedging word that only one of the two has came or went with its hedge.
        before, after = before - (self.hedge_words - after), after - (self.hedge_words - before)
        both = len(before) + len(after)
        return 2 * len(before & after) / both if both else 1.0


def entailment_score(masses: Masses) -> Masses:
    """Return ``p_entail + 0.5 p_neutral`` (paper section 5.3), in [0, 1].

    >>> entailment_score(np.array([[0.7, 0.2, 0.1]])).round(6).tolist()
    [0.8]
    """
    return np.clip(masses[..., 0] + 0.5 * masses[..., 1], 0.0, 1.0)


def not_entailed(forth: Masses, back: Masses) -> Masses:
    """Return 1 for each pair of which a model says that the rewrite claims something else than its original, else 0.

    It does where a contradiction is most probable in either direction, or entailment in neither. "Perhaps it is Paris"
    follows from "it is Paris", and not the other way round. Both are of shape (pairs, 3): ``p_entail, p_neutral,
    p_contradict``, original -> rewrite and rewrite -> original.

    >>> entails, neutral, contradicts = np.eye(3)
    >>> not_entailed(np.array([entails, neutral, entails]), np.array([neutral, neutral, contradicts])).tolist()
    [0.0, 1.0, 1.0]
    """
    verdicts = np.stack([forth.argmax(axis=1), back.argmax(axis=1)])
    return ((verdicts == 2).any(axis=0) | (verdicts != 0).all(axis=0)).astype(float)
