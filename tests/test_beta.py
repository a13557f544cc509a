"""Betas, their fits and distances: hand-worked sets, limits, invariances, references of scipy and of fifty digits."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from ralc import Beta, metrics
from ralc.beta.estimation import interior
from ralc.protocols import resolve
from tests import oracles
from tests.cases import cases

PROTOCOLS = ("ralc", "paper", "authors")
scores = st.lists(st.integers(0, 20).map(lambda step: step / 20), min_size=1, max_size=20)
parameter = st.floats(-6, 6).map(lambda exponent: 10.0**exponent)
moderate = st.floats(0.05, 200)


@cases
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        eval(call)


@pytest.mark.parametrize("fit", [Beta.fit_moments, Beta.fit_mle])
@cases
def test_bad_scores_are_named(fit, sample, message):
    with pytest.raises(ValueError, match=message):
        fit(sample)


@pytest.mark.parametrize("distance", [Beta.kl_divergence, Beta.wasserstein_distance])
def test_a_list_is_no_beta(distance):
    with pytest.raises(TypeError, match="other must be a Beta, not list"):
        distance(Beta(1, 1), [1, 1])


def test_scalars_stay_scalars_arrays_broadcast_and_are_frozen():
    single = Beta(3, 1)
    alpha = np.array([1.0, 2.0])
    assert single.shape == ()
    assert single.mean == 0.75
    assert type(single.mean) is np.float64
    assert bool(single)
    with pytest.raises(TypeError, match="no length"):
        len(single)
    grid = Beta(np.ones((2, 1)), [1, 2, 3])
    assert grid.shape == grid.mean.shape == (2, 3)
    assert grid[1].shape == (3,)
    assert len(grid) == 2
    assert not bool(grid[:0])
    vector = Beta(alpha, 1.0)
    alpha[0] = 50
    assert vector.alpha[0] == 1
    with pytest.raises(ValueError, match="read-only"):
        vector.alpha[0] = 7
    with pytest.raises(AttributeError):
        vector.alpha = alpha


def test_every_beta_that_is_accepted_has_sound_numbers(rng):
    parameters = 10 ** rng.uniform(-100, 15, (4, 400))
    parameters[2:, ::2] = parameters[:2, ::2] * 1.01
    ends = np.full((4, 1), 1e-100), np.full((4, 1), 1e15)
    parameters = np.column_stack([np.clip(parameters, 1e-100, 1e15), *ends])
    one = Beta(*parameters[:2])
    other = Beta(*parameters[2:])
    np.testing.assert_allclose(one.mean, parameters[0] / (parameters[0] + parameters[1]), rtol=1e-15)
    for values in (one.mean, one.variance, one.quantile(0.3), one.wasserstein_distance(other)):
        assert ((values >= 0) & (values <= 1)).all()
    for outcome in (0, 1):
        divergence = metrics.faithfulness_divergence(np.full(402, outcome), one)
        assert (np.isfinite(divergence) & (divergence >= 0)).all()


def test_mean_variance_and_quantiles_agree_with_scipy(rng):
    a, b = rng.uniform(0.1, 40, (2, 50))
    confidence = Beta(a, b)
    reference = stats.beta(a, b)
    np.testing.assert_allclose(confidence.mean, reference.mean(), rtol=1e-12)
    np.testing.assert_allclose(confidence.variance, reference.var(), rtol=1e-12)
    np.testing.assert_allclose(confidence.quantile(0.3), reference.ppf(0.3), rtol=1e-9)


# --- method of moments ------------------------------------------------------------------------------------


@cases
def test_concentration_of_hand_worked_sets(scores_and_times, protocol, concentration):
    """By ``authors`` the standard deviation has a floor; the last set is close to 1, and not constant."""
    sample = np.repeat(*zip(*scores_and_times, strict=True))
    assert Beta.fit_moments(sample, protocol=protocol).concentration == pytest.approx(concentration, rel=1e-4)


@pytest.mark.parametrize(("protocol", "ddof"), [("paper", 1), ("authors", 0)])
def test_ordinary_sets_match_their_moments(protocol, ddof, rng):
    sample = rng.beta(6, 3, (40, 9))
    fitted = Beta.fit_moments(sample, protocol=protocol)
    np.testing.assert_allclose(fitted.mean, sample.mean(axis=1), rtol=1e-12)
    np.testing.assert_allclose(fitted.variance, sample.var(axis=1, ddof=ddof), rtol=1e-9)


@pytest.mark.parametrize("protocol", ["ralc", "authors"])
def test_a_known_mean_and_variance_fit_as_very_many_scores_do(protocol, rng):
    many = rng.beta(3, 1, (3, 20_000)).round(2)
    many[1] = 0.9
    many[2] = rng.integers(0, 2, 20_000)
    known = Beta.from_mean_variance(many.mean(axis=1), many.var(axis=1), count=20_000, protocol=protocol)
    fitted = Beta.fit_moments(many, protocol=protocol)
    np.testing.assert_allclose([known.alpha, known.beta], [fitted.alpha, fitted.beta], rtol=2e-3)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("fit", [Beta.fit_moments, Beta.fit_mle])
def test_ragged_sets_equal_sets_fitted_alone(fit, protocol, rng):
    last_bit = np.r_[[0.95] * 8, np.nextafter(0.95, 1)]
    sets = [*(rng.beta(4, 2, size) for size in (9, 5, 1, 7)), np.full(6, 0.95), last_bit]
    ragged = np.full((len(sets), 9), np.nan)
    for row, values in zip(ragged, sets, strict=True):
        row[rng.permutation(9)[: len(values)]] = values
    together = fit(ragged, protocol=protocol)
    alone = [fit(values, protocol=protocol) for values in sets]
    np.testing.assert_allclose(together.alpha, [one.alpha for one in alone], rtol=1e-8)
    np.testing.assert_allclose(together.beta, [one.beta for one in alone], rtol=1e-8)
    assert alone[-1].mean == pytest.approx(0.95, abs=0.06)


@settings(max_examples=100)
@given(scores, st.sampled_from(PROTOCOLS))
def test_moments_do_not_depend_on_the_order_and_mirror(sample, protocol):
    fitted = Beta.fit_moments(sample, protocol=protocol)
    assert fitted.alpha == pytest.approx(Beta.fit_moments(sample[::-1], protocol=protocol).alpha, rel=1e-9)
    mirrored = Beta.fit_moments([1 - s for s in sample], protocol=protocol)
    assert fitted.alpha == pytest.approx(mirrored.beta, rel=1e-6)


@settings(max_examples=100)
@given(st.floats(0.05, 0.95), st.floats(0, 0.04), st.floats(1, 3))
def test_concentration_falls_as_scores_spread(centre, spread, wider):
    pattern = np.array([-1, -0.5, 0, 0.5, 1])
    near = Beta.fit_moments(centre + spread * pattern).concentration
    far = Beta.fit_moments(np.clip(centre + wider * spread * pattern, 0, 1)).concentration
    assert far <= near * (1 + 0.1)


# --- maximum likelihood -----------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", ["ralc", "paper"])
@pytest.mark.parametrize("rounded", [False, True])
def test_mle_agrees_with_scipy(protocol, rounded, rng):
    sample = rng.beta(*rng.uniform(0.5, 30, (2, 30, 1)), size=(30, 60))
    sample = np.round(sample * 20) / 20 if rounded else sample
    fitted = Beta.fit_mle(sample, protocol=protocol)
    expected = [
        stats.beta.fit(values, floc=0, fscale=1)[:2] for values in interior(sample, resolve(protocol))
    ]
    np.testing.assert_allclose(np.stack([fitted.alpha, fitted.beta], axis=1), expected, rtol=1e-6)


def test_score_equations_vanish_where_scipy_fails(rng):
    # Mostly 0s and 1s, clipped: scipy's solver gives up on some of these, or wanders off.
    sample = np.where(rng.random((200, 9)) < 0.7, rng.integers(0, 2, (200, 9)), rng.random((200, 9)))
    sample = sample[np.ptp(sample, axis=1) > 0]
    fitted = Beta.fit_mle(sample, protocol="paper")
    clipped = interior(sample, resolve("paper"))
    common = special.digamma(fitted.concentration)
    for logarithms, own in ((np.log(clipped), fitted.alpha), (np.log1p(-clipped), fitted.beta)):
        assert np.abs(logarithms.mean(axis=1) - special.digamma(own) + common).max() < 1e-9


@pytest.mark.parametrize("spread", [1e-2, 1e-3, 1e-4])
def test_close_scores_keep_their_digits(spread, rng):
    # A normal approximation in the limit: k -> mean (1-mean) / variance - 1, here to the order of the spread.
    sample = 0.7 + spread * rng.standard_normal((5, 30))
    fitted = Beta.fit_mle(sample, protocol="paper")
    np.testing.assert_allclose(fitted.concentration, 0.7 * 0.3 / sample.var(axis=1), rtol=4 * spread / 0.1)


def test_the_clip_hurts_and_constant_sets_get_their_moments_fit():
    sample = np.r_[np.full(170, 0.9), np.zeros(10)]
    assert Beta.fit_mle(sample, protocol="paper").mean == pytest.approx(0.626, abs=5e-4)
    assert Beta.fit_mle(sample, protocol="ralc").mean == pytest.approx(0.727, abs=5e-4)
    assert Beta.fit_moments(sample).mean == pytest.approx(0.850, abs=5e-4)
    constant = Beta.fit_mle([[0.95] * 9, [0.1, 0.2] + [0.3] * 7], protocol="paper")[0]
    assert constant.concentration == pytest.approx(9)
    assert constant.mean == pytest.approx(0.95)


# --- divergence and distance ------------------------------------------------------------------------------


def test_kl_against_fifty_digits(rng):
    pairs = 10 ** rng.uniform(-6, 6, (300, 4))
    values = Beta(pairs[:, 0], pairs[:, 1]).kl_divergence(Beta(pairs[:, 2], pairs[:, 3]))
    for value, pair in zip(values, pairs, strict=True):
        reference = oracles.kullback_leibler(*pair)
        assert abs(mp.mpf(float(value)) - reference) < 1e-9 * reference
    # Of nearly equal ones it is of the order 1e-8 k: what is left after the cancellation.
    near = 10 ** rng.uniform(-3, 6, (100, 2))
    other = near * (1 + rng.normal(0, 1e-4, (100, 2)))
    for value, one, two in zip(Beta(*near.T).kl_divergence(Beta(*other.T)), near, other, strict=True):
        reference = float(oracles.kullback_leibler(*one, *two))
        assert abs(float(value) - reference) < 1e-15 + 1e-7 * reference


def test_wasserstein_against_fifty_digits(rng):
    pairs = oracles.wasserstein_pairs(16, rng)
    values = Beta(pairs[:, 0], pairs[:, 1]).wasserstein_distance(Beta(pairs[:, 2], pairs[:, 3]))
    np.testing.assert_allclose(
        values, [float(oracles.wasserstein_distance(*pair)) for pair in pairs], atol=1e-9
    )


@pytest.mark.parametrize("k", [1e6, 1e9])
def test_wasserstein_where_both_distribution_functions_are_flat(k):
    # Plain bisection starts where both are exactly 1 and walks away from the crossing.
    near = Beta.from_mean_concentration([1e-3, 0.999], k)
    far = Beta.from_mean_concentration([1.001e-3, 0.999001], k / 2)
    pairs = zip(near.alpha, near.beta, far.alpha, far.beta, strict=True)
    reference = [float(oracles.wasserstein_distance(*pair)) for pair in pairs]
    np.testing.assert_allclose(near.wasserstein_distance(far), reference, rtol=1e-6, atol=1e-12)


@settings(max_examples=100)
@given(parameter, parameter, parameter, parameter)
def test_distances_are_not_negative_symmetric_and_zero_to_oneself(a, b, c, d):
    one = Beta(a, b)
    two = Beta(c, d)
    assert one.kl_divergence(two) >= 0
    distance = one.wasserstein_distance(two)
    assert abs(one.mean - two.mean) - 1e-14 <= distance <= 1
    assert distance == two.wasserstein_distance(one)
    assert one.kl_divergence(one) == one.wasserstein_distance(one) == 0


@settings(max_examples=100)
@given(moderate, moderate, moderate, moderate, moderate, moderate)
def test_wasserstein_obeys_the_triangle_and_mirrors(a, b, c, d, e, f):
    one = Beta(a, b)
    two = Beta(c, d)
    three = Beta(e, f)
    direct = one.wasserstein_distance(three)
    assert direct <= one.wasserstein_distance(two) + two.wasserstein_distance(three) + 1e-12
    assert direct == pytest.approx(Beta(b, a).wasserstein_distance(Beta(f, e)), abs=1e-13)
