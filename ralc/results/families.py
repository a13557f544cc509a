"""Families of tests: every paired comparison belongs to one by what it compares, and its p-value is corrected in it.

So a comparison has one p-value, by Holm's method over all of its family, wherever it is shown. A family is that of one
model (or the mean over models) by one reader: a claim is made only where all readers outside the loop agree, which
needs no correction for their number.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from ralc.conditions import DEFAULT, UNSCREENED
from ralc.names import ABSTAINING, ASKED, HEADLINES, METHODS
from ralc.statistics import holm


@dataclass(frozen=True)
class Family:
    """What comparisons are corrected together."""

    about: str
    """What they compare, in words."""
    metrics: tuple[str, ...]
    """In which metrics."""
    holds: Callable[[pd.DataFrame], pd.Series]
    """Which rows of RALC's paired differences on whole datasets belong to it, whatever the metric."""


def _words(rows: pd.DataFrame, *versus: str, variant: str = DEFAULT) -> pd.Series:
    """Comparisons of words of one variant."""
    return (rows["space"] == "linguistic") & (rows["variant"] == variant) & rows["versus"].isin(versus)


_LOST = (*ASKED, "mean_confidence")
FAMILIES: dict[str, Family] = {
    "opponents": Family(
        "RALC against every other way to say the answers, by all signals, maps of the same dataset",
        tuple(ASKED),
        lambda rows: _words(rows, *METHODS) & (rows["train"] == rows["dataset"]),
    ),
    "unscreened": Family(
        "the same of words from a lexicon in which no reader apart from the loop had a say",
        tuple(ASKED),
        lambda rows: _words(rows, *METHODS, variant=UNSCREENED) & (rows["train"] == rows["dataset"]),
    ),
    "crossing": Family(
        "maps of other datasets, against the original words and the dataset's own map",
        tuple(HEADLINES),
        lambda rows: _words(rows, "original", "in_domain") & (rows["train"] != rows["dataset"]),
    ),
    "carrying": Family(
        "words against the calibrated signal that they carry",
        _LOST,
        lambda rows: _words(rows, "signal") & (rows["train"] == rows["dataset"]),
    ),
    "variants": Family(
        "variants against the default, in one space",
        _LOST,
        lambda rows: (rows["versus"] == "default") & (rows["train"] == rows["dataset"]),
    ),
}
_WITHIN = ["family", "protocol", "target", "reader"]


def corrected(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return the paired differences with their `family`, its `tests`, and the corrected `p_value`.

    Of whole datasets, and of the answers that abstain and that do not, which are in no family: a difference of none has
    no p-value.
    """
    rows = metrics[metrics["subset"].isin(["all", *ABSTAINING]) & (metrics["versus"] != "none")]
    rows = rows.assign(family="none")
    for name, family in FAMILIES.items():
        own = (rows["method"] == "ralc") & (rows["subset"] == "all") & rows["metric"].isin(family.metrics)
        own &= family.holds(rows)
        rows["family"] = rows["family"].mask(own, name)
    rows["p_value"] = rows["p_value"].mask(rows["family"] == "none")
    together = rows.groupby(_WITHIN, sort=False)["p_value"]
    return rows.assign(p_value=together.transform(holm), tests=together.transform("count"))


def stated(rows: pd.DataFrame) -> str:
    """Return the note that stands beside corrected p-values: their families and how many tests each has."""
    tests = rows[rows["family"] != "none"].groupby("family", sort=False)["tests"].max()
    named = "; ".join(f"“{name}” ({FAMILIES[name].about}: {count} tests)" for name, count in tests.items())
    return f"p-values are Holm-corrected within their family, of one model by one reader: {named}."
