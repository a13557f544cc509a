"""Confidence against what is right: reliability, propagation from signal to words, bias and what it does to maps."""

from itertools import product

import numpy as np
import pandas as pd
import statsmodels.api as sm
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ralc.beta import Beta
from ralc.conditions import DEFAULT, UNIT
from ralc.metrics import bin_masses
from ralc.registry import SIGNALS
from ralc.report.figures import style
from ralc.results.filters import (
    differences,
    evaluators_of,
    in_domain,
    main_evaluator,
    main_target,
    one,
    plain,
)
from ralc.results.labels import in_order, label, number
from ralc.statistics import FEWEST, resample

KEY = ["target", "dataset", "train", "signal", *UNIT]
Styles = dict[str, tuple[str, str]]
#: Marks of texts that say nothing of how well hedges are chosen, by origin, and what the legend says of them.
_UNFILLED = {"template": ("o", "hollow: by template"), "passed": ("x", "crosses: passed on unhedged")}
#: Marks of a panel of the propagation figure at most, and points that a regression line needs.
MOST, LEAST = 3000, 4


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
    outcome, confidence
        Of n answers, the outcome in [0, 1].
    groups
        Shape (n,): units resampled together for the band; None resamples answers.
    least
        A bin with less mass than this many answers is NaN.

    Returns
    -------
    DataFrame
        One row a bin: mass-weighted ``confidence`` and ``accuracy``; ``expected``, the accuracy if every answer were
        right with its mean as probability; ``low, high``, the 95 % band of accuracy; ``mass``, which sums to 1.
    """
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
def reliability(items: pd.DataFrame, metrics: pd.DataFrame) -> Figure:
    """Draw reliability of the words before and after (paper appendix), a row a model and dataset, a column a signal.

    The panels print FD and gECE of the metrics.

    Raises
    ------
    ValueError
        If nothing was rewritten.
    """
    evaluator = main_evaluator(metrics)
    rows, numbers = (in_domain(plain(of, space="linguistic", evaluator=evaluator)) for of in (items, metrics))
    signals = in_order(rows.loc[rows["method"] == "ralc", "signal"], SIGNALS)
    if not signals:
        raise ValueError("items: no rows of method 'ralc' in space 'linguistic'")
    targets, rng = in_order(rows["target"]), np.random.default_rng(0)
    places = list(product(targets, in_order(rows["dataset"])))
    size = (1.2 + 2.9 * len(signals), 1.3 + 2.9 * len(places))
    figure, panels = style.panels(len(places), len(signals), size, sharex=True, sharey=True)
    for line, (target, dataset) in zip(panels, places, strict=True):
        own, shown = (of[(of["target"] == target) & (of["dataset"] == dataset)] for of in (rows, numbers))
        name = f"{label(target)}\n{label(dataset)}" if len(targets) > 1 else label(dataset)
        line[0].set_ylabel(f"{name}\nShare of right answers")
        for axes, signal in zip(line, signals, strict=True):
            _curves(axes, *(of[of["signal"].isin([signal, "none"])] for of in (own, shown)), signal, rng)
    for above, below, signal in zip(panels[0], panels[-1], signals, strict=True):
        above.set_title(label(signal))
        below.set_xlabel("Confidence")
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


def _curves(
    axes: Axes, rows: pd.DataFrame, numbers: pd.DataFrame, signal: str, rng: np.random.Generator
) -> None:
    """One model, dataset and signal: the curve before and the curve after; marks grow with the mass of their bin."""
    ticks = [0, 0.25, 0.5, 0.75, 1]
    axes.set(xlim=(0, 1), ylim=(0, 1.28), xticks=ticks, yticks=ticks)
    axes.plot([0, 1], [0, 1], color=style.SOFT, linewidth=0.8, zorder=1)
    texts, curves = 0, 0
    for method, look in (("original", "none"), ("ralc", signal)):
        part = rows[rows["method"] == method].dropna(subset=["alpha", "beta", "outcome"])
        if part.empty:
            continue
        colour, marker = style.SIGNAL_COLOURS[look], style.SIGNAL_MARKERS[look]
        text = _errors(numbers[numbers["method"] == method], "before" if method == "original" else "after")
        at = {"transform": axes.transAxes, "va": "top", "fontsize": 7.5, "bbox": style.WHITE}
        axes.text(0.02, 0.98 - 0.085 * texts, f"{text}  n {len(part)}", color=colour, **at)
        texts += 1
        if len(part) < FEWEST:
            continue
        outcome, groups = part["outcome"].to_numpy(float), part["group"].to_numpy()
        curve = reliability_curve(outcome, Beta.from_table(part), groups=groups, rng=rng)
        curve, curves = curve.dropna(subset="confidence"), curves + 1
        x, y = curve["confidence"], curve["accuracy"]
        axes.fill_between(x, curve["low"], curve["high"], color=colour, alpha=0.15, linewidth=0)
        axes.plot(x, y, color=colour, linewidth=1.4, zorder=3)
        axes.scatter(x, y, s=12 + 160 * curve["mass"], color=colour, marker=marker, zorder=4, linewidth=0)
        if method == "ralc":
            axes.plot(x, curve["expected"], color=colour, linestyle="--", linewidth=1.1, zorder=2)
    if not curves:
        style.nothing(axes, f"too few answers for a curve\n(fewer than {FEWEST})" if texts else "no readings")


def _errors(numbers: pd.DataFrame, when: str) -> str:
    """FD and gECE as the metrics table has them."""
    shown = {"FD": "faithfulness_divergence", "gECE": "generalised_ece"}
    found = {name: one(numbers, metric=metric) for name, metric in shown.items()}
    texts = [f"{name} {number(row['value'], shown[name])}" for name, row in found.items() if row is not None]
    return f"{when}: {'  '.join(texts) or 'not measured'}"


@style.styled
def propagation(items: pd.DataFrame, metrics: pd.DataFrame) -> Figure:
    """Draw the calibrated mean against the re-read mean (paper appendix), a row an evaluator, a column a signal.

    The ρ that is printed is the metrics' `spearman_mean`, raw and unbinned.

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
    evaluators = in_order(pairs["evaluator"], evaluators_of(items))
    signals = in_order(pairs["signal"], SIGNALS)
    styles, rng = style.dataset_styles(pairs["dataset"]), np.random.default_rng(0)
    size = (1.2 + 3.1 * len(signals), 1.3 + 2.9 * len(evaluators))
    figure, panels = style.panels(len(evaluators), len(signals), size, sharex=True, sharey=True)
    for line, evaluator in zip(panels, evaluators, strict=True):
        numbers = in_domain(plain(metrics, space="linguistic", evaluator=evaluator, target=target))
        numbers = numbers[numbers["method"] == "ralc"]
        line[0].set_ylabel(f"Re-read mean confidence\n{label(evaluator)}")
        for axes, signal in zip(line, signals, strict=True):
            part = pairs[(pairs["evaluator"] == evaluator) & (pairs["signal"] == signal)]
            _points(axes, part.iloc[rng.permutation(len(part))[:MOST]], styles)
            _print_rho(axes, numbers[numbers["signal"] == signal], list(styles))
    for above, below, signal in zip(panels[0], panels[-1], signals, strict=True):
        above.set_title(label(signal))
        below.set_xlabel("Calibrated mean confidence")
    kinds = [_UNFILLED[kind] for kind in _UNFILLED if (pairs["origin"] == kind).any()]
    unfilled = [style.mark(text, sign, mfc="none", color=style.SOFT, ms=5) for sign, text in kinds]
    style.key(figure, [*style.dataset_marks(styles), *unfilled])
    text = f"RALC, held-out questions, {style.whose(target)}; maps fitted in-domain."
    style.note(figure, [text, "ρ: Spearman, raw, per dataset."])
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


