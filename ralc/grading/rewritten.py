"""The outcome of a text is that of what it says: freely written rewrites have grades of their own.

A rewrite that carries the answer's words over claims what the original claims and keeps its grade. Where a model wrote
freely (Direct Beta-guided, or any rewrite of an LLM rewriter) the text may claim something else.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from ralc.conditions import UNIT
from ralc.grading.grader import grade
from ralc.grading.llm_grader import render


def free_texts(plan: pd.DataFrame, rewrites: pd.DataFrame) -> pd.DataFrame:
    """Return the freely written rewrites, each once a unit: ``question_id, sentence, prompt`` (the task) and ``text``.

    Parameters
    ----------
    plan
        The rewriting plan: ``question_id, sentence, task`` of every condition.
    rewrites
        ``task, text, origin, hedge``; a model wrote freely where it is the origin and no hedge was chosen.
    """
    written = rewrites["origin"].isin(["model", "kept"])
    free = rewrites.loc[written & rewrites["hedge"].isna(), ["task", "text"]]
    texts = plan[[*UNIT, "task"]].drop_duplicates().merge(free, on="task", validate="many_to_one")
    return texts.rename(columns={"task": "prompt"})


def render_rewrites(
    plan: pd.DataFrame,
    rewrites: pd.DataFrame,
    questions: pd.DataFrame,
    model: Mapping[str, Any],
    **how: Any,
) -> pd.DataFrame:
    """Return the requests to the grader about the freely written rewrites; `how` and all else as for `render`."""
    return render(free_texts(plan, rewrites), questions, model, **how)


def grade_rewrites(
    plan: pd.DataFrame,
    rewrites: pd.DataFrame,
    questions: pd.DataFrame,
    *,
    method: str,
    not_attempted: str = "wrong",
    requests: pd.DataFrame | None = None,
    responses: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Return the grades of the freely written rewrites.

    Parameters
    ----------
    plan, rewrites
        See `free_texts`.
    questions
        The questions table.
    method
        ``reference``, ``llm`` (asked by `render_rewrites`), or ``none``: none has a grade of its own.
    not_attempted
        As for `ralc.grading.grade`.
    requests, responses
        Of method ``llm``.

    Returns
    -------
    DataFrame
        ``question_id, sentence, task, grade, outcome``.
    """
    texts = free_texts(plan, rewrites)
    if method == "none":
        texts, method = texts.iloc[:0], "reference"
    grades = grade(
        texts, questions, method=method, not_attempted=not_attempted, requests=requests, responses=responses
    )
    return grades.rename(columns={"prompt": "task"})
