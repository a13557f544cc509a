"""Words: lists, phrases and patterns of cues (``ralc/data``), and how English writes a word.

A pattern of cues is words in sequence. ``a|b`` is one of several words, ``[a|b c]`` a group whose alternatives may have
several words, ``(a|b c)`` the same, optional. ``_`` joins the words of an alternative, as a space does inside a group.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Literal, NamedTuple

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
    inner = re.compile(r"<(\w+)>")
    source = inner.sub(lambda other: f"(?:{phrases(other[1]).pattern})", "|".join(_PHRASES[kind]))
    return re.compile(source, re.IGNORECASE)


#: Degree words and phrases, as words, and the group of each.
DEGREES = {
    tuple(phrase.split("_")): group
    for group in ("max", "high", "mid", "low", "faint", "at_all")
    for phrase in LISTS[f"degree_{group}"]
}
CLAUSE_MARKS = frozenset('.,;:!?…—()[]{}"“”«»\n')
_SLOT = re.compile(r"\(([^)]*)\)|\[([^\]]*)\]|([^\s()\[\]]+)")
#: What ends each word of a text that patterns are matched in: no token has it.
_END = "\0"


@cache
def _listed() -> frozenset[str]:
    lines = data.path("words.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))


@lru_cache(maxsize=2_500)
def case_of(word: str) -> Literal["small", "large", "both", "unknown"]:
    """Return how English writes a word inside a sentence (``ralc/data/words.txt``).

    >>> [case_of(word) for word in ("Photosynthesis", "Uranium", "Paris", "Brown", "Chartreuse", "Polish")]
    ['small', 'small', 'large', 'both', 'unknown', 'large']
    """
    small = not word.isupper() and word.lower() in _listed()
    large = word[:1].upper() + word[1:] in _listed()
    if small and large:
        return "both"
    if small:
        return "small"
    return "large" if large else "unknown"


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
    """
    text = "".join(f"{word}{_END}" for word in words)
    known = patterns()
    start = at = 0
    while start < len(words):
        word = words[start]
        last = at
        name = ""
        begun = word in known and _any_beginning(word).match(text, at)  # at most places none does
        for key, pattern in _beginning(word) if begun else ():
            end = pattern.match(text, at)
            if end and (end.end(), key == "none") > (last, name == "none"):
                last = end.end()
                name = key
        count = text.count(_END, at, last)
        if name:
            yield start, start + count, name
        start += max(count, 1)
        at = last if name else at + len(word) + 1


@cache
def _any_beginning(word: str) -> re.Pattern[str]:
    """The patterns that begin with a word, as one."""
    return re.compile("|".join(source for _, source in patterns()[word]))


@cache
def _beginning(word: str) -> list[tuple[str, re.Pattern[str]]]:
    """The patterns that begin with a word, each with its class."""
    return [(name, re.compile(source)) for name, source in patterns()[word]]


@cache
def patterns() -> dict[str, list[tuple[str, str]]]:
    """Return the patterns of ``ralc/data/cues.csv`` by each word with which one begins, in the file's order.

    Each is its class and a regular expression for words that end in a null character.
    """
    index = defaultdict(list)
    for row in data.rows("cues.csv"):
        firsts = set[str]()
        source = ""
        begun = False
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
