"""Worldfacts: questions on facts of the world in the formats of the paper's three datasets.

``worldfacts-qa`` closed-book short answer, ``worldfacts-mc`` multiple choice among four, ``worldfacts-rc``
reading comprehension of four sentences, half of it unanswerable. Made at run time (see
`ralc.datasets.facts`), so that the whole cross-domain comparison runs without a download.

Who asks what is kept apart, so that a headline can come from questions on which nothing was chosen (`DRAWS`):

- ``choices``: a half of the things (countries, elements, cities), drawn by a hash of their names and the same in all
  three datasets; on it prompts, cut-offs of sampling and subjects were chosen, and no run asks about it;
- ``development``: of the other half what runs asked while hedges, graders and readers were made, and runs ask;
- ``confirming``: the rest, asked once, after every choice. Later changes say how often it was looked at.
"""

import zlib
from collections.abc import Iterator
from itertools import compress
from typing import Any

import numpy as np
import pandas as pd

from ralc.datasets.facts import Subject, accepted_names, profiles, subjects
from ralc.datasets.questions import questions_table

#: The draws, and the seed and number by which questions became those of development: what runs had asked until then.
DRAWS = ("choices", "development", "confirming")
_ASKED_SEED, _ASKED = 2026, 143
#: Choices of a multiple-choice question, and facts told in a background beside its opening sentence.
_CHOICES = 4
_TOLD = 3

Row = dict[str, Any]


def load_worldfacts(
    name: str, questions: int | None = None, seed: int = 0, *, draw: str = "development"
) -> pd.DataFrame:
    """Return worldfacts questions, their subjects taking turns.

    Parameters
    ----------
    name
        ``worldfacts-qa``, ``worldfacts-mc`` or ``worldfacts-rc``.
    questions
        How many; the first ones of a seeded order in which the subjects (in ``worldfacts-rc`` also answerable
        and unanswerable questions) take turns, so that any number is balanced. None for all there are.
    seed
        Of the order, the wrong choices and the backgrounds.
    draw
        One of `DRAWS`; no two have a question in common, whatever the seed.

    Raises
    ------
    ValueError
        If the name or the draw is unknown, or there are fewer questions.
    """
    if name not in _BUILDERS or draw not in DRAWS:
        raise ValueError(
            f"unknown worldfacts {name!r}, {draw!r}; known: {', '.join(_BUILDERS)}; {', '.join(DRAWS)}"
        )
    strata = _BUILDERS[name](seed, draw == "choices")
    if draw != "choices":
        asked = {row["question_id"] for row in _take_turns(_BUILDERS[name](_ASKED_SEED, False))[:_ASKED]}
        own = [[(row["question_id"] in asked) == (draw == "development") for row in rows] for rows in strata]
        strata = [list(compress(rows, chosen)) for rows, chosen in zip(strata, own, strict=True)]
    rows = _take_turns(strata)
    if questions is not None and not 0 < questions <= len(rows):
        raise ValueError(f"{name}, {draw}: {questions} questions wanted, 1 to {len(rows)} can be had")
    return questions_table(rows[:questions], name)


def _rng(seed: int, *names: str) -> np.random.Generator:
    """A generator for one purpose: adding a subject leaves the draws of the others as they are."""
    return np.random.default_rng([seed, *(zlib.crc32(name.encode()) for name in names)])


def _shuffled(keys: list[str], choices: bool, rng: np.random.Generator) -> list[str]:
    """The keys of one half, in random order."""
    half = [key for key in keys if of_choices(key) == choices]
    return [half[place] for place in rng.permutation(len(half))]


def of_choices(key: str) -> bool:
    """Return whether a thing is of the half on which choices were made."""
    return zlib.crc32(f"held back {key.casefold()}".encode()) % 1000 < 500


def _take_turns(strata: list[list[Row]]) -> list[Row]:
    """One row of each stratum, then the next of each; exhausted strata are passed over."""
    longest = max(map(len, strata))
    return [rows[turn] for turn in range(longest) for rows in strata if turn < len(rows)]


