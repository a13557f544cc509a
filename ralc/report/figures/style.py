"""The look of every figure: one style, a palette safe for colour-blind evaluators, how files are written."""

import io
import textwrap
from collections.abc import Callable
from functools import wraps
from html import escape
from itertools import cycle
from pathlib import Path
from typing import ParamSpec

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from ralc.conditions import MEAN
from ralc.io import whole_file, write_text
from ralc.registry import SIGNALS
from ralc.report.contents import FIGURES
from ralc.results.labels import in_order, label
from ralc.statistics import FEWEST

# Okabe and Ito's palette; marker shapes carry the same information as colours. No two of twenty
# signals share both.
_HUES = ("#0072B2", "#D55E00", "#009E73", "#44AA99")
_MARKERS = ("s", "^", "o", "P", "X")
SIGNAL_COLOURS = {**dict(zip(SIGNALS, cycle(_HUES), strict=False)), "none": "#5B6670"}
SIGNAL_MARKERS = {**dict(zip(SIGNALS, cycle(_MARKERS), strict=False)), "none": "D"}
# Other hues than the signals', so that a colour means one thing.
DATASET_COLOURS = ("#CC79A7", "#E69F00", "#56B4E9", "#000000", "#882255", "#666633")
DATASET_MARKERS = ("o", "^", "s", "D", "v", "P")
INK, SOFT = "#1b1f24", "#59636e"
#: Behind text that stands on marks.
WHITE = {"facecolor": "white", "alpha": 0.8, "edgecolor": "none", "pad": 1.5}
#: Letters of the small print in an inch.
LETTERS = 16

P = ParamSpec("P")

STYLE = {
    "figure.facecolor": "white",
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e6eaee",
    "grid.linewidth": 0.8,
    "xtick.color": SOFT,
    "ytick.color": INK,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "lines.linewidth": 1.5,
    # Text as paths, and no date or random id: an SVG looks alike everywhere and equal data give equal files.
    "svg.fonttype": "path",
    "svg.hashsalt": "ralc",
    # Text of the results is never a formula.
    "text.parse_math": False,
}


def styled(plot: Callable[P, Figure]) -> Callable[P, Figure]:
    """Return a figure function that draws in the style of the report."""

    @wraps(plot)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> Figure:
        with mpl.rc_context(STYLE):
            return plot(*args, **kwargs)

    return wrapper


def save_figure(figure: Figure, stem: str | Path) -> None:
    """Write `<stem>.svg`, which says what it shows, and `<stem>.png` (200 dpi)."""
    about = FIGURES.get(Path(stem).name)
    title, shows = (about.title, about.shows) if about else ("Figure", "")
    with mpl.rc_context(STYLE):
        with whole_file(Path(f"{stem}.png")) as temporary:
            figure.savefig(temporary, format="png", dpi=200)
        drawn = io.StringIO()
        figure.savefig(drawn, format="svg", metadata={"Title": title, "Date": None})
    write_text(
        drawn.getvalue().replace("</title>", f"</title>\n <desc>{escape(shows)}</desc>", 1), f"{stem}.svg"
    )


def panels(rows: int, columns: int, size: tuple[float, float], **how: object) -> tuple[Figure, np.ndarray]:
    """Return a figure of so many inches with its panels, shape (rows, columns)."""
    figure = Figure(figsize=size, layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, **how)


def whose(target: str) -> str:
    """Whose answers stand together in a figure of items."""
    return "all models" if target == MEAN else label(target)


def note(figure: Figure, lines: list[str]) -> None:
    """Small print below the panels, as wide as they are: what was skipped, how to read a mark."""
    width = int(LETTERS * figure.get_figwidth())
    text = textwrap.fill(" ".join(lines), width, break_on_hyphens=False)
    figure.supxlabel(text, fontsize=7.5, color=SOFT, x=0.01, ha="left")


def key(figure: Figure, handles: list[Line2D], names: list[str] | None = None) -> None:
    """The legend above the panels, in as few lines as fit the figure's width."""
    names = [handle.get_label() for handle in handles] if names is None else names
    for columns in range(len(handles), 0, -1):
        legend = figure.legend(handles, names, loc="outside upper center", ncols=columns)
        if columns == 1 or legend.get_window_extent().width <= figure.bbox.width:
            return
        legend.remove()


def mark(name: str, marker: str, **look: object) -> Line2D:
    """Return a mark of the legend, without a line."""
    return Line2D([], [], marker=marker, linestyle="none", label=name, **look)


def signal_mark(signal: str, name: str) -> Line2D:
    """Return a signal's mark of the legend."""
    return mark(name, SIGNAL_MARKERS[signal], color=SIGNAL_COLOURS[signal])


def null_mark(size: float) -> Line2D:
    """Return the legend's mark of the null values of gECE."""
    return mark("gECE if perfectly calibrated", "|", mew=1.6, color=INK, ms=size)


def too_few(rows: pd.DataFrame) -> list[str]:
    """Return what to say of datasets with too few answers for an interval, from their rows of metrics; else nothing."""
    most = rows.groupby("dataset", sort=False)["n"].max()
    few = [label(dataset) for dataset in most[most < FEWEST].index]
    return [f"Too few answers to say anything: {', '.join(few)}."] if few else []


def over_datasets(averages: pd.DataFrame | None) -> pd.DataFrame | None:
    """Return the means over datasets, named as they are drawn; None where there is one dataset."""
    if averages is None:
        return None
    rows = averages[averages["dataset"] == MEAN]
    return rows.assign(**rows[["dataset", "train"]].replace(MEAN, "mean of datasets"))


def nothing(axes: Axes, text: str) -> None:
    """A panel without data says so."""
    how = {"ha": "center", "va": "center", "color": SOFT, "fontsize": 8, "bbox": WHITE}
    axes.text(0.5, 0.5, text, transform=axes.transAxes, **how)
    axes.grid(False)


def dataset_styles(datasets: pd.Series | list[str]) -> dict[str, tuple[str, str]]:
    """Return a colour and a marker for each dataset, in the order they came; after six they repeat."""
    return dict(
        zip(in_order(datasets), cycle(zip(DATASET_COLOURS, DATASET_MARKERS, strict=True)), strict=False)
    )


def dataset_marks(styles: dict[str, tuple[str, str]], counts: pd.Series | None = None) -> list[Line2D]:
    """Return the datasets' marks of the legend, with the number of their questions where it is given."""
    names = {name: label(name) + (f" (n = {counts[name]})" if counts is not None else "") for name in styles}
    return [mark(names[name], marker, color=colour, ms=5) for name, (colour, marker) in styles.items()]


def interval(axes: Axes, row: pd.Series, y: float, colour: str) -> None:
    """The 95 % interval of a row of metrics as a horizontal line, where it has one."""
    if np.isfinite([row["ci_low"], row["ci_high"]]).all():
        axes.plot([row["ci_low"], row["ci_high"]], [y, y], color=colour, linewidth=1.2, alpha=0.75, zorder=2)


def log_if_wide(axes: Axes, values: list[float]) -> None:
    """A logarithmic axis where positive values without an upper bound spread over more than a factor of thirty."""
    finite = np.array([value for value in values if np.isfinite(value)])
    if len(finite) and finite.min() > 0 and finite.max() / finite.min() > 30:
        axes.set_xscale("log")
        plain_log(axes.xaxis)


def plain_log(axis: Axis) -> None:
    """Ticks of a logarithmic axis as plain numbers at 1, 2 and 5 times the powers of ten."""
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.set_minor_formatter(NullFormatter())
