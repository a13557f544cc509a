"""Forests: numbers with their intervals side by side, by signal, method, opponent or number of hedges."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ralc.conditions import DEFAULT, MEAN, NONE, changed_to, having
from ralc.registry import ASKED, HEADLINES, METHODS, METRICS, OPPONENTS, SIGNALS, SPACES
from ralc.report.figures import style
from ralc.report.tables.rows import words_lost as lost
from ralc.results import (
    differences,
    graded,
    in_domain,
    main_evaluator,
    main_protocol,
    main_signal,
    main_target,
    one,
    one_evaluator,
    plain,
    signals_in,
)
from ralc.results.holm_families import side
from ralc.results.labels import DOORS, in_order, label
from ralc.statistics import FEWEST

#: Above the columns: the paper's four metrics of methods, then ours.
TITLES = {
    "content_preservation": "Content\npreserved",
    "spearman_mean": "Signal to language\nSpearman ρ",
    "faithfulness_divergence": "Faithfulness\nDivergence (nats)",
    "generalised_ece": "Generalised\nECE",
    "auroc": "AUROC\nof means",
    "brier_score": "Brier score\nof means",
}
ARROWS = {"lower": "← better", "higher": "better →"}
#: By side: what the legend says, and its look. Blue and orange differ for every kind of colour vision.
SIDES = {
    "better": ("RALC better, interval excludes 0", {"color": "#0072B2", "marker": "o"}),
    "worse": ("RALC worse, interval excludes 0", {"color": "#D55E00", "marker": "X"}),
    "not shown": ("interval includes 0, or too few answers", {"color": style.SOFT, "marker": "D"}),
}


class Mark(NamedTuple):
    """A number in its panel, on a line of it: a row of metrics, its look, and the null of gECE."""

    panel: str
    metric: str
    y: float
    number: pd.Series
    look: style.Look
    null: float = np.nan
    hollow: bool = False


def _forest(
    marks: Sequence[Mark],
    rows: Mapping[str, str],
    metrics: Sequence[str],
    names: Sequence[str],
    *,
    size: tuple[float, float],
    legend: list[Line2D],
    text: list[str],
    signed: bool = False,
) -> tuple[Figure, np.ndarray]:
    """A row of panels a name in `rows`, a column a metric, a line each of `names` from the top.

    Parameters
    ----------
    marks
        What is drawn.
    rows
        What each row of panels is called, by the `panel` of its marks.
    metrics
        The columns.
    names
        What stands beside the lines of a panel: the `y` of a mark is a number of these.
    size
        Width and height in inches.
    legend, text
        What stands above and below the panels.
    signed
        Whether 0 stands in the middle and better on the right.
    """
    figure, panels = style.panels(len(rows), len(metrics), size, sharex="col", sharey=True)
    for line, (row, name) in zip(panels, rows.items(), strict=True):
        line[0].set_ylabel(name, fontweight="bold")
        of_row = [mark for mark in marks if mark.panel == row]
        largest = max((mark.number["n"] for mark in of_row), default=FEWEST)
        for axes, metric in zip(line, metrics, strict=True):
            placed = [mark for mark in of_row if mark.metric == metric and np.isfinite(mark.number["value"])]
            _draw(axes, placed)
            if not placed:
                style.nothing(axes, "too few answers" if largest < FEWEST else "not measured")
    panels[0, 0].set_yticks(range(len(names)), names)
    panels[0, 0].set_ylim(len(names) - 0.4, -0.6)
    for column, metric in zip(panels.T, metrics, strict=True):
        _scale(column, metric, [mark for mark in marks if mark.metric == metric], signed=signed)
    style.key(figure, legend)
    style.note(figure, text)
    return figure, panels


def _draw(axes: Axes, marks: Sequence[Mark]) -> None:
    """The marks of a panel, each with its interval and its null."""
    axes.tick_params(axis="y", length=0)
    for _, _, y, number, look, null, hollow in marks:
        axes.plot(number[["ci_low", "ci_high"]], [y, y], color=look["color"], linewidth=1.3, alpha=0.75)
        filling = {"mfc": "white", "mew": 1.4} if hollow else {"mew": 0}
        axes.plot(number["value"], y, **look, **filling, ms=6, zorder=3, clip_on=False)
        if np.isfinite(null):
            axes.plot(null, y, "|", color=style.INK, ms=9, mew=1.6, zorder=4)


def _scale(column: np.ndarray, metric: str, marks: Sequence[Mark], *, signed: bool) -> None:
    """The title of a metric's panels, which way is better, and where they end.

    A difference has 0 in the middle and better on the right. FD, which has no end, is logarithmic where it reaches far.
    """
    first = column[0]
    scale = METRICS[metric]
    first.set_title(TITLES[metric])
    column[-1].set_xlabel("difference, better →" if signed else ARROWS[scale.better])
    low, high = first.get_xlim()
    if signed:
        limit = max(-low, high)
        first.set_xlim(sorted((-limit, limit), reverse=scale.better == "lower"))
        first.locator_params(axis="x", nbins=4)
        for axes in column:
            axes.axvline(0, color=style.INK, linewidth=0.8)
        return
    values = np.array([mark.number["value"] for mark in marks])
    if metric == "faithfulness_divergence" and 0 < 30 * min(values, default=0) < max(values, default=0):
        first.set_xscale("log")
        style.plain_log(column[-1].xaxis, most=4)
    elif metric in HEADLINES:
        first.set_xlim(left=0)
    first.set_xlim(right=min(first.get_xlim()[1], scale.high + 0.02 * (scale.high - low)))


@style.styled
def prepost(metrics: pd.DataFrame, averages: pd.DataFrame) -> Figure:
    """Draw FD and gECE before and after calibration, a row a space (paper figure 2); means over datasets come last."""
    target = main_target(metrics)
    evaluator = main_evaluator(metrics)
    rows = pd.concat([metrics, style.over_datasets(averages)])
    rows = in_domain(plain(rows, evaluator=evaluator, target=target))
    datasets = in_order(rows["dataset"])
    signals = signals_in(rows)
    cells = list(product(datasets, signals))
    marks = []
    changes = []
    for (y, (dataset, signal)), space, metric in product(enumerate(cells), SPACES, HEADLINES):
        of = having(rows, dataset=dataset, space=space, signal=[signal, NONE])
        before, after = (one(of, method=method, metric=metric) for method in ("original", "ralc"))
        null = one(of, method="ralc", metric=f"{metric}_null")
        look = style.SIGNAL_LOOKS[signal]
        if before is not None:
            marks.append(Mark(space, metric, y - 0.17, before, look, hollow=True))
        if after is not None:
            level = np.nan if null is None else null["value"]
            marks.append(Mark(space, metric, y + 0.17, after, look, level))
        if before is not None and after is not None:
            changes.append(marks[-2:])
    sizes = graded(rows).groupby("dataset")["n"].max()
    names = [(f"{label(d)} (n={sizes.get(d)})   " if s == signals[0] else "") + label(s) for d, s in cells]
    when = [
        style.mark("before", marker="o", mfc="white", color=style.SOFT),
        style.mark("after", marker="o", color=style.SOFT),
    ]
    text = f"Held-out questions, {label(target)}; words read by the {label(evaluator)}; 95 % intervals."
    figure, panels = _forest(
        marks,
        SPACES,
        HEADLINES,
        names,
        size=(9, max(1.6 + 0.6 * len(datasets) * (len(signals) + 1), 5)),
        legend=[*when, style.null_mark(), *style.marks({s: style.SIGNAL_LOOKS[s] for s in signals})],
        text=[text, *style.too_few(graded(rows))],
    )
    arrow = {"arrowstyle": "->", "color": style.SOFT, "shrinkA": 5, "shrinkB": 5, "linewidth": 0.9}
    for before, after in changes:
        start, end = ((mark.number["value"], mark.y) for mark in (before, after))
        axes = panels[list(SPACES).index(after.panel), HEADLINES.index(after.metric)]
        axes.annotate("", xy=end, xytext=start, arrowprops=arrow)
    return figure


@style.styled
def baselines(metrics: pd.DataFrame, averages: pd.DataFrame) -> Figure:
    """Draw every method by six metrics in linguistic space, a row a dataset (paper figure 3); their mean comes last.

    Methods that a signal guides have a mark for each; Hedged QA one for each that its words are correlated with.
    """
    target = main_target(metrics)
    evaluator = main_evaluator(metrics)
    means = style.over_datasets(averages)
    means = having(means, signal=[MEAN, NONE]).replace({"signal": MEAN}, NONE)
    how = {"space": "linguistic", "evaluator": evaluator, "target": target, "unguided": True}
    rows = in_domain(plain(pd.concat([metrics, means]), **how))
    rows = rows[rows["metric"].str.removesuffix("_null").isin(list(TITLES))]
    methods = in_order(rows["method"], [*(name for name in METHODS if name != "original"), "original"])
    sizes = graded(rows).groupby("dataset")["n"].max()
    guided = {s: f"guided by {signal.title.lower()}" for s, signal in SIGNALS.items()}
    guided[NONE] = "needs no signal, or mean over signals"
    signals = in_order(rows["signal"], guided)
    legend = [style.mark(guided[signal], **style.SIGNAL_LOOKS[signal]) for signal in signals]
    text = f"Linguistic space, read by the {label(evaluator)}; held-out questions, {label(target)}; "
    figure, panels = _forest(
        list(_by_signal(rows, "method", methods)),
        {dataset: f"{label(dataset)}\nn = {sizes.get(dataset)}" for dataset in in_order(rows["dataset"])},
        list(TITLES),
        [METHODS[method].title for method in methods],
        size=(1 + 2 * len(TITLES), 1.7 + 1.9 * rows["dataset"].nunique()),
        legend=[*(legend if len(signals) > 1 else []), style.null_mark()],
        text=[f"{text}95 % intervals.", *style.too_few(graded(rows))],
    )
    for axes in panels[:, list(TITLES).index("auroc")]:
        axes.axvline(0.5, color=style.INK, linewidth=0.8, linestyle=":")
    return figure


def _by_signal(rows: pd.DataFrame, column: str, names: list) -> Iterator[Mark]:
    """A mark a signal on the line of each value of a column."""
    null = rows["metric"].str.endswith("_null")
    nulls = rows[null].set_index(["dataset", "metric", column, "signal"])["value"]
    for (dataset, metric, name), part in rows[~null].groupby(["dataset", "metric", column], sort=False):
        signals = in_order(part["signal"], [NONE, *SIGNALS])
        for place, signal in enumerate(signals):
            y = names.index(name) + 0.22 * (place - (len(signals) - 1) / 2)
            level = nulls.get((dataset, f"{metric}_null", name, signal), np.nan)
            row = having(part, signal=signal).iloc[0]
            yield Mark(dataset, metric, y, row, style.SIGNAL_LOOKS[signal], level)


@style.styled
def grid(metrics: pd.DataFrame) -> Figure:
    """Draw RALC minus each opponent, guided by the main signal: a row a dataset, a column a metric.

    Intervals are those of single comparisons, without correction, and no p-value is asked for.
    """
    target = main_target(metrics)
    signal = main_signal(metrics)
    evaluator = main_evaluator(metrics)
    wanted = {"target": target, "signal": signal, "method": "ralc", "variant": DEFAULT}
    rows = having(in_domain(differences(metrics)), versus=OPPONENTS, metric=ASKED, **wanted)
    datasets = in_order(metrics["dataset"])
    opponents = in_order(rows["versus"], OPPONENTS)
    marks = []
    for _, row in rows.iterrows():
        found = side(row["ci_low"], row["ci_high"], 0.0, METRICS[row["metric"]].better)
        y = opponents.index(row["versus"])
        marks.append(Mark(row["dataset"], row["metric"], y, row, SIDES[found][1]))
    text = f"RALC guided by {label(signal).lower()} minus each opponent, read by the {label(evaluator)}; "
    text += f"held-out questions, {label(target)}; 95 % intervals. Exploratory, without correction."
    figure, _ = _forest(
        marks,
        {dataset: label(dataset) for dataset in datasets},
        ASKED,
        [METHODS[name].title for name in opponents],
        size=(9, 1.3 + (0.5 + 0.28 * len(OPPONENTS)) * len(datasets)),
        legend=[style.mark(name, **look) for name, look in SIDES.values()],
        text=[text],
        signed=True,
    )
    return figure


@style.styled
def words_lost(items: pd.DataFrame) -> Figure:
    """Draw how much Brier score words lose to the number that they are to say, by model, dataset and door."""
    rows = having(lost(items), variant=DEFAULT)
    evaluators = in_order(rows["evaluator"])
    looks = style.dataset_looks(evaluators)
    doors = in_order(rows["door"], DOORS)
    marks = []
    sizes = {}
    for _, row in rows.iterrows():
        aside = evaluators.index(row["evaluator"]) - (len(evaluators) - 1) / 2
        panel = f"{label(row['dataset'])}\n{label(row['target'])}"
        sizes[panel] = max(row["n"], sizes.get(panel, 0))
        place = doors.index(row["door"]) + 0.2 * aside
        marks.append(Mark(panel, "brier_score", place, row, looks[row["evaluator"]]))
    text = "RALC's words less their number, of the same answers; 1.96 standard errors. Those of few answers say little."
    figure, _ = _forest(
        marks,
        {panel: f"{panel}\nn = {size}" for panel, size in sizes.items()},
        ["brier_score"],
        [label(door) for door in doors],
        size=(7, 1.5 + (0.5 + 0.28 * len(doors)) * len(sizes)),
        legend=style.marks(looks),
        text=[text],
        signed=True,
    )
    return figure


@style.styled
def hedges_ablation(metrics: pd.DataFrame, *, default: int) -> Figure:
    """Draw FD and gECE of RALC's words over the number of hedges (paper appendix): a line a signal, a row a dataset.

    `default` is the number of the default variant.
    """
    evaluator = main_evaluator(metrics)
    wanted = {"versus": NONE, "space": "linguistic", "method": "ralc", "subset": "all"}
    rows = having(metrics, protocol=main_protocol(metrics), **wanted)
    rows = in_domain(one_evaluator(rows, evaluator))
    tried = changed_to(rows["variant"], "hedges").mask(rows["variant"] == DEFAULT, str(default))
    rows = rows.assign(hedges=tried)
    varied = rows[tried.notna() & (rows["variant"] != DEFAULT)]
    target = main_target(varied)
    rows = having(rows, variant=[DEFAULT, *varied["variant"]], target=target, dataset=varied["dataset"])
    rows = rows[rows["metric"].str.removesuffix("_null").isin(HEADLINES)]
    rows = rows.astype({"hedges": int})
    datasets = in_order(rows["dataset"])
    numbers = sorted(rows["hedges"].unique())
    text = f"RALC by the number k of hedges that the rewriter is given, read by the {label(evaluator)}; "
    figure, _ = _forest(
        list(_by_signal(rows, "hedges", numbers)),
        {dataset: label(dataset) for dataset in datasets},
        HEADLINES,
        [f"k = {k}" + (" (default)" if k == default else "") for k in numbers],
        size=(8, 1.4 + (0.5 + 0.35 * len(numbers)) * len(datasets)),
        legend=[*style.marks({s: style.SIGNAL_LOOKS[s] for s in signals_in(rows)}), style.null_mark()],
        text=[f"{text}held-out questions, {label(target)}; 95 % intervals."],
    )
    return figure
