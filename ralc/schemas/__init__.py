"""The tables that pass between the rules: columns, types and ranges, checked at every write and read.

A table is known by its name: ``check(frame, "items")``. Columns holding lists (choices, hedges,
log-probabilities) are checked for presence alone. Text that does not apply is ``none``, a number
that does not apply is null.
"""

from collections.abc import Collection

import pandas as pd
import pandera.pandas as pa

from ralc.schemas.declared import ORIGINS, TABLES

__all__ = ["ORIGINS", "TABLES", "check"]


def check(frame: pd.DataFrame, table: str, columns: Collection[str] | None = None) -> pd.DataFrame:
    """Return `frame` with the columns of `table` (or only those among `columns`) first and their types made exact.

    Raises
    ------
    ValueError
        Naming the table, the column, the rule that is broken and the first offending row.
    """
    rules = {name: rule for name, rule in TABLES[table].items() if columns is None or name in columns}
    schema = pa.DataFrameSchema(rules)
    try:
        checked = schema.validate(frame)
    except (pa.errors.SchemaError, pa.errors.SchemaErrors) as error:
        raise ValueError(f"table {table!r}: {_first_fault(error)}") from None
    return checked[[*rules, *(column for column in checked.columns if column not in rules)]]


def _first_fault(error: pa.errors.SchemaError | pa.errors.SchemaErrors) -> str:
    """The first broken rule in words."""
    if isinstance(error, pa.errors.SchemaErrors):  # of values that are not of the type, gathered
        error = error.schema_errors[0]
    cases = getattr(error, "failure_cases", None)
    where = ""
    if isinstance(cases, pd.DataFrame) and len(cases) and "index" in cases:
        first = cases.iloc[0]
        where = f"; first at row {first['index']}: {first['failure_case']!r}"
    return str(error).splitlines()[0].rstrip(":") + where
