"""The fine term of a reader: word sequences that people read as more or less confident.

Only words that occur with many different questions take part; all others, names and numbers first, are one
placeholder. So the term sees how a thing is said and not what is said.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ralc import data
from ralc.english.cues import Cue
from ralc.english.tokens import Token

PLACEHOLDER = "_"


@dataclass(frozen=True)
class NgramTerm:
    """Weights (log-odds) of word sequences; their mean-centred sum, bounded, adjusts a reading."""

    vocabulary: frozenset[str]
    weights: dict[str, float]
    limit: float

    @classmethod
    @lru_cache
    def load(cls, reader: str) -> "NgramTerm | None":
        """The committed term of a reader; None where it has none."""
        file = data.path(f"reader_{reader}_ngrams.npz")
        if not file.is_file():
            return None
        with np.load(file, allow_pickle=False) as arrays:
            weights = dict(
                zip(arrays["ngrams"].tolist(), arrays["weights"].astype(float).tolist(), strict=True)
            )
            return cls(frozenset(arrays["vocabulary"].tolist()), weights, float(arrays["limit"]))

    def adjustment(self, tokens: list[Token], cues: list[Cue]) -> float:
        """The term of one text, in log-odds, within ``[-limit, limit]``; 0 for a text without cues."""
        if not cues:
            return 0.0
        found = list(ngrams(tokens, self.vocabulary))
        if not found:
            return 0.0
        total = sum(self.weights.get(ngram, 0.0) for ngram in found) / np.sqrt(len(found))
        return float(np.clip(total, -self.limit, self.limit))


def ngrams(tokens: list[Token], vocabulary: frozenset[str]) -> Iterator[str]:
    """The masked word sequences of length 1 to 3 of a text."""
    words: list[str] = []
    for token in tokens:
        word = token.text if token.usable and token.text in vocabulary else PLACEHOLDER
        if word != PLACEHOLDER or not words or words[-1] != PLACEHOLDER:
            words.append(word)
    words = ["^", *words, "$"]
    for size in (1, 2, 3):
        for start in range(len(words) - size + 1):
            piece = words[start : start + size]
            if piece != [PLACEHOLDER]:
                yield " ".join(piece)
