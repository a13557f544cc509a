"""Where grading finds hardly any accepted answer."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ralc.conditions import UNIT
from ralc.english.normalisation import words
from ralc.registry import CORRECT, UNANSWERED

#: Fewest answers that say anything, and the share of accepted ones below which grading is doubted.
FEWEST, LEAST = 10, 0.1
#: Answers shown.
SHOWN = 5


@dataclass(frozen=True)
class Doubt:
    """A target and dataset whose answers hardly ever meet an accepted one.

    Attributes
    ----------
    target, dataset
        Which.
    accepted, answers
        Answers graded CORRECT, and all.
    examples
        Question, answer, accepted answers and grade of a few that were not accepted, the nearest to one first.
    """

    target: str
    dataset: str
    accepted: int
    answers: int
    examples: tuple[tuple[str, str, str, str], ...]


def doubts(questions: pd.DataFrame, answers: pd.DataFrame, grades: pd.DataFrame) -> list[Doubt]:
    """Return where grading found hardly any accepted answer among the direct answers.

    Parameters
    ----------
    questions
        The questions table.
    answers, grades
        Of all targets, with a column ``target``.
    """
    keys = ["target", *UNIT, "prompt"]
    rows = answers[answers["prompt"] == "direct"].merge(grades, on=keys, validate="one_to_one")
    rows = rows[rows["grade"] != UNANSWERED]
    rows = rows.merge(questions, on="question_id", validate="many_to_one", suffixes=("", "_asked"))
    found = [_doubt(*names, group) for names, group in rows.groupby(["target", "dataset"], sort=False)]
    return [one for one in found if one.answers >= FEWEST and one.accepted < LEAST * one.answers]


def _doubt(target: str, dataset: str, rows: pd.DataFrame) -> Doubt:
    """What there is to doubt in the grades of one target and dataset."""
    right = rows["grade"] == CORRECT
    return Doubt(target, dataset, int(right.sum()), len(rows), tuple(_examples(rows[~right])))


def _examples(missed: pd.DataFrame) -> Iterator[tuple[str, str, str, str]]:
    """A few answers that were not accepted, those nearest to an accepted answer first."""
    nearest = sorted(missed.itertuples(index=False), key=_nearness, reverse=True)
    for row in nearest[:SHOWN]:
        yield row.question, row.text, " | ".join(row.accepted) or "(the background does not say)", row.grade


def _nearness(row: Any) -> float:
    """The largest share of an accepted answer's words that the answer has."""
    spoken = set(words(row.text))
    known = [set(words(name)) for name in row.accepted]
    return max((len(name & spoken) / len(name) for name in known if name), default=0.0)
