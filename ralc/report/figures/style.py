"""The look of every figure: one style, a palette safe for colour-blind readers, how files are written."""

import io
import textwrap
from collections.abc import Iterable, Sequence
from html import escape
from itertools import cycle
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from ralc.conditions import MEAN, having
from ralc.io import whole_file, write_text
from ralc.registry import SIGNALS
from ralc.report.contents import FIGURES
from ralc.results.labels import in_order, label
from ralc.statistics import FEWEST

# Okabe and Ito's palette; marker shapes carry the same information as colours. No two of twenty
# signals share both.
_HUES = ("#0072B2", "#D55E00", "#009E73", "#44AA99")
_MARKERS = ("s", "^", "o", "P", "X")
# Other hues for datasets than for signals, so that a colour means one thing.
_DATASET_HUES = ("#CC79A7", "#E69F00", "#56B4E9", "#000000", "#882255", "#666633")
_DATASET_MARKERS = ("o", "^", "s", "D", "v", "P")
INK = "#1b1f24"
SOFT = "#59636e"
#: The colour and the marker of some marks, as matplotlib takes them.
Look = dict[str, str]


def _looks(names: Iterable[str], hues: Sequence[str], markers: Sequence[str]) -> dict[str, Look]:
    """A look for each name; the shorter of hues and markers begins again first."""
    return {
        name: {"color": hue, "marker": marker}
        for name, hue, marker in zip(names, cycle(hues), cycle(markers), strict=False)
    }


#: The look of each signal, and of what no signal guides.
SIGNAL_LOOKS = _looks(SIGNALS, _HUES, _MARKERS) | {"none": {"color": "#5B6670", "marker": "D"}}
#: Behind text that stands on marks.
WHITE = {"facecolor": "white", "alpha": 0.8, "edgecolor": "none", "pad": 1.5}
#: Letters of the small print in an inch.
LETTERS_AN_INCH = 15

STYLE = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
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
    # Text as paths, and no date or random id: an SVG looks alike everywhere and equal data give equal files.
    "svg.fonttype": "path",
    "svg.hashsalt": "ralc",
    # Text of the results is never a formula.
    "text.parse_math": False,
}

#: Decorates a function that draws in the style of the report.
styled = mpl.rc_context(STYLE)


def save_figure(figure: Figure, stem: str | Path) -> None:
    """Write `<stem>.svg`, which says what it shows, and `<stem>.png` (200 dpi)."""
    about = FIGURES[Path(stem).name]
    with mpl.rc_context(STYLE):
        figure.get_layout_engine().execute(figure)
        figure.set_layout_engine(None)  # laid out once, for both files
        with whole_file(Path(f"{stem}.png")) as temporary:
            figure.savefig(temporary, format="png", dpi=200)
        write_text(as_svg(figure, about.title, about.shows), f"{stem}.svg")


def as_svg(figure: Figure, title: str, shows: str) -> str:
    """Return a figure as SVG that says what it shows; the caller sets the style.

    Parameters
    ----------
    figure
        What is drawn.
    title, shows
        Its title, and its description for who cannot see it.
    """
    drawing = io.StringIO()
    figure.savefig(drawing, format="svg", metadata={"Title": title, "Date": None})
    return drawing.getvalue().replace("</title>", f"</title>\n <desc>{escape(shows)}</desc>", 1)


def panels(rows: int, columns: int, size: tuple[float, float], **how: object) -> tuple[Figure, np.ndarray]:
    """Return a figure and its panels, shape (rows, columns); ValueError where there is none.

    Parameters
    ----------
    rows, columns
        Panels, at least 1 each way.
    size
        Width and height in inches.
    how
        What `Figure.subplots` takes besides.
    """
    if not rows or not columns:
        raise ValueError("results: no rows for this figure")
    figure = Figure(figsize=size, layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, **how)


def signal_panels(
    rows: int, signals: list[str], below: str, *, height: float = 2.9, **how: object
) -> tuple[Figure, np.ndarray]:
    """Return a figure with a column of panels a signal.

    Parameters
    ----------
    rows
        Panels of a signal, from top to bottom.
    signals
        Names of the columns, which have their labels above.
    below
        What the x axis shows.
    height
        Inches of a row.
    how
        What `Figure.subplots` takes besides.
    """
    size = (1.2 + 3.1 * len(signals), 1.3 + height * rows)
    figure, axes = panels(rows, len(signals), size, **({"sharex": True, "sharey": True} | how))
    for top, bottom, signal in zip(axes[0], axes[-1], signals, strict=True):
        top.set_title(label(signal))
        bottom.set_xlabel(below)
    return figure, axes


