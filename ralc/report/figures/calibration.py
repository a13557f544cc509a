"""Confidence against what is right: reliability, propagation from signal to words, bias and what it does to maps."""

from itertools import product

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy import stats

from ralc.beta import Beta
from ralc.conditions import DEFAULT, MEAN, NONE, UNIT, having
from ralc.registry import HEADLINES
from ralc.report.figures import style
from ralc.results import (
    differences,
    evaluators_of,
    in_domain,
    main_evaluator,
    main_target,
    means,
    plain,
    signals_in,
)
from ralc.results.labels import in_order, label, number
from ralc.statistics import FEWEST
from ralc.statistics.reliability import reliability_curve

PAIRED_BY = ["target", "dataset", "train", "signal", *UNIT]
Looks = dict[str, style.Look]
#: Mass of a bin, in answers, from which it is on the line.
FIRM = 2.0
#: Marks of a panel of the propagation figure at most, and points that a regression line needs.
MOST_MARKS = 3000
FEWEST_POINTS = 4


@style.styled
def reliability(items: pd.DataFrame, metrics: pd.DataFrame) -> Figure:
    """Draw reliability of the words before and after (paper appendix), a row a model and dataset, a column a signal."""
    evaluator = main_evaluator(metrics)
    rows, numbers = (in_domain(plain(of, space="linguistic", evaluator=evaluator)) for of in (items, metrics))
    signals = signals_in(having(rows, method="ralc"))
    targets = in_order(rows["target"])
    rng = np.random.default_rng(0)
    places = list(product(targets, in_order(rows["dataset"])))
    figure, panels = style.signal_panels(len(places), signals, "Confidence")
    for line, (target, dataset) in zip(panels, places, strict=True):
        part, shown = (having(of, target=target, dataset=dataset) for of in (rows, numbers))
        name = f"{label(target)}\n{label(dataset)}" if len(targets) > 1 else label(dataset)
        line[0].set_ylabel(f"{name}\nShare of right answers")
        for axes, signal in zip(line, signals, strict=True):
            _curves(axes, *(having(of, signal=[signal, NONE]) for of in (part, shown)), signal, rng)
    line = {"linestyle": "-", "color": style.INK}
    marks = [
        style.mark("before (original)", **line | style.SIGNAL_LOOKS[NONE]),
        style.mark("after RALC (in the signal's colour)", marker="o", **line),
        style.mark("after, if perfectly calibrated", **line | {"linestyle": "--", "linewidth": 1.1}),
    ]
    style.key(figure, marks)
    text = [
        f"Read by the {label(evaluator)}; held-out questions. Bands: 95 % bootstrap.",
        "Marks grow with the share of confidence in a bin; bins of less than two answers are faint, off the line.",
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
    style.diagonal(axes)
    texts = 0
    curves = 0
    for method, guide, when in (("original", NONE, "before"), ("ralc", signal, "after")):
        part = having(rows, method=method).dropna(subset=["alpha", "beta", "outcome"])
        if part.empty:
            continue
        look = style.SIGNAL_LOOKS[guide]
        errors = having(numbers, method=method).set_index("metric")["value"].reindex(HEADLINES)
        shown = "  ".join(f"{label(metric)} {number(value, metric)}" for metric, value in errors.items())
        text = f"{when}: {shown}  n {len(part)}"
        style.print_in(axes, text, 0.02, 0.98 - 0.085 * texts, color=look["color"])
        texts += 1
        if len(part) < FEWEST:
            continue
        outcome = part["outcome"].to_numpy(float)
        groups = part["group"].to_numpy()
        whole = reliability_curve(outcome, Beta.from_table(part), groups=groups, rng=rng)
        curve = _curve(axes, whole.dropna(subset="confidence"), len(part), look)
        curves += 1
        if method == "ralc":
            dashed = {"linestyle": "--", "linewidth": 1.1, "zorder": 2}
            axes.plot(curve["confidence"], curve["expected"], color=look["color"], **dashed)
    if not curves:
        style.nothing(axes, f"too few answers for a curve\n(fewer than {FEWEST})" if texts else "no readings")


def _curve(axes: Axes, bins: pd.DataFrame, n: int, look: style.Look) -> pd.DataFrame:
    """Draw the bins of so many answers; those of fewer than two answers are faint. Return those on the line."""
    firm = bins["mass"] * n >= FIRM
    faint = bins[~firm]
    curve = bins[firm]
    colour = look["color"]
    axes.scatter(faint["confidence"], faint["accuracy"], s=24, alpha=0.3, zorder=2, linewidth=0, **look)
    x = curve["confidence"]
    y = curve["accuracy"]
    axes.fill_between(x, curve["low"], curve["high"], color=colour, alpha=0.15, linewidth=0)
    axes.plot(x, y, color=colour, linewidth=1.4, zorder=3)
    axes.scatter(x, y, s=12 + 160 * curve["mass"], zorder=4, linewidth=0, **look)
    return curve


@style.styled
def reliability_of_calibrator(bins: pd.DataFrame, n: int, title: str) -> str:
    """Return an SVG of reliability before and after a calibrator's map.

    Parameters
    ----------
    bins
        Rows of `reliability_curve`, with their ``forecast``: ``raw`` or ``calibrated``.
    n
        How many answers they are of.
    title
        Of the figure.
    """
    figure, ((axes,),) = style.panels(1, 1, (5.2, 5.2))
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="Confidence", ylabel="Share of right answers", title=title)
    axes.plot([0, 1], [0, 1], color=style.SOFT, linewidth=0.8, zorder=1)
    looks = {"raw": style.SIGNAL_LOOKS[NONE], "calibrated": {"color": "#0072B2", "marker": "o"}}
    for forecast, look in looks.items():
        _curve(axes, having(bins, forecast=forecast), n, look)
    style.key(figure, style.marks(looks))
    text = [
        f"{n} answers. On the line, confidence is as often right as it says. Bands: 95 % bootstrap.",
        "Marks grow with the share of answers in a bin; bins of less than two answers are faint.",
    ]
    style.note(figure, text)
    return style.as_svg(figure, title, " ".join(text))


