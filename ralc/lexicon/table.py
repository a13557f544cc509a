"""The lexicon as a typed table: one row an expression, its confidence a Beta."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ralc.beta import Beta

COLUMNS = ("expression", "source", "frame", "alpha", "beta", "n", "flags")
WIDEST_GAP = 0.05


@dataclass(frozen=True)
class Lexicon:
    """Hedging expressions with the confidence that they are read as (paper section 4.2).

    Parameters
    ----------
    table
        At least the columns ``expression, source, frame, alpha, beta, n, flags``; sorted by expression.

    Raises
    ------
    ValueError
        If a column is missing, the table is empty, or an expression stands there twice.
    """

    table: pd.DataFrame

    def __post_init__(self) -> None:
        missing = [column for column in COLUMNS if column not in self.table]
        if missing:
            raise ValueError(f"lexicon: no column {missing[0]!r}")
        if self.table.empty:
            raise ValueError("lexicon: no expressions")
        repeated = self.table["expression"].duplicated()
        if repeated.any():
            raise ValueError(f"lexicon: {self.table['expression'][repeated].iloc[0]!r} stands there twice")
        object.__setattr__(self, "table", self.table.sort_values("expression", ignore_index=True))

    def __len__(self) -> int:
        """Return the number of expressions."""
        return len(self.table)

    @property
    def confidence(self) -> Beta:
        """The Betas of the expressions, in the table's order."""
        return Beta.from_table(self.table)

    def usable(self) -> "Lexicon":
        """The lexicon without flagged entries: what hedges are retrieved from.

        Raises
        ------
        ValueError
            If every entry is flagged.
        """
        return Lexicon(self.table[self.table["flags"] == ""])

    def thinned(self, size: int | None) -> "Lexicon":
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
        return Lexicon(self.table.iloc[order[ranks]])

    def gaps(self, widest: float = WIDEST_GAP) -> pd.DataFrame:
        """Where the scale is not covered: stretches of the mean wider than `widest` without an unflagged entry.

        Returns
        -------
        DataFrame with columns ``low, high, width, below, above``: the ends, and the expressions at them (empty
        at the ends of the scale), from the bottom up.
        """
        table = self.table[self.table["flags"] == ""]
        mean = (table["alpha"] / (table["alpha"] + table["beta"])).to_numpy()
        order = np.argsort(mean, kind="stable")
        points = np.concatenate([[0.0], mean[order], [1.0]])
        names = ["", *table["expression"].to_numpy()[order], ""]
        wide = np.flatnonzero(np.diff(points) > widest)
        return pd.DataFrame(
            {
                "low": points[wide],
                "high": points[wide + 1],
                "width": np.diff(points)[wide],
                "below": [names[place] for place in wide],
                "above": [names[place + 1] for place in wide],
            }
        )
