"""Before and after (paper figure 2): gECE and FD, signal space and linguistic space."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ralc.registry import SIGNALS, SPACES
from ralc.report.figures import style
from ralc.results.filters import graded, in_domain, main_evaluator, main_target, one, plain
from ralc.results.labels import in_order, label

PANELS = {
    "faithfulness_divergence": "Faithfulness Divergence (nats)",
    "generalised_ece": "Generalised ECE",
}


@style.styled
def plot_prepost(metrics: pd.DataFrame, averages: pd.DataFrame | None = None) -> Figure:
    """Draw FD and gECE before and after calibration, by signal and dataset, maps fitted in-domain.

    Parameters
    ----------
    metrics, averages
        The metrics table, and its means over datasets, which come last.

    Returns
    -------
    Figure with a row a space and a column a metric; a hollow mark is before, a filled one after, the line its
    95 % interval, and the upright tick the null value of gECE.
    """
    target, evaluator = main_target(metrics), main_evaluator(metrics)
    rows = pd.concat([metrics, style.over_datasets(averages)])
    rows = in_domain(plain(rows, evaluator=evaluator, target=target))
    datasets, signals = in_order(rows["dataset"]), [s for s in SIGNALS if (rows["signal"] == s).any()]
    height = 1.6 + 2 * (0.3 * len(datasets) * (len(signals) + 1))
    figure = Figure(figsize=(9, max(height, 4)), layout="constrained")
    panels = figure.subplots(2, 2, sharey=True, squeeze=False)
    for space, line in zip(SPACES, panels, strict=True):
        for metric, axes in zip(PANELS, line, strict=True):
            _panel(
                axes,
                rows[(rows["space"] == space) & rows["metric"].str.startswith(metric)],
                metric,
                datasets,
                signals,
            )
            by = f", read by the {label(evaluator)}" if space == "linguistic" else ""
            axes.set_title(f"{SPACES[space]}{by}" if axes is line[0] else "")
            axes.set_xlabel(f"{PANELS[metric]}, lower is better")
            axes.tick_params(axis="y", length=0)
    _ticks(panels[0, 0], rows, datasets, signals)
    style.key(figure, _key(signals))
    text = f"Held-out questions, {label(target)}; lines are 95 % intervals over questions."
    style.note(figure, [text, *style.too_few(graded(rows))])
    return figure


def _panel(axes: Axes, rows: pd.DataFrame, metric: str, datasets: list[str], signals: list[str]) -> None:
    """One space and metric: an arrow from before to after for each dataset and signal."""
    seen = []
    for i, dataset in enumerate(datasets):
        for j, signal in enumerate(signals):
            y, at = i * (len(signals) + 1) + j, {"dataset": dataset, "metric": metric}
            before = one(rows[rows["signal"].isin([signal, "none"])], method="original", **at)
            after = one(rows, method="ralc", signal=signal, **at)
            seen += [row["value"] for row in (before, after) if row is not None]
            null = one(rows, method="ralc", signal=signal, dataset=dataset, metric=f"{metric}_null")
            _change(axes, before, after, null, y, signal)
    if not seen:
        style.nothing(axes, "no such numbers in this run")
        return
    if metric == "faithfulness_divergence":
        style.log_if_wide(axes, seen)
    if axes.get_xscale() == "linear":
        axes.set_xlim(left=0)


def _change(
    axes: Axes,
    before: pd.Series | None,
    after: pd.Series | None,
    null: pd.Series | None,
    y: float,
    signal: str,
) -> None:
    colour, marker = style.SIGNAL_COLOURS[signal], style.SIGNAL_MARKERS[signal]
    if before is not None:
        style.interval(axes, before, y - 0.17, colour)
        axes.plot(before["value"], y - 0.17, marker, mfc="white", mec=colour, mew=1.4, ms=6, zorder=3)
    if after is not None:
        style.interval(axes, after, y + 0.17, colour)
        axes.plot(after["value"], y + 0.17, marker, color=colour, ms=6, zorder=3)
    if before is not None and after is not None:
        ends = {"xy": (after["value"], y + 0.17), "xytext": (before["value"], y - 0.17)}
        shape = {"arrowstyle": "->", "color": style.SOFT, "shrinkA": 5, "shrinkB": 5, "linewidth": 0.9}
        axes.annotate("", **ends, arrowprops=shape)
    if null is not None:
        axes.plot(null["value"], y + 0.17, "|", color=style.INK, ms=11, mew=1.6, zorder=4)


def _ticks(axes: Axes, rows: pd.DataFrame, datasets: list[str], signals: list[str]) -> None:
    """Names of datasets with their n, and of signals, down the side."""
    places, names = [], []
    shown = graded(rows)
    for i, dataset in enumerate(datasets):
        n = shown.loc[shown["dataset"] == dataset, "n"].max()
        for j, signal in enumerate(signals):
            places.append(i * (len(signals) + 1) + j)
            names.append(f"{label(dataset)} (n={n})   {label(signal)}" if j == 0 else label(signal))
    axes.set_yticks(places, names)
    axes.set_ylim(max(places, default=0) + 0.7, -0.7)


def _key(shown: list[str]) -> list[Line2D]:
    """The legend's marks."""
    grey = {"color": style.SOFT, "ms": 6}
    when = [style.mark("before", "o", mfc="white", **grey), style.mark("after", "o", **grey)]
    return [*when, style.null_mark(11), *(style.signal_mark(s, SIGNALS[s].title) for s in shown)]
