"""Choosing rows of the two results tables: one protocol, the default variant, whole datasets."""

import numpy as np
import pandas as pd

from ralc.names import (
    ABSTAINING,
    CONTROLLED,
    DISCRIMINATION,
    HALVES,
    HEADLINES,
    METHODS,
    PAPER_SIGNALS,
    SIGNALS,
    methods_by,
)
from ralc.results.families import corrected
from ralc.results.labels import in_order
from ralc.results.worth import LOOP, independent

CONDITION = ["target", "dataset", "method", "signal"]
#: The level of a corrected p-value up to which a difference is said to be better or worse.
LEVEL = 0.05


def readers_of(frame: pd.DataFrame) -> list[str]:
    """The readers in the order of the run's configuration: the evaluator in the loop, then `roles.judges`.

    The results keep that order: readings are made reader by reader (`Roles.readers`). Who reads a variant alone
    (`people`) is not among them.
    """
    return in_order(frame.loc[(frame["reader"] != "none") & (frame["variant"] == "default"), "reader"])


def main_reader(frame: pd.DataFrame) -> str:
    """The reader whose numbers are the headline.

    Under `ralc` the first of `roles.judges` that is independent of the loop and valid (`ralc.results.worth`), else the
    first of them, where there is one: the reader that built the lexicon also helped to choose rewrites, so it must not
    be the only judge. Under `paper` and `authors` the run's evaluator, as in the paper.
    """
    names = readers_of(frame)
    if not names:
        return "none"
    loop, *judges = names
    if not judges or main_protocol(frame).split("+")[0] in ("paper", "authors"):
        return loop
    return next((judge for judge in judges if loop == LOOP and independent(judge)), judges[0])


