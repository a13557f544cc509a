"""Whether the calibrated signal arrives in the words (paper appendix, signal propagation quality)."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ralc.conditions import UNIT
from ralc.names import SIGNALS
from ralc.report.figures.style import SOFT, dataset_styles, key, note, nothing, styled
from ralc.results.filters import in_domain, main_target, one, plain, readers_of
from ralc.results.labels import in_order, label, number
from ralc.statistics import FEWEST

KEY = ["target", "dataset", "train", "signal", *UNIT]
MOST = 3000
#: Texts that say nothing of how well hedges are chosen, by origin: the mark in the key, and what it says.
_UNFILLED = {"template": ("o", "hollow: by template"), "passed": ("x", "crosses: passed on unhedged")}


@styled
def plot_propagation(items: pd.DataFrame, metrics: pd.DataFrame) -> Figure:
    """Calibrated mean against re-read mean, a row a reader and a column a signal; Spearman's rho printed.

    Parameters
    ----------
    items, metrics
        The two results tables; rho is the metrics table's `spearman_mean`, raw and unbinned.
    """
    target = main_target(metrics)
    pairs = propagation_pairs(items)
    pairs = pairs if target == "mean" else pairs[pairs["target"] == target]
    if pairs.empty:
        raise ValueError("items: no rewritten answer that was read again")
    readers, signals = in_order(pairs["reader"], readers_of(items)), in_order(pairs["signal"], SIGNALS)
    styles = dataset_styles(pairs["dataset"])
    size = (1.2 + 3.1 * len(signals), 1.3 + 2.9 * len(readers))
    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(len(readers), len(signals), sharex=True, sharey=True, squeeze=False)
    rng = np.random.default_rng(0)
    for line, reader in zip(panels, readers, strict=True):
        numbers = in_domain(plain(metrics, space="linguistic", reader=reader, target=target))
        line[0].set_ylabel(f"Re-read mean confidence\n{label(reader)}")
        for axes, signal in zip(line, signals, strict=True):
            own = pairs[(pairs["reader"] == reader) & (pairs["signal"] == signal)]
            _panel(
                axes, own, numbers[(numbers["method"] == "ralc") & (numbers["signal"] == signal)], styles, rng
            )
    for axes, signal in zip(panels[0], signals, strict=True):
        axes.set_title(label(signal))
    for axes in panels[-1]:
        axes.set_xlabel("Calibrated mean confidence")
    key(figure, _key(styles, set(pairs["origin"])))
    whose = "all models" if target == "mean" else label(target)
    note(
        figure,
        [f"RALC, held-out questions, {whose}; maps fitted in-domain. ρ: Spearman, raw, per dataset."],
    )
    return figure


def propagation_pairs(items: pd.DataFrame) -> pd.DataFrame:
    """A row a rewritten answer and reader, in-domain: calibrated mean, re-read mean, origin of the text.

    Of the answers that the metrics are of: those without a reading or a grade are left out here, and counted among
    the losses.
    """
    rows = [plain(items, space="linguistic", reader=reader) for reader in readers_of(items)]
    heard = in_domain(pd.concat(rows).query("method == 'ralc'").drop_duplicates([*KEY, "reader"]))
    aimed = in_domain(plain(items, space="signal").query("method == 'ralc'")).set_index(KEY)
    mean = (aimed["alpha"] / (aimed["alpha"] + aimed["beta"])).rename("calibrated")
    pairs = heard.join(mean, on=KEY, how="inner")
    pairs = pairs.assign(reread=pairs["alpha"] / (pairs["alpha"] + pairs["beta"]))
    return pairs.dropna(subset=["calibrated", "reread", "outcome"])[
        [*KEY, "reader", "calibrated", "reread", "origin"]
    ]


def _panel(
    axes: Axes,
    pairs: pd.DataFrame,
    numbers: pd.DataFrame,
    styles: dict[str, tuple[str, str]],
    rng: np.random.Generator,
) -> None:
    """One reader and signal: a mark an answer, a rho a dataset."""
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    axes.plot([0, 1], [0, 1], color=SOFT, linewidth=0.8, zorder=1)
    if pairs.empty:
        nothing(axes, "no readings")
        return
    shown = pairs.iloc[rng.permutation(len(pairs))[:MOST]]
    for dataset, (colour, marker) in styles.items():
        own = shown[shown["dataset"] == dataset]
        kinds = own["origin"].where(own["origin"].isin(_UNFILLED), "")
        for kind in ("", *_UNFILLED):
            points = own.loc[kinds == kind, ["calibrated", "reread"]].to_numpy(float)
            style = {"facecolor": "none" if kind else colour, "edgecolor": colour, "marker": marker}
            if kind == "passed":
                style = {"color": colour, "marker": "x"}
            axes.scatter(*points.T, s=16, linewidth=0.7, alpha=0.75, rasterized=True, zorder=3, **style)
    lines = []
    for dataset in styles:
        row, hedged = (
            one(numbers, dataset=dataset, metric=f"spearman_mean{alone}") for alone in ("", "_hedged")
        )
        if row is not None:
            apart = hedged is not None and hedged["n"] != row["n"]
            lines.append(
                f"{label(dataset)}: {_rho(row)}" + (f"\n(hedged alone: {_rho(hedged)})" if apart else "")
            )
    box = {"facecolor": "white", "alpha": 0.8, "edgecolor": "none", "pad": 1.5}
    axes.text(
        0.97,
        0.06,  # above the axis and its ticks
        "\n".join(lines),
        transform=axes.transAxes,
        ha="right",
        va="bottom",
        fontsize=7.5,
        bbox=box,
    )


def _rho(row: pd.Series) -> str:
    few = row["n"] < FEWEST
    return f"{'too few for ρ' if few else 'ρ ' + number(row['value'], 'spearman_mean')}, n {row['n']}"


def _key(styles: dict[str, tuple[str, str]], origins: set[str]) -> list[Line2D]:
    marks = [
        Line2D([], [], marker=marker, color=colour, linestyle="none", ms=5, label=label(dataset))
        for dataset, (colour, marker) in styles.items()
    ]
    return marks + [
        Line2D([], [], marker=sign, mfc="none", color=SOFT, linestyle="none", ms=5, label=said)
        for kind, (sign, said) in _UNFILLED.items()
        if kind in origins
    ]
