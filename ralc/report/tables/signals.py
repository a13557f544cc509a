"""What each signal is worth, and what it costs."""

import pandas as pd

from ralc.names import SIGNALS
from ralc.report.tables.headline import abstentions_in
from ralc.results.select import widen
from ralc.signals.stopping import ERROR, SETTLED

KEY = ["target", "dataset", "signal", "asked"]
QUALITY = ["accuracy", "auroc", "brier_score", "faithfulness_divergence", "generalised_ece"]
PAIRED = {"auroc": "auroc_change", "brier_score": "brier_change"}
PARTS = ["value", "ci_low", "ci_high"]
NOTES = [
    "Held-out questions, replayed from the run's own answers: as if no more than so many had been asked for. The "
    "answer is then the first of their majority, graded by itself, so that accuracy changes too. Brier score, FD and "
    "gECE after calibration on the train questions; the AUROC is the raw signal's. Differences from all answers are "
    "paired.",
    "Calls: answers a question. Tokens: theirs, and once the prompt's, where they were counted. What models are asked "
    "besides (to cluster, to read) is not in them, but for P(True)'s one call more.",
    "Two signals together: a logistic regression on both, fitted on the train questions; its AUROC is of what it "
    "makes of them.",
    f"“{SETTLED}”: three answers, then one more at a time, until the majority is another with a probability of at most "
    f"{ERROR:.0%} (adaptive consistency, Aggarwal et al. 2023), or there are no more.",
    "Signals of one answer alone are shown of one and of all answers (then of the majority's first), semantic "
    "uncertainty of every number (self-consistency), others that compare answers of all and “until settled”.",
]


def signal_costs(signal_costs: pd.DataFrame, metrics: pd.DataFrame | None = None) -> pd.DataFrame:
    """Every signal with its calls and tokens a question and its quality on held-out questions.

    Parameters
    ----------
    signal_costs
        The table of `ralc.pipeline.signal_costs.measure`, with ``target``.
    metrics
        The metrics table, from which the notes say how many answers abstain.

    Returns
    -------
    DataFrame, one row a (target, dataset, signal, asked), columns (quantity, part).
    """
    every = str(max(int(asked) for asked in signal_costs["asked"].unique() if asked.isdigit()))
    own = signal_costs["signal"] == "semantic_uncertainty"
    compares = signal_costs["signal"].map(lambda name: SIGNALS[name].compares)
    alone = ~compares & (signal_costs["asked"] == "1")
    shown = (signal_costs["asked"] == every) | (compares & (signal_costs["asked"] == SETTLED))
    rows = signal_costs[own | alone | shown]
    table = widen(rows[rows["versus"] == "none"], KEY, QUALITY, PARTS)
    costs = rows.drop_duplicates(KEY).set_index(KEY)[["calls", "tokens"]].dropna(axis=1, how="all")
    for place, name in enumerate(costs):
        table.insert(place, (name, "value"), costs[name].reindex(table.index))
    paired = rows[rows["versus"] == "all"].replace({"metric": PAIRED})
    if len(paired):
        changes = widen(paired, KEY, list(PAIRED.values()), PARTS).drop(columns="n", level=0)
        table = table.join(changes.reindex(table.index))
    abstaining = [] if metrics is None else abstentions_in(metrics, apart="signal space")
    table.attrs = {"title": "What each signal is worth, and what it costs", "notes": [*NOTES, *abstaining]}
    return table
