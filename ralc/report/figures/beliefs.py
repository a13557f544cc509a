"""Distributions of confidence: what metrics say of them, how wide they are, and what hedges are read as."""

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy import stats

from ralc import metrics as measured
from ralc.beta import Beta
from ralc.conditions import having
from ralc.report.figures import style
from ralc.results import in_domain, plain, signals_in
from ralc.results.labels import EVALUATORS, evaluator_on, in_order, label, number

BLUE = "#0072B2"
ORANGE = "#D55E00"
#: The metrics of the figure of theory, in the paper's order.
THEORY = {
    "Faithfulness Divergence (nats)": measured.faithfulness_divergence,
    "KL divergence (nats)": measured.kl_divergence,
    "E[Brier]": measured.expected_brier_score,
    "E[NLL] (nats)": measured.expected_log_loss,
}
OUTCOMES = {1: ("right, y = 1", BLUE, "-"), 0: ("wrong, y = 0", ORANGE, "--")}
#: Concentration and mean of the belief where they are fixed; at this mean a wrong answer is the misaligned case.
CONCENTRATION = 20.0
BELIEF = 0.75
#: Answers of a panel that a violin is drawn from.
MOST_ANSWERS = 5000
#: Expressions with a density, at even steps from the lowest to the highest mean.
EXPRESSIONS = 18
#: Panels of the human benchmark: study and quantity.
STUDIES = [("tao_raw", "mean"), ("tao_benchmark", "mean"), ("capphrase", "mean"), ("capphrase", "spread")]


@style.styled
def theory() -> Figure:
    """Draw FD, KL, E[Brier] and E[NLL] over the mean of a belief, and below over its concentration."""
    figure, (above, below) = style.panels(2, len(THEORY), (11, 6))
    mean = np.linspace(0.01, 0.99, 197)
    concentration = np.geomspace(0.5, 200, 200)
    over_mean = Beta.from_mean_concentration(mean, np.full_like(mean, CONCENTRATION))
    over_concentration = Beta.from_mean_concentration(np.full_like(concentration, BELIEF), concentration)
    for line, x, belief in ((above, mean, over_mean), (below, concentration, over_concentration)):
        for axes, (title, metric) in zip(line, THEORY.items(), strict=True):
            for outcome, (name, colour, dash) in OUTCOMES.items():
                axes.plot(x, metric(np.full(len(x), outcome), belief), dash, color=colour, label=name)
            axes.set_title(title)
            axes.set(xlabel="mean μ", ylim=(0, None))
    for axes in below:
        axes.set(xlabel="concentration k = α + β", xscale="log")
        style.plain_log(axes.xaxis)
    above[0].set_ylim(0, 6)
    above[0].legend(loc="upper center")
    limit = BELIEF / (2 * (1 - BELIEF))
    below[0].axhline(limit, color=ORANGE, linewidth=0.8, linestyle=":")
    text = f"Above: k = {CONCENTRATION:g}; the FD axis ends at 6. Below: μ = {BELIEF:g}."
    style.note(figure, [text, f"Dotted: FD of a wrong answer as k grows, μ / (2(1 − μ)) = {limit:g}."])
    return figure


@style.styled
def signal_spread(items: pd.DataFrame) -> Figure:
    """Draw the standard deviation within an answer's distribution, a violin a raw signal, a panel a dataset."""
    raw = in_domain(plain(items, space="signal"))
    raw = having(raw, method="original").dropna(subset=["alpha", "beta"])
    raw = raw.assign(spread=np.sqrt(Beta.from_table(raw).variance))
    datasets = in_order(raw["dataset"])
    signals = signals_in(raw)
    figure, (line,) = style.panels(1, len(datasets), (1.0 + 3.0 * len(datasets), 3.6), sharey=True)
    for axes, dataset in zip(line, datasets, strict=True):
        part = having(raw, dataset=dataset)
        part = part.groupby("signal").sample(frac=1, random_state=0).groupby("signal").head(MOST_ANSWERS)
        n = part["question_id"].nunique()
        how = {"data": part, "x": "signal", "y": "spread", "order": signals, "hue": "signal", "ax": axes}
        how |= {"palette": {signal: style.SIGNAL_LOOKS[signal]["color"] for signal in signals}}
        sns.violinplot(**how, legend=False, linewidth=0.8, cut=0, density_norm="width", inner="quart")
        axes.set_xticks(range(len(signals)), [label(signal).replace(" ", "\n") for signal in signals])
        axes.set(xlabel="", ylabel="", title=f"{label(dataset)} (n = {n})")
    line[0].set_ylabel("SD within an answer's distribution")
    style.note(figure, ["Raw signals, held-out questions, all models. Dashed: median and quartiles."])
    return figure


