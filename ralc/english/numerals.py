"""Numbers in words as digits, so that "five million" and "5,000,000" are one answer."""

import re
from collections.abc import Iterator

from ralc.english.normalisation import LONGEST

_SMALL = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = """
    fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth
    seventeenth eighteenth nineteenth twentieth
"""
#: The value of each word that numbers are made of.
SMALL = {word: value for value, word in enumerate(_SMALL.split())}
TENS = {word: 10 * place for place, word in enumerate(_TENS.split(), start=2)}
_VALUES = SMALL | TENS
SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_MULTIPLES = SCALES | {"dozen": 12}
_ORDINAL = {word: f"{value}th" for value, word in enumerate(_ORDINALS.split(), start=4)} | {"third": "3rd"}
_PIECE = re.compile(r"(?<!\d)\d++(?:,\d{3})*(?:\.\d++)?+(?!\.*\w)|[A-Za-z]+")
_ONE = re.compile(r"\ba(?= (?:dozen|hundred|thousand)\b)", re.IGNORECASE)
#: "The right one" is no number.
_PRONOUN = re.compile(r"\b(?:the|this|that|which|any|no|every|each|another)(?: \w+)? one\Z", re.IGNORECASE)
_LONGEST_RUN = 12  # words of one number


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
            if digits is not None and not (len(pieces) == 1 and _is_pronoun(text, pieces[0])):
                made += [text[end : pieces[0].start()], digits]
                end = pieces[-1].end()
    return "".join([*made, text[end:]])


def _is_pronoun(text: str, piece: re.Match[str]) -> bool:
    """Whether a "one" stands for a thing."""
    return _PRONOUN.search(text, max(0, piece.start() - 25), piece.end()) is not None


def _runs(text: str) -> Iterator[list[re.Match[str]]]:
    """The pieces of each number: neighbours with nothing but spaces or a hyphen between them."""
    run: list[re.Match[str]] = []
    for piece in _PIECE.finditer(text):
        word = piece.group().lower()
        known = word[0].isdigit() or word in _VALUES or word in _MULTIPLES or word in _ORDINAL
        joins = known or (run and word == "and")
        near = not run or text[run[-1].end() : piece.start()].strip(" ") in {"", "-"}
        if run and (not joins or not near or len(run) == _LONGEST_RUN):
            yield from _trimmed(run)
            run = []
        if known or (run and joins):
            run.append(piece)
    yield from _trimmed(run)


def _trimmed(run: list[re.Match[str]]) -> Iterator[list[re.Match[str]]]:
    """A run without an "and" at its end."""
    while run and run[-1].group().lower() == "and":
        run = run[:-1]
    if run:
        yield run


def _digits(words: list[str]) -> str | None:
    """The digits of one number; None where the words make none, or are digits already."""
    if len(words) == 1:
        word = words[0]
        return _ORDINAL.get(word, str(_VALUES[word]) if word in _VALUES else None)
    value = _whole(words)
    return None if value is None else _shown(value)


def _whole(words: list[str]) -> float | None:
    """The value of a number in words and scales; None where they are several numbers side by side."""
    total = current = 0.0
    last = 0.0
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


def _shown(value: float) -> str:
    """A value in its shortest digits."""
    rounded = round(value, 6)
    return str(int(rounded)) if rounded == int(rounded) else f"{rounded:.6f}".rstrip("0")
