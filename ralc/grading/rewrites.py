"""Grades of the freely written rewrites: of those texts that may claim something else than their originals."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd

from ralc.conditions import UNIT
from ralc.grading.grader import Grader, LLMGrader, ReferenceGrader
from ralc.steps import Step


class RewriteGrader(Step):
    """Grades the freely written rewrites as a grader grades answers; their task stands for the prompt."""

    def __init__(self, grader: type[Grader], **needed: Any) -> None:
        super().__init__(**needed)
        self.grader = grader(**needed)

    def ask(
        self, plan: pd.DataFrame, rewrites: pd.DataFrame, questions: pd.DataFrame, *, model: Mapping[str, Any]
    ) -> pd.DataFrame:
        """Return the requests about the texts; all else as for `LLMGrader.ask`."""
        return self.grader.ask(free_texts(plan, rewrites), questions, model=model)

    def result(
        self,
        plan: pd.DataFrame,
        rewrites: pd.DataFrame,
        questions: pd.DataFrame,
        replies: pd.DataFrame | None = None,
    ) -> pd.DataFrame:
        """Return the grades of the texts: ``question_id, sentence, task, grade, outcome``; see `Grader.result`."""
        grades = self.grader.result(free_texts(plan, rewrites), questions, replies)
        return grades.rename(columns={"prompt": "task"})


class _Ungraded(ReferenceGrader):
    """Grades nothing: what was written freely keeps the grade of its original."""

    def result(self, answers, questions, replies=None, recorded=()):
        return super().result(answers.iloc[:0], questions)


#: The methods of grading, by what `ralc.config.Config.rewrite_grader` names.
METHODS = {
    "reference": partial(RewriteGrader, ReferenceGrader),
    "llm": partial(RewriteGrader, LLMGrader),
    "none": partial(RewriteGrader, _Ungraded),
}


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
