"""Grades that came with recorded samples, and how far another grader agrees with them."""

import pandas as pd

from ralc.conditions import UNIT
from ralc.grading.reference import grade_reference
from ralc.grading.table import grades_table, questions_of
from ralc.names import GRADES, UNANSWERED, UNPARSED
from ralc.recorded.table import Recorded


def grade_recorded(answers: pd.DataFrame, questions: pd.DataFrame, recorded: Recorded) -> pd.DataFrame:
    """Return the grades that the file has for the answers; ``unparsed`` where it has none.

    Parameters
    ----------
    answers
        Columns ``question_id, sentence, prompt, members`` (the first is the sample that was taken).
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
    grades = [
        _grade(answer, known[answer.question_id].question, recorded)
        for answer in answers.itertuples(index=False)
    ]
    if not any(grades):
        where = recorded.rows[0].where.partition(",")[0]
        raise ValueError(
            f"{where}: no column `correct` or `grade` with a value: grade by roles.grader: {{method: reference}}"
        )
    return grades_table(answers, [grade or UNPARSED for grade in grades])


def _grade(answer: object, question: str, recorded: Recorded) -> str | None:
    row = recorded.of(answer.question_id, question)
    if row is None:
        return None
    return row.grades[answer.members[0]] if answer.prompt == "direct" else row.hedged_grade


def compare_graders(answers: pd.DataFrame, grades: pd.DataFrame, questions: pd.DataFrame) -> pd.DataFrame:
    """Return the `agreement` of grades with the reference grader's, for each target: ``target, dataset, ...``.

    `answers` and `grades` carry a column ``target``.
    """
    parts = []
    for target, of in grades.groupby("target", sort=False):
        reference = grade_reference(answers[answers["target"] == target], questions)
        found = agreement(of.drop(columns="target"), reference, questions)
        parts.append(found.assign(target=target))
    columns = ["target", "dataset", "answers", "agreement", "kappa"]
    return pd.concat(parts, ignore_index=True)[columns]


def agreement(grades: pd.DataFrame, other: pd.DataFrame, questions: pd.DataFrame) -> pd.DataFrame:
    """Return how far two graders agree on the same answers, beyond chance, on each dataset.

    Parameters
    ----------
    grades, other
        Grades tables of one target, with ``question_id, sentence, prompt, grade``; those that either lacks
        (``unparsed``, ``unanswered``) are left out.
    questions
        The questions, with their ``dataset``.

    Returns
    -------
    DataFrame
        ``dataset, answers`` (graded by both), ``agreement`` (share of equal grades), ``kappa`` (Cohen's; null
        where both give one and the same grade alone).
    """
    both = grades.merge(other, on=[*UNIT, "prompt"], suffixes=("", "_other"), validate="one_to_one")
    both = both[~both[["grade", "grade_other"]].isin((UNPARSED, UNANSWERED)).any(axis=1)]
    both = both.merge(questions[["question_id", "dataset"]], on="question_id", validate="many_to_one")
    rows = [(name, *_agreement(of["grade"], of["grade_other"])) for name, of in both.groupby("dataset")]
    return pd.DataFrame(rows, columns=["dataset", "answers", "agreement", "kappa"])


def _agreement(one: pd.Series, other: pd.Series) -> tuple[int, float, float]:
    """Number of answers, observed agreement p, and (p - chance) / (1 - chance)."""
    observed = float((one == other).mean())
    chance = sum(float((one == grade).mean() * (other == grade).mean()) for grade in GRADES)
    kappa = (observed - chance) / (1 - chance) if chance < 1 else float("nan")
    return len(one), observed, kappa
