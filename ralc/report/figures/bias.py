"""Miscalibration bias, and whether its difference explains how maps travel (paper appendix)."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import statsmodels.api as sm
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ralc.names import SIGNALS
from ralc.report.figures.style import SOFT, dataset_styles, key, note, nothing, styled, too_few
from ralc.results.labels import in_order, label
from ralc.results.miscalibration import KEY, raw_signals, transfers
from ralc.results.select import spread

#: A regression line is drawn from so many points.
LEAST = 4


@styled
def plot_bias(metrics: pd.DataFrame) -> Figure:
    """Mean confidence against accuracy of the raw signals, a mark a (dataset, model), a panel a signal.

    Raises
    ------
    ValueError
        If the run has no raw signal.
    """
    rows = raw_signals(metrics, "mean_confidence", "accuracy")
    rows = rows[rows["target"] != "mean"]
    if rows.empty:
        raise ValueError("metrics: no raw signals")
    counts = rows.groupby("dataset")["n"].max()
    signals, styles = in_order(rows["signal"], SIGNALS), dataset_styles(rows["dataset"])
    few = too_few(rows)
    rows = spread(rows.set_index([*KEY, "metric"])[["value", "ci_low", "ci_high"]], "metric").reset_index()
    figure = Figure(figsize=(1.0 + 3.0 * len(signals), 3.7), layout="constrained")
    panels = figure.subplots(1, len(signals), sharex=True, sharey=True, squeeze=False)[0]
    for axes, signal in zip(panels, signals, strict=True):
        axes.plot([0, 1], [0, 1], color=SOFT, linewidth=0.8, zorder=1)
        for dataset, (colour, marker) in styles.items():
            own = rows[(rows["signal"] == signal) & (rows["dataset"] == dataset)]
            x, y = (_with_ends(own, metric) for metric in ("accuracy", "mean_confidence"))
            axes.errorbar(
                x[0], y[0], y[1:], x[1:], fmt=marker, color=colour, ms=5, elinewidth=1.2, alpha=0.9, zorder=3
            )
        ends = (-0.02, 1.02)  # a mark at an end is whole
        axes.set(xlim=ends, ylim=ends, title=label(signal), xlabel="Accuracy", aspect="equal")
    panels[0].set_ylabel("Mean confidence")
    key(figure, _key(styles, counts))
    note(
        figure,
        [
            "Before calibration, held-out questions, a mark a model with 95 % intervals. Above the line: more "
            "confident than right.",
            *few,
        ],
    )
    return figure


def _with_ends(rows: pd.DataFrame, metric: str) -> np.ndarray:
    """Values of a metric and how far its interval reaches below and above them, shape (3, models)."""
    value, low, high = (rows[part, metric].to_numpy(float) for part in ("value", "ci_low", "ci_high"))
    return np.nan_to_num([value, np.maximum(value - low, 0), np.maximum(high - value, 0)])


@styled
def plot_bias_transfer(metrics: pd.DataFrame) -> Figure:
    """How far two datasets' biases lie apart against what the foreign map gained, with a regression line and band.

    The line is ordinary least squares over all points of a signal, the band its 95 % confidence interval
    (statsmodels); points of one model or dataset are not independent, so the band is too narrow if anything.
    """
    points = transfers(metrics)
    signals, styles = (
        in_order(points["signal"], SIGNALS) or list(SIGNALS)[:1],
        dataset_styles(points["dataset"]),
    )
    figure = Figure(figsize=(1.0 + 3.1 * len(signals), 3.7), layout="constrained")
    panels = figure.subplots(1, len(signals), sharey=True, squeeze=False)[0]
    for axes, signal in zip(panels, signals, strict=True):
        _transfer(axes, points[points["signal"] == signal], styles)
        axes.set_title(label(signal))
        axes.set_xlabel("|bias of train − bias of test|")
    panels[0].set_ylabel("gECE, own map − foreign map\n← own is better     foreign is better →")
    key(figure, _key(styles))
    note(
        figure,
        [
            "Signal space, held-out questions; a mark a (model, train dataset, test dataset), coloured by the test "
            "dataset.",
            "Line and band: least squares with 95 % confidence; the points are not independent of one another.",
            *too_few(raw_signals(metrics, "mean_confidence")),
        ],
    )
    return figure


def _transfer(axes: Axes, points: pd.DataFrame, styles: dict[str, tuple[str, str]]) -> None:
    """One signal: its points, and the line through them."""
    axes.axhline(0, color=SOFT, linewidth=0.8, zorder=1)
    if points.empty:
        nothing(axes, "no map was used on another dataset")
        axes.set(xticks=[], yticks=[])
        return
    for dataset, (colour, marker) in styles.items():
        own = points[points["dataset"] == dataset]
        axes.plot(own["gap"], own["advantage"], marker, color=colour, ms=6, zorder=3)
    line = regression(points["gap"].to_numpy(), points["advantage"].to_numpy())
    if line is None:
        return
    axes.plot(line["x"], line["mean"], color=SOFT, linewidth=1.4, zorder=2)
    axes.fill_between(
        line["x"], line["mean_ci_lower"], line["mean_ci_upper"], color=SOFT, alpha=0.15, linewidth=0
    )
    slope, low, high = (f"{line.attrs[name]:+.2f}".replace("-", "−") for name in ("slope", "low", "high"))
    text = f"slope {slope} [{low}, {high}], n {len(points)}"
    axes.text(0.98, 0.02, text, transform=axes.transAxes, ha="right", va="bottom", fontsize=7.5)


def regression(x: np.ndarray, y: np.ndarray) -> pd.DataFrame | None:
    """A least-squares line with its 95 % band at fifty places; None for fewer than four points or one value of x.

    Returns
    -------
    DataFrame with the columns ``x, mean, mean_ci_lower, mean_ci_upper``; `attrs` has the slope and its interval.
    """
    if len(x) < LEAST or np.ptp(x) == 0:
        return None
    fitted = sm.OLS(y, sm.add_constant(x)).fit()
    places = np.linspace(x.min(), x.max(), 50)
    line = fitted.get_prediction(sm.add_constant(places)).summary_frame(alpha=0.05).assign(x=places)
    low, high = fitted.conf_int(0.05)[1]
    line.attrs = {"slope": fitted.params[1], "low": low, "high": high}
    return line


def _key(styles: dict[str, tuple[str, str]], counts: Mapping[str, int] | None = None) -> list[Line2D]:
    """A mark a dataset, with the number of its questions where it is given."""
    named = (
        {dataset: f"{label(dataset)} (n = {counts[dataset]})" for dataset in styles}
        if counts is not None
        else {}
    )
    return [
        Line2D(
            [], [], marker=marker, color=colour, linestyle="none", label=named.get(dataset, label(dataset))
        )
        for dataset, (colour, marker) in styles.items()
    ]
