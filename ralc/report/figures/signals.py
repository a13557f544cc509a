"""Quality against calls: what each signal is worth for what it costs."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ralc.names import METRICS, PAPER_SIGNALS, SIGNALS
from ralc.report.figures.style import SIGNAL_COLOURS, SIGNAL_MARKERS, key, note, plain_log, styled
from ralc.results.labels import in_order, label
from ralc.signals.stopping import SETTLED

#: What is drawn, one line of panels each.
SHOWN = ("auroc", "brier_score")


@styled
def plot_signal_costs(signal_costs: pd.DataFrame) -> Figure:
    """AUROC and calibrated Brier score of each signal over the answers asked for, a panel a model and dataset.

    Parameters
    ----------
    signal_costs
        The table of `ralc.pipeline.signal_costs.measure`, with ``target``.
    """
    plain = signal_costs[signal_costs["versus"] == "none"]
    panels = list(plain[["target", "dataset"]].drop_duplicates().itertuples(index=False, name=None))
    figure = Figure(figsize=(1.0 + 3.1 * len(panels), 6.0), layout="constrained")
    grid = figure.subplots(len(SHOWN), len(panels), sharex="col", sharey="row", squeeze=False)
    for line, metric in zip(grid, SHOWN, strict=True):
        for axes, (target, dataset) in zip(line, panels, strict=True):
            own = plain[(plain["target"] == target) & (plain["dataset"] == dataset)]
            _panel(axes, own[own["metric"] == metric])
        line[0].set_ylabel(METRICS[metric].title)
    for axes, (target, dataset) in zip(grid[0], panels, strict=True):
        own = plain[(plain["target"] == target) & (plain["dataset"] == dataset)]
        axes.set_title(f"{target}, {label(dataset)} (n = {own['n'].max()})")
    for axes in grid[-1]:
        axes.set_xlabel("Answers asked of a question (mean)")
    signals = in_order(plain["signal"], SIGNALS)
    key(figure, [_mark(signal) for signal in signals])
    note(
        figure,
        [
            "Held-out questions; the bars are the 95 % intervals of semantic uncertainty. Lines: a fixed number of",
            f"answers. Large hollow marks: {SETTLED}. The answer judged is the first of the majority of those",
            "asked for. Brier score after calibration; AUROC of the raw signal.",
        ],
    )
    return figure


def _panel(axes: Axes, rows: pd.DataFrame) -> None:
    """The lines of all signals on one dataset."""
    for signal in in_order(rows["signal"], SIGNALS):
        own = rows[rows["signal"] == signal]
        fixed = own[own["asked"] != SETTLED].sort_values("calls")
        look = {"color": SIGNAL_COLOURS[signal], "marker": SIGNAL_MARKERS[signal]}
        dashes = _dashes(signal)
        axes.plot(fixed["calls"], fixed["value"], **look, markersize=4, linewidth=1, linestyle=dashes)
        if SIGNALS[signal].compares:  # what knows one answer alone has nothing to settle
            settled = own[own["asked"] == SETTLED]
            axes.plot(settled["calls"], settled["value"], **look, ls="none", markersize=9, fillstyle="none")
        if signal == "semantic_uncertainty":
            axes.vlines(fixed["calls"], fixed["ci_low"], fixed["ci_high"], color=look["color"], alpha=0.4)
    axes.set_xscale("log")
    calls = rows["calls"]
    axes.set_xlim(calls.min() / 1.2, calls.max() * 1.2)  # one number of answers makes an axis, too
    plain_log(axes.xaxis)


def _mark(signal: str) -> Line2D:
    look = {"color": SIGNAL_COLOURS[signal], "marker": SIGNAL_MARKERS[signal], "linestyle": _dashes(signal)}
    return Line2D([], [], **look, markersize=5, label=label(signal))


def _dashes(signal: str) -> str:
    """The paper's signals have solid lines."""
    return "-" if signal in PAPER_SIGNALS else "--"
