"""Figures: they draw the numbers of the results, say what is missing, and cut nothing off."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from scipy.stats import spearmanr

from ralc import people
from ralc.report import figures
from tests.synthetic import DATASETS, make_lexicon, results


def drawn(figure: Figure, n_axes: int | None = None) -> str:
    """All text of a figure; fails if something lies outside its edges."""
    figure.draw_without_rendering()
    box, edges = figure.get_tightbbox(), figure.bbox_inches
    assert box.x0 >= -0.02
    assert box.y0 >= -0.02
    assert box.x1 <= edges.x1 + 0.02
    assert box.y1 <= edges.y1 + 0.02
    assert n_axes is None or len(figure.axes) == n_axes
    return "\n".join(text.get_text() for text in figure.findobj(lambda artist: hasattr(artist, "get_text")))


def marks(axes) -> list[float]:
    """Where marks stand along x, lines between two points left out."""
    return [float(line.get_xdata()[0]) for line in axes.lines if len(line.get_xdata()) == 1]


def test_prepost_draws_before_after_and_null(metrics):
    figure = figures.plot_prepost(metrics)
    text = drawn(figure, n_axes=4)
    assert "read by the judge" in text
    assert "Faithfulness Divergence (nats), lower is better" in text
    rows = metrics.query(
        "space == 'linguistic' and reader == 'judge' and versus == 'none' and subset == 'all' and "
        "variant == 'default' and dataset == 'worldfacts-mc' and metric == 'generalised_ece' and "
        "(train == dataset or train == 'none')"
    ).set_index(["method", "signal"])["value"]
    shown = marks(figure.axes[3])
    assert rows[("original", "none")] in shown
    assert rows[("ralc", "semantic_uncertainty")] in shown
    # Before, after and null for three datasets and three signals.
    assert len(shown) == 3 * 3 * 3
    assert len(marks(figure.axes[2])) == 2 * 3 * 3


def test_baselines_draw_every_method(metrics):
    figure = figures.plot_baselines(metrics)
    text = drawn(figure, n_axes=18)
    for method in (
        "RALC",
        "Direct Beta-guided",
        "Hedged QA",
        "Constant hedge",
        "Base rate",
        "Original answer",
    ):
        assert method in text
    brier = metrics.query(
        "metric == 'brier_score' and dataset == 'worldfacts-qa' and (reader == 'judge' or method == 'base_rate') and "
        "variant == 'default' and versus == 'none' and subset == 'all' and (train == dataset or train == 'none')"
    )
    assert sorted(marks(figure.axes[5])) == sorted(brier["value"])


@pytest.mark.parametrize(
    "lacking",
    [
        "method not in ('direct_beta', 'hedged_qa', 'constant_hedge')",
        "signal != 'linguistic_confidence'",
        "dataset == 'worldfacts-rc'",
        "space == 'linguistic'",
        "metric not in ('content_preservation', 'spearman_mean', 'generalised_ece_null')",
        "reader in ('none', 'cues')",
        "method != 'original'",
    ],
)
def test_missing_conditions_leave_gaps_not_errors(items, metrics, lacking):
    few = metrics.query(lacking)
    drawn(figures.plot_prepost(few))
    drawn(figures.plot_baselines(few))
    assert figures.plot_reliability(items, few).axes
    assert figures.plot_propagation(items, few).axes


def test_panels_without_numbers_say_so(metrics):
    assert "no such numbers in this run" in drawn(
        figures.plot_prepost(metrics.query("space == 'linguistic'"))
    )
    assert "not measured" in drawn(figures.plot_baselines(metrics.query("metric != 'content_preservation'")))


@pytest.mark.parametrize("n", [4, 24])
def test_one_dataset_and_one_signal_are_cut_nowhere(n):
    """Narrow figures: legends and small print have the width of their panels."""
    _, items, metrics = results(datasets=DATASETS[:1], n=n)
    items, metrics = (
        table[table["signal"].isin(["none", "linguistic_confidence"])] for table in (items, metrics)
    )
    for plot in (figures.plot_prepost, figures.plot_baselines, figures.plot_bias, figures.plot_bias_transfer):
        drawn(plot(metrics))
    for plot in (figures.plot_reliability, figures.plot_signal_reliability, figures.plot_propagation):
        drawn(plot(items, metrics))
    drawn(figures.plot_signal_spread(items))


def test_four_answers_are_said_to_be_too_few_and_have_no_curve():
    _, items, metrics = results(datasets=DATASETS[:2], n=4)
    said = "Too few answers to say anything: worldfacts-qa, worldfacts-mc."
    for plot in (figures.plot_prepost, figures.plot_baselines, figures.plot_bias, figures.plot_bias_transfer):
        assert said in " ".join(drawn(plot(metrics)).split())
    lacking = metrics[metrics["metric"] != "auroc"]  # as where all answers are right
    assert drawn(figures.plot_baselines(lacking)).splitlines().count("too few answers") == 2
    figure = figures.plot_reliability(items, metrics)
    assert drawn(figure).count("too few answers for a curve") == len(figure.axes)
    assert all(len(axes.lines) == 1 for axes in figure.axes)
    assert "worldfacts-qa: too few for ρ, n " in drawn(figures.plot_propagation(items, metrics))
    violins = figures.plot_signal_spread(items).axes[0].collections
    assert sum(len(marks.get_offsets()) for marks in violins) == 3 * 4


def test_a_dataset_has_one_colour_in_every_figure(items, metrics):
    def colours(figure):
        return {text.get_text().split(" ")[0]: handle.get_color() for legend in figure.legends
                for text, handle in zip(legend.get_texts(), legend.legend_handles, strict=True)}  # fmt: skip

    first, *others = (
        {name: colour for name, colour in colours(figure).items() if name in DATASETS}
        for figure in (
            figures.plot_propagation(items, metrics),
            figures.plot_bias(metrics),
            figures.plot_bias_transfer(metrics),
        )
    )
    assert len(first) == 3
    assert others == [first, first]


def test_no_share_is_drawn_beyond_all(metrics):
    axes = figures.plot_baselines(metrics.assign(value=metrics["value"].clip(upper=1.0))).axes
    assert axes[0].get_xlim()[1] < 1.02
    assert axes[4].get_xlim()[1] < 1.05


def test_several_models_show_their_mean(several):
    items, metrics = several
    assert "mean of models" in drawn(figures.plot_prepost(metrics))
    drawn(figures.plot_baselines(metrics))
    assert "answers of all models together" in drawn(figures.plot_reliability(items, metrics))
    assert "all models" in drawn(figures.plot_propagation(items, metrics))


def test_extreme_divergences_get_a_logarithmic_axis(metrics):
    worse = metrics.copy()
    at = (worse["metric"] == "faithfulness_divergence") & (worse["method"] == "original")
    worse.loc[at, ["value", "ci_low", "ci_high"]] *= 100
    assert figures.plot_prepost(worse).axes[0].get_xscale() == "log"
    assert figures.plot_prepost(metrics).axes[0].get_xscale() == "linear"
    # Correlations and rates are bounded: they may lie near 0, and stay on a linear axis.
    worse.loc[
        worse["metric"].isin(["spearman_mean", "brier_score"]) & (worse["signal"] != "none"), "value"
    ] = 1e-4
    scales = [axes.get_xscale() for axes in figures.plot_baselines(worse).axes[:6]]
    assert scales == ["linear", "linear", "log", "linear", "linear", "linear"]


def test_reliability_prints_the_numbers_of_the_metrics(items, metrics):
    text = drawn(figures.plot_reliability(items, metrics), n_axes=9)
    row = metrics.query(
        "dataset == train == 'worldfacts-qa' and reader == 'judge' and method == 'ralc' and "
        "versus == 'none' and subset == 'all' and signal == 'token_probability' and metric == 'faithfulness_divergence'"
    ).iloc[0]
    assert f"after: FD {row['value']:.3f}" in text
    assert "Signal space" in drawn(figures.plot_signal_reliability(items, metrics))


def test_propagation_pairs_join_the_same_answer(items):
    pairs = figures.propagation_pairs(items)
    row = pairs.iloc[7]
    own = items[(items["question_id"] == row["question_id"]) & (items["signal"] == row["signal"])]
    own = own[(own["method"] == "ralc") & (own["train"] == row["train"])]
    aimed = own[own["space"] == "signal"].iloc[0]
    heard = own[own["reader"] == row["reader"]].iloc[0]
    assert row["calibrated"] == pytest.approx(aimed["alpha"] / (aimed["alpha"] + aimed["beta"]))
    assert row["reread"] == pytest.approx(heard["alpha"] / (heard["alpha"] + heard["beta"]))
    assert (pairs["train"] == pairs["dataset"]).all()
    # 3 datasets x 3 signals x 2 readers x 24 questions, one of them without a reading, one without a grade.
    assert len(pairs) == 3 * 3 * 2 * 22


def test_the_marks_of_the_propagation_figure_are_the_answers_that_rho_is_of(items, metrics):
    rho = metrics.query(
        "metric == 'spearman_mean' and variant == 'default' and subset == 'all' and train == dataset and "
        "method == 'ralc' and versus == 'none'"
    ).set_index(["dataset", "signal", "reader"])
    marks = figures.propagation_pairs(items).groupby(["dataset", "signal", "reader"])
    assert len(marks) == len(rho) == 3 * 3 * 2
    for about, own in marks:
        assert rho.loc[about, "n"] == len(own)
        assert rho.loc[about, "value"] == pytest.approx(spearmanr(own["calibrated"], own["reread"])[0])


def test_propagation_prints_rho_of_both_readers(items, metrics):
    figure = figures.plot_propagation(items, metrics)
    text = drawn(figure, n_axes=6)
    # A row a reader, the one in the loop first, as in the results.
    heard = [axes.get_ylabel().splitlines()[-1] for axes in figure.axes if axes.get_ylabel()]
    assert heard == ["reader of cues", "judge"]
    row = metrics.query(
        "dataset == train == 'worldfacts-mc' and reader == 'cues' and method == 'ralc' and "
        "versus == 'none' and subset == 'all' and signal == 'semantic_uncertainty' and metric == 'spearman_mean'"
    ).iloc[0]
    assert f"worldfacts-mc: ρ {row['value']:.3f}, n {row['n']}" in text


def test_answers_that_were_passed_on_are_told_apart(items, metrics):
    assert "passed on" not in drawn(figures.plot_propagation(items, metrics))
    passed = items.assign(origin=items["origin"].mask(items["origin"] == "template", "passed"))
    text = drawn(figures.plot_propagation(passed, metrics))
    assert "crosses: passed on unhedged" in text
    assert "by template" not in text


def test_rho_of_the_hedged_answers_stands_beside_that_of_all(items, metrics):
    """The overview's is that of the hedged ones: of the same answers the figure said .508 where it said .63."""
    hedged = metrics["metric"] == "spearman_mean_hedged"
    fewer = metrics.assign(n=metrics["n"].mask(hedged, 21), value=metrics["value"].mask(hedged, 0.63))
    assert "(hedged alone: ρ 0.630, n 21)" in drawn(figures.plot_propagation(items, fewer))
    assert "hedged alone" not in drawn(figures.plot_propagation(items, metrics[~hedged]))


