"""Requests to a target, and its answers (paper section 5.1, prompts in appendix C.1)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ralc import prompts
from ralc.english.normalisation import cut_off, first_sentence
from ralc.io import say
from ralc.llm.models import ModelConfig
from ralc.llm.requests import request_for
from ralc.llm.tables import join, to_table
from ralc.precomputed.samples import Samples
from ralc.registry import LONG, PROMPTS
from ralc.sampling.lengths import beyond
from ralc.sampling.precomputed_requests import render_precomputed

#: Where an answer to a short prompt ends: it is one sentence.
_SHORT_STOP = {"direct": ("\n", ". "), "hedged": ("\n",)}
#: What the names of a style's prompts begin with.
_STYLES = {"paper": "", "short": "short_"}


def question_messages(question: Any, prompt: str, style: str = "paper") -> prompts.Messages:
    """Return the prompt that asks a question.

    Parameters
    ----------
    question
        A row of the questions table.
    prompt
        ``direct`` or ``hedged``.
    style
        ``paper``, or ``short``: for very small models, in one short sentence.

    Raises
    ------
    ValueError
        If the prompt or the style is unknown, or an answer that is long is to be short.
    """
    if question.format == LONG and style == "short":
        raise ValueError(
            f"question {question.question_id!r} asks for a long answer, and sampling.prompts: short for one short "
            "sentence: set sampling.prompts: paper"
        )
    if prompt not in PROMPTS or style not in _STYLES:
        raise ValueError(
            f"no {prompt!r} prompt of style {style!r}: {', '.join(PROMPTS)}; {', '.join(_STYLES)}"
        )
    return prompts.messages(
        f"{_STYLES[style]}{prompt}_qa_{question.format}",
        question=question.question,
        choices=list(question.choices),
        context=question.context,
        title=question.title,
    )


def render(
    questions: pd.DataFrame,
    model: Mapping[str, Any],
    *,
    answers: int = 20,
    max_tokens: int = 64,
    style: str = "paper",
    hedged: Sequence[str] = ("test",),
    own_answers: bool = False,
    seed: int = 0,
    recorded: Samples | None = None,
) -> pd.DataFrame:
    """Return the requests to a target: `answers` direct answers a question, and one hedged answer.

    For recorded samples: as many as there are (`ralc.sampling.recorded_samples`). Prompts too long for the model's
    context are told on the console.

    Parameters
    ----------
    questions
        Questions of any datasets, with ``split``.
    model
        The target's entry of the configuration.
    answers
        Direct answers a question.
    max_tokens
        Longest answer; half as much again for a hedged one.
    style
        ``paper`` or ``short`` (see `question_messages`).
    hedged
        The splits that get hedged answers; they are only compared on the test split. A long answer is not asked for
        hedged: its sentences are others than those of the direct one.
    own_answers
        Whether questions with equal prompts get answers of their own (protocols `paper` and `authors`).
    seed
        Of the run.
    recorded
        The target's samples, where they were recorded.

    Returns
    -------
    DataFrame
        A requests table (`ralc.llm.tables`) with ``question_id`` and ``prompt``.
    """
    if recorded is not None:
        return render_precomputed(questions, recorded, model, hedged=hedged, seed=seed)
    rows = []
    for prompt in PROMPTS:  # equal beginnings of prompts stand together
        direct = prompt == "direct"
        for row in questions.itertuples(index=False):
            if not direct and (row.split not in hedged or row.format == LONG):
                continue
            request = request_for(
                model,
                question_messages(row, prompt, style),
                n=answers if direct else 1,
                max_tokens=max_tokens if direct else max_tokens * 3 // 2,
                stop=_SHORT_STOP[prompt] if style == "short" else (),
                logprobs=direct,
            )
            salt = (seed, row.question_id) if own_answers else (seed,)
            rows.append((row.question_id, prompt, request.with_content_seed(*salt)))
    longest = ModelConfig.model_validate(model).longest
    told = ((question_id, request.messages) for question_id, prompt, request in rows if prompt == "direct")
    if longest is not None and (line := beyond(told, longest, max_tokens)):
        say(line)
    return to_table(
        [request for _, _, request in rows],
        question_id=[question_id for question_id, _, _ in rows],
        prompt=[prompt for _, prompt, _ in rows],
    )


def clean_answer(text: str, prompt: str, style: str = "paper", *, cut: bool = False) -> str:
    """Return an answer as it is clustered, graded, read and rewritten.

    Style ``paper``: without padding. Style ``short``: one line; of a direct answer the first sentence, up to
    its last whole clause where it was `cut` at ``max_tokens``, with its full stop. An answer of several sentences
    is kept whole in either style, however long: what is graded and clustered is its beginning
    (`ralc.english.normalisation.LONGEST`).

    >>> clean_answer("The capital of Kenya is Nairobi, which is the", "direct", "short", cut=True)
    'The capital of Kenya is Nairobi.'
    """
    if style == "paper":
        return text.strip()
    if prompt == "hedged":
        return " ".join(text.split())
    sentence = first_sentence(text)
    whole = sentence.endswith((".", "!", "?"))
    if whole or not sentence:
        return sentence
    return (cut_off(sentence) if cut else sentence).rstrip(" ,;:(") + "."


def parse(requests: pd.DataFrame, responses: pd.DataFrame, style: str = "paper") -> pd.DataFrame:
    """Return the samples table of the answers to `render`'s requests.

    Returns
    -------
    DataFrame
        ``question_id, prompt, sample, text, finish_reason, token_logprobs`` (nats, of the answer as it was
        generated; None where the engine gives none), ``token_ends`` (where those tokens end in ``text``, in characters,
        likewise), and ``raw``, the text before `clean_answer`. A
        request that failed for good has an empty text and finish reason ``error``.

    Raises
    ------
    ValueError
        If a request has no response.
    """
    joined = join(requests, responses)
    cut = joined["finish_reason"] == "length"
    joined["raw"] = joined["reply"]
    joined["text"] = [
        clean_answer(text, prompt, style, cut=was_cut)
        for text, prompt, was_cut in zip(joined["raw"], joined["prompt"], cut, strict=True)
    ]
    ends = zip(joined["token_ends"], joined["raw"], joined["text"], strict=True)
    joined["token_ends"] = [_moved(*one) for one in ends]
    known = ["finish_reason", "token_logprobs", "token_ends", "raw"]
    joined = joined[["question_id", "prompt", "sample", "text", *known]]
    return joined.sort_values(["question_id", "prompt", "sample"], kind="stable", ignore_index=True)


def _moved(ends: Sequence[int] | None, raw: str, text: str) -> list[int] | None:
    """Where tokens end in an answer, from where they end in it as it came; None where that is another."""
    start = raw.find(text)
    return None if not np.ndim(ends) or start < 0 else [min(max(end - start, 0), len(text)) for end in ends]
