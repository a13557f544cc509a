"""Which words of an answer are written small inside a sentence.

A word is written small if it is a function word, or one that English writes small alone (``ralc/data/words.txt``); any
other might be a name and keeps its capital.
"""

import re
from functools import cache

from ralc import data
from ralc.english.contractions import spell_out
from ralc.english.normalisation import set_of
from ralc.english.verbs import KNOWN_VERBS

#: Function words, of which some are names as well ("May").
_FUNCTION_WORDS = set_of(
    """
    a an the it its it's this that these those there he she they we you his her their our your my one
    all both each every some many most few several no not in on at of to from for by with as if when
    while where which who what how why because since during after before between among about over under
    according however and or but so then is are was were be has have had do does did can could will would
    may might must should yes being based born called coming given known located named situated
    """
)
_PLURAL_VERBS = set_of("are were have do aren't weren't")
#: Words for the people and things of a place, which are written large everywhere.
_PEOPLE = re.compile(r"[A-Z][a-z]*(?:ans?|ese|ish|ch|eeks?|ais?|iss|is?)|Athens|Texas")
#: Elements that the list lacks.
_ELEMENT = re.compile(
    r"(?!Belg|Byzant|Elys|Actium)[A-Z][a-z]+ium"
    r"|Mercury|Argon|Krypton|Xenon|Radon|Boron|Bromine|Fluorine|Tungsten|Manganese|Bismuth|Antimony"
)


@cache
def _listed() -> frozenset[str]:
    lines = data.path("words.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))


def is_common(word: str) -> bool:
    """Return whether English writes a word small alone, so that it is no name.

    >>> [is_common(word) for word in ("Photosynthesis", "Uranium", "Paris", "Brown")]
    [True, True, False, False]
    """
    small = not word.isupper() and word.lower() in _listed() and word.capitalize() not in _listed()
    return small or _ELEMENT.fullmatch(word) is not None


def is_name(word: str) -> bool:
    """Return whether English writes a word large alone: it is surely a name.

    >>> [is_name(word) for word in ("Paris", "Brown", "Photosynthesis", "Mastectomy")]
    [True, False, False, False]
    """
    return word in _listed() and word[:1].isupper() and word.lower() not in _listed()


def opening_words(words: str) -> str:
    """Return a sentence as it goes on after an opening, its first word small where that is known to be right.

    >>> opening_words("The capital is Paris"), opening_words("Gold is dense"), opening_words("Paris is large")
    ('the capital is Paris', 'gold is dense', 'Paris is large')
    >>> opening_words("Located in Asia, it is large"), opening_words("Grand Canyon is deep")
    ('located in Asia, it is large', 'Grand Canyon is deep')
    """
    first = re.match(r"[A-Z][a-z'’]*(?=[\s,]|-[a-z]|$)", words)
    if first and _is_small(first[0], words[first.end() :].split()):
        return words[0].lower() + words[1:]
    return words


def _is_small(first: str, others: list[str]) -> bool:
    """Whether a word at the start of a sentence is surely no name."""
    if first == "I" or first.startswith(("I'", "I’")):
        return False
    spelt = first.lower().replace("’", "'")
    if spelt in _FUNCTION_WORDS or spell_out(spelt)[0] in _FUNCTION_WORDS:
        return True
    following = others[0] if others else ""
    if is_common(first):
        return not following.istitle()  # "Grand Canyon"
    if not others or _PEOPLE.fullmatch(first):
        return False
    plural = first.endswith("s") and following in _PLURAL_VERBS
    # "Brain plasticity", "Brain cells are": after a name comes its verb, or another name.
    cells = re.fullmatch(r"[a-z]{3,}s", following) and others[1:2] and others[1] in KNOWN_VERBS
    plasticity = spelt in _listed() and is_common(following) and not re.fullmatch(r"\w+(?:s|ed|ly)", following)
    return plural or (bool(cells or plasticity) and following not in KNOWN_VERBS | _FUNCTION_WORDS)
