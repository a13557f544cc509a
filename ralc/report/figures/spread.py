"""How wide the distributions of each signal are (paper appendix, profiles of the signals)."""

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from ralc.beta import Beta
from ralc.registry import SIGNALS
from ralc.report.figures.style import SIGNAL_COLOURS, note, styled
from ralc.results.filters import in_domain, plain
from ralc.results.labels import in_order, label
from ralc.statistics import FEWEST

#: Answers of a panel that a violin is drawn from.
MOST = 5000


@styled
def plot_signal_spread(items: pd.DataFrame) -> Figure:
    """The standard deviation within an answer's distribution, a violin a signal, a panel a dataset, all models.

    Parameters
    ----------
    items
        The items table; its raw signals are shown.

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
    figure = Figure(figsize=(1.0 + 3.0 * len(datasets), 3.6), layout="constrained")
    panels = figure.subplots(1, len(datasets), sharey=True, squeeze=False)[0]
    for axes, dataset in zip(panels, datasets, strict=True):
        own = raw[raw["dataset"] == dataset]
        own = own.groupby("signal").sample(frac=1, random_state=0).groupby("signal").head(MOST)
        how = {"data": own, "x": "signal", "y": "spread", "order": signals, "hue": "signal", "ax": axes}
        how |= {"palette": SIGNAL_COLOURS, "legend": False}
        if own["question_id"].nunique() < FEWEST:
            sns.stripplot(**how, jitter=False)
        else:
            sns.violinplot(**how, cut=0, density_norm="width", inner="quart", linewidth=0.8)
        axes.set_xticks(range(len(signals)), [label(signal).replace(" ", "\n") for signal in signals])
        axes.set(xlabel="", ylabel="", title=f"{label(dataset)} (n = {own['question_id'].nunique()})")
    panels[0].set_ylabel("SD within an answer's distribution")
    text = "Raw signals, held-out questions, all models. Dashed: median and quartiles"
    note(figure, [f"{text}; below {FEWEST} questions a mark an answer."])
    return figure
