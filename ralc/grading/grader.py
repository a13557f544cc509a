"""The grader: a grade for each answer, and for each freely written rewrite.

A rewrite that carries the answer's words over claims what the original claims and keeps its grade. Where a model wrote
freely (Direct Beta-guided, or any rewrite of an LLM rewriter) the text may claim something else and has its own.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from ralc.clustering.majority import questions_of
from ralc.conditions import UNIT
from ralc.grading.llm_grader import PROMPT_TOKENS, grader_fields, parse_grade
from ralc.grading.reference import reference_grade
from ralc.io.console import progress
from ralc.precomputed.samples import Samples, read_first, share_right
from ralc.registry import CORRECT, INCORRECT, NOT_ATTEMPTED, PARTLY, UNANSWERED, UNPARSED
from ralc.sampling import unanswered
from ralc.steps import ANSWER_TOKENS, Calls, Step, Workload

#: What names an answer among a target's.
ANSWER = [*UNIT, "prompt"]


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
        graded = self._graded(given, questions_of(given, questions), replies, read_first(recorded))
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
            grader_fields(answer.text, by_id[answer.question_id], self.protocol)
            for answer in given.itertuples(index=False)
        )
        if "target" not in given:
            given = given.assign(target="none")
        return self.requests(fields, given[["target", *ANSWER]], model)

    @classmethod
    def calls(cls, run: Workload) -> list[Calls]:
        """Return the calls about original and hedged answers; the prompt shows the right one, too."""
        graded = run.answers + run.hedged
        return [Calls(graded, graded, PROMPT_TOKENS + run.question_tokens + 2 * ANSWER_TOKENS, 1)]

    def _graded(self, answers, questions, replies, recorded):
        if replies is None:
            raise ValueError("grader llm: there are no replies")
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
