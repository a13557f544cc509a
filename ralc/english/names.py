"""Which of several known names or choices an answer names, and what else stands for a name."""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from rapidfuzz.distance import OSA

from ralc import data
from ralc.english.negation import affirmed_and_denied, clauses
from ralc.english.normalisation import (
    IDLE_WORDS,
    NAMING_WORDS,
    is_number,
    plain,
    spans,
    tokens,
    words,
)
from ralc.english.quantities import in_digits
from ralc.english.wordlists import word_list

#: Names of at most so many letters (chemical symbols, Internet domains) must be written exactly so.
EXACT_LENGTH = 2
#: Chemical symbols that only a capital tells from a function word.
WORD_SYMBOLS = frozenset({"Am", "As", "At", "Be", "He", "I", "In", "No"})
#: Words that make another name of the one that follows (Guinea, York, Sudan).
NEW_NAME = frozenset({"new", "papua", "equatorial", "north", "south", "east", "west"})
#: What a place is ("city"), or a part of one.
KINDS = word_list("kinds")
# "Gulf of Mexico", "Duke of York"; but "City of York".
_OF_NAME = re.compile(r"\b([A-Z]\w+) of (?:the )?$")
# "after 1945", "more than 8" are other numbers.
_BOUND = re.compile(
    r"\b(?:after|before|(?<!not )(?:until|till)|(?:more|less|fewer|later|earlier) than)\s+$", re.IGNORECASE
)
_NUMERAL = re.compile(r"[IVX]+$")
_LETTER_FIRST = re.compile(r"[\s*\"'(\[]*([A-Za-z])(?:[.):\]*]+(?=\s|$)|[)\]*\"'.]*\s*$)")
_LETTER = re.compile(r"(?<![\w.'’-])[A-Z](?!\.\w|[\w'’-])")
#: "I'll go with option B": a letter that one says to choose.
_PICKED = re.compile(
    r"\bI(?:['’]\w+)?(?: \w+){0,3} (?:(?:go(?:ing)?|opt|vote) (?:for|with)|choose|pick|select|take|say|guess|think)\b"
    rf"(?:\W+(?:that|it|it['’]s|is|the|option|choice|answer|letter)\b)*\W+{_LETTER.pattern}"
)
#: Letters a word must have to be known with one slip, and with two.
_ONE_SLIP, _TWO_SLIPS = 5, 10
_ROMAN = frozenset("ivxlcdm")
#: Names that one letter makes of each other.
_TWINS = [{"iceland", "ireland"}, {"curium", "cerium"}, {"india", "indiana"}, {"paris", "parish"}]
_Words = tuple[str, ...]
_Spans = Sequence[tuple[str, int, int]]


@dataclass(frozen=True)
class Mention:
    """Where a text names something: the characters, and the names (several may be one in writing)."""

    start: int
    end: int
    names: frozenset[int]


def mentions(text: str, names: Sequence[str]) -> Iterator[Mention]:
    """Yield where names stand in a text as whole words, left to right.

    The longest name wins where several begin at a word. A name inside a longer one that is not known ("New Guinea",
    "Guinea Conakry") is no mention of it. Case, diacritics and punctuation do not matter, but in names of one or two
    letters, where case does. Numbers in words and in digits are one.
    """
    index, longest = _index(tuple(names))
    spoken = spans(text)
    place = 0
    while place < len(spoken) and index:
        lengths = range(min(longest, len(spoken) - place), 0, -1)
        keys = ((length, _key([word for word, _, _ in spoken[place : place + length]])) for length in lengths)
        step, found = next(
            ((length, index[key]) for length, key in keys if key in index), (1, frozenset[int]())
        )
        start, last = spoken[place][1], place + step
        if found and not _part_of_longer(text, spoken, place, last):
            yield Mention(start, spoken[last - 1][2], found)
        place = last


def named(text: str, names: Sequence[str]) -> set[int]:
    """Return the indices of the names that a text mentions (see `mentions`).

    >>> named("It is Papua New Guinea, or Fiji.", ["Guinea", "Papua New Guinea", "Fiji"])
    {1, 2}
    """
    return {index for mention in mentions(in_digits(text), names) for index in mention.names}


@lru_cache(maxsize=2000)
def _index(names: _Words) -> tuple[dict[_Words, frozenset[int]], int]:
    """Names by their words (one without words cannot be found), and words of the longest."""
    places: dict[_Words, set[int]] = {}
    for place, name in enumerate(names):
        if key := _key(tokens(in_digits(name))):
            places.setdefault(key, set()).add(place)
    return {key: frozenset(found) for key, found in places.items()}, max(map(len, places), default=0)


def _key(spoken: list[str]) -> _Words:
    """What is compared: plain words, or a lone short one as it is written."""
    if len(spoken) == 1 and len(spoken[0]) <= EXACT_LENGTH:
        return (spoken[0],)
    return tuple(map(plain, spoken))


