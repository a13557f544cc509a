"""Whether the results can all be true: what the paper's own tables would have failed.

Each check takes the metrics table and returns its faults, a sentence each that names the rows.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd

from ralc.conditions import COLUMNS
from ralc.names import METHODS, METRICS, metrics_by
from ralc.pipeline.metrics_plan import REWRITING

CELL = [*COLUMNS, "subset", "versus", "metric"]
#: Faults of one check that are spelt out.
SHOWN = 5
_SLACK = 1e-9


def single_values(metrics: pd.DataFrame) -> list[str]:
    """The same quantity never has two values.

    The paper's semantic-uncertainty FD falls by 21.6 % in its table 2 and by 44.3 % in its detailed table.
    """
    twice = metrics[metrics.duplicated(CELL, keep=False)]
    return [
        f"{_named(cell)}: {len(rows)} rows for one quantity ({_listed(rows['value'])})"
        for cell, rows in twice.groupby(CELL, sort=False)
    ]


def baselines_stand_still(metrics: pd.DataFrame) -> list[str]:
    """What does not depend on a map has no train set, and is the same for every map that it is compared with.

    MMLU's FD before calibration has three values in the paper. Here the value before, the value after minus the
    change, is the same for all maps on the same answers.
    """
    faults = []
    free = metrics["method"].map(lambda name: name in METHODS and not METHODS[name].trained)
    for _, row in metrics[free & (metrics["train"] != "none")].iterrows():
        faults.append(
            f"{_named(row[CELL])}: {row['method']} depends on no train questions, but has train set {row['train']}"
        )
    key = [column for column in CELL if column not in ("train", "versus")]
    changes = metrics[(metrics["versus"] == "original") & metrics["metric"].isin(_averages())]
    plain = metrics[metrics["versus"] == "none"].set_index([*key, "train"])[["value", "n"]]
    plain.columns = ["value_after", "n_after"]
    joined = changes.join(plain, on=[*key, "train"]).dropna(subset=["value", "value_after"])
    joined = joined[joined["n"] == joined["n_after"]]
    joined = joined.assign(before=joined["value_after"] - joined["value"])
    for cell, rows in joined.groupby([*key, "n"], sort=False):
        if np.ptp(rows["before"]) > _SLACK * max(1.0, rows["before"].abs().max()):
            about = dict(zip([*key, "n"], cell, strict=True))
            faults.append(f"{_named(about)}: the value before is {_listed(rows['before'])}, by train set")
    return faults


def counts_add_up(metrics: pd.DataFrame) -> list[str]:
    """The answerable and the unanswerable questions are all questions, and nothing has more answers than there are."""
    faults = []
    rates = metrics[(metrics["metric"] == "unscored_rate") & (metrics["versus"] == "none")]
    asked = rates[rates["target"] != "mean"].set_index([*COLUMNS, "subset"])["n"]
    halves = asked[asked.index.get_level_values("subset").isin(["answerable", "unanswerable"])]
    for cell, n in halves.groupby(COLUMNS, sort=False).sum().items():
        whole = asked.get((*cell, "all"))
        if whole is not None and n != whole:
            faults.append(f"{'/'.join(cell)}: the halves have {n} answers, the whole {whole}")
    plain = metrics[(metrics["versus"] == "none") & (metrics["target"] != "mean")]
    joined = plain.join(asked.rename("asked"), on=[*COLUMNS, "subset"]).dropna(subset=["asked"])
    for _, row in joined[joined["n"] > joined["asked"]].iterrows():
        faults.append(f"{_named(row[CELL])}: {row['n']} answers of {row['asked']}")
    return faults


def losses_are_stated(metrics: pd.DataFrame) -> list[str]:
    """Every condition says how many answers were not attempted, ungraded, unread, or not written by the model."""
    faults = []
    plain = metrics[(metrics["versus"] == "none") & ~metrics["variant"].str.startswith("bins=")]
    for cell, rows in plain.groupby([*COLUMNS, "subset"], sort=False):
        about = dict(zip([*COLUMNS, "subset"], cell, strict=True))
        rewritten = METHODS[about["method"]].rewritten and about["space"] == "linguistic"
        stated = rows.set_index("metric")["value"]
        expected = [name for name in metrics_by("losses") if rewritten or name not in REWRITING]
        faults += [f"{_named(about)}: {name} is not stated" for name in expected if name not in stated]
        if "accuracy" not in stated or not set(expected) <= set(stated.index):
            continue
        n = rows.set_index("metric")["n"]
        least = n["unscored_rate"] * (1 - stated["unparsed_rate"] - stated["unscored_rate"])
        if about["target"] != "mean" and "dropped" not in about["variant"] and n["accuracy"] < least - 0.5:
            faults.append(
                f"{_named(about)}: {n['accuracy']} answers are used, but only {least:.0f} or more are explained"
            )
    return faults


def values_in_range(metrics: pd.DataFrame) -> list[str]:
    """Every number lies in the range of its metric, and inside its own table."""
    plain = metrics[(metrics["versus"] == "none") & metrics["value"].notna()]
    low, high = (
        np.array([getattr(METRICS[name], end) for name in plain["metric"]]) for end in ("low", "high")
    )
    out = plain[(plain["value"] < low - _SLACK) | (plain["value"] > high + _SLACK)]
    return [f"{_named(row[CELL])}: {row['value']:g} is outside its range" for _, row in out.iterrows()]


CHECKS: dict[str, Callable[[pd.DataFrame], list[str]]] = {
    "One quantity, one value": single_values,
    "Baselines do not depend on the train set": baselines_stand_still,
    "Numbers of answers add up": counts_add_up,
    "What was lost is stated": losses_are_stated,
    "Values lie in their ranges": values_in_range,
}


def check_results(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return what was checked: columns ``check, rows, faults``.

    Raises
    ------
    ValueError
        If a check fails, with its first faults.
    """
    found = {name: check(metrics) for name, check in CHECKS.items()}
    failed = {name: faults for name, faults in found.items() if faults}
    if failed:
        lines = [
            "\n".join([f"{name}: {len(faults)} faults", *(f"  - {fault}" for fault in faults[:SHOWN])])
            for name, faults in failed.items()
        ]
        raise ValueError("the results contradict themselves:\n" + "\n".join(lines))
    return pd.DataFrame({"check": list(found), "rows": len(metrics), "faults": 0})


def _averages() -> list[str]:
    """Metrics that every answer adds to: their differences on the same answers are exact."""
    return metrics_by("items", "bins", "ranks")


def _named(cell: object) -> str:
    """A cell's columns as text, without what does not apply."""
    about = cell if isinstance(cell, dict | pd.Series) else dict(zip(CELL, cell, strict=True))
    return "/".join(str(value) for value in dict(about).values() if value not in ("none", "default", "all"))


def _listed(values: pd.Series) -> str:
    return ", ".join(f"{value:.6g}" for value in dict.fromkeys(values.round(9)))
