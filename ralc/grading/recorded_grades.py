"""Grades that came with recorded samples."""

from typing import Any

import pandas as pd

from ralc.grading.grades import grades_table, questions_of
from ralc.precomputed.samples import Samples, share_right
from ralc.registry import CORRECT, INCORRECT, PARTLY, UNPARSED


def grade_recorded(answers: pd.DataFrame, questions: pd.DataFrame, recorded: Samples) -> pd.DataFrame:
    """Return the grades that the file has for the answers; ``unparsed`` where it has none.

    A sentence has those of its facts, where they were labelled: it is CORRECT where all are right, PARTLY_CORRECT
    where some are. Its outcome is the share of its facts that are right.

    Parameters
    ----------
    answers
        Columns ``question_id, sentence, prompt, members`` (the first is the sample that was taken), ``start, text``.
    questions
        The questions table.
    recorded
        The samples, with their grades.

    Returns
    -------
    DataFrame
        A row an answer, in their order: ``question_id, sentence, prompt, grade, outcome``.

    Raises
    ------
    ValueError
        If the file has no grade at all for the answers.
    """
    known = questions_of(answers, questions)
    found = [
        _grade(answer, known[answer.question_id].question, recorded)
        for answer in answers.itertuples(index=False)
    ]
    if not any(grade for grade, _ in found):
        where = recorded.path
        raise ValueError(
            f"{where}: no column `correct` or `grade` with a value: grade by roles.grader: {{method: reference}}"
        )
    return grades_table(answers, [grade or UNPARSED for grade, _ in found], [share for _, share in found])


def _grade(answer: Any, question: str, recorded: Samples) -> tuple[str | None, float | None]:
    """Grade, and of a sentence the share of its facts that is right."""
    row = recorded.of(answer.question_id, question)
    if row is None:
        return None, None
    if answer.prompt != "direct":
        return row.hedged_correct, None
    sample = answer.members[0]
    if row.facts[sample] is None:
        return row.grades[sample], None
    share = share_right(row.facts[sample], answer.start, answer.start + len(answer.text))
    if share is None:
        return None, None
    return CORRECT if share == 1 else PARTLY if share else INCORRECT, share
