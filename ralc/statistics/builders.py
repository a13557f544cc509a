"""Statistics of weighted items, evaluated for many sets of weights at once."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from ralc import metrics
from ralc.beta import Beta
from ralc.beta.validation import Floats, as_floats, outcomes, require, same_shape


@dataclass(frozen=True)
class Statistic:
    """A number computed from weighted items.

    Parameters
    ----------
    evaluate : callable
        Takes weights of shape (sets, size), counts >= 0, and returns one number a set; NaN where it is not
        defined.
    size : int
        Number of items.
    items : array of int, optional
        Which of the bootstrap's items these are, where they are not all of them.
    """

    evaluate: Callable[[Floats], Floats]
    size: int
    items: np.ndarray | None = None

    def at(self, items: ArrayLike) -> Self:
        """Return the statistic as one of some of the bootstrap's items: their positions, or a mask."""
        where = np.asarray(items)
        positions = np.flatnonzero(where) if where.dtype == bool else where.astype(np.intp)
        if positions.shape != (self.size,):
            raise ValueError(f"items must name the statistic's {self.size} items: it names {positions.size}")
        return replace(self, items=positions)

    @property
    def value(self) -> float:
        """The statistic of the items as they are."""
        return float(self.evaluate(np.ones((1, self.size)))[0])


def mean(values: ArrayLike) -> Statistic:
    """Mean of one value an item, such as the faithfulness divergence.

    >>> mean([1.0, 2.0, 6.0]).value
    3.0
    """
    v = _numbers(values, "values")
    return Statistic(lambda weights: _ratio(weights @ v, weights.sum(axis=1)), v.size)


def brier_score(outcome: ArrayLike, mean_confidence: ArrayLike) -> Statistic:
    """Mean Brier score of the means.

    >>> brier_score([1, 0], [0.75, 0.75]).value
    0.3125
    """
    return mean(metrics.brier_score(outcome, mean_confidence))


def generalised_ece(
    outcome: ArrayLike,
    confidence: Beta,
    *,
    bins: int = 10,
    null: float = 0.0,
    samples: int | None = None,
    rng: np.random.Generator | None = None,
) -> Statistic:
    """Generalised ECE; with `null`, its excess over that value.

    >>> round(generalised_ece([1, 0], Beta([9, 1], [1, 9])).value, 6)
    0.097852
    """
    gaps = metrics.bin_gaps(outcome, confidence, bins=bins, samples=samples, rng=rng)
    return Statistic(lambda weights: _mean_gap(weights, gaps) - null, len(gaps))


def expected_calibration_error(
    outcome: ArrayLike, mean_confidence: ArrayLike, *, bins: int = 10
) -> Statistic:
    """Expected calibration error of the means.

    >>> expected_calibration_error([1, 0, 1, 1], [0.9, 0.9, 0.3, 0.3]).value
    0.55
    """
    y, cell = outcomes(outcome), metrics.calibration_bin(mean_confidence, bins=bins)
    p = as_floats(mean_confidence, "mean_confidence")
    same_shape(y.shape, p.shape, names="outcome and mean_confidence")
    gaps = np.zeros((y.size, bins))
    gaps[np.arange(y.size), cell] = y - p
    return Statistic(lambda weights: _mean_gap(weights, gaps), y.size)


def auroc(outcome: ArrayLike, score: ArrayLike) -> Statistic:
    """Probability that a correct answer scores above a wrong one, ties counting half.

    >>> auroc([1, 1, 0, 0], [0.9, 0.4, 0.4, 0.1]).value
    0.875
    """
    y, s = outcomes(outcome), _numbers(score, "score")
    same_shape(y.shape, s.shape, names="outcome and score")
    ties = _Ties(s)

    def evaluate(weights: Floats) -> Floats:
        right = ties.sums(weights * y)
        wrong = ties.sums(weights) - right
        below = np.cumsum(wrong, axis=1) - wrong / 2
        return _ratio((right * below).sum(axis=1), right.sum(axis=1) * wrong.sum(axis=1))

    return Statistic(evaluate, y.size)


def spearman(first: ArrayLike, second: ArrayLike) -> Statistic:
    """Rank correlation of two unbinned vectors, ties at their mean rank.

    >>> spearman([1, 2, 3], [0.1, 0.4, 0.2]).value
    0.5
    """
    x, y = _numbers(first, "first"), _numbers(second, "second")
    same_shape(x.shape, y.shape, names="first and second")
    ties = (_Ties(x), _Ties(y))
    return Statistic(lambda weights: _correlation(weights, *(t.ranks(weights) for t in ties)), x.size)


def pearson(first: ArrayLike, second: ArrayLike) -> Statistic:
    """Linear correlation of two vectors.

    >>> round(pearson([1, 2, 3], [2, 4, 6]).value, 9)
    1.0
    """
    x, y = _numbers(first, "first"), _numbers(second, "second")
    same_shape(x.shape, y.shape, names="first and second")
    # Centred once, so that no digits are lost in any resample.
    x, y = x - x.mean(), y - y.mean()
    return Statistic(lambda weights: _correlation(weights, x[None, :], y[None, :]), x.size)


def of_items(function: Callable[..., float], *arrays: ArrayLike) -> Statistic:
    """Any function of arrays of items, called once a resample (slow): ``of_items(kendall, x, y)``.

    >>> of_items(np.median, [1.0, 2.0, 6.0]).value
    2.0
    """
    columns = [np.asarray(array) for array in arrays]
    same_shape(*(column.shape[:1] for column in columns), names="arrays")
    size = len(columns[0])

    def evaluate(weights: Floats) -> Floats:
        drawn = (np.repeat(np.arange(size), row.astype(np.intp)) for row in weights)
        return np.array([float(function(*(column[index] for column in columns))) for index in drawn])

    return Statistic(evaluate, size)


class _Ties:
    """Items grouped by equal values, in ascending order."""

    def __init__(self, values: Floats) -> None:
        _, group = np.unique(values, return_inverse=True)
        self.group = group
        self.order = np.argsort(group, kind="stable")
        self.starts = np.searchsorted(group[self.order], np.arange(group.max() + 1))
        self.distinct = len(self.starts) == len(values)

    def sums(self, weights: Floats) -> Floats:
        """Weight of each group; (sets, groups)."""
        ordered = weights[:, self.order]
        return ordered if self.distinct else np.add.reduceat(ordered, self.starts, axis=1)

    def ranks(self, weights: Floats) -> Floats:
        """Mean rank of each item among the weighted items; (sets, items)."""
        sums = self.sums(weights)
        return (np.cumsum(sums, axis=1) - (sums - 1) / 2)[:, self.group]


def _correlation(weights: Floats, x: Floats, y: Floats) -> Floats:
    """Weighted linear correlation of each set."""
    total = weights.sum(axis=1)
    x = x - _ratio(_row_products(weights, x), total)[:, None]
    y = y - _ratio(_row_products(weights, y), total)[:, None]
    weighted_x, weighted_y = weights * x, weights * y
    variances = _row_products(weighted_x, x) * _row_products(weighted_y, y)
    return _ratio(_row_products(weighted_x, y), np.sqrt(variances))


def _row_products(first: Floats, second: Floats) -> Floats:
    """Inner product of each row of two matrices; one row stands for all."""
    return np.einsum("ri,ri->r", first, np.broadcast_to(second, first.shape))


def _mean_gap(weights: Floats, gaps: Floats) -> Floats:
    """Sum over the bins of the absolute weighted gap, a unit of weight."""
    return _ratio(np.abs(weights @ gaps).sum(axis=1), weights.sum(axis=1))


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