def _part_of_longer(text: str, spoken: _Spans, start: int, end: int) -> bool:
    """Whether the words from `start` to `end` are a part of a longer name: New York, Kansas City, Virginia Woolf."""
    first = spoken[start][1]
    before = text[max(first - 60, 0) : first]
    if is_number(spoken[start][0]):
        return _BOUND.search(before) is not None
    if not spoken[start][0][:1].isupper():
        return False
    of = _OF_NAME.search(before)
    if (before[-1:] == "-" and before[-2:-1].isalpha()) or (of and of[1].casefold() not in KINDS):
        return True
    if start and not text[spoken[start - 1][2] : first].strip(" "):
        word = spoken[start - 1][0]
        if word[0].isupper() and word.casefold() in NEW_NAME:
            return True
    if end == len(spoken):
        return False
    gap, after = text[spoken[end - 1][2] : spoken[end][1]], spoken[end][0]
    another = len(after) > 1 and after not in {"State", "Province"} and not _NUMERAL.match(after)
    return (gap.strip() == "," and plain(after) == "dc") or (
        gap in {" ", "-"} and after[0].isupper() and another
    )


def lettered(text: str, count: int) -> tuple[int | None, str]:
    """Return the number of the choice that an answer gives by its letter, if one, and the rest of the text.

    >>> lettered("(B) Lyon", 3), lettered("Not A or C: it is B.", 3)[0]
    ((1, ' Lyon'), 1)
    """
    if not count:
        return None, text
    first = _LETTER_FIRST.match(text)
    # "a city": a letter that opens a text is small only where it is all of it.
    if first and first[1].islower() and words(text[first.end() :]):
        first = None
    if first:
        place = ord(first[1].upper()) - ord("A")
    else:
        affirmed = affirmed_and_denied(text)[0]
        letters = {place for part, mark in clauses(affirmed) for place in _letter(part, mark, count)}
        place = letters.pop() if len(letters) == 1 else count
    if place >= count:
        return None, text
    return place, text[first.end() :] if first else text


def _letter(clause: str, mark: str, count: int) -> set[int]:
    """The choice whose letter a clause gives that says nothing else, or that "I'll go with" it."""
    bracketed = clause.upper() if mark.endswith("(") else clause
    places = {ord(letter) - ord("A") for letter in _LETTER.findall(bracketed)} & set(range(count))
    alone = NAMING_WORDS.issuperset(words(_LETTER.sub("", bracketed))) or _PICKED.search(clause)
    return places if alone and len(places) == 1 else set()


@cache
def _adjectives() -> dict[str, str]:
    """The adjective of each country in ``ralc/data/countries.csv``, by each of its names in lower case."""
    with data.path("countries.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["adjective"]]
    return {name.lower(): row["adjective"] for row in rows for name in (row["name"], *row["also"].split("|"))}


def adjectives(country: str) -> list[str]:
    """Return the adjective of a country, if it is known."""
    return [_adjectives()[country.lower()]] if country.lower() in _adjectives() else []


def other_names(text: str, question: str, right: Sequence[str], wrong: Sequence[str]) -> list[str]:
    """Return what else stands for right answers in a text.

    >>> other_names("The Canbera region", "What is the capital of Australia?", ["Canberra"], ["Sydney"])
    ['Canbera']
    """
    asked = set(words(question))
    who = not asked.isdisjoint({"who", "whom", "whose"})
    people = [last for name in right if who and (last := _last_name(name, text))]
    slips = misspelt(in_digits(text), [*right, *people], known=[*wrong, question])
    national = [made for name in right for made in adjectives(name)] if "country" in asked else []
    return [*people, *slips, *national]


def _last_name(person: str, text: str) -> str | None:
    """Return the last of two or three words that are written large; none where a text has another first name."""
    names = tokens(person)
    if not (2 <= len(names) <= 3 and names[0][0].isupper() and names[-1][0].isupper() and len(names[-1]) > 2):
        return None
    before = map(plain, re.findall(rf"\b([A-Z][\w'’-]+) {re.escape(names[-1])}\b", text))
    return names[-1] if IDLE_WORDS.union(word_list("titles"), map(plain, names)).issuperset(before) else None


def misspelt(text: str, names: Sequence[str], known: Sequence[str] = ()) -> Iterator[str]:
    """Yield the words of a text that are one of some names but for a slip of the pen; the names in `known` are none.

    >>> list(misspelt("It is Canbera, not Sidney.", ["Canberra"]))
    ['Canbera']
    """
    spoken = tokens(text)
    others = {tuple(words(name)) for name in (*known, *names)}
    for name in names:
        meant = words(name)
        for start in range(len(spoken) - len(meant) + 1 if meant else 0):
            written = spoken[start : start + len(meant)]
            said = tuple(map(plain, written))
            if said not in others and all(a == b or is_slip(a, b) for a, b in zip(said, meant, strict=True)):
                yield " ".join(written)


def is_slip(said: str, meant: str) -> bool:
    """Return whether a word is another with a letter more, less or another, or two neighbours exchanged.

    One of five letters or more may have one slip, of ten or more two, never in its first letter; no numeral has one.
    """
    allowed = (len(meant) >= _ONE_SLIP) + (len(meant) >= _TWO_SLIPS)
    numeral = _ROMAN.issuperset(meant) or not (said.isalpha() and meant.isalpha())
    if not allowed or numeral or said[0] != meant[0] or {said, meant} in _TWINS:
        return False
    return OSA.distance(said, meant, score_cutoff=allowed) <= allowed
