"""The classes of cues and their patterns, as committed in ``ralc/data``.

Patterns: words in sequence; ``a|b`` one of several words; ``[a|b c]`` a group whose alternatives may have several
words; ``(a|b c)`` the same, optional; ``_`` joins the words of an alternative, as a space does inside a group.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from ralc import data
from ralc.io.rows import read_rows

Alternatives = frozenset[tuple[str, ...]]
Slots = tuple[tuple[Alternatives, bool], ...]
_SLOT = re.compile(r"\(([^)]*)\)|\[([^\]]*)\]|([^\s()\[\]]+)")


@dataclass(frozen=True)
class CueClass:
    """A family of cues: its direction (+1 speaks for the statement, -1 against) and its assumed place."""

    name: str
    direction: int
    prior: float


@cache
def cue_classes() -> dict[str, CueClass]:
    """The classes of cues, by name, from ``ralc/data/cue_classes.csv``."""
    rows = (row.cells for row in read_rows(data.path("cue_classes.csv")))
    return {row["class"]: CueClass(row["class"], int(row["direction"]), float(row["prior"])) for row in rows}


@cache
def patterns() -> tuple[tuple[str, Slots], ...]:
    """The patterns of ``ralc/data/cues.csv`` in the file's order, each with its class."""
    rows = (row.cells for row in read_rows(data.path("cues.csv")))
    return tuple((row["class"], parse_pattern(row["pattern"])) for row in rows)


#: What ends each word of a text that patterns are matched in: no token has it.
_END = "\0"


def matches(words: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, class) of the patterns in some words, the longest at each place, left to right.

    Of patterns of one length the class ``none`` wins, then the first in the file.

    >>> list(matches("it is without a doubt so".split()))
    [(2, 5, 'certain')]
    """
    text = "".join(f"{word}{_END}" for word in words)
    start = at = 0
    while start < len(words):
        last, name = at, ""
        for own, pattern in _beginning(words[start]):
            found = pattern.match(text, at)
            if found and (found.end(), own == "none") > (last, name == "none"):
                last, name = found.end(), own
        count = text.count(_END, at, last)
        if name:
            yield start, start + count, name
        start += max(count, 1)
        at = last if name else at + len(words[start - 1]) + 1


@cache
def _beginning(word: str) -> list[tuple[str, re.Pattern[str]]]:
    """The patterns that begin with a word, each with its class."""
    found = (patterns()[place] for place in _by_first_word().get(word, ()))
    return [(name, re.compile("".join(map(_expression, slots)))) for name, slots in found]


@cache
def _by_first_word() -> dict[str, list[int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, (_, slots) in enumerate(patterns()):
        needed = next(number for number, (_, optional) in enumerate(slots, 1) if not optional)
        for word in {option[0] for alternatives, _ in slots[:needed] for option in alternatives}:
            places[word].append(place)
    return dict(places)


def _expression(slot: tuple[Alternatives, bool]) -> str:
    """A slot as a regular expression, long alternatives first."""
    alternatives, optional = slot
    options = sorted(("".join(re.escape(word) + _END for word in option) for option in alternatives), key=len)
    return f"(?:{'|'.join(reversed(options))}){'?' * optional}"


def parse_pattern(pattern: str) -> Slots:
    """A pattern as slots: the alternatives of each and whether it is optional.

    >>> parse_pattern("no (real) clue")
    ((frozenset({('no',)}), False), (frozenset({('real',)}), True), (frozenset({('clue',)}), False))
    """
    slots: list[tuple[Alternatives, bool]] = []
    for match in _SLOT.finditer(pattern):
        optional, required, word = match.groups()
        if word is not None:
            slots.append((frozenset(_words_of(option) for option in word.split("|")), False))
        else:
            group = required if optional is None else optional
            slots.append((frozenset(_words_of(option) for option in group.split("|")), optional is not None))
    return tuple(slots)


def _words_of(alternative: str) -> tuple[str, ...]:
    return tuple(alternative.replace("_", " ").split())
