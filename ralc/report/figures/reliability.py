"""Reliability diagrams (paper appendix): confidence against the share of right answers."""

from dataclasses import dataclass
from itertools import chain, product

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ralc.beta import Beta
from ralc.beta.validation import shares
from ralc.metrics import bin_masses
from ralc.names import SIGNALS
from ralc.report.figures.style import INK, SIGNAL_COLOURS, SIGNAL_MARKERS, SOFT, key, note, nothing, styled
from ralc.results.filters import in_domain, main_reader, one, plain
from ralc.results.labels import in_order, label, number
from ralc.statistics import FEWEST, resample

RESAMPLES = 500
#: What a panel shows: items, the metrics beside them, and the signal.
_Cell = tuple[pd.DataFrame, pd.DataFrame, str]


@dataclass(frozen=True)
class Curve:
    """Points of a reliability diagram, one a bin; NaN where a bin holds too little.

    confidence : mass-weighted mean confidence in the bin.   accuracy : mass-weighted share of right answers.
    expected : what `accuracy` would be if every answer were right with probability its mean.
    low, high : 95 % bootstrap band of accuracy.             mass : share of all mass, sums to 1.
    """

    confidence: np.ndarray
    accuracy: np.ndarray
    expected: np.ndarray
    low: np.ndarray
    high: np.ndarray
    mass: np.ndarray


def reliability_curve(
    outcome: np.ndarray,
    confidence: Beta,
    *,
    groups: np.ndarray | None = None,
    bins: int = 10,
    least: float = 2.0,
    resamples: int = RESAMPLES,
    rng: np.random.Generator,
) -> Curve:
    """Confidence and accuracy in equal-width bins, each answer spread over the bins by its own distribution.

    The bins and weights are those of the generalised ECE (Wang et al. 2025): answer i gives bin m the mass p_im and
    the confidence e_im. With wide distributions even perfect calibration leaves the diagonal, because one answer
    fills many bins; `expected` shows by how much.

    Parameters
    ----------
    outcome
        Shape (n,), in [0, 1].
    confidence
        n distributions.
    groups
        Shape (n,): units resampled together for the band; None resamples answers.
    bins
        Of equal width.
    least
        A bin with less mass than this many answers is NaN.
    resamples
        Of the bootstrap.
    rng
        Draws them.

    Raises
    ------
    ValueError
        If there is no answer, shapes differ, or an outcome is outside [0, 1] (the first such index is named).
    """
    outcome = shares(outcome)
    if len(outcome) == 0 or outcome.shape != np.shape(confidence.alpha):
        raise ValueError(
            f"outcome has shape {outcome.shape}, confidence {np.shape(confidence.alpha)}; equal, not empty"
        )
    mass, first = bin_masses(confidence, bins=bins)
    right = mass * outcome[:, None]
    total = mass.sum(axis=0)
    known = (total >= least) & (total > 0)
    enough = np.where(known, total, np.nan)
    drawn = resample(len(outcome), groups=groups, resamples=resamples, rng=rng).weights[:, 1:].T
    low, high = np.full((2, bins), np.nan)
    with np.errstate(invalid="ignore"):
        accuracy = (drawn @ right[:, known]) / (drawn @ mass[:, known])
    if known.any():
        low[known], high[known] = np.nanquantile(accuracy, [0.025, 0.975], axis=0)
    return Curve(
        confidence=first.sum(axis=0) / enough,
        accuracy=right.sum(axis=0) / enough,
        expected=(mass * confidence.mean[:, None]).sum(axis=0) / enough,
        low=low,
        high=high,
        mass=total / len(outcome),
    )


@styled
def plot_reliability(items: pd.DataFrame, metrics: pd.DataFrame) -> Figure:
    """Draw reliability of the words before and after, a row a model and dataset, a column a signal.

    Parameters
    ----------
    items, metrics
        The two results tables; the panels print FD and gECE of the metrics.

    Raises
    ------
    ValueError
        If nothing was rewritten.
    """
    reader = main_reader(metrics)
    rows = in_domain(plain(items, space="linguistic", reader=reader))
    numbers = in_domain(plain(metrics, space="linguistic", reader=reader))
    signals = in_order(rows.loc[rows["method"] == "ralc", "signal"], SIGNALS)
    if not signals:
        raise ValueError("items: no rows of method 'ralc' in space 'linguistic'")
    places = list(product(in_order(rows["target"]), in_order(rows["dataset"])))
    parts = {
        place: [one[(one["target"] == place[0]) & (one["dataset"] == place[1])] for one in (rows, numbers)]
        for place in places
    }
    cells = [[(*parts[place], signal) for signal in signals] for place in places]
    several = len(in_order(rows["target"])) > 1
    lines = ["\n".join(map(label, place)) if several else label(place[1]) for place in places]
    figure = _diagrams(cells, lines, signals)
    text = [
        f"Read by the {label(reader)}; held-out questions. Bands: 95 % bootstrap.",
        "Marks grow with the share of confidence in a bin; bins of less than two answers are left out.",
        "A wide distribution fills many bins, so the dashed line, not the diagonal, is perfect.",
    ]
    note(figure, text)
    return figure