def _points(axes: Axes, pairs: pd.DataFrame, styles: Styles) -> None:
    """A mark an answer; hollow or crossed where no hedge was chosen."""
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    axes.plot([0, 1], [0, 1], color=style.SOFT, linewidth=0.8, zorder=1)
    if pairs.empty:
        style.nothing(axes, "no readings")
    for dataset, (colour, marker) in styles.items():
        part = pairs[pairs["dataset"] == dataset]
        kinds = part["origin"].where(part["origin"].isin(_UNFILLED), "")
        for kind in ("", *_UNFILLED):
            points = part.loc[kinds == kind, ["calibrated", "reread"]].to_numpy(float)
            look = {"facecolor": "none" if kind else colour, "edgecolor": colour, "marker": marker}
            look = {"color": colour, "marker": "x"} if kind == "passed" else look
            axes.scatter(*points.T, s=16, linewidth=0.7, alpha=0.75, rasterized=True, zorder=3, **look)


def _print_rho(axes: Axes, numbers: pd.DataFrame, datasets: list[str]) -> None:
    """Spearman's rho of each dataset, of all answers and, where some are not hedged, of the hedged alone."""

    def rho(row: pd.Series) -> str:
        few = row["n"] < FEWEST
        return f"{'too few for ρ' if few else 'ρ ' + number(row['value'], 'spearman_mean')}, n {row['n']}"

    lines = []
    for dataset in datasets:
        row = one(numbers, dataset=dataset, metric="spearman_mean")
        hedged = one(numbers, dataset=dataset, metric="spearman_mean_hedged")
        if row is not None:
            lines.append(f"{label(dataset)}: {rho(row)}")
        if row is not None and hedged is not None and hedged["n"] != row["n"]:
            lines.append(f"(hedged alone: {rho(hedged)})")
    at = {"transform": axes.transAxes, "ha": "right", "va": "bottom", "fontsize": 7.5, "bbox": style.WHITE}
    axes.text(0.97, 0.06, "\n".join(lines), **at)  # above the axis and its ticks


