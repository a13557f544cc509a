"""The lexicon, hedging expressions with a Beta each, and the retrieval of those nearest to a confidence."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import pandas as pd

from ralc.beta import Beta, require_beta
from ralc.beta.validation import Floats

COLUMNS = ("expression", "source", "frame", "alpha", "beta", "n", "flags")
#: Queries taken at once.
_SLICE = 1024
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

    def __repr__(self) -> str:
        """Return its table's."""
        return f"Lexicon(table={self.table!r})"

    def __len__(self) -> int:
        """Return the number of expressions."""
        return len(self.table)

    @property
    def confidence(self) -> Beta:
        """The Betas of the expressions, in the table's order."""
        return Beta.from_table(self.table)

    def usable(self, *, screened: bool = True) -> Self:
        """Return the lexicon without flagged entries, what hedges are retrieved from; ValueError where all are flagged.

        Where it is not `screened`, with those whose one flag is ``evaluators``: that test evaluators
        differ.
        """
        return type(self)(self.table[self.table["flags"].isin([""] if screened else ["", "evaluators"])])

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


def nearest_hedges(
    lexicon_confidence: Beta,
    confidence: Beta,
    *,
    k: int = 5,
    shortlist: int = 30,
    samples: int | None = None,
    rng: np.random.Generator | None = None,
) -> np.ndarray:
    """Return the indices of the `k` lexicon entries nearest to each query, nearest first; shape (n, k).

    The `shortlist` entries with the nearest means are ranked by 1-Wasserstein distance (paper section 4.2).
    Ties go to the lower index; equal queries are computed once.

    Parameters
    ----------
    lexicon_confidence : Beta of shape (entries,)
    confidence : Beta of shape (n,), or a single one, which gives indices of shape (k,)
    k, shortlist : int
        1 <= k <= shortlist; a lexicon shorter than the shortlist is ranked whole.
    samples : int, optional
        Estimate the distance from this many draws of each distribution by `rng` (the paper's way).

    Raises
    ------
    ValueError
        If `k` is below 1, above `shortlist` or above the number of entries.
    TypeError
        If one of the two confidences is no Beta.

    Examples
    --------
    >>> lexicon = Beta([1, 5, 9], [9, 5, 1])
    >>> nearest_hedges(lexicon, Beta([8, 2], [2, 8]), k=2)
    array([[2, 1],
           [0, 1]])
    """
    require_beta(confidence)
    if len(require_beta(lexicon_confidence, "lexicon_confidence").shape) != 1:
        raise ValueError(f"lexicon_confidence must be a vector: its shape is {lexicon_confidence.shape}")
    entries = len(lexicon_confidence)
    if not 1 <= k <= min(shortlist, entries):
        raise ValueError(
            f"k must be at least 1 and at most shortlist = {shortlist} and the {entries} entries: k = {k}"
        )
    if samples is not None and rng is None:
        raise ValueError("samples needs rng")
    pairs = np.column_stack([np.atleast_1d(confidence.alpha), np.atleast_1d(confidence.beta)])
    queries, back = np.unique(pairs, axis=0, return_inverse=True)
    nearest = np.empty((len(queries), k), dtype=np.intp)
    draws = None if samples is None else _sorted_draws(lexicon_confidence, samples, rng)
    for start in range(0, len(queries), _SLICE):
        part = Beta(*queries[start : start + _SLICE].T)
        gap = np.abs(part.mean[:, None] - lexicon_confidence.mean)
        # In index order, so that every later tie goes to the lower index.
        candidates = np.sort(np.argsort(gap, axis=1, kind="stable")[:, :shortlist], axis=1)
        if draws is None:
            distance = part[:, None].wasserstein_distance(lexicon_confidence[candidates])
        else:
            own_draws = _sorted_draws(part, samples, rng)
            distance = np.stack([np.abs(own_draws - draws[one]).mean(axis=1) for one in candidates.T], axis=1)
        order = np.argsort(distance, axis=1, kind="stable")[:, :k]
        nearest[start : start + _SLICE] = np.take_along_axis(candidates, order, axis=1)
    return nearest[back.ravel()].reshape(*confidence.shape, k)


def _sorted_draws(confidence: Beta, samples: int, rng: np.random.Generator) -> Floats:
    """Sorted draws of each distribution; (n, samples)."""
    drawn = rng.beta(confidence.alpha[:, None], confidence.beta[:, None], size=(len(confidence), samples))
    return np.sort(drawn, axis=1)