@style.styled
def propagation(items: pd.DataFrame, metrics: pd.DataFrame) -> Figure:
    """Draw the calibrated mean against the re-read mean (paper appendix), a row an evaluator, a column a signal.

    The ρ that is printed is the metrics' `spearman_mean`, raw and unbinned.
    """
    target = main_target(metrics)
    pairs = propagation_pairs(items)
    pairs = pairs if target == MEAN else having(pairs, target=target)
    evaluators = in_order(pairs["evaluator"], evaluators_of(items))
    signals = signals_in(pairs)
    looks = style.dataset_looks(pairs["dataset"])
    rng = np.random.default_rng(0)
    figure, panels = style.signal_panels(len(evaluators), signals, "Calibrated mean confidence")
    for line, evaluator in zip(panels, evaluators, strict=True):
        numbers = in_domain(plain(metrics, space="linguistic", evaluator=evaluator, target=target))
        numbers = having(numbers, method="ralc", metric="spearman_mean")
        line[0].set_ylabel(f"Re-read mean confidence\n{label(evaluator)}")
        for axes, signal in zip(line, signals, strict=True):
            part = having(pairs, evaluator=evaluator, signal=signal)
            _points(axes, part.iloc[rng.permutation(len(part))[:MOST_MARKS]], looks)
            rows = having(numbers, signal=signal, dataset=list(looks))
            lines = [_correlation(row) for _, row in rows.iterrows()]
            style.print_in(axes, "\n".join(lines), 0.97, 0.06, ha="right", va="bottom")
    style.key(figure, style.marks(looks))
    models = "all models" if target == MEAN else label(target)
    text = f"RALC, held-out questions, {models}; maps fitted in-domain."
    style.note(figure, [text, "ρ: Spearman, raw, per dataset."])
    return figure


def propagation_pairs(items: pd.DataFrame) -> pd.DataFrame:
    """Return a row a rewritten answer and evaluator, in-domain: ``calibrated`` and ``reread`` mean.

    Answers without a reading or a grade are left out, as in the metrics.
    """
    rows = [plain(items, space="linguistic", evaluator=evaluator) for evaluator in evaluators_of(items)]
    read = in_domain(pd.concat(rows).query("method == 'ralc'").drop_duplicates([*PAIRED_BY, "evaluator"]))
    aims = in_domain(plain(items, space="signal").query("method == 'ralc'")).set_index(PAIRED_BY)
    pairs = read.join(means(aims).rename("calibrated"), on=PAIRED_BY, how="inner")
    pairs = pairs.assign(reread=means(pairs)).dropna(subset=["calibrated", "reread", "outcome"])
    return pairs[[*PAIRED_BY, "evaluator", "calibrated", "reread"]]


def _points(axes: Axes, pairs: pd.DataFrame, looks: Looks) -> None:
    """A mark an answer."""
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    style.diagonal(axes)
    if pairs.empty:
        style.nothing(axes, "no readings")
    how = {"s": 16, "linewidth": 0, "alpha": 0.75, "rasterized": True, "zorder": 3}
    for dataset, look in looks.items():
        part = having(pairs, dataset=dataset)
        axes.scatter(part["calibrated"], part["reread"], **look, **how)


def _correlation(row: pd.Series) -> str:
    """Spearman's rho of a dataset, by its row of metrics."""
    rho = "too few for ρ" if row["n"] < FEWEST else f"ρ {number(row['value'], 'spearman_mean')}"
    return f"{label(row['dataset'])}: {rho}, n {row['n']}"


