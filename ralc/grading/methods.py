"""Grades by the method that the config names."""

import pandas as pd

from ralc.grading.llm import grade_llm
from ralc.grading.reference import grade_reference
from ralc.names import NOT_ATTEMPTED


def grade(
    answers: pd.DataFrame,
    questions: pd.DataFrame,
    *,
    method: str = "reference",
    not_attempted: str = "wrong",
    target: str = "none",
    requests: pd.DataFrame | None = None,
    responses: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Return the grades table of a target's answers by the grader's method.

    Answers not attempted count as `not_attempted` says: ``wrong``, or ``dropped``, without an outcome.
    Method ``llm`` takes the replies to `render`'s requests for this target, which may be among those for others.

    Raises
    ------
    ValueError
        If the method is unknown, or ``llm`` comes without requests and responses.
    """
    if method == "reference":
        grades = grade_reference(answers, questions)
    elif method == "llm" and requests is not None and responses is not None:
        grades = grade_llm(requests[requests["target"] == target], responses)
    else:
        raise ValueError(f"grader {method!r}: reference, or llm with requests and responses")
    if not_attempted == "dropped":
        grades["outcome"] = grades["outcome"].mask(grades["grade"] == NOT_ATTEMPTED)
    return grades
