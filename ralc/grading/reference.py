"""Grades by comparison with the accepted and the known wrong answers, without a model."""

from collections.abc import Sequence

from ralc.english import match_answer
from ralc.registry import CORRECT, INCORRECT, NOT_ATTEMPTED, UNPARSED

#: The grade of each way in which an answer may give known answers (`ralc.english.match_answer`).
_GRADES = {
    "right": CORRECT,
    "wrong": INCORRECT,
    "several": INCORRECT,
    "other": INCORRECT,
    "none": NOT_ATTEMPTED,
    "unsure": UNPARSED,
}


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

    Where a text ends in a line that says its answer ("ANSWER: B", "The answer is (B).", a box), that line decides. Of
    several choices a leading letter decides, whatever its choice says, unless the text then names another choice. An
    answer is CORRECT when its answering clauses affirm an accepted answer of what was asked and no other. Others are a
    known wrong one, another choice, an alternative of its own. To deny the accepted answer, or to name several, is
    INCORRECT. Where nothing is named it is what means the same (`ralc.english.same_answer`). What is about something
    else than was asked, or only admits not to know, is NOT_ATTEMPTED. An unanswerable question is answered by saying
    that the background does not say what was asked. Where nothing decides, the grade is ``unparsed``. Such are an
    accepted answer said of something that the question does not name, and a denial of mostly what was asked. So are
    other words than those of accepted answers that are sentences, without choices.

    Parameters
    ----------
    text
        The answer.
    question
        What was asked.
    accepted, wrong
        Accepted and known wrong answers.
    choices
        Those of multiple choice, in their order.
    correct_choice
        The place of the right one, from 0; None without choices.
    answerable
        Whether the question has an answer; `accepted` counts only then.

    Returns
    -------
    str
        ``CORRECT``, ``INCORRECT``, ``NOT_ATTEMPTED`` or ``unparsed``.

    Examples
    --------
    >>> reference_grade("I think it might be Paris.", "What is the capital of France?", accepted=["Paris"])
    'CORRECT'
    """
    right = accepted if answerable else None
    return _GRADES[match_answer(text, question, right, wrong, choices, correct_choice)]
