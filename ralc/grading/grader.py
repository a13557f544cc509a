"""The grader: a grade for each answer, and for each freely written rewrite.

A rewrite that carries the answer's words over claims what the original claims and keeps its grade. Where a model wrote
freely (Direct Beta-guided, or any rewrite of an LLM rewriter) the text may claim something else and has its own.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from ralc import prompts
from ralc.clustering.majority import questions_of
from ralc.conditions import UNIT
from ralc.english import match_answer
from ralc.io.console import progress
from ralc.io.history import transcript
from ralc.precomputed.samples import Samples, read_first, share_right
from ralc.protocols import Protocol
from ralc.registry import CORRECT, INCORRECT, LONG, NOT_ATTEMPTED, PARTLY, UNANSWERED, UNPARSED
from ralc.sampling import unanswered
from ralc.steps import ANSWER_TOKENS, Calls, Step, Workload

#: What names an answer among a target's.
ANSWER = [*UNIT, "prompt"]
#: The grade of each way in which an answer may give known answers (`ralc.english.match_answer`).
_GRADES = {
    "right": CORRECT,
    "wrong": INCORRECT,
    "several": INCORRECT,
    "other": INCORRECT,
    "none": NOT_ATTEMPTED,
    "unsure": UNPARSED,
}
#: What the grader may reply.
LETTERS = {"A": CORRECT, "B": INCORRECT, "C": NOT_ATTEMPTED}
#: ASSUME: tokens of the prompt's own words.
PROMPT_TOKENS = 390
#: Room for a letter, and for one that is written freely.
_REPLY_TOKENS = 4
_FREE_TOKENS = 16


class Grader(Step):
    """Grades answers. One that is not attempted counts as the protocol's `not_attempted` says."""

    def result(
        self,
        answers: pd.DataFrame,
        questions: pd.DataFrame,
        replies: pd.DataFrame | None = None,
        recorded: Sequence[str | Path] = (),
    ) -> pd.DataFrame:
        """Return the grades table of a target's answers.

        What was never answered has no outcome, and nobody is asked about it; nor has what is ``unparsed``.

        Parameters
        ----------
        answers, questions
            The answers of a target, and the questions table.
        replies
            What a model replied about this target's answers.
        recorded
            The file of the target's recorded samples, if it has one.

        Returns
        -------
        DataFrame
            ``question_id, sentence, prompt, grade, outcome``, a row an answer. Outcome is 1 or 0, or a sentence's share
            of right facts.

        Raises
        ------
        ValueError
            If an answer's question is unknown, or what the method grades by is not there.
        """
        lost = answers[unanswered(answers)]
        given = answers.drop(index=lost.index)
        graded = self._graded(
            given, questions_of(given, questions), self.replied(replies), read_first(recorded)
        )
        table = pd.concat([graded, lost[ANSWER].assign(grade=UNANSWERED)], ignore_index=True)
        excluded = [UNPARSED, UNANSWERED]
        if self.protocol.not_attempted == "dropped":
            excluded.append(NOT_ATTEMPTED)
        outcome = (table["grade"] == CORRECT).astype(float).mask(table["grade"].isin(excluded))
        if "share" in table:
            outcome = table["share"].astype(float).fillna(outcome)
        return table[[*ANSWER, "grade"]].assign(outcome=outcome)

    @abstractmethod
    def _graded(
        self,
        answers: pd.DataFrame,
        questions: Mapping[str, Any],
        replies: pd.DataFrame | None,
        recorded: Samples | None,
    ) -> pd.DataFrame:
        """The given answers with ``grade``, and ``share`` where facts were graded; questions by their ids."""


class ReferenceGrader(Grader):
    """Compares an answer with the accepted and the known wrong ones."""

    def _graded(self, answers, questions, replies, recorded):
        rows = progress(answers.itertuples(index=False), "grades", "answers", len(answers))
        grades = [_by_reference(answer.text, questions[answer.question_id]) for answer in rows]
        return answers[ANSWER].assign(grade=grades)


class LLMGrader(Grader):
    """Asks a language model (the paper's). The paper's `letter` leaves its replies unconstrained."""

    def ask(
        self, answers: pd.DataFrame, questions: pd.DataFrame, *, model: Mapping[str, Any]
    ) -> pd.DataFrame:
        """Return the requests about the given answers of one target or of several, which a column names.

        Beside them stand ``target`` (``none`` where `answers` name none), ``question_id, sentence, prompt``.

        Parameters
        ----------
        answers
            Those that were never answered are not asked about.
        questions
            The questions table.
        model
            The grader's entry in the configuration.

        Raises
        ------
        ValueError
            If an answer's question is unknown, or a long one has no context to be graded by.
        """
        given = answers[~unanswered(answers)]
        by_id = questions_of(given, questions)
        fields = (
            self._fields(answer.text, by_id[answer.question_id]) for answer in given.itertuples(index=False)
        )
        if "target" not in given:
            given = given.assign(target="none")
        return self.requests(fields, given[["target", *ANSWER]], model)

    @classmethod
    def calls(cls, run: Workload) -> list[Calls]:
        """Return the calls about original and hedged answers; the prompt shows the right one, too."""
        graded = run.answers + run.hedged
        return [Calls(graded, graded, PROMPT_TOKENS + run.question_tokens + 2 * ANSWER_TOKENS, 1)]

    def _fields(self, text: str, question: Any) -> dict[str, Any]:
        """What asks to grade an answer to a question, a row of its table: for one of the three letters."""
        messages = grader_messages(text, question, self.protocol)
        return self.constrained(messages, _REPLY_TOKENS, {"choice": list(LETTERS)}, free=_FREE_TOKENS)

    def _graded(self, answers, questions, replies, recorded):
        return replies[ANSWER].assign(grade=replies["reply"].map(parse_grade))


class RecordedGrader(Grader):
    """Takes the grades of recorded samples. A sentence is CORRECT where all of its facts are right."""

    def _graded(self, answers, questions, replies, recorded):
        if recorded is None:
            raise ValueError("grader recorded: there are no recorded samples")
        rows = answers.itertuples(index=False)
        graded = [_recorded(answer, recorded.of(questions[answer.question_id])) for answer in rows]
        if not any(grade for grade, _ in graded):
            remedy = "grade by roles.grader: {method: reference}"
            raise ValueError(f"{recorded.path}: no column `correct` or `grade` with a value: {remedy}")
        return answers[ANSWER].assign(
            grade=[grade or UNPARSED for grade, _ in graded], share=[share for _, share in graded]
        )


#: The methods of grading, by their names in the configuration.
METHODS: dict[str, type[Grader]] = {
    "reference": ReferenceGrader,
    "llm": LLMGrader,
    "recorded": RecordedGrader,
}


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


def _recorded(answer: Any, row: Any) -> tuple[str | None, float | None]:
    """Grade of an answer in its row of the file, and of a sentence the share of its facts that is right."""
    if row is None or answer.prompt != "direct":
        return row and row.hedged_correct, None
    sample = answer.members[0]
    if row.facts[sample] is None:
        return row.correct[sample], None
    share = share_right(row.facts[sample], answer.start, answer.start + len(answer.text))
    if share is None:
        return None, None
    if share == 1:
        return CORRECT, share
    return PARTLY if share else INCORRECT, share
