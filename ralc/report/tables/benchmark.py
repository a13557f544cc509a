"""Evaluators beside people, and the fitted maps: tables of other results than the metrics."""

import pandas as pd

from ralc.conditions import DEFAULT
from ralc.registry import EVALUATOR_METRICS
from ralc.report.tables.specs import values, widen
from ralc.results.labels import EVALUATORS, IN_SAMPLE, SCORERS, YARDSTICKS, evaluator_on, in_order, label
from ralc.statistics import holm

#: Ceilings are Pearson correlations, and stand in that column as scorers of their own.
CEILINGS = ("noise_ceiling", "one_person")
NOTES = [
    "Raw scores: five people each, nothing removed. The ceiling is the highest Pearson r with their mean.",
    "Band-filtered scores (1,622 items) were kept only in the band of the level that the writer was asked for. "
    "This set measures the filter as much as reading: the level alone has ρ 0.869 and r 0.986.",
    "Phrases: an evaluator that was fitted on a survey is marked as in sample there. Spread is the SD between people.",
    "“Fitted anew” rows are of an evaluator fitted on half of the people, or without the phrase; they are always "
    "measured beforehand (python -m studies.refits).",
]
#: What is said of each flag of a map (`ralc.calibration`).
FLAGS = {
    "few_items": "few training answers for a map of its kind",
    "one_class": "all training answers right, or all wrong",
    "separation": "a threshold tells right from wrong without error",
    "unidentified_slope": "the data do not tell the slope",
    "negative_slope": "the more confident, the less often right",
    "flat": "the same for every answer",
    "mostly_prior": "rests mostly on what such signals are usually worth",
}


def human_benchmark(human_benchmark: pd.DataFrame) -> pd.DataFrame:
    """Return every evaluator on every yardstick: correlations with people, errors of mean and spread.

    One row a (dataset, evaluator), columns (quantity, part); the unfiltered sentences first.
    """
    rows = human_benchmark.assign(p_value=holm(human_benchmark["p_value"]))
    ceiling = rows["metric"].isin(CEILINGS)
    rows.loc[ceiling, "evaluator"] = rows.loc[ceiling, "metric"]
    rows.loc[ceiling, "metric"] = "pearson"
    datasets, evaluators = (
        in_order(rows["dataset"], YARDSTICKS),
        in_order(rows["evaluator"], [*EVALUATORS, *SCORERS]),
    )
    quantities = [metric for metric in EVALUATOR_METRICS if metric not in CEILINGS]
    table = widen(rows, ["dataset", "evaluator"], quantities, ["value", "ci_low", "ci_high", "p_value"])
    table = table.loc[[pair for d in datasets for r in evaluators if (pair := (d, r)) in table.index]]
    table.index = table.index.map(
        lambda pair: (
            (pair[0], evaluator_on(pair[1], pair[0])) if pair[1] in IN_SAMPLE.get(pair[0], ()) else pair
        )
    )
    here = [label(name) for name in rows.loc[rows["measured"] == "this run", "dataset"].unique()]
    where = (
        f"Measured in this run, on the studies in `people.data`: {'; '.join(here)}."
        if here
        else "Measured beforehand (ralc/data/human_benchmark.csv, python -m studies): not measured in this run."
    )
    tests = (
        f"p-values are of no correlation, Holm-corrected over the {rows['p_value'].count()} of this table."
    )
    table.attrs = {"notes": [where, tests, *NOTES]}
    return table


def maps(maps: pd.DataFrame) -> pd.DataFrame:
    """Return every map that the run's confidences rest on, with its flags: default variant, the run's own protocol.

    One row a (target, dataset, signal, map, flags), columns (quantity, part).
    """
    own = maps[(maps["variant"] == DEFAULT) & (maps["protocol"] == maps["protocol"].iloc[0])]
    flags = [[FLAGS.get(flag, flag) for flag in text.split(", ") if flag] for text in own["flags"]]
    named = own.assign(flags=["; ".join(some) or "none" for some in flags])
    index = ["target", "dataset", "signal", "map", "flags"]
    table = values(named.set_index(index)[["slope", "intercept", "data_share", "left_out", "n"]])
    counts = pd.Series([flag for some in flags for flag in some], dtype="str").value_counts()
    flagged = "; ".join(f"{flag}: {count} of {len(own)}" for flag, count in counts.items())
    table.attrs = {
        "notes": [
            f"Flags: {flagged or 'none'}.",
            "Training answers without a grade or without the signal are left out.",
            "Slope, intercept: of the logit of the mean. Data share: what of the slope is not from its prior.",
        ]
    }
    return table
