"""The classes of cues and their patterns, as committed in ``ralc/data``.

A pattern is words in sequence. ``a|b`` is one of several words, ``[a|b c]`` a group whose alternatives may have several
words, ``(a|b c)`` the same, optional. ``_`` joins the words of an alternative, as a space does inside a group.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from ralc import data

_SLOT = re.compile(r"\(([^)]*)\)|\[([^\]]*)\]|([^\s()\[\]]+)")
#: What ends each word of a text that patterns are matched in: no token has it.
_END = "\0"


class CueClass(NamedTuple):
    """A family of cues: its direction (+1 speaks for the statement, -1 against) and its assumed place."""

    name: str
    direction: int
    prior: float


@cache
def cue_classes() -> dict[str, CueClass]:
    """Return the classes of cues, by name, from ``ralc/data/cue_classes.csv``."""
    rows = data.rows("cue_classes.csv")
    return {row["class"]: CueClass(row["class"], int(row["direction"]), float(row["prior"])) for row in rows}


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
        for key, pattern in _beginning(words[start]):
            end = pattern.match(text, at)
            if end and (end.end(), key == "none") > (last, name == "none"):
                last, name = end.end(), key
        count = text.count(_END, at, last)
        if name:
            yield start, start + count, name
        start += max(count, 1)
        at = last if name else at + len(words[start - 1]) + 1


@cache
def _beginning(word: str) -> list[tuple[str, re.Pattern[str]]]:
    """The patterns that begin with a word, each with its class."""
    return [(name, re.compile(source)) for name, source in patterns().get(word, ())]


@cache
def patterns() -> dict[str, list[tuple[str, str]]]:
    """Return the patterns of ``ralc/data/cues.csv`` by each word with which one begins, in the file's order.

    Each is its class and a regular expression for words that end in a null character.
    """
    index = defaultdict(list)
    for row in data.rows("cues.csv"):
        firsts, source, begun = set[str](), "", False
        for optional, required, word in _SLOT.findall(row["pattern"]):
            options = [
                option.replace("_", " ").split() for option in (optional or required or word).split("|")
            ]
            firsts |= set() if begun else {option[0] for option in options}
            begun = begun or not optional
            written = ("".join(re.escape(part) + _END for part in option) for option in options)
            longest_first = sorted(written, key=len, reverse=True)
            source += f"(?:{'|'.join(longest_first)}){'?' * bool(optional)}"
        for first in firsts:
            index[first].append((row["class"], source))
    return dict(index)
