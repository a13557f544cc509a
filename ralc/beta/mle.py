"""Maximum likelihood fits of Betas on [0, 1], for many sets of scores at once.

The likelihood depends on the scores through the means of ln x and ln(1-x) alone. Both are kept as what they
differ by from the logarithm of the mean, so that sets that agree closely (k up to about 1e9) lose no digits.
"""

from typing import TYPE_CHECKING

import numpy as np
import scipy

from ralc.beta import moments
from ralc.beta.divergence import log1p_minus, log_ratio_excess
from ralc.beta.validation import LARGEST, PARAMETER_FLOOR, Floats

if TYPE_CHECKING:
    from ralc.protocols import Protocol

#: By the paper's letter scores are clipped so far from 0 and 1.
CLIP = 1e-6
_MOST_STEPS = 100
_TOLERANCE = 1e-12
#: From here on the asymptotic series are exact to double precision.
_LARGE = 32.0


def fit(scores: Floats, protocol: "Protocol") -> tuple[Floats, Floats]:
    """Return alpha and beta, one a set, of largest likelihood.

    Parameters
    ----------
    scores : array of shape (..., T)
        Scores in [0, 1], one set a row; NaN is a missing score. Every set has at least one score.
    protocol : Protocol
        How scores of 0 and 1 are moved inside, and the moments fit of constant sets, which have no maximum.
    """
    shape, x = scores.shape[:-1], interior(scores, protocol).reshape(-1, scores.shape[-1])
    varied = np.fmin.reduce(x, axis=-1) < np.fmax.reduce(x, axis=-1)
    alpha, beta = np.empty(len(x)), np.empty(len(x))
    if varied.any():
        alpha[varied], beta[varied] = _maximise(*_sufficient_statistics(x if varied.all() else x[varied]))
    if not varied.all():
        constant = scores.reshape(x.shape)[~varied].clip(CLIP, 1 - CLIP)
        alpha[~varied], beta[~varied] = moments.fit(constant, protocol)
    # Scores that differ in their last bit have no useful maximum: their mean is kept, the concentration capped.
    scale = np.minimum(LARGEST / np.maximum(alpha, beta), 1.0)
    return tuple(np.clip(fitted * scale, PARAMETER_FLOOR, LARGEST).reshape(shape) for fitted in (alpha, beta))


def interior(scores: Floats, protocol: "Protocol") -> Floats:
    """Return the scores moved inside (0, 1) as the protocol says; missing ones stay missing."""
    if protocol.letter:
        return np.clip(scores, CLIP, 1 - CLIP)
    # DEVIATES from the paper's clip: on 170 times 0.9 and ten 0s that has mean 0.626, this 0.727.
    n = (~np.isnan(scores)).sum(axis=-1, keepdims=True)
    return (scores * (n - 1) + 0.5) / n


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


def _maximise(mean: Floats, variance: Floats, gap: Floats, complement_gap: Floats) -> tuple[Floats, Floats]:
    """Newton's method on the (concave) log likelihood, each set until it has converged."""
    start = np.clip(mean * (1 - mean) / variance - 1, 1e-2, 1e12)
    a, b = mean * start, (1 - mean) * start
    active = np.arange(a.size)
    for _ in range(_MOST_STEPS):
        x, y, m = a[active], b[active], mean[active]
        k = x + y
        common = _log_rest(k)
        score_a = gap[active] - np.log(x / k / m) - _log_rest(x) + common
        score_b = complement_gap[active] - np.log(y / k / (1 - m)) - _log_rest(y) + common
        step_a, step_b = _newton_step(x, y, score_a, score_b)
        # A step changes a parameter by a factor of e at most, which keeps it positive.
        step_a, step_b = np.clip(step_a / x, -1, 1), np.clip(step_b / y, -1, 1)
        a[active], b[active] = x * np.exp(step_a), y * np.exp(step_b)
        active = active[np.maximum(np.abs(step_a), np.abs(step_b)) > _TOLERANCE]
        if not active.size:
            break
    return a, b


def _newton_step(a: Floats, b: Floats, score_a: Floats, score_b: Floats) -> tuple[Floats, Floats]:
    """Inverse Fisher information times the score, the 1/x parts of the trigammas cancelled by hand."""
    k = a + b
    ta, tb, tk = _trigamma_rest(a), _trigamma_rest(b), _trigamma_rest(k)
    aa, bb, kk = b / (a * k) + ta - tk, a / (b * k) + tb - tk, 1 / k + tk
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
    z = x + lift
    u = 1 / z
    u2 = u * u
    rest = u2 * (1 / 2 + u * (1 / 6 - u2 * (1 / 30 - u2 * (1 / 42 - u2 * (1 / 30 - u2 * 5 / 66)))))
    small = lift > 0
    low = x[small]
    rest[small] += sum((low + j) ** -2.0 for j in range(10)) + 1 / (low + 10) - 1 / low
    return rest
