"""Which clauses of a text answer a question: those that align best with it, of those that may give an answer."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ralc.english.alignment import CONTAINERS, VERBS, idle_in, is_name
from ralc.english.candidates import KINDS, below_zero
from ralc.english.claims import statements, without_asides
from ralc.english.demonyms import adjectives
from ralc.english.denials import clauses
from ralc.english.normalisation import IDLE_WORDS, plain, spans, words
from ralc.english.numerals import in_digits
from ralc.english.truecasing import FUNCTION_WORDS, case_of
from ralc.grading.commitment import aligned, committed

#: What holds many places, and what joins it.
CONTAINING = CONTAINERS | {"of"}
#: What may stand between the words of a name.
_WITHIN_NAME = frozenset({" ", "-", " of ", " of the "})
#: Where a sentence says two things, either of which may answer.
_APART = re.compile(rf"\band(?= (?:{'|'.join(sorted(VERBS))})\b)", re.IGNORECASE)
_NAME_ASKED = re.compile(r"\b(?:who|whom|whose|where)\b", re.IGNORECASE)
_NUMBER_ASKED = re.compile(
    r"\b(?:when|year|how (?!do|did|does|is|are|was|were|can|could)\w+)\b", re.IGNORECASE
)
_YEAR = re.compile(r"\b\d{4}\b|['’]\d\d\b")


def affirmed_clauses(text: str, question: str) -> str:
    """Return all that a text affirms, its numbers in digits.

    >>> affirmed_clauses("It is the piano, not the organ.", "Which instrument is it?").strip(" ,.")
    'It is the piano'
    """
    return in_digits(" ".join(without_asides(said) for _, said, _ in statements(text, question)))


def best_clauses(said: str, question: str, choices: Sequence[str]) -> list[str]:
    """Return the clauses of what is affirmed that align best with the question, of those that give an answer.

    Which may be answers is told by how they are written: names and numbers, choices, and what else stands at the end of
    a clause that repeats the question.

    >>> best_clauses("It began in 1914 and ended in 1918.", "When did it end?", [])
    ['ended in 1918']
    """
    names = [name for choice in choices for name in names_of(choice)]
    others = _candidates(said, question)
    names += others
    if others and not _sort_asked(question):
        names += _phrases(said, question)
    found = list(aligned(said, question, names, []))
    kept = committed(found) or committed([replace(clause, related=True) for clause in found])
    return [said[clause.start : clause.end].strip() for clause in found if clause.names & kept]


def names_of(choice: str) -> list[str]:
    """Return how a choice may be named: as it is written, or by the adjective of a country."""
    return [choice, *adjectives(choice)]


def _phrases(text: str, question: str) -> Iterator[str]:
    """What clauses that repeat a question add to it at their end without a name: "a standard piano has 88 keys"."""
    idle, asked = idle_in(question), set(words(question)) - IDLE_WORDS
    for part in _APART.split(text):
        for clause, _ in clauses(part):
            spoken = [item for item in spans(clause) if plain(item[0]) not in idle]
            if (
                not spoken
                or (asked.isdisjoint(words(clause)) and words(clause)[:1] not in (["it"], ["its"]))
                or any(map(is_name, (word for word, _, _ in spoken[1:])))
            ):
                continue
            first = len(spoken) - 1
            while first and clause[spoken[first - 1][2] : spoken[first][1]] in {" ", "-"}:
                first -= 1
            yield clause[spoken[first][1] : spoken[-1][2]]


def _candidates(text: str, question: str) -> list[str]:
    """The names and numbers that a text adds to a question, of the sort that is asked for where there are such."""
    spoken = [item for item in spans(text) if plain(item[0]) not in idle_in(question)]
    found = [f"{'-' * below_zero(text, start)}{text[start:end]}" for start, end in name_spans(spoken, text)]
    sort = _sort_asked(question)
    found = [name for name in found if not CONTAINING.issuperset(words(name))]
    tests = (
        lambda name: "year" not in words(question) or bool(_YEAR.search(name)),
        lambda name: not sort or (sort == "number") == any(map(str.isdigit, name)),
    )
    for test in tests:
        found = [name for name in found if test(name)] or found
    return found


def _sort_asked(question: str) -> str:
    """Whether a question asks for a ``number`` or a ``name``; empty where it may be either, or neither."""
    if _NUMBER_ASKED.search(question):
        return "number"
    return "name" if _NAME_ASKED.search(question) or KINDS.intersection(words(question)) else ""


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
            named = named or first < start or word[0].isdigit() or _is_name(word)


def _is_name(word: str) -> bool:
    """Whether a word is written as a name, and English writes it so."""
    return word[0].isupper() and (len(word) <= 2 or case_of(word) != "small")
