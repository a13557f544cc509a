"""Families of tests: each paired difference belongs to one, and its p-value is corrected within it by Holm's method.

The primary endpoints are four tests, and the verdict. All other families are exploratory. A family is that of one
model, or of the mean over models, by one evaluator.
"""

import numpy as np
import pandas as pd

from ralc.conditions import DEFAULT, POOLED, having
from ralc.registry import ASKED, CONTROLLED, HEADLINES, METHODS, METRICS, PRIMARY_METRICS, PRIMARY_OPPONENTS
from ralc.statistics import FEWEST, FEWEST_OF_EACH, holm

#: The level of a corrected p-value up to which a difference is shown.
LEVEL = 0.05
#: What is said where there are hardly any answers; of AUROC, where hardly any is right, or wrong.
TOO_FEW = "too few"
_LOST = (*ASKED, "mean_confidence")
#: By name: what is compared, with what, in which metrics, and whether by maps of the same dataset.
FAMILIES: dict[str, tuple[str, tuple[str, ...], tuple[str, ...], bool]] = {
    "opponents": (
        "RALC against every other method, by all signals, maps of the same dataset",
        tuple(METHODS),
        tuple(ASKED),
        True,
    ),
    "cross-domain": (
        "maps of other datasets, against the original words and the dataset's own map",
        ("original", "in_domain"),
        tuple(HEADLINES),
        False,
    ),
    "propagation": ("words against the calibrated signal that they carry", ("signal",), _LOST, True),
    "variants": ("variants against the default, in one space", ("default",), _LOST, True),
}


def corrected(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return the exploratory differences with `family`, its number of `tests`, and the corrected `p_value`.

    A difference of no family has no p-value: those of parts of the datasets.
    """
    rows = metrics[~metrics["subset"].isin(list(CONTROLLED)) & (metrics["versus"] != "none")]
    rows = rows.assign(family="none")
    words = (rows["space"] == "linguistic") & (rows["variant"] == DEFAULT)
    ralc = (rows["method"] == "ralc") & (rows["subset"] == "all") & (words | (rows["versus"] == "default"))
    for name, (_, versus, tested, in_domain) in FAMILIES.items():
        same = (rows["train"] == rows["dataset"]) == in_domain
        family = ralc & same & rows["metric"].isin(tested) & rows["versus"].isin(versus)
        rows["family"] = rows["family"].mask(family, name)
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

    Parameters
    ----------
    low, high
        The 95 % interval of the difference; NaN where it has none.
    p_value
        Corrected, in [0, 1].
    better
        ``lower`` or ``higher``: the direction that is better; None where neither is.

    Examples
    --------
    >>> side(-0.2, -0.05, 0.01, "lower"), side(-0.2, -0.05, 0.2, "lower")
    ('better', 'not shown')
    """
    shown = np.isfinite([low, high]).all() and p_value <= LEVEL
    if better is None or not shown or low <= 0 <= high:
        return "not shown"
    return "better" if (high < 0) == (better == "lower") else "worse"


def endpoints(averages: pd.DataFrame, evaluator: str, answers: tuple[int, int] | None = None) -> pd.DataFrame:
    """Return the primary endpoints as an evaluator has them: the verdict of a run.

    Parameters
    ----------
    averages
        Rows of the metrics over several datasets (`ralc.pipeline.measures.pooled`).
    evaluator
        The headline evaluator.
    answers
        Right and wrong ones, where they were counted (`ralc.results.right_and_wrong`). With fewer than 10 of
        either, AUROC is not tested; with fewer than 20 in all, nothing is.

    Returns
    -------
    DataFrame, one row an (opponent, metric), with ``versus, metric, target, signal, value, ci_low, ci_high, n, side``
    and the ``p_value``, Holm-corrected over those that are tested. ``dissenters`` names the other evaluators with the
    other sign.
    """
    places = {name: place for place, name in enumerate((*PRIMARY_OPPONENTS, *PRIMARY_METRICS))}
    rows = having(averages[averages["versus"] != "none"], dataset=POOLED)
    rows = rows.sort_values(["versus", "metric"], key=lambda column: column.map(places), kind="stable")
    table = having(rows, evaluator=evaluator).copy()
    few = (table["metric"] == "auroc") & (min(answers or [FEWEST_OF_EACH]) < FEWEST_OF_EACH)
    few |= table["n"] < FEWEST
    table.loc[few, ["ci_low", "ci_high", "p_value"]] = np.nan
    table["p_value"] = holm(table["p_value"])
    sides = []
    dissenters = []
    for row, untested in zip(table.itertuples(), few, strict=True):
        decided = side(row.ci_low, row.ci_high, row.p_value, METRICS[row.metric].better)
        sides.append(TOO_FEW if untested else decided)
        same = (rows["versus"] == row.versus) & (rows["metric"] == row.metric)
        dissenters.append(rows.loc[same & (rows["value"] * row.value < 0), "evaluator"].tolist())
    return table.assign(side=sides, dissenters=dissenters).reset_index(drop=True)
