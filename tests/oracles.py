"""Slow, exact references in many digits (mpmath) that share no code with the package."""

import mpmath as mp
import numpy as np

mp.mp.dps = 50


def faithfulness_divergence(y: int, alpha: float, beta: float) -> mp.mpf:
    """k KL(posterior || prior), from the divergence's textbook formula, which cancels some forty digits."""
    with mp.workdps(80):
        a = mp.mpf(alpha)
        b = mp.mpf(beta)
        return (a + b) * kullback_leibler(a + int(y), b + 1 - int(y), a, b)


def kullback_leibler(a: mp.mpf, b: mp.mpf, c: mp.mpf, d: mp.mpf) -> mp.mpf:
    """KL(Beta(a, b) || Beta(c, d)), textbook formula."""
    a, b, c, d = map(mp.mpf, (a, b, c, d))

    def log_beta(x: mp.mpf, y: mp.mpf) -> mp.mpf:
        return mp.loggamma(x) + mp.loggamma(y) - mp.loggamma(x + y)

    total = log_beta(c, d) - log_beta(a, b)
    return total + (a - c) * mp.psi(0, a) + (b - d) * mp.psi(0, b) + (c - a + d - b) * mp.psi(0, a + b)


def cdf(a: mp.mpf, b: mp.mpf, x: mp.mpf) -> mp.mpf:
    """Regularised incomplete beta by its continued fraction (mpmath's own is slow for large parameters)."""
    if x <= 0 or x >= 1:
        return mp.mpf(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - cdf(b, a, 1 - x)
    return power_term(a, b, x) / a * _fraction(a, b, x)


def power_term(a: mp.mpf, b: mp.mpf, x: mp.mpf) -> mp.mpf:
    """x^a (1-x)^b / B(a, b)."""
    log_beta = mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)
    return mp.exp(a * mp.log(x) + b * mp.log1p(-x) - log_beta)


def _fraction(a: mp.mpf, b: mp.mpf, x: mp.mpf) -> mp.mpf:
    """Lentz's evaluation of the continued fraction."""
    c = mp.mpf(1)
    d = 1 / (1 - (a + b) * x / (a + 1))
    h = d
    for m in range(1, 100_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / (1 + even * d)
        c = 1 + even / c
        h *= d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / (1 + odd * d)
        c = 1 + odd / c
        h *= d * c
        if abs(d * c - 1) < mp.mpf(10) ** -30:
            return h
    raise ArithmeticError("the continued fraction did not converge")


def wasserstein_distance(alpha: float, beta: float, other_alpha: float, other_beta: float) -> mp.mpf:
    """Area between two distribution functions, split at the crossing that bisection on their sign finds."""
    a, b, c, d = map(mp.mpf, (alpha, beta, other_alpha, other_beta))
    if (a - c) * (b - d) <= 0:
        return abs(a / (a + b) - c / (c + d))
    if a < c:
        a, b, c, d = c, d, a, b
    mean = (a / (a + b) + c / (c + d)) / 2
    # In log-odds; beyond +-120 no area is left.
    low = mp.mpf(-120)
    high = mp.mpf(120)
    for _ in range(44):
        middle = (low + high) / 2
        x = 1 / (1 + mp.exp(-middle))
        below = cdf(a, b, x) - cdf(c, d, x) if x < mean else cdf(d, c, 1 - x) - cdf(b, a, 1 - x)
        low, high = (middle, high) if below < 0 else (low, middle)
    x = 1 / (1 + mp.exp(-(low + high) / 2))

    def area(p: mp.mpf, q: mp.mpf) -> mp.mpf:
        return (x - p / (p + q)) * cdf(p, q, x) + power_term(p, q, x) / (p + q)

    return abs(2 * (area(a, b) - area(c, d)) - (c / (c + d) - a / (a + b)))


def wasserstein_pairs(count: int, rng: np.random.Generator) -> np.ndarray:
    """Random pairs of Betas, parameters in [1e-6, 1e6]; (count, 4): near, flat, of one mean, or any, a quarter each."""
    pairs = 10 ** rng.uniform(-6, 6, (count, 4))
    near, flat, kin = np.array_split(np.arange(count), 4)[:3]
    pairs[near, 2:] = pairs[near, :2] * (1 + rng.normal(0, 1e-3, (near.size, 2)))
    pairs[flat] = 10 ** rng.uniform(-6, -3, (flat.size, 4))
    factor = 10 ** rng.uniform(-2, 2, (kin.size, 1)) * (1 + rng.normal(0, 0.05, (kin.size, 2)))
    pairs[kin, 2:] = pairs[kin, :2] * factor
    return pairs.clip(1e-6, 1e6)
