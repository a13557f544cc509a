"""Numbers with their intervals side by side: before and after, methods, opponents, numbers of hedges."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ralc.conditions import DEFAULT, MEAN
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


@style.styled
def prepost(metrics: pd.DataFrame, averages: pd.DataFrame | None = None) -> Figure:
    """Draw FD and gECE before and after calibration, a row a space (paper figure 2); means over datasets come last.

    A hollow mark is before, a filled one after, the line its 95 % interval, the upright tick the null of gECE.
    """
    target, evaluator = main_target(metrics), main_evaluator(metrics)
    rows = pd.concat([metrics, style.over_datasets(averages)])
    rows = in_domain(plain(rows, evaluator=evaluator, target=target))
    datasets, signals = in_order(rows["dataset"]), [s for s in SIGNALS if (rows["signal"] == s).any()]
    cells = [
        (d, s, i * (len(signals) + 1) + j) for i, d in enumerate(datasets) for j, s in enumerate(signals)
    ]
    height = max(1.6 + 0.6 * len(datasets) * (len(signals) + 1), 4)
    figure, panels = style.panels(2, 2, (9, height), sharey=True)
    for space, line in zip(SPACES, panels, strict=True):
        for metric, axes in zip(AXES, line, strict=True):
            panel = rows[(rows["space"] == space) & rows["metric"].str.startswith(metric)]
            _changes(axes, panel, metric, cells)
            axes.set_xlabel(f"{AXES[metric]}, lower is better")
            axes.tick_params(axis="y", length=0)
        by = f", read by the {label(evaluator)}" if space == "linguistic" else ""
        line[0].set_title(f"{SPACES[space]}{by}")
    sizes = graded(rows).groupby("dataset")["n"].max()
    names = [(f"{label(d)} (n={sizes.get(d)})   " if s == signals[0] else "") + label(s) for d, s, _ in cells]
    panels[0, 0].set_yticks([y for *_, y in cells], names)
    panels[0, 0].set_ylim(max((y for *_, y in cells), default=0) + 0.7, -0.7)
    grey = {"color": style.SOFT, "ms": 6}
    when = [style.mark("before", "o", mfc="white", **grey), style.mark("after", "o", **grey)]
    marks = [style.signal_mark(s, SIGNALS[s].title) for s in signals]
    style.key(figure, [*when, style.null_mark(11), *marks])
    text = f"Held-out questions, {label(target)}; lines are 95 % intervals over questions."
    style.note(figure, [text, *style.too_few(graded(rows))])
    return figure


def _changes(axes: Axes, rows: pd.DataFrame, metric: str, cells: list[tuple[str, str, int]]) -> None:
    """One space and metric: an arrow from before to after for each dataset and signal."""
    values = []
    for dataset, signal, y in cells:
        of = rows[(rows["dataset"] == dataset) & rows["signal"].isin([signal, "none"])]
        before = one(of, method="original", metric=metric)
        after = one(of, method="ralc", metric=metric)
        null = one(of, method="ralc", metric=f"{metric}_null")
        colour, marker = style.SIGNAL_COLOURS[signal], style.SIGNAL_MARKERS[signal]
        for row, place, fill in ((before, y - 0.17, "white"), (after, y + 0.17, colour)):
            if row is not None:
                style.interval(axes, row, place, colour)
                axes.plot(row["value"], place, marker, mfc=fill, mec=colour, mew=1.4, ms=6, zorder=3)
                values.append(row["value"])
        if before is not None and after is not None:
            ends = {"xy": (after["value"], y + 0.17), "xytext": (before["value"], y - 0.17)}
            shape = {"arrowstyle": "->", "color": style.SOFT, "shrinkA": 5, "shrinkB": 5, "linewidth": 0.9}
            axes.annotate("", **ends, arrowprops=shape)
        if null is not None:
            axes.plot(null["value"], y + 0.17, "|", color=style.INK, ms=11, mew=1.6, zorder=4)
    if not values:
        style.nothing(axes, "no such numbers in this run")
        return
    if metric == "faithfulness_divergence":
        style.log_if_wide(axes, values)
    if axes.get_xscale() == "linear":
        axes.set_xlim(left=0)


@style.styled
def baselines(metrics: pd.DataFrame, averages: pd.DataFrame | None = None) -> Figure:
    """Draw every method by six metrics in linguistic space, a row a dataset (paper figure 3); their mean comes last.

    Methods that a signal guides have a mark for each; Hedged QA one for each that its words are correlated with.

    Raises
    ------
    ValueError
        If the run has no words.
    """
    target, evaluator = main_target(metrics), main_evaluator(metrics)
    means = style.over_datasets(averages)
    if means is not None:
        means = means[means["signal"].isin([MEAN, "none"])]
        means = means.assign(signal=means["signal"].replace(MEAN, "none"))
    how = {"space": "linguistic", "evaluator": evaluator, "target": target, "unguided": True}
    parts = [in_domain(plain(rows, **how)) for rows in (metrics, means) if rows is not None and len(rows)]
    rows = pd.concat(parts)
    datasets = in_order(rows["dataset"])
    methods = in_order(rows["method"], [*(name for name in METHODS if name != "original"), "original"])
    if not datasets:
        raise ValueError("metrics: no rows of space 'linguistic' for the baseline comparison")
    size = (1 + 2 * len(COMPARED), 1.7 + 1.9 * len(datasets))
    figure, panels = style.panels(len(datasets), len(COMPARED), size, sharex="col", sharey=True)
    for line, dataset in zip(panels, datasets, strict=True):
        panel = rows[rows["dataset"] == dataset]
        for axes, metric in zip(line, COMPARED, strict=True):
            _methods(axes, panel, metric, methods)
        line[0].set_ylabel(f"{label(dataset)}\nn = {graded(panel)['n'].max()}", fontweight="bold")
    for (metric, title), above, below in zip(COMPARED.items(), panels[0], panels[-1], strict=True):
        above.set_title(title)
        below.set_xlabel(ARROWS[QUANTITIES[metric].better])
        if metric == "faithfulness_divergence":
            style.log_if_wide(above, rows.loc[rows["metric"] == metric, "value"].tolist())
        left, right = above.get_xlim()
        if right > (most := METRICS[metric].high):
            above.set_xlim(left, most + 0.02 * (most - left))
    panels[0, 0].set_yticks(range(len(methods)), [METHODS[m].title for m in methods])
    panels[0, 0].set_ylim(len(methods) - 0.4, -0.6)
    names = {s: f"guided by {signal.title.lower()}" for s, signal in SIGNALS.items()}
    names["none"] = "needs no signal, or mean over signals"
    signals = in_order(rows["signal"])
    marks = [style.signal_mark(s, name) for s, name in names.items() if s in signals and len(signals) > 1]
    style.key(figure, [*marks, style.null_mark(9)])
    text = f"Linguistic space, read by the {label(evaluator)}; held-out questions, {label(target)}; "
    style.note(figure, [f"{text}95 % intervals.", *style.too_few(graded(rows))])
    return figure


def _methods(axes: Axes, rows: pd.DataFrame, metric: str, methods: list[str]) -> None:
    """One dataset and metric: a line a method, a mark a signal."""
    axes.tick_params(axis="y", length=0)
    values = rows[rows["metric"] == metric]
    if values["value"].notna().sum() == 0:
        style.nothing(axes, "too few answers" if rows["n"].max() < FEWEST else "not measured")
        return
    nulls = rows[rows["metric"] == f"{metric}_null"].set_index(["method", "signal"])["value"]
    for y, method in enumerate(methods):
        part = values[values["method"] == method]
        signals = in_order(part["signal"], ["none", *SIGNALS])
        for place, signal in enumerate(signals):
            row, colour = part[part["signal"] == signal].iloc[0], style.SIGNAL_COLOURS[signal]
            level = y + 0.22 * (place - (len(signals) - 1) / 2)
            style.interval(axes, row, level, colour)
            axes.plot(row["value"], level, style.SIGNAL_MARKERS[signal], color=colour, ms=5, zorder=3)
            if (method, signal) in nulls.index:
                axes.plot(nulls[(method, signal)], level, "|", color=style.INK, ms=7, mew=1.4, zorder=4)
    if metric == "auroc":
        axes.axvline(0.5, color=style.INK, linewidth=0.8, linestyle=":")


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
    rows = rows[(rows["variant"] == DEFAULT) & rows["versus"].isin(OPPONENTS)]
    datasets, opponents = in_order(metrics["dataset"]), in_order(rows["versus"], OPPONENTS)
    size = (9, 1.3 + (0.5 + 0.28 * len(OPPONENTS)) * len(datasets))
    figure, panels = style.panels(len(datasets), len(ASKED), size, sharex="col", sharey=True)
    for line, dataset in zip(panels, datasets, strict=True):
        line[0].set_ylabel(label(dataset), fontweight="bold")
        for axes, metric in zip(line, ASKED, strict=True):
            panel = rows[(rows["dataset"] == dataset) & (rows["metric"] == metric)]
            _opponents(axes, panel.set_index("versus"), metric, opponents)
    for metric, above, below in zip(ASKED, panels[0], panels[-1], strict=True):
        above.set_title(QUANTITIES[metric].title)
        below.set_xlabel("better →")
        limit = max(abs(np.array(above.get_xlim())))
        above.set_xlim(-limit, limit)
        if METRICS[metric].better == "lower":
            above.invert_xaxis()
    panels[0, 0].set_yticks(range(len(opponents)), [METHODS[name].title for name in opponents])
    panels[0, 0].set_ylim(len(opponents) - 0.5, -0.5)
    style.key(
        figure, [style.mark(text, marker, color=colour, ms=6) for colour, marker, text in SIDES.values()]
    )
    text = f"RALC guided by {label(signal).lower()} minus each opponent, read by the {label(evaluator)}; "
    text += f"held-out questions, {label(target)}; 95 % intervals."
    style.note(figure, [text, "Exploratory, without correction."])
    return figure


def _opponents(axes: Axes, rows: pd.DataFrame, metric: str, opponents: list[str]) -> None:
    """One dataset and metric: a mark and an interval an opponent."""
    axes.axvline(0, color=style.INK, linewidth=0.8)
    axes.tick_params(axis="y", length=0)
    if rows["value"].notna().sum() == 0:
        style.nothing(axes, "too few answers")
        return
    for place, versus in enumerate(opponents):
        if versus not in rows.index or not np.isfinite(rows.loc[versus, "value"]):
            continue
        value, low, high = rows.loc[versus, ["value", "ci_low", "ci_high"]].astype(float)
        better = (low > 0) == (METRICS[metric].better == "higher")
        clear = np.isfinite([low, high]).all() and not low <= 0 <= high
        colour, marker, _ = SIDES[("better" if better else "worse") if clear else "open"]
        axes.plot([low, high], [place, place], color=colour, linewidth=1.6, zorder=2)
        axes.plot(value, place, marker, color=colour, ms=6, zorder=3)


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
    rows = metrics[(metrics["protocol"] == main_protocol(metrics)) & (metrics["versus"] == "none")]
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
    rows = rows.assign(hedges=hedges).sort_values("hedges")
    datasets, signals = in_order(rows["dataset"]), in_order(rows["signal"], SIGNALS)
    size = (8, 1.2 + 2.4 * len(datasets))
    figure, panels = style.panels(len(datasets), len(HEADLINES), size, sharex=True)
    for line, dataset in zip(panels, datasets, strict=True):
        for axes, metric in zip(line, HEADLINES, strict=True):
            panel = rows[(rows["dataset"] == dataset) & (rows["metric"] == metric)]
            for place, signal in enumerate(signals):
                of = panel[panel["signal"] == signal]
                x = of["hedges"] + 0.08 * (place - (len(signals) - 1) / 2)
                ends = [of["value"] - of["ci_low"], of["ci_high"] - of["value"]]
                look = {
                    "color": style.SIGNAL_COLOURS[signal],
                    "marker": style.SIGNAL_MARKERS[signal],
                    "ms": 5,
                }
                axes.errorbar(x, of["value"], [end.clip(lower=0) for end in ends], elinewidth=0.9, **look)
            axes.set_xticks(sorted(panel["hedges"].unique()))
            axes.set_title(f"{label(dataset)}: {QUANTITIES[metric].title}")
    for axes in panels[-1]:
        axes.set_xlabel("Hedges given to the rewriter, k")
    looks = {s: {"color": style.SIGNAL_COLOURS[s], "marker": style.SIGNAL_MARKERS[s]} for s in signals}
    style.key(figure, [Line2D([], [], label=label(s), **look) for s, look in looks.items()])
    text = f"RALC, read by the {label(evaluator)}; held-out questions, {label(target)}; 95 % intervals; "
    style.note(figure, [f"{text}default k = {default}."])
    return figure
