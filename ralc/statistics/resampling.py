"""The bootstrap over items or over groups of items, for many statistics at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike

from ralc.beta.validation import Floats
from ralc.statistics.builders import Statistic
from ralc.statistics.distribution import Drawn, absolute_sum
from ralc.statistics.intervals import intervals

if TYPE_CHECKING:  # who needs numbers alone does not wait for tables to load
    import pandas as pd


@dataclass(frozen=True)
class Bootstrap:
    """What a bootstrap drew: any two of its statistics saw the same resamples.

    Parameters
    ----------
    names : tuple of str
    drawn : tuple of Drawn
        Each statistic with its draws.
    """

    names: tuple[str, ...]
    drawn: tuple[Drawn, ...]

    def combine(self, combinations: Mapping[str, Mapping[str, float]]) -> Self:
        """Return linear combinations: paired differences ``{"ralc": 1, "original": -1}``, means over models.

        Raises
        ------
        ValueError
            If a combination names a statistic that is not here.
        """
        known = dict(zip(self.names, self.drawn, strict=True))
        for label, terms in combinations.items():
            for name in terms:
                if name not in known:
                    raise ValueError(f"combination {label!r}: no statistic {name!r}")
        sums = [
            Drawn.combine([(known[name], factor) for name, factor in terms.items()])
            for terms in combinations.values()
        ]
        return type(self)(tuple(combinations), tuple(sums))

    def table(self, *, level: float = 0.95, null: float | None = None) -> pd.DataFrame:
        """Return value, debiased value, standard error, interval and n; with `null` the two-sided p-value.

        See `ralc.statistics.intervals`.
        """
        import pandas as pd

        table = intervals(self.drawn, level=level, null=null)
        return table.set_index(pd.Index(self.names)).assign(n=[one.size for one in self.drawn])


@dataclass(frozen=True)
class Resamples:
    """How often each item is drawn in each resample; the first set is the items as they are.

    Parameters
    ----------
    weights : array of shape (items, 1 + resamples)
    units : array of int, shape (items,)
        What each item is drawn with. Of a statistic whose items are all of one unit nothing can be said.
    """

    weights: Floats
    units: np.ndarray

    def evaluate(self, statistics: Sequence[Statistic]) -> list[Drawn]:
        """Return each statistic with its draws; they are NaN where it is not defined."""
        summed = [statistic for statistic in statistics if statistic.columns is not None]
        sums = iter(self._sums(summed))
        drawn = (
            self._drawn(statistic, *([None, None] if statistic.columns is None else next(sums)))
            for statistic in statistics
        )
        return [replace(one, counts=self._counts) for one in drawn]

    @cached_property
    def _counts(self) -> Floats:
        """How often each unit is drawn in each resample, shape (units, resamples): one array, so pairs are told."""
        return self.weights[np.unique(self.units, return_index=True)[1], 1:]

    def _drawn(self, statistic: Statistic, sums: Floats | None, total: Floats | None) -> Drawn:
        """A statistic with its draws, from the weighted sums of its columns where it has any."""
        positions = self._positions(statistic)
        units = np.count_nonzero(np.bincount(self.units[positions]))
        if statistic.absolute and units > 1:
            with np.errstate(invalid="ignore", divide="ignore"):
                gaps = np.where(total > 0, sums / total, np.nan)
            return absolute_sum(gaps, units=units, size=statistic.size)
        first, second = (self.weights, positions) if sums is None else (sums, total)
        values = statistic.finish(first, second)
        value, draws = values[0], values[1:] if units > 1 else np.full(len(values) - 1, np.nan)
        return Drawn.exact(float(value), draws, units, statistic.size)

    def _positions(self, statistic: Statistic) -> np.ndarray:
        return np.arange(len(self.weights)) if statistic.items is None else statistic.items

    def _sums(self, statistics: Sequence[Statistic]) -> list[tuple[Floats, Floats]]:
        """Weighted sums of the columns of each statistic, and its total weight, all from one product."""
        totals = {}
        for statistic in statistics:
            positions = self._positions(statistic)
            totals.setdefault(positions.tobytes(), (len(totals), positions))
        width = sum(statistic.columns.shape[1] for statistic in statistics)
        columns = np.zeros((len(self.weights), width + len(totals)))
        for place, positions in totals.values():
            columns[positions, width + place] = 1.0
        start = 0
        for statistic in statistics:
            stop = start + statistic.columns.shape[1]
            columns[self._positions(statistic), start:stop] = statistic.columns
            start = stop
        sums = columns.T @ self.weights
        parts, start = [], 0
        for statistic in statistics:
            stop = start + statistic.columns.shape[1]
            total = sums[width + totals[self._positions(statistic).tobytes()][0]]
            parts.append((sums[start:stop], total))
            start = stop
        return parts


def bootstrap(
    statistics: Mapping[str, Statistic],
    *,
    items: int,
    groups: ArrayLike | None = None,
    resamples: int = 2000,
    rng: np.random.Generator,
) -> Bootstrap:
    """Resample items, or whole groups of them, and evaluate every statistic on the same resamples.

    Parameters
    ----------
    statistics : mapping of names to `Statistic`
    items : int
        Number of items that are resampled; statistics of some of them say which (`Statistic.at`).
    groups : array_like of shape (items,), optional
        What is drawn together, such as SQuAD's articles; without it each item by itself.
    resamples : int
    rng : numpy Generator
        A generator in the same state draws the same resamples for the same items and groups.

    Raises
    ------
    ValueError
        If a statistic's size does not fit, or a group is missing.
    """
    for name, statistic in statistics.items():
        reach = statistic.size if statistic.items is None else statistic.items.max() + 1
        if reach > items or (statistic.items is None and reach != items):
            raise ValueError(f"statistic {name!r} has {reach} items, the bootstrap {items}")
    drawn = resample(items, groups=groups, resamples=resamples, rng=rng).evaluate(list(statistics.values()))
    return Bootstrap(tuple(statistics), tuple(drawn))


def resample(
    items: int, *, groups: ArrayLike | None = None, resamples: int = 2000, rng: np.random.Generator
) -> Resamples:
    """Draw items, or whole groups of them, with replacement; as many as there are.

    Parameters
    ----------
    items : int
    groups : array_like of shape (items,), optional
        What is drawn together; without it each item by itself.
    resamples : int
    rng : numpy Generator
        A generator in the same state draws the same resamples for the same items and groups.

    Raises
    ------
    ValueError
        If there is no resample, or a group is missing.
    """
    if resamples < 1:
        raise ValueError(f"resamples must be at least 1: resamples = {resamples}")
    codes = np.arange(items) if groups is None else groups_of(groups, items)
    units = codes.max() + 1
    weights = np.ones((items, 1 + resamples), order="F")  # set after set: ranks look at one at a time
    for place in range(1, 1 + resamples):
        counts = np.bincount(rng.integers(units, size=units), minlength=units)
        weights[:, place] = counts[codes]
    return Resamples(weights, codes)


def groups_of(groups: ArrayLike, items: int) -> np.ndarray:
    """Return the group of each item as a number from 0, in the order in which they first appear.

    Raises
    ------
    ValueError
        If there are not as many as items, or one is missing.

    Examples
    --------
    >>> groups_of(["b", "a", "b"], 3)
    array([0, 1, 0])
    """
    import pandas as pd

    codes, _ = pd.factorize(np.asarray(groups, dtype=object))
    if codes.shape != (items,):
        raise ValueError(
            f"groups must name the group of each of the {items} items: its length is {codes.size}"
        )
    if (codes < 0).any():
        raise ValueError(f"groups[{int(np.argmin(codes))}] is missing")
    return codes
