"""The human benchmark: any evaluator of confidence against what people read (paper section 5.1).

- ``tao_benchmark``: 1,622 sentences. A score was kept only inside the band of the level asked of the writer, so it
  measures the filter as much as reading. The level alone reaches Spearman 0.869 / Pearson 0.986 (row ``level``).
- ``tao_raw``: held-out sentences of the raw 10,000 x 5. ``noise_ceiling`` is the highest correlation with the mean of
  five persons that any evaluator can reach. ``one_person`` is how well one predicts the mean of the other four.
- ``capphrase``, ``wadefagen``, ``zonination``: phrases, with means and spreads between persons. An evaluator stands
  best on the studies that it was estimated from (``cue_model``: capphrase; ``cue_model_b``: the other two).
"""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import scipy

from ralc import data, statistics
from ralc.beta import Beta
from ralc.beta.validation import Floats
from ralc.human_benchmark import studies
from ralc.lexicon.expressions import PHRASE_SENTENCES
from ralc.registry import EVALUATOR_METRICS
from ralc.statistics import Statistic

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
    """A yardstick: its items, their texts, what people read; `sd` of phrases, `persons`' scores of raw sentences."""

    items: pd.Series
    texts: pd.Series
    mean: Floats
    sd: Floats | None = None
    persons: Floats | None = None


def _study(folder: Path, name: str) -> Study:
    """One yardstick."""
    if name == "tao_raw":
        raw = studies.read_tao(folder).query("part == 'held_out'")
        scores = studies.tao_scores(raw)
        return Study(raw["text"], raw["text"], scores.mean(axis=1), persons=scores)
    if name == "tao_benchmark":
        items = studies.read_benchmark(folder)
        return Study(items["text"], items["text"], items["score"].to_numpy())
    figures = studies.phrase_figures(studies.read_survey(folder, name))
    texts = figures["phrase"].map(PHRASE_SENTENCES)
    return Study(figures["phrase"], texts, figures["mean"].to_numpy(), figures["sd_words"].to_numpy())


def yardsticks(folder: Path, names: Collection[str] | None = None) -> dict[str, Study]:
    """Return the yardsticks by name, of those whose files are in the folder; with `names`, of these alone.

    ValueError where none is.
    """
    wanted = {name: files for name, files in studies.FILES.items() if names is None or name in names}
    there = [name for name, files in wanted.items() if all((folder / file).is_file() for file in files)]
    if not there:
        needed = "; ".join(" and ".join(files) for files in wanted.values())
        raise ValueError(
            f"{folder}: none of the studies {', '.join(wanted)} is there (needed: {needed}); "
            f"python -m studies.download {folder} fetches those with a stable address"
        )
    return {name: _study(folder, name) for name in there}


def benchmark_texts(folder: Path, names: Collection[str] | None = None) -> list[str]:
    """Return every text that an evaluator must have read before `human_benchmark`, each once, sorted."""
    return sorted(set().union(*(study.texts for study in yardsticks(folder, names).values())))


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
        ValueError where an evaluator lacks a text or has read fewer than three of a study.
    folder, names
        Of the studies, and the yardsticks to use: all that are there.
    resamples, rng
        Bootstrap resamples of the items for the 95 % intervals, at least 2, and what draws them.
    """
    how = {"resamples": resamples, "rng": rng}
    rows: list[dict[str, Any]] = []
    studied = yardsticks(folder, names)
    for dataset, study in studied.items():
        for evaluator, read in read_by(readings, study.texts).items():
            mean = read["mean"].to_numpy()
            sd = read["sd"].to_numpy()
            finite = np.isfinite(mean)
            if finite.sum() < 3:
                raise ValueError(f"readings: {evaluator!r} has only {finite.sum()} texts of {dataset}")
            compared = of_means(mean[finite], study.mean[finite])
            if study.sd is not None:
                compared |= of_spreads(sd[finite], study.sd[finite])
            rows += benchmark_rows(dataset, evaluator, compared, **how)
    for dataset, study in studied.items():
        rows += [] if study.persons is None else _ceilings(dataset, study.persons)
    if "tao_benchmark" in studied:
        for name, compared in _published(folder).items():
            rows += benchmark_rows("tao_benchmark", name, compared, **how)
    return pd.DataFrame(rows)[COLUMNS]


def of_means(read: Floats, human: Floats) -> dict[str, Statistic]:
    """Return how the means that an evaluator reads agree with people's: correlations, and the mean absolute error."""
    return {
        "spearman_mean": statistics.spearman(read, human),
        "pearson": statistics.pearson(read, human),
        "kendall": statistics.of_items(lambda x, y: scipy.stats.kendalltau(x, y)[0], read, human),
        "mean_error": statistics.mean(np.abs(read - human)),
    }


def of_spreads(read: Floats, human: Floats) -> dict[str, Statistic]:
    """Return how an evaluator's SD agree with those between people: rank correlation, and the mean absolute error."""
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
    """Return the rows of one evaluator on one yardstick, with 95 % intervals; p values where it can be negative.

    Parameters
    ----------
    dataset, evaluator
        Names of the yardstick and of who reads.
    compared
        By metric, the statistic of the same items.
    resamples, rng
        Bootstrap resamples of the items, at least 2, and what draws them.
    """
    items = next(iter(compared.values())).size
    estimates = statistics.bootstrap(compared, items=items, resamples=resamples, rng=rng)
    rows = []
    for metric, row in statistics.intervals(estimates, null=0.0).iterrows():
        declared = EVALUATOR_METRICS[metric]
        low, high = np.clip([row["ci_low"], row["ci_high"]], declared.low, declared.high)
        p_value = row["p_value"] if declared.low < 0 else np.nan
        about = {"dataset": dataset, "evaluator": evaluator, "metric": metric, "value": row["value"]}
        rows.append({**about, "ci_low": low, "ci_high": high, "p_value": p_value, "n": items})
    return rows


