"""Which of several known names or choices an answer names."""

import re
from collections.abc import Sequence
from functools import lru_cache

from ralc.english.denials import affirmed_and_denied
from ralc.english.normalisation import LONGEST, first_sentence, head_clause, plain, tokens

#: Names of at most so many letters (chemical symbols, Internet domains) must be written exactly so.
_EXACT_LENGTH = 2
_LETTER_FIRST = re.compile(r"\s*\(?([A-Z])(?:[.):]+(?=\s|$)|\)?\s*$)")
_LETTER_SAID = re.compile(r"\b(?:answer|option|choice)\b(?: is)?\s*:?\s*\(?([A-Z])\b(?=[.,;:)\s]*$|[.,;:)])")

_Words = tuple[str, ...]


def named(text: str, names: Sequence[str]) -> set[int]:
    """Return the indices of the names that stand in a text as whole words.

    The longest name wins where several begin at a word, so that "Papua New Guinea" does not name Guinea.
    Case, diacritics and punctuation do not matter, but in names of one or two letters, where case does.

    >>> named("It is Papua New Guinea, or Fiji.", ["Guinea", "Papua New Guinea", "Fiji"])
    {1, 2}
    """
    index, longest = _index(tuple(names))
    spoken = tokens(text)
    found: set[int] = set()
    place = 0
    while place < len(spoken):
        step, index_found = _longest_at(spoken, place, index, longest)
        found |= index_found
        place += step
    return found


def _longest_at(
    spoken: list[str], place: int, index: dict[_Words, frozenset[int]], longest: int
) -> tuple[int, frozenset[int]]:
    """Words to go on by, and the names that the longest match at a place stands for."""
    for length in range(min(longest, len(spoken) - place), 0, -1):
        hit = index.get(_key(spoken[place : place + length]))
        if hit:
            return length, hit
    return 1, frozenset()


@lru_cache(maxsize=2000)
def _index(names: _Words) -> tuple[dict[_Words, frozenset[int]], int]:
    """Names by their words; a name without words cannot be found."""
    index: dict[_Words, frozenset[int]] = {}
    for place, name in enumerate(names):
        key = _key(tokens(name))
        if key:
            index[key] = index.get(key, frozenset()) | {place}
    return index, max(map(len, index), default=0)


def _key(spoken: list[str]) -> _Words:
    """What is compared: plain words, or a lone short one as it is written."""
    if len(spoken) == 1 and len(spoken[0]) <= _EXACT_LENGTH:
        return (spoken[0],)
    return tuple(map(plain, spoken))


def chosen(text: str, choices: Sequence[str], question: str = "") -> int | None:
    """Return the index of the one choice that an answer names, by its letter or in words, or None.

    A letter counts where it opens the answer ("B. Paris", "(B)", "B") or is said to be the answer ("the
    answer is B"). None where no choice or more than one is affirmed.

    >>> chosen("B. Paris", ["London", "Paris"]), chosen("It is London.", ["London", "Paris"])
    (1, 0)
    """
    text = text[:LONGEST]
    first = _LETTER_FIRST.match(text)
    letter = first or _LETTER_SAID.search(text)
    lettered = {ord(letter[1]) - ord("A")} & set(range(len(choices))) if letter else set()
    rest = text[first.end() :] if first else text
    for part in (head_clause(rest, question), first_sentence(rest)):
        spoken = named(affirmed_and_denied(part)[0], choices)
        if spoken:
            break
    picked = lettered | spoken
    return picked.pop() if len(picked) == 1 else None
