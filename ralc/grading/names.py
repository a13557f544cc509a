"""In how many ways a right answer may be written: units, slips of the pen, last names, adjectives."""

import re
from collections.abc import Sequence
from itertools import pairwise

from ralc.english.countries import also_called, without_forms
from ralc.english.demonyms import adjectives
from ralc.english.moments import in_writing
from ralc.english.normalisation import IDLE_WORDS, plain, set_of, tokens, words
from ralc.english.numerals import in_digits
from ralc.english.spelling import misspelt
from ralc.english.units import in_unit, numbers_of, spelt_out, unit_asked

_TITLES = set_of(
    "mr mrs ms miss dr sir lord lady president king queen general professor saint pope by author painter"
)
_NO_PLACES = set_of("and true false")
_THOUSANDS = re.compile(r"(?<=\d)k\b")
_CURRENCY_SIGNS = str.maketrans({"£": " pound ", "€": " euro ", "¥": " yen ", "$": " dollar "})


def in_one_writing(
    text: str, question: str, accepted: Sequence[str], wrong: Sequence[str]
) -> tuple[str, list[str], list[str]]:
    """Return a text, accepted and wrong answers with quantities in the unit asked for, and names in one writing.

    >>> in_one_writing("About 5.3 km", "How long is it in metres?", ["5,300"], ["5 km"])
    ('About 5300', ['5,300', '5,300'], ['5 km', '5000'])
    """
    text, *known = (without_forms(one) for one in (text, *accepted, *wrong))
    accepted, wrong = known[: len(accepted)], known[len(accepted) :]
    if "currency" in words(question):
        text = text.translate(_CURRENCY_SIGNS)
    text = in_writing(_THOUSANDS.sub(" thousand", text), [*accepted, *wrong])
    meant = [in_digits(name) for name in accepted]
    unit = unit_asked(question, meant)
    numbers = numbers_of(meant, unit)
    if not numbers:
        return text, list(accepted), list(wrong)
    converted = ([*names, *(in_unit(in_digits(name), unit) for name in names)] for names in (accepted, wrong))
    return in_unit(spelt_out(in_digits(text)), unit, numbers), *converted


def other_names(text: str, question: str, right: Sequence[str], wrong: Sequence[str]) -> list[str]:
    """Return what else stands for right answers in a text: last names, slips of the pen, places, adjectives.

    >>> other_names("The Canbera region", "What is the capital of Australia?", ["Canberra"], ["Sydney"])
    ['Canbera']
    """
    people = _surnames(right, question, text)
    slips = misspelt(in_digits(text), [*right, *people], known=[*wrong, question])
    called = [other for name in right for other in also_called(name)]
    return [*people, *slips, *called, *_initials(right), *_places(right), *_adjectives(right, question)]


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


def _initials(right: Sequence[str]) -> list[str]:
    """The first letters of names of three words or more ("NYC")."""
    named = (tokens(name) for name in right)
    return [
        "".join(word[0] for word in name)
        for name in named
        if len(name) >= 3 and all(word[0].isupper() for word in name)
    ]


def _places(right: Sequence[str]) -> list[str]:
    """The places of right answers that say where these are, too ("Charleston, South Carolina")."""
    parts = (name.split(", ") for name in right if _NO_PLACES.isdisjoint(words(name)))
    return [pair[0] for pair in parts if len(pair) == 2 and pair[0][:1].isupper() and pair[1][:1].isupper()]


def _adjectives(right: Sequence[str], question: str) -> list[str]:
    """The adjectives of countries asked for."""
    return [made for name in right for made in adjectives(name)] if "country" in words(question) else []
