"""The cross-domain matrix (paper table 2 and the table of value changes)."""

import numpy as np
import pandas as pd

from ralc.conditions import DEFAULT, MEAN
from ralc.registry import HEADLINES, SIGNALS
from ralc.report.tables.specs import abstentions
from ralc.results import families
from ralc.results.filters import differences, main_target, plain
from ralc.results.labels import in_order

ROW = ["metric", "signal", "train"]
NOTES = [
    "Rows: the dataset the map was fitted on. Column groups: the dataset it was tested on. Shaded: in-domain.",
    "Percentages are ratios of means over models; their SD is that of the models' own percentages.",
    "Absolute reductions have 95 % intervals and corrected p-values. SD/√n is what the paper prints after ±.",
    "“Minus in-domain map”: the error with this map minus the error with the test dataset's own map.",
]


def cross_domain(metrics: pd.DataFrame, *, target: str | None = None) -> pd.DataFrame:
    """Return how far RALC lowers FD and gECE when its map comes from this dataset or another.

    Parameters
    ----------
    metrics
        The metrics table.
    target
        A model; None takes the mean over models where there is one.

    Returns
    -------
    DataFrame, one row a (metric, signal, train), columns (test dataset, quantity, part):
    `reduction_percent`, a ratio of means as in the paper, its `sd` the real SD over models, `sd_of_mean` that over the
    root of their number;
    `reduction`, absolute, with interval and Holm-corrected p-value, paired by question;
    `beyond_in_domain`, the error with this map minus the error with the test dataset's own map; `n`, answers.
    """
    target = target or main_target(metrics)
    tidy = pd.concat(
        [
            _percent(metrics, target),
            _change(metrics, target, versus="original", name="reduction", sign=-1),
            _change(metrics, target, versus="in_domain", name="beyond_in_domain", sign=1),
        ]
    )
    tidy["sd_of_mean"] = tidy["sd"] / np.sqrt((metrics["target"].unique() != MEAN).sum())
    counts = tidy[tidy["quantity"] == "reduction"].assign(
        quantity="n", value=lambda rows: rows["n"].astype(float)
    )
    tidy = pd.concat([tidy, counts[[*ROW, "dataset", "quantity", "value"]]]).drop(columns="n")
    datasets, trains = in_order(tidy["dataset"]), in_order(metrics.loc[metrics["train"] != "none", "train"])
    table = tidy.set_index([*ROW, "dataset", "quantity"]).unstack(["dataset", "quantity"])  # noqa: PD010
    table = table.reorder_levels([1, 2, 0], axis=1).dropna(axis=1, how="all")
    quantities = ["reduction_percent", "reduction", "beyond_in_domain", "n"]
    parts = ["value", "sd", "sd_of_mean", "ci_low", "ci_high", "p_value"]
    columns = [(d, q, part) for d in datasets for q in quantities for part in parts if (d, q, part) in table]
    rows = [(m, s, t) for m in HEADLINES for s in SIGNALS for t in trains if (m, s, t) in table.index]
    table = table.reindex(index=pd.MultiIndex.from_tuples(rows, names=ROW), columns=columns)
    table.columns = pd.MultiIndex.from_tuples(columns, names=["dataset", "quantity", "part"])
    table.attrs = {
        "notes": [
            *NOTES,
            families.stated(_compared(metrics, target)),
            *filter(None, [abstentions(metrics)]),
        ],
        "difference": True,
        "shade": ["train", "dataset"],
    }
    return table


def _compared(metrics: pd.DataFrame, target: str) -> pd.DataFrame:
    """RALC's paired differences from the original words and from the test dataset's own map."""
    rows = differences(metrics)
    rows = rows[rows["variant"] == DEFAULT]
    rows = rows[(rows["method"] == "ralc") & (rows["target"] == target) & rows["metric"].isin(HEADLINES)]
    return rows[rows["versus"].isin(["original", "in_domain"])]


def _percent(metrics: pd.DataFrame, target: str) -> pd.DataFrame:
    """Reductions in percent of the value before, and their SD over models for the mean over models."""
    rows = plain(metrics, space="linguistic")
    rows = rows[rows["metric"].isin(HEADLINES)]
    key = ["target", "dataset", "metric"]
    before = rows[rows["method"] == "original"].set_index(key)["value"].rename("before")
    after = rows[rows["method"] == "ralc"].join(before, on=key)
    after = after.assign(percent=100 * (1 - after["value"] / after["before"].where(after["before"] > 0)))
    cell = [*ROW, "dataset"]
    shown = after[after["target"] == target].set_index(cell)["percent"].rename("value")
    over_models = after[after["target"] != "mean"].groupby(cell)["percent"].std(ddof=1).rename("sd")
    tidy = shown.to_frame().assign(sd=over_models.reindex(shown.index) if target == "mean" else np.nan)
    return tidy.reset_index().assign(quantity="reduction_percent")


def _change(metrics: pd.DataFrame, target: str, *, versus: str, name: str, sign: int):
    """Paired differences of RALC from `versus`, times `sign` (-1 turns a change into a reduction)."""
    rows = _compared(metrics, target)
    rows = rows[rows["versus"] == versus]
    ends = rows[["ci_low", "ci_high"]] * sign
    rows = rows.assign(
        value=rows["value"] * sign,
        ci_low=ends.min(axis=1, skipna=False),
        ci_high=ends.max(axis=1, skipna=False),
        quantity=name,
    )
    return rows[[*ROW, "dataset", "quantity", "value", "sd", "ci_low", "ci_high", "p_value", "n"]]
