"""Reading: every item, by the evaluator in the loop and by the judge (paper section 3.1).

What is read is a table ``item, text``: an item is an answer, a rewritten answer under one condition, or a sentence of
the lexicon. Items of equal text have equal readings; only where the protocol reads every item anew
(`fresh_readings`) do language models draw scores of their own for each.

A reader is known by its name: ``cues`` and ``judge`` are reader models; ``ensemble`` are the language models of the
role by the paper's prompt, ``few_shot`` is a small one by examples, whose replies come as requests and responses.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from ralc import readers
from ralc.beta import Beta
from ralc.conditions import answer_items, rewrite_items
from ralc.protocols import Protocol
from ralc.readers import ensemble, exact, few_shot

#: Scores a virtual reader model gives for each pass: the paper's ensemble has three evaluators.
EVALUATORS = 3
Mode = Literal["sampled", "exact"]


def list_answers(answers: pd.DataFrame) -> pd.DataFrame:
    """Return the answers of all targets as what is read: ``item, text``."""
    return pd.DataFrame({"item": answer_items(answers), "text": answers["text"]})


def list_rewrites(plan: pd.DataFrame, rewrites: pd.DataFrame) -> pd.DataFrame:
    """Return the planned conditions with their rewritten texts as what is read: ``item, text``."""
    rows = plan.drop(columns="text").merge(rewrites[["task", "text"]], on="task", validate="many_to_one")
    return pd.DataFrame({"item": rewrite_items(rows), "text": rows["text"]})


def list_sentences(sentences: pd.DataFrame) -> pd.DataFrame:
    """Return the distinct sentences of each expression as what is read: ``item, text``."""
    listed = pd.DataFrame({"item": _sentence_items(sentences), "text": sentences["sentence"]})
    return listed.drop_duplicates("item", ignore_index=True)


def list_texts(texts: Sequence[str]) -> pd.DataFrame:
    """Return texts that belong to nothing as what is read: ``item, text``."""
    return pd.DataFrame({"item": [f"text {place}" for place in range(len(texts))], "text": list(texts)})


def render(
    texts: pd.DataFrame,
    names: Iterable[str],
    *,
    model: Mapping[str, Any],
    mode: Mode,
    passes: int,
    seed: int,
    fresh: bool,
) -> pd.DataFrame:
    """Return what one model is asked to read `texts` for the readers `names`: ``reader, item, text``, the requests."""
    parts = []
    for name in dict.fromkeys(names):
        if name == "few_shot":
            part = few_shot.render(texts, model=model)
        elif mode == "exact":
            part = exact.render_distributions(texts, model=model)
        else:
            part = ensemble.render_readings(texts, model=model, passes=passes, seed=seed, fresh=fresh)
        part.insert(0, "reader", name)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def read(
    texts: pd.DataFrame,
    names: Iterable[str],
    *,
    audience: dict[str, str] | None = None,
    mode: Mode = "sampled",
    requests: pd.DataFrame | None = None,
    responses: pd.DataFrame | None = None,
    protocol: str | Protocol = "ralc",
) -> pd.DataFrame:
    """Return the readings table of `texts` by each reader: item, text, reader, alpha, beta, readings.

    A reader model gives the distribution itself, so its number of readings is 0; `audience` narrows the reader
    ``cues`` to some people. The ensemble's scores become a distribution by moments.
    """
    parts = []
    for name in dict.fromkeys(names):
        if name == "few_shot":
            parts.append(few_shot.read(_asked(requests, name), responses))
        elif name != "ensemble":
            parts.append(_by_model(texts, _model(name, audience).read(texts["text"].tolist()), name))
        elif mode == "exact":
            distributions = exact.parse_distributions(_asked(requests, name), responses)
            parts.append(exact.fit_distributions(distributions, reader=name, protocol=protocol))
        else:
            scores = ensemble.parse_readings(_asked(requests, name), responses, reader=name)
            parts.append(ensemble.fit_readings(scores, reader=name, protocol=protocol))
    return pd.concat(parts, ignore_index=True)


def score(
    sentences: pd.DataFrame,
    name: str,
    *,
    passes: int,
    seed: int,
    mode: Mode = "sampled",
    audience: dict[str, str] | None = None,
    requests: pd.DataFrame | None = None,
    responses: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Return the raw scores of the lexicon's sentences by the evaluator: expression, sentence, reader, score.

    A reader model answers for as many virtual readers as the paper's ensemble would, and a distribution of scores by
    its quantiles; scores that are not valid are left out (`fit_lexicon` counts what is there).
    """
    rows = sentences[["expression", "sentence"]].assign(item=_sentence_items(sentences))
    if name == "ensemble":
        asked = _asked(requests, name)
        if mode == "exact":
            scores = exact.quantile_scores(exact.parse_distributions(asked, responses), reader=name)
        else:
            scores = ensemble.parse_readings(asked, responses, reader=name).dropna(subset=["score"])
        return rows.merge(scores[["item", "reader", "score"]], on="item").drop(columns="item")
    rng, count = np.random.default_rng(seed), EVALUATORS * passes
    if name == "few_shot":
        read = few_shot.read(_asked(requests, name), responses).dropna(subset=["alpha"])
        rows = rows.merge(read[["item", "alpha", "beta"]], on="item", validate="many_to_one")
        values = few_shot.scores(Beta(rows["alpha"].to_numpy(), rows["beta"].to_numpy()), count, rng)
    else:
        values = _model(name, audience).scores(rows["sentence"].tolist(), count, rng)
    rows = rows.loc[np.repeat(rows.index, count), ["expression", "sentence"]]
    return rows.assign(reader=name, score=values.ravel())


def _sentence_items(sentences: pd.DataFrame) -> pd.Series:
    """The names of the lexicon's sentences as items."""
    return sentences["expression"].str.cat(sentences["sentence"], sep="/")


def _asked(requests: pd.DataFrame, name: str) -> pd.DataFrame:
    """The requests of one reader."""
    return requests[requests["reader"] == name]


def _by_model(texts: pd.DataFrame, confidence: Beta, name: str) -> pd.DataFrame:
    """The readings of a reader model."""
    table = texts[["item", "text"]].assign(reader=name, alpha=confidence.alpha, beta=confidence.beta)
    return table.assign(readings=0)


def _model(name: str, audience: dict[str, str] | None) -> readers.Reader:
    """A reader model; only the one in the loop has audiences."""
    return readers.load(name, audience=audience) if name == "cues" else readers.load(name)
