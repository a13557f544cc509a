"""To which of several answers a text commits itself, by how its clauses align with the question."""

import re
from bisect import bisect, bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter

from ralc.english.alignment import CONTAINERS, alike, asked_words, is_name, mentions_asked
from ralc.english.candidates import Mention, mentions
from ralc.english.normalisation import NAMING_WORDS, plain, set_of, spans, words

#: What is said by the way begins so.
_ASIDES = set_of(
    "while although though because since as than after before with which who whom whose where when if"
)
_IDLE = NAMING_WORDS | _ASIDES
_ASIDE = rf"\b(?:{'|'.join(sorted(_ASIDES))})\b"
_BY_THE_WAY = re.compile(rf"\W*{_ASIDE}", re.IGNORECASE)
_COMPARED = re.compile(r"\W*than\b", re.IGNORECASE)
# Where a clause may end. What "or" joins is one clause: an alternative has no role of its own.
_CUT = re.compile(
    rf"(?:[,;:!?()—–…]+|\.{{2,}}|\.(?=\s|$)|\s-\s)(?!\d|\s*or\b)|\b(?:and|but|yet|so|whereas)\b|(?={_ASIDE})",
    re.IGNORECASE,
)
# Between names of one list: "Paris, Lyon and the Nice".
_LISTED = re.compile(r"[\s,&]*(?:\b(?:and|the|an?|both|as well as)\b[\s,]*)*", re.IGNORECASE)
#: The index of an answer that is none of those known.
UNKNOWN = -1


@dataclass(frozen=True)
class Clause:
    """A clause that gives answers.

    Attributes
    ----------
    names
        Which, by their place in right ones followed by wrong ones; `UNKNOWN` for another one.
    score
        How well it aligns: all words of the question where it adds nothing to them but its answers, else how many have
        been said up to its end, less what it adds, and how many it says itself.
    related
        Whether it speaks of what was asked, or of nothing else.
    start, end
        Where it stands in the text.
    """

    names: frozenset[int]
    score: tuple[int, int]
    related: bool
    start: int
    end: int


def committed(found: Sequence[Clause]) -> frozenset[int]:
    """Return the answers in the clauses that align best with a question.

    >>> said = "It died in Bonn, but was born in Ulm."
    >>> committed(list(aligned(said, "Where was it born?", ["Ulm"], ["Bonn"])))
    frozenset({0})
    """
    best = max((clause.score for clause in found if clause.related), default=None)
    given = (clause.names for clause in found if clause.related and clause.score == best)
    chosen = frozenset[int]().union(*given)
    return chosen.union(*(clause.names for clause in found if clause.names & chosen))


def aligned(text: str, question: str, right: Sequence[str], wrong: Sequence[str]) -> Iterator[Clause]:
    """Yield the clauses of a text that give answers, with how well each aligns with a question.

    A name or number that no known answer has is one, too, where its clause repeats half of the question and adds
    nothing else.
    """
    found = list(mentions(text, [*right, *wrong]))
    asked = set(words(question)) - NAMING_WORDS
    named_asked, about = mentions_asked(text, question), _about(text, question, asked)
    kinds = {name[:1].isdigit() for name in right}
    numeric = any(word[0].isdigit() for word in (*asked, *(text[place.start] for place in found)))
    said: set[str] = set()
    for start, end, given, told in _spoken(text, found, numeric=numeric):
        shared, added = _repeated(told, asked)
        said |= shared
        if not given and 2 * len(shared) >= len(asked) and _is_answer(added, text[start:end], kinds):
            given, added = frozenset({UNKNOWN}), []
        if given and not _COMPARED.match(text, start, end):
            less = len(added) + bool(_BY_THE_WAY.match(text, start, end))
            score = (len(said) - less, len(shared)) if less else (len(asked), 0)
            related = not told or named_asked or (about and score[0] >= 0)
            yield Clause(given, score, related, start, end)


def _repeated(told: Sequence[str], asked: Collection[str]) -> tuple[set[str], list[str]]:
    """The words of a question that a clause repeats, but for their endings, and what the clause adds to them."""
    repeated = [{key for key in asked if alike(plain(word), key)} for word in told]
    added = [word for word, keys in zip(told, repeated, strict=True) if not keys]
    return set[str]().union(*repeated), added


def _spoken(
    text: str, found: Sequence[Mention], *, numeric: bool
) -> Iterator[tuple[int, int, frozenset[int], list[str]]]:
    """Where each clause of a text begins and ends, the names that it mentions, and its other words that say much.

    `numeric`: whether numbers do.
    """
    free = [
        (word, first)
        for word, first in _outside(text, found)
        if plain(word) not in _IDLE and (numeric or not word[0].isdigit())
    ]
    begins, named = [first for _, first in free], [place.start for place in found]
    for start, end in _clauses(text, found):
        given = frozenset[int]().union(*(place.names for place in found[_between(named, start, end)]))
        yield start, end, given, [word for word, _ in free[_between(begins, start, end)]]


def _about(text: str, question: str, asked: set[str]) -> bool:
    """Whether a text repeats what is asked, a word of the question's thing, or several other words of it."""
    spoken = set(words(text))
    repeated = {key for key in asked if any(alike(word, key) for word in spoken)}
    return len(repeated) > 1 or bool(repeated & asked_words(question))


def _is_answer(added: Sequence[str], clause: str, kinds: set[bool]) -> bool:
    """Whether what a clause adds is one name or number, as the known answers are, and holds no others."""
    return (
        bool(added)
        and all(map(is_name, added))
        and {word[0].isdigit() for word in added} <= kinds
        and not CONTAINERS.issuperset(map(plain, added))
        and " ".join(added) in clause
    )


def _clauses(text: str, found: Sequence[Mention]) -> Iterator[tuple[int, int]]:
    """Where the clauses of a text begin and end; names and lists of names are not cut."""
    start = 0
    whole = [(place.start, place.end) for place in found]
    whole += [(a.end, b.start) for a, b in pairwise(found) if _LISTED.fullmatch(text, a.end, b.start)]
    whole.sort()
    for cut in _CUT.finditer(text):
        before = bisect(whole, cut.start(), key=itemgetter(0))
        if not before or whole[before - 1][1] <= cut.start():
            yield start, cut.start()
            start = cut.end()
    yield start, len(text)


def _outside(text: str, found: Sequence[Mention]) -> list[tuple[str, int]]:
    """The words of a text that are in no mention, with where they begin."""
    ends = [place.end for place in found]
    return [
        (word, first)
        for word, first, _ in spans(text)
        if (after := bisect(ends, first)) == len(found) or first < found[after].start
    ]


def _between(places: Sequence[int], start: int, end: int) -> slice:
    """Which of some places in their order are from `start` to before `end`."""
    return slice(bisect_left(places, start), bisect_left(places, end))