@style.styled
def bias(metrics: pd.DataFrame) -> Figure:
    """Draw the mean confidence of the raw signals against accuracy, and what another dataset's map gains.

    Above, a mark a (dataset, model), a panel a signal. Below, where there are several datasets, the advantage of a
    foreign map over how far the two biases lie apart, with least squares and its 95 % band (paper appendix).

    Raises
    ------
    ValueError
        If the run has no raw signal.
    """
    rows = _raw_signals(metrics, "mean_confidence", "accuracy")
    rows = rows[rows["target"] != "mean"]
    if rows.empty:
        raise ValueError("metrics: no raw signals")
    counts = rows.groupby("dataset")["n"].max()
    signals, styles = in_order(rows["signal"], SIGNALS), style.dataset_styles(rows["dataset"])
    points, lines = transfers(metrics), 1 + (len(counts) > 1)
    size = (1.0 + 3.1 * len(signals), 0.6 + 3.2 * lines)
    figure, panels = style.panels(lines, len(signals), size, sharey="row")
    for column, signal in enumerate(signals):
        _bias(panels[0, column], rows[rows["signal"] == signal], styles)
        panels[0, column].set_title(label(signal))
        if lines > 1:
            _transfer(panels[1, column], points[points["signal"] == signal], styles)
            panels[1, column].set_xlabel("|difference of bias| of the two datasets")
    for axes, title in zip(panels[:, 0], ("Mean confidence", "gECE: own map − foreign map"), strict=False):
        axes.set_ylabel(title)
    style.key(figure, style.dataset_marks(styles, counts))
    text = [
        "Raw signals, held-out questions, 95 % intervals. On the line, confidence is as often right as it says.",
        "Below, above 0: the foreign map was better. The points are not independent of one another.",
    ]
    style.note(figure, [*text[:lines], *style.too_few(rows)])
    return figure


def _raw_signals(metrics: pd.DataFrame, *quantities: str) -> pd.DataFrame:
    rows = plain(metrics, space="signal")
    return rows[(rows["method"] == "original") & rows["metric"].isin(quantities)]


