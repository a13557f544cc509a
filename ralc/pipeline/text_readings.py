"""Reading: every item, by the evaluator in the loop and by the test evaluators (paper section 3.1).

What is read is a table ``item, text, crossing`` (`ralc.pipeline.texts`): an item is an answer, a rewritten answer under
one condition, or a sentence of the lexicon. Items of equal text have equal readings; only where the protocol reads
every item anew (the paper's letter) do language models draw scores of their own for each.

An evaluator is known by the name that the configuration gives it (`ralc.evaluators.build`).
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from ralc.evaluators import build
from ralc.pipeline.texts import list_sentences, sentence_items
from ralc.protocols import Protocol


def render(
    texts: pd.DataFrame,
    evaluators: Mapping[str, Mapping[str, Any]],
    *,
    model: Mapping[str, Any],
    seed: int,
    protocol: str | Protocol = "ralc",
) -> pd.DataFrame:
    """Return what one model is asked, for `evaluators` to read `texts`: ``evaluator, item, text``, requests."""
    parts = []
    for name, entry in evaluators.items():
        part = build(name, entry).ask(_for(entry, texts), model=model, seed=seed, protocol=protocol)
        part.insert(0, "evaluator", name)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def read(
    texts: pd.DataFrame,
    evaluators: Mapping[str, Mapping[str, Any]],
    *,
    requests: pd.DataFrame | None = None,
    responses: pd.DataFrame | None = None,
    protocol: str | Protocol = "ralc",
) -> pd.DataFrame:
    """Return the readings table of `texts` by each of `evaluators`: item, text, evaluator, alpha, beta, readings."""
    parts = [
        build(name, entry).readings(_for(entry, texts), _asked(requests, name), responses, protocol=protocol)
        for name, entry in evaluators.items()
    ]
    return pd.concat(parts, ignore_index=True)


def score(
    sentences: pd.DataFrame,
    name: str,
    entry: Mapping[str, Any],
    *,
    requests: pd.DataFrame | None = None,
    responses: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Return how one evaluator scores the lexicon's sentences: expression, sentence, evaluator, score, variance.

    A single score has variance 0; an evaluator that knows the distribution of readings gives its mean and
    variance, without draws. What is not valid is left out (`fit_lexicon` counts what is there). A sentence that was
    written several times counts as often, and is an item each time.
    """
    rows = sentences[["expression", "sentence"]].assign(item=sentence_items(sentences))
    scores = build(name, entry).scored(list_sentences(sentences), _asked(requests, name), responses)
    return rows.merge(scores, on="item").drop(columns="item")


def mean_by_expression(
    sentences: pd.DataFrame, evaluators: Mapping[str, Mapping[str, Any]]
) -> dict[str, pd.Series]:
    """Return the mean reading of each expression of the lexicon by each of `evaluators`, which ask nobody."""
    texts = list_sentences(sentences)
    means = {}
    for name, entry in evaluators.items():
        read = build(name, entry).readings(texts)
        mean = (read["alpha"] / (read["alpha"] + read["beta"])).set_axis(read["item"])
        by_row = sentence_items(sentences).map(mean)
        means[name] = by_row.groupby(sentences["expression"]).mean()
    return means


def _for(entry: Mapping[str, Any], texts: pd.DataFrame) -> pd.DataFrame:
    """What an evaluator reads of some texts: all, or what its own dataset's map aims at alone."""
    return texts if entry.get("crossing", True) else texts[~texts["crossing"]]


def _asked(requests: pd.DataFrame | None, name: str) -> pd.DataFrame | None:
    """The requests of one evaluator; None where no evaluator asks anything."""
    return None if requests is None else requests[requests["evaluator"] == name]