def read_by(readings: pd.DataFrame, texts: pd.Series) -> dict[str, pd.DataFrame]:
    """Return mean and SD of each text (in its order, null where there is no reading), by evaluator."""
    moments_by = {}
    for evaluator, rows in readings.groupby("evaluator", sort=False):
        betas = rows.drop_duplicates("text").set_index("text")[["alpha", "beta"]]
        if (lacking := ~texts.isin(betas.index)).any():
            raise ValueError(f"readings: {evaluator!r} lacks {texts[lacking].iloc[0]!r}")
        scored = betas.dropna()
        confidence = Beta.from_table(scored)
        moments = {"mean": confidence.mean, "sd": np.sqrt(confidence.variance)}
        moments_by[str(evaluator)] = (
            pd.DataFrame(moments, index=scored.index).reindex(texts).reset_index(drop=True)
        )
    return moments_by


def _published(folder: Path) -> dict[str, dict[str, Statistic]]:
    """The level band alone, and what others scored on the 1,622 items, where the file of that is there."""
    items = studies.read_benchmark(folder)
    compared = {
        "level": of_means(items["level"].map(studies.LEVEL_MIDDLE).to_numpy(), items["score"].to_numpy())
    }
    published = studies.read_published(folder) if (folder / studies.PUBLISHED).is_file() else items[["score"]]
    for name in published.columns.drop("score"):
        scored = published.dropna(subset=name)  # some scorers left items out: n says how many they scored
        compared[name] = of_means(scored[name].to_numpy(), scored["score"].to_numpy())
    return compared


def reliability(scores: Floats) -> float:
    """Return the reliability of the mean of persons' scores, shape (items, persons): Cronbach's alpha, at most 1.

    >>> reliability(np.array([[0.1, 0.2], [0.5, 0.6], [0.9, 1.0]])).round(6)
    np.float64(1.0)
    """
    covariance = np.cov(scores.T)
    persons = scores.shape[1]
    return persons / (persons - 1) * (1 - np.trace(covariance) / covariance.sum())


def _ceilings(dataset: str, scores: Floats) -> list[dict[str, Any]]:
    """The two ceilings of raw scores; without interval."""
    totals = scores.sum(axis=1, keepdims=True) - scores
    one = [scipy.stats.pearsonr(*pair)[0] for pair in zip(scores.T, totals.T, strict=True)]
    values = {"noise_ceiling": np.sqrt(max(reliability(scores), 0.0)), "one_person": float(np.mean(one))}
    about = dict.fromkeys(COLUMNS, np.nan) | {
        "dataset": dataset,
        "evaluator": "humans",
        "n": len(scores),
    }
    return [about | {"metric": metric, "value": value} for metric, value in values.items()]


def benchmark_points(
    readings: pd.DataFrame, folder: Path, names: Collection[str] | None = None
) -> pd.DataFrame:
    """Return human readings beside each evaluator's.

    Sentences are put together in `BINS` of equal number along the evaluator's mean, fewer where readings are tied.
    They have no licence to be carried, and single ones are noisy (five persons each).

    Columns are `_POINTS`. `quantity` is ``mean`` or ``spread`` (SD between persons, phrases only). `item` is the phrase
    or the bin, `human_sd` the SD over a bin's sentences (null for phrases), `n` its sentences, 1 for a phrase.

    Parameters
    ----------
    readings, folder, names
        As for `human_benchmark`.
    """
    parts = []
    for dataset, study in yardsticks(folder, names).items():
        for evaluator, read in read_by(readings, study.texts).items():
            if study.sd is None:
                table = _binned(read["mean"], study.mean, BINS)
            else:
                pairs = {"mean": (read["mean"], study.mean), "spread": (read["sd"], study.sd)}
                points = [
                    pd.DataFrame(
                        {"item": study.items, "read": ours.to_numpy(), "human": human, "quantity": name}
                    )
                    for name, (ours, human) in pairs.items()
                ]
                table = pd.concat(points).dropna(subset="read").assign(human_sd=np.nan, n=1)
            parts.append(table.assign(dataset=dataset, evaluator=evaluator))
    return pd.concat(parts, ignore_index=True)[_POINTS]


def _binned(read: pd.Series, human: np.ndarray, bins: int) -> pd.DataFrame:
    """Means in bins of the reading; texts without a reading are in none."""
    pairs = pd.DataFrame({"read": read, "human": human}).dropna()
    # By the middle of their ranks: equal readings share a bin.
    pairs["bin"] = ((pairs["read"].rank() - 0.5) * bins // len(pairs)).astype(int)
    grouped = pairs.groupby("bin")
    table = grouped.mean().assign(human_sd=grouped["human"].std(), n=grouped.size(), quantity="mean")
    return table.assign(item=[f"bin {place + 1}" for place in range(len(table))])


def load_committed(table: str) -> pd.DataFrame:
    """Return a committed table, by its name in `COMMITTED`."""
    return pd.read_csv(COMMITTED[table], comment="#")


def with_committed(rows: pd.DataFrame, measured: str) -> pd.DataFrame:
    """Return the benchmark's rows, `measured` in this run or beforehand, and those of refits and checks below."""
    parts = [load_committed(table).assign(measured="beforehand") for table in ("refits", "checks")]
    return pd.concat([rows.assign(measured=measured), *parts], ignore_index=True)
