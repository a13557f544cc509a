"""Miscalibration bias by dataset and signal (paper appendix, cross-domain investigation)."""

import pandas as pd

from ralc.report.tables.headline import ABSTENTIONS
from ralc.results.miscalibration import raw_signals
from ralc.results.select import widen


def bias(metrics: pd.DataFrame) -> pd.DataFrame:
    """Mean confidence minus accuracy of the raw signals, with both, by model, dataset and signal.

    Returns
    -------
    DataFrame, one row a (target, dataset, subset, signal), columns (quantity, part); `sd` over models for their mean.
    """
    quantities = ["miscalibration_bias", "mean_confidence", "accuracy"]
    rows = raw_signals(metrics, *quantities, apart=True)
    index = ["target", "dataset", "subset", "signal"]
    table = widen(rows, index, quantities, ["value", "ci_low", "ci_high", "sd"])
    table.attrs = {
        "title": "Miscalibration bias of the signals before calibration",
        "notes": [
            "Above 0: more confident than right. A map fitted on one bias corrects another wrongly.",
            ABSTENTIONS,
        ],
    }
    return table
