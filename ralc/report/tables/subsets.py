"""RALC by parts of the datasets: answerable and unanswerable questions, answers that abstain or not, large subjects."""

import pandas as pd

from ralc.conditions import DEFAULT
from ralc.names import CONTROLLED
from ralc.report.tables.headline import ABSTENTIONS, who_read
from ralc.results.labels import label
from ralc.results.select import (
    in_domain,
    main_protocol,
    main_reader,
    main_signal,
    main_target,
    one_reader,
    widen,
)

SHOWN = ["accuracy", "faithfulness_divergence", "generalised_ece", "expected_calibration_error", "auroc"]


def subsets(metrics: pd.DataFrame) -> pd.DataFrame:
    """The words before and after RALC on each half or subject, guided by one signal with the whole dataset's own map.

    Returns
    -------
    DataFrame, one row a (dataset, subset, method), columns (quantity, part). Datasets without parts have no row.
    """
    rows = metrics[(metrics["protocol"] == main_protocol(metrics)) & (metrics["space"] == "linguistic")]
    rows = rows[(rows["versus"] == "none") & (rows["variant"] == DEFAULT)]
    rows = in_domain(one_reader(rows[rows["target"] == main_target(metrics)], main_reader(metrics)))
    signal = main_signal(metrics)
    rows = rows[(rows["method"] == "original") | ((rows["method"] == "ralc") & (rows["signal"] == signal))]
    rows = rows[~rows["subset"].isin(["all", *CONTROLLED])]
    table = widen(rows, ["dataset", "subset", "method"], SHOWN, ["value", "ci_low", "ci_high", "sd"])
    table.attrs = {
        "title": "Halves and subjects, before and after RALC",
        "notes": [
            who_read(metrics),
            f"Rewrites guided by {label(signal).lower()}, the map fitted on all train questions of the dataset; "
            f"{label(main_target(metrics))}. Subjects with few held-out questions are not shown on their own.",
            ABSTENTIONS,
        ],
        "best_within": ["dataset", "subset"],
    }
    return table
