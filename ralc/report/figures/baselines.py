"""RALC beside its baselines (paper figure 3), in linguistic space."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ralc.conditions import MEAN
from ralc.names import METHODS, METRICS, SIGNALS
from ralc.report.figures.style import (
    INK,
    SIGNAL_COLOURS,
    SIGNAL_MARKERS,
    interval,
    key,
    log_if_wide,
    note,
    nothing,
    null_mark,
    signal_mark,
    styled,
    too_few,
)
from ralc.results.labels import OVER_DATASETS, QUANTITIES, in_order, label
from ralc.results.select import graded, in_domain, main_reader, main_target, plain
from ralc.statistics import FEWEST

#: The paper's four, then ours.
PAPERS = {
    "content_preservation": "Content\npreserved",
    "spearman_mean": "Signal to language\nSpearman ρ",
    "faithfulness_divergence": "Faithfulness\nDivergence (nats)",
    "generalised_ece": "Generalised\nECE",
}
COMPARED = PAPERS | {
    "auroc": "AUROC\nof means",
    "brier_score": "Brier score\nof means",
}
SHOWN = (*(method for method in METHODS if method != "original"), "original")
ARROWS = {"lower": "← better", "higher": "better →"}


@styled
def plot_baselines(metrics: pd.DataFrame, *, compared: Mapping[str, str] = COMPARED) -> Figure:
    """Every method on every dataset by some metrics, with 95 % intervals, maps fitted in-domain.

    Parameters
    ----------
    metrics
        The metrics table.
    compared
        The metrics, each with its title; ours are AUROC and Brier score.

    Returns
    -------
    Figure with a row a dataset and a column a metric. RALC and Direct Beta-guided have a mark for each
    signal that guided them, Hedged QA one for each that its words are correlated with; the upright tick is the null
    value of gECE.
    """
    target, reader = main_target(metrics), main_reader(metrics)
    rows = in_domain(plain(metrics, space="linguistic", reader=reader, target=target, unguided=True))
    datasets = in_order(rows["dataset"])
    methods = in_order(rows["method"], SHOWN)
    if not datasets:
        raise ValueError("metrics: no rows of space 'linguistic' for the baseline comparison")
    figure = Figure(figsize=(1 + 2 * len(compared), 1.7 + 1.9 * len(datasets)), layout="constrained")
    panels = figure.subplots(len(datasets), len(compared), sharex="col", sharey=True, squeeze=False)
    for line, dataset in zip(panels, datasets, strict=True):
        own = rows[rows["dataset"] == dataset]
        for axes, metric in zip(line, compared, strict=True):
            _panel(axes, own, metric, methods)
        line[0].set_ylabel(f"{label(dataset)}\nn = {graded(own)['n'].max()}", fontweight="bold")
    for column, metric in enumerate(compared):
        panels[0, column].set_title(compared[metric])
        panels[-1, column].set_xlabel(ARROWS[QUANTITIES[metric].better])
        if metric == "faithfulness_divergence":
            log_if_wide(panels[0, column], rows.loc[rows["metric"] == metric, "value"].tolist())
        left, right = panels[0, column].get_xlim()
        if right > (most := METRICS[metric].high):
            panels[0, column].set_xlim(left, most + 0.02 * (most - left))
    panels[0, 0].set_yticks(range(len(methods)), [METHODS[m].title for m in methods])
    panels[0, 0].set_ylim(len(methods) - 0.4, -0.6)
    key(figure, _key(rows))
    note(
        figure,
        [
            f"Linguistic space, read by the {label(reader)}; held-out questions, {label(target)}; 95 % "
            "intervals.",
            *too_few(graded(rows)),
        ],
    )
    return figure


def plot_baselines_averaged(averages: pd.DataFrame) -> Figure:
    """The paper's four metrics averaged over datasets, models and signals (paper figure 3).

    `averages` are those rows of the metrics. What no signal guides has none to be averaged over; Hedged QA's rho is the
    mean over the signals that its words are correlated with.
    """
    rows = averages[averages["dataset"] == MEAN]
    rows = rows.assign(**rows[["dataset", "train"]].replace(MEAN, OVER_DATASETS))
    rows = rows[rows["signal"].isin([MEAN, "none"])]
    return plot_baselines(rows.assign(signal=rows["signal"].replace(MEAN, "none")), compared=PAPERS)


def _panel(axes: Axes, rows: pd.DataFrame, metric: str, methods: list[str]) -> None:
    """One dataset and metric: a line a method, a mark a signal."""
    axes.tick_params(axis="y", length=0)
    found = rows[rows["metric"] == metric]
    if found["value"].notna().sum() == 0:
        nothing(axes, "too few answers" if rows["n"].max() < FEWEST else "not measured")
        return
    nulls = rows[rows["metric"] == f"{metric}_null"].set_index(["method", "signal"])["value"]
    for y, method in enumerate(methods):
        own = found[found["method"] == method]
        signals = in_order(own["signal"], ["none", *SIGNALS])
        for place, signal in enumerate(signals):
            row = own[own["signal"] == signal].iloc[0]
            level = y + 0.22 * (place - (len(signals) - 1) / 2)
            interval(axes, row, level, SIGNAL_COLOURS[signal])
            axes.plot(
                row["value"], level, SIGNAL_MARKERS[signal], color=SIGNAL_COLOURS[signal], ms=5, zorder=3
            )
            if (method, signal) in nulls.index:
                axes.plot(nulls[(method, signal)], level, "|", color=INK, ms=7, mew=1.4, zorder=4)
    if metric == "auroc":
        axes.axvline(0.5, color=INK, linewidth=0.8, linestyle=":")


def _key(rows: pd.DataFrame) -> list[Line2D]:
    """The legend's marks."""
    names = {
        **{s: f"guided by {signal.title.lower()}" for s, signal in SIGNALS.items()},
        "none": "needs no signal",
    }
    signals = in_order(rows["signal"])
    marks = [signal_mark(s, name) for s, name in names.items() if s in signals and len(signals) > 1]
    return [*marks, null_mark(9)]
