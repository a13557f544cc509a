"""The human benchmark: any evaluator of perceived confidence against what people read.

Three yardsticks, never mixed:

- ``tao_benchmark``: 1,622 sentences whose human scores were kept only inside the band of the level that the
  writer was asked for. It measures the band filter as much as reading: the level alone, known exactly, reaches
  Spearman .869 / Pearson .986 (row ``level``), so read it beside the next.
- ``tao_raw``: held-out sentences of the raw 10,000 x 5, nothing filtered. ``noise_ceiling`` is the highest
  correlation with the mean of five persons that any evaluator can reach, from the persons' own agreement;
  ``one_person`` how well one person predicts the mean of the other four.
- ``capphrase``: 19 phrases read by 5,174 people: means and spreads between persons. So too ``wadefagen`` (17 phrases,
  123 people) and ``zonination`` (17, 46). A reader stands best on the studies that it was estimated from (``cues``:
  capphrase; ``judge``: the other two); the others show how the same phrases are read elsewhere.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from ralc.beta import Beta
from ralc.readers.persons import phrase_figures
from ralc.readers.studies import (
    LEVEL_MIDDLE,
    PHRASE_SENTENCES,
    read_benchmark,
    read_capphrase,
    read_phrase_survey,
    read_published,
    read_tao,
    tao_scores,
)

FloatArray = NDArray[np.float64]
Evaluator = Callable[[Sequence[str]], Beta]
CORRELATIONS = {"spearman_mean": stats.spearmanr, "pearson": stats.pearsonr, "kendall": stats.kendalltau}
COLUMNS = ["dataset", "reader", "metric", "value", "ci_low", "ci_high", "p_value", "n"]


def human_benchmark(
    evaluators: dict[str, Evaluator], folder: Path, *, resamples: int = 1000, rng: np.random.Generator
) -> pd.DataFrame:
    """Every evaluator against the yardsticks, beside the published scorers and the ceilings.

    Parameters
    ----------
    evaluators
        By name: texts to one Beta a text, e.g. ``{"cues": ralc.readers.load("cues").read}``.
    folder
        Of the studies.
    resamples
        Bootstrap resamples of the items for the 95 % intervals, at least 2.
    rng
        Draws them.

    Returns
    -------
    DataFrame
        ``dataset, reader, metric, value, ci_low, ci_high, p_value, n``. Metrics: ``spearman_mean, pearson, kendall``;
        ``mean_error`` (mean absolute error of the mean); ``spearman_concentration`` and ``spread_error`` (of the SD
        between persons; of the phrase studies, where the spread is not censored); ``noise_ceiling``, ``one_person``.

    Raises
    ------
    ValueError
        If there is no evaluator, `resamples` is below 2, or an evaluator returns the wrong number of readings.
    """
    if not evaluators:
        raise ValueError("no evaluators")
    if resamples < 2:
        raise ValueError(f"resamples = {resamples} must be at least 2")
    boot = _Bootstrap(resamples, rng)
    benchmark = read_benchmark(folder)
    raw = read_tao(folder)
    raw = raw[raw["part"] == "held_out"]
    studies = {"capphrase": phrase_figures(read_capphrase(folder))}
    studies |= {
        study: phrase_figures(read_phrase_survey(folder, study)) for study in ("wadefagen", "zonination")
    }
    rows: list[dict[str, Any]] = []
    for name, evaluate in evaluators.items():
        read = _checked(evaluate, name)
        rows += boot.means("tao_benchmark", name, read(benchmark["text"]).mean, benchmark["score"].to_numpy())
        rows += boot.means("tao_raw", name, read(raw["text"]).mean, tao_scores(raw).mean(axis=1))
        for study, phrases in studies.items():
            confidence = read(phrases["phrase"].map(PHRASE_SENTENCES))
            rows += boot.means(study, name, confidence.mean, phrases["mean"].to_numpy())
            rows += boot.spreads(study, name, np.sqrt(confidence.variance), phrases["sd_words"].to_numpy())
    level = benchmark["level"].map(LEVEL_MIDDLE).to_numpy()
    rows += boot.means("tao_benchmark", "level", level, benchmark["score"].to_numpy())
    published = read_published(folder)
    for name in published.columns.drop("score"):
        scored = published.dropna(subset=name)  # some scorers left items out: n says how many they scored
        rows += boot.means("tao_benchmark", name, scored[name].to_numpy(), scored["score"].to_numpy())
    return pd.DataFrame([*rows, *_ceilings(tao_scores(raw))])[COLUMNS]


def benchmark_pairs(evaluators: dict[str, Evaluator], folder: Path) -> pd.DataFrame:
    """What the scatter figure shows: ``dataset, reader, item, human, read``, a row an item and evaluator."""
    benchmark, raw = read_benchmark(folder), read_tao(folder)
    raw = raw[raw["part"] == "held_out"]
    phrases = phrase_figures(read_capphrase(folder))
    sets = {
        "tao_benchmark": (benchmark["text"], benchmark["score"], benchmark["text"]),
        "tao_raw": (raw["text"], tao_scores(raw).mean(axis=1), raw["text"]),
        "capphrase": (phrases["phrase"].map(PHRASE_SENTENCES), phrases["mean"], phrases["phrase"]),
    }
    parts = [
        pd.DataFrame(
            {
                "dataset": dataset,
                "reader": name,
                "item": np.asarray(items),
                "human": np.asarray(human),
                "read": _checked(evaluate, name)(texts).mean,
            }
        )
        for dataset, (texts, human, items) in sets.items()
        for name, evaluate in evaluators.items()
    ]
    return pd.concat(parts, ignore_index=True)


def reliability(scores: FloatArray) -> float:
    """Reliability of the mean of the persons' scores (Cronbach's alpha), at most 1.

    Parameters
    ----------
    scores
        Shape (items, persons), at least two of each.

    >>> reliability(np.array([[0.1, 0.2], [0.5, 0.6], [0.9, 1.0]])).round(6)
    np.float64(1.0)
    """
    if scores.ndim != 2 or min(scores.shape) < 2:
        raise ValueError(
            f"scores must have at least two items and two persons: their shape is {scores.shape}"
        )
    covariance = np.cov(scores.T)
    persons = scores.shape[1]
    return persons / (persons - 1) * (1 - np.trace(covariance) / covariance.sum())


def _ceilings(scores: FloatArray) -> list[dict[str, Any]]:
    """The two ceilings of the raw scores; without interval."""
    totals = scores.sum(axis=1, keepdims=True) - scores
    one = [stats.pearsonr(scores[:, person], totals[:, person])[0] for person in range(scores.shape[1])]
    values = {"noise_ceiling": np.sqrt(max(reliability(scores), 0.0)), "one_person": float(np.mean(one))}
    return [
        dict.fromkeys(COLUMNS, np.nan)
        | {"dataset": "tao_raw", "reader": "humans", "metric": metric, "value": value, "n": len(scores)}
        for metric, value in values.items()
    ]


def _checked(evaluate: Evaluator, name: str) -> Evaluator:
    def read(texts: Sequence[str]) -> Beta:
        confidence = evaluate(list(texts))
        if confidence.shape != (len(texts),):
            raise ValueError(f"evaluator {name!r}: {confidence.shape} readings of {len(texts)} texts")
        return confidence

    return read


class _Bootstrap:
    """Estimates with percentile intervals over items; one set of resamples a number of items."""

    def __init__(self, resamples: int, rng: np.random.Generator) -> None:
        self.resamples = resamples
        self.rng = rng
        self._indices: dict[int, NDArray[np.intp]] = {}

    def means(self, dataset: str, reader: str, read: FloatArray, human: FloatArray) -> list[dict[str, Any]]:
        """Rows of the correlations of the means and of their error."""
        rows = [
            self._row(
                dataset,
                reader,
                metric,
                read,
                human,
                lambda x, y, f=correlate: f(x, y)[0],
                correlate(read, human)[1],
            )
            for metric, correlate in CORRELATIONS.items()
        ]
        return [*rows, self._row(dataset, reader, "mean_error", read, human, _error)]

    def spreads(self, dataset: str, reader: str, read: FloatArray, human: FloatArray) -> list[dict[str, Any]]:
        """Rows of the rank correlation of concentration and of the error of the SD."""
        p_value = stats.spearmanr(read, human)[1]
        rank = self._row(
            dataset,
            reader,
            "spearman_concentration",
            read,
            human,
            lambda x, y: stats.spearmanr(x, y)[0],
            p_value,
        )
        return [rank, self._row(dataset, reader, "spread_error", read, human, _error)]

    def _row(
        self,
        dataset: str,
        reader: str,
        metric: str,
        read: FloatArray,
        human: FloatArray,
        statistic: Callable[[FloatArray, FloatArray], float],
        p_value: float = np.nan,
    ) -> dict[str, Any]:
        drawn = [statistic(read[index], human[index]) for index in self._resampled(len(human))]
        low, high = np.nanquantile(drawn, [0.025, 0.975])
        return {
            "dataset": dataset,
            "reader": reader,
            "metric": metric,
            "value": float(statistic(read, human)),
            "ci_low": float(low),
            "ci_high": float(high),
            "p_value": float(p_value),
            "n": len(human),
        }

    def _resampled(self, size: int) -> NDArray[np.intp]:
        if size not in self._indices:
            self._indices[size] = self.rng.integers(0, size, (self.resamples, size))
        return self._indices[size]


def _error(read: FloatArray, human: FloatArray) -> float:
    return float(np.abs(read - human).mean())
