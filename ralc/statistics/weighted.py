"""Statistics of weighted items, evaluated for many sets of weights at once.

Most are made of weighted sums of columns, one value an item: one matrix product does for all sets. Ranks take a few
counts over groups of equal values a set.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from ralc import metrics
from ralc.beta.validation import Floats, as_floats, require, same_shape, shares

#: Weights that are looked at together where a statistic needs ranks.
_BLOCK = 20_000


@dataclass(frozen=True)
class Statistic:
    """A number computed from weighted items.

    Parameters
    ----------
    size : int
        Number of items.
    finish : callable
        With `columns`: takes their weighted sums, shape (columns, sets), and the total weights, shape (sets,).
        Without: takes weights of shape (all items, sets), counts >= 0, and the positions of the statistic's items
        among them. Returns one number a set; NaN where it is not defined.
    columns : array of shape (size, columns), optional
        What is summed.
    items : array of int, optional
        Which of the bootstrap's items these are, where they are not all of them.
    absolute : bool
        Whether it is a calibration error, the sum of the absolute means of its columns.
    bounded : bool
        Whether it is skewed near a bound alone, and not where it says nothing: the AUROC, and a constant.
    """

    size: int
    finish: Callable[[Floats, Floats], Floats]
    columns: Floats | None = None
    items: np.ndarray | None = None
    absolute: bool = False
    bounded: bool = False

    def at(self, items: ArrayLike) -> Self:
        """Return the statistic as one of some of the bootstrap's items: their positions, or a mask."""
        where = np.asarray(items)
        positions = np.flatnonzero(where) if where.dtype == bool else where.astype(np.intp)
        if positions.shape != (self.size,):
            raise ValueError(f"items must name the statistic's {self.size} items: it names {positions.size}")
        return replace(self, items=positions)

    def evaluate(self, weights: Floats) -> Floats:
        """Return the number of each set of weights, shape (sets, size)."""
        if self.columns is None:
            return self.finish(weights.T, np.arange(self.size))
        return self.finish(self.columns.T @ weights.T, weights.sum(axis=1))

    @property
    def value(self) -> float:
        """The statistic of the items as they are."""
        return float(self.evaluate(np.ones((1, self.size)))[0])


def mean(values: ArrayLike, *, weights: ArrayLike | None = None) -> Statistic:
    """Return the mean of one value an item, such as a squared error; with `weights` >= 0, one an item, by them.

    >>> mean([1.0, 2.0, 6.0]).value, mean([1.0, 2.0, 6.0], weights=[1, 1, 0]).value
    (3.0, 1.5)
    """
    v = _numbers(values, "values")
    if weights is None:
        return Statistic(v.size, lambda sums, total: _ratio(sums[0], total), v[:, None])
    w = _numbers(weights, "weights")
    same_shape(v.shape, w.shape, names="values and weights")
    return Statistic(v.size, lambda sums, total: _ratio(sums[0], sums[1]), np.stack([v * w, w], axis=1))


def constant(value: float, size: int) -> Statistic:
    """Return the same number for every set of `size` items.

    >>> constant(0.2, 3).value
    0.2
    """
    return Statistic(size, lambda sums, total: np.full(len(total), value), np.empty((size, 0)), bounded=True)


def mean_gap(gaps: ArrayLike) -> Statistic:
    """Return a calibration error: the sum over bins of the absolute mean of `metrics.bin_gaps` or `mean_gaps`.

    >>> mean_gap([[0.8, 0.0], [0.0, -0.9]]).value
    0.8500000000000001
    """
    columns = as_floats(gaps, "gaps")
    return Statistic(
        len(columns), lambda sums, total: _ratio(np.abs(sums).sum(axis=0), total), columns, absolute=True
    )


def auroc(outcome: ArrayLike, score: ArrayLike, *, strata: ArrayLike | None = None) -> Statistic:
    """Return the probability that a right answer scores above a wrong one, ties counting half.

    Parameters
    ----------
    outcome
        In [0, 1], shape (items,); a share counts to the right and to the wrong answers.
    score
        Finite, of the same shape; only its order matters.
    strata
        A whole number an item: only pairs within one are compared, as where each fold has a map of its own.

    Examples
    --------
    >>> auroc([1, 1, 0, 0], [0.9, 0.4, 0.4, 0.1]).value
    0.875
    >>> auroc([1, 0, 1, 0], [0.3, 0.2, 0.9, 0.8], strata=[0, 0, 1, 1]).value
    1.0
    """
    y = shares(outcome)
    s = _numbers(score, "score")
    same_shape(y.shape, s.shape, names="outcome and score")
    places = np.zeros(y.size) if strata is None else as_floats(strata, "strata")
    rows, ties = np.unique(np.stack([places, np.round(s, 12)]), axis=1, return_inverse=True)
    _, starts, stratum = np.unique(rows[0], return_index=True, return_inverse=True)
    ties = 2 * ties.ravel()
    count = ties.max() + 2
    split = np.flatnonzero((y > 0) & (y < 1))  # counted among right and wrong answers, with its shares
    items = np.append(np.arange(y.size), split)
    cells = np.append(ties + (y > 0), ties[split])
    part = np.append(np.where(y > 0, y, 1), 1 - y[split])

    def finish(weights: Floats) -> Floats:
        counts, _ = _counts(weights[:, items] * part if split.size else weights, cells, count)
        wrong = counts[:, 0::2]
        correct = counts[:, 1::2]
        before = np.cumsum(wrong, axis=1) - wrong
        above = np.einsum("sg,sg->s", correct, before - before[:, starts][:, stratum] + wrong / 2)
        pairs = np.add.reduceat(correct, starts, axis=1) * np.add.reduceat(wrong, starts, axis=1)
        return _ratio(above, pairs.sum(axis=1))

    return Statistic(y.size, _in_blocks(finish), bounded=True)