def transfers(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return a row a map used on another dataset: how far the biases lie apart, and what the foreign map gained.

    Columns ``target, dataset, train, signal, gap, advantage``: |bias of train - bias of test|, and the gECE with the
    dataset's own map minus that with the foreign one, in signal space.
    """
    bias = _raw_signals(metrics, "miscalibration_bias").set_index(["target", "dataset", "signal"])["value"]
    rows = differences(metrics, space="signal")
    rows = rows[(rows["versus"] == "in_domain") & (rows["metric"] == "generalised_ece")]
    rows = rows[(rows["target"] != "mean") & (rows["variant"] == DEFAULT)]
    here, there = (
        bias.reindex(pd.MultiIndex.from_frame(rows[["target", of, "signal"]])).to_numpy()
        for of in ("dataset", "train")
    )
    table = rows[["target", "dataset", "train", "signal"]].assign(
        gap=abs(there - here), advantage=-rows["value"]
    )
    return table.dropna(subset=["gap", "advantage"]).reset_index(drop=True)


def _bias(axes: Axes, rows: pd.DataFrame, styles: Styles) -> None:
    """One signal: mean confidence over accuracy."""
    axes.plot([0, 1], [0, 1], color=style.SOFT, linewidth=0.8, zorder=1)
    for dataset, (colour, marker) in styles.items():
        ci = rows[rows["dataset"] == dataset].set_index(["metric", "target"])[["value", "ci_low", "ci_high"]]
        x, y = (ci.loc[metric] for metric in ("accuracy", "mean_confidence"))
        errors = [
            np.nan_to_num([of["value"] - of["ci_low"], of["ci_high"] - of["value"]]).clip(min=0)
            for of in (y, x)
        ]
        look = {"color": colour, "ms": 5, "elinewidth": 1.2, "alpha": 0.9, "zorder": 3}
        axes.errorbar(x["value"], y["value"].loc[x.index], *errors, fmt=marker, **look)
    ends = (-0.02, 1.02)  # a mark at an end is whole
    axes.set(xlim=ends, ylim=ends, xlabel="Accuracy", aspect="equal")


def _transfer(axes: Axes, points: pd.DataFrame, styles: Styles) -> None:
    """One signal: its points, and the line through them."""
    axes.axhline(0, color=style.SOFT, linewidth=0.8, zorder=1)
    if points.empty:
        style.nothing(axes, "no map was used on another dataset")
        axes.set(xticks=[], yticks=[])
        return
    for dataset, (colour, marker) in styles.items():
        part = points[points["dataset"] == dataset]
        axes.plot(part["gap"], part["advantage"], marker, color=colour, ms=6, zorder=3)
    line = regression(points["gap"].to_numpy(), points["advantage"].to_numpy())
    if line is None:
        return
    axes.plot(line["x"], line["mean"], color=style.SOFT, linewidth=1.4, zorder=2)
    band = (line["mean_ci_lower"], line["mean_ci_upper"])
    axes.fill_between(line["x"], *band, color=style.SOFT, alpha=0.15, linewidth=0)
    slope, low, high = (f"{line.attrs[name]:+.2f}".replace("-", "−") for name in ("slope", "low", "high"))
    text = f"slope {slope} [{low}, {high}], n {len(points)}"
    axes.text(0.98, 0.02, text, transform=axes.transAxes, ha="right", va="bottom", fontsize=7.5)


def regression(x: np.ndarray, y: np.ndarray) -> pd.DataFrame | None:
    """Return a least-squares line with its 95 % band; None for fewer than four points or one value of x.

    Columns ``x, mean, mean_ci_lower, mean_ci_upper`` at fifty places; `attrs` has the slope and its interval.
    """
    if len(x) < LEAST or np.ptp(x) == 0:
        return None
    fitted = sm.OLS(y, sm.add_constant(x)).fit()
    places = np.linspace(x.min(), x.max(), 50)
    line = fitted.get_prediction(sm.add_constant(places)).summary_frame(alpha=0.05).assign(x=places)
    low, high = fitted.conf_int(0.05)[1]
    line.attrs = {"slope": fitted.params[1], "low": low, "high": high}
    return line
