"""Long answers: one confidence a sentence beside one an answer and the base rate."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from ralc import statistics
from ralc.beta import Beta
from ralc.conditions import DEFAULT, UNIT
from ralc.results.select import in_domain, main_protocol, readers_of

KEY = ["target", "dataset", "signal", "reader"]
#: Who gives a number: one a sentence, one an answer, and the base rate.
SENTENCE, ANSWER, BASE = "support", "answer_support", "none"
RESAMPLES, SEED = 1000, 0
#: Readers score in steps of .05.
STEP = 0.05
#: Who wrote a hedge.
HEDGED = ("model", "grammar", "template")
NOTES = [
    "Held-out answers, a sentence each; its outcome is the share of its facts that are right. Maps fitted in-domain. "
    "Of each reader the Brier score of the words, of no reader that of the calibrated number. Intervals and paired "
    "differences resample questions.",
    "Read as meant: sentences that a hedge speaks for and that are read within .05 of the calibrated mean. Of all "
    "sentences, graded or not, with a shared hedge: one in a sentence of its own, before those that have its reading. "
    "Hedges a sentence, each counted once: of all; of the median answer.",
]


def sentences(items: pd.DataFrame) -> pd.DataFrame:
    """The Brier score of each sentence by its own confidence, by its answer's, and by the base rate.

    Parameters
    ----------
    items
        The items table.

    Returns
    -------
    DataFrame, one row a (target, dataset, signal, reader), columns (quantity, part).
    """
    own = (items["variant"] == DEFAULT) & (items["protocol"] == main_protocol(items))
    rows = in_domain(items[own]).dropna(subset=["alpha"])
    found = [
        row
        for (target, dataset), own in rows.groupby(["target", "dataset"], sort=False, observed=True)
        for reader in ("none", *readers_of(items))
        for row in _rows({"target": target, "dataset": dataset, "reader": reader}, own)
    ]
    table = pd.DataFrame(found).set_index(KEY)
    table.columns = pd.MultiIndex.from_tuples(table.columns, names=["quantity", "part"])
    table.attrs = {"title": "Long answers, sentence by sentence", "notes": NOTES}
    return table


def _rows(about: dict[str, str], items: pd.DataFrame) -> Iterator[dict]:
    """The rows of one target, dataset and reader; none where a way of giving a number is not there."""
    ways = _ways(items, about["reader"])
    if set(ways) != {SENTENCE, ANSWER, BASE}:
        return
    said, graded = ways, ways[SENTENCE].dropna(subset=["outcome"]).index
    shared = graded.intersection(ways[ANSWER].index).intersection(ways[BASE].index)
    ways = {signal: way.loc[shared] for signal, way in ways.items()}
    means = {signal: Beta.from_table(way).mean for signal, way in ways.items()}
    own = ways[SENTENCE]
    single = [statistics.brier_score(own["outcome"].to_numpy(float), mean) for mean in means.values()]
    resamples = statistics.resample(
        len(own), groups=own["group"].to_numpy(), resamples=RESAMPLES, rng=np.random.default_rng(SEED)
    )
    drawn = dict(zip(means, resamples.evaluate(single), strict=True))
    for signal, way in ways.items():
        numbers = {"brier_score": drawn[signal]}
        pairs = {"brier_minus_answer": ANSWER, "brier_minus_base_rate": BASE}
        for name, other in pairs.items():
            if signal not in (BASE, other):
                numbers[name] = statistics.Drawn.combine([(drawn[signal], 1.0), (drawn[other], -1.0)])
        told = statistics.intervals(list(numbers.values()))[["value", "ci_low", "ci_high"]]
        row = {("n", "value"): len(way)}
        for name, (_, parts) in zip(numbers, told.iterrows(), strict=True):
            row |= {(name, part): value for part, value in parts.items()}
        yield about | {"signal": signal} | row | _hedged(said[signal], items, signal, about["reader"])


def _ways(items: pd.DataFrame, reader: str) -> dict[str, pd.DataFrame]:
    """The sentences by the signal that guides their words, or gives their number; the base rate needs no reader."""
    guided = items[(items["method"] == "ralc") & (items["reader"] == reader)]
    ways = {
        signal: own for signal, own in guided.groupby("signal", observed=True) if signal in (SENTENCE, ANSWER)
    }
    base = items[items["method"] == "base_rate"]
    return {signal: own.set_index(UNIT) for signal, own in (ways | {BASE: base}).items() if len(own)}


def _hedged(
    way: pd.DataFrame, items: pd.DataFrame, signal: str, reader: str
) -> Mapping[tuple[str, str], float]:
    """How many sentences, graded or not, a hedge speaks for, and how many of those are read as meant."""
    if reader == "none" or signal == BASE:
        return {}
    hedged = way["origin"].isin(HEDGED)
    aims = items[(items["method"] == "ralc") & (items["reader"] == "none") & (items["signal"] == signal)]
    aimed = Beta.from_table(aims.set_index(UNIT).loc[way.index]).mean
    near = np.abs(Beta.from_table(way).mean - aimed) <= STEP
    own = way.loc[hedged, ["shared"]].reset_index()
    once = own["shared"].isna() | ~own.duplicated(["question_id", "shared"])
    hedges = once.groupby(own["question_id"]).sum().reindex(way.index.unique("question_id"), fill_value=0)
    return {
        ("read_as_meant", "value"): float(near[hedged].mean()),
        ("with_shared_hedge", "value"): float(way["shared"].notna().mean()),
        ("hedges", "value"): float(hedges.sum() / len(way)),
        ("hedges_of_median", "value"): float((hedges / way.groupby(level="question_id").size()).median()),
    }
