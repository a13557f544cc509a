"""Tables and figures of ablations, biases and controlled subsets."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ralc.config import parse_config
from ralc.names import ABSTAINING, CONTROLLED
from ralc.pipeline.measures import compute
from ralc.pipeline.settings import Settings
from ralc.report import figures, tables
from ralc.report.figures.bias import regression
from ralc.results.miscalibration import transfers
from ralc.results.select import main_protocol, main_reader, readers_of
from ralc.schemas import check
from tests import synthetic


@pytest.fixture(scope="module")
def varied() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Items of two models with variants and a second protocol, and their metrics."""
    items = synthetic.make_items(synthetic.make_questions(("worldfacts-qa", "worldfacts-rc"), 24), ("a", "b"))
    signals = items[items["space"] == "signal"]
    words = items[(items["space"] == "linguistic") & (items["method"] == "ralc")]
    parts = [
        items,
        signals[signals["method"] == "ralc"].assign(variant="map=isotonic"),
        words[words["train"] == words["dataset"]].assign(variant="hedges=3"),
        signals.assign(protocol="paper"),
    ]
    items = check(pd.concat(parts, ignore_index=True), "items")
    settings = Settings({"default": 10, "bins=100": 100}, resamples=40, null_repeats=10)
    return items, check(compute(items, settings), "metrics")


def cell(table: pd.DataFrame, **at: str) -> pd.Series:
    """The one row of a table."""
    rows = table.xs(tuple(at.values()), level=tuple(at))
    assert len(rows) == 1
    return rows.iloc[0]


def test_every_map_stands_beside_the_run_s_own_and_the_raw_signal(varied):
    table = tables.map_ablation(varied[1])
    assert list(table.loc["worldfacts-qa"].index) == ["uncalibrated", "the run's own", "isotonic"]
    own = varied[1].query(
        "method == 'original' and space == 'signal' and metric == 'generalised_ece' and versus == 'none' "
        "and subset == 'all' and target != 'mean' and protocol == 'ralc' and variant == 'default'"
    )
    values = own[own["signal"] == "token_probability"]["value"]
    pooled = table.loc[("all datasets", "uncalibrated"), ("token_probability", "generalised_ece")]
    assert pooled["value"] == pytest.approx(values.mean())
    assert pooled["sd"] == pytest.approx(values.std(ddof=1))


def test_variants_in_words_and_their_changes(varied):
    table = tables.ablations(varied[1])
    assert set(table.index.get_level_values("variant")) == {"default", "hedges=3"}
    changes = tables.ablation_changes(varied[1])
    # The variant was made equal to the default: nothing changes.
    same = changes.xs("hedges=3", level="variant")
    assert (same[("faithfulness_divergence", "value")] == 0).all()
    assert (same[("faithfulness_divergence", "p_value")] == 1).all()
    assert {"hedges=3", "map=isotonic"} == set(changes.index.get_level_values("variant"))


@pytest.mark.parametrize(
    "table",
    [
        tables.map_ablation,
        tables.ablations,
        tables.ablation_changes,
        tables.protocols,
        tables.controlled_subsets,
        tables.cross_domain,
    ],
)
def test_tables_of_all_answers_say_how_many_abstain_and_where_they_stand_apart(varied, table):
    note = table(varied[1]).attrs["notes"][-1]
    # Of 24 answers of each of two models every sixth abstains; of the others one has no grade, one no reading.
    assert "8 of 44 on worldfacts-qa and 8 of 44 on worldfacts-rc" in note
    named = getattr(tables, note.split("“")[1].split("”")[0].replace(" ", "_"))
    assert "abstained" in named(varied[1]).index.get_level_values("subset")
    whole = varied[1][~varied[1]["subset"].isin(ABSTAINING)]
    assert not any("abstain" in note for note in table(whole).attrs["notes"])


def test_finer_bins_are_a_variant_of_the_calibration_errors_alone(varied):
    rows = varied[1].query("variant == 'bins=100'")
    errors = {
        "generalised_ece",
        "generalised_ece_debiased",
        "generalised_ece_null",
        "generalised_ece_excess",
        "expected_calibration_error",
        "expected_calibration_error_debiased",
    }
    assert set(rows["metric"]) == errors
    assert set(rows["space"]) == {"signal"}


