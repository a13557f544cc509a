"""What a run shows, in one sentence: where RALC's words beat the original ones, and a constant hedge."""

import numpy as np
import pandas as pd

from ralc.names import DECIDING, DISCRIMINATION, HEADLINES, METHODS
from ralc.results.labels import QUANTITIES, in_order, label, listed
from ralc.results.select import differences, in_domain, main_target, one, verdict
from ralc.statistics import holm

#: What is said of datasets, in this order.
SAID = {
    "better": "better than the original words and than a constant hedge on {}",
    "original": "better than the original words, but not shown to be better than a constant hedge, on {}",
    "alone": "better than the original words on {} (no constant hedge stands beside them)",
    "worse": "worse than the original words or than a constant hedge on {}",
    "open": "not shown to be better than the original words on {}",
    "few": "seen on too few answers to be judged on {}",
}


def compared(metrics: pd.DataFrame, signal: str) -> pd.DataFrame:
    """Return the paired differences of in-domain RALC from the original words and from a constant hedge.

    Of the main target and the headline reader; p-values are Holm-corrected over all of them.
    """
    rows = in_domain(differences(metrics))
    rows = rows[
        (rows["method"] == "ralc")
        & (rows["signal"] == signal)
        & (rows["target"] == main_target(metrics))
        & rows["versus"].isin(list(DECIDING))
        & rows["metric"].isin(HEADLINES + DISCRIMINATION)
    ]
    return rows.assign(p_value=holm(rows["p_value"]))


def side(change: pd.Series | None) -> str:
    """Whether a difference is for the better, for the worse, or unclear."""
    if change is None:
        return "unclear"
    better = QUANTITIES[change["metric"]].better
    return verdict(change["ci_low"], change["ci_high"], change["p_value"], better)


def conclusion(changes: pd.DataFrame) -> str:
    """Return the one sentence about a run, from what it `compared`."""
    if changes.empty:
        return "No paired comparisons in this run."
    found: dict[str, list[str]] = {}
    for dataset in in_order(changes["dataset"]):
        found.setdefault(_standing(changes, dataset), []).append(label(dataset))
    parts = [said.format(listed(found[name])) for name, said in SAID.items() if name in found]
    return f"{METHODS['ralc'].title}'s words are {'; '.join(parts)}."


def _standing(changes: pd.DataFrame, dataset: str) -> str:
    """What is said of one dataset."""
    own = changes[changes["dataset"] == dataset]
    if not np.isfinite(own["ci_low"]).any():
        return "few"
    sides = {
        versus: {side(one(own, versus=versus, metric=metric)) for metric in metrics}
        for versus, metrics in DECIDING.items()
    }
    if "worse" in sides["original"] | sides["constant_hedge"]:
        return "worse"
    if "better" not in sides["original"]:
        return "open"
    if "constant_hedge" not in set(own["versus"]):
        return "alone"
    return "better" if "better" in sides["constant_hedge"] else "original"
