"""Signals: the confidence behind each original answer, as tables (paper sections 3.1 and 4.3)."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from ralc.conditions import SIGNAL_READING, UNIT, answer_items
from ralc.pipeline.sentence_support import SentenceSupport, by_model, by_words
from ralc.protocols import Protocol
from ralc.registry import SIGNALS
from ralc.signals import OF_ANSWERS, OF_SENTENCES, Answers, of_answers, of_own_tokens


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

    A signal that an answer lacks (no reading, no log-probabilities) has null parameters.

    Parameters
    ----------
    samples, clusters, answers, readings, questions
        Tables of the run.
    requests, responses
        Of a model that is asked what the other answers say of each sentence; without them shared words tell.
    asked
        What the target says of its own answers (`ralc.pipeline.self_evaluation`).
    target, evaluator
        Whose answers, and who reads them for linguistic confidence.
    signals
        Names of `ralc.registry.SIGNALS`.
    protocols
        By their labels: each makes the signals anew, from the same answers and readings.
    letter
        Whether linguistic confidence has a reading of its own, by the paper's letter, or that of linguistic space.
    """
    originals = answers[answers.prompt == "direct"].assign(target=target)
    originals["item"] = answer_items(originals) + (SIGNAL_READING if letter else "")
    read = readings[readings.evaluator == evaluator]
    sampled = answers_by_question(samples, clusters) if OF_ANSWERS.keys() & set(signals) else {}
    elsewhere = {}
    if requests is not None and responses is not None:
        elsewhere = by_model(requests, responses, target=target)
    elif OF_SENTENCES.keys() & set(signals):
        elsewhere = by_words(originals, samples, questions)
    parts = []
    for label, protocol in protocols.items():
        sources = _Sources(originals, sampled, elsewhere, read, asked, protocol)
        parts += [_MADE_BY[signal](sources).assign(signal=signal, protocol=label) for signal in signals]
    return pd.concat(parts, ignore_index=True)


class _Sources(NamedTuple):
    """What signals are made from: the original answers of a target, and what is known about them."""

    originals: pd.DataFrame
    answers: Mapping[str, Answers]
    elsewhere: Mapping[str, SentenceSupport]
    readings: pd.DataFrame
    asked: pd.DataFrame | None
    protocol: Protocol


Maker = Callable[[_Sources], pd.DataFrame]
#: The function that makes each signal's table: question_id, sentence, alpha, beta.
_MADE_BY: dict[str, Maker] = {}


def makes(signal: str) -> Callable[[Maker], Maker]:
    """Mark the function that makes a signal; its name and title are declared in `ralc.registry`."""

    def register(function: Maker) -> Maker:
        _MADE_BY[signal] = function
        return function

    return register


@makes("linguistic_confidence")
def _linguistic_confidence(sources: _Sources) -> pd.DataFrame:
    """The reading of each original answer."""
    read = sources.originals[[*UNIT, "item"]].merge(
        sources.readings[["item", "alpha", "beta"]], on="item", how="left", validate="one_to_one"
    )
    return read.drop(columns="item")


def _of_itself(sources: _Sources, signal: str) -> pd.DataFrame:
    """What the target said of each original answer when it was asked about it."""
    columns = [*UNIT, "alpha", "beta"]
    asked = sources.asked
    table = pd.DataFrame(columns=columns) if asked is None else asked.loc[asked["signal"] == signal, columns]
    return sources.originals[UNIT].merge(table, on=UNIT, how="left", validate="one_to_one")


def _of_answers(sources: _Sources, signal: str) -> pd.DataFrame:
    """A signal that is made from the answers to each question (`ralc.signals.of_answers`).

    Of a sentence of a long answer one of tokens is made from its own (`ralc.signals.of_own_tokens`).
    """
    betas = []
    by_tokens = SIGNALS[signal].logprobs and not SIGNALS[signal].compares
    for row in sources.originals.itertuples():
        answers = sources.answers.get(row.question_id)  # None of what was never answered
        if answers is None:
            betas.append(None)
        elif by_tokens and isinstance(row.whole, str):
            place = (row.start, row.start + len(row.text))
            betas.append(of_own_tokens(signal, answers, place, sources.protocol))
        else:
            betas.append(of_answers(signal, answers, sources.protocol))
    parameters = {
        name: [np.nan if one is None else float(getattr(one, name)) for one in betas]
        for name in ("alpha", "beta")
    }
    return sources.originals[UNIT].assign(**parameters)


def _of_sentences(sources: _Sources, signal: str) -> pd.DataFrame:
    """A signal that is made from how much of each sentence other answers say."""
    originals, parts = sources.originals[UNIT], []
    for question, sentences in originals.groupby("question_id", sort=False):
        support = sources.elsewhere.get(question)
        beta = OF_SENTENCES[signal](*support) if support is not None and support.said.size else None
        parameters = {name: np.nan if beta is None else getattr(beta, name) for name in ("alpha", "beta")}
        parts.append(sentences.assign(**parameters))
    return pd.concat(parts)


for _signal in (name for name, signal in SIGNALS.items() if signal.asks):
    makes(_signal)(partial(_of_itself, signal=_signal))
for _signal in OF_ANSWERS:
    makes(_signal)(partial(_of_answers, signal=_signal))
for _signal in OF_SENTENCES:
    makes(_signal)(partial(_of_sentences, signal=_signal))


def answers_by_question(samples: pd.DataFrame, clusters: pd.DataFrame) -> dict[str, Answers]:
    """Return the direct answers to each question, in their order, and what each means."""
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
