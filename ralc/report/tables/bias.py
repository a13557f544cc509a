"""Miscalibration bias by dataset and signal (paper appendix, cross-domain investigation)."""

import pandas as pd

from ralc.results.bias import raw_signals
from ralc.results.select import widen


def bias(metrics: pd.DataFrame) -> pd.DataFrame:
    """Mean confidence minus accuracy of the raw signals, with both, by model, dataset and signal.

    Returns
    -------
    DataFrame, one row a (target, dataset, signal), columns (quantity, part); `sd` over models for their mean.
    """
    quantities = ["miscalibration_bias", "mean_confidence", "accuracy"]
    rows = raw_signals(metrics, *quantities)
    table = widen(rows, ["target", "dataset", "signal"], quantities, ["value", "ci_low", "ci_high", "sd"])
    table.attrs = {
        "title": "Miscalibration bias of the signals before calibration",
        "notes": ["Above 0: more confident than right. A map fitted on one bias corrects another wrongly."],
    }
    return table