def graded(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of metrics of the original answers and RALC whose `n` counts the answers that have a grade.

    Others count what can be read: an answer without a grade has its words.
    """
    return rows[rows["metric"].isin(HEADLINES + DISCRIMINATION) & rows["method"].isin(["original", "ralc"])]


def verdict(low: float, high: float, p_value: float, better: str | None) -> str:
    """Whether a difference is for the `better`, the `worse`, or `unclear`: on which side of 0 its interval lies.

    Nothing is said without an interval, nor where the p-value, corrected over the comparisons that are shown together,
    is above .05.

    >>> verdict(-0.2, -0.05, 0.01, "lower"), verdict(-0.2, -0.05, 0.2, "lower")
    ('better', 'unclear')
    """
    known = np.isfinite([low, high]).all() and p_value <= LEVEL
    if better is None or not known or low <= 0 <= high:
        return "unclear"
    return "better" if (high < 0) == (better == "lower") else "worse"


def main_target(metrics: pd.DataFrame) -> str:
    """The mean over models where there is one, else the first model."""
    targets = in_order(metrics["target"])
    if not targets:
        raise ValueError("metrics: no rows, so there is nothing to show")
    return "mean" if "mean" in targets else targets[0]


def main_signal(frame: pd.DataFrame) -> str:
    """The signal that guides the rewrites shown: semantic uncertainty where it ran."""
    ran = in_order(frame.loc[frame["method"] == "ralc", "signal"], [*reversed(PAPER_SIGNALS), *SIGNALS])
    if not ran:
        raise ValueError("results: no rows of method 'ralc'")
    return ran[0]


def readers_outside(frame: pd.DataFrame) -> list[str]:
    """The readers that had no part in choosing words; the headline's own where there is none."""
    return readers_of(frame)[1:] or [main_reader(frame)]


def main_protocol(frame: pd.DataFrame) -> str:
    """The run's own protocol: that of the texts; others stand beside it in signal space alone."""
    own = frame[frame["space"] == "linguistic"]
    names = in_order((own if len(own) else frame)["protocol"])
    if not names:
        raise ValueError("results: no rows, so there is nothing to show")
    return names[0]


def plain(
    frame: pd.DataFrame,
    *,
    space: str | None = None,
    reader: str | None = None,
    target: str | None = None,
    unguided: bool = False,
    apart: bool = False,
) -> pd.DataFrame:
    """Rows of the default variant and one protocol; of metrics, whole datasets and no differences.

    Parameters
    ----------
    frame
        Items or metrics.
    space
        ``signal`` or ``linguistic``; None takes both.
    reader
        Who read the texts, in linguistic space; None takes the headline reader. Signal space has none.
    target
        A model, or `mean`; None takes all.
    unguided
        Whether to take the correlations with each signal of words that none of them guided (Hedged QA), too.
    apart
        Of metrics, whether the answers that abstain and those that do not are shown apart, too.
    """
    chosen = frame[(frame["variant"] == "default") & (frame["protocol"] == main_protocol(frame))]
    if "subset" in chosen:
        chosen = chosen[chosen["subset"].isin(["all", *(ABSTAINING if apart else ())])]
    for column, value in (("versus", "none"), ("space", space), ("target", target)):
        if column in chosen and value is not None:
            chosen = chosen[chosen[column] == value]
    followed = (chosen["signal"] == "none") | chosen["method"].isin(methods_by(guided=True))
    chosen = chosen[unguided | followed | (chosen["space"] == "signal")]
    return one_reader(chosen, reader or main_reader(frame))


def one_reader(rows: pd.DataFrame, reader: str) -> pd.DataFrame:
    """Rows of signal space and of numbers, which have no reader, and those of one reader."""
    return rows[(rows["space"] != "linguistic") | rows["reader"].isin([reader, "none"])]


def differences(
    metrics: pd.DataFrame,
    *,
    space: str = "linguistic",
    reader: str | None = None,
    variants: bool = False,
    apart: bool = False,
) -> pd.DataFrame:
    """Rows that are paired differences in one space: whole datasets, one reader; `variants` takes those, too.

    Where `apart`, also of the answers that abstain and that do not. Their p-values are those of their families
    (`ralc.results.families.corrected`).
    """
    rows = corrected(metrics[metrics["protocol"] == main_protocol(metrics)])
    rows = rows if apart else rows[rows["subset"] == "all"]
    rows = rows[(variants | (rows["variant"] == "default")) & (rows["space"] == space)]
    return rows[rows["reader"] == ("none" if space == "signal" else reader or main_reader(metrics))]


def in_domain(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows whose map was fitted on their own dataset, or that need no map."""
    return frame[(frame["train"] == frame["dataset"]) | (frame["train"] == "none")]


def one(rows: pd.DataFrame, **condition: str) -> pd.Series | None:
    """The one row that meets `condition`, or None where no row does.

    Raises
    ------
    ValueError
        If several rows meet it: the results are ambiguous.
    """
    found = rows
    for column, value in condition.items():
        found = found[found[column] == value]
    if len(found) > 1:
        raise ValueError(f"results: {len(found)} rows where one is expected, for {condition}")
    return found.iloc[0] if len(found) else None


def spread(frame: pd.DataFrame, levels: str | list[str]) -> pd.DataFrame:
    """Index levels moved to the columns; unlike `pivot_table`, two numbers for one cell are an error."""
    return frame.unstack(levels)  # noqa: PD010


def values(table: pd.DataFrame) -> pd.DataFrame:
    """A table of numbers with its columns as (quantity, part): the one part is ``value``."""
    return pd.concat({"value": table}, axis="columns", names=["part", "quantity"]).swaplevel(axis="columns")


def ordered(frame: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """Rows sorted: models and datasets as they came, methods and signals in the paper's order."""
    orders = {
        "method": METHODS,
        "versus": METHODS,
        "signal": ["none", *SIGNALS],
        "asked": [str(n) for n in range(1, 101)],
        "subset": ["all", *HALVES, *ABSTAINING, *CONTROLLED],
    }
    ranks = {}
    for column in columns:
        order = in_order(frame[column], orders.get(column, ()))
        ranks[column] = frame[column].map({value: place for place, value in enumerate(order)})
    return frame.loc[pd.DataFrame(ranks).sort_values(columns, kind="stable").index]


def widen(rows: pd.DataFrame, index: list[str], quantities: list[str], parts: list[str]) -> pd.DataFrame:
    """One row a condition, columns (quantity, part): the form that `save_table` prints.

    Parameters
    ----------
    rows
        Rows of metrics.
    index
        Columns that name a condition; together with `metric` they are unique.
    quantities
        Metrics to show, in this order; those that no row has are left out.
    parts
        Of each quantity, columns of metrics: value, ci_low, ci_high, sd, p_value. Empty ones are left
        out.

    Raises
    ------
    ValueError
        If two rows give the same number, naming the first.
    """
    rows = rows[rows["metric"].isin(quantities)].reset_index(drop=True)
    twice = rows.duplicated([*index, "metric"])
    if twice.any():
        first = rows.loc[twice.idxmax(), [*index, "metric"]].to_dict()
        raise ValueError(f"metrics: two rows for one number: {first}")
    keys = ordered(rows, index)[index].drop_duplicates()
    table = spread(rows.set_index([*index, "metric"])[parts], "metric").swaplevel(axis=1)
    table = table.reindex(pd.MultiIndex.from_frame(keys) if len(index) > 1 else keys[index[0]])
    shown = [q for q in quantities if (q, "value") in table]
    table = table[
        [(q, part) for q in shown for part in parts if part == "value" or table[(q, part)].notna().any()]
    ]
    count = rows.groupby(index)["n"].max().reindex(table.index)
    table[("n", "value")] = count.astype("float64")
    table.columns = table.columns.set_names(["quantity", "part"])
    return table