def test_protocols_stand_side_by_side_and_the_run_s_own_is_the_headline(varied):
    table = tables.protocols(varied[1])
    assert list(dict.fromkeys(table.columns.get_level_values("protocol"))) == ["ralc", "paper"]
    assert main_protocol(varied[1]) == "ralc"
    assert main_reader(varied[1]) == "judge"
    own = varied[1].assign(protocol=varied[1]["protocol"].replace({"ralc": "paper", "paper": "ralc"}))
    assert main_protocol(own) == "paper"
    assert main_reader(own) == "cues"  # as in the paper, the evaluator of the run


def test_the_headline_is_the_first_judge_s_whatever_readers_are_called(varied):
    swapped = varied[1].assign(reader=varied[1]["reader"].replace({"cues": "judge", "judge": "cues"}))
    assert readers_of(swapped) == ["judge", "cues"]
    assert main_reader(swapped) == "cues"
    assert main_reader(swapped[swapped["reader"] != "cues"]) == "judge"  # who alone reads


def test_controlled_subsets_are_the_corners(varied):
    table = tables.controlled_subsets(varied[1])
    row = cell(
        table, target="b", dataset="worldfacts-qa", signal="token_probability",
        subset="high mean, high concentration, wrong",
    )  # fmt: skip
    items = (
        varied[0]
        .query(
            "target == 'b' and dataset == 'worldfacts-qa' and signal == 'token_probability' and space == 'signal' "
            "and method == 'original' and protocol == 'ralc'"
        )
        .dropna(subset=["outcome", "alpha"])
    )
    k = items["alpha"] + items["beta"]
    mean = items["alpha"] / k
    corner = (mean >= mean.quantile(0.75)) & (k >= k.quantile(0.75)) & (items["outcome"] == 0)
    assert row[("n", "value")] == corner.sum()
    assert row[("accuracy", "value")] == 0
    assert row[("mean_confidence", "value")] == pytest.approx(mean[corner].mean())
    assert set(table.index.get_level_values("subset")) <= set(CONTROLLED)
    assert "fewer than 200 answers" in table.attrs["notes"][2]


def test_halves_stand_before_and_after_ralc(metrics):
    table = tables.subsets(metrics)
    halves = {"worldfacts-rc": ("answerable", "unanswerable")}
    for dataset in ("worldfacts-qa", "worldfacts-mc", "worldfacts-rc"):
        subsets = (*halves.get(dataset, ()), "answered", "abstained")
        order = [(subset, method) for subset in subsets for method in ("original", "ralc")]
        assert list(table.loc[dataset].index) == order
    row = metrics.query(
        "subset == 'unanswerable' and reader == 'judge' and signal == 'semantic_uncertainty' and train == dataset and "
        "method == 'ralc' and versus == 'none' and metric == 'auroc'"
    ).squeeze()
    found = table.loc[("worldfacts-rc", "unanswerable", "ralc")]
    assert (found[("auroc", "value")], found[("n", "value")]) == (row["value"], row["n"])
    assert tables.subsets(metrics.query("subset == 'all'")).empty


def test_controlled_subsets_of_a_tiny_run_are_an_empty_table(varied, tmp_path):
    table = tables.controlled_subsets(varied[1][~varied[1]["subset"].isin(list(CONTROLLED))])
    assert table.empty
    tables.save_table(table, tmp_path / "controlled_subsets")
    assert "too few" in (tmp_path / "controlled_subsets.html").read_text()


def test_the_detailed_table_repeats_what_follows_no_signal(varied):
    table = tables.detailed(varied[1])
    before = table.xs(("worldfacts-qa", "a", "all"), level=("dataset", "target", "subset"))[
        ("original", "generalised_ece", "value")
    ]
    assert len(before) == 3
    assert (before == before.iloc[0]).all()
    auroc = tables.linguistic_auroc(varied[1])
    assert ("hedged_qa", "auroc", "value") in auroc


def test_what_the_words_lost_is_paired(varied):
    row = cell(
        tables.language_loss(varied[1]),
        target="a",
        dataset="worldfacts-qa",
        subset="all",
        signal="token_probability",
    )
    rows = (
        varied[1]
        .query(
            "target == 'a' and dataset == train == 'worldfacts-qa' and signal == 'token_probability' and "
            "method == 'ralc' and variant == 'default' and protocol == 'ralc' and subset == 'all' and "
            "metric == 'mean_confidence' and reader in ('judge', 'none') and versus == 'none'"
        )
        .set_index("space")
    )
    if (rows["n"] == rows["n"].iloc[0]).all():
        lost = rows["value"]["linguistic"] - rows["value"]["signal"]
        assert row[("mean_confidence", "value")] == pytest.approx(lost)


