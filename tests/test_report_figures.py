"""Figures: they draw the numbers of the results, say what is missing, and cut nothing off."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from scipy.stats import spearmanr

from ralc import human_benchmark
from ralc.beta import Beta
from ralc.conditions import having
from ralc.metrics import generalised_ece
from ralc.report import contents, figures
from ralc.report.figures.calibration import propagation_pairs, transfers
from ralc.statistics.reliability import reliability_curve
from tests.synthetic import DATASETS, make_lexicon, results
from tests.test_report_tables import results_of


def draw(name: str, *, choices: dict | None = None, **tables: pd.DataFrame) -> Figure:
    """A figure by its name, of tables by theirs."""
    if "metrics" in tables:
        tables = {"averages": tables["metrics"].iloc[:0]} | tables
    return figures.draw(name, tables, **(choices or {}))


def drawn(figure: Figure, n_axes: int | None = None) -> str:
    """All text of a figure; fails if something lies outside its edges, or a title runs into the next one."""
    figure.draw_without_rendering()
    box = figure.get_tightbbox()
    edges = figure.bbox_inches
    assert box.x0 >= -0.02
    assert box.y0 >= -0.02
    assert box.x1 <= edges.x1 + 0.02
    assert box.y1 <= edges.y1 + 0.02
    assert n_axes is None or len(figure.axes) == n_axes
    told = figure.findobj(lambda artist: isinstance(artist, Text) and artist.get_text() in titles(figure))
    boxes = [text.get_window_extent() for text in told if text.get_visible()]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    return "\n".join(text.get_text() for text in figure.findobj(lambda artist: hasattr(artist, "get_text")))


def titles(figure: Figure) -> set[str]:
    """The titles of a figure's panels."""
    return {axes.get_title(loc=side) for axes in figure.axes for side in ("left", "center")} - {""}


def marks(axes) -> list[float]:
    """Where marks stand along x, lines between two points left out."""
    return [float(line.get_xdata()[0]) for line in axes.lines if len(line.get_xdata()) == 1]


def test_prepost_draws_before_after_and_null(metrics):
    figure = draw("prepost", metrics=metrics)
    text = drawn(figure, n_axes=4)
    assert "by the second cue model" in text
    assert "Faithfulness\nDivergence (nats)" in text
    rows = metrics.query(
        "space == 'linguistic' and evaluator == 'cue_model_b' and versus == 'none' and subset == 'all' and "
        "variant == 'default' and dataset == 'worldfacts-mc' and metric == 'generalised_ece' and "
        "(train == dataset or train == 'none')"
    ).set_index(["method", "signal"])["value"]
    shown = marks(figure.axes[3])
    assert rows[("original", "none")] in shown
    assert rows[("ralc", "semantic_uncertainty")] in shown
    # Before, after and null for three datasets and three signals.
    assert len(shown) == 3 * 3 * 3
    assert len(marks(figure.axes[2])) == 2 * 3 * 3


@pytest.mark.parametrize(
    "lacking",
    [
        "method not in ('direct_beta', 'hedged_qa', 'constant_hedge') and signal != 'linguistic_confidence'",
        "metric not in ('content_preservation', 'spearman_mean', 'generalised_ece_null') and method != 'original'",
        "evaluator in ('none', 'cue_model')",
    ],
)
def test_missing_conditions_leave_gaps_not_errors(items, metrics, lacking):
    few = metrics.query(lacking)
    drawn(draw("prepost", metrics=few))
    drawn(draw("baselines", metrics=few))
    assert draw("reliability", items=items, metrics=few).axes
    assert draw("propagation", items=items, metrics=few).axes


@pytest.mark.parametrize("n", [4, 24])
def test_one_dataset_and_one_signal_are_cut_nowhere(n):
    """Narrow figures: legends and small print have the width of their panels."""
    _, items, metrics = results(datasets=DATASETS[:1], n=n)
    kept = ["none", "linguistic_confidence"]
    items, metrics = (having(table, signal=kept) for table in (items, metrics))
    tables = {"items": items, "metrics": metrics}
    for name in ("prepost", "baselines", "bias", "grid", "reliability", "propagation"):
        kept = contents.FIGURES[name].results
        drawn(draw(name, **{table: rows for table, rows in tables.items() if table in kept}))
    drawn(draw("signal_spread", items=items))


