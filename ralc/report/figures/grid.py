"""Where RALC's words are better: the sign and interval of each difference, by dataset, metric and opponent."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ralc.conditions import DEFAULT
from ralc.registry import ASKED, METHODS, METRICS, OPPONENTS
from ralc.report.figures.style import INK, SOFT, key, mark, note, nothing, styled
from ralc.results.filters import differences, in_domain, main_evaluator, main_signal, main_target
from ralc.results.labels import QUANTITIES, in_order, label

#: By side: colour, marker, and what the legend says. Blue and orange differ for every kind of colour vision.
SIDES = {
    "better": ("#0072B2", "o", "RALC better, interval excludes 0"),
    "worse": ("#D55E00", "X", "RALC worse, interval excludes 0"),
    "open": (SOFT, "D", "interval includes 0"),
}


@styled
def plot_grid(metrics: pd.DataFrame) -> Figure:
    """Draw RALC minus each opponent, guided by the main signal: a row a dataset, a column a metric.

    Right of 0 is better in every panel. Intervals are those of single comparisons, without correction.

    Raises
    ------
    ValueError
        If nothing was rewritten.
    """
    target, signal, evaluator = main_target(metrics), main_signal(metrics), main_evaluator(metrics)
    rows = in_domain(differences(metrics))
    rows = rows[(rows["target"] == target) & (rows["signal"] == signal) & (rows["method"] == "ralc")]
    rows = rows[(rows["variant"] == DEFAULT) & rows["versus"].isin(OPPONENTS)]
    datasets, opponents = in_order(metrics["dataset"]), in_order(rows["versus"], OPPONENTS)
    figure = Figure(figsize=(9, 1.3 + (0.5 + 0.28 * len(OPPONENTS)) * len(datasets)), layout="constrained")
    panels = figure.subplots(len(datasets), len(ASKED), sharex="col", sharey=True, squeeze=False)
    for line, dataset in zip(panels, datasets, strict=True):
        line[0].set_ylabel(label(dataset), fontweight="bold")
        for axes, metric in zip(line, ASKED, strict=True):
            own = rows[(rows["dataset"] == dataset) & (rows["metric"] == metric)]
            _panel(axes, own.set_index("versus"), metric, opponents)
    for column, metric in enumerate(ASKED):
        panels[0, column].set_title(QUANTITIES[metric].title)
        panels[-1, column].set_xlabel("better →")
        limit = max(abs(np.array(panels[0, column].get_xlim())))
        panels[0, column].set_xlim(-limit, limit)
        if METRICS[metric].better == "lower":
            panels[0, column].invert_xaxis()
    panels[0, 0].set_yticks(range(len(opponents)), [METHODS[name].title for name in opponents])
    panels[0, 0].set_ylim(len(opponents) - 0.5, -0.5)
    key(figure, [mark(text, marker, color=colour, ms=6) for colour, marker, text in SIDES.values()])
    text = f"RALC guided by {label(signal).lower()} minus each opponent, read by the {label(evaluator)}; "
    note(
        figure,
        [f"{text}held-out questions, {label(target)}; 95 % intervals. Exploratory, without correction."],
    )
    return figure


def _panel(axes: Axes, rows: pd.DataFrame, metric: str, opponents: list[str]) -> None:
    """One dataset and metric: a mark and an interval an opponent."""
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.tick_params(axis="y", length=0)
    if rows["value"].notna().sum() == 0:
        nothing(axes, "too few answers")
        return
    for place, versus in enumerate(opponents):
        if versus not in rows.index or not np.isfinite(rows.loc[versus, "value"]):
            continue
        value, low, high = rows.loc[versus, ["value", "ci_low", "ci_high"]].astype(float)
        colour, marker, _ = SIDES[_side(low, high, metric)]
        axes.plot([low, high], [place, place], color=colour, linewidth=1.6, zorder=2)
        axes.plot(value, place, marker, color=colour, ms=6, zorder=3)


def _side(low: float, high: float, metric: str) -> str:
    """Return on which side of 0 an interval lies."""
    if not np.isfinite([low, high]).all() or low <= 0 <= high:
        return "open"
    return "better" if (low > 0) == (METRICS[metric].better == "higher") else "worse"
