"""The headline recomputed from the items by code of its own: nothing of `ralc.metrics` or `ralc.statistics` is used."""

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

from ralc.report import tables
from ralc.report.tables import verdicts
from tests.synthetic import results

READER = "judge"


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


def gece(y: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
    mass, expected = bins_of(a, b)
    return float(np.abs((mass * y - expected).sum(axis=1)).sum() / len(y))


def ece(y: np.ndarray, mean: np.ndarray) -> float:
    """Ten bins (lo, hi], 0 in the first."""
    place = np.clip(np.ceil(mean * 10 - 1e-12), 1, 10)
    return float(sum(abs((y - mean)[place == one].sum()) for one in np.unique(place)) / len(y))


def auroc(y: np.ndarray, mean: np.ndarray) -> float:
    """The share of pairs of a right and a wrong answer in which the right one is surer; ties count half."""
    gaps = mean[y == 1][:, None] - mean[y == 0][None, :]
    return float(((gaps > 1e-12) + 0.5 * (np.abs(gaps) <= 1e-12)).mean())


def null(a: np.ndarray, b: np.ndarray) -> float:
    """The gECE of forecasts that are calibrated, by many draws of outcomes."""
    mass, expected = bins_of(a, b)
    rng, mean = np.random.default_rng(7), a / (a + b)
    draws = rng.random((2000, len(mean))) < mean
    return float(np.abs(draws @ mass.T - expected.sum(axis=1)).sum(axis=1).mean() / len(mean))


def holm(p: np.ndarray) -> np.ndarray:
    order, corrected, worst = np.argsort(p), np.empty(len(p)), 0.0
    for rank, place in enumerate(order):
        worst = max(worst, min(1.0, (len(p) - rank) * p[place]))
        corrected[place] = worst
    return corrected


@pytest.fixture(scope="module")
def items() -> pd.DataFrame:
    """The words that one reader read, and numbers that nobody reads, maps of the same dataset."""
    rows = results()[1]
    own = rows["train"].isin(["none"]) | (rows["train"] == rows["dataset"])
    return rows[own & (rows["variant"] == "default")]


def answers(
    items: pd.DataFrame,
    dataset: str,
    method: str,
    signal: str,
    space: str = "linguistic",
    subset: str = "all",
) -> pd.DataFrame:
    rows = items if subset == "all" else items[items["abstained"] == (subset == "abstained")]
    rows = rows[(rows["dataset"] == dataset) & (rows["method"] == method) & (rows["space"] == space)]
    rows = rows[(rows["signal"] == signal) & rows["reader"].isin([READER, "none"])].set_index("question_id")
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
        "generalised_ece": gece(y, a, b),
        "expected_calibration_error": ece(y, mean),
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
    before, after = before.loc[both], after.loc[both]
    y, k, new_k = after["outcome"], before["alpha"] + before["beta"], after["alpha"] + after["beta"]
    mean, new = before["alpha"] / k, after["alpha"] / new_k
    moved = divergence(y, new * k, (1 - new) * k)
    return {
        "faithfulness_divergence_mean_part": (moved - divergence(y, mean * k, (1 - mean) * k)).mean(),
        "faithfulness_divergence_concentration_part": (
            divergence(y, after["alpha"], after["beta"]) - moved
        ).mean(),
    }


def test_every_cell_of_the_headline(items):
    table = tables.headline(results()[2], reader=READER)
    checked = 0
    for about, row in table.iterrows():
        _, dataset, subset, method, signal = about
        for name, expected in cells_of(items, dataset, subset, method, signal).items():
            same = pytest.approx(expected, rel=1e-8, abs=1e-10, nan_ok=True)
            assert row[(name, "value")] == same, (about, name)
            checked += 1
        rows = answers(items, dataset, method, signal, subset=subset).dropna(subset=["outcome", "alpha"])
        floor = null(rows["alpha"].to_numpy(), rows["beta"].to_numpy())
        assert row[("generalised_ece_null", "value")] == pytest.approx(
            floor, abs=0.03 if subset == "all" else 0.1
        )
        excess = row[("generalised_ece", "value")] - row[("generalised_ece_null", "value")]
        assert row[("generalised_ece_excess", "value")] == pytest.approx(excess, abs=1e-12)
        assert row[("generalised_ece_debiased", "value")] <= row[("generalised_ece", "value")] + 1e-12
        debiased = row[("expected_calibration_error_debiased", "value")]
        assert debiased <= row[("expected_calibration_error", "value")] + 1e-12
        assert row[("n", "value")] >= len(rows)
    assert checked > 600


def test_answered_and_abstained_are_all(items):
    """Means over answers add up from their parts, which stand in the same table."""
    table = tables.headline(results()[2], reader=READER)["brier_score"]["value"]
    for target, dataset, method, signal in {(*key[:2], *key[3:]) for key in table.index}:
        used = answers(items, dataset, method, signal).dropna(subset=["outcome", "alpha"])["abstained"]
        total = sum(
            table[target, dataset, subset, method, signal] * (used == flag).sum()
            for subset, flag in (("answered", False), ("abstained", True))
        )
        assert total == pytest.approx(table[target, dataset, "all", method, signal] * len(used))


def test_p_values_are_corrected_over_one_family_wherever_they_stand():
    metrics = results()[2]
    raw = metrics[
        (metrics["subset"] == "all") & (metrics["variant"] == "default") & (metrics["method"] == "ralc")
    ]
    raw = raw[(raw["space"] == "linguistic") & (raw["reader"] == READER) & (raw["train"] == raw["dataset"])]
    raw = raw[raw["metric"].isin(["faithfulness_divergence", "generalised_ece", "auroc", "brier_score"])]
    raw = raw[~raw["versus"].isin(["none", "signal", "in_domain", "default"])].dropna(subset=["p_value"])
    expected = dict(zip(raw.index, holm(raw["p_value"].to_numpy()), strict=True))
    assert len(expected) == 3 * 3 * 4 * 6  # datasets, signals, metrics; the original and five other ways
    table = tables.comparisons(metrics, reader=READER)
    shown = verdicts.compared(metrics, "semantic_uncertainty", READER)
    crossed = tables.cross_domain(metrics, reader=READER)
    for place, row in raw.iterrows():
        key = (row["target"], row["dataset"], "all", row["signal"], row["versus"])
        assert table.loc[key, (row["metric"], "p_value")] == pytest.approx(expected[place])
        if place in shown.index:
            assert shown.loc[place, "p_value"] == pytest.approx(expected[place])
        if row["versus"] == "original" and row["metric"] in ("faithfulness_divergence", "generalised_ece"):
            cell = crossed.loc[
                (row["metric"], row["signal"], row["dataset"]), (row["dataset"], "reduction", "p_value")
            ]
            assert cell == pytest.approx(expected[place])
    assert any("“opponents”" in note and f"{len(expected)} tests" in note for note in table.attrs["notes"])
