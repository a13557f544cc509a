"""The corrective round of a closed loop: a model is told how its rewrite was read, and writes once more."""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd

from ralc.beta import Beta
from ralc.english import unread
from ralc.evaluators import build
from ralc.llm.replies import SENTENCE_TOKENS
from ralc.prompts import messages
from ralc.rewriting.candidates import DRAFTS, LLMRewriting
from ralc.rewriting.requests import guidance, replies_by_task, tasks, usable
from ralc.rewriting.selection import is_within_step
from ralc.steps import ANSWER_TOKENS, HEDGE_TOKENS, HEDGED_TOKENS, Calls, Workload

#: ASSUME: tokens of the prompt's own words.
PROMPT_TOKENS = 250


class Correction(LLMRewriting):
    """Asks once more about the tasks of which nothing is read within 0.05 of the target."""

    def ask(
        self,
        plan: pd.DataFrame,
        candidates: pd.DataFrame,
        replies: pd.DataFrame,
        readings: pd.DataFrame | None = None,
        *,
        model: Mapping[str, Any],
    ) -> pd.DataFrame:
        """Return the requests, by ``task``: the draft that is read nearest to the target, its reading and the target.

        Notes are no candidates here: they are for what no wording of the answer says.

        Parameters
        ----------
        plan, candidates, replies
            The rewriting plan, the first candidates, and the replies that they were made of.
        readings
            ``text, alpha, beta`` of all texts of `to_be_read`; None where the evaluator asks no model.
        model
            The rewriter's entry in the configuration.
        """
        by_task = replies_by_task(replies)
        rows = tasks(plan)
        written = (rows["skip_reason"] == "") & (rows["loop"] != "open")
        rows = rows[written & ~(rows["free"] | rows["text"].map(unread).astype(bool))]
        drafts = {row.task: usable(row, by_task[row.task]) for row in rows.itertuples()}
        worded = candidates[candidates["origin"] != "note"].groupby("task")["text"].agg(list)
        read = _readings(readings, self.evaluator, chain(*drafts.values(), *worded))
        asked, fields = [], []
        for row in rows.itertuples():
            target = Beta(row.alpha, row.beta)
            own = [text for text in drafts[row.task] if text in read]
            others = [text for text in worded.get(row.task, []) if text in read]
            if not own or any(is_within_step(target, read[text]) for text in (*own, *others)):
                continue
            draft = own[int(np.argmin([abs(read[text].mean - target.mean) for text in own]))]
            told = {"draft": draft, "read": round(100 * read[draft].mean), "target": round(100 * target.mean)}
            prompt = messages("correction", **guidance(row), **told)
            fields.append({"messages": prompt, "n": DRAFTS, "max_tokens": SENTENCE_TOKENS})
            asked.append(row.task)
        return self.requests(fields, pd.DataFrame({"task": asked}), model)

    @classmethod
    def calls(cls, run: Workload) -> list[Calls]:
        """Return the calls about all that an evaluator chooses."""
        prompt = PROMPT_TOKENS + ANSWER_TOKENS + HEDGE_TOKENS * run.hedges_shown
        return [Calls(run.chosen, DRAFTS * run.chosen, prompt, HEDGED_TOKENS)]


#: The one method that has a corrective round.
METHODS = {"llm": Correction}


def _readings(
    readings: pd.DataFrame | None, evaluator: Mapping[str, Mapping[str, Any]], texts: Iterable[str]
) -> dict[str, Beta]:
    """The reading of each text that has one, of an evaluator that asks nobody at once."""
    if readings is not None:
        scored = readings.dropna(subset=["alpha", "beta"]).drop_duplicates("text")
        return {row.text: Beta(row.alpha, row.beta) for row in scored.itertuples()}
    reader = build(*next(iter(evaluator.items())))
    legible = [text for text in dict.fromkeys(texts) if not unread(text)]
    return dict(zip(legible, reader.read(legible), strict=True)) if legible else {}
