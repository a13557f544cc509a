"""The normalised table of questions: one row a question, the same columns for every dataset."""

from collections.abc import Iterable
from typing import Any

import pandas as pd

from ralc.registry import LONG, SUBSETS

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


def questions_table(rows: Iterable[dict[str, Any]], dataset: str) -> pd.DataFrame:
    """Return the questions table of rows with at least ``question_id, format, question, subject``.

    Lists default to empty, ``group`` (the unit of clustered resampling) to the question's id, ``answerable``
    to True.

    Raises
    ------
    ValueError
        If there is no question, or a question is inconsistent; the message names the first offending id.
    """
    filled = [
        {"choices": [], "accepted": [], "wrong": [], "answerable": True, "group": row["question_id"]}
        | row
        | {"dataset": dataset}
        for row in rows
    ]
    if not filled:
        raise ValueError(f"dataset {dataset!r} has no questions")
    table = pd.DataFrame(filled, columns=list(COLUMNS))
    table["correct_choice"] = table["correct_choice"].astype("Int64")
    table["answerable"] = table["answerable"].astype(bool)
    _check(table, dataset)
    return table


def distinct(texts: Iterable[str]) -> list[str]:
    """Return the texts without padding, empty ones and repeats, in their order."""
    return list(dict.fromkeys(text.strip() for text in texts if text.strip()))


def _check(table: pd.DataFrame, dataset: str) -> None:
    """Refuse questions that no step could use."""
    choices = table["choices"].map(len)
    multiple = table["format"] == "multiple_choice"
    right = table["correct_choice"].between(0, choices - 1).fillna(False)
    nothing = table["accepted"].map(len) == 0
    faults = {
        "the id is not unique": table["question_id"].duplicated(),
        f"the subject means something else in the results ({', '.join(SUBSETS[:3])})": table["subject"].isin(
            SUBSETS
        ),
        "the question is empty": table["question"].str.strip() == "",
        "nothing is accepted though it is answerable": table["answerable"]
        & nothing
        & (table["format"] != LONG),
        "the correct choice is not one of the choices": multiple & ~right,
    }
    for fault, rows in faults.items():
        if rows.any():
            first = table.loc[rows, "question_id"].iloc[0]
            raise ValueError(f"dataset {dataset!r}, question {first!r}: {fault}")