def _diagrams(cells: list[list[_Cell]], lines: list[str], columns: list[str]) -> Figure:
    """Panels in lines and columns."""
    size = (1.2 + 2.9 * len(columns), 1.3 + 2.9 * len(lines))
    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(len(lines), len(columns), sharex=True, sharey=True, squeeze=False)
    rng = np.random.default_rng(0)
    for axes, cell in zip(panels.flat, chain.from_iterable(cells), strict=True):
        _panel(axes, *cell, rng)
    _frame(panels, lines, columns)
    key(figure, _key())
    return figure


def _panel(
    axes: Axes, rows: pd.DataFrame, numbers: pd.DataFrame, signal: str, rng: np.random.Generator
) -> None:
    """One dataset and signal: the curve before and the curve after."""
    rows = rows[rows["signal"].isin([signal, "none"])]
    axes.plot([0, 1], [0, 1], color=SOFT, linewidth=0.8, zorder=1)
    texts, curves = [], 0
    for method, colour, marker in (
        ("original", SIGNAL_COLOURS["none"], SIGNAL_MARKERS["none"]),
        ("ralc", SIGNAL_COLOURS[signal], SIGNAL_MARKERS[signal]),
    ):
        own = rows[(rows["method"] == method)].dropna(subset=["alpha", "beta", "outcome"])
        if own.empty:
            continue
        texts.append((colour, _numbers(numbers, method, signal, len(own))))
        if len(own) < FEWEST:
            continue
        confidence = Beta.from_table(own)
        curve = reliability_curve(
            own["outcome"].to_numpy(float), confidence, groups=own["group"].to_numpy(), rng=rng
        )
        _draw(axes, curve, colour, marker, expected=method == "ralc")
        curves += 1
    if not curves:
        nothing(axes, f"too few answers for a curve\n(fewer than {FEWEST})" if texts else "no readings")
    for place, (colour, text) in enumerate(texts):
        box = {"facecolor": "white", "alpha": 0.8, "edgecolor": "none", "pad": 1}
        axes.text(
            0.02,
            0.98 - 0.085 * place,
            text,
            transform=axes.transAxes,
            va="top",
            color=colour,
            fontsize=7.5,
            bbox=box,
        )


def _numbers(numbers: pd.DataFrame, method: str, signal: str, n: int) -> str:
    """FD and gECE as the metrics table has them."""
    own = numbers[(numbers["method"] == method) & numbers["signal"].isin([signal, "none"])]
    shown = {"FD": "faithfulness_divergence", "gECE": "generalised_ece"}
    texts = [
        f"{name} {number(row['value'], m)}"
        for name, m in shown.items()
        if (row := one(own, metric=m)) is not None
    ]
    return f"{'before' if method == 'original' else 'after'}: {'  '.join(texts) or 'not measured'}  n {n}"


def _draw(axes: Axes, curve: Curve, colour: str, marker: str, *, expected: bool) -> None:
    known = np.isfinite(curve.confidence)
    x = curve.confidence[known]
    axes.fill_between(x, curve.low[known], curve.high[known], color=colour, alpha=0.15, linewidth=0)
    axes.plot(x, curve.accuracy[known], color=colour, linewidth=1.4, zorder=3)
    axes.scatter(
        x,
        curve.accuracy[known],
        s=12 + 160 * curve.mass[known],
        color=colour,
        marker=marker,
        zorder=4,
        linewidth=0,
    )
    if expected:
        axes.plot(x, curve.expected[known], color=colour, linestyle="--", linewidth=1.1, zorder=2)


def _frame(panels: np.ndarray, lines: list[str], columns: list[str]) -> None:
    """Titles, labels and a square scale."""
    for axes in panels.flat:
        axes.set(xlim=(0, 1), ylim=(0, 1.28), xticks=[0, 0.25, 0.5, 0.75, 1], yticks=[0, 0.25, 0.5, 0.75, 1])
    for axes, column in zip(panels[0], columns, strict=True):
        axes.set_title(label(column))
    for axes in panels[-1]:
        axes.set_xlabel("Confidence")
    for axes, line in zip(panels[:, 0], lines, strict=True):
        axes.set_ylabel(f"{label(line)}\nShare of right answers")


def _key() -> list[Line2D]:
    before = SIGNAL_COLOURS["none"]
    return [
        Line2D([], [], color=before, marker=SIGNAL_MARKERS["none"], ms=5, label="before (original)"),
        Line2D([], [], color=INK, marker="o", ms=5, label="after RALC (in the signal's colour)"),
        Line2D([], [], color=INK, linestyle="--", linewidth=1.1, label="after, if perfectly calibrated"),
    ]
