"""A table as a specification: which rows of the metrics, what names them, which numbers, which notes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd

from ralc.conditions import DEFAULT, MEAN
from ralc.registry import ABSTAINING, CONTROLLED, HALVES, HEADLINES, METHODS, SIGNALS
from ralc.results import holm_families
from ralc.results.filters import main_evaluator, plain
from ralc.results.labels import in_order, label, listed

WHOLE = ("all", *HALVES, *ABSTAINING)


@dataclass(frozen=True)
class Spec:
    """A table over the metrics.

    Parameters
    ----------
    rows
        Takes the results tables of the report's contents, and returns the rows shown.
    index
        Columns that name a row of the table.
    quantities
        Metrics shown, in this order; those that no row has are left out.
    columns
        A column whose values head groups of quantities; empty for none.
    parts
        Of each quantity: value, ci_low, ci_high, sd, p_value. Empty ones are left out.
    notes
        Below the table; ``{evaluator}``, ``{abstained}`` and ``{tests}`` are filled in.
    best_within
        Index columns inside which the best value is bold.
    difference
        Whether values are differences, marked where they are shown to be better or worse.
    shade
        An index column and a column level: cells where both are equal are shaded.
    """

    rows: Callable[..., pd.DataFrame]
    index: tuple[str, ...]
    quantities: tuple[str, ...]
    columns: str = ""
    parts: tuple[str, ...] = ("value", "ci_low", "ci_high", "sd")
    notes: tuple[str, ...] = ()
    best_within: tuple[str, ...] = ()
    difference: bool = False
    shade: tuple[str, ...] = ()


def shown(spec: Spec, metrics: pd.DataFrame, **results: pd.DataFrame) -> pd.DataFrame:
    """Return the table of a specification."""
    rows = spec.rows(metrics, **results)
    index, quantities = list(spec.index), list(spec.quantities)
    if spec.columns:
        heads = in_order(rows[spec.columns], {"method": METHODS, "signal": SIGNALS}.get(spec.columns, ()))
        parts = {
            head: widen(rows[rows[spec.columns] == head], index, quantities, spec.parts) for head in heads
        }
        keys = pd.MultiIndex.from_frame(ordered(rows, index)[index].drop_duplicates())
        table = pd.concat(parts, axis=1, names=[spec.columns]).reindex(keys)
    else:
        table = widen(rows, index, quantities, spec.parts)
    tests = holm_families.stated(rows) if "family" in rows else ""
    facts = {"evaluator": label(main_evaluator(metrics)), "abstained": abstentions(metrics), "tests": tests}
    notes = [note.format_map(facts) for note in spec.notes]
    table.attrs = {"notes": [note for note in notes if note], "difference": spec.difference}
    table.attrs |= {"best_within": list(spec.best_within), "shade": list(spec.shade)}
    return table


def widen(
    rows: pd.DataFrame, index: list[str], quantities: Sequence[str], parts: Sequence[str]
) -> pd.DataFrame:
    """Return one row a condition, columns (quantity, part), and `n`, the most answers of a quantity.

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
    table = rows.set_index([*index, "metric"])[list(parts)].unstack("metric").swaplevel(axis=1)  # noqa: PD010
    table = table.reindex(pd.MultiIndex.from_frame(keys) if len(index) > 1 else keys[index[0]])
    filled = [quantity for quantity in quantities if (quantity, "value") in table]
    table = table[
        [(q, part) for q in filled for part in parts if part == "value" or table[(q, part)].notna().any()]
    ]
    table[("n", "value")] = rows.groupby(index)["n"].max().reindex(table.index).astype("float64")
    table.columns = table.columns.set_names(["quantity", "part"])
    return table


def values(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of numbers with its columns as (quantity, part): the one part is ``value``."""
    table = table.astype("float64")
    return table.set_axis(
        pd.MultiIndex.from_product([table.columns, ["value"]], names=["quantity", "part"]), axis=1
    )


def ordered(frame: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """Return rows sorted: models and datasets as they came, methods and signals in the tables' order."""
    orders = {
        "method": METHODS,
        "versus": METHODS,
        "signal": ["none", *SIGNALS],
        "subset": [*WHOLE, *CONTROLLED],
        "space": ["linguistic", "signal"],
        "map": ["uncalibrated", DEFAULT],
        "measure": HEADLINES,
    }
    ranks = {}
    for column in columns:
        order = in_order(frame[column], orders.get(column, ()))
        ranks[column] = frame[column].map({value: place for place, value in enumerate(order)})
    return frame.loc[pd.DataFrame(ranks).sort_values(columns, kind="stable").index]


def abstentions(metrics: pd.DataFrame) -> str:
    """Return the note that says how many answers abstain; empty where no dataset has some that do and do not."""
    rows = plain(metrics, space="linguistic", apart=True)
    rows = rows[(rows["method"] == "original") & (rows["metric"] == "accuracy") & (rows["target"] != MEAN)]
    sizes = rows.groupby(["subset", "dataset"], sort=False)["n"].sum()
    if "abstained" not in sizes:
        return ""
    some = [f"{n:,} of {sizes['all', name]:,} on {label(name)}" for name, n in sizes["abstained"].items()]
    return f"Answers that abstain count as the others ({listed(some)}). The headline also shows them apart."
