"""The method of moments (paper appendix A.1.1), for many sets of scores at once."""

from typing import TYPE_CHECKING

import numpy as np

from ralc.beta.validation import LARGEST, PARAMETER_FLOOR, Floats

if TYPE_CHECKING:
    from ralc.protocols import Protocol

#: A known variance (or what it lacks of the largest) that is smaller was computed of a degenerate distribution.
ROUNDING = 1e-12


def fit(scores: Floats, protocol: "Protocol") -> tuple[Floats, Floats]:
    """Return alpha and beta, one a set, that match the mean and the variance of its scores.

    Parameters
    ----------
    scores : array of shape (..., T)
        Scores in [0, 1], one set a row; NaN is a missing score. Every set has at least one score.
    protocol : Protocol
        The degrees of freedom of the variance, and the rule for degenerate sets.
    """
    present = ~np.isnan(scores)
    n = present.sum(axis=-1)
    filled = np.where(present, scores, 0.0)
    total = filled.sum(axis=-1)
    # A mean of equal scores can differ from them by rounding; clip it to their range.
    lowest = np.where(present, scores, np.inf).min(axis=-1)
    highest = np.where(present, scores, -np.inf).max(axis=-1)
    mean = np.clip(total / n, lowest, highest)
    # The computed variance of equal scores is not 0 (nine times 0.95: 1.4e-32), so compare their range.
    constant = lowest == highest
    ddof = np.where(n > 1, protocol.moments_ddof, 0)
    squares = np.where(present, scores - mean[..., None], 0.0) ** 2
    variance = np.where(constant, 0.0, squares.sum(axis=-1) / (n - ddof))
    if protocol.moments_degenerate == "resolution":
        mean, concentration = _by_resolution(mean, variance, n, protocol)
    else:
        # mean(1-mean) - variance, written so that it is exactly 0 for scores that are all 0 or 1 (ddof = 0).
        spare = (np.where(present, scores * (1 - scores), 0.0).sum(axis=-1) - ddof * mean * (1 - mean)) / (
            n - ddof
        )
        concentration = _by_count(spare, variance, constant, n, protocol)
    return _parameters(mean, concentration)


def from_mean_variance(
    mean: Floats, variance: Floats, count: Floats, protocol: "Protocol"
) -> tuple[Floats, Floats]:
    """Return alpha and beta of these means and variances; a degenerate one counts for `count` scores."""
    if protocol.moments_degenerate == "resolution":
        mean, concentration = _by_resolution(mean, variance, np.full_like(mean, np.inf), protocol)
    else:
        spare = mean * (1 - mean) - variance
        degenerate = (variance < ROUNDING) | (spare < ROUNDING)
        concentration = _by_count(spare, variance, degenerate, count, protocol)
    return _parameters(mean, concentration)


def _parameters(mean: Floats, concentration: Floats) -> tuple[Floats, Floats]:
    """Alpha and beta, not below their floor."""
    # Scores that differ in their last bit ask for a concentration of 1e31: as good as any that is as high.
    concentration = np.minimum(concentration, LARGEST)
    return tuple(np.maximum(part * concentration, PARAMETER_FLOOR) for part in (mean, 1 - mean))


def _by_resolution(mean: Floats, variance: Floats, n: Floats, protocol: "Protocol") -> tuple[Floats, Floats]:
    """Mean and concentration where scores are known to a resolution r: monotone in agreement."""
    # DEVIATES from paper appendix A.1.1, where five 1s and four 0s get k = 9, six 0.9s and three 0.1s 0.45.
    r = protocol.resolution
    mean = np.clip(mean, r / 4, 1 - r / 4)
    variance = np.maximum(variance, max(r**2 / 12, protocol.deviation_floor**2))
    concentration = np.maximum(mean * (1 - mean) / variance - 1, protocol.concentration_floor)
    return mean, np.where(n == 1, 1.0, concentration)


def _by_count(spare: Floats, variance: Floats, constant: Floats, n: Floats, protocol: "Protocol") -> Floats:
    """Concentration by the paper's rule: degenerate sets get the number of their scores."""
    floored = np.maximum(variance, protocol.deviation_floor**2)
    spare = spare - (floored - variance)
    degenerate = constant | (spare <= 0)
    return np.where(degenerate, n, spare / np.where(degenerate, 1.0, floored))
