"""How many hedges the rewriter is given (paper appendix, choice of k)."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ralc.conditions import DEFAULT
from ralc.registry import HEADLINES, SIGNALS
from ralc.report.figures.style import SIGNAL_COLOURS, SIGNAL_MARKERS, key, note, styled
from ralc.results.filters import in_domain, main_evaluator, main_protocol, main_target, one_evaluator
from ralc.results.labels import QUANTITIES, in_order, label

PREFIX = "hedges="


@styled
def plot_hedges_ablation(metrics: pd.DataFrame, *, default: int) -> Figure:
    """FD and gECE of RALC's words over the number of hedges, a line a signal, a row a dataset, with 95 % intervals.

    Parameters
    ----------
    metrics
        The metrics table, with variants ``hedges=k``.
    default
        The k of the default variant (`Config.retrievals`).

    Raises
    ------
    ValueError
        If there is no such variant.
    """
    evaluator = main_evaluator(metrics)
    rows = metrics[(metrics["protocol"] == main_protocol(metrics)) & (metrics["versus"] == "none")]
    rows = in_domain(one_evaluator(rows[rows["space"] == "linguistic"], evaluator))
    rows = rows[(rows["method"] == "ralc") & (rows["subset"] == "all")]
    varied = rows["variant"].str.startswith(PREFIX)
    if not varied.any():
        raise ValueError("metrics: no variant hedges=k")
    tried = in_order(rows.loc[varied, "target"])
    target = main_target(metrics) if main_target(metrics) in tried else tried[0]
    rows, varied = rows[rows["target"] == target], varied[rows["target"] == target]
    rows = rows[varied | (rows["variant"] == DEFAULT)]
    rows = rows[rows["dataset"].isin(rows.loc[varied, "dataset"])]
    hedges = rows["variant"].str.removeprefix(PREFIX).replace(DEFAULT, str(default)).astype(int)
    rows = rows.assign(hedges=hedges).sort_values("hedges")
    datasets, signals = in_order(rows["dataset"]), in_order(rows["signal"], SIGNALS)
    figure = Figure(figsize=(8, 1.2 + 2.4 * len(datasets)), layout="constrained")
    panels = figure.subplots(len(datasets), len(HEADLINES), sharex=True, squeeze=False)
    for line, dataset in zip(panels, datasets, strict=True):
        for axes, metric in zip(line, HEADLINES, strict=True):
            _panel(axes, rows[(rows["dataset"] == dataset) & (rows["metric"] == metric)], signals)
            axes.set_title(f"{label(dataset)}: {QUANTITIES[metric].title}")
    for axes in panels[-1]:
        axes.set_xlabel("Hedges given to the rewriter, k")
    marks = [
        Line2D([], [], color=SIGNAL_COLOURS[s], marker=SIGNAL_MARKERS[s], label=label(s)) for s in signals
    ]
    key(figure, marks)
    text = f"RALC, read by the {label(evaluator)}; held-out questions, {label(target)}; 95 % intervals; "
    note(figure, [f"{text}default k = {default}."])
    return figure


def _panel(axes: Axes, rows: pd.DataFrame, signals: list[str]) -> None:
    """One dataset and metric: a line a signal."""
    for place, signal in enumerate(signals):
        own = rows[rows["signal"] == signal]
        x = own["hedges"] + 0.08 * (place - (len(signals) - 1) / 2)
        ends = [own["value"] - own["ci_low"], own["ci_high"] - own["value"]]
        axes.errorbar(
            x, own["value"], [end.clip(lower=0) for end in ends], color=SIGNAL_COLOURS[signal],
            marker=SIGNAL_MARKERS[signal], ms=5, elinewidth=0.9, linewidth=1.2,
        )  # fmt: skip
    axes.set_xticks(sorted(rows["hedges"].unique()))
