"""Which words of an answer are written small inside a sentence.

A word is written small if it is a function word, or one that English writes small alone (``ralc/data/words.txt``), and
large if it is a name alone. Of any other that is not known: its sentence is quoted.
"""

import re
from functools import cache
from typing import Literal

from ralc import data
from ralc.english.contractions import spell_out
from ralc.english.demonyms import NATIONAL
from ralc.english.normalisation import set_of
from ralc.english.numerals import SMALL, TENS
from ralc.english.verbs import KNOWN_VERBS, PAST

Case = Literal["small", "large", "both", "unknown"]

#: Function words that statements begin with: no "May" and no "Will", which are names there.
FUNCTION_WORDS = set_of(
    """
    a an the it its it's this that these those there he she they we you his her their our your my one
    all both each every some many most few several no not in on at of to from for by with as if when
    while where which who what how why because since during after before between among about over under
    according however and or but so then yes being based born called coming given known located named situated
    roughly approximately nearly almost exactly only usually generally
    """
)
#: Elements that the list lacks.
_ELEMENT = re.compile(
    r"(?!Belg|Byzant|Elys|Actium)[A-Z][a-z]+ium"
    r"|Argon|Krypton|Xenon|Radon|Boron|Bromine|Fluorine|Tungsten|Manganese|Bismuth|Antimony"
)


@cache
def _listed() -> frozenset[str]:
    lines = data.path("words.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))


def case_of(word: str) -> Case:
    """Return how English writes a word inside a sentence.

    >>> [case_of(word) for word in ("Photosynthesis", "Uranium", "Paris", "Brown", "Chartreuse", "Polish")]
    ['small', 'small', 'large', 'both', 'unknown', 'large']
    """
    if word in NATIONAL:
        return "large"
    small = not word.isupper() and word.lower() in _listed()
    large = word[:1].upper() + word[1:] in _listed()
    if _ELEMENT.fullmatch(word) or (small and not large):
        return "small"
    return "both" if small else "large" if large else "unknown"


def capitalised(text: str) -> str:
    """Return a text with a large first letter, where that is one letter.

    >>> capitalised("paris"), capitalised("ß-carotene")
    ('Paris', 'ß-carotene')
    """
    large = text[:1].upper()
    return large + text[1:] if len(large) == 1 else text


def opening_words(words: str) -> str | None:
    """Return a sentence as it goes on after an opening, its first word written as it is inside a sentence.

    None where that is not known: the word may be a name, or not ("Chartreuse is green").

    >>> opening_words("The capital is Paris"), opening_words("Gold is dense"), opening_words("Paris is large")
    ('the capital is Paris', 'gold is dense', 'Paris is large')
    >>> opening_words("Brain cells are small"), opening_words("Turkey is large"), opening_words("Chartreuse is green")
    ('brain cells are small', 'Turkey is large', None)
    """
    match = re.match(r"[A-Z][a-z'’]*(?=[\s,]|-[a-z]|$)", words)
    if not match or re.match(r"I\b", words):
        return words
    first = match[0].lower().replace("’", "'")
    name = match[0].split("'")[0].split("’")[0]
    following = (words[match.end() :].split() or [""])[0]
    small = words[0].lower() + words[1:]
    if first in FUNCTION_WORDS or spell_out(first)[0] in FUNCTION_WORDS:
        return small
    case = case_of(name)
    if following[:1].isupper() and not following.isupper():
        # "Grand Canyon", "Paris Hilton", "Seven Samurai"
        return None if case == "small" and first not in SMALL | TENS else words
    if following[:1].isdigit():
        return None if case == "small" else words  # "Agenda 21"
    verb = following in KNOWN_VERBS or PAST.fullmatch(following)
    if case == "large" or (case == "both" and verb):
        return words
    return small if case == "small" or (case == "both" and case_of(following) == "small") else None