def test_bias_and_how_maps_travel(varied):
    table = tables.bias(varied[1])
    row = cell(table, target="a", dataset="worldfacts-qa", subset="abstained", signal="token_probability")
    gap = row[("mean_confidence", "value")] - row[("accuracy", "value")]
    assert row[("miscalibration_bias", "value")] == pytest.approx(gap)
    points = transfers(varied[1])
    assert len(points) == 2 * 2 * 3  # models, foreign maps, signals
    assert (points["gap"] >= 0).all()


def test_the_regression_line_is_that_of_scipy(rng):
    x = rng.random(30)
    y = 2 * x + rng.normal(0, 0.1, 30)
    line = regression(x, y)
    assert line.attrs["slope"] == pytest.approx(stats.linregress(x, y).slope)
    assert line.attrs["low"] < 2 < line.attrs["high"]
    assert (line["mean_ci_lower"] < line["mean_ci_upper"]).all()
    assert regression(x[:3], y[:3]) is None
    assert regression(np.ones(9), y[:9]) is None


def test_figures_are_drawn_and_say_what_is_missing(varied):
    items, metrics = varied
    for name in ("bias", "bias_transfer"):
        assert getattr(figures, f"plot_{name}")(metrics).axes
    counted = figures.plot_bias(metrics)
    assert any(
        "(n = 23)" in text.get_text() for text in counted.legends[0].get_texts()
    )  # one answer is ungraded
    assert len(counted.axes[0].containers) == 2  # a mark with its intervals a dataset
    assert len(figures.plot_signal_spread(items).axes) == 2
    by_model = figures.plot_reliability_by_model(items, metrics).axes
    assert len(by_model) == 2 * 2 * 3  # models, datasets, signals
    assert [axes.get_title(loc="left") for axes in by_model[:2]] == [
        "worldfacts-qa\nLinguistic confidence",
        "worldfacts-qa\nToken probability",
    ]
    alone = metrics[metrics["versus"] != "in_domain"]
    drawn = figures.plot_bias_transfer(alone)
    assert any("no map was used on another" in text.get_text() for text in drawn.axes[0].texts)
    with pytest.raises(ValueError, match="no variant hedges=k"):
        figures.plot_hedges_ablation(metrics[metrics["variant"] == "default"], default=5)


WRITTEN = {"retrieval": {"k": 7}, "roles": {"rewriter": {"method": "llm", "models": ["smollm2"]}}}


@pytest.mark.parametrize(("changes", "k"), [({}, 30), (WRITTEN, 7)])
def test_the_number_of_hedges_of_the_default_is_that_of_the_configuration(varied, changes, k):
    figure = figures.plot_hedges_ablation(
        varied[1], default=parse_config(changes).retrievals()["default"]["k"]
    )
    assert any(f"default k = {k}." in text.get_text() for text in figure.texts)
    assert list(figure.axes[0].get_xticks()) == [3, k]


def test_every_reader_stands_beside_the_headline(varied):
    table = tables.by_reader(varied[1])
    assert list(dict.fromkeys(table.columns.get_level_values("reader"))) == ["cues", "judge"]
    alone = tables.headline(varied[1])
    shown = ("brier_score", "value")
    pd.testing.assert_series_equal(table["judge"][shown], alone[shown], check_names=False)
    assert table.attrs["best_within"] == alone.attrs["best_within"]


def test_absolute_reductions_show_the_deviation_over_models(varied):
    table = tables.cross_domain(varied[1])
    rows = varied[1].query(
        "target != 'mean' and dataset == train == 'worldfacts-qa' and signal == 'token_probability' and "
        "method == 'ralc' and reader == 'judge' and versus == 'original' and subset == 'all' and "
        "variant == 'default' and metric == 'generalised_ece'"
    )
    found = table.loc[
        ("generalised_ece", "token_probability", "worldfacts-qa"), ("worldfacts-qa", "reduction")
    ]
    assert found["sd"] == pytest.approx(rows["value"].std(ddof=1))
