"""Reliability diagrams (paper appendix): confidence against the share of right answers."""

from itertools import product

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ralc.beta import Beta
from ralc.beta.validation import shares
from ralc.metrics import bin_masses
from ralc.registry import SIGNALS
from ralc.report.figures import style
from ralc.results.filters import in_domain, main_evaluator, one, plain
from ralc.results.labels import in_order, label, number
from ralc.statistics import FEWEST, resample


def reliability_curve(
    outcome: np.ndarray,
    confidence: Beta,
    *,
    groups: np.ndarray | None = None,
    bins: int = 10,
    least: float = 2.0,
    resamples: int = 500,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Return confidence and accuracy in equal-width bins, each answer spread over the bins by its distribution.

    Bins and weights are those of the generalised ECE (Wang et al. 2025). With wide distributions even perfect
    calibration leaves the diagonal; ``expected`` shows by how much.

    Parameters
    ----------
    outcome
        Shape (n,), in [0, 1].
    confidence
        n distributions.
    groups
        Shape (n,): units resampled together for the band; None resamples answers.
    bins, resamples
        How many.
    least
        A bin with less mass than this many answers is NaN.
    rng
        Draws the resamples.

    Returns
    -------
    DataFrame, one row a bin: mass-weighted ``confidence`` and ``accuracy``, ``expected`` (accuracy if every answer were
    right with its mean as probability), ``low, high`` (95 % band of accuracy), ``mass`` (sums to 1).

    Raises
    ------
    ValueError
        If there is no answer, shapes differ, or an outcome is outside [0, 1] (the first such index is named).
    """
    outcome = shares(outcome)
    if len(outcome) == 0 or outcome.shape != np.shape(confidence.alpha):
        shape = np.shape(confidence.alpha)
        raise ValueError(f"outcome has shape {outcome.shape}, confidence {shape}; equal, not empty")
    mass, first = bin_masses(confidence, bins=bins)
    right, total = mass * outcome[:, None], mass.sum(axis=0)
    known = (total >= least) & (total > 0)
    drawn = resample(len(outcome), groups=groups, resamples=resamples, rng=rng).weights[:, 1:].T
    band = np.full((2, bins), np.nan)
    with np.errstate(invalid="ignore"):
        accuracy = (drawn @ right[:, known]) / (drawn @ mass[:, known])
    if known.any():
        band[:, known] = np.nanquantile(accuracy, [0.025, 0.975], axis=0)
    sums = {"confidence": first, "accuracy": right, "expected": mass * confidence.mean[:, None]}
    curve = {name: of.sum(axis=0) / np.where(known, total, np.nan) for name, of in sums.items()}
    return pd.DataFrame(curve | {"low": band[0], "high": band[1], "mass": total / len(outcome)})


@style.styled
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
    evaluator = main_evaluator(metrics)
    rows = in_domain(plain(items, space="linguistic", evaluator=evaluator))
    numbers = in_domain(plain(metrics, space="linguistic", evaluator=evaluator))
    signals = in_order(rows.loc[rows["method"] == "ralc", "signal"], SIGNALS)
    if not signals:
        raise ValueError("items: no rows of method 'ralc' in space 'linguistic'")
    places = list(product(in_order(rows["target"]), in_order(rows["dataset"])))
    several, rng = len(in_order(rows["target"])) > 1, np.random.default_rng(0)
    figure = Figure(figsize=(1.2 + 2.9 * len(signals), 1.3 + 2.9 * len(places)), layout="constrained")
    panels = figure.subplots(len(places), len(signals), sharex=True, sharey=True, squeeze=False)
    for line, (target, dataset) in zip(panels, places, strict=True):
        own, shown = (of[(of["target"] == target) & (of["dataset"] == dataset)] for of in (rows, numbers))
        name = f"{label(target)}\n{label(dataset)}" if several else label(dataset)
        line[0].set_ylabel(f"{name}\nShare of right answers")
        for axes, signal in zip(line, signals, strict=True):
            _panel(axes, own[own["signal"].isin([signal, "none"])], shown, signal, rng)
    for column, signal in enumerate(signals):
        panels[0, column].set_title(label(signal))
        panels[-1, column].set_xlabel("Confidence")
    before, ink = style.SIGNAL_COLOURS["none"], {"color": style.INK, "ms": 5}
    marks = [
        Line2D([], [], color=before, marker=style.SIGNAL_MARKERS["none"], ms=5, label="before (original)"),
        Line2D([], [], marker="o", label="after RALC (in the signal's colour)", **ink),
        Line2D([], [], linestyle="--", linewidth=1.1, label="after, if perfectly calibrated", **ink),
    ]
    style.key(figure, marks)
    text = [
        f"Read by the {label(evaluator)}; held-out questions. Bands: 95 % bootstrap.",
        "Marks grow with the share of confidence in a bin; bins of less than two answers are left out.",
        "A wide distribution fills many bins, so the dashed line, not the diagonal, is perfect.",
    ]
    style.note(figure, text)
    return figure


def _panel(
    axes: Axes, rows: pd.DataFrame, numbers: pd.DataFrame, signal: str, rng: np.random.Generator
) -> None:
    """One model, dataset and signal: the curve before and the curve after."""
    ticks = [0, 0.25, 0.5, 0.75, 1]
    axes.set(xlim=(0, 1), ylim=(0, 1.28), xticks=ticks, yticks=ticks)
    axes.plot([0, 1], [0, 1], color=style.SOFT, linewidth=0.8, zorder=1)
    texts, curves = 0, 0
    for method, look in (("original", "none"), ("ralc", signal)):
        own = rows[rows["method"] == method].dropna(subset=["alpha", "beta", "outcome"])
        if own.empty:
            continue
        at = {"transform": axes.transAxes, "va": "top", "fontsize": 7.5, "bbox": style.WHITE}
        text = _numbers(numbers, method, signal, len(own))
        axes.text(0.02, 0.98 - 0.085 * texts, text, color=style.SIGNAL_COLOURS[look], **at)
        texts += 1
        if len(own) >= FEWEST:
            outcome, groups = own["outcome"].to_numpy(float), own["group"].to_numpy()
            curve = reliability_curve(outcome, Beta.from_table(own), groups=groups, rng=rng)
            _draw(axes, curve.dropna(subset="confidence"), look, expected=method == "ralc")
            curves += 1
    if not curves:
        style.nothing(axes, f"too few answers for a curve\n(fewer than {FEWEST})" if texts else "no readings")


def _numbers(numbers: pd.DataFrame, method: str, signal: str, n: int) -> str:
    """FD and gECE as the metrics table has them."""
    own = numbers[(numbers["method"] == method) & numbers["signal"].isin([signal, "none"])]
    shown = {"FD": "faithfulness_divergence", "gECE": "generalised_ece"}
    found = {name: one(own, metric=metric) for name, metric in shown.items()}
    texts = [f"{name} {number(row['value'], shown[name])}" for name, row in found.items() if row is not None]
    return f"{'before' if method == 'original' else 'after'}: {'  '.join(texts) or 'not measured'}  n {n}"


def _draw(axes: Axes, curve: pd.DataFrame, look: str, *, expected: bool) -> None:
    """A curve with its band; the marks grow with the mass of their bin."""
    colour, x = style.SIGNAL_COLOURS[look], curve["confidence"]
    axes.fill_between(x, curve["low"], curve["high"], color=colour, alpha=0.15, linewidth=0)
    axes.plot(x, curve["accuracy"], color=colour, linewidth=1.4, zorder=3)
    sizes = 12 + 160 * curve["mass"]
    axes.scatter(
        x, curve["accuracy"], s=sizes, color=colour, marker=style.SIGNAL_MARKERS[look], zorder=4, linewidth=0
    )
    if expected:
        axes.plot(x, curve["expected"], color=colour, linestyle="--", linewidth=1.1, zorder=2)
