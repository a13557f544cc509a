"""The cross-domain reductions, and the paper's numbers beside a run's.

``ralc/data/paper_numbers.csv`` has every number of the paper's tables. A number is the same quantity where target and
dataset have the names that the file declares. ``mean`` is over all five targets, or all three datasets.
"""

from functools import cache

import numpy as np
import pandas as pd

from ralc import data
from ralc.conditions import DEFAULT, MEAN, having
from ralc.registry import HEADLINES
from ralc.report.contents import PAPER_DATASETS, PAPER_TARGETS
from ralc.results import differences, main_evaluator, main_target, plain
from ralc.results.labels import label

RUN = ["run", "ci_low", "ci_high"]
WHERE = ["target", "dataset", "train", "signal", "method", "space", "subset", "variant"]
#: What names a number of the paper, as in the metrics.
PRINTED_KEY = ["quantity", *WHERE, "metric"]
_CELL = ["measure", "signal", "train", "dataset"]


def cross_domain_rows(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return how far RALC lowers FD and gECE when its map comes from this dataset or another.

    ``measure`` is FD or gECE. ``metric`` is one of three. `reduction_percent` is a ratio of means as in the paper, its
    `sd` the real SD over models. `reduction` is absolute, paired by question. `beyond_in_domain` is the error with this
    map minus the error with the test dataset's own. `sd_of_mean` is the SD over the root of the number of models.
    """
    target = main_target(metrics)
    rows = differences(metrics)
    rows = having(rows, method="ralc", target=target, variant=DEFAULT)
    rows = having(rows, metric=HEADLINES).rename(columns={"metric": "measure"})
    lower = having(rows, versus="original").assign(metric="reduction")
    lower = lower.assign(value=-lower["value"], ci_low=-lower["ci_high"], ci_high=-lower["ci_low"])
    beyond = having(rows, versus="in_domain").assign(metric="beyond_in_domain")
    tidy = pd.concat([_percentages(metrics, target), lower, beyond], ignore_index=True)
    return tidy.assign(sd_of_mean=tidy["sd"] / np.sqrt((metrics["target"].unique() != MEAN).sum()))


def _percentages(metrics: pd.DataFrame, target: str) -> pd.DataFrame:
    """Reductions in percent of the value before, and their SD over models for the mean over models."""
    rows = plain(metrics, space="linguistic")
    rows = having(rows, metric=HEADLINES).rename(columns={"metric": "measure"})
    key = ["target", "dataset", "measure"]
    before = having(rows, method="original").set_index(key)["value"].rename("before")
    after = having(rows, method="ralc").join(before, on=key)
    after["percent"] = 100 * (1 - after["value"] / after["before"].where(after["before"] > 0))
    spread = after[after["target"] != MEAN].groupby(_CELL)["percent"].std(ddof=1).rename("spread")
    shown = having(after, target=target).join(spread, on=_CELL)
    shown = shown.assign(sd=shown["spread"] if target == MEAN else np.nan, value=shown["percent"])
    return shown[[*_CELL, "value", "sd", "before"]].assign(metric="reduction_percent")


def replication(metrics: pd.DataFrame, averages: pd.DataFrame, human_benchmark: pd.DataFrame) -> pd.DataFrame:
    """Return the paper's numbers, the run's with their 95 % intervals, and the difference: three rows a number.

    Parameters
    ----------
    metrics
        The run's metrics, of one dataset and signal each.
    averages
        Its means over datasets and signals (`ralc.io.read_results`).
    human_benchmark
        Its evaluators beside people.
    """
    pairs = compared(metrics, averages, human_benchmark)
    suffix = {"reduction": ", reduction", "reduction_percent": ", reduction in %"}
    about = {
        "item": pairs["item"] + ", " + pairs["section"],
        "measure": pairs["metric"].map(label) + pairs["quantity"].map(suffix).fillna(""),
        "of": [_of(row) for row in pairs.to_dict("records")],
        "within": pairs["within"].map({True: "yes", False: "no"}).fillna("no interval"),
        "contradiction": pairs["contradiction"].replace("", "none"),
    }
    names = {"paper": "printed", "run": "this_run", "difference": "printed_difference"}
    parts = [pd.DataFrame(about).assign(metric=metric, value=pairs[name]) for name, metric in names.items()]
    parts[1][RUN[1:]] = pairs[RUN[1:]].astype(float)
    rows = pd.concat(parts, ignore_index=True)
    rows.attrs = {"replicated": replicated(pairs)}
    return rows


def _of(row: dict[str, str]) -> str:
    """What a number is of, without what does not apply."""
    names = {column: row[column] for column in WHERE}
    if row["train"] not in ("none", MEAN):
        names["train"] = f"map of {label(row['train'])}"
    if row["dataset"] == MEAN:
        names |= {"dataset": "mean of datasets", "train": "none"}
    return ", ".join(label(name) for name in names.values() if name not in ("none", "all", DEFAULT))


@cache
def printed() -> pd.DataFrame:
    """Return the paper's numbers: ``item, section``, `PRINTED_KEY`, ``paper, spread`` (after ±), ``contradiction``."""
    table = pd.read_csv(data.path("paper_numbers.csv"), keep_default_na=False, na_values={"spread": [""]})
    return table.rename(columns={"value": "paper"}).astype({"paper": float, "spread": float})


def compared(metrics: pd.DataFrame, averages: pd.DataFrame, human_benchmark: pd.DataFrame) -> pd.DataFrame:
    """Return the paper's numbers that the run has, too: `printed` and `RUN`, ``difference, within``.

    `within`: whether the printed number lies in the run's 95 % interval; null where the run has no interval.

    Parameters
    ----------
    metrics, averages, human_benchmark
        The run's results, as for `replication`.
    """
    agreement = having(human_benchmark, measured="this run").rename(columns={"value": "run"})
    agreement = having(agreement, evaluator=main_evaluator(metrics))[["dataset", "metric", *RUN]]
    none = dict.fromkeys(["target", "train", "signal", "method", "space"], "none")
    agreement = agreement.assign(quantity="benchmark", **none)
    ours = [_plain(metrics), _plain(averages), _reductions(metrics), agreement]
    ours = pd.concat(ours, ignore_index=True)
    defaults = {"method": "ralc", "space": "linguistic", "subset": "all", "variant": DEFAULT}
    ours = ours.fillna({**defaults, "quantity": "value"})
    table = printed()
    for column, names in (("target", PAPER_TARGETS), ("dataset", PAPER_DATASETS)):
        if not set(names) <= set(metrics[column]):
            table = table[table[column] != MEAN]
    table = table.merge(ours[[*PRINTED_KEY, *RUN]], on=PRINTED_KEY, validate="one_to_one").dropna(
        subset="run"
    )
    inside = table["paper"].between(table["ci_low"], table["ci_high"]).astype("boolean")
    return table.assign(
        difference=table["run"] - table["paper"],
        within=inside.mask(table["ci_low"].isna() | table["ci_high"].isna()),
    )


def _plain(metrics: pd.DataFrame) -> pd.DataFrame:
    """Plain numbers, of the default variant and of other maps."""
    rows = having(metrics, versus="none", protocol=metrics["protocol"].iloc[0])
    rows = having(rows, evaluator=["none", main_evaluator(metrics)])
    return rows.rename(columns={"value": "run"})[[*PRINTED_KEY[1:], *RUN]].assign(quantity="value")


def _reductions(metrics: pd.DataFrame) -> pd.DataFrame:
    """The cross-domain reductions of the run, absolute and in percent."""
    columns = ["quantity", "target", "dataset", "train", "signal", "metric", *RUN]
    if not metrics["versus"].eq("in_domain").any():
        return pd.DataFrame(columns=columns)
    rows = cross_domain_rows(metrics)
    absolute = having(rows, metric="reduction").set_index(_CELL)
    percent = having(rows, metric="reduction_percent").set_index(_CELL)
    for end in RUN[1:]:
        percent[end] = 100 * absolute[end] / percent["before"]
    both = pd.concat([absolute, percent]).reset_index().assign(target=main_target(metrics))
    both = both.rename(columns={"metric": "quantity", "measure": "metric", "value": "run"})
    return both[columns]


def replicated(table: pd.DataFrame) -> str:
    """Return the sentence that says how many of the compared numbers were replicated.

    >>> replicated(pd.DataFrame({"within": pd.array([True, False, None], "boolean"), "contradiction": ["", "x", ""]}))
    "Replicated: 1 of 2 numbers lie in the run's 95 % intervals (1 of 1 where the paper does not contradict itself)."
    """
    judged = table.dropna(subset="within")
    sound = having(judged, contradiction="")
    return (
        f"Replicated: {judged['within'].sum()} of {len(judged)} numbers lie in the run's 95 % intervals "
        f"({sound['within'].sum()} of {len(sound)} where the paper does not contradict itself)."
    )
