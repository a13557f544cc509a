"""Grades by the method that the config names."""

import pandas as pd

from ralc.grading.grades import grades_table
from ralc.grading.llm_grader import grade_llm
from ralc.grading.recorded_grades import grade_recorded
from ralc.grading.reference import grade_reference
from ralc.names import NOT_ATTEMPTED, UNANSWERED
from ralc.precomputed.samples import Samples
from ralc.sampling.missing import unanswered


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
