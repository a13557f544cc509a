"""Grades by comparison with the accepted and the known wrong answers, without a model."""

from collections import Counter
from collections.abc import Sequence

import pandas as pd

from ralc.english.candidates import chosen, named
from ralc.english.denials import affirmed_and_denied
from ralc.english.normalisation import abstains, denies_background, first_sentence, head_clause, words
from ralc.grading.table import grades_table, questions_of
from ralc.names import CORRECT, INCORRECT, NOT_ATTEMPTED

#: An accepted answer of so many words may be met by an overlap of so much (F1).
_LONG_ANSWER = 3
_LEAST_OVERLAP = 0.5


def reference_grade(
    text: str,
    question: str,
    *,
    accepted: Sequence[str],
    wrong: Sequence[str] = (),
    choices: Sequence[str] = (),
    correct_choice: int | None = None,
    answerable: bool = True,
) -> str:
    """Return the grade of an answer by comparison, without a model.

    An answer is CORRECT when the clause that answers affirms an accepted answer and no other candidate (the
    known wrong answers, the other choices); to deny the accepted answer is INCORRECT. Where nothing is named
    it is CORRECT when its words overlap an accepted answer of some length enough, and more than any wrong
    one. An unanswerable question is answered by saying that the background does not say. Other abstentions
    are NOT_ATTEMPTED.

    >>> reference_grade("I think it might be Paris.", "What is the capital of France?", accepted=["Paris"])
    'CORRECT'
    """
    if not words(text) and not (len(choices) and text.strip()):
        return NOT_ATTEMPTED
    if denies_background(first_sentence(text)):
        return NOT_ATTEMPTED if answerable else CORRECT
    if not answerable:
        return NOT_ATTEMPTED if abstains(text) else INCORRECT
    if choices:
        right = _chooses(text, question, accepted, choices, correct_choice)
    else:
        right = _names_accepted(text, question, accepted, wrong)
    if right is None and abstains(text):
        return NOT_ATTEMPTED
    return CORRECT if right else INCORRECT


def _chooses(
    text: str, question: str, accepted: Sequence[str], choices: Sequence[str], correct: int | None
) -> bool | None:
    """Whether the one choice that an answer names is the right one; None where it names none, or several."""
    choice = chosen(text, choices, question)
    if choice is not None:
        return choice == correct
    # An alias of the right choice is none of the choices' own texts.
    other = [text for place, text in enumerate(choices) if place != correct]
    return _names_one(head_clause(text, question), accepted, other)


def _names_accepted(text: str, question: str, accepted: Sequence[str], wrong: Sequence[str]) -> bool | None:
    """Whether an answer names an accepted answer and no wrong one; None where it names neither."""
    for part in (head_clause(text, question), first_sentence(text)):
        right = _names_one(part, accepted, wrong)
        if right is not None:
            return right
    return _overlaps(text, accepted, wrong)


def _names_one(text: str, accepted: Sequence[str], wrong: Sequence[str]) -> bool | None:
    """Whether a text affirms right answers alone; None where it affirms none and denies no right one."""
    affirmed, denied = affirmed_and_denied(text)
    found = named(affirmed, [*accepted, *wrong])
    if found:
        return max(found) < len(accepted)
    return False if named(denied, accepted) else None


def _overlaps(text: str, accepted: Sequence[str], wrong: Sequence[str]) -> bool | None:
    """Whether an answer in words of its own is nearest to an accepted one; None where nothing is near."""
    best = _best_overlap(text, accepted)
    return True if best >= _LEAST_OVERLAP and best > _best_overlap(text, wrong) else None


def _best_overlap(text: str, references: Sequence[str]) -> float:
    """The largest F1 of shared words with a reference of some length (SQuAD's measure)."""
    spoken = Counter(words(text))
    best = 0.0
    for reference in references:
        known = Counter(words(reference))
        if known.total() >= _LONG_ANSWER:
            best = max(best, 2 * (spoken & known).total() / (spoken.total() + known.total()))
    return best


def grade_reference(answers: pd.DataFrame, questions: pd.DataFrame) -> pd.DataFrame:
    """Return the grades of answers by `reference_grade`.

    Parameters
    ----------
    answers
        Columns ``question_id``, ``prompt``, ``text``; others are not looked at.
    questions
        The questions table.

    Returns
    -------
    DataFrame
        A row an answer, in their order: ``question_id, prompt, grade, outcome``.

    Raises
    ------
    ValueError
        If an answer's question is unknown.
    """
    known = questions_of(answers, questions)
    grades = [
        reference_grade(
            answer.text,
            row.question,
            accepted=list(row.accepted),
            wrong=list(row.wrong),
            choices=list(row.choices),
            correct_choice=None if pd.isna(row.correct_choice) else int(row.correct_choice),
            answerable=row.answerable,
        )
        for answer, row in ((answer, known[answer.question_id]) for answer in answers.itertuples(index=False))
    ]
    return grades_table(answers, grades)
