"""Which of several known names or choices an answer names, and what else stands for a name."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from rapidfuzz.distance import OSA

from ralc import data
from ralc.english.normalisation import NAMING_WORDS, in_digits, is_number, plain, spans, words
from ralc.english.wordlists import phrases, word_list

#: Names of at most so many letters (chemical symbols, Internet domains) must be written exactly so.
EXACT_LENGTH = 2
#: Words that make another name of the one that follows (Guinea, York, Sudan).
NEW_NAME = frozenset({"new", "papua", "equatorial", "north", "south", "east", "west"})
# "Gulf of Mexico", "Duke of York"; but "City of York".
_OF_NAME = re.compile(r"\b([A-Z]\w+) of (?:the )?$")
#: Names that one letter makes of each other.
_TWINS = [{"iceland", "ireland"}, {"curium", "cerium"}, {"india", "indiana"}, {"paris", "parish"}]
_Words = tuple[str, ...]


class Mention(NamedTuple):
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
    firsts = {key[0] for key in index}
    places = spans(text)
    place = 0
    while place < len(places) and index:
        first = places[place][0]
        if first not in firsts and plain(first) not in firsts:
            place += 1
            continue
        lengths = range(min(longest, len(places) - place), 0, -1)
        keys = ((length, _key([word for word, _, _ in places[place : place + length]])) for length in lengths)
        step, ids = next(((length, index[key]) for length, key in keys if key in index), (1, None))
        if ids and not _part_of_longer(text, places, place, place + step):
            yield Mention(places[place][1], places[place + step - 1][2], ids)
        place += step


def named(text: str, names: Sequence[str]) -> set[int]:
    """Return the indices of the names that a text mentions (see `mentions`)."""
    return {index for mention in mentions(in_digits(text), names) for index in mention.names}


@lru_cache(maxsize=2000)
def _index(names: _Words) -> tuple[dict[_Words, frozenset[int]], int]:
    """Names by their words (one without words cannot be found), and words of the longest."""
    places: dict[_Words, frozenset[int]] = {}
    for place, name in enumerate(names):
        if key := _key(words(in_digits(name), written=True)):
            places[key] = places.get(key, frozenset()) | {place}
    return places, max(map(len, places), default=0)


def _key(terms: list[str]) -> _Words:
    """What is compared: plain words, or a lone short one as it is written."""
    if len(terms) == 1 and len(terms[0]) <= EXACT_LENGTH and not is_number(terms[0]):
        return (terms[0],)
    return tuple(map(plain, terms))


def _part_of_longer(text: str, items: Sequence[tuple[str, int, int]], start: int, end: int) -> bool:
    """Whether the words from `start` to `end` are a part of a longer name: New York, Kansas City, Virginia Woolf."""
    first = items[start][1]
    before = text[max(first - 60, 0) : first]
    if not items[start][0][:1].isupper():
        return is_number(items[start][0]) and phrases("bound").search(before) is not None
    of = before.endswith((" of ", " of the ")) and _OF_NAME.search(before)
    if of and of[1].casefold() not in word_list("kinds"):
        return True
    if before[-1:] == "-" and before[-2:-1].isalpha():
        return True
    word = items[start - 1][0] if start else ""
    if word[:1].isupper() and word.casefold() in NEW_NAME:
        return True
    if end == len(items):
        return False
    gap = text[items[end - 1][2] : items[end][1]]
    after = items[end][0]
    another = len(after) > 1 and after not in {"State", "Province"} and not set(after) <= set("IVX")
    return (gap in {" ", "-"} and after[0].isupper() and another) or (gap == ", " and plain(after) == "dc")


def other_names(text: str, question: str, right: Sequence[str], wrong: Sequence[str]) -> list[str]:
    """Return what else stands for right answers in a text: last names, slips, other names of countries.

    Parameters
    ----------
    text
        The answer.
    question
        What was asked: last names stand for people where it asks who, adjectives for countries where it asks
        for one.
    right
        The right answers.
    wrong
        Wrong ones: no slip of a right one is one of these.

    Returns
    -------
    list of str
        Beside those of `right`.
    """
    query = set(words(question))
    who = not query.isdisjoint({"who", "whom", "whose"})
    people = [words(name, written=True)[-1] for name in right if who and _by_last_name(name, text)]
    slips = misspelt(in_digits(text), [*right, *people], excluded=[*wrong, question])
    national = [people_of for name in right for people_of in adjectives(name)] if "country" in query else []
    return [*people, *slips, *national, *(other for name in right for other in also_called(name))]


def _by_last_name(person: str, text: str) -> bool:
    """Whether somebody of two or three names is meant by the last; not where a text has another first name."""
    names = words(person, written=True)
    if not (2 <= len(names) <= 3 and names[-1][0].isupper()):
        return False
    before = map(plain, re.findall(rf"\b([A-Z][\w'’-]+) {re.escape(names[-1])}\b", text))
    return NAMING_WORDS.union(word_list("titles"), map(plain, names)).issuperset(before)


def misspelt(text: str, names: Sequence[str], excluded: Sequence[str] = ()) -> Iterator[str]:
    """Yield the words of a text that are one of some names but for a slip of the pen; not of those `excluded`.

    Parameters
    ----------
    text
        The answer.
    names
        What may be misspelt.
    excluded
        Names that are no slip of another.

    Yields
    ------
    str
        Words of the text, as they are written there.
    """
    terms = words(text, written=True)
    exact = {tuple(words(name)) for name in (*excluded, *names)}
    for target in map(words, names):
        for start in range(len(terms) - len(target) + 1 if target else 0):
            written = terms[start : start + len(target)]
            word = tuple(map(plain, written))
            if word not in exact and all(a == b or is_slip(a, b) for a, b in zip(word, target, strict=True)):
                yield " ".join(written)


@cache
def _countries() -> dict[str, tuple[list[str], list[str]]]:
    """Names and adjective of each country in ``ralc/data/countries.csv``, by each of its names in lower case."""
    rows = data.rows("countries.csv")
    table = [(f"{row['name']}|{row['also']}".strip("|").split("|"), [row["adjective"]]) for row in rows]
    return {name.lower(): (names, list(filter(None, forms))) for names, forms in table for name in names}


def names_country(text: str, question: str) -> bool:
    """Return whether a text names a country that a question does not."""
    known = tuple(dict.fromkeys(name for names, _ in _countries().values() for name in names))
    return bool(named(text, known) - named(question, known))


def adjectives(country: str) -> list[str]:
    """Return the adjective of a country, if it is known."""
    return _countries().get(country.lower(), ([], []))[1]


def also_called(country: str) -> list[str]:
    """Return the other names of a country; none where none is known."""
    names, _ = _countries().get(country.lower(), ([], []))
    return [name for name in names if name.lower() != country.lower()]


def is_slip(word: str, target: str) -> bool:
    """Return whether a word is another with a letter more, less or another, or two neighbours exchanged.

    One of five letters or more may have one slip, of ten or more two, never in its first letter; no numeral has one.
    """
    allowed = (len(target) >= 5) + (len(target) >= 10)
    numeral = not target.strip("ivxlcdm") or not (word.isalpha() and target.isalpha())
    if not allowed or numeral or word[0] != target[0] or {word, target} in _TWINS:
        return False
    return OSA.distance(word, target, score_cutoff=allowed) <= allowed
