"""Generalised ECE and its floor: many digits, sampling, limits, and what it does not depend on."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special

from ralc import Beta, metrics
from tests import oracles


def test_gece_against_many_digits(rng):
    alpha, beta = 10 ** rng.uniform(-3, 4, (2, 25))
    outcome = rng.integers(0, 2, 25)
    total = 0
    for low in range(10):
        edges = (oracles.mp.mpf(low) / 10, oracles.mp.mpf(low + 1) / 10)
        gap = 0
        for y, a, b in zip(outcome, alpha, beta, strict=True):
            a, b = oracles.mp.mpf(a), oracles.mp.mpf(b)
            mass = oracles.cdf(a, b, edges[1]) - oracles.cdf(a, b, edges[0])
            upper = oracles.cdf(a + 1, b, edges[1]) - oracles.cdf(a + 1, b, edges[0])
            gap += mass * int(y) - a / (a + b) * upper
        total += abs(gap)
    assert abs(metrics.generalised_ece(outcome, Beta(alpha, beta)) - total / 25) < 1e-10


@pytest.mark.parametrize("k", [1e6, 1e9, 1e12])
def test_gece_keeps_its_digits_for_firm_beliefs_at_a_bins_edge(k, rng):
    mean = np.clip(rng.integers(1, 10, 100) / 10 + rng.normal(0, k**-0.5, 100), 0.01, 0.99)
    confidence = Beta.from_mean_concentration(mean, k)
    mass, expected = metrics.bin_masses(confidence)
    # Inside a bin so narrow a belief has a mean within a few of its standard deviations of the edge.
    inside = mass > 1e-3
    np.testing.assert_allclose(
        (expected / np.where(inside, mass, 1))[inside], np.repeat(mean, inside.sum(axis=1)), atol=9 * k**-0.5
    )
    np.testing.assert_allclose(expected.sum(axis=1), confidence.mean, rtol=1e-12)
    upper = special.betainc(confidence.alpha[:, None] + 1, confidence.beta[:, None], np.linspace(0, 1, 11))
    np.testing.assert_allclose(expected, confidence.mean[:, None] * np.diff(upper, axis=1), atol=1e-11)


def test_gece_of_one_bin_is_the_gap_of_the_means(rng):
    outcome, confidence = rng.integers(0, 2, 50), Beta(*rng.uniform(0.1, 9, (2, 50)))
    gap = abs(outcome.mean() - confidence.mean.mean())
    assert metrics.generalised_ece(outcome, confidence, bins=1) == pytest.approx(gap, abs=1e-12)


def test_gece_tends_to_the_ece_as_beliefs_become_points(rng):
    mean = rng.uniform(0.02, 0.98, 200)
    mean = mean[np.abs(mean * 10 - np.round(mean * 10)) > 0.05]
    outcome = rng.integers(0, 2, mean.size)
    points = Beta.from_mean_concentration(mean, 1e9)
    assert metrics.generalised_ece(outcome, points) == pytest.approx(
        metrics.expected_calibration_error(outcome, mean), abs=1e-9
    )


def test_gece_of_unanimous_extremes():
    certain = Beta([1e-6, 20.0], [20.0, 1e-6])
    assert metrics.generalised_ece([0, 1], certain) == pytest.approx(0, abs=1e-6)
    assert metrics.generalised_ece([1, 0], certain) == pytest.approx(1, abs=1e-6)
    assert metrics.generalised_ece([1], Beta([1.0], [1.0])) == pytest.approx(0.5)


def test_gece_by_samples_tends_to_the_exact_one(rng):
    outcome, confidence = rng.integers(0, 2, 400), Beta(*rng.uniform(0.5, 9, (2, 400)))
    exact = metrics.generalised_ece(outcome, confidence)
    sampled = metrics.generalised_ece(outcome, confidence, samples=4000, rng=rng)
    assert sampled == pytest.approx(exact, abs=2e-3)
    with pytest.raises(ValueError, match="samples needs rng"):
        metrics.generalised_ece(outcome, confidence, samples=10)


@settings(max_examples=100)
@given(st.permutations(range(8)))
def test_gece_does_not_depend_on_the_order(order):
    outcome = np.array([1, 0, 1, 1, 0, 0, 1, 0])
    confidence = Beta(np.arange(1.0, 9), np.arange(8.0, 0, -1))
    shuffled = metrics.generalised_ece(outcome[list(order)], confidence[list(order)])
    assert shuffled == pytest.approx(metrics.generalised_ece(outcome, confidence), abs=1e-14)


@pytest.mark.parametrize(
    ("low", "high", "k", "floor"),
    [
        (0, 1, 20, 0.024),
        (0.5, 1, 20, 0.038),
        (0.5, 0.5, 20, 0.088),
        (0, 1, 3, 0.116),
        (0.5, 1, 3, 0.140),
        (0.5, 0.5, 3, 0.212),
    ],
)
def test_the_floor_of_gece(low, high, k, floor, rng):
    mean = np.linspace(low, high, 20_002)[1:-1]
    confidence = Beta.from_mean_concentration(mean, k)
    assert metrics.generalised_ece_null(confidence, repeats=10, rng=rng) == pytest.approx(floor, abs=2e-3)


def test_the_floor_of_gece_is_higher_with_few_items(rng):
    confidence = Beta.from_mean_concentration(np.linspace(0, 1, 819)[1:-1], 20)
    assert metrics.generalised_ece_null(confidence, repeats=100, rng=rng) == pytest.approx(0.032, abs=2e-3)
