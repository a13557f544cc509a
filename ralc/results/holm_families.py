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
_WITHIN = ["family", "protocol", "target", "evaluator"]


def _words(rows: pd.DataFrame, *versus: str) -> pd.Series:
    """Which rows compare words of the default variant."""
    return (rows["space"] == "linguistic") & (rows["variant"] == DEFAULT) & rows["versus"].isin(versus)


def _own_map(rows: pd.DataFrame) -> pd.Series:
    return rows["train"] == rows["dataset"]


#: By name: what is compared, in which metrics, and which of RALC's differences on whole datasets belong to it.
FAMILIES: dict[str, tuple[str, tuple[str, ...], Callable[[pd.DataFrame], pd.Series]]] = {
    "opponents": (
        "RALC against every other method, by all signals, maps of the same dataset",
        tuple(ASKED),
        lambda rows: _words(rows, *METHODS) & _own_map(rows),
    ),
    "cross-domain": (
        "maps of other datasets, against the original words and the dataset's own map",
        tuple(HEADLINES),
        lambda rows: _words(rows, "original", "in_domain") & ~_own_map(rows),
    ),
    "propagation": (
        "words against the calibrated signal that they carry",
        _LOST,
        lambda rows: _words(rows, "signal") & _own_map(rows),
    ),
    "variants": (
        "variants against the default, in one space",
        _LOST,
        lambda rows: (rows["versus"] == "default") & _own_map(rows),
    ),
}


def corrected(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return the exploratory differences with `family`, its number of `tests`, and the corrected `p_value`.

    A difference of no family has no p-value: those of parts of the datasets.
    """
    rows = metrics[~metrics["subset"].isin(list(CONTROLLED)) & (metrics["versus"] != "none")]
    rows = rows.assign(family="none")
    for name, (_, tested, holds) in FAMILIES.items():
        family = (rows["method"] == "ralc") & (rows["subset"] == "all") & rows["metric"].isin(tested)
        rows["family"] = rows["family"].mask(family & holds(rows), name)
    rows["p_value"] = rows["p_value"].mask(rows["family"] == "none")
    together = rows.groupby(_WITHIN, sort=False)["p_value"]
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
    rows = averages[(averages["dataset"] == POOLED) & (averages["versus"] != "none")]
    rows = rows.sort_values(["versus", "metric"], key=lambda c: c.map(_PLACES), kind="stable")
    table = rows[rows["evaluator"] == evaluator].copy()
    table["p_value"] = holm(table["p_value"])
    table["side"] = [
        side(row.ci_low, row.ci_high, row.p_value, METRICS[row.metric].better) for row in table.itertuples()
    ]
    signs = rows.assign(sign=np.sign(rows["value"])).groupby(["versus", "metric"])[["evaluator", "sign"]]
    turns = {cell: dict(zip(of["evaluator"], of["sign"], strict=True)) for cell, of in signs}
    table["turned"] = [
        [name for name, sign in turns[row.versus, row.metric].items() if sign * row.value < 0]
        for row in table.itertuples()
    ]
    return table.reset_index(drop=True)


_PLACES = {name: place for place, name in enumerate((*PRIMARY_OPPONENTS, *PRIMARY_METRICS))}
