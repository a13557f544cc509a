"""Tables of the report: views of `items.parquet` and `metrics.parquet`, written as CSV, HTML and LaTeX."""

from collections.abc import Mapping

import pandas as pd

from ralc.report.contents import TABLES as CONTENTS
from ralc.report.tables.items import counts, human_benchmark, maps, sentences, signal_profile
from ralc.report.tables.render import save_table
from ralc.report.tables.replication import replication
from ralc.report.tables.specs import SPECS
from ralc.report.tables.view import shown

__all__ = ["save_table", "tabulate"]

_FUNCTIONS = (replication, human_benchmark, maps, signal_profile, counts, sentences)
_MADE_BY = {function.__name__: function for function in _FUNCTIONS}


def tabulate(name: str, results: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return a table of the report by its name (`ralc.report.contents.TABLES`).

    Parameters
    ----------
    name
        Of the table.
    results
        The results tables by their names; those that the table shows must be there.

    Returns
    -------
    DataFrame, one row a condition, the last column levels (quantity, part); `attrs` say how `save_table` writes it.
    """
    tables = {table: results[table] for table in CONTENTS[name].results}
    table = shown(SPECS[name], **tables) if name in SPECS else _MADE_BY[name](**tables)
    table.attrs["title"] = CONTENTS[name].title
    return table
