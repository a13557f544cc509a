"""Reading: each distinct text once, by the evaluator in the loop and by the judge (paper section 3.1).

A reader is known by its name: ``cues`` and ``judge`` are reader models; ``ensemble`` are the language models of
the role, whose replies come as requests and responses.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from ralc import readers
from ralc.protocols import Protocol
from ralc.readers.llm import fit_readings, parse_readings

#: Scores a virtual reader model gives for each pass: the paper's ensemble has three evaluators.
EVALUATORS = 3


def distinct(tables: Iterable[pd.DataFrame]) -> list[str]:
    """Return the distinct texts of some tables with a column `text` (or `sentence`), sorted."""
    texts = (table["text" if "text" in table else "sentence"].dropna() for table in tables)
    return sorted(set().union(*texts))


def read(
    texts: Sequence[str],
    names: Iterable[str],
    *,
    audience: dict[str, str] | None = None,
    requests: pd.DataFrame | None = None,
    responses: pd.DataFrame | None = None,
    protocol: str | Protocol = "ralc",
) -> pd.DataFrame:
    """Return the readings table of `texts` by each reader: text, reader, alpha, beta, readings.

    A reader model gives the distribution itself, so its number of readings is 0; `audience` narrows the reader
    ``cues`` to some people. The ensemble's scores become a distribution by moments.
    """
    parts = []
    for name in dict.fromkeys(names):
        if name == "ensemble":
            scores = parse_readings(requests, responses, reader=name)
            parts.append(fit_readings(scores[scores["text"].isin(texts)], protocol=protocol))
        else:
            confidence = _model(name, audience).read(texts)
            columns = {"text": texts, "reader": name, "alpha": confidence.alpha, "beta": confidence.beta}
            parts.append(pd.DataFrame(columns).assign(readings=0))
    return pd.concat(parts, ignore_index=True)


def score(
    sentences: pd.DataFrame,
    name: str,
    *,
    passes: int,
    seed: int,
    audience: dict[str, str] | None = None,
    requests: pd.DataFrame | None = None,
    responses: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Return the raw scores of the lexicon's sentences by the evaluator: expression, sentence, reader, score.

    A reader model answers for as many virtual readers as the paper's ensemble would; scores that are not valid
    are left out (`fit_lexicon` counts what is there).
    """
    if name == "ensemble":
        scores = parse_readings(requests, responses, reader=name).dropna(subset=["score"])
        return sentences[["expression", "sentence"]].merge(
            scores.rename(columns={"text": "sentence"})[["sentence", "reader", "score"]], on="sentence"
        )
    count = EVALUATORS * passes
    scores = _model(name, audience).scores(sentences["sentence"].tolist(), count, np.random.default_rng(seed))
    rows = sentences.loc[np.repeat(sentences.index, count), ["expression", "sentence"]]
    return rows.assign(reader=name, score=scores.ravel())


def _model(name: str, audience: dict[str, str] | None) -> readers.Reader:
    """A reader model; only the one in the loop has audiences."""
    return readers.load(name, audience=audience) if name == "cues" else readers.load(name)
