"""What the paper printed beside what came out."""

import pandas as pd

from ralc.names import METRICS
from ralc.report.tables.cross_domain import cross_domain
from ralc.report.tables.headline import abstentions_in
from ralc.results.labels import label
from ralc.results.paper_numbers import RUN, compared, verdict
from ralc.results.select import main_target, plain

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
        "title": "The paper's numbers and this run's",
        "notes": [
            verdict(found),
            "An interval covers the run's own questions, readings fixed; the paper's numbers have an error of their "
            "own, so that fewer than 95 % would lie within even were nothing different.",
            "A reduction in percent has the interval of the absolute one, divided by the value before. The last "
            "column says what in the paper contradicts the number.",
            *abstentions_in(metrics),
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
