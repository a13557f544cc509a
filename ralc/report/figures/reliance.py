"""Wrong answers accepted against right ones as the cost of a wrong one moves, each way of speaking a line."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ralc.beta import Beta
from ralc.registry import METHODS
from ralc.reliance import Situation, measures, shown
from ralc.report.figures import style
from ralc.results.filters import in_domain, main_evaluator, main_signal, main_target, plain
from ralc.results.labels import in_order, label
from ralc.statistics import FEWEST

#: Costs of a wrong answer, and those that have a mark.
COSTS = np.linspace(0.05, 0.95, 37)
MARKED = {0.25: "v", 0.5: "o", 0.75: "^"}
NUMBER = "RALC's calibrated number, shown"
#: Dashes and colours of words that no signal guides.
_DASHES = {"original": "-", "hedged_qa": "-.", "direct_beta": ":", "constant_hedge": "--"}
_DASHES |= {"near_hedges": (0, (4, 1, 1, 1)), "base_rate": (0, (1, 1))}
_COLOURS = dict(zip(_DASHES, (style.INK, *style.DATASET_COLOURS), strict=False))


@style.styled
def reliance(items: pd.DataFrame, metrics: pd.DataFrame) -> Figure:
    """Draw the share of right answers accepted over that of wrong ones, for costs from 0.05 to 0.95, a panel a dataset.

    Of several models all answers stand together.
    """
    target, signal, evaluator = main_target(metrics), main_signal(metrics), main_evaluator(metrics)
    rows = in_domain(plain(items, evaluator=evaluator)).dropna(subset=["outcome", "alpha"])
    rows = rows if target == "mean" else rows[rows["target"] == target]
    rows = rows[rows["signal"].isin(["none", signal])]
    words = rows[rows["space"] == "linguistic"]
    ways = {method: words[words["method"] == method] for method in in_order(words["method"], METHODS)}
    ways[NUMBER] = rows[(rows["space"] == "signal") & (rows["method"] == "ralc")]
    looks = {
        way: {"color": _COLOURS.get(way, style.SOFT), "linestyle": _DASHES.get(way, "-")} for way in ways
    }
    looks["ralc"] = {"color": style.SIGNAL_COLOURS[signal], "linestyle": "-", "linewidth": 2.2}
    looks[NUMBER] = {"color": style.SIGNAL_COLOURS[signal], "linestyle": ":"}
    datasets = in_order(rows["dataset"])
    figure, (line,) = style.panels(
        1, len(datasets), (1.2 + 3.6 * len(datasets), 5.2), sharex=True, sharey=True
    )
    for axes, dataset in zip(line, datasets, strict=True):
        axes.set_title(label(dataset))
        axes.set_xlabel("Wrong answers accepted")
        _panel(axes, {name: way[way["dataset"] == dataset] for name, way in ways.items()}, looks)
    line[0].set_ylabel("Right answers accepted")
    lines = [Line2D([], [], **looks[way], label=label(way)) for way in ways]
    marks = [
        style.mark(f"a wrong one costs {cost:g}", sign, color=style.SOFT) for cost, sign in MARKED.items()
    ]
    style.key(figure, [*lines, *marks])
    text = [
        f"Held-out questions, {style.whose(target)}; words read by the {label(evaluator)}.",
        f"RALC is guided by {label(signal).lower()}, maps fitted in-domain.",
        "Assumed: a word acts as the number that people give it. Belief before and reliance are those of two studies.",
        "Upper left is better; on the dotted line right and wrong are accepted alike.",
    ]
    style.note(figure, text)
    return figure


def accepted(rows: pd.DataFrame) -> np.ndarray:
    """Return the shares of wrong and of right answers accepted at each cost, shape (costs, 2).

    `rows` are items of one way of speaking, graded and read; some right and some wrong.
    """
    masses, outcome = shown(Beta.from_table(rows)), rows["outcome"].to_numpy(float)
    parts = []
    for cost in COSTS:
        values = measures(outcome, masses, Situation(threshold=float(cost)))
        sides = (values[name] for name in ("accepted_wrong", "accepted_right"))
        parts.append([float(value @ weight / weight.sum()) for value, weight in sides])
    return np.array(parts)


def _panel(axes: Axes, ways: dict[str, pd.DataFrame], looks: dict[str, dict]) -> None:
    """One dataset: a line a way of speaking, a mark at three costs."""
    axes.plot([0, 1], [0, 1], color=style.SOFT, linewidth=0.8, linestyle=":", zorder=1)
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    if "original" not in ways or _rarer(ways["original"]["outcome"]) < FEWEST:
        style.nothing(axes, f"fewer than {FEWEST} right or wrong answers")
        return
    for way, rows in ways.items():
        if not _rarer(rows["outcome"]):
            continue
        curve = accepted(rows)
        axes.plot(*curve.T, **{"linewidth": 1.2, **looks[way]})
        for cost, marker in MARKED.items():
            x, y = curve[np.abs(COSTS - cost).argmin()]
            axes.plot(x, y, marker, color=looks[way]["color"], ms=5, zorder=3)


def _rarer(outcome: pd.Series) -> float:
    """How many answers are right, or how many are wrong, whichever are fewer; a sentence counts with its shares."""
    right = float(outcome.sum())
    return min(right, len(outcome) - right)
