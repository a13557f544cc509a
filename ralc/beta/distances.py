"""Kullback-Leibler divergence and exact 1-Wasserstein distance between Betas, to double precision.

Differences of ``betaln`` and ``digamma`` cancel: at a concentration of 1e9 they give a faithfulness divergence of
1,067 where the truth is 49.5. Every formula here has its small factors taken out by hand.
"""

import numpy as np
import scipy

from ralc.beta.validation import Floats

#: Terms of the recurrence that lift an argument to where the asymptotic series are exact.
_LIFT = 32
#: Items taken at once: slices that stay in the cache are three times faster for a million items.
_SLICE = 8192
#: Error that a crossing not yet found exactly may leave in a Wasserstein distance, and steps to find it.
_TOLERANCE = 1e-15
_MOST_STEPS = 400


def updating_cost(x: Floats, d: Floats) -> Floats:
    """Return KL(Beta(x+1, d) || Beta(x, d)) = g(x) - g(x+d), where g(x) = psi(x+1) - ln x; shape of `x`.

    This is what one success costs an evaluator who believed Beta(x, d). It is accurate to 1e-11 (relative) for both
    arguments anywhere in [1e-6, 1e12].
    """
    x, d = np.broadcast_arrays(x, d)
    shape = x.shape
    x = x.ravel()
    d = d.ravel()
    cost = np.empty(x.size)
    for start in range(0, x.size, _SLICE):
        part = slice(start, start + _SLICE)
        cost[part] = _updating_cost(x[part], d[part])
    return cost.reshape(shape)


def digamma_difference(x: Floats, d: Floats) -> Floats:
    """Return psi(x+d) - psi(x) for positive `x` and `d`, accurate where `d` is much smaller than `x`."""
    return np.log1p(d / x) - updating_cost(x, d) + d / x / (x + d)


def kullback_leibler(alpha: Floats, beta: Floats, other_alpha: Floats, other_beta: Floats) -> Floats:
    """Return KL(Beta(alpha, beta) || Beta(other_alpha, other_beta)) in nats; broadcasts.

    With R(x, y) = ln Gamma(y) - ln Gamma(x) - (y-x) psi(x) >= 0, the divergence is
    R(alpha, alpha') + R(beta, beta') - R(k, k'). R is lifted to large arguments. There its leading term, the same in
    all three, becomes k' times the divergence of two Bernoulli variables.

    Parameters
    ----------
    alpha, beta : arrays
        The distribution that the expectation is taken over; both in [1e-6, 1e12].
    other_alpha, other_beta : arrays
        The other distribution; both in [1e-6, 1e12].
    """
    a, b, a2, b2 = np.broadcast_arrays(alpha, beta, other_alpha, other_beta)
    k = a + b
    k2 = a2 + b2
    lift = 2 * _LIFT
    total = np.zeros(a.shape)
    for j in range(_LIFT):
        total -= log_ratio_excess(a + j, a2 + j) + log_ratio_excess(b + j, b2 + j)
    for j in range(lift):
        total += log_ratio_excess(k + j, k2 + j)
    total += _bernoulli_part(a + _LIFT, b + _LIFT, a2 + _LIFT, b2 + _LIFT)
    total += _stirling_part(a + _LIFT, a2 + _LIFT) + _stirling_part(b + _LIFT, b2 + _LIFT)
    total -= _stirling_part(k + lift, k2 + lift)
    return np.maximum(total, 0.0)[()]


def wasserstein(a1: Floats, b1: Floats, a2: Floats, b2: Floats) -> Floats:
    """Return the 1-Wasserstein distance of Beta(a1, b1) and Beta(a2, b2), in [0, 1]; broadcasts.

    It is the area between the distribution functions F and G, whose difference changes sign at most once. With
    H(x) = int_0^x (F - G) and H(1) = mu_G - mu_F, it is |2 H(x*) - H(1)| where they cross at x*, else |H(1)|.

    Parameters
    ----------
    a1, b1 : arrays
        Positive parameters of the first distributions.
    a2, b2 : arrays
        Those of the second ones.
    """
    a1, b1, a2, b2 = np.broadcast_arrays(a1, b1, a2, b2)
    distance = np.array(np.abs(_mean_difference(a1, b1, a2, b2)))
    crossing = (a1 - a2) * (b1 - b2) > 0
    if crossing.any():
        a1 = a1[crossing]
        b1 = b1[crossing]
        a2 = a2[crossing]
        b2 = b2[crossing]
        # The more concentrated one first: the distance is exactly symmetric.
        first = a1 > a2
        a = np.where(first, a1, a2)
        b = np.where(first, b1, b2)
        c = np.where(first, a2, a1)
        d = np.where(first, b2, b1)
        x = _crossing_point(a, b, c, d)
        area = 2 * (_integral(a, b, x) - _integral(c, d, x))
        # Never less than the difference of the means, whatever the rounding.
        distance[crossing] = np.maximum(np.abs(area + _mean_difference(a, b, c, d)), distance[crossing])
    return distance[()]


def log_ratio_excess(x: Floats, y: Floats) -> Floats:
    """Return ln(y/x) - (y-x)/x <= 0 for positive `x` and `y`, accurate where nearly equal; broadcasts."""
    u = (y - x) / x
    near = np.abs(u) < 0.5
    return np.where(near, log1p_minus(np.where(near, u, 0.0)), np.log(y / x) - u)


def log1p_minus(u: Floats) -> Floats:
    """Return ln(1+u) - u <= 0 for |u| <= 1/2, accurate for small `u`."""
    # ln(1+u) = 2 artanh(r), u = 2r + u r, with r = u/(2+u), |r| <= 1/3.
    r = u / (2 + u)
    square = r * r
    series = np.zeros_like(r)
    for power in range(33, 1, -2):
        series = (series + 2 / power) * square
    return (series - u) * r


