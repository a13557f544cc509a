"""Short answers: how a bare answer stands in a sentence of ours, whole.

Names, titles, numbers, lists and quotations are never cut. A name, a number or a noun phrase with its article goes on
after "it is"; anything else, which may be a verb phrase, an adjective or a noun that lacks its article ("Treaty of
Logstown", "17th century"), is quoted after "the answer is", which is always right.
"""

import re
from typing import Literal

from ralc.english.casing import case_of
from ralc.english.normalisation import set_of
from ralc.english.numerals import SMALL, TENS
from ralc.english.verbs import PAST

Kind = Literal["name", "number", "noun", "quote"]


_PARTICLES = set_of("de la le von van der den du del di da et al vs")
_JOINTS = set_of("of the and for in on at to by a an or &")
_ARTICLES = set_of("a an the")
_PRONOUNS = set_of("I you he she it we they")
#: No name or noun phrase begins with these.
_STARTS = set_of(
    """
    how what why when where who which whether because if since while although though as than that to not no yes no,
    yes, no. yes. both either neither all none in on at from by with without through via into during after before
    between among under over about around for it its he she they we i you there being is are was were be has have
    had do does did can could will would may might must should using
    """
)
_MATHS = re.compile(r"[\\∀∃∧∨⊃≡=<>^{}|]|^[^A-Za-z]*$")
#: What may stand before a number: it stays one.
_ROUGHLY = re.compile(
    r"(?:about|around|nearly|almost|roughly|approximately|at least|at most|(?:more|less|fewer) than) (?=[$€£¥]?\d)",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"(?:\d{1,2} )?(?:January|February|March|April|May|June|July|August|September|October|November|December)"
    r"(?: \d{1,2}\b,?)?(?: \d{4})?"
)
_PROSE = re.compile(r"[A-Za-z]{2,} [a-z]{2,}|;")
#: A number that wants no article, as "1960s" and "17th century" do.
_NUMBER = re.compile(r"(?!\S*\d(?:st|nd|rd|th|s)\b)[-−+~]?[$€£¥]?\d")
_PLURAL = re.compile(r"[a-z](?<![suioa])s[.,)]*$")
#: A verb that is not known, or a plural or participle that something follows ("The museum opens at nine").
_MAY_BE_VERB = re.compile(rf"[a-z]+(?<![suioa])s|{PAST.pattern}")
#: What may stand behind a noun.
_BEHIND = re.compile(r" (?:of|that|who|which|in|for|to|on|from|with|by|at)\b")
_BRACKETS = re.compile(r"\s*\([^()]*\)")
#: What follows a number in a name ("1944 Warsaw Uprising"), or in a list.
_NAMED = re.compile(r" [A-Z][a-z]{2}|;")
_LONGEST_NAME, _LONGEST_NOUN = 8, 6


def kind_of(phrase: str) -> Kind:
    """Return how an answer that is no sentence can be framed.

    >>> [kind_of(p) for p in ("Jon Corzine", "1,290 km", "the red sea", "more like true larvae", "diverse")]
    ['name', 'number', 'noun', 'quote', 'quote']
    >>> kind_of("When We Were Kings"), kind_of("The Sky Is Falling"), kind_of("A")
    ('quote', 'name', 'name')
    >>> kind_of("x = 7"), kind_of("Call `f(x=7)` first"), kind_of("about 40 km")
    ('number', 'quote', 'number')
    """
    words = phrase.split()
    if not words:
        return "quote"
    if roughly := _ROUGHLY.match(phrase):
        return kind_of(phrase[roughly.end() :])
    if len(words[0]) == len(phrase.strip("()")) == 1:
        return "name"  # a letter: "A" is no article
    if _DATE.fullmatch(phrase) or phrase.lower() in SMALL | TENS:
        return "number"
    if _NUMBER.match(phrase) and not _NAMED.search(phrase) and len(words) <= _LONGEST_NOUN:
        return "number"
    if "`" not in phrase and _MATHS.search(phrase) and not _PROSE.search(phrase):
        return "number"
    if any(mark in phrase for mark in '"“”;:?!') or words[0].lower() in _STARTS:
        return "quote"
    capital = [word for word in words if word not in _PARTICLES | _JOINTS]
    if capital and all(_is_name(word) for word in capital) and len(words) <= _LONGEST_NAME:
        return "quote" if words[0].lower() != "the" and _may_lack_article(phrase) else "name"
    noun = words[0].lower() in _ARTICLES and len(words) <= _LONGEST_NOUN and "," not in phrase
    # "a monopoly buys from a monopsony", "the earlier they came"
    clause = (words[0].lower() != "the" and _is_plural(phrase, "noun")) or _PRONOUNS & set(words)
    verb = any(_MAY_BE_VERB.fullmatch(word) for word in words[2:-1])
    return "noun" if noun and not clause and not verb else "quote"


