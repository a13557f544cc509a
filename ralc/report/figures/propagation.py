"""Whether the calibrated signal arrives in the words (paper appendix, signal propagation quality)."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ralc.conditions import UNIT
from ralc.registry import SIGNALS
from ralc.report.figures.style import (
    SOFT,
    WHITE,
    dataset_marks,
    dataset_styles,
    key,
    mark,
    note,
    nothing,
    styled,
)
from ralc.results.filters import evaluators_of, in_domain, main_target, one, plain
from ralc.results.labels import in_order, label, number
from ralc.statistics import FEWEST

KEY = ["target", "dataset", "train", "signal", *UNIT]
MOST = 3000
#: Marks of texts that say nothing of how well hedges are chosen, by origin, and what the legend says of them.
_UNFILLED = {"template": ("o", "hollow: by template"), "passed": ("x", "crosses: passed on unhedged")}


@styled
def plot_propagation(items: pd.DataFrame, metrics: pd.DataFrame) -> Figure:
    """Draw the calibrated mean against the re-read mean, a row an evaluator and a column a signal.

    Parameters
    ----------
    items, metrics
        The two results tables; the ρ that is printed is the metrics' `spearman_mean`, raw and unbinned.

    Raises
    ------
    ValueError
        If no rewritten answer was read.
    """
    target = main_target(metrics)
    pairs = propagation_pairs(items)
    pairs = pairs if target == "mean" else pairs[pairs["target"] == target]
    if pairs.empty:
        raise ValueError("items: no rewritten answer that was read again")
    evaluators, signals = (
        in_order(pairs["evaluator"], evaluators_of(items)),
        in_order(pairs["signal"], SIGNALS),
    )
    styles, rng = dataset_styles(pairs["dataset"]), np.random.default_rng(0)
    size = (1.2 + 3.1 * len(signals), 1.3 + 2.9 * len(evaluators))
    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(len(evaluators), len(signals), sharex=True, sharey=True, squeeze=False)
    for line, evaluator in zip(panels, evaluators, strict=True):
        numbers = in_domain(plain(metrics, space="linguistic", evaluator=evaluator, target=target))
        numbers = numbers[numbers["method"] == "ralc"]
        line[0].set_ylabel(f"Re-read mean confidence\n{label(evaluator)}")
        for axes, signal in zip(line, signals, strict=True):
            own = pairs[(pairs["evaluator"] == evaluator) & (pairs["signal"] == signal)]
            _points(axes, own.iloc[rng.permutation(len(own))[:MOST]], styles)
            _print_rho(axes, numbers[numbers["signal"] == signal], list(styles))
    for column, signal in enumerate(signals):
        panels[0, column].set_title(label(signal))
        panels[-1, column].set_xlabel("Calibrated mean confidence")
    kinds = [_UNFILLED[kind] for kind in _UNFILLED if (pairs["origin"] == kind).any()]
    unfilled = [mark(text, sign, mfc="none", color=SOFT, ms=5) for sign, text in kinds]
    key(figure, [*dataset_marks(styles), *unfilled])
    whose = "all models" if target == "mean" else label(target)
    text = f"RALC, held-out questions, {whose}; maps fitted in-domain. ρ: Spearman, raw, per dataset."
    note(figure, [text])
    return figure


def propagation_pairs(items: pd.DataFrame) -> pd.DataFrame:
    """Return a row a rewritten answer and evaluator, in-domain: calibrated mean, re-read mean, origin of the text.

    Answers without a reading or a grade are left out, as in the metrics.
    """
    rows = [plain(items, space="linguistic", evaluator=evaluator) for evaluator in evaluators_of(items)]
    read = in_domain(pd.concat(rows).query("method == 'ralc'").drop_duplicates([*KEY, "evaluator"]))
    aims = in_domain(plain(items, space="signal").query("method == 'ralc'")).set_index(KEY)
    mean = (aims["alpha"] / (aims["alpha"] + aims["beta"])).rename("calibrated")
    pairs = read.join(mean, on=KEY, how="inner")
    pairs = pairs.assign(reread=pairs["alpha"] / (pairs["alpha"] + pairs["beta"]))
    pairs = pairs.dropna(subset=["calibrated", "reread", "outcome"])
    return pairs[[*KEY, "evaluator", "calibrated", "reread", "origin"]]


def _points(axes: Axes, pairs: pd.DataFrame, styles: dict[str, tuple[str, str]]) -> None:
    """A mark an answer; hollow or crossed where no hedge was chosen."""
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    axes.plot([0, 1], [0, 1], color=SOFT, linewidth=0.8, zorder=1)
    if pairs.empty:
        nothing(axes, "no readings")
    for dataset, (colour, marker) in styles.items():
        own = pairs[pairs["dataset"] == dataset]
        kinds = own["origin"].where(own["origin"].isin(_UNFILLED), "")
        for kind in ("", *_UNFILLED):
            points = own.loc[kinds == kind, ["calibrated", "reread"]].to_numpy(float)
            look = {"facecolor": "none" if kind else colour, "edgecolor": colour, "marker": marker}
            look = {"color": colour, "marker": "x"} if kind == "passed" else look
            axes.scatter(*points.T, s=16, linewidth=0.7, alpha=0.75, rasterized=True, zorder=3, **look)


def _print_rho(axes: Axes, numbers: pd.DataFrame, datasets: list[str]) -> None:
    """Spearman's rho of each dataset, of all answers and, where some are not hedged, of the hedged alone."""
    lines = []
    for dataset in datasets:
        row = one(numbers, dataset=dataset, metric="spearman_mean")
        hedged = one(numbers, dataset=dataset, metric="spearman_mean_hedged")
        if row is not None:
            lines.append(f"{label(dataset)}: {_rho(row)}")
        if row is not None and hedged is not None and hedged["n"] != row["n"]:
            lines.append(f"(hedged alone: {_rho(hedged)})")
    at = {"transform": axes.transAxes, "ha": "right", "va": "bottom", "fontsize": 7.5, "bbox": WHITE}
    axes.text(0.97, 0.06, "\n".join(lines), **at)  # above the axis and its ticks


def _rho(row: pd.Series) -> str:
    few = row["n"] < FEWEST
    return f"{'too few for ρ' if few else 'ρ ' + number(row['value'], 'spearman_mean')}, n {row['n']}"
