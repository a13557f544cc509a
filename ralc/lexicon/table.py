"""The lexicon as a typed table: one row an expression, its confidence a Beta."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ralc.beta import Beta

if TYPE_CHECKING:  # who puts answers into words does not wait for tables to load
    import pandas as pd

COLUMNS = ("expression", "source", "frame", "alpha", "beta", "n", "flags")
WIDEST_GAP = 0.05


class Lexicon:
    """Hedging expressions with the confidence that they are read as (paper section 4.2).

    Parameters
    ----------
    table
        A DataFrame, or columns by their names: at least ``expression, source, frame, alpha, beta, n, flags``. It is
        sorted by expression.

    Raises
    ------
    ValueError
        If a column is missing or of another length, the table is empty, an expression or its flags are no text, or an
        expression stands there twice.
    """

    def __init__(self, table: pd.DataFrame | Mapping[str, Any]) -> None:
        missing = [column for column in COLUMNS if column not in table]
        if missing:
            raise ValueError(f"lexicon: no column {missing[0]!r}")
        size = len(table["expression"])
        if not size:
            raise ValueError("lexicon: no expressions")
        for name in table:
            if len(table[name]) != size:
                raise ValueError(f"lexicon: {size} expressions, but {len(table[name])} in column {name!r}")
        for name in ("expression", "flags"):
            for row, text in enumerate(table[name]):
                if not isinstance(text, str):
                    raise ValueError(f"lexicon: {name} of row {row} is no text: {text!r}")
        repeated = [one for one, count in Counter(table["expression"]).items() if count > 1]
        if repeated:
            raise ValueError(f"lexicon: {repeated[0]!r} stands there twice")
        order = np.argsort(np.asarray(table["expression"], dtype=object))
        #: Its columns by their names, each an array.
        self.columns = {name: _array(table[name])[order] for name in table}

    @property
    def table(self) -> pd.DataFrame:
        """The lexicon as a DataFrame of its own: of one that you change make another lexicon."""
        import pandas as pd

        return pd.DataFrame(self.columns)

    def __repr__(self) -> str:
        """Return its table's."""
        return f"Lexicon(table={self.table!r})"

    def __len__(self) -> int:
        """Return the number of expressions."""
        return len(self.columns["expression"])

    @property
    def confidence(self) -> Beta:
        """The Betas of the expressions, in the table's order."""
        return Beta.from_table(self.columns)

    def usable(self, *, screened: bool = True) -> Lexicon:
        """The lexicon without flagged entries: what hedges are retrieved from.

        Where it is not `screened`, with those whose one flag is ``evaluators``: that evaluators apart from the
        loop differ.

        Raises
        ------
        ValueError
            If every entry is flagged.
        """
        allowed = [""] if screened else ["", "evaluators"]
        return self._only(np.flatnonzero(np.isin(self.columns["flags"].astype(str), allowed)))

    def thinned(self, size: int | None) -> Lexicon:
        """A lexicon of `size` entries at even ranks of the mean, from the lowest to the highest; None keeps all.

        Raises
        ------
        ValueError
            If there are fewer entries than `size`.
        """
        if size is None:
            return self
        if not 1 <= size <= len(self):
            raise ValueError(f"a lexicon of {size} entries cannot be thinned out of {len(self)} usable ones")
        order = np.argsort(self.confidence.mean, kind="stable")
        ranks = np.linspace(0, len(self) - 1, size).round().astype(int)
        return self._only(order[ranks])

    def _only(self, rows: np.ndarray) -> Lexicon:
        """The lexicon of some rows."""
        return Lexicon({name: column[rows] for name, column in self.columns.items()})

    def gaps(self, widest: float = WIDEST_GAP) -> pd.DataFrame:
        """Where the scale is not covered: stretches of the mean wider than `widest` without an unflagged entry.

        Returns
        -------
        DataFrame with columns ``low, high, width, below, above``: the ends, and the expressions at them (empty
        at the ends of the scale), from the bottom up.
        """
        import pandas as pd

        table = self.table[self.table["flags"] == ""]
        mean = (table["alpha"] / (table["alpha"] + table["beta"])).to_numpy()
        order = np.argsort(mean, kind="stable")
        points = np.concatenate([[0.0], mean[order], [1.0]])
        names = ["", *table["expression"].to_numpy()[order], ""]
        wide = np.flatnonzero(np.diff(points) > widest + 1e-6)  # .85 and .9 are .05 apart
        return pd.DataFrame(
            {
                "low": points[wide],
                "high": points[wide + 1],
                "width": np.diff(points)[wide],
                "below": [names[place] for place in wide],
                "above": [names[place + 1] for place in wide],
            }
        )


def _array(column: Any) -> Any:
    """A column as an array: of the type that it has in a DataFrame; of a list, with its texts as they are."""
    if isinstance(column, list | tuple):
        return np.array(column, dtype=object if isinstance(column[0], str) else None)
    return getattr(column, "values", column)
