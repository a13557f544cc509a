"""Divergences and distances between Betas, against references in fifty digits."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, special

from ralc import Beta
from tests import oracles

parameter = st.floats(-6, 6).map(lambda exponent: 10.0**exponent)
moderate = st.floats(0.05, 200)


def relative_error(value: float, reference: mp.mpf) -> float:
    return float(abs(mp.mpf(float(value)) - reference) / abs(reference))


def test_kl_against_many_digits(rng):
    pairs = 10 ** rng.uniform(-6, 6, (300, 4))
    found = Beta(pairs[:, 0], pairs[:, 1]).kl_divergence(Beta(pairs[:, 2], pairs[:, 3]))
    for value, pair in zip(found, pairs, strict=True):
        assert relative_error(value, oracles.kullback_leibler(*pair)) < 1e-9


def test_kl_of_nearly_equal_betas_against_many_digits(rng):
    # The divergence is of the order 1e-8 k here: what is left after the cancellation.
    near = 10 ** rng.uniform(-3, 6, (100, 2))
    other = near * (1 + rng.normal(0, 1e-4, (100, 2)))
    found = Beta(*near.T).kl_divergence(Beta(*other.T))
    for value, one, two in zip(found, near, other, strict=True):
        reference = oracles.kullback_leibler(*one, *two)
        assert abs(float(value) - float(reference)) < 1e-15 + 1e-7 * float(reference)


@settings(max_examples=100)
@given(parameter, parameter, parameter, parameter)
def test_kl_is_not_negative_and_zero_to_itself(a, b, c, d):
    assert Beta(a, b).kl_divergence(Beta(c, d)) >= 0
    assert Beta(a, b).kl_divergence(Beta(a, b)) == 0


def test_wasserstein_against_many_digits(rng):
    pairs = oracles.wasserstein_pairs(32, rng)
    found = Beta(pairs[:, 0], pairs[:, 1]).wasserstein_distance(Beta(pairs[:, 2], pairs[:, 3]))
    for value, pair in zip(found, pairs, strict=True):
        assert abs(float(value) - float(oracles.wasserstein_distance(*pair))) < 1e-9


def test_wasserstein_against_adaptive_quadrature(rng):
    for a, b, c, d in rng.uniform(0.5, 30, (40, 4)):
        reference = integrate.quad(
            lambda x, p: abs(special.betainc(p[0], p[1], x) - special.betainc(p[2], p[3], x)),
            0,
            1,
            args=((a, b, c, d),),
            limit=500,
            epsabs=1e-12,
        )[0]
        assert Beta(a, b).wasserstein_distance(Beta(c, d)) == pytest.approx(reference, abs=1e-9)


def test_wasserstein_of_ordered_betas_is_the_difference_of_the_means():
    assert Beta(3, 1).wasserstein_distance(Beta(2, 5)) == pytest.approx(3 / 4 - 2 / 7, abs=1e-15)


def test_wasserstein_of_the_uniform_and_a_symmetric_beta_by_hand():
    # F - G on (0, 1/2) integrates to 1/32 for x - (3x^2 - 2x^3).
    assert Beta(1, 1).wasserstein_distance(Beta(2, 2)) == pytest.approx(1 / 16, abs=1e-15)


@pytest.mark.parametrize("k", [1e6, 1e9])
def test_wasserstein_where_both_distribution_functions_are_flat(k):
    # Plain bisection starts where both are exactly 1 and walks away from the crossing.
    near = Beta.from_mean_concentration([1e-3, 0.999], k)
    far = Beta.from_mean_concentration([1.001e-3, 0.999001], k / 2)
    low = near.wasserstein_distance(far)
    reference = [
        float(oracles.wasserstein_distance(*pair))
        for pair in zip(near.alpha, near.beta, far.alpha, far.beta, strict=True)
    ]
    np.testing.assert_allclose(low, reference, rtol=1e-6, atol=1e-12)


@settings(max_examples=100)
@given(parameter, parameter, parameter, parameter)
def test_wasserstein_is_a_distance(a, b, c, d):
    one, two = Beta(a, b), Beta(c, d)
    distance = one.wasserstein_distance(two)
    assert 0 <= distance <= 1
    assert distance == two.wasserstein_distance(one)
    assert distance >= abs(one.mean - two.mean) - 1e-14
    assert one.wasserstein_distance(one) == 0


@settings(max_examples=100)
@given(moderate, moderate, moderate, moderate, moderate, moderate)
def test_wasserstein_obeys_the_triangle(a, b, c, d, e, f):
    one, two, three = Beta(a, b), Beta(c, d), Beta(e, f)
    detour = one.wasserstein_distance(two) + two.wasserstein_distance(three)
    assert one.wasserstein_distance(three) <= detour + 1e-12


def test_wasserstein_broadcasts_and_mirrors(rng):
    a, b, c, d = rng.uniform(0.2, 50, (4, 12))
    one, two = Beta(a[:, None], b[:, None]), Beta(c, d)
    grid = one.wasserstein_distance(two)
    assert grid.shape == (12, 12)
    mirrored = Beta(b[:, None], a[:, None]).wasserstein_distance(Beta(d, c))
    np.testing.assert_allclose(grid, mirrored, atol=1e-13)
