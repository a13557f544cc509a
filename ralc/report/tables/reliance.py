"""What people who read the answers would accept and believe, each way of speaking beside the others."""

import pandas as pd

from ralc.conditions import DEFAULT
from ralc.names import ABSTAINING, METHODS, metrics_by
from ralc.reliance import SITUATIONS
from ralc.report.tables.headline import ABSTENTIONS, who_read
from ralc.results.labels import in_order, label, listed, number
from ralc.results.select import in_domain, main_protocol, main_reader, main_target, one, one_reader, widen
from ralc.statistics import FEWEST

#: What stands wherever these figures do.
ASSUMED = (
    "Assumed: a word acts as the number that people give it. Beliefs before are those of 118 people before a model's "
    "advice, the answer's own readers may know more or less; belief after follows 401 people who were shown numbers."
)
_INDEX = ["target", "dataset", "subset", "variant", "method", "signal", "space"]
_PARTS = ["value", "ci_low", "ci_high"]
_SHOWN = {"none": "by itself", "original": "minus original answer", "constant_hedge": "minus constant hedge"}
_CHANGES = ["accepted_wrong", "accepted_right", "decision_accuracy", "belief_brier_score"]


def reliance(metrics: pd.DataFrame) -> pd.DataFrame:
    """What people would accept and believe of each way of speaking, and what that changes; maps fitted in-domain.

    Returns
    -------
    DataFrame, one row a (target, dataset, subset, situation, method, signal, space), columns (versus, quantity, part).
    In signal space the calibrated number itself is shown.
    """
    rows = _rows(metrics)
    tables = {}
    for versus, part in _SHOWN.items():
        quantities = metrics_by("reliance") if versus == "none" else _CHANGES
        own = rows[(rows["versus"] == versus) & rows["metric"].isin(quantities)]
        if not own.empty:
            tables[part] = widen(own, _INDEX, quantities, _PARTS)
    first = tables[_SHOWN["none"]]
    table = pd.concat(
        {name: one.reindex(first.index) for name, one in tables.items()}, axis=1, names=["versus"]
    )
    table.attrs = {
        "title": "What people would accept and believe",
        "notes": [
            who_read(metrics),
            ASSUMED,
            "An answer is accepted where belief reaches the threshold, one half by default: what accepting a wrong "
            "answer costs beside what accepting a right one gains. Value: that gain less that cost, against accepting "
            "nothing and against accepting everything. The original words are plain advice.",
            "bridge: if words act as numbers a fifth lower or higher (context), or own belief moves them; prior=flat: "
            "readers who know nothing. Intervals resample questions; readings and weights are taken as they are. "
            "People's weights have standard errors of .02 (belief before) and .03 (what is shown).",
            ABSTENTIONS,
        ],
    }
    return table


def decided(metrics: pd.DataFrame, signal: str) -> str:
    """Return the one sentence of what people would accept, plain, with a constant hedge, and in RALC's words.

    Of datasets with enough wrong and right answers; empty where there is none.
    """
    rows = _rows(metrics)
    rows = rows[(rows["versus"] == "none") & (rows["target"] == main_target(metrics))]
    rows = rows[(rows["variant"] == DEFAULT) & (rows["space"] == "linguistic") & (rows["subset"] == "all")]
    rows = rows[rows["signal"].isin(["none", signal]) & rows["method"].isin(list(_WAYS))]
    rows = rows[rows["n"] >= FEWEST]
    ways = in_order(rows["method"], _WAYS)
    parts = [_accepted(rows[rows["dataset"] == dataset], ways) for dataset in in_order(rows["dataset"])]
    if not any(parts):
        return ""
    return (
        "If a word acts as the number that people give it, and people rely on it as in two studies, of wrong (right) "
        f"answers they would accept, {listed([_WAYS[way] for way in ways])}: {'; '.join(filter(None, parts))}."
    )


def _accepted(rows: pd.DataFrame, ways: list[str]) -> str:
    """Shares of wrong and of right answers of one dataset that are accepted, each way of speaking."""
    shares = []
    for metric in ("accepted_wrong", "accepted_right"):
        found = [one(rows, method=way, metric=metric) for way in ways]
        if any(row is None for row in found):
            return ""
        shares.append(", ".join(number(row["value"], metric) for row in found))
    return f"on {label(rows['dataset'].iloc[0])} {shares[0]} % ({shares[1]} %)"


_WAYS = {
    "original": "as they came",
    "constant_hedge": "with a constant hedge",
    "ralc": f"in {METHODS['ralc'].title}'s words",
}


def _rows(metrics: pd.DataFrame) -> pd.DataFrame:
    """The rows of reliance: every situation; words by the headline reader, and the calibrated number shown.

    Of whole datasets, and by default of the answers that abstain and that do not.
    """
    rows = metrics[
        metrics["metric"].isin(metrics_by("reliance"))
        & (metrics["protocol"] == main_protocol(metrics))
        & metrics["subset"].isin(["all", *ABSTAINING])
        & metrics["variant"].isin([*SITUATIONS, "aim=decision"])
    ]
    rows = in_domain(one_reader(rows, main_reader(metrics)))
    return rows[(rows["space"] == "linguistic") | (rows["method"] == "ralc")]
