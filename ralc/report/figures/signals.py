"""How four metrics answer to a belief, and how wide the beliefs of each signal are (paper appendices)."""

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from ralc import metrics
from ralc.beta import Beta
from ralc.registry import SIGNALS
from ralc.report.figures import style
from ralc.results.filters import in_domain, plain
from ralc.results.labels import in_order, label
from ralc.statistics import FEWEST

METRICS = {
    "Faithfulness Divergence (nats)": metrics.faithfulness_divergence,
    "KL divergence (nats)": metrics.kl_divergence,
    "E[Brier]": metrics.expected_brier_score,
    "E[NLL] (nats)": metrics.expected_log_loss,
}
OUTCOMES = {
    1: ("right, y = 1", style.SIGNAL_COLOURS["linguistic_confidence"], "-"),
    0: ("wrong, y = 0", style.SIGNAL_COLOURS["token_probability"], "--"),
}
#: Concentration and mean of the belief where they are fixed; at this mean a wrong answer is the misaligned case.
CONCENTRATION, MEAN = 20.0, 0.75
#: Answers of a panel that a violin is drawn from.
MOST = 5000


@style.styled
def theory() -> Figure:
    """Draw FD, KL, E[Brier] and E[NLL] over the mean of a belief, and below over its concentration."""
    figure, (above, below) = style.panels(2, len(METRICS), (11, 6))
    mean, concentration = np.linspace(0.01, 0.99, 197), np.geomspace(0.5, 200, 200)
    beliefs = (
        (above, mean, Beta.from_mean_concentration(mean, np.full_like(mean, CONCENTRATION))),
        (
            below,
            concentration,
            Beta.from_mean_concentration(np.full_like(concentration, MEAN), concentration),
        ),
    )
    for line, x, confidence in beliefs:
        for axes, (title, metric) in zip(line, METRICS.items(), strict=True):
            for outcome, (name, colour, dash) in OUTCOMES.items():
                axes.plot(x, metric(np.full(len(x), outcome), confidence), dash, color=colour, label=name)
            axes.set_title(title)
            axes.set(xlabel="mean μ", ylim=(0, None))
        line[0].legend(loc="upper center")
    for axes in below:
        axes.set(xlabel="concentration k = α + β", xscale="log")
        style.plain_log(axes.xaxis)
    above[0].set_ylim(0, 6)
    limit = MEAN / (2 * (1 - MEAN))
    below[0].axhline(limit, color=OUTCOMES[0][1], linewidth=0.8, linestyle=":")
    text = f"Above: k = {CONCENTRATION:g}; the FD axis ends at 6. Below: μ = {MEAN:g}."
    style.note(figure, [text, f"Dotted: FD of a wrong answer as k grows, μ / (2(1 − μ)) = {limit:g}."])
    return figure


@style.styled
def signal_spread(items: pd.DataFrame) -> Figure:
    """Draw the standard deviation within an answer's distribution, a violin a raw signal, a panel a dataset.

    Raises
    ------
    ValueError
        If there is no raw signal.
    """
    raw = in_domain(plain(items, space="signal"))
    raw = raw[raw["method"] == "original"].dropna(subset=["alpha", "beta"])
    if raw.empty:
        raise ValueError("items: no raw signals")
    raw = raw.assign(spread=np.sqrt(Beta.from_table(raw).variance))
    datasets, signals = in_order(raw["dataset"]), in_order(raw["signal"], SIGNALS)
    figure, (line,) = style.panels(1, len(datasets), (1.0 + 3.0 * len(datasets), 3.6), sharey=True)
    for axes, dataset in zip(line, datasets, strict=True):
        panel = raw[raw["dataset"] == dataset]
        panel = panel.groupby("signal").sample(frac=1, random_state=0).groupby("signal").head(MOST)
        n = panel["question_id"].nunique()
        how = {"data": panel, "x": "signal", "y": "spread", "order": signals, "hue": "signal", "ax": axes}
        how |= {"palette": style.SIGNAL_COLOURS, "legend": False}
        if n < FEWEST:
            sns.stripplot(**how, jitter=False)
        else:
            sns.violinplot(**how, cut=0, density_norm="width", inner="quart", linewidth=0.8)
        axes.set_xticks(range(len(signals)), [label(signal).replace(" ", "\n") for signal in signals])
        axes.set(xlabel="", ylabel="", title=f"{label(dataset)} (n = {n})")
    line[0].set_ylabel("SD within an answer's distribution")
    text = "Raw signals, held-out questions, all models. Dashed: median and quartiles"
    style.note(figure, [f"{text}; below {FEWEST} questions a mark an answer."])
    return figure
