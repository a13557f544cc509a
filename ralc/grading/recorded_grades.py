"""Grades that came with recorded samples, and how far another grader agrees with them."""

from typing import Any

import pandas as pd

from ralc.conditions import UNIT
from ralc.grading.grades import grades_table, questions_of
from ralc.grading.reference import grade_reference
from ralc.precomputed.samples import Samples, share_right
from ralc.registry import CORRECT, GRADES, INCORRECT, LONG, PARTLY, UNANSWERED, UNPARSED


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
        The questions, with their ``dataset`` and ``format``; long answers have no accepted answer to be graded by,
        and are left out.

    Returns
    -------
    DataFrame
        ``dataset, answers`` (graded by both), ``agreement`` (share of equal grades), ``kappa`` (Cohen's; null
        where both give one and the same grade alone).
    """
    both = grades.merge(other, on=[*UNIT, "prompt"], suffixes=("", "_other"), validate="one_to_one")
    both = both[~both[["grade", "grade_other"]].isin((UNPARSED, UNANSWERED)).any(axis=1)]
    asked = questions.loc[questions["format"] != LONG, ["question_id", "dataset"]]
    both = both.merge(asked, on="question_id", validate="many_to_one")
    rows = [(name, *_agreement(of["grade"], of["grade_other"])) for name, of in both.groupby("dataset")]
    return pd.DataFrame(rows, columns=["dataset", "answers", "agreement", "kappa"])


def _agreement(one: pd.Series, other: pd.Series) -> tuple[int, float, float]:
    """Number of answers, observed agreement p, and (p - chance) / (1 - chance)."""
    observed = float((one == other).mean())
    chance = sum(float((one == grade).mean() * (other == grade).mean()) for grade in GRADES)
    kappa = (observed - chance) / (1 - chance) if chance < 1 else float("nan")
    return len(one), observed, kappa
