"""Grades by a language model (paper appendix C.3)."""

from typing import Any

import pandas as pd

from ralc import prompts
from ralc.io.history import transcript
from ralc.protocols import Protocol
from ralc.registry import CORRECT, INCORRECT, LONG, NOT_ATTEMPTED, UNPARSED

#: What the grader may reply.
LETTERS = {"A": CORRECT, "B": INCORRECT, "C": NOT_ATTEMPTED}
#: ASSUME: tokens of the prompt's own words.
PROMPT_TOKENS = 390
#: Room for a letter, and for one that is written freely.
_REPLY_TOKENS = 4
_FREE_TOKENS = 16


def correct_answer(row: Any) -> str:
    """Return what the grader prompt shows as the correct answer to a question (a row of the table).

    Multiple choice: letter and text; otherwise the distinct accepted answers; for unanswerable questions a
    sentence that says so.

    >>> from types import SimpleNamespace as Row
    >>> correct_answer(Row(answerable=True, choices=["Lyon", "Paris"], correct_choice=1, accepted=["Paris"]))
    'B. Paris'
    """
    if not row.answerable:
        return "The background does not contain the answer."
    if len(row.choices):
        place = int(row.correct_choice)
        return f"{chr(ord('A') + place)}. {row.choices[place]}"
    return "; ".join(dict.fromkeys(row.accepted))


def grader_messages(text: str | None, row: Any, protocol: Protocol) -> prompts.Messages:
    """Return the grader prompt for an answer to a question.

    A sentence of a long answer is graded by the question's ``context``, which the model that answered was not shown.

    Parameters
    ----------
    text
        The answer.
    row
        Its question, a row of the questions table; with a ``history`` the conversation is shown (`transcript`).
    protocol
        By its `letter` an unanswerable question has no sentence more (see ``grader.j2``).

    Raises
    ------
    ValueError
        If a question that asks for a long answer has none.
    """
    asked = transcript(row.history, row.question)
    if row.format == LONG:
        if pd.isna(row.context):
            raise ValueError(
                f"question {row.question_id!r} asks for a long answer and has no context, the text by which its "
                "sentences are graded"
            )
        return prompts.messages("grader_sentence", question=asked, context=row.context, predicted_answer=text)
    return prompts.messages(
        "grader",
        question=asked,
        correct_answer=correct_answer(row),
        predicted_answer=text,
        unanswerable=not (protocol.letter or row.answerable),
    )


def parse_grade(text: str | None) -> str:
    """Return the grade that a grader's reply is: one of the three letters, alone, or ``unparsed``.

    >>> parse_grade(" B."), parse_grade("The answer is A")
    ('INCORRECT', 'unparsed')
    """
    letter = (text or "")[:50].strip().strip("\"'`*().:").strip()
    return LETTERS.get(letter, UNPARSED)


def grader_fields(text: str, row: Any, protocol: Protocol) -> dict[str, Any]:
    """Return what asks to grade an answer to a question: at temperature 0, for one of the three letters.

    Parameters
    ----------
    text
        The answer.
    row
        Its question, a row of the questions table.
    protocol
        By its `letter` the reply is not constrained.

    Returns
    -------
    dict
        ``messages, temperature, max_tokens`` and ``constraint`` of a request.
    """
    fields = {"messages": grader_messages(text, row, protocol), "temperature": 0.0}
    if protocol.letter:
        return fields | {"max_tokens": _FREE_TOKENS}
    return fields | {"max_tokens": _REPLY_TOKENS, "constraint": {"choice": list(LETTERS)}}
