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

#: The alternatives of each place of a pattern, each as its words, and whether the place is optional.
Slots = list[tuple[frozenset[tuple[str, ...]], bool]]
_SLOT = re.compile(r"\(([^)]*)\)|\[([^\]]*)\]|([^\s()\[\]]+)")
#: What ends each word of a text that patterns are matched in: no token has it.
_END = "\0"


@dataclass(frozen=True)
class CueClass:
    """A family of cues: its direction (+1 speaks for the statement, -1 against) and its assumed place."""

    name: str
    direction: int
    prior: float


@cache
def cue_classes() -> dict[str, CueClass]:
    """Return the classes of cues, by name, from ``ralc/data/cue_classes.csv``."""
    rows = (row.cells for row in read_rows(data.path("cue_classes.csv")))
    return {row["class"]: CueClass(row["class"], int(row["direction"]), float(row["prior"])) for row in rows}


@cache
def patterns() -> list[tuple[str, Slots]]:
    """Return the patterns of ``ralc/data/cues.csv`` in the file's order, each with its class."""
    rows = (row.cells for row in read_rows(data.path("cues.csv")))
    return [(row["class"], parse_pattern(row["pattern"])) for row in rows]


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
    return [(name, re.compile("".join(map(_expression, slots)))) for name, slots in _by_first_word()[word]]


@cache
def _by_first_word() -> defaultdict[str, list[tuple[str, Slots]]]:
    found: defaultdict[str, list[tuple[str, Slots]]] = defaultdict(list)
    for name, slots in patterns():
        needed = next(number for number, (_, optional) in enumerate(slots, 1) if not optional)
        for word in {option[0] for alternatives, _ in slots[:needed] for option in alternatives}:
            found[word].append((name, slots))
    return found


def _expression(slot: tuple[frozenset[tuple[str, ...]], bool]) -> str:
    """A slot as a regular expression, long alternatives first."""
    options = sorted(("".join(re.escape(word) + _END for word in option) for option in slot[0]), key=len)
    return f"(?:{'|'.join(reversed(options))}){'?' * slot[1]}"


def parse_pattern(pattern: str) -> Slots:
    """Return a pattern as slots: the alternatives of each and whether it is optional.

    >>> parse_pattern("no (real) clue")
    [(frozenset({('no',)}), False), (frozenset({('real',)}), True), (frozenset({('clue',)}), False)]
    """
    slots: Slots = []
    for optional, required, word in _SLOT.findall(pattern):
        options = (optional or required or word).split("|")
        slots.append(
            (frozenset(tuple(option.replace("_", " ").split()) for option in options), bool(optional))
        )
    return slots
