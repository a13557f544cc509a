"""Grades by the method that the config names, of answers and of freely written rewrites.

A rewrite that carries the answer's words over claims what the original claims and keeps its grade. Where a model wrote
freely (Direct Beta-guided, or any rewrite of an LLM rewriter) the text may claim something else and has its own.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from ralc.clustering.majority import questions_of
from ralc.conditions import UNIT
from ralc.grading.llm_grader import parse_grade, render
from ralc.grading.reference import reference_grade
from ralc.io.console import progress
from ralc.precomputed.samples import Samples, share_right
from ralc.registry import CORRECT, INCORRECT, NOT_ATTEMPTED, PARTLY, UNANSWERED, UNPARSED
from ralc.sampling import unanswered


def grade(
    answers: pd.DataFrame,
    questions: pd.DataFrame,
    *,
    method: str = "reference",
    not_attempted: str = "wrong",
    replies: pd.DataFrame | None = None,
    recorded: Samples | None = None,
) -> pd.DataFrame:
    """Return the grades table of a target's answers by the grader's method.

    Answers not attempted count as `not_attempted` says: ``wrong``, or ``dropped``, without an outcome. What was never
    answered has no outcome, and nobody is asked about it; nor has what is ``unparsed``.
    Method ``recorded`` takes the grades of the target's recorded samples. A sentence has those of its facts: CORRECT
    where all are right, PARTLY_CORRECT where some are. Its outcome is the share of its facts that are right.
    Method ``llm`` takes the `replies` to `render`'s requests for this target (`ralc.llm.tables.join`).

    Returns
    -------
    DataFrame
        ``question_id, sentence, prompt, grade, outcome``, a row an answer.

    Raises
    ------
    ValueError
        If the method or an answer's question is unknown. By ``llm`` if replies are missing. By
        ``recorded`` if there are no samples, or no grade at all.
    """
    lost = answers[unanswered(answers)]
    answers = answers.drop(index=lost.index)
    by_id = questions_of(answers, questions)
    rows = [(answer, by_id[answer.question_id]) for answer in answers.itertuples(index=False)]
    shares: list[float | None] = [None] * len(answers)
    if method == "reference":
        graded = progress(rows, "grades", "answers", len(rows))
        grades = [_by_reference(answer.text, row) for answer, row in graded]
    elif method == "llm" and replies is not None:
        answers = replies
        grades, shares = [parse_grade(reply) for reply in answers["reply"]], [None] * len(answers)
    elif method == "recorded" and recorded is not None:
        grades, shares = _as_recorded(rows, recorded)
    else:
        raise ValueError(f"grader {method!r}: must be reference, llm with replies, or recorded with samples")
    table = pd.concat([answers, lost], ignore_index=True)[[*UNIT, "prompt"]]
    table["grade"] = [*grades, *[UNANSWERED] * len(lost)]
    none = [UNPARSED, UNANSWERED, *([NOT_ATTEMPTED] if not_attempted == "dropped" else [])]
    outcome = (table["grade"] == CORRECT).astype(float).mask(table["grade"].isin(none))
    parts = pd.Series([*shares, *[None] * len(lost)], index=table.index, dtype=float)
    return table.assign(outcome=parts.fillna(outcome))


def _by_reference(text: str, row: Any) -> str:
    """Grade by `reference_grade` of an answer to a question."""
    return reference_grade(
        text,
        row.question,
        accepted=list(row.accepted),
        wrong=list(row.wrong),
        choices=list(row.choices),
        correct_choice=None if pd.isna(row.correct_choice) else int(row.correct_choice),
        answerable=row.answerable,
    )


def _as_recorded(rows: Sequence[tuple[Any, Any]], recorded: Samples) -> tuple[list[str], list[float | None]]:
    """Grades that the file has for the answers, ``unparsed`` where it has none; and shares of their facts."""
    grades = [_recorded(answer, recorded.of(answer.question_id, row.question)) for answer, row in rows]
    if not any(grade for grade, _ in grades):
        remedy = "grade by roles.grader: {method: reference}"
        raise ValueError(f"{recorded.path}: no column `correct` or `grade` with a value: {remedy}")
    return [grade or UNPARSED for grade, _ in grades], [share for _, share in grades]


def _recorded(answer: Any, row: Any) -> tuple[str | None, float | None]:
    """Grade of an answer in its row of the file, and of a sentence the share of its facts that is right."""
    if row is None or answer.prompt != "direct":
        return row and row.hedged_correct, None
    sample = answer.members[0]
    if row.facts[sample] is None:
        return row.correct[sample], None
    share = share_right(row.facts[sample], answer.start, answer.start + len(answer.text))
    return (None if share is None else CORRECT if share == 1 else PARTLY if share else INCORRECT), share


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
    plan: pd.DataFrame, rewrites: pd.DataFrame, questions: pd.DataFrame, model: Mapping[str, Any], **how: Any
) -> pd.DataFrame:
    """Return the requests to the grader about the freely written rewrites; `how` and all else as for `render`."""
    return render(free_texts(plan, rewrites), questions, model, **how)


def grade_rewrites(
    plan: pd.DataFrame, rewrites: pd.DataFrame, questions: pd.DataFrame, *, method: str, **how: Any
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
    how
        As for `grade`: what answers not attempted count as; replies of method ``llm``.

    Returns
    -------
    DataFrame
        ``question_id, sentence, task, grade, outcome``.
    """
    texts = free_texts(plan, rewrites)
    if method == "none":
        texts, method = texts.iloc[:0], "reference"
    return grade(texts, questions, method=method, **how).rename(columns={"prompt": "task"})
