"""How much of each sentence of an answer the other answers to its question say, and how far they contradict it.

It is scored by shared words or by a model. One of entailment has the other answer as the premise (LUQ, Zhang et al.
2024). A language model is asked (SelfCheckGPT, Manakul et al. 2023).
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ralc import prompts
from ralc.beta.validation import Floats
from ralc.conditions import UNIT
from ralc.llm import request_for, to_table
from ralc.sampling import answered
from ralc.signals import covered

#: What a language model may reply: the other answer says it, contradicts it, does not speak of it.
LETTERS = {"A": (1.0, 0.0), "B": (0.0, 1.0), "C": (0.0, 0.0)}


class SentenceSupport(NamedTuple):
    """How much of each sentence each other answer says, and how far it contradicts it; (sentences, other answers)."""

    supported: Floats
    contradicted: Floats


def by_words(
    originals: pd.DataFrame, samples: pd.DataFrame, questions: pd.DataFrame
) -> dict[str, SentenceSupport]:
    """Return what the other answers say of the sentences of `originals`, a target's direct answers, by question."""
    supports = {}
    for question, query, rows, other_answers in _answers(originals, samples, questions):
        each = [covered(text, other_answers.tolist(), query) for text in rows["text"]]
        shares = np.array(each).reshape(len(rows), len(other_answers))
        supports[question] = SentenceSupport(shares, np.zeros_like(shares))
    return supports


def render(
    answers: pd.DataFrame,
    samples: pd.DataFrame,
    questions: pd.DataFrame,
    *,
    method: str,
    model: Mapping[str, Any],
    seed: int = 0,
) -> pd.DataFrame:
    """Return the requests to a model, of each sentence and each other answer one, whose number is ``other``.

    The first two tables have a column ``target``; `method` is ``entailment`` or ``llm``, `model` an entry of the
    configuration. Beside the requests stand ``target, question_id, sentence, other``.
    """
    rows = [
        (target, question, row.sentence, other, _question(method, query, text, row.text))
        for target, originals in answers[answers["prompt"] == "direct"].groupby("target", sort=False)
        for question, query, sentences, rest in _answers(
            originals, samples[samples["target"] == target], questions
        )
        for other, text in rest.items()
        for row in sentences.itertuples()
    ]
    requests = [request_for(model, **fields).with_content_seed(seed) for *_, fields in rows]
    columns = ("target", *UNIT, "other")
    return to_table(requests, **{name: [row[at] for row in rows] for at, name in enumerate(columns)})


def by_model(replies: pd.DataFrame) -> dict[str, SentenceSupport]:
    """Return what a model replied about the sentences of a target's answers, by question.

    Another answer for which one of its replies is of no use is left out, and counted where calls are.
    """
    shares = [_shares(*reply) for reply in zip(replies["reply"], replies["alternatives"], strict=True)]
    found = pd.DataFrame(shares, columns=SentenceSupport._fields, dtype=float)
    supports = {}
    for question, rows in replies.join(found).groupby("question_id", sort=False):
        table = rows.set_index(["sentence", "other"])[[*SentenceSupport._fields]].unstack()  # noqa: PD010
        share, contradicted = (table[name].to_numpy() for name in SentenceSupport._fields)
        usable = ~np.isnan(share).any(axis=0)
        supports[question] = SentenceSupport(share[:, usable], contradicted[:, usable])
    return supports


def _answers(
    originals: pd.DataFrame, samples: pd.DataFrame, questions: pd.DataFrame
) -> Iterator[tuple[str, str, pd.DataFrame, pd.Series]]:
    """Each question, what it asks, the sentences of its original answer, and the other answers by their numbers."""
    direct = answered(samples[samples["prompt"] == "direct"])
    texts = {question: group.set_index("sample")["text"] for question, group in direct.groupby("question_id")}
    query = questions.set_index("question_id")["question"]
    for question, rows in originals.groupby("question_id", sort=False):
        original = rows["members"].iloc[0][:1]
        further = texts[question].drop(original) if len(original) else pd.Series(dtype=str)
        yield question, query[question], rows, further


def _question(method: str, question: str, other: str, sentence: str) -> dict[str, Any]:
    """What is asked of a model about a sentence and another answer."""
    if method == "entailment":
        return {
            "messages": [{"role": "user", "content": text} for text in (other, sentence)],
            "temperature": 0,
        }
    messages = prompts.messages("support", question=question, other=other, sentence=sentence)
    return {"messages": messages, "temperature": 0, "max_tokens": 4, "constraint": {"choice": list(LETTERS)}}


def _shares(reply: str, alternatives: Any) -> tuple[float, float]:
    """What a reply says: of a model of entailment the probabilities, else a letter; NaN where it is none."""
    if alternatives is not None and len(alternatives):
        entails, _, contradicts = np.exp(np.asarray(alternatives, dtype=float))
        return min(entails, 1.0), min(contradicts, 1.0)
    return LETTERS.get(reply.strip().rstrip("."), (np.nan, np.nan))
