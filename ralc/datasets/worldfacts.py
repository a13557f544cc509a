"""Worldfacts: the embedded default's questions, in the formats of the paper's three datasets.

``worldfacts-qa`` is closed-book short answer, ``worldfacts-mc`` multiple choice among four, ``worldfacts-rc`` reading
comprehension of four sentences, half of it unanswerable. ``studies/worldfacts.py`` made the committed CSV from facts
of GeoNames (CC BY 4.0) and periodictable (public domain).
"""

from functools import cache

import pandas as pd

from ralc import data
from ralc.datasets.questions import questions_table
from ralc.io.row_models import SEPARATOR

#: The datasets that need no file.
WORLDFACTS = ("worldfacts-qa", "worldfacts-mc", "worldfacts-rc")
#: ``choices`` is the half of the things (countries, elements, cities) on which prompts, cut-offs and subjects were
#: chosen, and no run asks about it. ``development`` was asked while hedges, graders and evaluators were made.
#: ``confirming`` is asked once, after every choice.
DRAWS = ("choices", "development", "confirming")


@cache
def _table() -> pd.DataFrame:
    """Return all questions, in the order of their facts; `place` is the order in which they are asked."""
    table = pd.read_csv(data.path("worldfacts.csv"), dtype=str, keep_default_na=False)
    return table.astype({"place": int})


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
        If the name or the draw is unknown, or there are fewer questions.
    """
    if name not in WORLDFACTS or draw not in DRAWS:
        raise ValueError(
            f"unknown worldfacts {name!r}, {draw!r}; known: {', '.join(WORLDFACTS)}; {', '.join(DRAWS)}"
        )
    every = _table()[_table()["question_id"].str.startswith(name)]
    drawn = every[every["draw"] == draw].sort_values("place")
    if questions is not None and not 0 < questions <= len(drawn):
        raise ValueError(f"{name}, {draw}: {questions} questions wanted, 1 to {len(drawn)} can be had")
    right = every["accepted"].str.split(SEPARATOR, regex=False).str[0]
    answers = {
        subject: list(dict.fromkeys(of)) for subject, of in right.groupby(every["subject"], sort=False)
    }
    return questions_table((_question(row, answers) for row in drawn[:questions].to_dict("records")), name)


def _question(row: dict[str, str], answers: dict[str, list[str]]) -> dict[str, object]:
    """Return a question; of a closed-book one every other answer of its subject is known to be wrong."""
    choices, accepted, wrong = (
        row[column].split(SEPARATOR) if row[column] else [] for column in ("choices", "accepted", "wrong")
    )
    correct = int(row["correct_choice"]) if choices else None
    if choices:
        wrong = [choice for place, choice in enumerate(choices) if place != correct]
    elif not row["context"]:
        wrong = [other for other in answers[row["subject"]] if other not in accepted]
    form = "multiple_choice" if choices else "reading_comprehension" if row["context"] else "short_answer"
    return {
        "question_id": row["question_id"],
        "format": form,
        "question": row["question"],
        "choices": choices,
        "context": row["context"] or None,
        "title": row["title"] or None,
        "accepted": accepted,
        "wrong": wrong,
        "correct_choice": correct,
        "subject": row["subject"],
        "answerable": bool(accepted),
    }
