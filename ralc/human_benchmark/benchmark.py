"""The human benchmark: any evaluator of perceived confidence against what people read.

- ``tao_benchmark``: 1,622 sentences. A score was kept only inside the band of the level that the writer was asked for,
  so it measures the filter as much as reading: the level alone reaches Spearman .869 / Pearson .986 (row ``level``).
- ``tao_raw``: held-out sentences of the raw 10,000 x 5. ``noise_ceiling`` is the highest correlation with the mean of
  five persons that any evaluator can reach; ``one_person`` how well one predicts the mean of the other four.
- ``capphrase``, ``wadefagen``, ``zonination``: phrases, with means and spreads between persons. An evaluator stands
  best on the studies that it was estimated from (``cue_model``: capphrase; ``cue_model_b``: the other two).
"""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from ralc import data, statistics
from ralc.beta import Beta
from ralc.english import PHRASE_SENTENCES
from ralc.human_benchmark.studies import (
    LEVEL_MIDDLE,
    phrase_figures,
    read_benchmark,
    read_capphrase,
    read_phrase_survey,
    read_published,
    read_tao,
    tao_scores,
)
from ralc.registry import EVALUATOR_METRICS
from ralc.statistics import Statistic

FloatArray = NDArray[np.float64]
PHRASE_STUDIES = ("capphrase", "wadefagen", "zonination")
_BENCHMARK = "tao2025/linguistic_confidence_benchmark_1622.csv"
#: What each yardstick is read from.
FILES: Mapping[str, tuple[str, ...]] = {
    "tao_raw": ("tao2025/full_dataset_10000x5_raw.csv", _BENCHMARK),
    "tao_benchmark": (_BENCHMARK,),
    "capphrase": ("capphrase/absolute_judgements.csv", "capphrase/respondent_metadata.csv"),
    "wadefagen": ("wadefagen/survey-results.csv",),
    "zonination": ("zonination/probly.csv",),
}
_PUBLISHED = "tao2025/eval_results_1622_llm_scorers.csv"
COLUMNS = ["dataset", "evaluator", "metric", "value", "ci_low", "ci_high", "p_value", "n"]
_POINTS = ["dataset", "quantity", "evaluator", "item", "read", "human", "human_sd", "n"]
BINS = 20
#: The measured rows that the package carries, so that a report without the studies still shows them.
COMMITTED = {
    "human_benchmark": data.path("human_benchmark.csv"),
    "human_benchmark_points": data.path("human_benchmark_points.csv"),
    "refits": data.path("human_refits.csv"),
    "checks": data.path("evaluator_checks.csv"),
}


class Study(NamedTuple):
    """A yardstick: its items, their texts, and what people read; `sd` where the spread is not censored."""

    items: pd.Series
    texts: pd.Series
    mean: FloatArray
    sd: FloatArray | None = None


def benchmark_texts(folder: Path, names: Collection[str] | None = None) -> list[str]:
    """Every text that an evaluator must have read before `human_benchmark`, each once, sorted."""
    return sorted(set().union(*(study.texts for study in studies(folder, names).values())))