@style.styled
def lexicon(lexicon: pd.DataFrame, *, letter: bool = False) -> Figure:
    """Draw sample expressions with densities (paper figure), and all that are used by mean and concentration.

    Flagged expressions are used by the paper's `letter`; else they are only counted.
    """
    used = lexicon if letter else having(lexicon, flags="")
    confidence = Beta.from_table(used)
    table = used.assign(mean=confidence.mean, concentration=confidence.concentration).sort_values("mean")
    sample = table.iloc[
        np.unique(np.linspace(0, len(table) - 1, min(EXPRESSIONS, len(table))).round().astype(int))
    ]
    size = (12.5, max(1.4 + 0.34 * len(sample), 3))
    figure, ((left, right),) = style.panels(1, 2, size, width_ratios=[1.5, 1])
    _ridges(left, sample)
    for frame, look in style.dataset_looks(table["frame"]).items():
        part = having(table, frame=frame)
        name = f"{frame} ({len(part)})"
        right.scatter(part["mean"], part["concentration"], s=25, alpha=0.75, label=name, **look)
    right.set(xlim=(0, 1), xlabel="Mean perceived confidence", ylabel="Concentration k = α + β", yscale="log")
    right.set_title("All that are used")
    style.plain_log(right.yaxis)
    right.legend(title="place in the sentence", loc="upper left", bbox_to_anchor=(1.02, 1))
    unused = f" ({len(lexicon) - len(used)} more are left out)" if len(lexicon) > len(used) else ""
    text = f"{len(used)} expressions{unused}, {len(sample)} of them on the left. Dot: mean; line: the middle 90 %; "
    style.note(figure, [text + "shape: density, to equal heights."])
    return figure


def _ridges(axes: Axes, sample: pd.DataFrame) -> None:
    """A density, an interval and a mean for each expression, the surest on top."""
    x = np.linspace(0.001, 0.999, 200)
    for y, row in enumerate(sample.itertuples()):
        density = stats.beta.pdf(x, row.alpha, row.beta)
        # A density without a bound at 0 or 1 would be a spike: it is cut at the 98th percentile of its own height.
        peak = density.max() if min(row.alpha, row.beta) >= 1 else np.quantile(density, 0.98)
        height = np.minimum(density / peak, 1) * 0.75
        axes.fill_between(x, y, y + height, color=BLUE, alpha=0.28, linewidth=0, zorder=2)
        low, high = stats.beta.ppf([0.05, 0.95], row.alpha, row.beta)
        axes.plot([low, high], [y, y], color=BLUE, linewidth=1.6, solid_capstyle="butt", zorder=3)
        axes.plot(row.mean, y, "o", color=style.INK, ms=4, zorder=4)
    names = [text if len(text) <= 40 else f"{text[:39]}…" for text in sample["expression"]]
    axes.set_yticks(range(len(sample)), names)
    axes.tick_params(axis="y", length=0)
    axes.set(xlim=(0, 1), ylim=(-0.6, len(sample)), xlabel="Perceived confidence", title="Sample expressions")


@style.styled
def human_benchmark(human_benchmark: pd.DataFrame, human_benchmark_points: pd.DataFrame) -> Figure:
    """Draw evaluators' readings against people's, a panel a study; ρ and n are of single items, not of the bins."""
    points = human_benchmark_points
    looks = style.dataset_looks(in_order(points["evaluator"], EVALUATORS))
    figure, (line,) = style.panels(1, len(STUDIES), (11, 3.6))
    for axes, (dataset, quantity) in zip(line, STUDIES, strict=True):
        part = having(points, dataset=dataset, quantity=quantity)
        rows = having(human_benchmark, dataset=dataset)
        rows = having(rows, metric=f"spearman_{quantity}").set_index("evaluator")
        top = 1.0 if quantity == "mean" else max(0.05, 1.05 * part[["read", "human"]].max(axis=None))
        _study(axes, part, rows, looks, top)
        axes.set_title(label(dataset) + ("" if quantity == "mean" else ":\nSD between people"), fontsize=9)
        axes.set_xlabel("Read by the evaluator")
    line[0].set_ylabel("Read by people")
    style.key(figure, style.marks(looks))
    text = [
        "Sentences: a mark is the mean of a twentieth of them, in the order of the evaluator's means.",
        "Its line is their SD. Phrases: a mark each. ρ: Spearman, over single items.",
        "The 1,622 items' scores were filtered by the band of the level asked for.",
        "That panel shows the filter as much as reading.",
    ]
    style.note(figure, text)
    return figure


def _study(
    axes: Axes, points: pd.DataFrame, rows: pd.DataFrame, looks: dict[str, style.Look], top: float
) -> None:
    """One study: a colour and a mark an evaluator."""
    room = 1.05 + 0.07 * len(looks)  # above the marks, for the figures
    axes.set(xlim=(-0.02 * top, 1.02 * top), ylim=(-0.02 * top, room * top))
    axes.set_yticks([tick for tick in axes.get_yticks() if 0 <= tick <= 1.001 * top])
    style.diagonal(axes, top)
    if points.empty:
        style.nothing(axes, "not measured")
        return
    lines = []
    for evaluator, look in looks.items():
        part = having(points, evaluator=evaluator)
        how = {"linestyle": "none", "ms": 4, "alpha": 0.8, "elinewidth": 0.6, "zorder": 3}
        axes.errorbar(part["read"], part["human"], part["human_sd"], **look, **how)
        if evaluator in rows.index:
            row = rows.loc[evaluator]
            name = evaluator_on(evaluator, row["dataset"])
            lines.append(f"{name}: ρ {number(row['value'], 'spearman_mean')}, n {row['n']}")
    style.print_in(axes, "\n".join(lines), 0.02, 0.99, fontsize=7)