def test_nothing_to_draw_is_an_error(items, metrics):
    with pytest.raises(ValueError, match="no rows"):
        figures.plot_prepost(metrics.iloc[:0])
    with pytest.raises(ValueError, match="linguistic"):
        figures.plot_baselines(metrics.query("space == 'signal'"))
    with pytest.raises(ValueError, match="read again"):
        figures.plot_propagation(items.query("method == 'original'"), metrics)
    with pytest.raises(ValueError, match="method 'ralc'"):
        figures.plot_reliability(items.query("method == 'original'"), metrics)
    with pytest.raises(ValueError, match="no expressions"):
        figures.plot_lexicon(make_lexicon().iloc[:0])


@pytest.mark.parametrize("entries", [1, 5, 143])
def test_lexicon_shows_a_sample_across_the_scale(entries):
    lexicon = make_lexicon(entries)
    figure = figures.plot_lexicon(lexicon)
    text = drawn(figure, n_axes=2)
    names = [tick.get_text() for tick in figure.axes[0].get_yticklabels()]
    assert len(names) == min(entries, 18)
    mean = lexicon["alpha"] / (lexicon["alpha"] + lexicon["beta"])
    assert names[0] == lexicon.loc[mean.idxmin(), "expression"]
    assert names[-1] == lexicon.loc[mean.idxmax(), "expression"]
    assert f"{entries} expressions" in text


