"""Which of several known names or choices an answer names."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ralc.english.negation import affirmed_and_denied, clauses
from ralc.english.normalisation import NAMING_WORDS, plain, set_of, spans, tokens, words
from ralc.english.quantities import in_digits

#: Names of at most so many letters (chemical symbols, Internet domains) must be written exactly so.
EXACT_LENGTH = 2
#: Words that make another name of the one that follows (Guinea, York, Sudan).
NEW_NAME = frozenset({"new", "papua", "equatorial", "north", "south", "east", "west"})
# "Gulf of Mexico", "Duke of York"; but "City of York".
_OF_NAME = re.compile(r"\b([A-Z]\w+) of (?:the )?$")
# "after 1945", "more than 8" are other numbers.
_BOUND = re.compile(
    r"\b(?:after|before|(?<!not )(?:until|till)|(?:more|less|fewer|later|earlier) than)\s+$", re.IGNORECASE
)
_MINUS = re.compile(r"(?:^|[\s(\"'=])[-−–]$|\bminus\s+$")
_NEGATIVE = re.compile(r"\s*(?:[-−–]|minus\s)\s*\d", re.IGNORECASE)
KINDS = set_of(
    """
    city state republic kingdom province region island town country commonwealth capital university county district
    north south east west northeast northwest southeast southwest part middle centre center heart rest most
    """
)
_NUMERAL = re.compile(r"[IVX]+$")
_LETTER_FIRST = re.compile(r"[\s*\"'(\[]*([A-Za-z])(?:[.):\]*]+(?=\s|$)|[)\]*\"'.]*\s*$)")
_LETTER = re.compile(r"(?<![\w.'’-])[A-Z](?!\.\w|[\w'’-])")
#: "I'll go with option B": a letter that one says to choose.
_PICKED = re.compile(
    r"\bI(?:['’]\w+)?(?: \w+){0,3} (?:(?:go(?:ing)?|opt|vote) (?:for|with)|choose|pick|select|take|say|guess|think)\b"
    rf"(?:\W+(?:that|it|it['’]s|is|the|option|choice|answer|letter)\b)*\W+{_LETTER.pattern}"
)

_Words = tuple[str, ...]


@dataclass(frozen=True)
class Mention:
    """Where a text names something: the characters, and the names (several may be one in writing)."""

    start: int
    end: int
    names: frozenset[int]


def mentions(text: str, names: Sequence[str]) -> Iterator[Mention]:
    """Yield where names stand in a text as whole words, left to right.

    The longest name wins where several begin at a word, so that "Papua New Guinea" does not name Guinea, and a
    name inside a longer one that is not known ("New Guinea", "Guinea Conakry") is no mention of it. Case,
    diacritics and punctuation do not matter, but in names of one or two letters, where case does; numbers in
    words and in digits are one.
    """
    index, longest, negative = _index(tuple(names))
    spoken = spans(text)
    written = [word for word, _, _ in spoken]
    place = 0
    while place < len(spoken) and index:
        step, found = _longest_at(written, place, index, longest)
        found = _of_sign(found, names, negative, text, *spoken[place][1:])
        if found and not _part_of_longer(text, spoken, place, place + step):
            yield Mention(spoken[place][1], spoken[place + step - 1][2], found)
        place += step


def named(text: str, names: Sequence[str]) -> set[int]:
    """Return the indices of the names that a text mentions (see `mentions`).

    >>> named("It is Papua New Guinea, or Fiji.", ["Guinea", "Papua New Guinea", "Fiji"])
    {1, 2}
    """
    return {index for mention in mentions(in_digits(text), names) for index in mention.names}


def _longest_at(
    spoken: list[str], place: int, index: dict[_Words, frozenset[int]], longest: int
) -> tuple[int, frozenset[int]]:
    """Words to go on by, and the names that the longest match at a place stands for."""
    for length in range(min(longest, len(spoken) - place), 0, -1):
        hit = index.get(_key(spoken[place : place + length]))
        if hit:
            return length, hit
    return 1, frozenset()


def _of_sign(
    found: frozenset[int], names: Sequence[str], negative: frozenset[int], text: str, start: int, end: int
) -> frozenset[int]:
    """Those of some names in a text that have its sign: a minus, or the dot of a domain that is a word, too (".is")."""
    if text[start:end] in NAMING_WORDS and text[max(start - 1, 0)] != ".":
        found = frozenset(index for index in found if names[index][:1] != ".")
    if not found or not text[start].isdigit():
        return found
    return found & negative if below_zero(text, start) else found - negative


def below_zero(text: str, start: int) -> bool:
    """Return whether a minus stands before the number that begins at a position.

    >>> below_zero("It is -5.", 7), below_zero("1939-45", 5)
    (True, False)
    """
    return _MINUS.search(text[max(start - 60, 0) : start]) is not None


def is_negative(name: str) -> bool:
    """Return whether a name is a number below zero.

    >>> is_negative("-37.8"), is_negative("1945")
    (True, False)
    """
    return _NEGATIVE.match(name) is not None


def _part_of_longer(text: str, spoken: Sequence[tuple[str, int, int]], start: int, end: int) -> bool:
    """Whether the words from `start` to `end` are a part of a longer name: New York, Kansas City, Virginia Woolf."""
    first = spoken[start][1]
    before = text[max(first - 60, 0) : first]
    if text[first].isdigit():
        return _BOUND.search(before) is not None
    if not spoken[start][0][:1].isupper():
        return False
    if before[-1:] == "-" and before[-2:-1].isalpha():
        return True
    of = _OF_NAME.search(before)
    if of and of[1].casefold() not in KINDS:
        return True
    return _is_renamed(text, spoken, start) or _goes_on(text, spoken, end)


def _is_renamed(text: str, spoken: Sequence[tuple[str, int, int]], start: int) -> bool:
    """Whether the word before makes another name of one: "New York"."""
    if not start or text[spoken[start - 1][2] : spoken[start][1]].strip(" "):
        return False
    before = spoken[start - 1][0]
    return before[0].isupper() and before.casefold() in NEW_NAME


def _goes_on(text: str, spoken: Sequence[tuple[str, int, int]], end: int) -> bool:
    """Whether the name that ends before a word goes on with it: "Kansas City", "Washington, DC"."""
    if end == len(spoken):
        return False
    gap, after = text[spoken[end - 1][2] : spoken[end][1]], spoken[end][0]
    if gap.strip() == ",":
        return plain(after) == "dc"
    another = len(after) > 1 and after not in {"State", "Province"} and not _NUMERAL.match(after)
    return gap in {" ", "-"} and after[0].isupper() and another


@lru_cache(maxsize=2000)
def _index(names: _Words) -> tuple[dict[_Words, frozenset[int]], int, frozenset[int]]:
    """Names by their words (one without words cannot be found), words of the longest, and which are below zero."""
    places: dict[_Words, set[int]] = {}
    for place, name in enumerate(names):
        key = _key(tokens(in_digits(name)))
        if key:
            places.setdefault(key, set()).add(place)
    index = {key: frozenset(found) for key, found in places.items()}
    negative = frozenset(place for place, name in enumerate(names) if is_negative(name))
    return index, max(map(len, index), default=0), negative


def _key(spoken: list[str]) -> _Words:
    """What is compared: plain words, or a lone short one as it is written."""
    if len(spoken) == 1 and len(spoken[0]) <= EXACT_LENGTH:
        return (spoken[0],)
    return tuple(map(plain, spoken))


def lettered(text: str, count: int) -> tuple[int | None, str]:
    """Return the number of the choice that an answer gives by its letter, if one, and the rest of the text."""
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
