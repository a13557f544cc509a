"""The paper's numbers beside a run's (``ralc/data/paper_numbers.csv``, every number of the paper's tables).

A number is the same quantity where target and dataset have the names that the file declares; ``mean`` is over all five
targets, or all three datasets. Pages are not known: a number is found by its table and section.
"""

from collections.abc import Collection
from functools import cache

import pandas as pd

from ralc import data
from ralc.conditions import MEAN
from ralc.results.select import main_reader

#: What names a number of the paper, as in the metrics.
KEY = ["quantity", "target", "dataset", "train", "signal", "method", "space", "subset", "variant", "metric"]
RUN = ["run", "ci_low", "ci_high"]


@cache
def printed() -> pd.DataFrame:
    """The paper's numbers: ``item, section``, `KEY`, ``paper, spread`` (after ±; null where none),
    ``contradiction``."""
    table = pd.read_csv(data.path("paper_numbers.csv"), keep_default_na=False, na_values={"spread": [""]})
    return table.rename(columns={"value": "paper"}).astype({"paper": float, "spread": float})


def targets_and_datasets() -> tuple[list[str], list[str]]:
    """The names under which a run's targets and datasets are the paper's.

    >>> targets_and_datasets()[1]
    ['squad2', 'mmlu', 'truthfulqa']
    """
    of_models = printed().query("quantity == 'value'")
    return tuple(
        [name for name in of_models[column].unique() if name != MEAN] for column in ("target", "dataset")
    )


def comparable(targets: Collection[str], datasets: Collection[str]) -> bool:
    """Whether a run of these has a number of the paper's."""
    theirs = targets_and_datasets()
    return bool(set(targets) & set(theirs[0]) and set(datasets) & set(theirs[1]))


def compared(
    metrics: pd.DataFrame, averages: pd.DataFrame, human_benchmark: pd.DataFrame, reductions: pd.DataFrame
) -> pd.DataFrame:
    """Return the paper's numbers that the run has, too: `printed` and `RUN`, ``difference, within``.

    `reductions` are the run's cross-domain reductions, ``quantity, target, dataset, train, signal, metric`` and `RUN`.
    `within`: whether the printed number lies in the run's 95 % interval; null where the run has no interval.
    """
    own = pd.concat(
        [_plain(metrics), _plain(averages), _benchmark(human_benchmark, main_reader(metrics)), reductions],
        ignore_index=True,
    )
    defaults = {"method": "ralc", "space": "linguistic", "subset": "all", "variant": "default"}
    own = own.fillna({**defaults, "quantity": "value"})
    table = printed()
    targets, datasets = targets_and_datasets()
    whole = {
        "target": set(targets) <= set(metrics["target"]),
        "dataset": set(datasets) <= set(metrics["dataset"]),
    }
    for column, all_there in whole.items():
        if not all_there:
            table = table[table[column] != MEAN]
    table = table.merge(own[[*KEY, *RUN]], on=KEY, validate="one_to_one").dropna(subset="run")
    inside = table["paper"].between(table["ci_low"], table["ci_high"]).astype("boolean")
    return table.assign(
        difference=table["run"] - table["paper"],
        within=inside.mask(table["ci_low"].isna() | table["ci_high"].isna()),
    )


def verdict(table: pd.DataFrame) -> str:
    """Return the sentence that says how many of the compared numbers were replicated.

    >>> verdict(pd.DataFrame({"within": pd.array([True, False, None], "boolean"), "contradiction": ["", "x", ""]}))
    "Replicated: 1 of 2 numbers lie in the run's 95 % intervals (1 of 1 where the paper does not contradict itself)."
    """
    known = table.dropna(subset="within")
    sound = known[known["contradiction"] == ""]
    if known.empty:
        return "Replicated: nothing can be said, as no compared number has an interval."
    return (
        f"Replicated: {known['within'].sum()} of {len(known)} numbers lie in the run's 95 % intervals "
        f"({sound['within'].sum()} of {len(sound)} where the paper does not contradict itself)."
    )


def _plain(metrics: pd.DataFrame) -> pd.DataFrame:
    """Plain numbers, of the default variant and of other maps."""
    rows = metrics[(metrics["versus"] == "none") & (metrics["protocol"] == metrics["protocol"].iloc[0])]
    heard = rows["reader"].isin(["none", main_reader(metrics)])
    return rows[heard].rename(columns={"value": "run"})[[*KEY[1:], *RUN]].assign(quantity="value")


def _benchmark(human_benchmark: pd.DataFrame, reader: str) -> pd.DataFrame:
    """How the run's own evaluator agrees with people."""
    rows = human_benchmark[
        (human_benchmark["measured"] == "this run") & (human_benchmark["reader"] == reader)
    ]
    rows = rows.rename(columns={"value": "run"})[["dataset", "metric", *RUN]]
    none = dict.fromkeys(["target", "train", "signal", "method", "space"], "none")
    return rows.assign(quantity="benchmark", **none)