def test_the_lexicon_shows_no_hedge_that_is_left_out():
    lexicon = make_lexicon(4)
    lexicon.loc[1, ["expression", "flags"]] = ["probably not", "opposite"]
    text = drawn(figures.plot_lexicon(lexicon))
    assert "probably not" not in text
    assert "3 expressions (1 more are left out)" in text
    with pytest.raises(ValueError, match="no expressions"):
        figures.plot_lexicon(lexicon[1:2])


def test_the_lexicon_shows_flagged_hedges_where_they_are_used():
    lexicon = make_lexicon(4)
    lexicon.loc[1, ["expression", "flags"]] = ["probably not", "opposite"]
    text = drawn(figures.plot_lexicon(lexicon, flagged_hedges="used"))
    assert "probably not" in text
    assert "4 expressions, " in text


def test_lexicon_survives_strange_expressions_and_unbounded_densities():
    lexicon = make_lexicon(3)
    lexicon["expression"] = ["$x_1^2$ \\frac & <b>", "a" * 200, ""]
    lexicon["alpha"], lexicon["beta"] = [1e-6, 0.5, 5000.0], [5.0, 0.5, 1e-6]
    text = drawn(figures.plot_lexicon(lexicon))
    assert "a" * 39 + "…" in text
    assert "a" * 41 not in text


