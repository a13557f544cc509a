"""Metrics of many items' means: calibration error, discrimination, rank correlation."""

import numpy as np
from numpy.typing import ArrayLike

from ralc.beta.validation import Floats, as_floats, probabilities, require, same_shape, shares

__all__ = [
    "auroc",
    "brier_score",
    "calibration_bin",
    "expected_calibration_error",
    "is_constant",
    "mean_gaps",
    "spearman",
]


def expected_calibration_error(outcome: ArrayLike, mean: ArrayLike, *, bins: int = 10) -> float:
    """Expected calibration error of the means, in [0, 1]: the mean gap of accuracy and confidence over bins.

    Equal-width bins (lo, hi]; a mean of 0 is in the first.

    >>> expected_calibration_error([1, 0, 1, 1], [0.9, 0.9, 0.3, 0.3])
    0.55
    """
    gaps = mean_gaps(outcome, mean, bins=bins)
    return float(np.abs(gaps.sum(axis=0)).sum() / len(gaps))


def brier_score(outcome: ArrayLike, mean: ArrayLike) -> float:
    """Mean squared error of the means, in [0, 1], as scikit-learn's ``brier_score_loss``.

    >>> brier_score([1, 0], [0.75, 0.75])
    0.3125
    """
    y, p = scored(outcome, mean)
    return float(np.mean((p - y) ** 2))


def mean_gaps(outcome: ArrayLike, mean: ArrayLike, *, bins: int = 10) -> Floats:
    """What each item adds to each bin of the ECE: outcome - mean in its own bin; shape (N, bins).

    >>> mean_gaps([1, 0], [0.2, 0.9], bins=2)
    array([[ 0.8,  0. ],
           [ 0. , -0.9]])
    """
    y, p = scored(outcome, mean)
    gaps = np.zeros((y.size, bins))
    gaps[np.arange(y.size), calibration_bin(p, bins=bins)] = y - p
    return gaps


def calibration_bin(mean: ArrayLike, *, bins: int = 10) -> np.ndarray:
    """Index of the equal-width bin (lo, hi] that each mean is in; 0 is in the first.

    >>> calibration_bin([0, 0.1, 0.11, 1])
    array([0, 0, 1, 9])
    """
    return np.searchsorted(bin_edges(bins)[1:-1], probabilities(mean, "mean"), side="left")


def auroc(outcome: ArrayLike, score: ArrayLike) -> float:
    """Probability that a correct answer scores above a wrong one, ties counting half; NaN with one class.

    An answer of which a share is right counts among both, with that share and with the rest.

    >>> auroc([1, 1, 0, 0], [0.9, 0.4, 0.4, 0.1])
    0.875
    """
    y, s = shares(outcome), np.round(as_floats(score, "score"), 12)  # what differs by rounding alone is a tie
    same_shape(y.shape, s.shape, names="outcome and score")
    _not_swapped(y, s)
    require(s, lambda v: ~np.isnan(v), "score", "a number")
    if not 0 < y.sum() < y.size:
        return float("nan")
    from sklearn.metrics import roc_auc_score

    right, wrong = y > 0, y < 1
    counted = np.concatenate([y[right], 1 - y[wrong]])
    return float(
        roc_auc_score(
            np.repeat([1, 0], [right.sum(), wrong.sum()]), np.r_[s[right], s[wrong]], sample_weight=counted
        )
    )


def spearman(first: ArrayLike, second: ArrayLike) -> float:
    """Rank correlation of two unbinned vectors, in [-1, 1]; NaN where one of them is constant up to rounding.

    >>> spearman([1, 2, 3], [0.1, 0.4, 0.2])
    0.5
    """
    x, y = as_floats(first, "first"), as_floats(second, "second")
    same_shape(x.shape, y.shape, names="first and second")
    for values, name in ((x, "first"), (y, "second")):
        require(values, lambda v: ~np.isnan(v), name, "a number")
    if x.size < 2 or is_constant(x) or is_constant(y):
        return float("nan")
    from scipy.stats import spearmanr

    return float(spearmanr(x, y).statistic)


def is_constant(values: Floats) -> bool:
    """Whether values differ by no more than rounding: their ranks would be those of the rounding.

    >>> is_constant(np.array([21.0, 21.000000000000004])), is_constant(np.array([0.2, 0.21]))
    (True, False)
    """
    return bool(np.ptp(values) <= 1e-9 * np.abs(values).max())


def scored(outcome: ArrayLike, mean: ArrayLike) -> tuple[Floats, Floats]:
    """Checked outcomes and means of one shape, at least one."""
    y, p = shares(outcome), probabilities(mean, "mean")
    same_shape(y.shape, p.shape, names="outcome and mean")
    if not y.size:
        raise ValueError("outcome must have at least one item")
    _not_swapped(y, p)
    return y, p


def _not_swapped(outcome: Floats, score: Floats) -> None:
    """Raise ValueError where outcomes are shares and forecasts 0s and 1s alone."""
    if not np.isin(outcome, (0, 1)).all() and np.isin(score, (0, 1)).all():
        raise ValueError("outcome has shares, and the forecast 0s and 1s alone: are the arguments swapped?")


def bin_edges(bins: int) -> Floats:
    """Edges of equal-width bins."""
    if bins < 1:
        raise ValueError(f"bins must be at least 1: bins = {bins}")
    return np.linspace(0, 1, bins + 1)
