"""Wrong answers accepted against right ones as the cost of a wrong one moves, each way of speaking a line."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ralc.beta import Beta
from ralc.registry import METHODS
from ralc.reliance import Situation, measures, shown
from ralc.report.figures.style import DATASET_COLOURS, INK, SIGNAL_COLOURS, SOFT, key, note, nothing, styled
from ralc.results.filters import in_domain, main_evaluator, main_signal, main_target, plain
from ralc.results.labels import in_order, label
from ralc.statistics import FEWEST

#: Costs of a wrong answer, and those that have a mark.
COSTS = np.linspace(0.05, 0.95, 37)
MARKED = {0.25: "v", 0.5: "o", 0.75: "^"}
NUMBER = "RALC's calibrated number, shown"
_DASHES = {
    "hedged_qa": "-.",
    "direct_beta": ":",
    "constant_hedge": "--",
    "near_hedges": (0, (4, 1, 1, 1)),
    "base_rate": (0, (1, 1)),
}
_COLOURS = dict(zip(("original", *_DASHES), (INK, *DATASET_COLOURS), strict=False))


@styled
def plot_reliance(items: pd.DataFrame, metrics: pd.DataFrame) -> Figure:
    """Share of right answers accepted over that of wrong ones, for costs from .05 to .95; a panel a dataset.

    Parameters
    ----------
    items, metrics
        The two results tables. Of several models all answers stand together.
    """
    target, signal, evaluator = main_target(metrics), main_signal(metrics), main_evaluator(metrics)
    rows = in_domain(plain(items, evaluator=evaluator)).dropna(subset=["outcome", "alpha"])
    rows = rows if target == "mean" else rows[rows["target"] == target]
    ways = _ways(rows, signal)
    datasets = in_order(rows["dataset"])
    figure = Figure(figsize=(1.2 + 3.6 * len(datasets), 5.2), layout="constrained")
    panels = figure.subplots(1, len(datasets), sharex=True, sharey=True, squeeze=False)[0]
    for axes, dataset in zip(panels, datasets, strict=True):
        axes.set_title(label(dataset))
        axes.set_xlabel("Wrong answers accepted")
        own = {name: way[way["dataset"] == dataset] for name, way in ways.items()}
        _panel(axes, own, signal)
    panels[0].set_ylabel("Right answers accepted")
    key(figure, [*_lines(ways, signal), *_marks()])
    whose = "all models" if target == "mean" else label(target)
    lines = [
        f"Held-out questions, {whose}; words read by the {label(evaluator)}, RALC guided by {label(signal).lower()}, "
        "maps fitted in-domain.",
        "Assumed: a word acts as the number that people give it; people believe before what people of one study did, "
        "and rely as people of another did.",
        "Upper left is better; on the dotted line right and wrong are accepted alike.",
    ]
    note(figure, lines)
    return figure


def accepted(rows: pd.DataFrame) -> np.ndarray:
    """Shares of wrong and of right answers accepted at each cost, shape (costs, 2).

    Parameters
    ----------
    rows
        Items of one way of speaking, graded and read; some right and some wrong.
    """
    masses, outcome = shown(Beta.from_table(rows)), rows["outcome"].to_numpy(float)
    found = []
    for cost in COSTS:
        values = measures(outcome, masses, Situation(threshold=float(cost)))
        sides = (values[name] for name in ("accepted_wrong", "accepted_right"))
        found.append([float(value @ weight / weight.sum()) for value, weight in sides])
    return np.array(found)


def _ways(rows: pd.DataFrame, signal: str) -> dict[str, pd.DataFrame]:
    """The items of each way of speaking: each method's words, and the calibrated number itself."""
    guided = rows[rows["signal"].isin(["none", signal])]
    words = guided[guided["space"] == "linguistic"]
    found = {method: words[words["method"] == method] for method in in_order(words["method"], METHODS)}
    return found | {NUMBER: guided[(guided["space"] == "signal") & (guided["method"] == "ralc")]}


def _look(way: str, signal: str) -> dict[str, object]:
    """Colour and dashes of a way of speaking; what is guided has its signal's colour."""
    if way == NUMBER:
        return {"color": SIGNAL_COLOURS[signal], "linestyle": ":", "linewidth": 1.2}
    if way == "ralc":
        return {"color": SIGNAL_COLOURS[signal], "linestyle": "-", "linewidth": 2.0}
    return {"color": _COLOURS.get(way, SOFT), "linestyle": _DASHES.get(way, "-"), "linewidth": 1.2}


def _panel(axes: Axes, ways: dict[str, pd.DataFrame], signal: str) -> None:
    """One dataset: a line a way of speaking, a mark at three costs."""
    axes.plot([0, 1], [0, 1], color=SOFT, linewidth=0.8, linestyle=":", zorder=1)
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    if "original" not in ways or _rarer(ways["original"]["outcome"]) < FEWEST:
        nothing(axes, f"fewer than {FEWEST} right or wrong answers")
        return
    for way, rows in ways.items():
        if not _rarer(rows["outcome"]):
            continue
        curve, look = accepted(rows), _look(way, signal)
        axes.plot(*curve.T, **look)
        for cost, marker in MARKED.items():
            x, y = curve[np.abs(COSTS - cost).argmin()]
            axes.plot(x, y, marker, color=look["color"], ms=5, zorder=3)


def _rarer(outcome: pd.Series) -> float:
    """How many answers are right, or how many are wrong, whichever are fewer; a sentence counts with its shares."""
    right = float(outcome.sum())
    return min(right, len(outcome) - right)


def _lines(ways: dict[str, pd.DataFrame], signal: str) -> list[Line2D]:
    """The legend's lines."""
    return [Line2D([], [], **_look(way, signal), label=label(way)) for way in ways]


def _marks() -> list[Line2D]:
    """The legend's marks."""
    return [
        Line2D([], [], marker=marker, color=SOFT, linestyle="none", label=f"a wrong one costs {cost:g}")
        for cost, marker in MARKED.items()
    ]
