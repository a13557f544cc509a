"""Grades by the method that the config names, of answers and of freely written rewrites.

A rewrite that carries the answer's words over claims what the original claims and keeps its grade. Where a model wrote
freely (Direct Beta-guided, or any rewrite of an LLM rewriter) the text may claim something else and has its own.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from ralc.conditions import UNIT
from ralc.grading.grades import grades_table
from ralc.grading.llm_grader import grade_llm, render
from ralc.grading.recorded_grades import grade_recorded
from ralc.grading.reference import grade_reference
from ralc.precomputed.samples import Samples
from ralc.registry import NOT_ATTEMPTED, UNANSWERED
from ralc.sampling import unanswered


def grade(
    answers: pd.DataFrame,
    questions: pd.DataFrame,
    *,
    method: str = "reference",
    not_attempted: str = "wrong",
    target: str = "none",
    requests: pd.DataFrame | None = None,
    responses: pd.DataFrame | None = None,
    recorded: Samples | None = None,
) -> pd.DataFrame:
    """Return the grades table of a target's answers by the grader's method.

    Answers not attempted count as `not_attempted` says: ``wrong``, or ``dropped``, without an outcome. What was never
    answered has no outcome, and nobody is asked about it.
    The outcome of a sentence whose facts were graded is the share that is right.
    Method ``recorded`` takes the grades of the target's recorded samples.
    Method ``llm`` takes the replies to `render`'s requests for this target, which may be among those for others.

    Raises
    ------
    ValueError
        If the method is unknown, or ``llm`` comes without requests and responses, or ``recorded`` without samples.
    """
    lost = answers[unanswered(answers)]
    answers = answers.drop(index=lost.index)
    if method == "reference":
        grades = grade_reference(answers, questions)
    elif method == "llm" and requests is not None and responses is not None:
        grades = grade_llm(requests[requests["target"] == target], responses)
    elif method == "recorded" and recorded is not None:
        grades = grade_recorded(answers, questions, recorded)
    else:
        raise ValueError(
            f"grader {method!r}: reference, or llm with requests and responses, or recorded with samples"
        )
    if not_attempted == "dropped":
        grades["outcome"] = grades["outcome"].mask(grades["grade"] == NOT_ATTEMPTED)
    return pd.concat([grades, grades_table(lost, [UNANSWERED] * len(lost))], ignore_index=True)


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
