"""Tables of the report: views of the results, each a specification, all made by one function."""

from collections.abc import Mapping, Sequence

import pandas as pd

from ralc.conditions import DEFAULT, having
from ralc.registry import CONTROLLED, HEADLINES, METHODS, SIGNALS
from ralc.report.contents import TABLES
from ralc.report.rendering import save_table
from ralc.report.tables.rows import WHOLE
from ralc.report.tables.specs import SPECS
from ralc.results import main_evaluator
from ralc.results.holm_families import stated
from ralc.results.labels import DOORS, YARDSTICKS, in_order, label

__all__ = ["save_table", "tabulate"]

#: The order of the values of a column; others stand as they came.
_ORDERS = {
    "dataset": [*YARDSTICKS],
    "method": [*METHODS],
    "versus": [*METHODS],
    "signal": ["none", *SIGNALS],
    "subset": [*WHOLE, *CONTROLLED],
    "space": ["linguistic", "signal"],
    "map": ["uncalibrated", DEFAULT],
    "door": [*DOORS],
    "measure": HEADLINES,
}


def tabulate(name: str, results: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return a table of the report by its name (`ralc.report.contents.TABLES`), from the results tables by theirs.

    It has one row a condition, the last column levels (quantity, part); `attrs` say how `save_table` writes it.

    Raises
    ------
    ValueError
        If the results have nothing to show, or give one number twice.
    """
    spec = SPECS[name]
    inputs = {table: results[table] for table in TABLES[name].results}
    rows = spec.rows(**inputs)
    index = list(spec.index)
    quantities = list(spec.quantities)
    if spec.columns:
        groups = dict(list(rows.groupby(spec.columns)))
        heads = in_order(rows[spec.columns], _ORDERS.get(spec.columns, ()))
        parts = {head: widen(groups[head], index, quantities, spec.parts) for head in heads}
        table = pd.concat(parts, axis=1, names=[spec.columns]).reindex(_keys(rows, index))
    else:
        table = widen(rows, index, quantities, spec.parts)
    facts = {"tests": stated(rows) if "family" in rows else ""} | rows.attrs
    if "metrics" in inputs:
        facts |= {"evaluator": label(main_evaluator(inputs["metrics"]))}
    notes = (note.format_map(facts) for note in spec.notes)
    table.attrs = {
        "title": TABLES[name].title,
        "notes": [note for note in notes if note],
        "shade": spec.shade,
        "best_within": list(spec.best_within),
        "difference": spec.difference,
    }
    return table


def widen(
    rows: pd.DataFrame, index: list[str], quantities: Sequence[str], parts: Sequence[str]
) -> pd.DataFrame:
    """Return one row a condition, columns (quantity, part), and `n`, the most answers of a quantity.

    Quantities that no row has, and parts that are empty, are left out.

    Parameters
    ----------
    rows
        A number a row, with ``metric``, the columns of `index`, and those of `parts`.
    index
        Columns whose values name a row of the table.
    quantities
        Metrics that are shown, in their order.
    parts
        Columns that are shown of each: ``value``, ``sd``, ``ci_low``, ``ci_high``, ``p_value``.

    Raises
    ------
    ValueError
        If two rows give the same number, naming the first.
    """
    rows = having(rows, metric=quantities).reset_index(drop=True)
    twice = rows.duplicated([*index, "metric"])
    if twice.any():
        first = rows.loc[twice.idxmax(), [*index, "metric"]].to_dict()
        raise ValueError(f"metrics: two rows for one number: {first}")
    keys = _keys(rows, index)
    parts = [part for part in parts if part in rows]
    table = rows.set_index([*index, "metric"])[parts].unstack("metric").swaplevel(axis=1)  # noqa: PD010
    table = table.reindex(keys).astype("float64")
    filled = [quantity for quantity in quantities if (quantity, "value") in table]
    table = table[
        [(q, part) for q in filled for part in parts if part == "value" or table[(q, part)].notna().any()]
    ]
    if "n" in rows:
        table[("n", "value")] = rows.groupby(index)["n"].max().reindex(table.index).astype("float64")
    table.columns = table.columns.set_names(["quantity", "part"])
    return table


def _keys(rows: pd.DataFrame, columns: list[str]) -> pd.MultiIndex:
    """The distinct values of these columns, each in the order of the tables."""
    ranks = {column: in_order(rows[column], _ORDERS.get(column, ())) for column in columns}
    keys = rows[columns].drop_duplicates()
    keys = keys.sort_values(columns, key=lambda values: values.map(ranks[values.name].index))
    return pd.MultiIndex.from_frame(keys)
