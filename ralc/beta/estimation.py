"""Fits of Betas to scores in [0, 1], for many sets of scores at once: by moments and by maximum likelihood.

The likelihood depends on the scores through the means of ln x and ln(1-x) alone. Both are kept as their
difference from the logarithm of the mean. So sets that agree closely (k up to about 1e9) lose no digits.
"""

from typing import TYPE_CHECKING

import numpy as np
import scipy

from ralc.beta.distances import log1p_minus, log_ratio_excess
from ralc.beta.validation import LARGEST, PARAMETER_FLOOR, Floats

if TYPE_CHECKING:
    from ralc.protocols import Protocol

#: Alpha and beta, or a step in each.
Parameters = tuple[Floats, Floats]
#: A known variance (or what it lacks of the largest) that is smaller was computed of a degenerate distribution.
_ROUNDING = 1e-12
#: By the paper's letter scores are clipped so far from 0 and 1.
_CLIP = 1e-6
_MOST_STEPS = 100
_TOLERANCE = 1e-12
#: From here on the asymptotic series are exact to double precision.
_LARGE = 32.0


def fit_moments(scores: Floats, protocol: "Protocol") -> Parameters:
    """Return alpha and beta of each set by the method of moments (paper appendix A.1.1).

    Parameters
    ----------
    scores : array of shape (..., T)
        Scores in [0, 1], one set a row; NaN is a missing score. Every set has at least one score.
    protocol : Protocol
        The degrees of freedom of the variance, and the rule for degenerate sets.
    """
    present = ~np.isnan(scores)
    n = present.sum(axis=-1)
    # A mean of equal scores can differ from them by rounding; clip it to their range.
    lowest = np.where(present, scores, np.inf).min(axis=-1)
    highest = np.where(present, scores, -np.inf).max(axis=-1)
    mean = np.clip(np.where(present, scores, 0.0).sum(axis=-1) / n, lowest, highest)
    # The computed variance of equal scores is not 0 (nine times 0.95: 1.4e-32), so compare their range.
    constant = lowest == highest
    ddof = np.where(n > 1, protocol.moments_ddof, 0)
    squares = np.where(present, scores - mean[..., None], 0.0) ** 2
    variance = np.where(constant, 0.0, squares.sum(axis=-1) / (n - ddof))
    if protocol.moments_degenerate == "resolution":
        return _by_resolution(mean, variance, n, protocol)
    # mean(1-mean) - variance, written so that it is exactly 0 for scores that are all 0 or 1 (ddof = 0).
    spread = np.where(present, scores * (1 - scores), 0.0).sum(axis=-1)
    spare = (spread - ddof * mean * (1 - mean)) / (n - ddof)
    return _by_count(mean, spare, variance, constant, n, protocol)


def from_mean_variance(mean: Floats, variance: Floats, count: Floats, protocol: "Protocol") -> Parameters:
    """Return alpha and beta of these means and variances.

    Parameters
    ----------
    mean, variance : arrays of one shape
        Means in (0, 1), and variances of at least 0.
    count : array of the same shape
        Scores, at least 1, that a degenerate distribution counts for.
    protocol : Protocol
        The rule for degenerate distributions.
    """
    if protocol.moments_degenerate == "resolution":
        return _by_resolution(mean, variance, np.full_like(mean, np.inf), protocol)
    spare = mean * (1 - mean) - variance
    degenerate = (variance < _ROUNDING) | (spare < _ROUNDING)
    return _by_count(mean, spare, variance, degenerate, count, protocol)