def test_four_answers_are_said_to_be_too_few_and_have_no_curve():
    _, items, metrics = results(datasets=DATASETS[:2], n=4)
    said = "Too few answers to say anything: worldfacts-qa, worldfacts-mc."
    for name in ("prepost", "baselines", "bias"):
        assert said in " ".join(drawn(draw(name, metrics=metrics)).split())
    figure = draw("reliability", items=items, metrics=metrics)
    assert drawn(figure).count("too few answers for a curve") == len(figure.axes)
    assert all(len(axes.lines) == 1 for axes in figure.axes)
    assert "worldfacts-qa: too few for ρ, n " in drawn(draw("propagation", items=items, metrics=metrics))


def test_the_marks_of_the_propagation_figure_are_the_answers_that_rho_is_of(items, metrics):
    rho = metrics.query(
        "metric == 'spearman_mean' and variant == 'default' and subset == 'all' and train == dataset and "
        "method == 'ralc' and versus == 'none'"
    ).set_index(["dataset", "signal", "evaluator"])
    marks = propagation_pairs(items).groupby(["dataset", "signal", "evaluator"])
    assert len(marks) == len(rho) == 3 * 3 * 2
    for about, own in marks:
        assert rho.loc[about, "n"] == len(own)
        assert rho.loc[about, "value"] == pytest.approx(spearmanr(own["calibrated"], own["reread"])[0])


def test_nothing_to_draw_is_an_error(items, metrics):
    asked = items.query("method == 'original'")
    empty = {
        "prepost": {"metrics": metrics.iloc[:0]},
        "baselines": {"metrics": metrics.query("space == 'signal'")},
    }
    empty |= {name: {"items": asked, "metrics": metrics} for name in ("propagation", "reliability")}
    empty |= {"hedges_ablation": {"metrics": metrics, "choices": {"default": 5}}}
    for name, tables in empty.items():
        with pytest.raises(ValueError, match="no rows"):
            draw(name, **tables)


@pytest.mark.parametrize("entries", [1, 5, 143])
def test_lexicon_shows_a_sample_across_the_scale(entries):
    lexicon = make_lexicon(entries)
    figure = draw("lexicon", lexicon=lexicon)
    text = drawn(figure, n_axes=2)
    names = [tick.get_text() for tick in figure.axes[0].get_yticklabels()]
    assert len(names) == min(entries, 18)
    mean = lexicon["alpha"] / (lexicon["alpha"] + lexicon["beta"])
    assert names[0] == lexicon.loc[mean.idxmin(), "expression"]
    assert names[-1] == lexicon.loc[mean.idxmax(), "expression"]
    assert f"{entries} expressions" in text


def test_the_lexicon_shows_no_hedge_that_is_left_out_unless_it_is_used():
    lexicon = make_lexicon(4)
    lexicon.loc[1, ["expression", "flags"]] = ["probably not", "opposite"]
    text = drawn(draw("lexicon", lexicon=lexicon))
    assert "probably not" not in text
    assert "3 expressions (1 more are left out)" in text
    assert "probably not" in drawn(draw("lexicon", lexicon=lexicon, choices={"letter": True}))


def test_theory_of_divergence():
    figure = draw("theory")
    text = drawn(figure, n_axes=8)
    assert "k = 20" in text
    assert "= 1.5" in text
    # Right and wrong mirror each other about the middle.
    right, wrong = (line.get_ydata() for line in figure.axes[0].lines[:2])
    assert right == pytest.approx(wrong[::-1])
    divergence, kl, brier, loss = (axes.lines[1].get_ydata() for axes in figure.axes[4:])
    # Only FD of a wrong answer grows with concentration (paper appendix A.4).
    assert (np.diff(divergence) > 0).all()
    assert all((np.diff(values) < 0).all() for values in (kl, brier, loss))
    assert divergence[-1] == pytest.approx(1.5, abs=0.02)


def test_human_benchmark_prints_rho_of_single_items():
    rows, points = (
        human_benchmark.load_committed(name) for name in ("human_benchmark", "human_benchmark_points")
    )
    figure = draw("human_benchmark", human_benchmark=rows, human_benchmark_points=points)
    printed = [text.get_text() for axes in figure.axes for text in axes.texts]
    numbers = having(rows, metric="spearman_mean").set_index(["dataset", "evaluator"])
    for axes, dataset in zip(printed, ("tao_raw", "tao_benchmark", "capphrase"), strict=False):
        row = numbers.loc[(dataset, "cue_model")]
        evaluator = "cue model (in sample)" if dataset == "capphrase" else "cue model"
        assert f"{evaluator}: ρ {row['value']:.3f}, n {row['n']}" in axes


