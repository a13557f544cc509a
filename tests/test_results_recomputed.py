"""The headline recomputed from the items by code of its own: nothing of `ralc.metrics` or `ralc.statistics` is used."""

from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

from ralc.conditions import having
from ralc.pipeline.measures import pooled
from ralc.pipeline.metric_evaluation import Settings
from ralc.report.tables import tabulate
from ralc.results import in_domain
from ralc.results.holm_families import endpoints
from tests.synthetic import DATASETS, make_items, make_questions, results

EVALUATOR = "cue_model_b"
#: What draws enter: recomputed within what these leave open.
BY_CHANCE = ["generalised_ece_null", "generalised_ece_excess"]
BY_CHANCE += ["generalised_ece_debiased", "expected_calibration_error_debiased"]


def divergence(y: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """k KL(Beta(a + y, b + 1 - y) || Beta(a, b)), by the textbook's formula."""
    after = a + y, b + 1 - y
    difference = special.betaln(a, b) - special.betaln(*after)
    for one, other in zip(after, (a, b), strict=True):
        difference = difference + (one - other) * (special.psi(one) - special.psi(a + b + 1))
    return (a + b) * difference


def bins_of(a: np.ndarray, b: np.ndarray, bins: int = 10) -> tuple[np.ndarray, np.ndarray]:
    """Mass of each Beta in each bin, and the integral of p over it, by the trapezoids of a fine grid of its CDF."""
    edges = np.linspace(0, 1, bins + 1)
    mass = np.diff([stats.beta.cdf(edge, a, b) for edge in edges], axis=0)
    mean = a / (a + b)
    return mass, mean * np.diff([stats.beta.cdf(edge, a + 1, b) for edge in edges], axis=0)


def gece_gaps(y: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """What each answer adds to each bin, shape (answers, bins)."""
    mass, expected = bins_of(a, b)
    return (mass * y - expected).T


def spread(gaps: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """The standard error of means over answers that come in groups, by what each group adds: no resampling."""
    away = pd.DataFrame(gaps - gaps.mean(axis=0)).groupby(groups).sum().to_numpy()
    return np.sqrt((away**2).sum(axis=0) * len(away) / (len(away) - 1)) / len(gaps)


def chance(gaps: np.ndarray, error: np.ndarray) -> float:
    """What chance adds to a sum of absolute mean gaps, as far as it is taken off: 0.55 errors where a gap is 0."""
    t = np.divide(gaps.mean(axis=0), error, out=np.full(len(error), np.inf), where=error > 0)
    return float((0.55 * np.sqrt(1.49) / 0.7 * np.exp(-(t**2) / 0.98) * error).sum())


def ece_gaps(y: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Ten bins (lo, hi], 0 in the first."""
    place = np.clip(np.ceil(mean * 10 - 1e-12), 1, 10)
    return np.where(place[:, None] == np.arange(1, 11), (y - mean)[:, None], 0.0)


def summed(gaps: np.ndarray) -> float:
    return float(np.abs(gaps.mean(axis=0)).sum())


def auroc(y: np.ndarray, mean: np.ndarray) -> float:
    """The share of pairs of a right and a wrong answer in which the right one is surer; ties count half."""
    gaps = mean[y == 1][:, None] - mean[y == 0][None, :]
    return float(((gaps > 1e-12) + 0.5 * (np.abs(gaps) <= 1e-12)).mean())


def null(a: np.ndarray, b: np.ndarray) -> float:
    """The gECE of forecasts that are calibrated, by many draws of outcomes."""
    mass, expected = bins_of(a, b)
    rng = np.random.default_rng(7)
    mean = a / (a + b)
    draws = rng.random((2000, len(mean))) < mean
    return float(np.abs(draws @ mass.T - expected.sum(axis=1)).sum(axis=1).mean() / len(mean))


def holm(p: np.ndarray) -> np.ndarray:
    order = np.argsort(p)
    corrected = np.empty(len(p))
    worst = 0.0
    for rank, place in enumerate(order):
        worst = max(worst, min(1.0, (len(p) - rank) * p[place]))
        corrected[place] = worst
    return corrected


@pytest.fixture(scope="module")
def items() -> pd.DataFrame:
    """The words that one evaluator read, and numbers that nobody reads, maps of the same dataset."""
    rows = results()[1]
    own = rows["train"].isin(["none"]) | (rows["train"] == rows["dataset"])
    return having(rows[own], variant="default")


def answers(
    items: pd.DataFrame,
    dataset: str,
    method: str,
    signal: str,
    space: str = "linguistic",
    subset: str = "all",
) -> pd.DataFrame:
    rows = items if subset == "all" else having(items, abstained=subset == "abstained")
    rows = having(rows, dataset=dataset, method=method, space=space)
    rows = having(rows, signal=signal, evaluator=[EVALUATOR, "none"]).set_index("question_id")
    return rows.assign(outcome=rows["outcome"].astype(float))


def cells_of(items: pd.DataFrame, dataset: str, subset: str, method: str, signal: str) -> dict[str, float]:
    """Every number of one row of the headline that is not an interval."""
    rows = answers(items, dataset, method, signal, subset=subset)
    kept = rows["content_preservation"].dropna()
    rows = rows.dropna(subset=["outcome", "alpha"])
    y, a, b = (rows[column].to_numpy(float) for column in ("outcome", "alpha", "beta"))
    mean = a / (a + b)
    found = {
        "faithfulness_divergence": divergence(y, a, b).mean(),
        "generalised_ece": summed(gece_gaps(y, a, b)),
        "expected_calibration_error": summed(ece_gaps(y, mean)),
        "accuracy": y.mean(),
        "brier_score": ((mean - y) ** 2).mean(),
        "auroc": auroc(y, mean),
    }
    if method not in ("original", "base_rate"):  # nobody reads the number as somebody reads the original
        found |= _parts(items, dataset, rows)
    if len(kept):
        found["content_preservation"] = kept.mean()
    if signal != "none":
        aim = answers(items, dataset, "ralc", signal, "signal").loc[rows.index]
        found["spearman_mean"] = stats.spearmanr(aim["alpha"] / (aim["alpha"] + aim["beta"]), mean)[0]
    return {name: float(value) for name, value in found.items()}


def _parts(items: pd.DataFrame, dataset: str, after: pd.DataFrame) -> dict[str, float]:
    """What the mean and what the concentration did to FD, from the original words."""
    before = answers(items, dataset, "original", "none").dropna(subset=["outcome", "alpha"])
    both = before.index.intersection(after.index)
    before = before.loc[both]
    after = after.loc[both]
    y = after["outcome"]
    k = before["alpha"] + before["beta"]
    new_k = after["alpha"] + after["beta"]
    mean = before["alpha"] / k
    new = after["alpha"] / new_k
    moved = divergence(y, new * k, (1 - new) * k)
    return {
        "faithfulness_divergence_mean_part": (moved - divergence(y, mean * k, (1 - mean) * k)).mean(),
        "faithfulness_divergence_concentration_part": (
            divergence(y, after["alpha"], after["beta"]) - moved
        ).mean(),
    }


def test_every_cell_of_the_headline(items):
    table = tabulate("headline", {"metrics": results()[2]}).xs("linguistic", level="space")
    table = table[table.index.get_level_values("subset").isin(["all", "answered", "abstained"])]
    checked = 0
    for about, row in table.iterrows():
        _, dataset, subset, method, signal = about
        cells = cells_of(items, dataset, subset, method, signal)
        for name, expected in cells.items():
            same = pytest.approx(expected, rel=1e-8, abs=1e-10, nan_ok=True)
            assert row[(name, "value")] == same, (about, name)
            checked += 1
        assert set(row.xs("value", level="part").dropna().index) <= {*cells, *BY_CHANCE, "n"}
        rows = answers(items, dataset, method, signal, subset=subset).dropna(subset=["outcome", "alpha"])
        y, a, b = (rows[column].to_numpy(float) for column in ("outcome", "alpha", "beta"))
        close = 0.03 if subset == "all" else 0.1
        floor = row[("generalised_ece_null", "value")]
        assert floor == pytest.approx(null(a, b), abs=close)
        assert row[("generalised_ece_excess", "value")] == pytest.approx(
            row[("generalised_ece", "value")] - floor, abs=1e-12
        )
        gaps = {"generalised_ece": gece_gaps(y, a, b), "expected_calibration_error": ece_gaps(y, a / (a + b))}
        groups = rows["group"].to_numpy()
        for name, own in gaps.items():
            expected = max(summed(own) - chance(own, spread(own, groups)), 0)
            assert row[(f"{name}_debiased", "value")] == pytest.approx(expected, abs=close)
        squares = (a / (a + b) - y)[:, None] ** 2
        reach = stats.t.ppf(0.975, rows["group"].nunique() - 1) * spread(squares, groups)[0]
        low, high = row["brier_score"][["ci_low", "ci_high"]]
        if np.isfinite(low) and reach > 1e-9:  # by few resamples, and wider where they are skewed
            assert 1.4 * reach < high - low < 8 * reach, about
        kept = answers(items, dataset, method, signal, subset=subset)["content_preservation"].count()
        assert row[("n", "value")] == max(len(rows), kept)
    assert checked > 600


def test_p_values_are_corrected_over_one_family_wherever_they_stand():
    metrics = results()[2]
    raw = having(metrics, subset="all", variant="default", method="ralc")
    raw = in_domain(having(raw, space="linguistic", evaluator=EVALUATOR))
    raw = having(raw, metric=["faithfulness_divergence", "generalised_ece", "auroc", "brier_score"])
    raw = raw[~raw["versus"].isin(["none", "signal", "in_domain", "default"])].dropna(subset=["p_value"])
    expected = dict(zip(raw.index, holm(raw["p_value"].to_numpy()), strict=True))
    assert len(expected) == 3 * 3 * 4 * 6  # datasets, signals, metrics; the original and five other ways
    table, crossed = (tabulate(name, {"metrics": metrics}) for name in ("comparisons", "cross_domain"))
    for place, row in raw.iterrows():
        key = (row["target"], row["dataset"], "all", "linguistic", row["signal"], "default", row["versus"])
        assert table.loc[key, (row["metric"], "p_value")] == pytest.approx(expected[place])
        if row["versus"] == "original" and row["metric"] in ("faithfulness_divergence", "generalised_ece"):
            cell = crossed.loc[
                (row["metric"], row["signal"], row["dataset"]), (row["dataset"], "reduction", "p_value")
            ]
            assert cell == pytest.approx(expected[place])
    assert any("“opponents”" in note and f"{len(expected)} tests" in note for note in table.attrs["notes"])


def made_up() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Items of two models, and what the package makes of them."""
    items = make_items(make_questions(DATASETS, 40), ("a", "b"))
    return items, pooled(items, Settings({"default": 10}, resamples=2000))


def recorded(model: str, kept: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The texts of a model of the record that the endpoints compare, as columns of its items, and its metrics."""
    results = Path(__file__).parents[1] / "docs/results"
    items = pd.read_parquet(results / "record_items.parquet")
    return having(items, target=model), pd.read_parquet(results / kept)


RUNS = {
    "made up": made_up,
    "0.5B": partial(recorded, "qwen2.5-coder-0.5b", "record.parquet"),
    "1.5B": partial(recorded, "qwen2.5-coder-1.5b", "record_1.5b.parquet"),
}


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_the_four_endpoints_by_plain_numpy(run):
    """Means of the datasets' differences of the models, and a bootstrap of questions within each dataset."""
    items, metrics = run()
    table = endpoints(metrics, EVALUATOR)
    rows = having(items, space="linguistic", evaluator=EVALUATOR)
    rows = rows[rows["train"].isin(["none"]) | (rows["train"] == rows["dataset"])]
    rows = having(rows, signal=["none", "semantic_uncertainty"])
    rows = rows.assign(mean=rows["alpha"] / (rows["alpha"] + rows["beta"]))
    rows = rows.dropna(subset=["mean", "outcome"])
    both = rows.groupby("dataset")["outcome"].nunique() == 2  # elsewhere there is no AUROC
    measured = {"brier_score": lambda y, p: ((p - y) ** 2).mean(), "auroc": auroc}
    rng = np.random.default_rng(1)
    datasets = rows["dataset"].unique()
    targets = rows["target"].unique()
    assert list(zip(table["versus"], table["metric"], strict=True)) == [
        (versus, metric) for versus in ("original", "constant_hedge") for metric in measured
    ]
    raw = []
    for one in table.itertuples():
        value = 0.0
        error = 0.0
        counted = [dataset for dataset in datasets if one.metric != "auroc" or both[dataset]]
        for dataset in counted:
            pairs = [_pairs(rows, target, dataset, one.versus) for target in targets]
            value += _difference(pairs, measured[one.metric]) / len(counted)
            groups = pairs[0]["group"].unique()
            draws = [
                _difference([_drawn(pair, chosen) for pair in pairs], measured[one.metric])
                for chosen in rng.choice(groups, (200, len(groups)))
            ]
            error += np.nanvar(draws, ddof=1) * len(groups) / (len(groups) - 1) / len(counted) ** 2
        assert one.value == pytest.approx(value, abs=1e-12)
        half = (one.ci_high - one.ci_low) / 2
        assert 1.5 < half / np.sqrt(error) < 2.75  # wider where articles are few
        raw.append(2 * stats.norm.sf(abs(value) / np.sqrt(error)))
    for one, p in zip(table.itertuples(), holm(np.array(raw)), strict=True):
        better = (one.value < 0) == (one.metric == "brier_score")
        if p < 0.01:  # clear whatever the bootstrap
            assert one.side == ("better" if better else "worse")
        if p > 0.1:
            assert one.side == "not shown"


def _pairs(rows: pd.DataFrame, target: str, dataset: str, versus: str) -> pd.DataFrame:
    """Questions that both RALC and an opponent answered: group, outcome, and the two means."""
    own = having(rows, target=target, dataset=dataset).set_index("question_id")
    ours = having(own, method="ralc")
    theirs = having(own, method=versus)
    both = ours[["group", "outcome", "mean"]].join(theirs["mean"].rename("other"), how="inner")
    return both.astype({"outcome": float})


def _drawn(pair: pd.DataFrame, groups: np.ndarray) -> pd.DataFrame:
    """The questions of some groups, each as often as its group was drawn."""
    counts = pd.Series(groups).value_counts()
    return pair.loc[pair.index.repeat(pair["group"].map(counts).fillna(0).astype(int))]


def _difference(pairs: list[pd.DataFrame], measure) -> float:
    """The mean over models of RALC's number minus the opponent's."""
    gaps = [
        measure(pair["outcome"].to_numpy(), pair["mean"].to_numpy())
        - measure(pair["outcome"].to_numpy(), pair["other"].to_numpy())
        for pair in pairs
    ]
    return float(np.mean(gaps))
