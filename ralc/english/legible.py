"""What no reader of English can read: nothing, code, another language."""

import re
import unicodedata

_CODE = re.compile(
    r"```|^[ \t]*(?:def|class|import|from|return|public|private|function|const|let|var|#include|SELECT)[ \t]+\S.*"
    r"[;:({,][ \t]*$|[={}][ \t]*$|\);[ \t]*$",
    re.MULTILINE,
)
#: Words that hardly a sentence goes without, and that are not English ones as well; then English ones.
_FOREIGN, _ENGLISH = (
    frozenset(words.split())
    for words in (
        "der das ist nicht und ein eine glaube dass wahrscheinlich vielleicht le la les est une pense que et dans el "
        "los las es creo y en probablemente il che di sono forse não é uma acho os het een niet ik denk dat van "
        "är och inte jag tror att",
        "the a an is are was were be it its this that of in on to for with and or not i you he she they we have has "
        "had do does did can could may might would will there think believe know sure probably perhaps maybe",
    )
)
#: Fewest foreign words that make a language.
_LEAST = 3


def unread(text: str) -> str:
    """Return why no reader of English can read a text; empty where one can (in linear time).

    A name alone can be read in any Latin spelling ("Łódź"); what is written mostly in other letters cannot.

    >>> unread("Paris."), unread(" \\n"), unread("北京"), unread("Łódź")
    ('', 'it is empty', 'it is not in English', '')
    >>> unread("Ich glaube, dass das Paris ist."), unread("def f(x):\\n    return x")
    ('it is not in English', 'it is code')
    """
    if not any(character.isalpha() or character.isdigit() for character in text):
        return "it is empty"
    if _CODE.search(text):
        return "it is code"
    return "" if _is_latin(text) and not _is_foreign(text) else "it is not in English"


def _is_latin(text: str) -> bool:
    """Whether at least half of a text's letters are Latin ones."""
    if text.isascii():
        return True
    letters = [character for character in text if character.isalpha()]
    latin = sum(letter.isascii() or "LATIN" in unicodedata.name(letter, "") for letter in letters)
    return latin >= len(letters) / 2


def _is_foreign(text: str) -> bool:
    """Whether a text has some words of another language, and more of them than of English.

    Capitalised words do not count: they are of names ("La Paz").
    """
    words = re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", text)
    foreign = sum(word in _FOREIGN for word in words)
    return foreign >= _LEAST and foreign > sum(word in _ENGLISH for word in words)
