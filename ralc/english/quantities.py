"""Numbers in words as digits, and dates in one writing: "five million" and "5,000,000" are one answer."""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from dateutil import parser

from ralc.english.normalisation import LONGEST

_SMALL = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = """
    third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth
    seventeenth eighteenth nineteenth twentieth
"""
#: The value of each word that numbers are made of.
SMALL = {word: value for value, word in enumerate(_SMALL.split())}
TENS = {word: 10 * place for place, word in enumerate(_TENS.split(), start=2)}
_VALUES = SMALL | TENS
SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_MULTIPLES = SCALES | {"dozen": 12}
_ORDINAL = {
    word: f"{value}{'rd' if value == 3 else 'th'}" for value, word in enumerate(_ORDINALS.split(), start=3)
}
_PIECE = re.compile(r"(?<!\d)\d++(?:,\d{3})*(?:\.\d++)?+(?!\.*\w)|[A-Za-z]+")
_ONE = re.compile(r"\ba(?= (?:dozen|hundred|thousand)\b)", re.IGNORECASE)
#: "The right one" is no number.
_PRONOUN = re.compile(r"\b(?:the|this|that|which|any|no|every|each|another)(?: \w+)? one\Z", re.IGNORECASE)
_LONGEST_RUN = 12  # words of one number
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE = re.compile(
    rf"\b(?:{_MONTH} (?:the )?{_DAY}|{_DAY}(?: of)? {_MONTH}),? \d{{4}}\b|\b\d{{1,2}}([/.-])\d{{1,2}}\1\d{{4}}\b"
    r"|\b\d{4}-\d\d-\d\d\b",
    re.IGNORECASE,
)


def in_digits(text: str) -> str:
    """Return a text with its numbers in words, and those with a scale, written in digits; ordinals up to 20th.

    >>> in_digits("About 5.3 million, a dozen legs, the tenth century")
    'About 5300000, 12 legs, the 10th century'
    """
    text = _ONE.sub("one", text[:LONGEST])
    made: list[str] = []
    end = 0
    for run in _runs(text):
        together = _digits([piece.group().lower() for piece in run])
        # Words that are no one number are numbers of their own: "two and three".
        for pieces in [run] if together else [[piece] for piece in run]:
            digits = _digits([piece.group().lower() for piece in pieces])
            pronoun = _PRONOUN.search(text, max(0, pieces[0].start() - 25), pieces[0].end())
            if digits is not None and not (len(pieces) == 1 and pronoun):
                made += [text[end : pieces[0].start()], digits]
                end = pieces[-1].end()
    return "".join([*made, text[end:]])


def _runs(text: str) -> Iterator[list[re.Match[str]]]:
    """Yield the pieces of each number: neighbours with nothing but spaces or a hyphen between them."""
    run: list[re.Match[str]] = []
    for piece in _PIECE.finditer(text):
        word = piece.group().lower()
        known = word[0].isdigit() or word in _VALUES or word in _MULTIPLES or word in _ORDINAL
        near = not run or text[run[-1].end() : piece.start()].strip(" ") in {"", "-"}
        if run and (not (known or word == "and") or not near or len(run) == _LONGEST_RUN):
            yield _trimmed(run)
            run = []
        if known or (run and word == "and"):
            run.append(piece)
    if run:
        yield _trimmed(run)


def _trimmed(run: list[re.Match[str]]) -> list[re.Match[str]]:
    """Return a run without an "and" at its end."""
    return run if run[-1].group().lower() != "and" else run[:-1]


def _digits(words: list[str]) -> str | None:
    """Return the digits of one number; None where the words make none, or are digits already."""
    if len(words) == 1:
        word = words[0]
        return _ORDINAL.get(word, str(_VALUES[word]) if word in _VALUES else None)
    value = _value(words)
    return None if value is None else f"{value:.6f}".rstrip("0").rstrip(".")


def _value(words: list[str]) -> float | None:
    """Return the value of a number in words and scales; None where they are several numbers side by side."""
    total = current = last = 0.0
    for word in words:
        if word == "and":
            continue
        if word in _MULTIPLES:
            current = (current or 1) * _MULTIPLES[word]
            if word != "hundred":
                total, current = total + current, 0.0
            last = 0.0
            continue
        value = float(word.replace(",", "")) if word[0].isdigit() else float(_VALUES.get(word, -1))
        # "twenty four" is one number, "four five" and "1066 1067" are two.
        if value < 0 or (last and not (last in range(20, 100, 10) and 0 < value < 10)):
            return None
        current += value
        last = value
    return total + current


def dates_as_in(text: str, names: Sequence[str]) -> str:
    """Return a text with its dates as they are written in the names that mean the same.

    >>> dates_as_in("On July 20th, 1969.", ["20 July 1969"])
    'On 20 July 1969.'
    """
    known = {name: _days(name) for name in names if _DATE.fullmatch(name.strip())}

    def written(found: re.Match[str]) -> str:
        return next((name for name, days in known.items() if days & _days(found[0])), found[0])

    return _DATE.sub(written, text) if known else text


def _days(text: str) -> frozenset[date]:
    """Return the days that a date may be, the day or the month first."""
    try:
        return frozenset(parser.parse(text, dayfirst=first).date() for first in (False, True))
    except (ValueError, OverflowError):
        return frozenset()
