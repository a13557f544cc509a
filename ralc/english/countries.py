"""How else countries and companies are called: "the USA" for the United States, "Apple Inc." for Apple."""

import re

from ralc.english.normalisation import LONGEST

_GROUPS = (
    "United States|United States of America|USA|US|America",
    "United Kingdom|UK|Great Britain|Britain",
    "Soviet Union|USSR",
    "United Arab Emirates|UAE",
    "Russia|Russian Federation",
    "China|People's Republic of China|PRC",
    "North Korea|Democratic People's Republic of Korea|DPRK",
    "DR Congo|Democratic Republic of the Congo|Democratic Republic of Congo|DRC",
    "Czechia|Czech Republic",
    "Netherlands|The Netherlands|Holland",
    "Turkey|Türkiye",
    "Myanmar|Burma",
    "Eswatini|Swaziland",
    "Ivory Coast|Côte d'Ivoire",
    "Cape Verde|Cabo Verde",
    "East Timor|Timor-Leste|Timor Leste",
)
#: Each name in small letters, with all names of its country.
_CALLED = {name.lower(): group.split("|") for group in _GROUPS for name in group.split("|")}
#: Initials with full stops: "U.S.", "U.K", "U. S. A.".
_DOTTED = re.compile(r"\bU\.\s?(?:[A-Z]\.\s?)*[A-Z]\b\.?")
_LONGEST_NAME = 40
_FORMS = "Company|Co|Inc|Incorporated|Corp|Corporation|Ltd|Limited|LLC|PLC|plc|GmbH|AG"
_COMPANY = re.compile(rf",? (?:(?:Motors?|&) )?(?:{_FORMS})\b(?:\.(?=,?\s+\S|$))?(?! [A-Z])")
_NAME_BEFORE = re.compile(r"(?:^|[\s(\"“'‘])[A-Z][^\s]*$")


def also_called(country: str) -> list[str]:
    """Return the other names of a country; none where none is known.

    >>> also_called("Holland"), also_called("Peru")
    (['Netherlands', 'The Netherlands'], [])
    """
    return [name for name in _CALLED.get(country.lower(), ()) if name.lower() != country.lower()]


def without_forms(text: str) -> str:
    """Return a text without the full stops of its countries' initials and without the legal forms of its companies.

    >>> without_forms("Apple Inc. of the U.S. and Ford Motor Company of the U.K.")
    'Apple of the US and Ford of the UK'
    """
    plainly = _DOTTED.sub(lambda found: re.sub(r"[.\s]", "", found[0]), text[:LONGEST])
    return _COMPANY.sub(_without_form, plainly)


def _without_form(found: re.Match[str]) -> str:
    before = found.string[max(found.start() - _LONGEST_NAME, 0) : found.start()]
    return "" if _NAME_BEFORE.search(before) else found[0]