def test_means_over_datasets_come_last(items, metrics):
    run = results_of(items, metrics)
    prepost = draw("prepost", metrics=run["metrics"], averages=run["averages"])
    assert "mean of datasets (n=" in drawn(prepost, n_axes=4)
    means = run["averages"].query(
        "dataset == 'mean' and metric == 'brier_score' and subset == 'all' and versus == 'none' and "
        "variant == 'default' and (evaluator == 'cue_model_b' or method == 'base_rate') and signal in ('none', 'mean')"
    )
    baselines = draw("baselines", metrics=run["metrics"], averages=run["averages"])
    assert sorted(marks(baselines.axes[-1])) == pytest.approx(sorted(means["value"]))


def test_the_grid_shows_sign_and_interval_of_every_difference(metrics):
    rows = (
        (metrics["versus"] == "original")
        & (metrics["metric"] == "auroc")
        & (metrics["evaluator"] == "cue_model_b")
    )
    changed = metrics.copy()
    changed.loc[rows, ["value", "ci_low", "ci_high"]] = [0.2, 0.1, 0.3]
    figure = draw("grid", metrics=changed)
    drawn(figure, n_axes=3 * 4)
    axes = figure.axes[2]
    mark = next(line for line in axes.lines if line.get_marker() == "o")
    assert mark.get_xdata()[0] == 0.2
    assert mark.get_ydata()[0] == 0
    assert mark.get_color() == "#0072B2"
    changed.loc[rows, ["value", "ci_low", "ci_high"]] = [-0.2, -0.3, -0.1]
    assert any(line.get_marker() == "X" for line in draw("grid", metrics=changed).axes[2].lines)
    # Right is better: of what is better when lower, the axis is turned.
    left, right = figure.axes[3].get_xlim()
    assert left > right


def test_bias_and_how_maps_travel(metrics):
    points = transfers(metrics)
    assert len(points) == 3 * 2 * 3  # datasets, foreign maps, signals
    assert (points["gap"] >= 0).all()
    figure = draw("bias", metrics=metrics)
    assert any("(n = 23)" in text.get_text() for text in figure.legends[0].get_texts())  # one has no grade
    alone = draw("bias", metrics=metrics[metrics["versus"] != "in_domain"])
    assert "no map was used on another" in drawn(alone, n_axes=6)


def test_the_number_of_hedges_is_drawn_beside_the_default_s(metrics):
    words = (metrics["space"] == "linguistic") & (metrics["method"] == "ralc")
    words &= metrics["variant"] == "default"
    varied = pd.concat([metrics, metrics[words].assign(variant="hedges=3")], ignore_index=True)
    figure = draw("hedges_ablation", metrics=varied, choices={"default": 7})
    names = [tick.get_text() for tick in figure.axes[0].get_yticklabels()]
    assert names == ["k = 3", "k = 7 (default)"]


def test_reliability_curve_by_hand(rng):
    # Very sharp beliefs at 0.25 and 0.75: two bins of four answers, one and three of them right.
    mean = np.array([0.25] * 4 + [0.75] * 4)
    outcome = np.array([1, 0, 0, 0, 1, 1, 1, 0])
    curve = reliability_curve(outcome, Beta.from_mean_concentration(mean, np.full(8, 1e6)), bins=2, rng=rng)
    for values in (curve.accuracy, curve.confidence, curve.expected):
        assert values.tolist() == pytest.approx([0.25, 0.75])
    assert curve.mass.tolist() == pytest.approx([0.5, 0.5])
    few = Beta.from_mean_concentration(np.full(5, 0.9), np.full(5, 1e6))
    assert np.isfinite(reliability_curve(np.ones(5), few, rng=rng).accuracy).sum() <= 2
    belief = Beta(rng.gamma(2, 2, 200) + 0.1, rng.gamma(2, 2, 200) + 0.1)
    outcome = (rng.random(200) < 0.4).astype(float)
    whole = reliability_curve(outcome, belief, rng=rng)
    gap = np.sum(whole.mass * np.abs(whole.accuracy - whole.confidence))
    assert gap == pytest.approx(generalised_ece(outcome, belief), abs=1e-12)
    # One group: every resample is the data, so the band has no width.
    band = reliability_curve(outcome, belief, groups=np.zeros(200), rng=rng)
    known = np.isfinite(band.accuracy)
    assert band.low[known].tolist() == pytest.approx(band.accuracy[known].tolist())
