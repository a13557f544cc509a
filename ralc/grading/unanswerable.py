"""Grades of answers to questions that the background leaves open, and what counts as an answer at all."""

from collections.abc import Sequence

from ralc.english.abstentions import denies_asked, denying_clauses
from ralc.english.alignment import (
    CONTAINERS,
    PRONOUNS,
    added_words,
    has_verb,
    is_name,
    key_words,
    relates,
)
from ralc.english.candidates import EXACT_LENGTH, named
from ralc.english.claims import claimed, corrected, without_admissions
from ralc.english.denials import clauses
from ralc.english.normalisation import IDLE_WORDS, SPEAKERS, plain, sentences, set_of, tokens, words
from ralc.english.truecasing import case_of
from ralc.names import CORRECT, INCORRECT, NOT_ATTEMPTED, UNPARSED

#: Words that name no one place, person or thing.
_SAYS_NOTHING = IDLE_WORDS | CONTAINERS | set_of("true false incorrect wrong possible question yes")
#: What stands in a background, and what is only asked, is no answer.
_REPORTS = set_of("background passage text context article paragraph only when where how who what which why")


def grade_unanswerable(text: str, question: str, wrong: Sequence[str]) -> str:
    """The grade of an answer to a question that the background leaves open."""
    told = [part for part in sentences(corrected(text)) if words(part) and not part.endswith("?")]
    asked = [denies_asked(part, question) if denying_clauses(part) else False for part in told]
    if True in asked:
        return INCORRECT if _goes_on(told, asked.index(True), question, wrong) else CORRECT
    if told and denying_clauses(told[0]):
        return UNPARSED if asked[0] is None else NOT_ATTEMPTED
    claim = claimed(text, question)
    answered = claim is not None and claim.on_topic and is_answer(claim.affirmed, question)
    return INCORRECT if answered else NOT_ATTEMPTED


def _goes_on(told: Sequence[str], denial: int, question: str, wrong: Sequence[str]) -> bool:
    """Whether sentences answer beside the one, by its place, that says that the background does not."""
    before, after = told[:denial], told[denial + 1 :]
    return (
        _answers_beside(told[denial], question)
        or any(named(part, wrong) for part in before)
        or any(named(part, wrong) or _guesses(part, question) for part in after)
    )


def _guesses(sentence: str, question: str) -> bool:
    """Whether a sentence behind a denial answers after all ("I would guess 1902.", "Perhaps Oslo."; not "Sorry")."""
    added = [added_words(part, question) for part, _ in clauses(sentence)]
    framed = not (SPEAKERS | PRONOUNS).isdisjoint(words(sentence)) or not has_verb(sentence)
    names = [told for told in added if told and all(map(is_name, told))]
    return framed and any(word[0].isdigit() or case_of(word) != "small" for told in names for word in told)


def _answers_beside(sentence: str, question: str) -> bool:
    """Whether what stands beside a denial answers: by a quantity, by names alone, or without one; a report does not."""
    denied = set(denying_clauses(sentence))
    beside = "".join(mark + part for part, mark in clauses(sentence) if part not in denied)
    if not _REPORTS.isdisjoint(words(beside)):
        return False
    rest = without_admissions(beside, question)
    added = ([word for word in added_words(part, question) if _says(word)] for part, _ in clauses(rest))
    return any(told and (told[0][0].isdigit() or len(set(map(is_name, told))) == 1) for told in added)


def _says(word: str) -> bool:
    """Whether a word may name a place, person or thing."""
    return plain(word) not in _SAYS_NOTHING


def is_answer(affirmed: str, question: str, right: Sequence[str] = ()) -> bool:
    """Return whether a claim is an answer to a question, however wrong.

    >>> [is_answer(text, "What is the capital of Chad?", ["Ndjamena"]) for text in ("Paris", "It is in West Africa")]
    [True, False]
    """
    return bool(affirmed) and relates(affirmed, question) and not _vague(affirmed, question, right)


def _vague(affirmed: str, question: str, right: Sequence[str] = ()) -> bool:
    """Whether a sentence names nothing where names are asked for, or only what holds many ("in West Africa").

    A thing said to be itself ("the capital of Chad is Chad") is an answer.
    """
    said, asked = words(affirmed), {*_SAYS_NOTHING, *words(question)}
    added = [word for word in tokens(affirmed) if plain(word) not in asked]
    if tokens(affirmed)[-1:] == ["I"] and any(len(name) <= EXACT_LENGTH for name in right):
        return False
    if not added:
        itself = 1 if {"it", "its"} & set(said) else 2
        return not any(said.count(key) >= itself for key in key_words(question))
    names = right and all(name[:1].isupper() and len(name) > EXACT_LENGTH for name in right)
    return bool(names) and has_verb(affirmed) and not any(map(is_name, added))
