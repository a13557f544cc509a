"""Families of tests: each paired difference belongs to one, and its p-value is corrected within it by Holm's method.

The primary endpoints are four tests, and the verdict. All other families are exploratory. A family is that of one
model, or of the mean over models, by one evaluator.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd

from ralc.conditions import DEFAULT, POOLED
from ralc.registry import ASKED, CONTROLLED, HEADLINES, METHODS, METRICS, PRIMARY_METRICS, PRIMARY_OPPONENTS
from ralc.statistics import holm

#: The level of a corrected p-value up to which a difference is shown.
LEVEL = 0.05
_LOST = (*ASKED, "mean_confidence")


def _words(rows: pd.DataFrame, *versus: str) -> pd.Series:
    """Which rows compare words of the default variant."""
    return (rows["space"] == "linguistic") & (rows["variant"] == DEFAULT) & rows["versus"].isin(versus)


#: By name: what is compared, in which metrics, whether by maps of the same dataset, and which differences belong to it.
FAMILIES: dict[str, tuple[str, tuple[str, ...], bool, Callable[[pd.DataFrame], pd.Series]]] = {
    "opponents": (
        "RALC against every other method, by all signals, maps of the same dataset",
        tuple(ASKED),
        True,
        lambda rows: _words(rows, *METHODS),
    ),
    "cross-domain": (
        "maps of other datasets, against the original words and the dataset's own map",
        tuple(HEADLINES),
        False,
        lambda rows: _words(rows, "original", "in_domain"),
    ),
    "propagation": (
        "words against the calibrated signal that they carry",
        _LOST,
        True,
        lambda rows: _words(rows, "signal"),
    ),
    "variants": (
        "variants against the default, in one space",
        _LOST,
        True,
        lambda rows: rows["versus"] == "default",
    ),
}


def corrected(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return the exploratory differences with `family`, its number of `tests`, and the corrected `p_value`.

    A difference of no family has no p-value: those of parts of the datasets.
    """
    rows = metrics[~metrics["subset"].isin(list(CONTROLLED)) & (metrics["versus"] != "none")]
    rows = rows.assign(family="none")
    ralc, same = (rows["method"] == "ralc") & (rows["subset"] == "all"), rows["train"] == rows["dataset"]
    for name, (_, tested, in_domain, holds) in FAMILIES.items():
        family = ralc & rows["metric"].isin(tested) & (same == in_domain)
        rows["family"] = rows["family"].mask(family & holds(rows), name)
    rows["p_value"] = rows["p_value"].mask(rows["family"] == "none")
    together = rows.groupby(["family", "protocol", "target", "evaluator"], sort=False)["p_value"]
    return rows.assign(p_value=together.transform(holm), tests=together.transform("count"))


def stated(rows: pd.DataFrame) -> str:
    """Return the note beside corrected p-values: their families, and how many tests each has."""
    tests = rows[rows["family"] != "none"].groupby("family", sort=False)["tests"].max()
    named = "; ".join(f"“{name}” ({FAMILIES[name][0]}: {count} tests)" for name, count in tests.items())
    return f"Exploratory. p-values are Holm-corrected within their family, of one model and one evaluator: {named}."


def side(low: float, high: float, p_value: float, better: str | None) -> str:
    """Return whether a difference is ``better``, ``worse`` or ``not shown``.

    It is shown where its interval excludes 0 and its corrected p-value is at most 0.05.

    >>> side(-0.2, -0.05, 0.01, "lower"), side(-0.2, -0.05, 0.2, "lower")
    ('better', 'not shown')
    """
    shown = np.isfinite([low, high]).all() and p_value <= LEVEL
    if better is None or not shown or low <= 0 <= high:
        return "not shown"
    return "better" if (high < 0) == (better == "lower") else "worse"


def endpoints(averages: pd.DataFrame, evaluator: str) -> pd.DataFrame:
    """Return the primary endpoints as an evaluator has them: the verdict of a run.

    Parameters
    ----------
    averages
        Rows of the metrics over several datasets (`ralc.pipeline.measures.pooled`).
    evaluator
        The headline evaluator.

    Returns
    -------
    DataFrame, one row an (opponent, metric), with ``versus, metric, target, signal, value, ci_low, ci_high, n``, the
    Holm-corrected ``p_value``, ``side`` and ``turned``: the other evaluators by whom the sign is the other way round.
    """
    places = {name: place for place, name in enumerate((*PRIMARY_OPPONENTS, *PRIMARY_METRICS))}
    rows = averages[(averages["dataset"] == POOLED) & (averages["versus"] != "none")]
    rows = rows.sort_values(["versus", "metric"], key=lambda column: column.map(places), kind="stable")
    table = rows[rows["evaluator"] == evaluator].copy()
    table["p_value"] = holm(table["p_value"])
    table["side"] = [
        side(row.ci_low, row.ci_high, row.p_value, METRICS[row.metric].better) for row in table.itertuples()
    ]
    cells = dict(list(rows.groupby(["versus", "metric"])))
    turned = []
    for row in table.itertuples():
        of = cells[row.versus, row.metric]
        turned.append(of.loc[of["value"] * row.value < 0, "evaluator"].tolist())
    return table.assign(turned=turned).reset_index(drop=True)