def framed(phrase: str) -> list[tuple[str, str]]:
    """Return the frames of an answer that is no sentence, the plainest first: subject and verb, and the answer.

    >>> framed("Bert Bolin")
    [('it is', 'Bert Bolin'), ('the answer is', 'Bert Bolin')]
    >>> framed("The High Rhine")[0], framed("via ballast tanks")
    (('it is', 'the High Rhine'), [('the answer is', '"via ballast tanks"')])
    """
    kind = kind_of(phrase)
    if kind == "quote":
        return [("the answer is", quoted(phrase))]
    first, _, others = phrase.partition(" ")
    # A title keeps its article as it is: "The Sky Is Falling", "The Beatles".
    small = kind == "noun" or _ROUGHLY.match(phrase) or phrase.lower() in SMALL | TENS
    if small or (first == "The" and not _is_title(others)):
        phrase = first.lower() + phrase[len(first) :]
    frames = [("it is", phrase), ("the answer is", phrase)]
    return frames[1:] if _is_plural(phrase, kind) or "=" in phrase else frames  # "it is x = 7" says it twice


def stands_alone(phrase: str) -> bool:
    """Return whether a phrase behind a hedge surely is an answer of its own: in a frame, and no title's end.

    >>> [stands_alone(phrase) for phrase in ("the Rhine", "a river", "dangerous", "the Best Lager")]
    [True, True, False, False]
    """
    kind = kind_of(phrase)
    large = [word.strip("(),.'’-") for word in phrase.split() if word[:1].isupper()]
    title = kind != "number" and large and all(case_of(word) in ("small", "both") for word in large)
    return kind != "quote" and not title


def _is_name(word: str) -> bool:
    bare = word.strip("(),.'’-")
    return bool(bare) and (bare[0].isupper() or bare[0].isdigit() or not bare[0].isascii())


def _may_lack_article(phrase: str) -> bool:
    """Whether what is written large may be no name, or one that wants an article.

    The word decides that comes last, or before what it is of ("Treaty of Logstown"): a common noun or a plural
    ("Catholics"). It or the first one must be known as a name ("Photosynthesis" and "USSR" are none), and what holds a
    figure may be anything ("Indianapolis 500").
    """
    words = _BRACKETS.sub("", phrase).split() or [phrase]
    end = next((place for place, word in enumerate(words) if place and word in _JOINTS), len(words))
    head = re.sub(r"['’]s$", "", words[end - 1].strip("(),.'’-"))
    case = "large" if re.fullmatch(r"[A-Z][a-z]?|[IVX]+", head) else case_of(head)  # "B", "Al"
    vague = case in ("small", "both") or (case == "unknown" and case_of(words[0]) != "large")
    return vague or bool(re.search(r"\d", head) or _PLURAL.search(head))


def _is_title(words: str) -> bool:
    """Whether words are a title: a verb or pronoun in it is written large."""
    return re.search(r"\b(?:Is|Are|Was|Were|Who|That|My|Your|We|You|I)\b", words) is not None


def _is_plural(phrase: str, kind: Kind) -> bool:
    """Whether an answer may be several things, so that it is not "it"."""
    several = kind != "number" and ("," in phrase or " and " in phrase)
    noun = kind != "name" or phrase.lower().startswith("the ")
    return several or (noun and any(_PLURAL.search(word) for word in _BEHIND.split(phrase)[0].split()))


def quoted(phrase: str) -> str:
    """Return an answer in quotation marks; one that has them around it keeps them.

    >>> quoted("red"), quoted('"red"'), quoted('a "red" one')
    ('"red"', '"red"', '“a "red" one”')
    """
    if re.fullmatch(r'["“][^"“”]*["”]|“[^“”]*”', phrase):
        return phrase
    return f"“{phrase}”" if '"' in phrase else f'"{phrase}"'
