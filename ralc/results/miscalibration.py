"""Miscalibration bias, mean confidence - accuracy, and whether it explains how maps travel (paper appendix)."""

import pandas as pd

from ralc.results.select import differences, plain

KEY = ["target", "dataset", "signal"]
ERROR = "generalised_ece"


def raw_signals(metrics: pd.DataFrame, *quantities: str, apart: bool = False) -> pd.DataFrame:
    """Rows of the raw signals on whole datasets; where `apart`, also of answers that abstain and that do not."""
    rows = plain(metrics, space="signal", apart=apart)
    return rows[(rows["method"] == "original") & rows["metric"].isin(quantities)]


def transfers(metrics: pd.DataFrame) -> pd.DataFrame:
    """A row a map used on another dataset: how far the two biases lie apart, and what the foreign map gained.

    Returns
    -------
    DataFrame with the columns ``target, dataset, train, signal, gap, advantage``: |bias of train - bias of test|, and
    the error with the dataset's own map minus that with the foreign one, in signal space; above 0 the foreign map is
    better.
    """
    bias = raw_signals(metrics, "miscalibration_bias").set_index(KEY)["value"]
    rows = differences(metrics, space="signal")
    rows = rows[(rows["versus"] == "in_domain") & (rows["metric"] == ERROR) & (rows["target"] != "mean")]
    here = bias.reindex(pd.MultiIndex.from_frame(rows[KEY])).to_numpy()
    there = bias.reindex(pd.MultiIndex.from_frame(rows[["target", "train", "signal"]])).to_numpy()
    found = rows[["target", "dataset", "train", "signal"]].assign(
        gap=abs(there - here), advantage=-rows["value"]
    )
    return found.dropna(subset=["gap", "advantage"]).reset_index(drop=True)