def _updating_cost(x: Floats, d: Floats) -> Floats:
    """The updating cost of vectors."""
    small = x < _LIFT
    z = np.where(small, x + _LIFT, x)
    # h(z) - h(z+d) for h(z) = 1/(2z) - 1/(12z^2) + 1/(120z^4) - 1/(252z^6), with d taken out.
    u = 1 / z
    v = 1 / (z + d)
    u2 = u * u
    v2 = v * v
    bracket = 1 / 12 - (u2 + v2) / 120 + (u2 * u2 + u2 * v2 + v2 * v2) / 252
    cost = d * u * v * (0.5 - (u + v) * bracket)
    if small.any():
        xs = x[small]
        ds = d[small]
        lifted = np.log1p(ds / xs) - np.log1p(ds / (xs + _LIFT))
        for j in range(1, _LIFT + 1):
            lifted -= ds / (xs + j) / (xs + ds + j)
        cost[small] += lifted
    return cost


def _bernoulli_part(a: Floats, b: Floats, a2: Floats, b2: Floats) -> Floats:
    """k2 times the divergence of Bernoulli(a2/k2) from Bernoulli(a/k), as a sum of two positive terms."""
    k = a + b
    k2 = a2 + b2
    # k k2 (mu2 - mu), one difference of products for both terms, whose linear parts then cancel exactly.
    cross = (a2 - a) * b - (b2 - b) * a
    return k2 * (a / k * _relative_entropy(cross / (a * k2)) + b / k * _relative_entropy(-cross / (b * k2)))


def _relative_entropy(u: Floats) -> Floats:
    """(1+u) ln(1+u) - u >= 0, for u > -1."""
    small = np.clip(u, -0.5, 0.5)
    near = (1 + small) * log1p_minus(small) + small**2
    return np.where(u == small, near, scipy.special.xlog1py(1 + u, u) - u)


def _stirling_part(x: Floats, y: Floats) -> Floats:
    """What R(x, y) has beside its leading term: -(ln(y/x) - (y-x)/x)/2 and the rest of Stirling's series."""
    # The rest is (y-x)^2 times (s(y) - s(x) - (y-x) s'(x)) / (y-x)^2, s(x) = 1/(12x) - 1/(360x^3) + ...; for x^-n that
    # quotient is sum_{i=1..n} i u^(i+1) v^(n+1-i), all terms positive.
    u = 1 / x
    v = 1 / y
    slope = np.zeros(np.shape(x))
    for n, factor in ((1, 1 / 12), (3, -1 / 360), (5, 1 / 1260), (7, -1 / 1680)):
        slope = slope + factor * sum(i * u ** (i + 1) * v ** (n + 1 - i) for i in range(1, n + 1))
    return (y - x) ** 2 * slope - log_ratio_excess(x, y) / 2


def _mean_difference(a1: Floats, b1: Floats, a2: Floats, b2: Floats) -> Floats:
    """a1/(a1+b1) - a2/(a2+b2), to rounding, and exactly the negative with the two exchanged."""
    return (a1 * b2 - a2 * b1) / ((a1 + b1) * (a2 + b2))


def _integral(a: Floats, b: Floats, x: Floats) -> Floats:
    """Integral of the distribution function of Beta(a, b) from 0 to `x`."""
    # x F(x) - mu I_x(a+1, b), with I_x(a+1, b) = I_x(a, b) - x^a (1-x)^b / (a B(a, b)).
    k = a + b
    return (x - a / k) * scipy.special.betainc(a, b, x) + power_term(a, b, x) / k


def _crossing_point(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Where the distribution functions F of Beta(a, b) and G of Beta(c, d) cross, for a > c, b > d.

    Safeguarded Newton steps from where f/g is largest. F - G falls, rises through the crossing, and falls again. It
    rises where f > g. There the area up to the crossing is at most |F - G| times the bracket, which is when to stop.
    """
    middle = (a / (a + b) + c / (c + d)) / 2
    x = (a - c) / ((a - c) + (b - d))
    low = np.zeros_like(x)
    high = np.ones_like(x)
    last = np.full_like(x, np.inf)
    active = np.arange(x.size)
    for _ in range(_MOST_STEPS):
        p = [v[active] for v in (a, b, c, d)]
        now = x[active]
        mid = middle[active]
        gap = _cdf_difference(*p, now, now < mid)
        slope = power_term(*p[:2], now) - power_term(*p[2:], now)
        # Where both functions are flat the difference is 0: the crossing lies towards the means.
        right = np.where(gap == 0, now < mid, gap < 0)
        low[active[right]] = now[right]
        high[active[~right]] = now[~right]
        lo = low[active]
        hi = high[active]
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
    p = np.where(lower, a, b)
    q = np.where(lower, b, a)
    r = np.where(lower, c, d)
    s = np.where(lower, d, c)
    z = np.where(lower, x, 1 - x)
    return np.where(lower, 1, -1) * (scipy.special.betainc(p, q, z) - scipy.special.betainc(r, s, z))


def power_term(a: Floats, b: Floats, x: Floats) -> Floats:
    """Return x^a (1-x)^b / B(a, b): x (1-x) times the density of Beta(a, b).

    Parameters
    ----------
    a, b : arrays
        Positive parameters.
    x : array
        Where, in [0, 1]; all broadcast.
    """
    return np.exp(scipy.special.xlogy(a, x) + scipy.special.xlog1py(b, -x) - scipy.special.betaln(a, b))
