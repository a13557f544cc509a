"""The classes of cues and their patterns, as committed in ``ralc/data``.

Patterns: words in sequence; ``a|b`` one of several words; ``[a|b c]`` a group whose alternatives may have several
words; ``(a|b c)`` the same, optional; ``_`` joins the words of an alternative, as a space does inside a group.
"""

import csv
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from ralc import data

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
    with data.path("cue_classes.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {row["class"]: CueClass(row["class"], int(row["direction"]), float(row["prior"])) for row in rows}


@cache
def patterns() -> tuple[tuple[str, Slots], ...]:
    """The patterns of ``ralc/data/cues.csv`` in the file's order, each with its class."""
    with data.path("cues.csv").open(encoding="utf-8") as file:
        return tuple((row["class"], parse_pattern(row["pattern"])) for row in csv.DictReader(file))


#: A place inside a pattern: pattern, slot, the alternative being read, and how many of its words are read.
_Place = tuple[int, int, tuple[str, ...], int]


class _State:
    """What may follow, by word, and the class that ends here ("" for none)."""

    __slots__ = ("_following", "_moves", "accepts")

    def __init__(self, places: frozenset[_Place], accepts: str) -> None:
        following: dict[str, set[_Place]] = defaultdict(set)
        for pattern, slot, option, read in places:
            following[option[read]].add((pattern, slot, option, read + 1))
        self._following = dict(following)
        self._moves: dict[str, _State] = {}
        self.accepts = accepts

    def move(self, word: str) -> "_State | None":
        """The state after `word`; None where no pattern goes on with it."""
        state = self._moves.get(word)
        if state is None and word in self._following:
            state = self._moves[word] = _state(self._following[word])
        return state


def _state(read: set[_Place]) -> _State:
    """The state of patterns of which so much was read."""
    places: set[_Place] = set()
    ended: list[int] = []
    for pattern, slot, option, words in read:
        if words < len(option):
            places.add((pattern, slot, option, words))
        elif _enter(pattern, slot + 1, places):
            ended.append(pattern)
    names = [patterns()[pattern][0] for pattern in sorted(ended)]
    return _State(frozenset(places), "none" if "none" in names else names[0] if names else "")


def _enter(pattern: int, slot: int, places: set[_Place]) -> bool:
    """Add the beginnings of the slots that may come next; whether the pattern may end here."""
    for index, (alternatives, optional) in enumerate(patterns()[pattern][1][slot:], start=slot):
        places.update((pattern, index, option, 0) for option in alternatives)
        if not optional:
            return False
    return True


@cache
def _start() -> _State:
    places: set[_Place] = set()
    for pattern in range(len(patterns())):
        _enter(pattern, 0, places)
    return _State(frozenset(places), "")


def longest_match(words: Sequence[str], position: int) -> tuple[int, str]:
    """(end, class) of the longest pattern that begins at `position`; the class is "" where there is none.

    Of patterns of one length the class ``none`` wins, then the first in the file. All patterns are followed at
    once (a finite automaton, made as it is needed), so the time does not depend on their number.

    >>> longest_match("it is without a doubt so".split(), 2)
    (5, 'certain')
    """
    state: _State | None = _start()
    end, name = position, ""
    for place in range(position, len(words)):
        state = state.move(words[place])
        if state is None:
            break
        if state.accepts:
            end, name = place + 1, state.accepts
    return end, name


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
