"""The grades table and its values."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from ralc.conditions import UNIT
from ralc.registry import CORRECT, UNANSWERED, UNPARSED


def questions_of(answers: pd.DataFrame, questions: pd.DataFrame) -> dict[str, Any]:
    """The questions by id, all that are needed."""
    rows = {row.question_id: row for row in questions.itertuples(index=False)}
    unknown = answers.loc[~answers["question_id"].isin(rows.keys()), "question_id"]
    if len(unknown):
        raise ValueError(f"question_id {unknown.iloc[0]!r} is not in the questions")
    return rows


def grades_table(
    answers: pd.DataFrame, grades: Sequence[str], shares: Sequence[float | None] | None = None
) -> pd.DataFrame:
    """The grades table: the outcome is 1 for CORRECT alone, null for `unparsed` and `unanswered`.

    `shares` are the outcomes of those that have parts, by the share that is right; None of the others.
    """
    table = answers[[*UNIT, "prompt"]].reset_index(drop=True).assign(grade=list(grades))
    outcome = (table["grade"] == CORRECT).astype(float).mask(table["grade"].isin((UNPARSED, UNANSWERED)))
    if shares is not None:
        outcome = pd.Series(shares, index=table.index, dtype=float).fillna(outcome)
    return table.assign(outcome=outcome)
