"""Signals: the confidence behind each original answer, as tables (paper sections 3.1 and 4.3)."""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd

from ralc.conditions import SIGNAL_READING, UNIT, answer_items, having
from ralc.pipeline.sentence_support import OverlapSupport, SentenceSupport, Support
from ralc.protocols import Protocol
from ralc.registry import SIGNALS
from ralc.signals import OF_ANSWERS, OF_SENTENCES, Answers, of_answers, of_own_tokens


def compute(
    samples: pd.DataFrame,
    clusters: pd.DataFrame,
    answers: pd.DataFrame,
    readings: pd.DataFrame,
    questions: pd.DataFrame,
    replies: pd.DataFrame | None = None,
    self_evaluation: pd.DataFrame | None = None,
    *,
    target: str,
    signals: Sequence[str],
    evaluator: str,
    support: Support | None = None,
    protocols: Mapping[str, Protocol],
) -> pd.DataFrame:
    """Return the signals table: protocol, question_id, sentence, signal, alpha, beta of `target`'s answers.

    A signal that an answer lacks (no reading, no log-probabilities) has null parameters. Each protocol, by its label,
    makes the signals anew, from the same answers and readings. The first is the run's: by its `letter` linguistic
    confidence has a reading of its own, and else that of linguistic space.

    Parameters
    ----------
    samples, clusters, answers, questions
        Tables of the target: its samples, what they mean, its original answers; and the questions.
    readings
        How evaluators read the answers, by ``item``.
    replies
        Of a model that `support` asks.
    self_evaluation
        What the target says of its own answers (`ralc.pipeline.self_evaluation`).
    target
        Its name.
    signals
        Names of `ralc.registry.SIGNALS`.
    evaluator
        Who reads the answers for linguistic confidence.
    support
        Who says how much of each sentence the other answers say; without it shared words tell.
    protocols
        By their labels; the first is the run's.
    """
    originals = having(answers, prompt="direct").assign(target=target)
    run = next(iter(protocols.values()))
    originals["item"] = answer_items(originals) + (SIGNAL_READING if run.letter else "")
    sampled = _answers_by_question(samples, clusters) if OF_ANSWERS.keys() & set(signals) else {}
    supports = {}
    if OF_SENTENCES.keys() & set(signals):
        supports = (support or OverlapSupport()).result(originals, samples, questions, replies)
    if self_evaluation is None:
        self_evaluation = pd.DataFrame(columns=["signal", *UNIT, "alpha", "beta"])
    parts = []
    for (label, protocol), signal in product(protocols.items(), signals):
        if signal in OF_SENTENCES:
            table = _of_sentences(signal, originals, supports)
        elif signal in OF_ANSWERS:
            table = _of_answers(signal, originals, sampled, protocol)
        elif SIGNALS[signal].needs_extra_call:
            table = _joined(originals, having(self_evaluation, signal=signal), UNIT)
        else:
            table = _joined(originals, having(readings, evaluator=evaluator), ["item"])
        parts.append(table.assign(signal=signal, protocol=label))
    return pd.concat(parts, ignore_index=True)


def _joined(originals: pd.DataFrame, values: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """What was read, or said, of each original answer."""
    values = values[[*keys, "alpha", "beta"]]
    joined = originals[[*UNIT, "item"]].merge(values, on=keys, how="left", validate="one_to_one")
    return joined.drop(columns="item")


def _of_answers(
    signal: str, originals: pd.DataFrame, sampled: Mapping[str, Answers], protocol: Protocol
) -> pd.DataFrame:
    """A signal that is made from the answers to each question (`ralc.signals.of_answers`).

    Of a sentence of a long answer one of tokens is made from its own (`ralc.signals.of_own_tokens`).
    """
    parameters = np.full((len(originals), 2), np.nan)
    for place, row in enumerate(originals.itertuples()):
        if (answers := sampled.get(row.question_id)) is None:
            continue  # never answered
        if SIGNALS[signal].logprobs and isinstance(row.parent_answer, str):
            span = (row.start, row.start + len(row.text))
            beta = of_own_tokens(signal, answers, span, protocol)
        else:
            beta = of_answers(signal, answers, protocol)
        if beta is not None:
            parameters[place] = beta.alpha, beta.beta
    return originals[UNIT].assign(alpha=parameters[:, 0], beta=parameters[:, 1])


def _of_sentences(
    signal: str, originals: pd.DataFrame, supports: Mapping[str, SentenceSupport]
) -> pd.DataFrame:
    """A signal that is made from how much of each sentence other answers say."""
    parts = []
    for question, rows in originals[UNIT].groupby("question_id", sort=False):
        support = supports.get(question)
        betas = OF_SENTENCES[signal](*support) if support is not None and support.supported.size else None
        alpha, beta = (np.nan, np.nan) if betas is None else (betas.alpha, betas.beta)
        parts.append(rows.assign(alpha=alpha, beta=beta))
    return pd.concat(parts)


def _answers_by_question(samples: pd.DataFrame, clusters: pd.DataFrame) -> dict[str, Answers]:
    """The direct answers to each question, in their order, and what each means."""
    direct = having(samples, prompt="direct")
    rows = direct.merge(clusters, on=["question_id", "sample"], validate="one_to_one")
    rows = rows.sort_values(["question_id", "sample"], kind="stable")
    return {
        question: Answers(
            texts=group["text"].tolist(),
            clusters=group["cluster"].tolist(),
            token_logprobs=group["token_logprobs"].tolist(),
            token_ends=group["token_ends"].tolist(),
        )
        for question, group in rows.groupby("question_id", sort=False)
    }
