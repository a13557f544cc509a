"""What else stands for a name: slips of the pen, last names, other names and adjectives of countries."""

import csv
import re
from collections.abc import Iterator, Sequence
from functools import cache

from rapidfuzz.distance import OSA

from ralc import data
from ralc.english.normalisation import IDLE_WORDS, LONGEST, plain, set_of, tokens, words
from ralc.english.quantities import in_digits

#: Chemical symbols that only a capital tells from a function word: who names one cannot be told without reading it.
WORD_SYMBOLS = frozenset({"Am", "As", "At", "Be", "He", "I", "In", "No"})
#: Letters a word must have to be known with one slip, with two, and with a letter of a pair left out or doubled.
_ONE_SLIP, _TWO_SLIPS, _DOUBLED_SLIP = 5, 10, 4
_DOUBLED = re.compile(r"(.)\1+")
_ROMAN = frozenset("ivxlcdm")
#: Names that one letter makes of each other.
_TWINS = [
    {"iceland", "ireland"},
    {"curium", "cerium"},
    {"india", "indiana"},
    {"paris", "parish"},
    {"china", "chile"},
]
_TITLES = set_of(
    "mr mrs ms miss dr sir lord lady president king queen general professor saint pope by author"
)
#: Endings of adjectives by the last letter of a country.
_ENDINGS = {"a": ("n", "ese"), "n": ("ese", "ian", "i"), "l": ("ian", "i"), "t": ("ian", "i"), "r": ("i",)}
#: Initials with full stops ("U.S.", "U. K."), and the legal form behind a company's name.
_DOTTED = re.compile(r"\bU\.\s?(?:[A-Z]\.\s?)*[A-Z]\b\.?")
_COMPANY = re.compile(
    r"(?<=\w),?(?: Motors?)? (?:Company|Inc|Corp|Corporation|Ltd|LLC|PLC|GmbH|AG)\b(?:\.(?=,?\s+\S|$))?(?! [A-Z])"
)


@cache
def _countries() -> dict[str, tuple[tuple[str, ...], str]]:
    """Return all names and the adjective of each country in ``ralc/data/countries.csv``, by each of its names."""
    with data.path("countries.csv").open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    rows = [((row["name"], *filter(None, row["also"].split("|"))), row["adjective"]) for row in read]
    return {name.lower(): row for row in rows for name in row[0]}


@cache
def national_words() -> frozenset[str]:
    """Return the adjectives of countries, which are written large though "polish" is a word, too."""
    return frozenset(adjective for _, adjective in _countries().values())


def adjectives(country: str) -> list[str]:
    """Return the adjectives that may be a country's; none where none is known or made by an ending.

    >>> adjectives("France"), adjectives("Japan")
    (['French'], ['Japanese', 'Japanian', 'Japani'])
    """
    _, known = _countries().get(country.lower(), ((), ""))
    if known:
        return [known]
    if " " in country or not country[:1].isupper() or len(country) <= 3:
        return []
    endings = _ENDINGS.get(country[-1], ())
    return [country.removesuffix("a" if end == "ese" else "") + end for end in endings]


def also_called(country: str) -> list[str]:
    """Return the other names of a country; none where none is known.

    >>> also_called("Holland"), also_called("Peru")
    (['Netherlands', 'The Netherlands'], [])
    """
    names, _ = _countries().get(country.lower(), ((), ""))
    return [name for name in names if name.lower() != country.lower()]


def without_forms(text: str) -> str:
    """Return a text without the full stops of its countries' initials and the legal forms of its companies.

    >>> without_forms("Apple Inc. of the U.S.")
    'Apple of the US'
    """
    return _COMPANY.sub("", _DOTTED.sub(lambda found: re.sub(r"[.\s]", "", found[0]), text[:LONGEST]))


def other_names(text: str, question: str, right: Sequence[str], wrong: Sequence[str]) -> list[str]:
    """Return what else stands for right answers in a text.

    >>> other_names("The Canbera region", "What is the capital of Australia?", ["Canberra"], ["Sydney"])
    ['Canbera']
    """
    asked = set(words(question))
    people = (
        []
        if asked.isdisjoint({"who", "whom", "whose"})
        else [last for name in right if (last := _last_name(name, text))]
    )
    slips = misspelt(in_digits(text), [*right, *people], known=[*wrong, question])
    called = [other for name in right for other in also_called(name)]
    national = [made for name in right for made in adjectives(name)] if "country" in asked else []
    return [*people, *slips, *called, *national]


def _last_name(person: str, text: str) -> str | None:
    """Return the last of two or three words that are written large; none where a text has another first name."""
    names = tokens(person)
    if not (2 <= len(names) <= 3 and names[0][0].isupper() and names[-1][0].isupper() and len(names[-1]) > 2):
        return None
    before = map(plain, re.findall(rf"\b([A-Z][\w'’-]+) {re.escape(names[-1])}\b", text))
    return names[-1] if IDLE_WORDS.union(_TITLES, map(plain, names)).issuperset(before) else None


def misspelt(text: str, names: Sequence[str], known: Sequence[str] = ()) -> Iterator[str]:
    """Yield the words of a text that are one of some names but for a slip of the pen.

    A slip is a letter more, less or another, or two neighbours exchanged; a word of five letters or more may have one,
    of ten or more two, never in its first letter; what `differ_in_doubling` is one, too. The names in `known` are none.

    >>> list(misspelt("It is Canbera, not Sidney.", ["Canberra"]))
    ['Canbera']
    """
    spoken = tokens(text)
    others = {tuple(map(plain, tokens(name))) for name in (*known, *names)}
    for name in names:
        meant = [plain(word) for word in tokens(name)]
        for start in range(len(spoken) - len(meant) + 1 if meant else 0):
            written = spoken[start : start + len(meant)]
            said = tuple(map(plain, written))
            if said not in others and all(map(_alike, said, meant)):
                yield " ".join(written)


def differ_in_doubling(a: str, b: str) -> bool:
    """Return whether two words are one but for letters doubled or not, as a name's writings are; no Roman numerals.

    >>> differ_in_doubling("sana", "sanaa"), differ_in_doubling("xvii", "xviii")
    (True, False)
    """
    long = min(len(a), len(b)) >= _DOUBLED_SLIP and a.isalpha() and not set(a) <= _ROMAN
    return long and _DOUBLED.sub(r"\1", a) == _DOUBLED.sub(r"\1", b)


def _alike(said: str, meant: str) -> bool:
    """Return whether a word is another one, or is with the slips that its length allows."""
    if said == meant or differ_in_doubling(said, meant):
        return True
    allowed = (len(meant) >= _ONE_SLIP) + (len(meant) >= _TWO_SLIPS)
    numeral = set(meant) <= _ROMAN or not (said.isalpha() and meant.isalpha())
    if not allowed or numeral or said[:1] != meant[:1]:
        return False
    return {said, meant} not in _TWINS and OSA.distance(said, meant, score_cutoff=allowed) <= allowed