def test_theory_of_divergence():
    by_mean = figures.plot_theory_mean()
    assert "α + β = 20" in drawn(by_mean, n_axes=4)
    # Right and wrong mirror each other about the middle.
    right, wrong = (line.get_ydata() for line in by_mean.axes[0].lines[:2])
    assert right == pytest.approx(wrong[::-1])
    by_k = figures.plot_theory_concentration()
    assert "= 1.5" in drawn(by_k, n_axes=4)
    divergence, kl, brier, loss = (axes.lines[1].get_ydata() for axes in by_k.axes)
    # Only FD of a wrong answer grows with concentration (paper appendix A.4).
    assert (np.diff(divergence) > 0).all()
    assert all((np.diff(values) < 0).all() for values in (kl, brier, loss))
    assert divergence[-1] == pytest.approx(1.5, abs=0.02)


def test_saved_files_are_the_same_for_the_same_data(metrics, tmp_path):
    for name in ("one", "two"):
        figures.save_figure(figures.plot_prepost(metrics), tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()
    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")


def test_figures_leave_the_data_alone(items, metrics):
    before = items.copy(), metrics.copy()
    figures.plot_propagation(items, metrics)
    figures.plot_prepost(metrics)
    pd.testing.assert_frame_equal(items, before[0])
    pd.testing.assert_frame_equal(metrics, before[1])


def test_human_benchmark_prints_rho_of_single_items():
    rows, points = (people.load_committed(name) for name in ("human_benchmark", "human_benchmark_points"))
    figure = figures.plot_human_benchmark(rows, points)
    printed = [text.get_text() for axes in figure.axes for text in axes.texts]
    numbers = rows[rows["metric"] == "spearman_mean"].set_index(["dataset", "reader"])
    for axes, dataset in zip(printed, ("tao_raw", "tao_benchmark", "capphrase"), strict=False):
        row = numbers.loc[(dataset, "cues")]
        reader = "reader of cues (in sample)" if dataset == "capphrase" else "reader of cues"
        assert f"{reader}: ρ {row['value']:.3f}, n {row['n']}" in axes
    with pytest.raises(ValueError, match="no readings"):
        figures.plot_human_benchmark(rows, points.iloc[:0])
