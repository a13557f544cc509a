"""The paper's detailed comparisons: each model and dataset, original, RALC and Hedged QA; what the words lost."""

import pandas as pd

from ralc.names import HEADLINES
from ralc.report.tables.headline import ABSTENTIONS, UNTESTED, who_read
from ralc.results import families
from ralc.results.labels import label
from ralc.results.select import differences, in_domain, plain, widen

ERRORS = HEADLINES[::-1]
DISCRIMINATION = ["auroc", "accuracy", "mean_confidence"]
METHODS = ["original", "ralc", "hedged_qa"]
LOST = [*HEADLINES, "brier_score", "auroc", "mean_confidence"]
KEY = ["dataset", "subset", "target", "signal"]


def detailed(metrics: pd.DataFrame) -> pd.DataFrame:
    """gECE and FD of the original answers, RALC and Hedged QA, by dataset, model and signal, maps in-domain."""
    table = _beside(metrics, ERRORS)
    table.attrs |= {"title": "gECE and FD by dataset, model and signal"}
    return table


def linguistic_auroc(metrics: pd.DataFrame) -> pd.DataFrame:
    """AUROC, accuracy and mean confidence of the words, before, after, and of Hedged QA."""
    table = _beside(metrics, DISCRIMINATION)
    shown = table.columns.get_level_values("method").unique()
    table.attrs |= {"title": f"AUROC of the words: {', '.join(map(label, shown))}"}
    if "hedged_qa" in shown:
        table.attrs["notes"].append(
            "Hedged QA is an answer of its own, with a grade of its own: its accuracy may differ."
        )
    return table


def _beside(metrics: pd.DataFrame, quantities: list[str]) -> pd.DataFrame:
    """One row a (dataset, subset, target, signal), columns (method, quantity, part)."""
    rows = in_domain(plain(metrics, space="linguistic", apart=True))
    rows = rows[rows["method"].isin(METHODS) & rows["metric"].isin(quantities)]
    guided = rows[rows["method"] == "ralc"]
    if guided.empty:
        raise ValueError("metrics: no rows of method 'ralc' in linguistic space")
    # The original answer and Hedged QA follow no signal: they stand beside each.
    beside = rows[rows["method"] != "ralc"].drop(columns="signal")
    beside = beside.merge(guided[[*KEY]].drop_duplicates(), on=KEY[:3])
    wide = {
        method: widen(own, KEY, quantities, ["value", "ci_low", "ci_high", "sd"])
        for method, own in pd.concat([guided, beside]).groupby("method")
    }
    table = pd.concat(
        {method: wide[method] for method in METHODS if method in wide}, axis=1, names=["method"]
    )
    table.attrs = {"notes": [who_read(metrics), ABSTENTIONS]}
    return table


def language_loss(metrics: pd.DataFrame) -> pd.DataFrame:
    """The words minus the calibrated signal that they were to carry, on the same answers, in-domain."""
    rows = in_domain(differences(metrics, apart=True))
    rows = rows[(rows["versus"] == "signal") & (rows["method"] == "ralc") & rows["metric"].isin(LOST)].copy()
    table = widen(rows, KEY, LOST, ["value", "ci_low", "ci_high", "p_value", "sd"])
    table.attrs = {
        "title": "What the words lost: linguistic space minus signal space",
        "notes": [
            who_read(metrics),
            "✗: the words are worse than the calibrated signal behind them (interval off 0, p ≤ .05).",
            families.stated(rows),
            UNTESTED,
        ],
        "difference": True,
    }
    return table