def fit_likelihood(scores: Floats, protocol: "Protocol") -> Parameters:
    """Return alpha and beta of each set by maximum likelihood, with the support fixed to [0, 1].

    Parameters
    ----------
    scores : array of shape (..., T)
        As for `fit_moments`.
    protocol : Protocol
        How scores of 0 and 1 are moved inside, and the moments fit of constant sets, which have no maximum.
    """
    shape = scores.shape[:-1]
    x = interior(scores, protocol).reshape(-1, scores.shape[-1])
    varied = np.fmin.reduce(x, axis=-1) < np.fmax.reduce(x, axis=-1)
    alpha = np.empty(len(x))
    beta = np.empty(len(x))
    if varied.any():
        alpha[varied], beta[varied] = _maximise(*_sufficient_statistics(x if varied.all() else x[varied]))
    if not varied.all():
        constant = scores.reshape(x.shape)[~varied].clip(_CLIP, 1 - _CLIP)
        alpha[~varied], beta[~varied] = fit_moments(constant, protocol)
    # Scores that differ in their last bit have no useful maximum: their mean is kept, the concentration capped.
    scale = np.minimum(LARGEST / np.maximum(alpha, beta), 1.0)
    return tuple(np.clip(fitted * scale, PARAMETER_FLOOR, LARGEST).reshape(shape) for fitted in (alpha, beta))


def interior(scores: Floats, protocol: "Protocol") -> Floats:
    """Return the scores moved inside (0, 1) as the protocol says; missing ones stay missing."""
    if protocol.letter:
        return np.clip(scores, _CLIP, 1 - _CLIP)
    # DEVIATES from the paper's clip: on 170 times 0.9 and ten 0s that has mean 0.626, this 0.727.
    n = (~np.isnan(scores)).sum(axis=-1, keepdims=True)
    return (scores * (n - 1) + 0.5) / n


def _by_resolution(mean: Floats, variance: Floats, n: Floats, protocol: "Protocol") -> Parameters:
    """Parameters where scores are known to a resolution r: monotone in agreement."""
    # DEVIATES from paper appendix A.1.1, where five 1s and four 0s get k = 9, six 0.9s and three 0.1s 0.45.
    r = protocol.resolution
    mean = np.clip(mean, r / 4, 1 - r / 4)
    variance = np.maximum(variance, max(r**2 / 12, protocol.deviation_floor**2))
    concentration = np.maximum(mean * (1 - mean) / variance - 1, protocol.concentration_floor)
    return _parameters(mean, np.where(n == 1, 1.0, concentration))


def _by_count(
    mean: Floats, spare: Floats, variance: Floats, constant: Floats, n: Floats, protocol: "Protocol"
) -> Parameters:
    """Parameters by the paper's rule: the concentration of a degenerate set is the number of its scores."""
    floored = np.maximum(variance, protocol.deviation_floor**2)
    spare = spare - (floored - variance)
    degenerate = constant | (spare <= 0)
    return _parameters(mean, np.where(degenerate, n, spare / np.where(degenerate, 1.0, floored)))


def _parameters(mean: Floats, concentration: Floats) -> Parameters:
    """Alpha and beta, not below their floor."""
    # Scores that differ in their last bit ask for a concentration of 1e31: as good as any that is as high.
    concentration = np.minimum(concentration, LARGEST)
    return tuple(np.maximum(part * concentration, PARAMETER_FLOOR) for part in (mean, 1 - mean))


