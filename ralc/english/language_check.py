"""What no evaluator of English can read: nothing, code, another language."""

import re
import unicodedata

from ralc.english.markdown_text import prose

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
#: Verbs that join an answer to what was asked, where the word is no English one ("est. 1636", "process(es)" have none).
_JOINS = re.compile(
    r"[\s'’](?:ist|sind|wird|wurde|est|sont|était|es|fue|está|è|é|são|foi|är|jest|adalah|werd)\s"
)
#: Nats by which another language must be likelier than English where no word decides: formulas may be of any.
_MORE_LIKELY = 12.0
#: Fewest foreign words that make a language.
_LEAST = 3


def unread(text: str) -> str:
    """Return why no evaluator of English can read a text; empty where one can (in linear time).

    A name alone can be read in any Latin spelling ("Łódź"); what is written mostly in other letters cannot.

    >>> unread("Paris."), unread(" \\n"), unread("北京"), unread("Łódź")
    ('', 'it is empty', 'it is not in English', '')
    >>> unread("Ich glaube, dass das Paris ist."), unread("def f(x):\\n    return x")
    ('it is not in English', 'it is code')
    """
    if not any(character.isalpha() or character.isdigit() for character in text):
        return "it is empty"
    said = prose(text)
    if _CODE.search(said) or not said.strip():
        return "it is code" if _CODE.search(text) else "it holds no prose"
    return "" if is_english(said) else "it is not in English"


def is_english(words: str) -> bool:
    """Return whether some words are, or may be, English: a name alone may, in any Latin spelling.

    Told by function words, of which English sentences have some; where there are none, by a library.

    >>> [is_english(words) for words in ("La Paz", "Rien ne va plus ici.", "Dogs bark here.")]
    [True, False, True]
    """
    return _is_latin(words) and not _is_foreign(words)


def _is_latin(text: str) -> bool:
    """Whether at least half of a text's letters are Latin ones."""
    if text.isascii():
        return True
    letters = [character for character in text if character.isalpha()]
    latin = sum(letter.isascii() or "LATIN" in unicodedata.name(letter, "") for letter in letters)
    return latin >= len(letters) / 2


def _is_foreign(text: str) -> bool:
    """Whether a text is of another language: by its function words, then by its letters.

    Capitalised words do not count: they are of names ("La Paz"). One English word tells nothing: "in", "a" and "is" are
    of other languages, too.
    """
    words = re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", text)
    foreign = sum(word in _FOREIGN for word in words)
    english = sum(word.lower() in _ENGLISH for word in words)
    if english <= 1 and _JOINS.search(text):
        return True
    if english:
        return foreign >= _LEAST and foreign > english
    return sum(word[0].islower() for word in words) >= _LEAST and _is_other_language(text)


def _is_other_language(text: str) -> bool:
    """Whether a text is far more likely of another language than of English, by its letters."""
    import py3langid  # half a second to load, for texts without any function word

    ranked = py3langid.rank(text)
    return ranked[0][1] - dict(ranked)["en"] > _MORE_LIKELY
