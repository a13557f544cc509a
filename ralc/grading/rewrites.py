"""Grades of the freely written rewrites: of those texts that may claim something else than their originals."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from ralc.conditions import UNIT
from ralc.grading.grader import PROMPT_TOKENS, Grader, LLMGrader, ReferenceGrader
from ralc.steps import ANSWER_TOKENS, HEDGED_TOKENS, Calls, Workload


class RewriteGrader(Grader):
    """Grades the freely written rewrites as a grader grades answers; their task stands for the prompt."""

    def result(
        self,
        plan: pd.DataFrame,
        rewrites: pd.DataFrame,
        questions: pd.DataFrame,
        replies: pd.DataFrame | None = None,
    ) -> pd.DataFrame:
        """Return the grades of the texts: ``question_id, sentence, task, grade, outcome``; see `Grader.result`.

        Parameters
        ----------
        plan, rewrites
            As for `free_texts`.
        questions
            The questions table.
        replies
            What a model replied about these texts.
        """
        grades = super().result(free_texts(plan, rewrites), questions, replies)
        return grades.rename(columns={"prompt": "task"})


class ReferenceRewriteGrader(RewriteGrader, ReferenceGrader):
    """Compares the texts with the accepted answers."""


class LLMRewriteGrader(RewriteGrader, LLMGrader):
    """Asks a language model about the texts."""

    def ask(
        self, plan: pd.DataFrame, rewrites: pd.DataFrame, questions: pd.DataFrame, *, model: Mapping[str, Any]
    ) -> pd.DataFrame:
        """Return the requests about the texts; all else as for `LLMGrader.ask`.

        Parameters
        ----------
        plan, rewrites
            As for `free_texts`.
        questions
            The questions table.
        model
            The grader's entry in the configuration.
        """
        return super().ask(free_texts(plan, rewrites), questions, model=model)

    @classmethod
    def calls(cls, run: Workload) -> list[Calls]:
        """Return the calls about what a model wrote."""
        prompt = PROMPT_TOKENS + run.question_tokens + HEDGED_TOKENS + ANSWER_TOKENS
        return [Calls(run.written, run.written, prompt, 1)]


class NoRewriteGrader(ReferenceRewriteGrader):
    """Grades nothing: what was written freely keeps the grade of its original."""

    def result(self, plan, rewrites, questions, replies=None):
        """Return an empty table of grades.

        Parameters
        ----------
        plan, rewrites, questions
            As for `RewriteGrader.result`; only their columns matter.
        replies
            There are none.
        """
        return super().result(plan, rewrites.iloc[:0], questions)


#: The methods of grading, by what `ralc.config.Config.rewrite_grader` names.
METHODS: dict[str, type[RewriteGrader]] = {
    "reference": ReferenceRewriteGrader,
    "llm": LLMRewriteGrader,
    "none": NoRewriteGrader,
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
