"""How hedges are read: the lexicon, and evaluators beside people."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy import stats

from ralc.beta import Beta
from ralc.report.figures import style
from ralc.results.labels import EVALUATORS, evaluator_on, in_order, label, number

PALETTE = style.SIGNAL_COLOURS["linguistic_confidence"]
#: Expressions with a density, at even steps from the lowest to the highest mean.
SHOWN = 18
#: Panels of the human benchmark: study and quantity.
STUDIES = [("tao_raw", "mean"), ("tao_benchmark", "mean"), ("capphrase", "mean"), ("capphrase", "spread")]


@style.styled
def lexicon(lexicon: pd.DataFrame, *, letter: bool = False) -> Figure:
    """Draw sample expressions with densities (paper figure), and all that are used by mean and concentration.

    Flagged expressions are used by the paper's `letter`; else they are only counted.

    Raises
    ------
    ValueError
        If there is no expression that is used.
    """
    used = lexicon if letter else lexicon[lexicon["flags"] == ""]
    if used.empty:
        raise ValueError("lexicon: no expressions")
    confidence = Beta.from_table(used)
    table = used.assign(mean=confidence.mean, concentration=confidence.concentration).sort_values("mean")
    sample = table.iloc[np.unique(np.linspace(0, len(table) - 1, min(SHOWN, len(table))).round().astype(int))]
    size = (11, max(1.4 + 0.34 * len(sample), 3))
    figure, ((left, right),) = style.panels(1, 2, size, width_ratios=[1.5, 1])
    _ridges(left, sample)
    for i, frame in enumerate(in_order(table["frame"])):
        part = table[table["frame"] == frame]
        look = {"color": style.DATASET_COLOURS[i % 6], "marker": style.DATASET_MARKERS[i % 6], "ms": 5}
        name = f"{frame} ({len(part)})"
        right.plot(part["mean"], part["concentration"], linestyle="none", alpha=0.75, label=name, **look)
    right.set(xlim=(0, 1), xlabel="Mean perceived confidence", ylabel="Concentration k = α + β", yscale="log")
    right.set_title("All that are used")
    style.plain_log(right.yaxis)
    right.legend(title="frame", loc="best")
    left_out = f" ({len(lexicon) - len(used)} more are left out)" if len(lexicon) > len(used) else ""
    text = f"{len(used)} expressions{left_out}, {len(sample)} of them on the left. Dot: mean; line: the middle 90 %; "
    style.note(figure, [text + "shape: density, to equal heights."])
    return figure


def _ridges(axes: Axes, sample: pd.DataFrame) -> None:
    """A density, an interval and a mean for each expression, the surest on top."""
    x = np.linspace(0.001, 0.999, 200)
    for y, row in enumerate(sample.itertuples()):
        density = stats.beta.pdf(x, row.alpha, row.beta)
        # A density without a bound at 0 or 1 would be a spike: it is cut at the 98th percentile of its own height.
        bounded = min(row.alpha, row.beta) >= 1
        peak = density.max() if bounded else np.quantile(density, 0.98)
        height = np.minimum(density / peak, 1) * 0.75
        axes.fill_between(x, y, y + height, color=PALETTE, alpha=0.28, linewidth=0, zorder=2)
        low, high = stats.beta.ppf([0.05, 0.95], row.alpha, row.beta)
        axes.plot([low, high], [y, y], color=PALETTE, linewidth=1.6, solid_capstyle="butt", zorder=3)
        axes.plot(row.mean, y, "o", color=style.INK, ms=4, zorder=4)
    names = [text if len(text) <= 40 else f"{text[:39]}…" for text in sample["expression"]]
    axes.set_yticks(range(len(sample)), names)
    axes.tick_params(axis="y", length=0)
    axes.set(xlim=(0, 1), ylim=(-0.6, len(sample)), xlabel="Perceived confidence", title="Sample expressions")


@style.styled
def human_benchmark(human_benchmark: pd.DataFrame, human_benchmark_points: pd.DataFrame) -> Figure:
    """Draw evaluators' readings against people's, a panel a study; ρ and n are of single items, not of the bins.

    Raises
    ------
    ValueError
        If there are no points.
    """
    points = human_benchmark_points
    if points.empty:
        raise ValueError("human_benchmark_points: no readings")
    evaluators = in_order(points["evaluator"], EVALUATORS)
    figure, (line,) = style.panels(1, len(STUDIES), (11, 3.6))
    for axes, (dataset, quantity) in zip(line, STUDIES, strict=True):
        part = points[(points["dataset"] == dataset) & (points["quantity"] == quantity)]
        rows = human_benchmark[human_benchmark["dataset"] == dataset]
        rows = rows[rows["metric"] == f"spearman_{quantity}"].set_index("evaluator")
        top = 1.0 if quantity == "mean" else max(0.05, 1.05 * part[["read", "human"]].max(axis=None))
        _study(axes, part, rows, evaluators, top)
        axes.set_title(label(dataset) + ("" if quantity == "mean" else ":\nSD between people"), fontsize=9)
        axes.set_xlabel("Evaluator")
    line[0].set_ylabel("People")
    drawn = [axes.get_legend_handles_labels() for axes in figure.axes]
    style.key(figure, *max(drawn, key=lambda panel: len(panel[0])))  # a study may not have been there
    text = [
        "Sentences: a mark is the mean of a twentieth of them, in the order of the evaluator's means; its line is "
        "their SD. Phrases: a mark each. ρ: Spearman, over single items.",
        "The 1,622 items' scores were filtered by the band of the level asked for: that panel shows the filter as "
        "much as reading.",
    ]
    style.note(figure, text)
    return figure


def _study(axes: Axes, points: pd.DataFrame, rows: pd.DataFrame, evaluators: list[str], top: float) -> None:
    """One study: a colour and a mark an evaluator."""
    room = 1.05 + 0.07 * len(evaluators)  # above the marks, for the figures
    axes.set(xlim=(-0.02 * top, 1.02 * top), ylim=(-0.02 * top, room * top))
    axes.set_yticks([tick for tick in axes.get_yticks() if 0 <= tick <= 1.001 * top])
    axes.plot([0, top], [0, top], color=style.SOFT, linewidth=0.8, zorder=1)
    if points.empty:
        style.nothing(axes, "not measured")
        return
    lines = []
    for evaluator, (colour, marker) in style.dataset_styles(evaluators).items():
        part = points[points["evaluator"] == evaluator]
        look = {"color": colour, "ms": 4, "alpha": 0.8, "elinewidth": 0.6, "zorder": 3}
        errors = part["read"], part["human"], part["human_sd"]
        axes.errorbar(*errors, fmt=marker, label=label(evaluator), **look)
        if evaluator in rows.index:
            row = rows.loc[evaluator]
            name = evaluator_on(evaluator, row["dataset"])
            lines.append(f"{name}: ρ {number(row['value'], 'spearman_mean')}, n {row['n']}")
    axes.text(0.02, 0.99, "\n".join(lines), transform=axes.transAxes, ha="left", va="top", fontsize=7)