@style.styled
def bias(metrics: pd.DataFrame) -> Figure:
    """Draw the mean confidence of the raw signals against accuracy, and what another dataset's map gains.

    Above, a mark a (dataset, model), a panel a signal. Below, the advantage of a foreign map over how far the two
    biases lie apart, with least squares and its 95 % band (paper appendix).
    """
    rows = plain(metrics, space="signal")
    rows = having(rows, method="original", metric=["mean_confidence", "accuracy"])
    rows = rows[rows["target"] != MEAN]
    counts = rows.groupby("dataset")["n"].max()
    signals = signals_in(rows)
    looks = style.dataset_looks(rows["dataset"])
    points = transfers(metrics)
    lines = 2 if len(counts) > 1 else 1
    figure, panels = style.signal_panels(lines, signals, "", height=3.2, sharex=False, sharey="row")
    for place, signal in enumerate(signals):
        _biases(panels[0, place], having(rows, signal=signal), looks)
        if lines > 1:
            _transfers(panels[1, place], having(points, signal=signal), looks)
            panels[1, place].set_xlabel("|difference of bias| of the two datasets")
    panels[0, 0].set_ylabel("Mean confidence")
    panels[-1, 0].set_ylabel("gECE: own map − foreign map" if lines > 1 else "Mean confidence")
    style.key(figure, style.marks(looks, counts))
    text = [
        "Raw signals, held-out questions, 95 % intervals. On the line, confidence is as often right as it says.",
        "Below, above 0: the foreign map was better. The points are not independent of one another.",
    ]
    style.note(figure, [*text[:lines], *style.too_few(rows)])
    return figure


def transfers(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return a row a map used on another dataset: how far the biases lie apart, and what the foreign map gained.

    Columns are ``target, dataset, train, signal, gap, advantage``. The gap is |bias of train - bias of test|. The
    advantage is the gECE with the dataset's own map minus that with the foreign one, in signal space.
    """
    raw = plain(metrics, space="signal")
    raw = having(raw, method="original", metric="miscalibration_bias")
    before = raw.set_index(["target", "dataset", "signal"])["value"]
    rows = differences(metrics, space="signal")
    rows = having(rows, versus="in_domain", metric="generalised_ece")
    rows = having(rows[rows["target"] != MEAN], variant=DEFAULT)
    keys = (pd.MultiIndex.from_frame(rows[["target", of, "signal"]]) for of in ("dataset", "train"))
    here, there = (before.reindex(key).to_numpy() for key in keys)
    table = rows[["target", "dataset", "train", "signal"]]
    return table.assign(gap=abs(there - here), advantage=-rows["value"]).dropna(ignore_index=True)


def _biases(axes: Axes, rows: pd.DataFrame, looks: Looks) -> None:
    """One signal: mean confidence over accuracy."""
    style.diagonal(axes)
    for dataset, look in looks.items():
        ci = having(rows, dataset=dataset).set_index(["metric", "target"])[["value", "ci_low", "ci_high"]]
        x, y = (ci.loc[metric] for metric in ("accuracy", "mean_confidence"))
        y = y.loc[x.index]
        reach = [np.nan_to_num([of["value"] - of["ci_low"], of["ci_high"] - of["value"]]) for of in (y, x)]
        how = {"linestyle": "none", "ms": 5, "elinewidth": 1.2, "alpha": 0.9, "zorder": 3}
        axes.errorbar(x["value"], y["value"], *np.clip(reach, 0, None), **look, **how)
    ends = (-0.02, 1.02)  # so that a mark at an end is not cut
    axes.set(xlim=ends, ylim=ends, xlabel="Accuracy", aspect="equal")


def _transfers(axes: Axes, points: pd.DataFrame, looks: Looks) -> None:
    """One signal: its points, and the line through them."""
    axes.axhline(0, color=style.SOFT, linewidth=0.8, zorder=1)
    if points.empty:
        style.nothing(axes, "no map was used on another dataset")
        axes.set(xticks=[], yticks=[])
        return
    for dataset, look in looks.items():
        part = having(points, dataset=dataset)
        axes.scatter(part["gap"], part["advantage"], s=36, zorder=3, **look)
    x = points["gap"].to_numpy()
    y = points["advantage"].to_numpy()
    if len(points) < FEWEST_POINTS or np.ptp(x) == 0:
        return
    fitted = stats.linregress(x, y)
    t = stats.t.ppf(0.975, len(x) - 2)
    places = np.linspace(x.min(), x.max(), 50)
    line = fitted.intercept + fitted.slope * places
    # The error of the line's height at the mean of x, and that of its slope away from it.
    band = t * fitted.stderr * np.hypot(np.std(x), places - x.mean())
    axes.plot(places, line, color=style.SOFT, linewidth=1.4, zorder=2)
    axes.fill_between(places, line - band, line + band, color=style.SOFT, alpha=0.15, linewidth=0)
    shown = (fitted.slope, fitted.slope - t * fitted.stderr, fitted.slope + t * fitted.stderr)
    slope, low, high = (f"{value:+.2f}".replace("-", "−") for value in shown)
    style.print_in(axes, f"slope {slope} [{low}, {high}], n {len(x)}", 0.98, 0.02, ha="right", va="bottom")
