"""Readers beside people: the human benchmark."""

import pandas as pd

from ralc.names import READER_METRICS
from ralc.results.labels import IN_SAMPLE, READERS, SCORERS, YARDSTICKS, in_order, label, reader_on
from ralc.results.select import widen
from ralc.statistics import holm

PARTS = ["value", "ci_low", "ci_high", "p_value"]
SIGNIFICANT = 0.05
#: What a run can measure, where `people.data` has its files.
STUDIES = ("tao_raw", "tao_benchmark", "capphrase", "wadefagen", "zonination")
#: Ceilings are Pearson correlations, and stand in that column as scorers of their own.
CEILINGS = ("noise_ceiling", "one_person")
QUANTITIES = [metric for metric in READER_METRICS if metric not in CEILINGS]
NOTES = [
    "Raw scores: five people each, nothing removed; sentences that no reader's figures were fitted on (a handful of "
    "settings of the packaged readers were chosen with these results in view). The ceiling is the highest "
    "Pearson r with the mean of five people that any reader can reach. Their means are drawn to the middle of the "
    "scale, so the error of the mean is large for every reader that uses all of it.",
    "Band-filtered scores (1,622 items): a score was kept only if it lay in the band of the level that the writer was "
    "asked for. This set measures the band filter as much as reading: the level band alone, known exactly, gives "
    "ρ .869 and r .986. All rows but our readers' and the band's are published scores.",
    "Phrases: the reader of cues was fitted on CAPphrase, the judge on the other two surveys, so each "
    "is at home there; the spread is the SD between people, their general tendency taken out. "
    "Fitted anew (python -m studies.refits; always measured beforehand): on a random half of CAPphrase's "
    "respondents, and set beside the other half (new people, the same phrases) and beside the other two surveys; and "
    "without one phrase at a time, each read by the reader that was not fitted on it. Shown as they are. "
    "Probe: a regression on SmolLM2's embeddings and word sequences, fitted on the judge's sentences and on "
    "the two surveys' phrases over many contents; its spread is the surveys' at its mean. "
    "Sentences have no such "
    "column: the filter cuts the spread of one set, five people are too few in the other.",
]


def human_benchmark(human_benchmark: pd.DataFrame) -> pd.DataFrame:
    """Every reader on every yardstick: correlations with people, errors of mean and spread.

    Parameters
    ----------
    human_benchmark
        The human benchmark table (`ralc.people.human_benchmark`, and where it was `measured`).

    Returns
    -------
    DataFrame, one row a (dataset, reader), columns (quantity, part); the uncensored sentences first.
    """
    rows = human_benchmark.assign(p_value=holm(human_benchmark["p_value"]))
    ceiling = rows["metric"].isin(CEILINGS)
    rows.loc[ceiling, "reader"] = rows.loc[ceiling, "metric"]
    rows.loc[ceiling, "metric"] = "pearson"
    datasets, readers = in_order(rows["dataset"], YARDSTICKS), in_order(rows["reader"], [*READERS, *SCORERS])
    table = widen(rows, ["dataset", "reader"], QUANTITIES, PARTS)
    table = table.loc[[pair for d in datasets for r in readers if (pair := (d, r)) in table.index]]
    table.index = table.index.map(
        lambda pair: (pair[0], reader_on(pair[1], pair[0])) if pair[1] in IN_SAMPLE.get(pair[0], ()) else pair
    )
    table.attrs = {
        "title": "Readers against people",
        "notes": [
            _where_measured(rows),
            "p-values are of no correlation, Holm-corrected within their family: “people” (every correlation of this "
            f"table: {rows['p_value'].count()} tests).",
            *NOTES,
        ],
    }
    return table


def _where_measured(rows: pd.DataFrame) -> str:
    here = set(rows.loc[rows["measured"] == "this run", "dataset"])
    if here:
        lacking = "; ".join(label(name) for name in STUDIES if name not in here)
        return (
            "Measured in this run, on the studies in `people.data`, by the evaluators of this run; beforehand only "
            "the rows of a reader fitted anew."
        ) + (f" Not measured, as `people.data` has no files of them: {lacking}." if lacking else "")
    return (
        "Measured beforehand with the packaged readers and carried with the package (ralc/data/human_benchmark.csv; "
        "made by python -m studies), because the studies are not part of it: not measured in this run. Set "
        "`people.data` to their folder to measure the evaluators of this run."
    )
