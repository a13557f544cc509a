"""Whether the results can all be true: what the paper's own tables would have failed.

Each check takes the metrics table and returns its faults, a sentence each that names the rows.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd

from ralc.conditions import COLUMNS, Condition, averaged
from ralc.names import HALVES, METHODS, METRICS, metrics_by
from ralc.pipeline.metrics_plan import ATTEMPTED, rates_of
from ralc.reliance import SITUATIONS

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


def differences_add_up(metrics: pd.DataFrame) -> list[str]:
    """A difference is a condition's value minus its counterpart's, which is there; of the same answers, exactly."""
    own = metrics[metrics["target"] != "mean"]
    plain, changes = own[own["versus"] == "none"], own[own["versus"] != "none"]
    present = set(plain[COLUMNS].itertuples(index=False, name=None))
    pairs = changes[[*COLUMNS, "versus"]].drop_duplicates()
    nothing = Condition(*["none"] * len(COLUMNS))
    others = [
        dict(Condition(*condition).counterparts()).get(versus, nothing).among(present) or nothing
        for *condition, versus in pairs.itertuples(index=False, name=None)
    ]
    theirs = [f"{column}_versus" for column in COLUMNS]
    pairs = pd.concat([pairs, pd.DataFrame(others, columns=theirs, index=pairs.index)], axis=1)
    values = plain.set_index([*COLUMNS, "subset", "metric"])[["value", "n"]]
    joined = changes[changes["metric"].isin(_averages())].merge(pairs, on=[*COLUMNS, "versus"])
    joined = joined.join(values.add_suffix("_own"), on=values.index.names)
    joined = joined.join(values.add_suffix("_versus"), on=[*theirs, "subset", "metric"])
    numbers = joined[["n_own", "n_versus"]]
    joined = joined[numbers.eq(joined["n"], axis=0).all(axis=1) | numbers.isna().any(axis=1)]
    expected = joined["value_own"] - joined["value_versus"]
    largest = joined[["value_own", "value_versus"]].abs().max(axis=1).clip(lower=1)
    off = ((joined["value"] - expected).abs() > _SLACK * largest) | (
        joined["value"].isna() != expected.isna()
    )
    return [
        f"{_named(row[CELL])}: {row['value']:.6g} is not {row['value_own']:.6g} - {row['value_versus']:.6g}"
        for _, row in joined[off].iterrows()
    ]


def excesses_add_up(metrics: pd.DataFrame) -> list[str]:
    """The excess of gECE is what lies above its null."""
    plain = metrics[metrics["versus"] == "none"].set_index([*COLUMNS, "subset"])
    named = {part: f"generalised_ece{part}" for part in ("", "_null", "_excess")}
    gece, null, excess = (plain.loc[plain["metric"] == name, "value"] for name in named.values())
    both = excess.rename("excess").to_frame().join(gece.rename("gece")).join(null.rename("null"))
    off = both[~((both["excess"] - (both["gece"] - both["null"])).abs() <= _SLACK)]
    return [
        f"{_named(dict(zip(plain.index.names, cell, strict=True)))}: excess {row['excess']:.6g} is not gECE "
        f"{row['gece']:.6g} - null {row['null']:.6g}"
        for cell, row in off.iterrows()
    ]


def values_are_defined(metrics: pd.DataFrame) -> list[str]:
    """Where there are answers there is a number; but AUROC needs two outcomes, and a rank correlation no ties alone."""
    undefined = ~np.isfinite(metrics["value"]) & (metrics["n"] > 0)
    faults = metrics[undefined & ~metrics["metric"].isin(metrics_by("ranks", "propagation"))]
    return [f"{_named(row[CELL])}: {row['n']} answers have no value" for _, row in faults.iterrows()]


def conditions_are_complete(metrics: pd.DataFrame) -> list[str]:
    """A method, reader or variant that one map (or original answer) of the run has, all have.

    A signal that no answer has, has no map; recorded samples may hold no hedged answers; what an
    ablation changed may be tried on some models and datasets alone.
    """
    stated = metrics[(metrics["metric"] == "unscored_rate") & (metrics["versus"] == "none")]
    stated = stated[(stated["target"] != "mean") & (stated["subset"] == "all")]
    stated = stated.loc[(stated["method"] != "hedged_qa") & (stated["variant"] != ATTEMPTED), COLUMNS]
    stated["map"] = (stated["train"] == stated["dataset"]).astype(int) + 2 * (stated["train"] == "none")
    stated["guided"] = stated["signal"] != "none"
    places = stated[["target", "dataset", "train", "signal", "map", "guided"]].drop_duplicates()
    kinds = stated.drop(columns=["target", "dataset", "train", "signal"]).drop_duplicates()
    wanted = kinds.merge(places)
    tried = wanted.merge(stated[["target", "dataset", "variant"]].drop_duplicates())
    wanted = tried.merge(stated, how="left", indicator="found")
    return [
        f"{_named(row[COLUMNS])}: is missing, and stands there for others"
        for _, row in wanted[wanted["found"] == "left_only"].iterrows()
    ]


def counts_add_up(metrics: pd.DataFrame) -> list[str]:
    """The answerable and the unanswerable questions are all questions; what is used alike has as many answers.

    Nothing has more answers than there are.
    """
    faults = []
    plain = metrics[(metrics["versus"] == "none") & (metrics["target"] != "mean")]
    counted = plain.set_index([*COLUMNS, "metric", "subset"])["n"]
    halves = counted[counted.index.get_level_values("subset").isin(HALVES)]
    for cell, n in halves.groupby([*COLUMNS, "metric"], sort=False).sum().items():
        whole = counted.get((*cell, "all"))
        if whole is not None and n != whole:
            faults.append(f"{'/'.join(cell)}: the halves have {n} answers, the whole {whole}")
    used = plain[plain["metric"].isin([*_averages(), *metrics_by("debiased", "floor", "excess")])]
    for cell, n in used.groupby([*COLUMNS, "subset"], sort=False)["n"].unique().items():
        if len(n) > 1:
            about = dict(zip([*COLUMNS, "subset"], cell, strict=True))
            faults.append(
                f"{_named(about)}: metrics of the same answers have {', '.join(map(str, n))} of them"
            )
    asked = plain[plain["metric"] == "unscored_rate"].set_index([*COLUMNS, "subset"])["n"]
    joined = plain.join(asked.rename("asked"), on=[*COLUMNS, "subset"]).dropna(subset=["asked"])
    for _, row in joined[joined["n"] > joined["asked"]].iterrows():
        faults.append(f"{_named(row[CELL])}: {row['n']} answers of {row['asked']}")
    return faults


def losses_are_stated(metrics: pd.DataFrame) -> list[str]:
    """Every condition says how many answers were not attempted, ungraded, unread, or not written by the model."""
    faults = []
    in_part = metrics["variant"].str.startswith("bins=") | metrics["variant"].isin(list(SITUATIONS)[1:])
    plain = metrics[(metrics["versus"] == "none") & ~in_part]
    for cell, rows in plain.groupby([*COLUMNS, "subset"], sort=False):
        if set(rows["metric"]) <= set(metrics_by("propagation")):
            continue  # of each signal, where the answers follow none
        about = dict(zip([*COLUMNS, "subset"], cell, strict=True))
        stated = rows.set_index("metric")["value"]
        expected = rates_of(about["method"], about["space"])
        faults += [f"{_named(about)}: {name} is not stated" for name in expected if name not in stated]
        if "accuracy" not in stated or not set(expected) <= set(stated.index):
            continue
        n = rows.set_index("metric")["n"]
        lost = stated["unparsed_rate"] + stated["unscored_rate"] + stated.get("unanswered_rate", 0.0)
        least = n["unscored_rate"] * (1 - lost)
        dropped = "dropped" in about["variant"] + about["protocol"]
        if about["target"] != "mean" and not dropped and n["accuracy"] < least - 0.5:
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
    "Differences are those of two values": differences_add_up,
    "The excess of gECE lies above its null": excesses_add_up,
    "Answers have values": values_are_defined,
    "Conditions are complete": conditions_are_complete,
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
    single = metrics[~averaged(metrics)]
    found = {name: check(single) for name, check in CHECKS.items()}
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
