"""The lexicon (paper figure of sample expressions): what hedges are read as."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy import stats

from ralc.beta import Beta
from ralc.report.figures import style
from ralc.results.labels import in_order

PALETTE = style.SIGNAL_COLOURS["linguistic_confidence"]


@style.styled
def plot_lexicon(lexicon: pd.DataFrame, *, letter: bool = False, shown: int = 18) -> Figure:
    """Sample expressions with densities and 90 % intervals; all that are used by mean and concentration.

    Parameters
    ----------
    lexicon
        Columns expression, frame, alpha, beta, flags; one row an expression.
    letter
        The paper's letter: flagged ones are used; else they are only counted here.
    shown
        Expressions in the left panel, at even steps from the lowest to the highest mean.

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
    sample = table.iloc[np.unique(np.linspace(0, len(table) - 1, min(shown, len(table))).round().astype(int))]
    figure = Figure(figsize=(11, max(1.4 + 0.34 * len(sample), 3)), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=[1.5, 1])
    _ridges(left, sample)
    _coverage(right, table)
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


def _coverage(axes: Axes, table: pd.DataFrame) -> None:
    """Expressions by mean and concentration, marked by their grammatical frames."""
    for i, frame in enumerate(in_order(table["frame"])):
        own = table[table["frame"] == frame]
        look = {
            "color": style.DATASET_COLOURS[i % 6],
            "marker": style.DATASET_MARKERS[i % 6],
            "linestyle": "none",
        }
        axes.plot(own["mean"], own["concentration"], ms=5, alpha=0.75, label=f"{frame} ({len(own)})", **look)
    axes.set(xlim=(0, 1), xlabel="Mean perceived confidence", ylabel="Concentration k = α + β", yscale="log")
    axes.set_title("All that are used")
    style.plain_log(axes.yaxis)
    axes.legend(title="frame", loc="best")
