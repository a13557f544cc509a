"""The normalised table of questions: one row a question, the same columns for every dataset."""

from collections.abc import Iterable
from typing import Any

import pandas as pd

from ralc.registry import FORMATS, LONG, SUBSETS

COLUMNS = (
    "question_id",
    "dataset",
    "format",
    "question",
    "choices",
    "context",
    "title",
    "accepted",
    "wrong",
    "correct_choice",
    "subject",
    "answerable",
    "group",
)
_DEFAULTS: dict[str, Any] = {"context": None, "title": None, "correct_choice": None, "answerable": True}


def questions_table(rows: Iterable[dict[str, Any]], dataset: str) -> pd.DataFrame:
    """Return the questions table of rows with at least ``question_id, format, question, subject``.

    Lists default to empty, ``group`` (the unit of clustered resampling) to the question's id, ``answerable``
    to True.

    Raises
    ------
    ValueError
        If there is no question, or a question is inconsistent; the message names the first offending id.
    """
    filled = [_filled(row, dataset) for row in rows]
    if not filled:
        raise ValueError(f"dataset {dataset!r} has no questions")
    table = pd.DataFrame(filled, columns=list(COLUMNS))
    table["correct_choice"] = table["correct_choice"].astype("Int64")
    table["answerable"] = table["answerable"].astype(bool)
    _check(table, dataset)
    return table


def _filled(row: dict[str, Any], dataset: str) -> dict[str, Any]:
    """A row with its defaults."""
    lists: dict[str, Any] = {"choices": [], "accepted": [], "wrong": []}
    return {**_DEFAULTS, **lists, "group": row["question_id"], **row, "dataset": dataset}


def _check(table: pd.DataFrame, dataset: str) -> None:
    """Refuse questions that no step could use."""
    choices = table["choices"].map(len)
    multiple = table["format"] == "multiple_choice"
    faults = {
        "the id is not unique": table["question_id"].duplicated(),
        f"the format is not one of {', '.join(FORMATS)}": ~table["format"].isin(FORMATS),
        f"the subject means something else in the results ({', '.join(SUBSETS[:3])})": table["subject"].isin(
            SUBSETS
        ),
        "the question is empty": table["question"].str.strip() == "",
        "nothing is accepted though it is answerable": table["answerable"]
        & (table["accepted"].map(len) == 0)
        & (table["format"] != LONG),
        "fewer than two choices": multiple & (choices < 2),
        "more than 26 choices": choices > 26,
        "the correct choice is not one of the choices": multiple
        & ~table["correct_choice"].between(0, choices - 1).fillna(False),
        "reading comprehension needs a context": (table["format"] == "reading_comprehension")
        & table["context"].isna(),
    }
    for fault, rows in faults.items():
        if rows.any():
            first = table.loc[rows, "question_id"].iloc[0]
            raise ValueError(f"dataset {dataset!r}, question {first!r}: {fault}")
