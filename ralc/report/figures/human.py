"""Evaluators beside people: sentences in bins, phrases one by one."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ralc.report.figures.style import DATASET_COLOURS, DATASET_MARKERS, SOFT, key, note, nothing, styled
from ralc.results.labels import EVALUATORS, evaluator_on, in_order, label, number

PANELS = [
    ("tao_raw", "mean"),
    ("tao_benchmark", "mean"),
    ("capphrase", "mean"),
    ("capphrase", "spread"),
]


@styled
def plot_human_benchmark(human_benchmark: pd.DataFrame, human_benchmark_points: pd.DataFrame) -> Figure:
    """Readings against people's, a panel a yardstick; Spearman's rho of single items printed.

    Parameters
    ----------
    human_benchmark
        The human benchmark table; rho and n are its numbers, over single items, not over the bins.
    human_benchmark_points
        What is drawn (`ralc.human_benchmark.benchmark_points`).

    Raises
    ------
    ValueError
        If there are no points.
    """
    if human_benchmark_points.empty:
        raise ValueError("human_benchmark_points: no readings")
    evaluators = in_order(human_benchmark_points["evaluator"], EVALUATORS)
    figure = Figure(figsize=(11, 3.6), layout="constrained")
    for axes, (dataset, quantity) in zip(figure.subplots(1, len(PANELS)), PANELS, strict=True):
        own = human_benchmark_points[
            (human_benchmark_points["dataset"] == dataset) & (human_benchmark_points["quantity"] == quantity)
        ]
        metric = f"spearman_{quantity}"
        rows = human_benchmark[
            (human_benchmark["dataset"] == dataset) & (human_benchmark["metric"] == metric)
        ].set_index("evaluator")
        top = 1.0 if quantity == "mean" else max(0.05, 1.05 * own[["read", "human"]].max(axis=None))
        _panel(axes, own, rows, evaluators, top)
        axes.set_title(
            f"{label(dataset)}" + ("" if quantity == "mean" else ":\nSD between people"), fontsize=9
        )
        axes.set_xlabel("Evaluator")
    figure.axes[0].set_ylabel("People")
    drawn = [axes.get_legend_handles_labels() for axes in figure.axes]
    handles, names = max(drawn, key=lambda panel: len(panel[0]))  # a study may not have been there
    key(figure, handles, names)
    note(
        figure,
        [
            "Sentences: a mark is the mean of a twentieth of them, in the order of the evaluator's means; "
            "its line is their SD. "
            "Phrases: a mark each. ρ: Spearman, over single items.",
            "The 1,622 items' scores were filtered by the band of the level asked for: that panel shows the filter as "
            "much as reading.",
        ],
    )
    return figure


def _panel(axes: Axes, points: pd.DataFrame, rows: pd.DataFrame, evaluators: list[str], top: float) -> None:
    """One yardstick: a colour and a mark an evaluator."""
    room = 1.05 + 0.07 * len(evaluators)  # above the marks, for the figures
    axes.set(xlim=(-0.02 * top, 1.02 * top), ylim=(-0.02 * top, room * top))
    axes.set_yticks([tick for tick in axes.get_yticks() if 0 <= tick <= 1.001 * top])
    axes.plot([0, top], [0, top], color=SOFT, linewidth=0.8, zorder=1)
    if points.empty:
        nothing(axes, "not measured")
        return
    lines = []
    for place, evaluator in enumerate(evaluators):
        own = points[points["evaluator"] == evaluator]
        colour = DATASET_COLOURS[place % len(DATASET_COLOURS)]
        axes.errorbar(
            own["read"], own["human"], own["human_sd"], fmt=DATASET_MARKERS[place % len(DATASET_MARKERS)],
            color=colour, ms=4, alpha=0.8, elinewidth=0.6, label=label(evaluator), zorder=3,
        )  # fmt: skip
        if evaluator in rows.index:
            row = rows.loc[evaluator]
            lines.append(
                f"{evaluator_on(evaluator, row['dataset'])}: ρ {number(row['value'], 'spearman_mean')}, n {row['n']}"
            )
    axes.text(0.02, 0.99, "\n".join(lines), transform=axes.transAxes, ha="left", va="top", fontsize=7)
