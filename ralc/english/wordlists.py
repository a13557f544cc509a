"""Words: lists and phrases (``ralc/data``), and how English writes a word."""

import re
from functools import cache
from typing import Literal

from ralc import data

LISTS = {row["list"]: row["words"].split() for row in data.rows("wordlists.csv")}
_PHRASES: dict[str, list[str]] = {}
for _row in data.rows("answer_phrases.csv"):
    _PHRASES.setdefault(_row["kind"], []).append(_row["pattern"])


@cache
def word_list(*names: str) -> frozenset[str]:
    """Return the words of some lists; those of a phrase are joined by ``_``."""
    return frozenset(word for name in names for word in LISTS[name])


@cache
def phrases(kind: str) -> re.Pattern[str]:
    """Return the phrases of a kind (``ralc/data/answer_phrases.csv``) as one pattern, whatever their case.

    Each row is a regular expression; ``<kind>`` stands for the phrases of another one.

    >>> phrases("not_known").search("Hard to say.").group()
    'Hard to say'
    """
    return re.compile(_source(kind), re.IGNORECASE)


def _source(kind: str) -> str:
    return re.sub(r"<(\w+)>", lambda other: f"(?:{_source(other[1])})", "|".join(_PHRASES[kind]))


#: Degree words and phrases, as words, and the group of each.
DEGREES = {
    tuple(phrase.split("_")): group
    for group in ("max", "high", "mid", "low", "faint", "at_all")
    for phrase in LISTS[f"degree_{group}"]
}
CLAUSE_MARKS = frozenset('.,;:!?…—()[]{}"“”«»\n')
SENTENCE_ENDS = frozenset(".!?:;…—([{\n")


@cache
def _listed() -> frozenset[str]:
    lines = data.path("words.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))


def case_of(word: str) -> Literal["small", "large", "both", "unknown"]:
    """Return how English writes a word inside a sentence (``ralc/data/words.txt``).

    >>> [case_of(word) for word in ("Photosynthesis", "Uranium", "Paris", "Brown", "Chartreuse", "Polish")]
    ['small', 'small', 'large', 'both', 'unknown', 'large']
    """
    small = not word.isupper() and word.lower() in _listed()
    large = word[:1].upper() + word[1:] in _listed()
    return "both" if small and large else "small" if small else "large" if large else "unknown"
