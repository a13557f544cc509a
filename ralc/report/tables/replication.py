"""The paper's numbers beside a run's (``ralc/data/paper_numbers.csv``: every number of the paper's tables).

A number is the same quantity where target and dataset have the names that the file declares; ``mean`` is over all five
targets, or all three datasets.
"""

from functools import cache

import pandas as pd

from ralc import data
from ralc.conditions import MEAN
from ralc.registry import METRICS
from ralc.report.contents import PAPER_DATASETS, PAPER_TARGETS
from ralc.report.tables.cross_domain import cross_domain
from ralc.report.tables.specs import abstentions
from ralc.results.filters import main_evaluator, main_target, plain
from ralc.results.labels import label

#: What names a number of the paper, as in the metrics.
KEY = ["quantity", "target", "dataset", "train", "signal", "method", "space", "subset", "variant", "metric"]
RUN = ["run", "ci_low", "ci_high"]
WHERE = ["target", "dataset", "train", "signal", "method", "space", "subset", "variant"]


def replication(metrics: pd.DataFrame, averages: pd.DataFrame, human_benchmark: pd.DataFrame) -> pd.DataFrame:
    """The paper's numbers, the run's with their 95 % intervals, the difference, and whether it lies within them.

    Parameters
    ----------
    metrics
        The metrics table.
    averages
        Its means over datasets and signals.
    human_benchmark
        The human benchmark table.

    Returns
    -------
    DataFrame, one row a number, index (table, quantity, what it is of, within, what contradicts it), columns
    (quantity, part).
    """
    found = compared(metrics, averages, human_benchmark, _reductions(metrics))
    table = pd.DataFrame(
        {
            ("printed", "value"): found["paper"],
            ("this_run", "value"): found["run"],
            **{("this_run", end): found[end] for end in RUN[1:]},
            ("printed_difference", "value"): found["difference"],
        }
    ).astype(float)
    about = pd.DataFrame(
        {
            "item": found["item"] + ", " + found["section"],
            "metric": [_named(row) for row in found.itertuples()],
            "of": [_of(row) for row in found.to_dict("records")],
            "within": found["within"].map({True: "yes", False: "no"}).fillna("no interval"),
            "contradiction": found["contradiction"].replace("", "none"),
        }
    )
    table.index = pd.MultiIndex.from_frame(about)
    table.columns = table.columns.set_names(["quantity", "part"])
    table.attrs = {
        "notes": [
            replicated(found),
            "An interval covers the run's own questions. The paper's numbers have an error of their own.",
            "A reduction in percent has the interval of the absolute one, divided by the value before.",
            "The last column says what in the paper contradicts the number.",
            *filter(None, [abstentions(metrics)]),
        ],
    }
    return table


def _named(row: tuple) -> str:
    """What a number is."""
    title = METRICS[row.metric].title
    return {"reduction": f"{title}, reduction", "reduction_percent": f"{title}, reduction in %"}.get(
        row.quantity, title
    )


def _of(row: dict[str, str]) -> str:
    """What a number is of, without what does not apply."""
    names = [row[column] for column in WHERE]
    if row["train"] not in ("none", "mean"):
        names[WHERE.index("train")] = f"map of {label(row['train'])}"
    if row["dataset"] == "mean":
        names[WHERE.index("dataset")] = "mean of datasets"
        names[WHERE.index("train")] = "none"
    return ", ".join(label(name) for name in names if name not in ("none", "all", "default"))


def _reductions(metrics: pd.DataFrame) -> pd.DataFrame:
    """The cross-domain reductions of the run, absolute and in percent."""
    target = main_target(metrics)
    if not metrics["versus"].eq("in_domain").any():
        return pd.DataFrame(columns=["quantity", "target", "dataset", "train", "signal", "metric", *RUN])
    table = cross_domain(metrics)
    table = table.stack(["dataset", "quantity"], future_stack=True).reset_index()  # noqa: PD013
    table = table.reindex(columns=[*table, *({"ci_low", "ci_high"} - {*table})])
    table = table[table["quantity"].isin(["reduction", "reduction_percent"])].rename(columns={"value": "run"})
    rows = plain(metrics, space="linguistic", target=target)
    before = rows[rows["method"] == "original"].set_index(["dataset", "metric"])["value"].rename("before")
    absolute = table[table["quantity"] == "reduction"].set_index(["metric", "signal", "train", "dataset"])
    scaled = absolute.reset_index().join(before, on=["dataset", "metric"])
    scaled = scaled.assign(**{end: 100 * scaled[end] / scaled["before"] for end in RUN[1:]})
    percent = table[table["quantity"] == "reduction_percent"].drop(columns=RUN[1:])
    percent = percent.merge(scaled[["metric", "signal", "train", "dataset", *RUN[1:]]])
    return pd.concat([absolute.reset_index(), percent]).assign(target=target)[
        ["quantity", "target", "dataset", "train", "signal", "metric", *RUN]
    ]


@cache
def printed() -> pd.DataFrame:
    """The paper's numbers: ``item, section``, `KEY`, ``paper, spread`` (after ±; null where none),
    ``contradiction``."""
    table = pd.read_csv(data.path("paper_numbers.csv"), keep_default_na=False, na_values={"spread": [""]})
    return table.rename(columns={"value": "paper"}).astype({"paper": float, "spread": float})


def compared(
    metrics: pd.DataFrame, averages: pd.DataFrame, human_benchmark: pd.DataFrame, reductions: pd.DataFrame
) -> pd.DataFrame:
    """Return the paper's numbers that the run has, too: `printed` and `RUN`, ``difference, within``.

    `reductions` are the run's cross-domain reductions, ``quantity, target, dataset, train, signal, metric`` and `RUN`.
    `within`: whether the printed number lies in the run's 95 % interval; null where the run has no interval.
    """
    own = pd.concat(
        [_plain(metrics), _plain(averages), _benchmark(human_benchmark, main_evaluator(metrics)), reductions],
        ignore_index=True,
    )
    defaults = {"method": "ralc", "space": "linguistic", "subset": "all", "variant": "default"}
    own = own.fillna({**defaults, "quantity": "value"})
    table = printed()
    for column, names in (("target", PAPER_TARGETS), ("dataset", PAPER_DATASETS)):
        if not set(names) <= set(metrics[column]):
            table = table[table[column] != MEAN]
    table = table.merge(own[[*KEY, *RUN]], on=KEY, validate="one_to_one").dropna(subset="run")
    inside = table["paper"].between(table["ci_low"], table["ci_high"]).astype("boolean")
    return table.assign(
        difference=table["run"] - table["paper"],
        within=inside.mask(table["ci_low"].isna() | table["ci_high"].isna()),
    )


def replicated(table: pd.DataFrame) -> str:
    """Return the sentence that says how many of the compared numbers were replicated.

    >>> replicated(pd.DataFrame({"within": pd.array([True, False, None], "boolean"), "contradiction": ["", "x", ""]}))
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
    heard = rows["evaluator"].isin(["none", main_evaluator(metrics)])
    return rows[heard].rename(columns={"value": "run"})[[*KEY[1:], *RUN]].assign(quantity="value")


def _benchmark(human_benchmark: pd.DataFrame, evaluator: str) -> pd.DataFrame:
    """How the run's own evaluator agrees with people."""
    rows = human_benchmark[
        (human_benchmark["measured"] == "this run") & (human_benchmark["evaluator"] == evaluator)
    ]
    rows = rows.rename(columns={"value": "run"})[["dataset", "metric", *RUN]]
    none = dict.fromkeys(["target", "train", "signal", "method", "space"], "none")
    return rows.assign(quantity="benchmark", **none)
