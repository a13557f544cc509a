"""Statistics of weighted items, evaluated for many sets of weights at once.

Most are made of weighted sums of columns, one value an item: for those one matrix product does for all sets. Ranks
take one pass over the items in their order, with all sets side by side.
"""

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
    above : float, optional
        Of a calibration error, the sum of the absolute means of its columns: what is taken off it.
    """

    size: int
    finish: Callable[[Floats, Floats], Floats]
    columns: Floats | None = None
    items: np.ndarray | None = None
    above: float | None = None

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
            return self.finish(np.ascontiguousarray(weights.T), np.arange(self.size))
        return self.finish(self.columns.T @ weights.T, weights.sum(axis=1))

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
    return Statistic(v.size, lambda sums, total: _ratio(sums[0], total), v[:, None])


def constant(value: float, size: int) -> Statistic:
    """The same number for every set of `size` items.

    >>> constant(0.2, 3).value
    0.2
    """
    return Statistic(size, lambda sums, total: np.full(len(total), value), np.empty((size, 0)))


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
    return mean_gap(metrics.bin_gaps(outcome, confidence, bins=bins, samples=samples, rng=rng), null=null)


def expected_calibration_error(
    outcome: ArrayLike, mean_confidence: ArrayLike, *, bins: int = 10
) -> Statistic:
    """Expected calibration error of the means.

    >>> expected_calibration_error([1, 0, 1, 1], [0.9, 0.9, 0.3, 0.3]).value
    0.55
    """
    return mean_gap(metrics.mean_gaps(outcome, mean_confidence, bins=bins))


def mean_gap(gaps: ArrayLike, *, null: float = 0.0) -> Statistic:
    """Sum over the bins of the absolute mean of what each item adds; shape (size, bins). Minus `null`.

    >>> mean_gap([[0.8, 0.0], [0.0, -0.9]]).value
    0.8500000000000001
    """
    columns = as_floats(gaps, "gaps")
    return Statistic(
        len(columns), lambda sums, total: _ratio(np.abs(sums).sum(axis=0), total) - null, columns, above=null
    )


def auroc(outcome: ArrayLike, score: ArrayLike) -> Statistic:
    """Probability that a correct answer scores above a wrong one, ties counting half.

    >>> auroc([1, 1, 0, 0], [0.9, 0.4, 0.4, 0.1]).value
    0.875
    """
    y, s = outcomes(outcome), _numbers(score, "score")
    same_shape(y.shape, s.shape, names="outcome and score")
    groups = _tied(s)

    def finish(weights: Floats, items: np.ndarray) -> Floats:
        below, found, classes = (np.zeros(weights.shape[1]) for _ in range(3))
        for group in groups:
            right, wrong = items[group[y[group] == 1]], items[group[y[group] == 0]]
            if right.size:
                drawn = _sum(weights, right)
                classes += drawn
                found += drawn * below
            if wrong.size:
                missed = _sum(weights, wrong)
                below += missed
                if right.size:
                    found += drawn * missed / 2
        return _ratio(found, classes * below)

    return Statistic(y.size, finish)


def spearman(first: ArrayLike, second: ArrayLike) -> Statistic:
    """Rank correlation of two unbinned vectors, ties at their mean rank.

    >>> spearman([1, 2, 3], [0.1, 0.4, 0.2]).value
    0.5
    """
    x, y = _numbers(first, "first"), _numbers(second, "second")
    same_shape(x.shape, y.shape, names="first and second")
    if metrics.is_constant(x) or metrics.is_constant(y):
        return Statistic(x.size, lambda weights, _: np.full(weights.shape[1], np.nan))
    ties = (_tied(x), _tied(y))

    def finish(weights: Floats, items: np.ndarray) -> Floats:
        total = _sum(weights, items)
        # Ranks are multiples of 1/2, so that their sums are exact; their mean is that of 1 .. total.
        square = total * ((total + 1) / 2) ** 2
        (rank_x, spread_x), (rank_y, spread_y) = (_ranks(weights, items, groups) for groups in ties)
        product, shared = np.empty_like(total), np.zeros_like(total)
        for item, of_x, of_y in zip(items, rank_x, rank_y, strict=True):
            np.multiply(of_x, of_y, out=product)
            product *= weights[item]
            shared += product
        return _ratio(shared - square, np.sqrt((spread_x - square) * (spread_y - square)))

    return Statistic(x.size, finish)


def pearson(first: ArrayLike, second: ArrayLike) -> Statistic:
    """Linear correlation of two vectors.

    >>> round(pearson([1, 2, 3], [2, 4, 6]).value, 9)
    1.0
    """
    x, y = _numbers(first, "first"), _numbers(second, "second")
    same_shape(x.shape, y.shape, names="first and second")
    # Centred once, so that no digits are lost in any resample.
    x, y = x - x.mean(), y - y.mean()
    columns = np.stack([x, y, x * x, y * y, x * y], axis=1)
    return Statistic(x.size, _correlation, columns)


def of_items(function: Callable[..., float], *arrays: ArrayLike) -> Statistic:
    """Any function of arrays of items, called once a resample (slow): ``of_items(kendall, x, y)``.

    >>> of_items(np.median, [1.0, 2.0, 6.0]).value
    2.0
    """
    columns = [np.asarray(array) for array in arrays]
    same_shape(*(column.shape[:1] for column in columns), names="arrays")
    size = len(columns[0])

    def finish(weights: Floats, items: np.ndarray) -> Floats:
        drawn = (np.repeat(np.arange(size), count.astype(np.intp)) for count in weights[items].T)
        return np.array([float(function(*(column[index] for column in columns))) for index in drawn])

    return Statistic(size, finish)


def _tied(values: Floats) -> list[np.ndarray]:
    """The places of equal values together, in ascending order of the values."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    return np.split(order, np.flatnonzero(ordered[1:] != ordered[:-1]) + 1)


def _sum(weights: Floats, items: np.ndarray) -> Floats:
    """Weight of some items; (sets,)."""
    return weights[items[0]] if len(items) == 1 else weights[items].sum(axis=0)


def _ranks(weights: Floats, items: np.ndarray, groups: list[np.ndarray]) -> tuple[list[Floats], Floats]:
    """Mean rank of each item among the weighted items, (sets,) each, and the sum of their squares."""
    ranks: list[Floats] = [weights[0]] * len(items)
    below, squares = np.zeros(weights.shape[1]), np.zeros(weights.shape[1])
    for group in groups:
        drawn = _sum(weights, items[group])
        rank = below + (drawn + 1) / 2
        below += drawn
        squares += drawn * rank * rank
        for place in group:
            ranks[place] = rank
    return ranks, squares


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
