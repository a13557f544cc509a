"""The exact 1-Wasserstein distance between Betas.

W1 is the area between the two distribution functions F and G. With the integrated distribution function
A(x) = int_0^x F, and H = A_F - A_G, the sign of F - G changes at most once, so that
W1 = |2 H(x*) - H(1)| where x* is the crossing, H(1) = mu_G - mu_F, and W1 = |H(1)| where there is none.
"""

import numpy as np
import scipy

from ralc.beta.validation import Floats

#: Bound on the error that a crossing not yet found exactly leaves in a distance.
_TOLERANCE = 1e-15
_MOST_STEPS = 400


def distance(a1: Floats, b1: Floats, a2: Floats, b2: Floats) -> Floats:
    """Return the 1-Wasserstein distance of Beta(a1, b1) and Beta(a2, b2), in [0, 1]; broadcasts."""
    a1, b1, a2, b2 = np.broadcast_arrays(a1, b1, a2, b2)
    result = np.array(np.abs(mean_difference(a1, b1, a2, b2)))
    crossing = (a1 - a2) * (b1 - b2) > 0
    if crossing.any():
        a1, b1, a2, b2 = a1[crossing], b1[crossing], a2[crossing], b2[crossing]
        # The more concentrated one first: the distance is exactly symmetric.
        first = a1 > a2
        a, b = np.where(first, a1, a2), np.where(first, b1, b2)
        c, d = np.where(first, a2, a1), np.where(first, b2, b1)
        x = crossing_point(a, b, c, d)
        area = 2 * (cdf_and_integral(a, b, x)[1] - cdf_and_integral(c, d, x)[1])
        # Never less than the difference of the means, whatever the rounding.
        result[crossing] = np.maximum(np.abs(area + mean_difference(a, b, c, d)), result[crossing])
    return result[()]


def mean_difference(a1: Floats, b1: Floats, a2: Floats, b2: Floats) -> Floats:
    """Return a1/(a1+b1) - a2/(a2+b2), to rounding, and exactly the negative with the two exchanged."""
    return (a1 * b2 - a2 * b1) / ((a1 + b1) * (a2 + b2))


def cdf_and_integral(a: Floats, b: Floats, x: Floats) -> tuple[Floats, Floats]:
    """Return the distribution function F of Beta(a, b) at `x` and its integral from 0 to `x`; broadcasts."""
    # The integral is x F(x) - mu I_x(a+1, b), with I_x(a+1, b) = I_x(a, b) - x^a (1-x)^b / (a B(a, b)).
    k, cdf = a + b, scipy.special.betainc(a, b, x)
    return cdf, (x - a / k) * cdf + _density(a, b, x) / k


def crossing_point(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Return where the distribution functions F of Beta(a, b) and G of Beta(c, d) cross, for a > c, b > d.

    Safeguarded Newton steps from where f/g is largest. F - G falls, rises through the crossing, and falls
    again. It rises where f > g; there the area up to the crossing is at most |F - G| times the bracket, which
    is when to stop.
    """
    middle = (a / (a + b) + c / (c + d)) / 2
    x = (a - c) / ((a - c) + (b - d))
    low, high = np.zeros_like(x), np.ones_like(x)
    last = np.full_like(x, np.inf)
    active = np.arange(x.size)
    for _ in range(_MOST_STEPS):
        p, now, mid = [v[active] for v in (a, b, c, d)], x[active], middle[active]
        gap = _cdf_difference(*p, now, now < mid)
        slope = _density(*p[:2], now) - _density(*p[2:], now)
        # Where both functions are flat the difference is 0: the crossing lies towards the means.
        right = np.where(gap == 0, now < mid, gap < 0)
        low[active[right]], high[active[~right]] = now[right], now[~right]
        lo, hi = low[active], high[active]
        rising = slope > 0
        newton = now - gap * now * (1 - now) / np.where(rising, slope, 1.0)
        good = rising & (newton > lo) & (newton < hi) & (np.abs(gap) < last[active] / 2)
        nearer = np.where(good, newton, (lo + hi) / 2)
        done = rising & (np.abs(gap) * (hi - lo) < _TOLERANCE) | (nearer <= lo) | (nearer >= hi)
        last[active] = np.abs(gap)
        x[active] = np.where(done, now, nearer)
        active = active[~done]
        if not active.size:
            break
    return x


def _cdf_difference(a: Floats, b: Floats, c: Floats, d: Floats, x: Floats, lower: Floats) -> Floats:
    """F(x) - G(x), from the tail that keeps the difference's precision."""
    # The upper tail is the lower one of 1-x, parameters swapped: scipy's betaincc is ten times slower.
    p, q = np.where(lower, a, b), np.where(lower, b, a)
    r, s = np.where(lower, c, d), np.where(lower, d, c)
    z = np.where(lower, x, 1 - x)
    return np.where(lower, 1, -1) * (scipy.special.betainc(p, q, z) - scipy.special.betainc(r, s, z))


def _density(a: Floats, b: Floats, x: Floats) -> Floats:
    """x (1-x) times the density: x^a (1-x)^b / B(a, b)."""
    return np.exp(scipy.special.xlogy(a, x) + scipy.special.xlog1py(b, -x) - scipy.special.betaln(a, b))
