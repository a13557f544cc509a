"""Slips of the pen: which words of a text are a known name misspelt."""

import re
from collections.abc import Iterator, Sequence

from rapidfuzz.distance import OSA

from ralc.english.normalisation import plain, tokens

#: Chemical symbols that only a capital tells from a function word: who names one cannot be told without reading it.
WORD_SYMBOLS = frozenset({"Am", "As", "At", "Be", "He", "I", "In", "No"})

#: Letters a word must have to be known with one slip, and with two.
_ONE_SLIP, _TWO_SLIPS = 5, 10
#: Letters a word must have to be known with one letter of a pair left out, or doubled.
_DOUBLED_SLIP = 4
_DOUBLED = re.compile(r"(.)\1+")
_ROMAN = frozenset("ivxlcdm")
#: Names that one letter makes of each other.
_TWINS = frozenset(
    frozenset(pair.split())
    for pair in (
        "iceland ireland",
        "curium cerium",
        "india indiana",
        "paris parish",
        "china chile",
        "austria australia",
    )
)


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
    return (
        min(len(a), len(b)) >= _DOUBLED_SLIP
        and a.isalpha()
        and not set(a) <= _ROMAN
        and _DOUBLED.sub(r"\1", a) == _DOUBLED.sub(r"\1", b)
    )


def _alike(said: str, meant: str) -> bool:
    """Whether a word is another one, or is with the slips that its length allows."""
    if said == meant or differ_in_doubling(said, meant):
        return True
    allowed = (len(meant) >= _ONE_SLIP) + (len(meant) >= _TWO_SLIPS)
    numeral = set(meant) <= _ROMAN or not (said.isalpha() and meant.isalpha())
    if not allowed or numeral or said[:1] != meant[:1]:
        return False
    return {said, meant} not in _TWINS and OSA.distance(said, meant, score_cutoff=allowed) <= allowed
