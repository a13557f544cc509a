"""P(True): what a model says of its own answer, asked whether it is true (Kadavath et al. 2022)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ralc import prompts
from ralc.beta import Beta
from ralc.conditions import UNIT
from ralc.llm import request_for, to_table
from ralc.llm.tables import join
from ralc.registry import LONG
from ralc.sampling.missing import unanswered
from ralc.signals import p_true

#: What says that the answer is true, and that it is false.
LETTERS = ("A", "B")
#: No chance, no cut, one token.
_GREEDY = {"temperature": 0, "top_k": 0, "top_p": 1, "min_p": 0, "max_tokens": 1}


def render(
    answers: pd.DataFrame, questions: pd.DataFrame, *, model: Mapping[str, Any], style: str = "paper"
) -> pd.DataFrame:
    """Return the requests to a target: of each of its original answers, or sentence of a long one, whether it is true.

    Parameters
    ----------
    answers
        The target's answers.
    questions
        The questions table. Of one that asks for a long answer the context is what its sentences are graded by: it is
        not shown.
    model
        The target's entry in the configuration.
    style
        How it was asked: ``paper`` (choices by letter) or ``short`` (in words).

    Returns
    -------
    DataFrame
        A requests table with ``question_id, sentence``.
    """
    asked = questions.set_index("question_id")
    given = answers[(answers["prompt"] == "direct") & ~unanswered(answers)]
    requests = [
        request_for(model, _messages(asked.loc[question], text, style), alternatives=LETTERS, **_GREEDY)
        for question, text in zip(given["question_id"], given["text"], strict=True)
    ]
    return to_table(requests, **{name: given[name].tolist() for name in UNIT})


def parse(requests: pd.DataFrame, responses: pd.DataFrame) -> pd.DataFrame:
    """Return P(True) of each answer: ``question_id, sentence, alpha, beta`` and the ``tokens`` that it took.

    Null parameters where neither letter is among the likely tokens; one alone has all probability.

    Raises
    ------
    ValueError
        If a request has no response.
    """
    told = join(requests, responses)
    made = [_confidence(one) for one in told["alternatives"]]
    spent = responses.set_index("key")[["prompt_tokens", "completion_tokens"]].sum(axis=1)
    return told[UNIT].assign(
        alpha=[np.nan if one is None else float(one.alpha) for one in made],
        beta=[np.nan if one is None else float(one.beta) for one in made],
        tokens=requests["key"].astype("str").map(spent).to_numpy(),
    )


def _messages(question: pd.Series, answer: str, style: str) -> prompts.Messages:
    """The prompt that asks about an answer."""
    context = None if question["format"] == LONG else question["context"]
    return prompts.messages(
        "p_true",
        question=question["question"],
        choices=list(question["choices"]),
        lettered=style == "paper",
        context=context if isinstance(context, str) else None,
        answer=answer,
    )


def _confidence(logprobs: Sequence[float | None] | None) -> Beta | None:
    """P(True) from the letters' log-probabilities, null where one is not listed; None where neither is."""
    known = np.array([None] * len(LETTERS) if logprobs is None else logprobs, dtype=float)
    return None if np.isnan(known).all() else p_true(*np.nan_to_num(known, nan=-np.inf))
