"""Worldfacts: the embedded default's questions, in the formats of the paper's three datasets.

``worldfacts-qa`` is closed-book short answer, ``worldfacts-mc`` multiple choice among four, ``worldfacts-rc`` reading
comprehension of four sentences, half of it unanswerable. ``studies/worldfacts.py`` made the committed CSV from facts
of GeoNames (CC BY 4.0) and periodictable (public domain).
"""

import pandas as pd

from ralc import data
from ralc.datasets.questions import questions_table
from ralc.datasets.user_dataset import QuestionRow
from ralc.io.rows import SEPARATOR, Cell

#: The datasets that need no file.
WORLDFACTS = ("worldfacts-qa", "worldfacts-mc", "worldfacts-rc")
#: ``choices`` is the half of the things (countries, elements, cities) on which prompts, cut-offs and subjects were
#: chosen, and no run asks about it. ``development`` was asked while hedges, graders and evaluators were made.
#: ``confirming`` was asked once, after every choice of version 0.2.0. ``record`` is of smaller cities, which no other
#: draw asks about and fewer models know; in multiple choice it has none.
DRAWS = ("choices", "development", "confirming", "record")


def load_worldfacts(name: str, questions: int | None = None, *, draw: str = "development") -> pd.DataFrame:
    """Return worldfacts questions, whose subjects take turns, so that any number of them is balanced.

    Parameters
    ----------
    name
        One of `WORLDFACTS`.
    questions
        How many of the first; None for all there are.
    draw
        One of `DRAWS`; no two have a question in common.

    Raises
    ------
    ValueError
        If there are fewer questions, or none of such a draw.
    """
    table = pd.read_csv(data.path("worldfacts.csv"), dtype=str, keep_default_na=False).astype({"place": int})
    every = table[table["question_id"].str.startswith(name)]
    rows = every[every["draw"] == draw].sort_values("place")
    if questions is not None and not 0 < questions <= len(rows):
        raise ValueError(f"{name}, {draw}: {questions} questions wanted, 1 to {len(rows)} can be had")
    right = every["accepted"].str.split(SEPARATOR, regex=False).str[0]
    answers = right.groupby(every["subject"]).unique().to_dict()
    return questions_table((_question(row, answers) for row in rows[:questions].to_dict("records")), name)


def _question(row: dict[str, str], answers: dict[str, list[str]]) -> dict[str, object]:
    """Return a question; of a closed-book one every other answer of its subject is known to be wrong."""
    columns = {name: Cell(cell) for name, cell in row.items() if cell and name in QuestionRow.model_fields}
    question = QuestionRow.model_validate(columns | {"answerable": bool(row["accepted"])})
    cells = question.model_dump(mode="json", exclude={"group"}) | {"format": question.implied_format}
    if question.implied_format == "short_answer":
        cells["wrong"] = [other for other in answers[row["subject"]] if other not in question.accepted]
    return cells