def _sufficient_statistics(x: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Mean, variance, and mean(ln x) - ln(mean x) of the scores and of their complements."""
    weight = np.broadcast_to(1 / x.shape[-1], x.shape)
    missing = np.isnan(x)
    if missing.any():
        # Any value inside (0, 1) does for a missing score: its weight is 0.
        weight = ~missing / (~missing).sum(axis=-1, keepdims=True)
        x = np.where(missing, 0.5, x)
    mean = _weighted_mean(x, weight)
    variance = _weighted_mean((x - mean[:, None]) ** 2, weight)
    gap = _weighted_mean(np.log(x), weight) - np.log(mean)
    complement_gap = _weighted_mean(np.log1p(-x), weight) - np.log1p(-mean)
    # Sets that agree closely lose digits in that difference; a series keeps them.
    tight = variance < 1e-4 * mean * (1 - mean)
    if tight.any():
        gap[tight] = _gap_of_tight_sets(x[tight], weight[tight], mean[tight])
        complement_gap[tight] = _gap_of_tight_sets(1 - x[tight], weight[tight], 1 - mean[tight])
    return mean, variance, gap, complement_gap


def _gap_of_tight_sets(x: Floats, weight: Floats, mean: Floats) -> Floats:
    """mean(ln x) - ln(mean x) <= 0, accurate for scores that agree closely."""
    # The computed mean is off by rounding; `shift` is by how much, relatively.
    shift = _weighted_mean(x - mean[:, None], weight) / mean
    return _weighted_mean(log_ratio_excess(mean[:, None], x), weight) - log1p_minus(shift)


def _weighted_mean(values: Floats, weight: Floats) -> Floats:
    """Weighted mean along the last axis, for weights that sum to 1."""
    return np.einsum("st,st->s", values, weight)


def _maximise(mean: Floats, variance: Floats, gap: Floats, complement_gap: Floats) -> Parameters:
    """Newton's method on the (concave) log likelihood, each set until it has converged."""
    start = np.clip(mean * (1 - mean) / variance - 1, 1e-2, 1e12)
    a = mean * start
    b = (1 - mean) * start
    active = np.arange(a.size)
    for _ in range(_MOST_STEPS):
        x = a[active]
        y = b[active]
        m = mean[active]
        k = x + y
        common = _log_rest(k)
        score_a = gap[active] - np.log(x / k / m) - _log_rest(x) + common
        score_b = complement_gap[active] - np.log(y / k / (1 - m)) - _log_rest(y) + common
        step_a, step_b = _newton_step(x, y, score_a, score_b)
        # A step changes a parameter by a factor of e at most, which keeps it positive.
        step_a = np.clip(step_a / x, -1, 1)
        step_b = np.clip(step_b / y, -1, 1)
        a[active] = x * np.exp(step_a)
        b[active] = y * np.exp(step_b)
        active = active[np.maximum(np.abs(step_a), np.abs(step_b)) > _TOLERANCE]
        if not active.size:
            break
    return a, b


def _newton_step(a: Floats, b: Floats, score_a: Floats, score_b: Floats) -> Parameters:
    """Inverse Fisher information times the score, the 1/x parts of the trigammas cancelled by hand."""
    k = a + b
    ta = _trigamma_rest(a)
    tb = _trigamma_rest(b)
    tk = _trigamma_rest(k)
    aa = b / (a * k) + ta - tk
    bb = a / (b * k) + tb - tk
    kk = 1 / k + tk
    determinant = ta * a / (b * k) + tb * b / (a * k) - tk * k / (a * b) + ta * tb - tk * (ta + tb)
    return (bb * score_a + kk * score_b) / determinant, (kk * score_a + aa * score_b) / determinant


def _log_rest(x: Floats) -> Floats:
    """psi(x) - ln x."""
    u = 1 / np.maximum(x, _LARGE)
    u2 = u * u
    series = -u / 2 - u2 * (1 / 12 - u2 * (1 / 120 - u2 * (1 / 252 - u2 / 240)))
    return np.where(x < _LARGE, scipy.special.digamma(np.minimum(x, _LARGE)) - np.log(x), series)


def _trigamma_rest(x: Floats) -> Floats:
    """psi'(x) - 1/x."""
    lift = np.where(x < _LARGE, 10.0, 0.0)
    u = 1 / (x + lift)
    u2 = u * u
    rest = u2 * (1 / 2 + u * (1 / 6 - u2 * (1 / 30 - u2 * (1 / 42 - u2 * (1 / 30 - u2 * 5 / 66)))))
    small = lift > 0
    low = x[small]
    rest[small] += sum((low + j) ** -2.0 for j in range(10)) + 1 / (low + 10) - 1 / low
    return rest
