"""Miscalibration bias, and whether its difference explains how maps travel (paper appendix)."""

import numpy as np
import pandas as pd
import statsmodels.api as sm
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ralc.conditions import DEFAULT
from ralc.registry import SIGNALS
from ralc.report.figures.style import SOFT, dataset_marks, dataset_styles, key, note, nothing, styled, too_few
from ralc.results.filters import differences, plain
from ralc.results.labels import in_order, label

KEY = ["target", "dataset", "signal"]
ERROR = "generalised_ece"
#: A regression line is drawn from so many points.
LEAST = 4


@styled
def plot_bias(metrics: pd.DataFrame) -> Figure:
    """Draw the mean confidence of the raw signals against accuracy, and what another dataset's map gains.

    Above, a mark a (dataset, model), a panel a signal. Below, where there are several datasets, the advantage of a
    foreign map over how far the two biases lie apart, with least squares and its 95 % band.

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
    wide = rows.set_index([*KEY, "metric"])[["value", "ci_low", "ci_high"]].unstack("metric").reset_index()  # noqa: PD010
    points = transfers(metrics)
    lines = 1 + (len(counts) > 1)
    figure = Figure(figsize=(1.0 + 3.1 * len(signals), 0.6 + 3.2 * lines), layout="constrained")
    panels = figure.subplots(lines, len(signals), sharey="row", squeeze=False)
    for column, signal in enumerate(signals):
        _bias(panels[0, column], wide[wide["signal"] == signal], styles)
        panels[0, column].set_title(label(signal))
        if lines > 1:
            _transfer(panels[1, column], points[points["signal"] == signal], styles)
            panels[1, column].set_xlabel("|difference of bias| of the two datasets")
    panels[0, 0].set_ylabel("Mean confidence")
    if lines > 1:
        panels[1, 0].set_ylabel("gECE: own map − foreign map")
    key(figure, dataset_marks(styles, counts))
    text = [
        "Raw signals, held-out questions, 95 % intervals. On the line, confidence is as often right as it says.",
        "Below, above 0: the foreign map was better. The points are not independent of one another.",
    ]
    note(figure, [*text[:lines], *too_few(rows)])
    return figure


def raw_signals(metrics: pd.DataFrame, *quantities: str) -> pd.DataFrame:
    """Return rows of the raw signals on whole datasets."""
    rows = plain(metrics, space="signal")
    return rows[(rows["method"] == "original") & rows["metric"].isin(quantities)]


def transfers(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return a row a map used on another dataset: how far the biases lie apart, and what the foreign map gained.

    Returns
    -------
    DataFrame with the columns ``target, dataset, train, signal, gap, advantage``: |bias of train - bias of test|, and
    the error with the dataset's own map minus that with the foreign one, in signal space.
    """
    bias = raw_signals(metrics, "miscalibration_bias").set_index(KEY)["value"]
    rows = differences(metrics, space="signal")
    rows = rows[(rows["versus"] == "in_domain") & (rows["metric"] == ERROR) & (rows["target"] != "mean")]
    rows = rows[rows["variant"] == DEFAULT]
    here = bias.reindex(pd.MultiIndex.from_frame(rows[KEY])).to_numpy()
    there = bias.reindex(pd.MultiIndex.from_frame(rows[["target", "train", "signal"]])).to_numpy()
    found = rows[["target", "dataset", "train", "signal"]].assign(
        gap=abs(there - here), advantage=-rows["value"]
    )
    return found.dropna(subset=["gap", "advantage"]).reset_index(drop=True)


def _bias(axes: Axes, rows: pd.DataFrame, styles: dict[str, tuple[str, str]]) -> None:
    """One signal: mean confidence over accuracy."""
    axes.plot([0, 1], [0, 1], color=SOFT, linewidth=0.8, zorder=1)
    for dataset, (colour, marker) in styles.items():
        own = rows[rows["dataset"] == dataset]
        x, y = (_with_ends(own, metric) for metric in ("accuracy", "mean_confidence"))
        look = {"color": colour, "ms": 5, "elinewidth": 1.2, "alpha": 0.9, "zorder": 3}
        axes.errorbar(x[0], y[0], y[1:], x[1:], fmt=marker, **look)
    ends = (-0.02, 1.02)  # a mark at an end is whole
    axes.set(xlim=ends, ylim=ends, xlabel="Accuracy", aspect="equal")


def _with_ends(rows: pd.DataFrame, metric: str) -> np.ndarray:
    """Values of a metric and how far its interval reaches below and above them, shape (3, models)."""
    value, low, high = (rows[part, metric].to_numpy(float) for part in ("value", "ci_low", "ci_high"))
    return np.nan_to_num([value, np.maximum(value - low, 0), np.maximum(high - value, 0)])


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
