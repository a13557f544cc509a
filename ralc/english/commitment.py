"""To which of several answers a text commits itself: the clauses that align best with the question."""

import re
from bisect import bisect, bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter

from ralc.english.claims import statements, without_asides
from ralc.english.names import KINDS, Mention, adjectives, below_zero, mentions
from ralc.english.negation import CUT
from ralc.english.normalisation import NAMING_WORDS, plain, set_of, spans, words
from ralc.english.quantities import in_digits
from ralc.english.relevance import CONTAINERS, alike, idle_in, is_name, mentions_asked
from ralc.english.truecasing import FUNCTION_WORDS, case_of

_IDLE = NAMING_WORDS | set_of(
    "while although though because since as than after before with which who whom whose where when if"
)
#: Between names of one list: "Paris, Lyon and the Nice".
_LISTED = re.compile(r"[\s,&]*(?:\b(?:and|the|an?|both|as well as)\b[\s,]*)*", re.IGNORECASE)
#: The index of an answer that is none of those known.
UNKNOWN = -1
#: What holds many places, and what joins it.
CONTAINING = CONTAINERS | {"of"}
#: What may stand between the words of a name.
_WITHIN_NAME = frozenset({" ", "-", " of ", " of the "})
_NAME_ASKED = re.compile(r"\b(?:who|whom|whose|where)\b", re.IGNORECASE)
_NUMBER_ASKED = re.compile(
    r"\b(?:when|year|how (?!do|did|does|is|are|was|were|can|could)\w+)\b", re.IGNORECASE
)


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
    text
        Its words.
    """

    names: frozenset[int]
    score: tuple[int, int]
    related: bool
    text: str


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
    named_asked = mentions_asked(text, question)
    kinds = {name[:1].isdigit() for name in right}
    numeric = any(word[0].isdigit() for word in (*asked, *(text[place.start] for place in found)))
    said: set[str] = set()
    for start, end, given, told in _spoken(text, found, numeric=numeric):
        repeated = [{key for key in asked if alike(plain(word), key)} for word in told]
        shared = set[str]().union(*repeated)
        added = [word for word, keys in zip(told, repeated, strict=True) if not keys]
        said |= shared
        if not given and 2 * len(shared) >= len(asked) and _is_answer(added, text[start:end], kinds):
            given, added = frozenset({UNKNOWN}), []
        if given:
            score = (len(said) - len(added), len(shared)) if added else (len(asked), 0)
            yield Clause(given, score, not told or named_asked or score[0] >= 0, text[start:end].strip())


def _spoken(
    text: str, found: Sequence[Mention], *, numeric: bool
) -> Iterator[tuple[int, int, frozenset[int], list[str]]]:
    """Yield where each clause begins and ends, the names that it mentions, and its other words that say much.

    `numeric`: whether numbers do.
    """
    ends, named = [place.end for place in found], [place.start for place in found]
    free = [
        (word, first)
        for word, first, _ in spans(text)
        if ((after := bisect(ends, first)) == len(found) or first < named[after])
        and plain(word) not in _IDLE
        and (numeric or not word[0].isdigit())
    ]
    begins = [first for _, first in free]
    for start, end in _clauses(text, found):
        given = frozenset[int]().union(*(place.names for place in found[_between(named, start, end)]))
        yield start, end, given, [word for word, _ in free[_between(begins, start, end)]]


def _is_answer(added: Sequence[str], clause: str, kinds: set[bool]) -> bool:
    """Return whether what a clause adds is one name or number, as the known answers are, and holds no others."""
    return (
        bool(added)
        and all(map(is_name, added))
        and {word[0].isdigit() for word in added} <= kinds
        and not CONTAINERS.issuperset(map(plain, added))
        and " ".join(added) in clause
    )


def _clauses(text: str, found: Sequence[Mention]) -> Iterator[tuple[int, int]]:
    """Yield where the clauses of a text begin and end; names and lists of names are not cut."""
    start = 0
    whole = [(place.start, place.end) for place in found]
    whole += [(a.end, b.start) for a, b in pairwise(found) if _LISTED.fullmatch(text, a.end, b.start)]
    whole.sort()
    for cut in CUT.finditer(text):
        before = bisect(whole, cut.start(), key=itemgetter(0))
        if not before or whole[before - 1][1] <= cut.start():
            yield start, cut.start()
            start = cut.end()
    yield start, len(text)


def _between(places: Sequence[int], start: int, end: int) -> slice:
    """Return which of some places in their order are from `start` to before `end`."""
    return slice(bisect_left(places, start), bisect_left(places, end))


def affirmed_clauses(text: str, question: str) -> str:
    """Return all that a text affirms, its numbers in digits.

    >>> affirmed_clauses("It is the piano, not the organ.", "Which instrument is it?").strip(" ,.")
    'It is the piano'
    """
    return in_digits(" ".join(without_asides(said) for _, said, _ in statements(text, question)))


def best_clauses(said: str, question: str, choices: Sequence[str]) -> list[str]:
    """Return the clauses of what is affirmed that align best with the question, of those that give an answer.

    Which may be answers is told by how they are written: names and numbers, and choices.

    >>> best_clauses("It began in 1914 and ended in 1918.", "When did it end?", [])
    ['ended in 1918']
    """
    names = [name for choice in choices for name in (choice, *adjectives(choice))]
    found = list(aligned(said, question, [*dict.fromkeys([*names, *_candidates(said, question)])], []))
    related = [clause for clause in found if clause.related] or found
    best = max((clause.score for clause in related), default=None)
    kept = committed(found) or frozenset[int]().union(*(one.names for one in related if one.score == best))
    return [clause.text for clause in found if clause.names & kept]


def _candidates(text: str, question: str) -> list[str]:
    """Return the names and numbers that a text adds to a question, of the sort asked for where there are such."""
    spoken = [item for item in spans(text) if plain(item[0]) not in idle_in(question)]
    found = [f"{'-' * below_zero(text, start)}{text[start:end]}" for start, end in name_spans(spoken, text)]
    found = [name for name in found if not CONTAINING.issuperset(words(name))]
    number = _NUMBER_ASKED.search(question) is not None
    if number or _NAME_ASKED.search(question) or KINDS.intersection(words(question)):
        return [name for name in found if number == any(map(str.isdigit, name))] or found
    return found


def name_spans(spoken: Iterable[tuple[str, int, int]], text: str) -> Iterator[tuple[int, int]]:
    """Yield where names and numbers among some words begin and end: capitals side by side, one of them no common word.

    >>> text = "near Lake Victoria"
    >>> [text[start:end] for start, end in name_spans(spans(text), text)]
    ['Lake Victoria']
    """
    first, last, named = 0, -1, False
    for word, start, end in (*spoken, ("A", len(text) + 2, 0)):
        degrees = text[start - 1 : start] == "°"
        capital = word[0].isupper() and not degrees and not (len(word) > 2 and word.lower() in FUNCTION_WORDS)
        if last >= 0 and not (capital and text[last:start] in _WITHIN_NAME):
            if named:
                yield first, last
            last, named = -1, False
        if capital or word[0].isdigit():
            first = start if last < 0 else first
            last = end
            # Two capitals side by side are a name even of common words: "United Kingdom".
            rare = word[0].isupper() and (len(word) <= 2 or case_of(word) != "small")
            named = named or first < start or word[0].isdigit() or rare
