"""RALC beside its baselines (paper figure 3), in linguistic space."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ralc.conditions import MEAN
from ralc.registry import METHODS, METRICS, SIGNALS
from ralc.report.figures import style
from ralc.results.filters import graded, in_domain, main_evaluator, main_target, plain
from ralc.results.labels import QUANTITIES, in_order, label
from ralc.statistics import FEWEST

#: The paper's four, then ours.
COMPARED = {
    "content_preservation": "Content\npreserved",
    "spearman_mean": "Signal to language\nSpearman ρ",
    "faithfulness_divergence": "Faithfulness\nDivergence (nats)",
    "generalised_ece": "Generalised\nECE",
    "auroc": "AUROC\nof means",
    "brier_score": "Brier score\nof means",
}
SHOWN = (*(method for method in METHODS if method != "original"), "original")
ARROWS = {"lower": "← better", "higher": "better →"}


@style.styled
def plot_baselines(metrics: pd.DataFrame, averages: pd.DataFrame | None = None) -> Figure:
    """Draw every method on every dataset by some metrics, with 95 % intervals, maps fitted in-domain.

    Parameters
    ----------
    metrics, averages
        The metrics table, and its means over datasets and signals, which come last.

    Returns
    -------
    Figure with a row a dataset and a column a metric. RALC and Direct Beta-guided have a mark for each signal that
    guided them, Hedged QA one for each that its words are correlated with. The upright tick is the null of gECE.
    """
    target, evaluator = main_target(metrics), main_evaluator(metrics)
    rows = in_domain(plain(metrics, space="linguistic", evaluator=evaluator, target=target, unguided=True))
    means = style.over_datasets(averages)
    if means is not None and len(means):
        means = means[means["signal"].isin([MEAN, "none"])]
        means = means.assign(signal=means["signal"].replace(MEAN, "none"))
        means = in_domain(plain(means, space="linguistic", evaluator=evaluator, target=target, unguided=True))
        rows = pd.concat([rows, means])
    datasets = in_order(rows["dataset"])
    methods = in_order(rows["method"], SHOWN)
    if not datasets:
        raise ValueError("metrics: no rows of space 'linguistic' for the baseline comparison")
    figure = Figure(figsize=(1 + 2 * len(COMPARED), 1.7 + 1.9 * len(datasets)), layout="constrained")
    panels = figure.subplots(len(datasets), len(COMPARED), sharex="col", sharey=True, squeeze=False)
    for line, dataset in zip(panels, datasets, strict=True):
        own = rows[rows["dataset"] == dataset]
        for axes, metric in zip(line, COMPARED, strict=True):
            _panel(axes, own, metric, methods)
        line[0].set_ylabel(f"{label(dataset)}\nn = {graded(own)['n'].max()}", fontweight="bold")
    for column, metric in enumerate(COMPARED):
        panels[0, column].set_title(COMPARED[metric])
        panels[-1, column].set_xlabel(ARROWS[QUANTITIES[metric].better])
        if metric == "faithfulness_divergence":
            style.log_if_wide(panels[0, column], rows.loc[rows["metric"] == metric, "value"].tolist())
        left, right = panels[0, column].get_xlim()
        if right > (most := METRICS[metric].high):
            panels[0, column].set_xlim(left, most + 0.02 * (most - left))
    panels[0, 0].set_yticks(range(len(methods)), [METHODS[m].title for m in methods])
    panels[0, 0].set_ylim(len(methods) - 0.4, -0.6)
    style.key(figure, _key(rows))
    style.note(
        figure,
        [
            f"Linguistic space, read by the {label(evaluator)}; held-out questions, {label(target)}; 95 % "
            "intervals.",
            *style.too_few(graded(rows)),
        ],
    )
    return figure


def _panel(axes: Axes, rows: pd.DataFrame, metric: str, methods: list[str]) -> None:
    """One dataset and metric: a line a method, a mark a signal."""
    axes.tick_params(axis="y", length=0)
    found = rows[rows["metric"] == metric]
    if found["value"].notna().sum() == 0:
        style.nothing(axes, "too few answers" if rows["n"].max() < FEWEST else "not measured")
        return
    nulls = rows[rows["metric"] == f"{metric}_null"].set_index(["method", "signal"])["value"]
    for y, method in enumerate(methods):
        own = found[found["method"] == method]
        signals = in_order(own["signal"], ["none", *SIGNALS])
        for place, signal in enumerate(signals):
            row = own[own["signal"] == signal].iloc[0]
            level = y + 0.22 * (place - (len(signals) - 1) / 2)
            style.interval(axes, row, level, style.SIGNAL_COLOURS[signal])
            axes.plot(
                row["value"],
                level,
                style.SIGNAL_MARKERS[signal],
                color=style.SIGNAL_COLOURS[signal],
                ms=5,
                zorder=3,
            )
            if (method, signal) in nulls.index:
                axes.plot(nulls[(method, signal)], level, "|", color=style.INK, ms=7, mew=1.4, zorder=4)
    if metric == "auroc":
        axes.axvline(0.5, color=style.INK, linewidth=0.8, linestyle=":")


def _key(rows: pd.DataFrame) -> list[Line2D]:
    """The legend's marks."""
    names = {
        **{s: f"guided by {signal.title.lower()}" for s, signal in SIGNALS.items()},
        "none": "needs no signal, or mean over signals",
    }
    signals = in_order(rows["signal"])
    marks = [style.signal_mark(s, name) for s, name in names.items() if s in signals and len(signals) > 1]
    return [*marks, style.null_mark(9)]
