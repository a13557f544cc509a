"""Which words of an answer are written small inside a sentence."""

import re
from functools import cache
from typing import TYPE_CHECKING, Literal

from ralc import data
from ralc.english.names import national_words
from ralc.english.normalisation import set_of, spell_out

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
#: A word that is written large behind a word or a comma.
_INSIDE = re.compile(r"(?<=[\w,] )[A-Z][^\W\d_]+")


@cache
def _listed() -> frozenset[str]:
    lines = data.path("words.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))


def case_of(word: str) -> Case:
    """Return how English writes a word inside a sentence (``ralc/data/words.txt``).

    >>> [case_of(word) for word in ("Photosynthesis", "Uranium", "Paris", "Brown", "Chartreuse", "Polish")]
    ['small', 'small', 'large', 'both', 'unknown', 'large']
    """
    if word in national_words():
        return "large"
    small = not word.isupper() and word.lower() in _listed()
    large = word[:1].upper() + word[1:] in _listed()
    return "both" if small and large else "small" if small else "large" if large else "unknown"


def capitalised(text: str) -> str:
    """Return a text with a large first letter, where that is one letter.

    >>> capitalised("paris"), capitalised("ß-carotene")
    ('Paris', 'ß-carotene')
    """
    large = text[:1].upper()
    return large + text[1:] if len(large) == 1 else text


def names_in(text: str) -> frozenset[str]:
    """Return the words that a text writes large inside a sentence: where one begins with them, they are names, too.

    >>> sorted(names_in("Furlong is a sniper. Later, Furlong and Ada's friends moved to The Hague."))
    ['Ada', 'Furlong', 'Hague']
    """
    return frozenset(word for word in _INSIDE.findall(text) if word.lower() not in FUNCTION_WORDS)


def is_small(token: "Token") -> bool:
    """Return whether the first word of a sentence is written small inside one.

    Function words are; a word with inner capitals is not. A name to the parser is if English writes it small alone; any
    other word is unless English writes it large alone.

    >>> from ralc.english.parse import parse
    >>> [is_small(parse(words)[0]) for words in ("The capital is Paris", "Quicksort is fast", "Paris is large", "I am")]
    [True, True, False, False]
    """
    word = token.text
    if not word[:1].isupper() or word == "I" or word[1:] != word[1:].lower():
        return False
    if spell_out(word.lower())[0] in FUNCTION_WORDS:
        return True
    if token.tag_ not in ("NNP", "NNPS"):
        return case_of(word) != "large"
    in_name = token.i + 1 < len(token.doc) and token.nbor().text[:1].isupper() and token.nbor().head != token
    return case_of(word) == "small" and not in_name  # "Grand Canyon"
