"""In how many ways a right answer may be written: slips of the pen, last names, adjectives, other names."""

from collections.abc import Sequence
from itertools import pairwise

from ralc.english.countries import also_called, without_forms
from ralc.english.dates import in_writing
from ralc.english.demonyms import adjectives
from ralc.english.normalisation import IDLE_WORDS, plain, set_of, tokens, words
from ralc.english.numerals import in_digits
from ralc.english.spelling import misspelt

_TITLES = set_of(
    "mr mrs ms miss dr sir lord lady president king queen general professor saint pope by author painter"
)


def in_one_writing(
    text: str, accepted: Sequence[str], wrong: Sequence[str]
) -> tuple[str, list[str], list[str]]:
    """Return a text, accepted and wrong answers with names and dates in one writing.

    >>> in_one_writing("It is in the U.S.", ["USA"], ["U.K."])
    ('It is in the US', ['USA'], ['UK'])
    """
    text, *known = (without_forms(one) for one in (text, *accepted, *wrong))
    text = in_writing(text, [*accepted, *wrong])
    return text, known[: len(accepted)], known[len(accepted) :]


def other_names(text: str, question: str, right: Sequence[str], wrong: Sequence[str]) -> list[str]:
    """Return what else stands for right answers in a text: last names, slips of the pen, places, adjectives.

    >>> other_names("The Canbera region", "What is the capital of Australia?", ["Canberra"], ["Sydney"])
    ['Canbera']
    """
    people = _surnames(right, question, text)
    slips = misspelt(in_digits(text), [*right, *people], known=[*wrong, question])
    called = [other for name in right for other in also_called(name)]
    return [*people, *slips, *called, *_adjectives(right, question)]


def about_someone(question: str) -> bool:
    """Return whether a question asks for a person."""
    return not {"who", "whom", "whose"}.isdisjoint(words(question))


def _surnames(right: Sequence[str], question: str, text: str) -> list[str]:
    """The last names of the people that are right answers to a question about someone, but of namesakes."""
    if not about_someone(question):
        return []
    people = [tokens(name) for name in right]
    return [
        person[-1]
        for person in people
        if 2 <= len(person) <= 3
        and person[0][0].isupper()
        and person[-1][0].isupper()
        and len(person[-1]) > 2
        and not _namesake(person, text)
    ]


def _namesake(person: Sequence[str], text: str) -> bool:
    """Whether a last name stands in a text behind the first name of somebody else."""
    spoken = tokens(text)
    return any(
        word == person[-1]
        and before[0].isupper()
        and len(before) > 1
        and plain(before) not in _TITLES | IDLE_WORDS
        and plain(before) not in map(plain, person)
        and not (len(before) <= 4 and plain(before)[:2] == plain(person[0])[:2])
        for before, word in pairwise(spoken)
    )


def _adjectives(right: Sequence[str], question: str) -> list[str]:
    """The adjectives of countries asked for."""
    return [made for name in right for made in adjectives(name)] if "country" in words(question) else []
