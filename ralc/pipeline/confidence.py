"""Signals: the confidence behind each original answer, as tables (paper sections 3.1 and 4.3)."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from ralc.beta import Beta
from ralc.conditions import SIGNAL_READING, UNIT, answer_items
from ralc.pipeline.sentence_support import SentenceSupport, by_model, by_words
from ralc.protocols import Protocol
from ralc.registry import SIGNALS
from ralc.signals import OF_ANSWERS, OF_SENTENCES, Answers, of_answers, of_own_tokens


class Sources(NamedTuple):
    """What signals are made from: the original answers of a target, and what is known about them."""

    originals: pd.DataFrame
    answers: Mapping[str, Answers]
    support: Mapping[str, SentenceSupport]
    readings: pd.DataFrame
    asked: pd.DataFrame | None
    protocol: Protocol


def compute(
    samples: pd.DataFrame,
    clusters: pd.DataFrame,
    answers: pd.DataFrame,
    readings: pd.DataFrame,
    questions: pd.DataFrame,
    requests: pd.DataFrame | None = None,
    responses: pd.DataFrame | None = None,
    asked: pd.DataFrame | None = None,
    *,
    target: str,
    signals: Sequence[str],
    evaluator: str,
    protocols: Mapping[str, Protocol],
    letter: bool = False,
) -> pd.DataFrame:
    """Return the signals table: protocol, question_id, sentence, signal, alpha, beta of `target`'s answers.

    A signal that an answer lacks (no reading, no log-probabilities) has null parameters. Each protocol, by its label,
    makes the signals anew, from the same answers and readings.

    Parameters
    ----------
    requests, responses
        Of a model that is asked what the other answers say of each sentence; without them shared words tell.
    asked
        What the target says of its own answers (`ralc.pipeline.self_evaluation`).
    evaluator
        Who reads the answers for linguistic confidence.
    letter
        Whether linguistic confidence has a reading of its own, by the paper's letter, or that of linguistic space.
    """
    originals = answers[answers.prompt == "direct"].assign(target=target)
    originals["item"] = answer_items(originals) + (SIGNAL_READING if letter else "")
    read = readings[readings.evaluator == evaluator]
    sampled = _answers_by_question(samples, clusters) if OF_ANSWERS.keys() & set(signals) else {}
    support = {}
    if requests is not None and responses is not None:
        support = by_model(requests, responses, target=target)
    elif OF_SENTENCES.keys() & set(signals):
        support = by_words(originals, samples, questions)
    parts = []
    for label, protocol in protocols.items():
        sources = Sources(originals, sampled, support, read, asked, protocol)
        parts += [MAKERS[signal](sources).assign(signal=signal, protocol=label) for signal in signals]
    return pd.concat(parts, ignore_index=True)


def _linguistic_confidence(sources: Sources) -> pd.DataFrame:
    """The reading of each original answer."""
    readings = sources.readings[["item", "alpha", "beta"]]
    read = sources.originals[[*UNIT, "item"]].merge(readings, on="item", how="left", validate="one_to_one")
    return read.drop(columns="item")


def _of_itself(sources: Sources, signal: str) -> pd.DataFrame:
    """What the target said of each original answer when it was asked about it."""
    columns, reply = [*UNIT, "alpha", "beta"], sources.asked
    table = pd.DataFrame(columns=columns) if reply is None else reply.loc[reply["signal"] == signal, columns]
    return sources.originals[UNIT].merge(table, on=UNIT, how="left", validate="one_to_one")


def _of_answers(sources: Sources, signal: str) -> pd.DataFrame:
    """A signal that is made from the answers to each question (`ralc.signals.of_answers`).

    Of a sentence of a long answer one of tokens is made from its own (`ralc.signals.of_own_tokens`).
    """
    betas: list[Beta | None] = []
    by_tokens = SIGNALS[signal].logprobs and not SIGNALS[signal].compares
    for row in sources.originals.itertuples():
        answers = sources.answers.get(row.question_id)  # None of what was never answered
        if answers is None:
            betas.append(None)
        elif by_tokens and isinstance(row.parent_answer, str):
            place = (row.start, row.start + len(row.text))
            betas.append(of_own_tokens(signal, answers, place, sources.protocol))
        else:
            betas.append(of_answers(signal, answers, sources.protocol))
    parameters = [(np.nan, np.nan) if one is None else (float(one.alpha), float(one.beta)) for one in betas]
    table = pd.DataFrame(parameters, sources.originals.index, ["alpha", "beta"], dtype=float)
    return sources.originals[UNIT].join(table)


def _of_sentences(sources: Sources, signal: str) -> pd.DataFrame:
    """A signal that is made from how much of each sentence other answers say."""
    parts = []
    for question, rows in sources.originals[UNIT].groupby("question_id", sort=False):
        support = sources.support.get(question)
        made = OF_SENTENCES[signal](*support) if support is not None and support.said.size else None
        alpha, beta = (np.nan, np.nan) if made is None else (made.alpha, made.beta)
        parts.append(rows.assign(alpha=alpha, beta=beta))
    return pd.concat(parts)


#: The function that makes each signal's table: question_id, sentence, alpha, beta.
MAKERS: dict[str, Callable[[Sources], pd.DataFrame]] = {
    "linguistic_confidence": _linguistic_confidence,
    **{name: partial(_of_itself, signal=name) for name, signal in SIGNALS.items() if signal.asks},
    **{signal: partial(_of_answers, signal=signal) for signal in OF_ANSWERS},
    **{signal: partial(_of_sentences, signal=signal) for signal in OF_SENTENCES},
}


def _answers_by_question(samples: pd.DataFrame, clusters: pd.DataFrame) -> dict[str, Answers]:
    """The direct answers to each question, in their order, and what each means."""
    direct = samples[samples["prompt"] == "direct"]
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
