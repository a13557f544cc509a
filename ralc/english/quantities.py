"""Numbers in words as digits: "five million" and "5,000,000" are one answer."""

import re

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
SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_VALUES, _MULTIPLES = SMALL | TENS, SCALES | {"dozen": 12}
_ALONE = {word: str(value) for word, value in _VALUES.items()}
_ALONE |= {word: f"{value}{'rd' if value == 3 else 'th'}" for value, word in enumerate(_ORDINALS.split(), 3)}
_WORD = rf"\b(?:{'|'.join(sorted({*_ALONE, *_MULTIPLES}, key=len, reverse=True))})\b"
_PIECE = rf"(?:(?<![\d.,])\d++(?:,\d{{3}})*(?:\.\d++)?+(?!\.*\w)|{_WORD})"
#: A number: pieces with nothing but spaces, a hyphen or "and" between them.
_RUN = re.compile(
    rf"(?:\ba (?=(?:dozen|hundred|thousand)\b))?{_PIECE}(?:(?: +and)?[ -]+{_PIECE}){{0,11}}", re.IGNORECASE
)
#: "The right one" is no number.
_PRONOUN = re.compile(r"\b(?:the|this|that|which|any|no|every|each|another)(?: \w+)? one\Z", re.IGNORECASE)
_MINUS = re.compile(r"\bminus\s+(?=\d)", re.IGNORECASE)


def in_digits(text: str) -> str:
    """Return a text with its numbers in words, and those with a scale, written in digits; ordinals up to 20th.

    >>> in_digits("About 5.3 million, a dozen legs, the tenth century")
    'About 5300000, 12 legs, the 10th century'
    """
    return _MINUS.sub("-", _RUN.sub(_digits, text[:LONGEST]))


def _digits(found: re.Match[str]) -> str:
    """The digits of a number; of words that are no one number, such as "two and three", those of each."""
    words = re.split(r"[ -]+", re.sub(r"^a\b", "one", found[0].lower()))
    value = _value(words) if len(words) > 1 else None
    if value is not None:
        return f"{value:.6f}".rstrip("0").rstrip(".")
    if words == ["one"] and _PRONOUN.search(found.string, max(0, found.start() - 25), found.end()):
        return found[0]
    return re.sub(_WORD, lambda word: _ALONE.get(word[0].lower(), word[0]), found[0], flags=re.IGNORECASE)


def _value(words: list[str]) -> float | None:
    """The value of a number in words and scales; None where they are several numbers side by side."""
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
