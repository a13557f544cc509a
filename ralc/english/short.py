"""Short answers: how a bare answer stands in a sentence of ours, whole.

Names, titles, numbers, lists and quotations are never cut. A name, a number or a noun phrase with its article goes on
after "it is"; anything else, which may be a verb phrase as well as an adjective, is quoted after "the answer is".
"""

import re
from typing import Literal

from ralc.english.numerals import SMALL, TENS

Kind = Literal["name", "number", "noun", "quote"]


def _set(words: str) -> frozenset[str]:
    """A word list."""
    return frozenset(words.split())


_LINKS = _set("of the and de la le von van der den du del di da for in on at to by a an or & et al vs")
_ARTICLES = _set("a an the")
#: No name or noun phrase begins with these.
_STARTS = _set(
    """
    how what why when where who which whether because if since while although though as than that to not no yes both
    either neither all none in on at from by with without through via into during after before between among under over
    about around for it its he she they we i you there being is are was were be has have had do does did can could will
    would may might must should using
    """
)
_MATHS = re.compile(r"[\\∀∃∧∨⊃≡=<>^{}|]|^[^A-Za-z]*$")
_NUMBER = re.compile(r"[-−+~]?[$€£¥]?\d")
_LONGEST_NAME, _LONGEST_NOUN = 8, 6


def kind_of(phrase: str) -> Kind:
    """Return how an answer that is no sentence can be framed.

    >>> [kind_of(p) for p in ("Allan Bloom", "1,290 km", "the red sea", "more like true larvae", "diverse")]
    ['name', 'number', 'noun', 'quote', 'quote']
    >>> kind_of("When We Were Kings"), kind_of("The Sky Is Falling"), kind_of("A")
    ('quote', 'name', 'name')
    >>> kind_of("x = 7"), kind_of("Call `f(x=7)` first")
    ('number', 'quote')
    """
    words = phrase.split()
    if not words:
        return "quote"
    if len(words[0]) == len(phrase.strip("()")) == 1:
        return "name"  # a letter: "A" is no article
    if ("`" not in phrase and _MATHS.search(phrase)) or (
        _NUMBER.match(phrase) and len(words) <= _LONGEST_NOUN
    ):
        return "number"
    if any(mark in phrase for mark in '"“”;:?!') or words[0].lower() in _STARTS:
        return "quote"
    capital = [word for word in words if word.lower() not in _LINKS]
    if capital and all(_is_name(word) for word in capital) and len(words) <= _LONGEST_NAME:
        return "name"
    if words[0].lower() in _ARTICLES and len(words) <= _LONGEST_NOUN and "," not in phrase:
        return "noun"
    return "quote"


def framed(phrase: str) -> list[tuple[str, str]]:
    """Return the frames of an answer that is no sentence, the plainest first: subject and verb, and the answer.

    >>> framed("Bert Bolin")
    [('it is', 'Bert Bolin'), ('the answer is', 'Bert Bolin')]
    >>> framed("The High Rhine")[0], framed("via ballast tanks")
    (('it is', 'the High Rhine'), [('the answer is', '"via ballast tanks"')])
    """
    kind = kind_of(phrase)
    if kind == "quote":
        return [("the answer is", _quoted(phrase))]
    first, _, others = phrase.partition(" ")
    # A title keeps its article as it is: "The Sky Is Falling", "The Beatles".
    if kind == "noun" or phrase.lower() in SMALL | TENS or (first == "The" and not _is_title(others)):
        phrase = first.lower() + phrase[len(first) :]
    frames = [("it is", phrase), ("the answer is", phrase)]
    return frames[1:] if _is_plural(phrase, kind) or "=" in phrase else frames  # "it is x = 7" says it twice


def _is_name(word: str) -> bool:
    bare = word.strip("(),.'’-")
    return bool(bare) and (bare[0].isupper() or bare[0].isdigit() or not bare[0].isascii())


def _is_title(words: str) -> bool:
    """Whether words are a title: a verb or pronoun in it is written large."""
    return re.search(r"\b(?:Is|Are|Was|Were|Who|That|My|Your|We|You|I)\b", words) is not None


def _is_plural(phrase: str, kind: Kind) -> bool:
    last = (phrase.rstrip(" .,)").split() or [""])[-1]
    plural = last.endswith("s") and not last.endswith(("ss", "us", "is", "os")) and last[0].islower()
    return kind != "number" and (plural or "," in phrase or " and " in phrase)


def _quoted(phrase: str) -> str:
    """An answer in quotation marks; one that has them around it keeps them."""
    if phrase[:1] in '"“' and phrase[-1:] in '"”':
        return phrase
    return f"“{phrase}”" if '"' in phrase else f'"{phrase}"'
