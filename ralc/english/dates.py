"""Dates, so that "July 20th, 1969" and "20/7/1969" are one answer."""

import re
from collections.abc import Sequence

from ralc.english.numerals import in_digits

_MONTHS = [
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
]
_MONTH = "|".join(rf"{month}|{month[:3]}\b\.?" for month in _MONTHS)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_MOMENT = re.compile(
    rf"\b(?:(?P<month>{_MONTH}) (?:the )?(?P<day>{_DAY})|(?P<first>{_DAY})(?: of)? (?P<then>{_MONTH}))\b"
    r"(?:,? (?P<year>\d{4}\b|['’]\d\d\b))?"
    r"|\b(?P<a>\d{1,2})(?P<mark>[/.-])(?P<b>\d{1,2})(?P=mark)(?P<c>\d{4})\b"
    r"|\b(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)\b",
    re.IGNORECASE,
)
#: In which "'69" may be.
_CENTURIES = (1800, 1900, 2000)
Moment = tuple[int, ...]


def in_writing(text: str, names: Sequence[str]) -> str:
    """Return a text with its dates as they are written in the names that mean the same.

    >>> in_writing("July 20th, '69, at eight", ["20 July 1969"])
    '20 July 1969, at 8'
    """
    wholes = ((name, _MOMENT.fullmatch(name.strip())) for name in names)
    known = [(name, _meanings(found)) for name, found in wholes if found]

    def written(found: re.Match[str]) -> str:
        meant = _meanings(found) if known else frozenset[Moment]()
        return next((name for name, moments in known if moments & meant), found[0])

    return _MOMENT.sub(written, in_digits(text)) if known else text


def _meanings(found: re.Match[str]) -> frozenset[Moment]:
    """The dates (day, month, year, if one) that one may be."""
    part = {name: value for name, value in found.groupdict().items() if value}
    if "y" in part:
        return frozenset({(int(part["d"]), int(part["m"]), int(part["y"]))})
    if "a" in part:
        day, month, year = int(part["a"]), int(part["b"]), int(part["c"])
        return frozenset({(day, month, year), (month, day, year)})
    day = int(re.sub(r"\D", "", part.get("day") or part["first"]))
    month = (part.get("month") or part["then"])[:3].lower()
    date = day, [name[:3] for name in _MONTHS].index(month) + 1
    if "year" not in part:
        return frozenset({date})
    year = part["year"]
    years = [int(year)] if year.isdigit() else [century + int(year[1:]) for century in _CENTURIES]
    return frozenset((*date, one) for one in years)