def spearman(first: ArrayLike, second: ArrayLike) -> Statistic:
    """Return the rank correlation of two vectors, ties at their mean rank.

    >>> spearman([1, 2, 3], [0.1, 0.4, 0.2]).value
    0.5
    """
    x = _numbers(first, "first")
    y = _numbers(second, "second")
    same_shape(x.shape, y.shape, names="first and second")
    if metrics.is_constant(x) or metrics.is_constant(y):
        return Statistic(x.size, lambda weights, _: np.full(weights.shape[1], np.nan))
    ties = _tied(x), _tied(y)

    def finish(weights: Floats) -> Floats:
        # t is twice a mean rank less 1, d the items tied in a group, T all items. The covariance of ranks is
        # (sum t_x t_y - T^3) / 4, a variance (T^3 - sum d^3) / 12. In whole numbers nothing is rounded.
        cube = weights.sum(axis=1) ** 3
        counted = [_counts(weights, groups, groups.max() + 1) for groups in ties]
        ranks = [(2 * np.cumsum(d, axis=1) - d).take(places) for d, places in counted]
        shared = np.einsum("si,si,si->s", weights, *ranks)
        spread_x, spread_y = (cube - np.einsum("sg,sg,sg->s", d, d, d) for d, _ in counted)
        return _ratio(3 * (shared - cube), np.sqrt(spread_x * spread_y))

    return Statistic(x.size, _in_blocks(finish))


def pearson(first: ArrayLike, second: ArrayLike) -> Statistic:
    """Return the linear correlation of two vectors.

    >>> round(pearson([1, 2, 3], [2, 4, 6]).value, 9)
    1.0
    """
    x = _numbers(first, "first")
    y = _numbers(second, "second")
    same_shape(x.shape, y.shape, names="first and second")
    # Centred once, so that no digits are lost in any resample.
    x = x - x.mean()
    y = y - y.mean()
    columns = np.stack([x, y, x * x, y * y, x * y], axis=1)
    return Statistic(x.size, _correlation, columns)


def of_items(function: Callable[..., float], *arrays: ArrayLike) -> Statistic:
    """Return the statistic of any function of arrays, called once a resample (slow): ``of_items(kendall, x, y)``.

    >>> of_items(np.median, [1.0, 2.0, 6.0]).value
    2.0
    """
    columns = [np.asarray(array) for array in arrays]
    same_shape(*(column.shape[:1] for column in columns), names="arrays")
    size = len(columns[0])

    def finish(weights: Floats, items: np.ndarray) -> Floats:
        resampled = (np.repeat(np.arange(size), count.astype(np.intp)) for count in weights[items].T)
        return np.array([float(function(*(column[index] for column in columns))) for index in resampled])

    return Statistic(size, finish)


def _tied(values: Floats) -> np.ndarray:
    """The group of each value: its number among the values that differ by more than rounding, in ascending order."""
    return np.unique(np.round(values, 12), return_inverse=True)[1]


def _counts(weights: Floats, groups: np.ndarray, count: int) -> tuple[Floats, np.ndarray]:
    """How often each group was drawn in each set, (sets, groups), and which of these numbers is that of each item."""
    places = groups + count * np.arange(len(weights))[:, None]
    counts = np.bincount(places.ravel(), weights.ravel(), minlength=count * len(weights))
    return counts.reshape(-1, count), places


def _in_blocks(finish: Callable[[Floats], Floats]) -> Callable[[Floats, np.ndarray], Floats]:
    """A function of all sets of weights, from one of some sets at a time: (sets, items), which fit a core's cache."""

    def of_all(weights: Floats, items: np.ndarray) -> Floats:
        whole = np.array_equal(items, np.arange(len(weights)))
        step = max(_BLOCK // len(items), 1)
        blocks = (weights.T[start : start + step] for start in range(0, weights.shape[1], step))
        return np.concatenate([finish(block if whole else block[:, items]) for block in blocks])

    return of_all


def _correlation(sums: Floats, total: Floats) -> Floats:
    """Weighted linear correlation of each set, from the sums of x, y, x^2, y^2, xy."""
    x, y, xx, yy, xy = (_ratio(sums[place], total) for place in range(5))
    return _ratio(xy - x * y, np.sqrt(np.maximum(xx - x * x, 0) * np.maximum(yy - y * y, 0)))


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    """The quotient; NaN where the denominator is 0."""
    defined = denominator > 0
    return np.where(defined, numerator / np.where(defined, denominator, 1.0), np.nan)


def _numbers(values: ArrayLike, name: str) -> Floats:
    """A vector of at least one number, none missing."""
    v = require(as_floats(values, name), lambda x: np.isfinite(x), name, "a finite number")
    if v.ndim != 1 or not v.size:
        raise ValueError(f"{name} must be a vector of at least one item: its shape is {v.shape}")
    return v
