"""Which words of an answer are written small inside a sentence.

A word is written small if it is a function word, or one that English writes small alone (``ralc/data/words.txt``), and
large if it is a name alone. Of any other that is not known: its sentence is quoted.
"""

import re
from functools import cache
from typing import TYPE_CHECKING, Literal

from ralc import data
from ralc.english.aliases import national_words
from ralc.english.contractions import spell_out
from ralc.english.normalisation import set_of

if TYPE_CHECKING:
    from spacy.tokens import Token

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
    r"|Molybdenum|Lanthanum|Tantalum|Astatine|Tennessine|Oganesson"
)


#: A word that is written large behind a word or a comma.
_INSIDE = re.compile(r"(?<=[\w,] )[A-Z][^\W\d_]+")


@cache
def _listed() -> frozenset[str]:
    lines = data.path("words.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))


def case_of(word: str) -> Case:
    """Return how English writes a word inside a sentence.

    >>> [case_of(word) for word in ("Photosynthesis", "Uranium", "Paris", "Brown", "Chartreuse", "Polish")]
    ['small', 'small', 'large', 'both', 'unknown', 'large']
    """
    if word in national_words():
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


def names_in(text: str) -> frozenset[str]:
    """Return the words that a text writes large inside a sentence: where one begins with them, they are names, too.

    A function word is none: "the band The Living End" makes no name of "the".

    >>> sorted(names_in("Furlong is a sniper. Later, Furlong and Ada's friends moved to The Hague."))
    ['Ada', 'Furlong', 'Hague']
    """
    return frozenset(word for word in _INSIDE.findall(text) if word.lower() not in FUNCTION_WORDS)


def is_small(token: "Token") -> bool:
    """Return whether the first word of a sentence is written small inside one: its list knows, then its tag says.

    A word that the list does not have may be a name, and stays as it is.

    >>> from ralc.english.parse import parse
    >>> [is_small(parse(words)[0]) for words in ("The capital is Paris", "Gold is dense", "Paris is large", "I am")]
    [True, True, False, False]
    """
    word = token.text
    if not word[:1].isupper() or word == "I" or (len(word) > 1 and word[1:] != word[1:].lower()):
        return False
    if word.lower() in FUNCTION_WORDS or spell_out(word.lower())[0] in FUNCTION_WORDS:
        return True
    if token.tag_ == "RB" and word.endswith("ally"):
        return True
    proper = token.tag_ in ("NNP", "NNPS")
    if (
        proper
        and token.i + 1 < len(token.doc)
        and token.nbor().text[:1].isupper()
        and token.nbor().head != token
    ):
        return False  # "Grand Canyon"
    case = case_of(word)
    return case == "small" or (case == "both" and not proper)
