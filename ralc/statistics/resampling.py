"""The bootstrap over items or over groups of items, for many statistics at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ralc.beta.validation import Floats
from ralc.statistics.intervals import Estimate, absolute_sum
from ralc.statistics.weighted import Statistic


@dataclass(frozen=True)
class Resamples:
    """How often each item is drawn in each resample; the first set is the items as they are.

    Parameters
    ----------
    weights : array of shape (items, 1 + resamples)
    units : array of int, shape (items,)
        What each item is drawn with. A statistic whose items are all of one unit has no draws.
    """

    weights: Floats
    units: np.ndarray

    def evaluate(self, statistics: Sequence[Statistic]) -> list[Estimate]:
        """Return each statistic with its draws; they are NaN where it is not defined."""
        sums = iter(self._sums([statistic for statistic in statistics if statistic.columns is not None]))
        estimates = [
            self._estimate(statistic, *([None, None] if statistic.columns is None else next(sums)))
            for statistic in statistics
        ]
        bounded = (statistic.bounded for statistic in statistics)
        return [
            replace(estimate, counts=self._counts, bounded=near)
            for estimate, near in zip(estimates, bounded, strict=True)
        ]

    @cached_property
    def _counts(self) -> Floats:
        """How often each unit is drawn in each resample, shape (units, resamples); one array for all estimates."""
        return self.weights[np.unique(self.units, return_index=True)[1], 1:]

    def _estimate(self, statistic: Statistic, sums: Floats | None, total: Floats | None) -> Estimate:
        """A statistic with its draws, from the weighted sums of its columns where it has any."""
        positions = self._positions(statistic)
        units = np.count_nonzero(np.bincount(self.units[positions]))
        if statistic.absolute and units > 1:
            with np.errstate(invalid="ignore", divide="ignore"):
                gaps = np.where(total > 0, sums / total, np.nan)
            return absolute_sum(gaps, units=units, size=statistic.size)
        first, second = (self.weights, positions) if sums is None else (sums, total)
        values = statistic.finish(first, second)
        draws = values[1:] if units > 1 else np.full(len(values) - 1, np.nan)
        return Estimate.exact(float(values[0]), draws, units, statistic.size)

    def _positions(self, statistic: Statistic) -> np.ndarray:
        return np.arange(len(self.weights)) if statistic.items is None else statistic.items

    def _sums(self, statistics: Sequence[Statistic]) -> list[tuple[Floats, Floats]]:
        """Weighted sums of the columns of each statistic, and its total weight, all from one product."""
        positions = [self._positions(statistic) for statistic in statistics]
        # Mostly all items: one total for many statistics.
        distinct = {place.tobytes(): place for place in positions}
        widths = [*(statistic.columns.shape[1] for statistic in statistics), *([1] * len(distinct))]
        filled = [(place, statistic.columns) for place, statistic in zip(positions, statistics, strict=True)]
        filled += [(place, np.ones((place.size, 1))) for place in distinct.values()]
        columns = np.zeros((len(self.weights), sum(widths)))
        ends = np.cumsum(widths)
        for (where, values), end in zip(filled, ends, strict=True):
            columns[where, end - values.shape[1] : end] = values
        parts = np.split(columns.T @ self.weights, ends[:-1]) if widths else []
        totals = dict(zip(distinct, parts[len(statistics) :], strict=True))
        return [(part, totals[place.tobytes()][0]) for part, place in zip(parts, positions, strict=False)]


def bootstrap(
    statistics: Mapping[str, Statistic],
    *,
    items: int,
    groups: ArrayLike | None = None,
    resamples: int = 2000,
    rng: np.random.Generator,
) -> dict[str, Estimate]:
    """Resample items, or whole groups of them, and evaluate every statistic on the same resamples.

    Parameters
    ----------
    statistics : mapping of names to `Statistic`
    items : int
        Number of items that are resampled; statistics of some of them say which (`Statistic.at`).
    groups, resamples, rng
        As for `resample`.

    Raises
    ------
    ValueError
        If a statistic's size does not fit, there is no resample, or a group is missing.
    """
    for name, statistic in statistics.items():
        reach = statistic.size if statistic.items is None else statistic.items.max() + 1
        if reach > items or (statistic.items is None and reach != items):
            raise ValueError(f"statistic {name!r} has {reach} items, the bootstrap {items}")
    resampled = resample(items, groups=groups, resamples=resamples, rng=rng)
    return dict(zip(statistics, resampled.evaluate(list(statistics.values())), strict=True))


def resample(
    items: int, *, groups: ArrayLike | None = None, resamples: int = 2000, rng: np.random.Generator
) -> Resamples:
    """Draw items, or whole groups of them, with replacement; as many as there are.

    Parameters
    ----------
    items : int
    groups : array_like of shape (items,), optional
        What is drawn together, such as SQuAD's articles; without it each item by itself.
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
        raise ValueError(f"groups[{int(np.argmin(codes))}] is missing: give every item a group")
    return codes
