"""The classes of cues and their patterns, as committed in ``ralc/data``.

Patterns: words in sequence; ``a|b`` one of several words; ``[a|b c]`` a group whose alternatives may have several
words; ``(a|b c)`` the same, optional; ``_`` joins the words of an alternative outside a group.
"""

import csv
import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from importlib import resources

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
    with resources.files("ralc.data").joinpath("cue_classes.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {row["class"]: CueClass(row["class"], int(row["direction"]), float(row["prior"])) for row in rows}


@cache
def patterns() -> dict[str, tuple[tuple[str, Slots], ...]]:
    """The patterns of ``ralc/data/cues.csv`` by the words that they can begin with."""
    by_first: dict[str, list[tuple[str, Slots]]] = defaultdict(list)
    with resources.files("ralc.data").joinpath("cues.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            slots = parse_pattern(row["pattern"])
            for first in _first_words(slots):
                by_first[first].append((row["class"], slots))
    return {first: tuple(found) for first, found in by_first.items()}


def _first_words(slots: Slots) -> set[str]:
    first: set[str] = set()
    for alternatives, optional in slots:
        first |= {option[0] for option in alternatives}
        if not optional:
            break
    return first


def parse_pattern(pattern: str) -> Slots:
    """A pattern as slots: the alternatives of each and whether it is optional.

    >>> parse_pattern("no (real) clue")
    ((frozenset({('no',)}), False), (frozenset({('real',)}), True), (frozenset({('clue',)}), False))
    """
    slots: list[tuple[Alternatives, bool]] = []
    for match in _SLOT.finditer(pattern):
        optional, required, word = match.groups()
        if word is not None:
            slots.append((frozenset(tuple(option.split("_")) for option in word.split("|")), False))
        else:
            group = required if optional is None else optional
            slots.append(
                (frozenset(tuple(option.split()) for option in group.split("|")), optional is not None)
            )
    return tuple(slots)
