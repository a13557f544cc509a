"""The means that the paper shows: over signals, and over datasets, each dataset with its own map.

They are rows of the metrics like any other, with ``mean`` in the column over which they are taken.
"""

import numpy as np
import pandas as pd

from ralc.conditions import COLUMNS, DEFAULT, MEAN
from ralc.results.filters import in_domain

CELL = [*COLUMNS, "subset", "versus", "metric"]


def with_means(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return the metrics of all datasets with their means over signals and over datasets below them.

    Of plain numbers on whole datasets: of the default variant, and of other maps. Over signals where words are guided
    by one; the ends of the interval are the means of the ends, since the signals are of the same answers (an interval
    at least as wide as the true one). Over datasets, whose questions are different ones, the ends lie at the root of
    the sum of squares (Zou and Donner 2008); `n` is the sum.
    """
    kept = (metrics["variant"] == DEFAULT) | metrics["variant"].str.startswith("map=")
    rows = in_domain(metrics[kept & (metrics["subset"] == "all") & (metrics["versus"] == "none")])
    # Hedged QA has a correlation with each signal.
    guided = rows[(rows["space"] == "linguistic") & (rows["signal"] != "none")]
    signals = _means(guided, ("signal",), pooled=False)
    datasets = _means(pd.concat([rows, signals]), ("dataset", "train"), pooled=True)
    return pd.concat([metrics, signals, datasets], ignore_index=True)


def _means(rows: pd.DataFrame, over: tuple[str, ...], *, pooled: bool) -> pd.DataFrame:
    """The means over the first of some columns; the others follow it where they apply."""
    first = over[0]
    moved = rows.assign(**{name: rows[name].where(rows[name] == "none", MEAN) for name in over})
    moved = moved.assign(below=rows["value"] - rows["ci_low"], above=rows["ci_high"] - rows["value"])
    moved = moved.assign(belows=moved["below"] ** 2, aboves=moved["above"] ** 2)
    same = moved[moved[first] == MEAN].groupby(CELL, sort=False, observed=True)
    table = same["value"].mean().to_frame()
    number = same.size()
    for end, sign in (("below", -1), ("above", 1)):
        size = np.sqrt(same[f"{end}s"].sum(min_count=1)) / number if pooled else same[end].mean()
        lacking = same[end].count() < number
        table["ci_low" if sign < 0 else "ci_high"] = (table["value"] + sign * size).mask(lacking)
    table["n"] = same["n"].sum() if pooled else same["n"].max()
    # A mean is of all there are: of fewer it would be compared with what it is not.
    wanted = rows.loc[rows[first] != "none", first].nunique()
    table = table[(number == wanted) & (wanted > 1)].reset_index()
    return table.assign(sd=np.nan, p_value=np.nan)[[*rows.columns]]
