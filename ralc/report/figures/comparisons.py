"""Numbers with their intervals side by side: before and after, methods, opponents, numbers of hedges.

The first three are forests: panels of marks with horizontal intervals, a line a name.
"""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ralc.conditions import DEFAULT, MEAN, NONE
from ralc.registry import ASKED, HEADLINES, METHODS, METRICS, OPPONENTS, SIGNALS, SPACES
from ralc.report.figures import style
from ralc.results.filters import (
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
from ralc.results.labels import QUANTITIES, in_order, label
from ralc.statistics import FEWEST

AXES = {"faithfulness_divergence": "Faithfulness Divergence (nats)", "generalised_ece": "Generalised ECE"}
#: The metrics beside which the methods stand: the paper's four, then ours.
COMPARED = {
    "content_preservation": "Content\npreserved",
    "spearman_mean": "Signal to language\nSpearman ρ",
    "faithfulness_divergence": "Faithfulness\nDivergence (nats)",
    "generalised_ece": "Generalised\nECE",
    "auroc": "AUROC\nof means",
    "brier_score": "Brier score\nof means",
}
ARROWS = {"lower": "← better", "higher": "better →"}
#: By side: colour, marker, and what the legend says. Blue and orange differ for every kind of colour vision.
SIDES = {
    "better": ("#0072B2", "o", "RALC better, interval excludes 0"),
    "worse": ("#D55E00", "X", "RALC worse, interval excludes 0"),
    "open": (style.SOFT, "D", "interval includes 0"),
}
#: A mark of a forest: panel, place, row of metrics, colour, shape, filling, and the null of gECE, NaN for none.
Mark = tuple[str, str, float, pd.Series, str, str, str, float]


def _forest(
    marks: Sequence[Mark], rows: Sequence[str], columns: Sequence[str], names: Sequence[str], **how: object
) -> tuple[Figure, np.ndarray]:
    """A figure of panels, a name a line from the top; one without a number says that none was measured."""
    figure, panels = style.panels(len(rows), len(columns), sharey=True, **how)
    for line, row in zip(panels, rows, strict=True):
        for axes, column in zip(line, columns, strict=True):
            drawn = [mark for mark in marks if mark[:2] == (row, column) and np.isfinite(mark[3]["value"])]
            axes.tick_params(axis="y", length=0)
            for _, _, y, number, colour, shape, filling, null in drawn:
                if np.isfinite([number["ci_low"], number["ci_high"]]).all():
                    ends = [number["ci_low"], number["ci_high"]]
                    axes.plot(ends, [y, y], color=colour, linewidth=1.3, alpha=0.75, zorder=2)
                look = {"mfc": filling, "mec": colour, "mew": 1.4 if filling == "white" else 0, "ms": 6}
                axes.plot(number["value"], y, shape, color=colour, zorder=3, **look)
                if np.isfinite(null):
                    axes.plot(null, y, "|", color=style.INK, ms=9, mew=1.6, zorder=4)
            if not drawn:
                most = max((mark[3]["n"] for mark in marks if mark[0] == row), default=FEWEST)
                style.nothing(axes, "too few answers" if most < FEWEST else "not measured")
    panels[0, 0].set_yticks(range(len(names)), names)
    panels[0, 0].set_ylim(len(names) - 0.4, -0.6)
    return figure, panels


@style.styled
def prepost(metrics: pd.DataFrame, averages: pd.DataFrame) -> Figure:
    """Draw FD and gECE before and after calibration, a row a space (paper figure 2); means over datasets come last.

    A hollow mark is before, a filled one after, the line its 95 % interval, the upright tick the null of gECE.
    """
    target, evaluator = main_target(metrics), main_evaluator(metrics)
    rows = pd.concat([metrics, style.over_datasets(averages)])
    rows = in_domain(plain(rows, evaluator=evaluator, target=target))
    datasets, signals = in_order(rows["dataset"]), signals_in(rows)
    cells, marks, changes = list(product(datasets, signals)), [], []
    for (y, (dataset, signal)), space, metric in product(enumerate(cells), SPACES, AXES):
        of = rows[
            (rows["dataset"] == dataset) & rows["signal"].isin([signal, NONE]) & (rows["space"] == space)
        ]
        before, after = (one(of, method=method, metric=metric) for method in ("original", "ralc"))
        colour, shape = style.SIGNAL_COLOURS[signal], style.SIGNAL_MARKERS[signal]
        if before is not None:
            marks.append((space, metric, y - 0.17, before, colour, shape, "white", np.nan))
        if after is not None:
            null = one(of, method="ralc", metric=f"{metric}_null")
            null = np.nan if null is None else null["value"]
            marks.append((space, metric, y + 0.17, after, colour, shape, colour, null))
        if before is not None and after is not None:
            changes.append((space, metric, (before["value"], y - 0.17), (after["value"], y + 0.17)))
    sizes = graded(rows).groupby("dataset")["n"].max()
    names = [(f"{label(d)} (n={sizes.get(d)})   " if s == signals[0] else "") + label(s) for d, s in cells]
    size = (9, max(1.6 + 0.6 * len(datasets) * (len(signals) + 1), 4))
    figure, panels = _forest(marks, list(SPACES), list(AXES), names, size=size)
    shape = {"arrowstyle": "->", "color": style.SOFT, "shrinkA": 5, "shrinkB": 5, "linewidth": 0.9}
    for (space, line), (place, metric) in product(zip(SPACES, panels, strict=True), enumerate(AXES)):
        axes = line[place]
        axes.set_xlabel(f"{AXES[metric]}, lower is better")
        for start, end in (change[2:] for change in changes if change[:2] == (space, metric)):
            axes.annotate("", xy=end, xytext=start, arrowprops=shape)
        if metric == "faithfulness_divergence":
            style.log_if_wide(axes, [mark[3]["value"] for mark in marks if mark[:2] == (space, metric)])
        if axes.get_xscale() == "linear":
            axes.set_xlim(left=0)
        by = f", read by the {label(evaluator)}" if space == "linguistic" else ""
        line[0].set_title(f"{SPACES[space]}{by}")
    grey = {"color": style.SOFT, "ms": 6}
    when = [style.mark("before", "o", mfc="white", **grey), style.mark("after", "o", **grey)]
    style.key(
        figure, [*when, style.null_mark(11), *(style.signal_mark(s, SIGNALS[s].title) for s in signals)]
    )
    text = f"Held-out questions, {label(target)}; lines are 95 % intervals over questions."
    style.note(figure, [text, *style.too_few(graded(rows))])
    return figure


@style.styled
def baselines(metrics: pd.DataFrame, averages: pd.DataFrame) -> Figure:
    """Draw every method by six metrics in linguistic space, a row a dataset (paper figure 3); their mean comes last.

    Methods that a signal guides have a mark for each; Hedged QA one for each that its words are correlated with.

    Raises
    ------
    ValueError
        If the run has no words.
    """
    target, evaluator = main_target(metrics), main_evaluator(metrics)
    means = style.over_datasets(averages)
    means = means[means["signal"].isin([MEAN, NONE])].replace({"signal": MEAN}, NONE)
    how = {"space": "linguistic", "evaluator": evaluator, "target": target, "unguided": True}
    rows = in_domain(plain(pd.concat([metrics, means]), **how))
    datasets = in_order(rows["dataset"])
    methods = in_order(rows["method"], [*(name for name in METHODS if name != "original"), "original"])
    if not datasets:
        raise ValueError("metrics: no rows of space 'linguistic' for the baseline comparison")
    size = (1 + 2 * len(COMPARED), 1.7 + 1.9 * len(datasets))
    names = [METHODS[method].title for method in methods]
    marks = list(_by_signal(rows, "method", methods))
    figure, panels = _forest(marks, datasets, list(COMPARED), names, size=size, sharex="col")
    for line, dataset in zip(panels, datasets, strict=True):
        n = graded(rows[rows["dataset"] == dataset])["n"].max()
        line[0].set_ylabel(f"{label(dataset)}\nn = {n}", fontweight="bold")
        line[list(COMPARED).index("auroc")].axvline(0.5, color=style.INK, linewidth=0.8, linestyle=":")
    for (metric, title), above, below in zip(COMPARED.items(), panels[0], panels[-1], strict=True):
        above.set_title(title)
        below.set_xlabel(ARROWS[QUANTITIES[metric].better])
        if metric == "faithfulness_divergence":
            style.log_if_wide(above, rows.loc[rows["metric"] == metric, "value"].tolist())
        left, right = above.get_xlim()
        if right > (most := METRICS[metric].high):
            above.set_xlim(left, most + 0.02 * (most - left))
    guided = {s: f"guided by {signal.title.lower()}" for s, signal in SIGNALS.items()}
    signals = in_order(rows["signal"], [*SIGNALS, NONE])
    key = [style.signal_mark(s, guided.get(s, "needs no signal, or mean over signals")) for s in signals]
    style.key(figure, [*(key if len(signals) > 1 else []), style.null_mark(9)])
    text = f"Linguistic space, read by the {label(evaluator)}; held-out questions, {label(target)}; "
    style.note(figure, [f"{text}95 % intervals.", *style.too_few(graded(rows))])
    return figure


def _by_signal(rows: pd.DataFrame, column: str, names: list) -> Iterator[Mark]:
    """A mark a signal on the line of each value of a column."""
    nulls = rows[rows["metric"].str.endswith("_null")].set_index(["dataset", "metric", column, "signal"])[
        "value"
    ]
    for (dataset, metric, name), part in rows.groupby(["dataset", "metric", column], sort=False):
        signals = in_order(part["signal"], [NONE, *SIGNALS])
        for place, signal in enumerate(signals):
            y = names.index(name) + 0.22 * (place - (len(signals) - 1) / 2)
            null = nulls.get((dataset, f"{metric}_null", name, signal), np.nan)
            colour, row = style.SIGNAL_COLOURS[signal], part[part["signal"] == signal].iloc[0]
            yield dataset, metric, y, row, colour, style.SIGNAL_MARKERS[signal], colour, null


@style.styled
def grid(metrics: pd.DataFrame) -> Figure:
    """Draw RALC minus each opponent, guided by the main signal: a row a dataset, a column a metric.

    Right of 0 is better in every panel. Intervals are those of single comparisons, without correction.

    Raises
    ------
    ValueError
        If nothing was rewritten.
    """
    target, signal, evaluator = main_target(metrics), main_signal(metrics), main_evaluator(metrics)
    rows = in_domain(differences(metrics))
    rows = rows[(rows["target"] == target) & (rows["signal"] == signal) & (rows["method"] == "ralc")]
    rows = rows[(rows["variant"] == DEFAULT) & rows["versus"].isin(OPPONENTS) & rows["metric"].isin(ASKED)]
    datasets, opponents = in_order(metrics["dataset"]), in_order(rows["versus"], OPPONENTS)
    marks = []
    for row in (row for _, row in rows.iterrows()):
        better = (row["ci_low"] > 0) == (METRICS[row["metric"]].better == "higher")
        clear = row["ci_low"] > 0 or row["ci_high"] < 0
        colour, shape, _ = SIDES[("better" if better else "worse") if clear else "open"]
        y = opponents.index(row["versus"])
        marks.append((row["dataset"], row["metric"], y, row, colour, shape, colour, np.nan))
    size, names = (
        (9, 1.3 + (0.5 + 0.28 * len(OPPONENTS)) * len(datasets)),
        [METHODS[o].title for o in opponents],
    )
    figure, panels = _forest(marks, datasets, ASKED, names, size=size, sharex="col")
    for axes in panels.ravel():
        axes.axvline(0, color=style.INK, linewidth=0.8)
    for line, dataset in zip(panels, datasets, strict=True):
        line[0].set_ylabel(label(dataset), fontweight="bold")
    for metric, above, below in zip(ASKED, panels[0], panels[-1], strict=True):
        above.set_title(QUANTITIES[metric].title)
        below.set_xlabel("better →")
        limit = max(abs(np.array(above.get_xlim())))
        above.set_xlim(*((limit, -limit) if METRICS[metric].better == "lower" else (-limit, limit)))
    style.key(figure, [style.mark(text, shape, color=colour, ms=6) for colour, shape, text in SIDES.values()])
    text = f"RALC guided by {label(signal).lower()} minus each opponent, read by the {label(evaluator)}; "
    text += f"held-out questions, {label(target)}; 95 % intervals."
    style.note(figure, [text, "Exploratory, without correction."])
    return figure


@style.styled
def hedges_ablation(metrics: pd.DataFrame, *, default: int) -> Figure:
    """Draw FD and gECE of RALC's words over the number of hedges (paper appendix): a line a signal, a row a dataset.

    `default` is the number of the default variant.

    Raises
    ------
    ValueError
        If there is no variant ``hedges=k``.
    """
    evaluator = main_evaluator(metrics)
    rows = metrics[(metrics["protocol"] == main_protocol(metrics)) & (metrics["versus"] == NONE)]
    rows = in_domain(one_evaluator(rows[rows["space"] == "linguistic"], evaluator))
    rows = rows[(rows["method"] == "ralc") & (rows["subset"] == "all")]
    varied = rows[rows["variant"].str.startswith("hedges=")]
    if varied.empty:
        raise ValueError("metrics: no variant hedges=k")
    tried = in_order(varied["target"])
    target = main_target(metrics) if main_target(metrics) in tried else tried[0]
    rows = rows[rows["variant"].isin([DEFAULT, *varied["variant"]]) & (rows["target"] == target)]
    rows = rows[rows["dataset"].isin(varied["dataset"])]
    hedges = rows["variant"].str.removeprefix("hedges=").replace(DEFAULT, str(default)).astype(int)
    rows = rows[rows["metric"].str.removesuffix("_null").isin(HEADLINES)].assign(hedges=hedges)
    datasets, tried = in_order(rows["dataset"]), sorted(rows["hedges"].unique())
    names = [f"k = {k}" + (" (default)" if k == default else "") for k in tried]
    size = (8, 1.2 + (0.5 + 0.35 * len(tried)) * len(datasets))
    marks = list(_by_signal(rows, "hedges", tried))
    figure, panels = _forest(marks, datasets, HEADLINES, names, size=size, sharex="col")
    for line, dataset in zip(panels, datasets, strict=True):
        line[0].set_ylabel(label(dataset), fontweight="bold")
    for axes, metric in zip(panels[0], HEADLINES, strict=True):
        axes.set_title(f"{QUANTITIES[metric].title}, lower is better")
    style.key(figure, [*(style.signal_mark(s, label(s)) for s in signals_in(rows)), style.null_mark(9)])
    text = f"RALC by the number k of hedges that the rewriter is given, read by the {label(evaluator)}; "
    style.note(figure, [f"{text}held-out questions, {label(target)}; 95 % intervals."])
    return figure
