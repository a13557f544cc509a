"""The means over signals and datasets that the paper shows."""

import numpy as np
import pandas as pd
import pytest

from ralc import io
from ralc.conditions import averaged
from ralc.results.averages import with_averages
from ralc.results.checks import check_results
from ralc.schemas import check


@pytest.fixture(scope="module")
def metrics(several) -> pd.DataFrame:
    """Metrics of two models on two datasets, with their means."""
    return check(with_averages(several[1]), "metrics")


def at(metrics: pd.DataFrame, **where: str) -> pd.DataFrame:
    """Plain rows of metrics where columns have these values."""
    about = {
        "subset": "all",
        "versus": "none",
        "variant": "default",
        "reader": "judge",
        "target": "mean",
    } | where
    return metrics[np.logical_and.reduce([metrics[name] == value for name, value in about.items()])]


def test_over_signals_and_over_datasets_by_hand(metrics):
    about = {"method": "ralc", "space": "linguistic", "metric": "faithfulness_divergence"}
    own = at(metrics, **about)
    own = own[(own["train"] == own["dataset"]) & ~averaged(own)]
    (one,) = at(metrics, **about, dataset="worldfacts-qa", signal="mean").itertuples()
    qa = own[own["dataset"] == "worldfacts-qa"]
    assert len(qa) == 3
    assert (one.value, one.ci_low) == pytest.approx((qa["value"].mean(), qa["ci_low"].mean()))
    (both,) = at(metrics, **about, dataset="mean", signal="token_probability").itertuples()
    pair = own[own["signal"] == "token_probability"]
    assert (both.value, both.n, both.train) == (pytest.approx(pair["value"].mean()), pair["n"].sum(), "mean")
    assert both.ci_high - both.value == pytest.approx(np.hypot(*(pair["ci_high"] - pair["value"])) / 2)
    assert len(at(metrics, **about, dataset="mean", signal="mean")) == 1


def test_an_average_is_of_all_there_are_or_not_at_all(metrics):
    single = metrics[~averaged(metrics)]
    cut = single[(single["dataset"] != "worldfacts-mc") | (single["method"] != "hedged_qa")]
    means = with_averages(cut).query("dataset == 'mean'")
    assert set(means["method"]) >= {"ralc", "original"}
    assert "hedged_qa" not in set(means["method"])
    alone = with_averages(single[single["dataset"] == "worldfacts-qa"])
    assert "mean" not in set(alone["dataset"])


def test_hedged_qa_has_a_correlation_with_every_signal(metrics):
    """Paper, figure 3: RALC "outperforms Hedged QA across all metrics", rho among them."""
    rows = at(metrics, method="hedged_qa", metric="spearman_mean", dataset="worldfacts-qa")
    rows = rows[~averaged(rows)]
    assert rows["signal"].tolist() == ["linguistic_confidence", "token_probability", "semantic_uncertainty"]
    assert set(rows["train"]) == {"none"}


def test_tables_and_checks_are_without_them(metrics, tmp_path):
    assert (check_results(metrics)["faults"] == 0).all()
    io.write_table(metrics, tmp_path / "metrics.parquet", "metrics")
    names = {f"{name}_table": tmp_path / "metrics.parquet" for name in ("metrics", "averages")}
    found = io.read_results(names)
    assert not averaged(found["metrics"]).any()
    assert averaged(found["averages"]).all()
    assert len(found["metrics"]) + len(found["averages"]) == len(metrics)
