"""The lexicon: hedging expressions with a Beta each."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import pandas as pd

from ralc.beta import Beta

COLUMNS = ("expression", "source", "frame", "alpha", "beta", "n", "flags")
_FINE = 0.005  # means closer than that say the same


class Lexicon:
    """Hedging expressions with the confidence that they are read as (paper section 4.2).

    Parameters
    ----------
    table
        A DataFrame, or columns by their names: at least ``expression, source, frame, alpha, beta, n, flags``. It is
        sorted by expression. ValueError where a column is missing, it is empty, an expression or its flags are no
        text, or an expression stands there twice.
    """

    def __init__(self, table: pd.DataFrame | Mapping[str, Any]) -> None:
        frame = pd.DataFrame(table)
        if missing := [column for column in COLUMNS if column not in frame]:
            raise ValueError(f"lexicon: no column {missing[0]!r}")
        if frame.empty:
            raise ValueError("lexicon: no expressions")
        for name in ("expression", "flags"):
            if (odd := ~frame[name].map(lambda text: isinstance(text, str))).any():
                raise ValueError(f"lexicon: {name} of row {int(odd.to_numpy().argmax())} is no text")
        if (repeated := frame["expression"].duplicated()).any():
            raise ValueError(f"lexicon: {frame['expression'][repeated].iloc[0]!r} is there twice: keep one")
        #: A row an expression; of one that you change make another lexicon.
        self.table = frame.sort_values("expression", ignore_index=True)

    def __len__(self) -> int:
        """Return the number of expressions."""
        return len(self.table)

    @property
    def confidence(self) -> Beta:
        """The Betas of the expressions, in the table's order."""
        return Beta.from_table(self.table)

    def usable(self) -> Self:
        """Return the lexicon without flagged entries, which hedges are retrieved from; ValueError if all are."""
        return type(self)(self.table[self.table["flags"] == ""])

    def thinned(self, size: int | None) -> Self:
        """Return a lexicon of `size` entries at even ranks of the mean, from the lowest to the highest; None keeps all.

        ValueError where there are fewer entries than `size`.
        """
        if size is None:
            return self
        if not 1 <= size <= len(self):
            raise ValueError(f"lexicon.size = {size}: the lexicon has {len(self)} usable entries")
        order = np.argsort(self.confidence.mean, kind="stable")
        return type(self)(self.table.iloc[order[np.linspace(0, len(self) - 1, size).round().astype(int)]])


def on_hedge_grid(confidence: Beta) -> Beta:
    """Return confidences told apart as finely as hedges can say: by half a per cent of the mean, a tenth of log k.

    >>> on_hedge_grid(Beta([70.1, 70.0], [29.9, 30.0])).mean
    array([0.7, 0.7])
    """
    mean = np.clip(np.round(confidence.mean / _FINE), 0.5, 1 / _FINE - 0.5) * _FINE
    return Beta.from_mean_concentration(mean, np.exp(np.round(np.log(confidence.concentration), 1)))