def human_benchmark(
    readings: pd.DataFrame,
    folder: Path,
    names: Collection[str] | None = None,
    *,
    resamples: int = 1000,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Return every evaluator against the yardsticks, beside the published scorers and the ceilings.

    Parameters
    ----------
    readings
        ``text, evaluator, alpha, beta``: each evaluator's Beta of each of `benchmark_texts`; null where it has none.
    folder, names
        Of the studies, and the yardsticks to use: all that are there.
    resamples, rng
        Bootstrap resamples of the items for the 95 % intervals, at least 2, and what draws them.

    Returns
    -------
    DataFrame
        ``dataset, evaluator, metric, value, ci_low, ci_high, p_value, n``, by the metrics of `EVALUATOR_METRICS`.

    Raises
    ------
    ValueError
        If there is no reading, `resamples` is below 2, or an evaluator lacks a text or has read fewer than three of
        a study.
    """
    if readings.empty:
        raise ValueError("readings: no evaluator")
    if resamples < 2:
        raise ValueError(f"resamples = {resamples} must be at least 2")
    rows: list[dict[str, Any]] = []
    yardsticks = studies(folder, names)
    for dataset, study in yardsticks.items():
        for evaluator, read in read_by(readings, study.texts).items():
            mean, sd = read["mean"].to_numpy(), read["sd"].to_numpy()
            kept = np.isfinite(mean)
            if kept.sum() < 3:
                raise ValueError(f"readings: {evaluator!r} has read {kept.sum()} texts of {dataset}")
            compared = of_means(mean[kept], study.mean[kept])
            if study.sd is not None:
                compared |= of_spreads(sd[kept], study.sd[kept])
            rows += benchmark_rows(dataset, evaluator, compared, resamples=resamples, rng=rng)
    if "tao_raw" in yardsticks:
        raw = read_tao(folder)
        rows += _ceilings(tao_scores(raw[raw["part"] == "held_out"]))
    if "tao_benchmark" in yardsticks:
        for name, compared in _published(folder).items():
            rows += benchmark_rows("tao_benchmark", name, compared, resamples=resamples, rng=rng)
    return pd.DataFrame(rows)[COLUMNS]


def of_means(read: FloatArray, human: FloatArray) -> dict[str, Statistic]:
    """How the means that an evaluator reads agree with people's: correlations, and the mean absolute error."""
    return {
        "spearman_mean": statistics.spearman(read, human),
        "pearson": statistics.pearson(read, human),
        "kendall": statistics.of_items(lambda x, y: stats.kendalltau(x, y)[0], read, human),
        "mean_error": statistics.mean(np.abs(read - human)),
    }


def of_spreads(read: FloatArray, human: FloatArray) -> dict[str, Statistic]:
    """How an evaluator's SD agree with those between people: rank correlation, and the mean absolute error."""
    return {
        "spearman_spread": statistics.spearman(read, human),
        "spread_error": statistics.mean(np.abs(read - human)),
    }


def benchmark_rows(
    dataset: str,
    evaluator: str,
    compared: Mapping[str, Statistic],
    *,
    resamples: int,
    rng: np.random.Generator,
) -> list[dict[str, Any]]:
    """Return the benchmark's rows of one evaluator on one yardstick, with 95 % intervals over its items.

    `compared` has statistics of the same items by metric; those that can be negative are tested against 0.
    """
    items = next(iter(compared.values())).size
    estimates = statistics.bootstrap(compared, items=items, resamples=resamples, rng=rng)
    rows = []
    for metric, row in statistics.intervals(estimates, null=0.0).iterrows():
        definition = EVALUATOR_METRICS[metric]
        low, high = np.clip([row["ci_low"], row["ci_high"]], definition.low, definition.high)
        p_value = row["p_value"] if definition.low < 0 else np.nan
        about = {"dataset": dataset, "evaluator": evaluator, "metric": metric, "value": row["value"]}
        rows.append({**about, "ci_low": low, "ci_high": high, "p_value": p_value, "n": items})
    return rows


def studies(folder: Path, names: Collection[str] | None = None) -> dict[str, Study]:
    """The yardsticks by name, of those whose files are in the folder; with `names`, of these alone.

    Raises
    ------
    ValueError
        If none is.
    """
    wanted = {name: files for name, files in FILES.items() if names is None or name in names}
    there = [name for name, files in wanted.items() if all((folder / file).is_file() for file in files)]
    scored = {}
    if "tao_raw" in there:
        raw = read_tao(folder)
        raw = raw[raw["part"] == "held_out"]
        scored["tao_raw"] = Study(raw["text"], raw["text"], tao_scores(raw).mean(axis=1))
    if "tao_benchmark" in there:
        benchmark = read_benchmark(folder)
        scored["tao_benchmark"] = Study(benchmark["text"], benchmark["text"], benchmark["score"].to_numpy())
    for name in PHRASE_STUDIES:
        if name not in there:
            continue
        scores = read_capphrase(folder) if name == "capphrase" else read_phrase_survey(folder, name)
        figures = phrase_figures(scores)
        texts = figures["phrase"].map(PHRASE_SENTENCES)
        scored[name] = Study(
            figures["phrase"], texts, figures["mean"].to_numpy(), figures["sd_words"].to_numpy()
        )
    if not scored:
        needed = "; ".join(" and ".join(files) for files in wanted.values())
        raise ValueError(
            f"{folder}: none of the studies {', '.join(wanted)} is there (needed: {needed}); "
            f"python -m studies.download {folder} fetches those with a stable address"
        )
    return scored


def read_by(readings: pd.DataFrame, texts: pd.Series) -> dict[str, pd.DataFrame]:
    """Mean and SD of each text (in its order, null where there is no reading), by evaluator.

    Raises
    ------
    ValueError
        If an evaluator lacks a text; the first is named.
    """
    readings_by = {}
    for evaluator, rows in readings.groupby("evaluator", sort=False):
        of_texts = rows.drop_duplicates("text").set_index("text")[["alpha", "beta"]]
        lacking = ~texts.isin(of_texts.index)
        if lacking.any():
            raise ValueError(f"readings: {evaluator!r} lacks {texts[lacking].iloc[0]!r}")
        table = pd.DataFrame({"mean": np.nan, "sd": np.nan}, index=of_texts.index)
        scored = of_texts.dropna()
        confidence = Beta.from_table(scored)
        table.loc[scored.index, "mean"] = confidence.mean
        table.loc[scored.index, "sd"] = np.sqrt(confidence.variance)
        readings_by[str(evaluator)] = table.loc[texts].reset_index(drop=True)
    return readings_by


def _published(folder: Path) -> dict[str, dict[str, Statistic]]:
    """The level band alone, and what others scored on the 1,622 items, where the file of that is there."""
    benchmark = read_benchmark(folder)
    level = benchmark["level"].map(LEVEL_MIDDLE).to_numpy()
    compared = {"level": of_means(level, benchmark["score"].to_numpy())}
    if not (folder / _PUBLISHED).is_file():
        return compared
    published = read_published(folder)
    for name in published.columns.drop("score"):
        scored = published.dropna(subset=name)  # some scorers left items out: n says how many they scored
        compared[name] = of_means(scored[name].to_numpy(), scored["score"].to_numpy())
    return compared


def reliability(scores: FloatArray) -> float:
    """Return the reliability of the mean of persons' scores, shape (items, persons): Cronbach's alpha, at most 1.

    >>> reliability(np.array([[0.1, 0.2], [0.5, 0.6], [0.9, 1.0]])).round(6)
    np.float64(1.0)
    """
    if scores.ndim != 2 or min(scores.shape) < 2:
        raise ValueError(f"scores must have two items and two persons: their shape is {scores.shape}")
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
        | {"dataset": "tao_raw", "evaluator": "humans", "metric": metric, "value": value, "n": len(scores)}
        for metric, value in values.items()
    ]