def _closed_book(seed: int, choices: bool) -> list[list[Row]]:
    """One stratum a subject."""
    return [list(_short_answers(subject, seed, choices)) for subject in subjects().values()]


def _short_answers(subject: Subject, seed: int, choices: bool) -> Iterator[Row]:
    """The questions of a subject: every other answer of the subject is known to be wrong."""
    others = list(dict.fromkeys(subject.answers.values()))
    for key in _shuffled(list(subject.answers), choices, _rng(seed, "qa", subject.name)):
        accepted = accepted_names(subject.answers[key])
        yield {
            "question_id": f"worldfacts-qa-{subject.name}-{_slug(key)}",
            "format": "short_answer",
            "question": subject.ask(key),
            "accepted": accepted,
            "wrong": [other for other in others if other not in accepted],
            "subject": subject.name,
        }


def _multiple_choice(seed: int, choices: bool) -> list[list[Row]]:
    """One stratum a subject."""
    return [list(_choices(subject, seed, choices)) for subject in subjects().values()]


def _choices(subject: Subject, seed: int, choices: bool) -> Iterator[Row]:
    """The questions of a subject, each with three of its other answers, in random places."""
    others = list(dict.fromkeys(subject.answers.values()))
    for key in _shuffled(list(subject.answers), choices, _rng(seed, "mc", subject.name)):
        rng = _rng(seed, "mc", subject.name, key)
        accepted = accepted_names(subject.answers[key])
        candidates = [other for other in others if other not in accepted]
        wrong = [candidates[place] for place in rng.choice(len(candidates), _CHOICES - 1, replace=False)]
        correct = int(rng.integers(_CHOICES))
        yield {
            "question_id": f"worldfacts-mc-{subject.name}-{_slug(key)}",
            "format": "multiple_choice",
            "question": subject.ask(key),
            "choices": [*wrong[:correct], accepted[0], *wrong[correct:]],
            "accepted": accepted,
            "wrong": wrong,
            "correct_choice": correct,
            "subject": subject.name,
        }


def _reading_comprehension(seed: int, choices: bool) -> list[list[Row]]:
    """Two strata a kind of thing: answerable and unanswerable questions."""
    strata = []
    for kind, facts in profiles().items():
        keys = [key for key in facts[0].answers if all(key in fact.answers for fact in facts)]
        order = _shuffled(keys, choices, _rng(seed, "rc", kind))
        rows = [
            _passage(kind, facts, key, answerable=place % 2 == 0, seed=seed)
            for place, key in enumerate(order)
        ]
        strata += [rows[::2], rows[1::2]]
    return strata


def _passage(kind: str, facts: tuple[Subject, ...], key: str, *, answerable: bool, seed: int) -> Row:
    """A question on a thing, and a background that tells three facts of it, with the one asked or without."""
    rng = _rng(seed, "rc", kind, key)
    asked, *others = (facts[place] for place in rng.permutation(len(facts)))
    told = [asked, *others][:_TOLD] if answerable else others[:_TOLD]
    told = [told[place] for place in rng.permutation(_TOLD)]
    title = key[0].upper() + key[1:]
    sentences = [f"{title} is {_KINDS[kind]}.", *(fact.state(key) for fact in told)]
    return {
        "question_id": f"worldfacts-rc-{kind}-{_slug(key)}",
        "format": "reading_comprehension",
        "question": asked.ask(key),
        "context": " ".join(sentences),
        "title": title,
        "accepted": accepted_names(asked.answers[key]) if answerable else [],
        "wrong": [fact.answers[key] for fact in told if fact is not asked],
        "subject": kind,
        "answerable": answerable,
    }


def _slug(key: str) -> str:
    """A key as a part of an id."""
    return key.casefold().replace(" ", "_")


_KINDS = {"country": "a country", "element": "a chemical element", "city": "a large city"}
_BUILDERS = {
    "worldfacts-qa": _closed_book,
    "worldfacts-mc": _multiple_choice,
    "worldfacts-rc": _reading_comprehension,
}
#: The datasets that need no file.
WORLDFACTS = tuple(_BUILDERS)