def note(figure: Figure, lines: list[str]) -> None:
    """Draw small print below the panels, as wide as they are: what was skipped, how to read a mark."""
    width = int(LETTERS_AN_INCH * figure.get_figwidth())
    text = " ".join(lines).replace(" %", "\u00a0%")
    text = textwrap.fill(text, width, break_on_hyphens=False)
    figure.supxlabel(text, fontsize=8, color=SOFT, x=0.01, ha="left")


def key(figure: Figure, handles: list[Line2D]) -> None:
    """Draw the legend above the panels, in as few lines as fit the figure's width."""
    for columns in range(len(handles), 0, -1):
        legend = figure.legend(handles=handles, loc="outside upper center", ncols=columns)
        if columns == 1 or legend.get_window_extent().width <= figure.bbox.width:
            return
        legend.remove()


def mark(name: str, **look: object) -> Line2D:
    """Return a mark of the legend, without a line unless its look, as `Line2D` takes it, says otherwise."""
    return Line2D([], [], **{"linestyle": "none", "label": name, "markersize": 5, **look})


def null_mark() -> Line2D:
    """Return the legend's mark of the null values of gECE."""
    return mark("gECE if perfectly calibrated", marker="|", mew=1.6, color=INK, markersize=10)


def too_few(rows: pd.DataFrame) -> list[str]:
    """Return a note on datasets with too few answers for an interval, from their rows of metrics; else none."""
    most = rows.groupby("dataset", sort=False)["n"].max()
    few = [label(dataset) for dataset in most[most < FEWEST].index]
    return [f"Too few answers to say anything: {', '.join(few)}."] if few else []


def over_datasets(averages: pd.DataFrame) -> pd.DataFrame:
    """Return the means over datasets, named as they are drawn; none where there is one dataset."""
    rows = having(averages, dataset=MEAN)
    return rows.assign(**rows[["dataset", "train"]].replace(MEAN, "mean of datasets"))


def nothing(axes: Axes, text: str) -> None:
    """Write into a panel without data that it has none."""
    print_in(axes, text, 0.5, 0.5, ha="center", va="center", color=SOFT, fontsize=8)
    axes.grid(False)


def dataset_looks(datasets: pd.Series | list[str]) -> dict[str, Look]:
    """Return the look of each dataset, in their order; after six they repeat."""
    return _looks(in_order(datasets), _DATASET_HUES, _DATASET_MARKERS)


def marks(looks: dict[str, Look], counts: pd.Series | None = None) -> list[Line2D]:
    """Return the marks of the legend by their names, with the number of answers where it is given."""
    sizes = {} if counts is None else {name: f" (n = {counts[name]})" for name in looks}
    return [mark(label(name) + sizes.get(name, ""), **look) for name, look in looks.items()]


def diagonal(axes: Axes, top: float = 1.0, **look: object) -> None:
    """Draw the line on which both axes agree.

    Parameters
    ----------
    axes
        The panel.
    top
        Where the line ends; it begins at 0.
    look
        What `Axes.plot` takes besides.
    """
    axes.plot([0, top], [0, top], color=SOFT, linewidth=0.8, zorder=1, **look)


def print_in(axes: Axes, text: str, x: float, y: float, **how: object) -> None:
    """Write text inside a panel.

    Parameters
    ----------
    axes, text
        The panel, and what is written.
    x, y
        Its place, in shares of the panel's width and height.
    how
        What `Axes.text` takes besides.
    """
    look = {"transform": axes.transAxes, "va": "top", "fontsize": 7.5, "bbox": WHITE}
    axes.text(x, y, text, **{**look, **how})


def plain_log(axis: Axis, most: int = 12) -> None:
    """Label the ticks of a logarithmic axis as plain numbers: 1, 2 and 5 times the powers of ten, or fewer than these.

    `most` is how many labels fit.
    """
    decades = np.ptp(np.log10(axis.get_view_interval()))
    choices = ((1, 2, 5), (1, 3), (1,))
    axis.set_major_locator(
        LogLocator(subs=next((s for s in choices if len(s) * decades <= most), choices[-1]))
    )
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.set_minor_formatter(NullFormatter())