def benchmark_points(
    readings: pd.DataFrame, folder: Path, names: Collection[str] | None = None, *, bins: int = BINS
) -> pd.DataFrame:
    """Return human readings beside each evaluator's; arguments as for `human_benchmark`.

    Sentences are put together in `bins` of equal number along the evaluator's mean, fewer where readings are tied:
    they have no licence to be carried, and single ones are noisy (five persons each).

    Returns
    -------
    DataFrame
        ``dataset, quantity, evaluator, item, read, human, human_sd, n``: `quantity` is ``mean`` or ``spread`` (SD
        between persons, phrases only); `item` the phrase or the bin; `human_sd` the SD over the sentences of a
        bin (null for phrases); `n` its sentences, 1 for a phrase.
    """
    if bins < 1:
        raise ValueError(f"bins = {bins} must be at least 1")
    parts = []
    for dataset, study in studies(folder, names).items():
        for evaluator, read in read_by(readings, study.texts).items():
            points = _binned(read["mean"], study.mean, bins) if study.sd is None else _phrases(read, study)
            parts.append(points.assign(dataset=dataset, evaluator=evaluator))
    return pd.concat(parts, ignore_index=True)[_POINTS]


def _binned(read: pd.Series, human: np.ndarray, bins: int) -> pd.DataFrame:
    """Means in bins of the reading; texts without a reading are in none."""
    pairs = pd.DataFrame({"read": read, "human": human}).dropna()
    # By the middle of their ranks: equal readings share a bin.
    pairs["bin"] = ((pairs["read"].rank() - 0.5) * bins // len(pairs)).astype(int)
    grouped = pairs.groupby("bin")
    table = grouped.mean().assign(human_sd=grouped["human"].std(), n=grouped.size(), quantity="mean")
    return table.assign(item=[f"bin {place + 1}" for place in range(len(table))])


def _phrases(read: pd.DataFrame, study: Study) -> pd.DataFrame:
    """A point a phrase: its mean, and its SD between persons."""
    pairs = {"mean": (read["mean"], study.mean), "spread": (read["sd"], study.sd)}
    parts = [
        pd.DataFrame({"item": study.items, "read": ours.to_numpy(), "human": human, "quantity": quantity})
        for quantity, (ours, human) in pairs.items()
    ]
    return pd.concat(parts).dropna(subset="read").assign(human_sd=np.nan, n=1)


def load_committed(table: str) -> pd.DataFrame:
    """Return a committed table, by its name in `COMMITTED`.

    >>> load_committed("human_benchmark")["evaluator"].isin(["cue_model", "cue_model_b"]).any()
    np.True_
    """
    return pd.read_csv(COMMITTED[table], comment="#")


def with_committed(rows: pd.DataFrame, measured: str) -> pd.DataFrame:
    """The human benchmark's rows, `measured` in this run or beforehand, and below them those of other scripts.

    These are the refits of the packaged evaluator and the checks of the packaged evaluators, which no run makes anew.
    """
    parts = [load_committed(table).assign(measured="beforehand") for table in ("refits", "checks")]
    return pd.concat([rows.assign(measured=measured), *parts], ignore_index=True)
