"""The Beta distribution and its fits."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from ralc import Beta, metrics
from ralc.beta.mle import interior
from ralc.protocols import resolve

scores = st.lists(st.integers(0, 20).map(lambda step: step / 20), min_size=1, max_size=20)


@pytest.mark.parametrize(
    ("alpha", "beta", "message"),
    [
        ([1.0, 0.0], 1.0, r"alpha must be positive and finite: alpha\[1\] = 0.0"),
        (1.0, [[1.0, -2.0]], r"beta must be positive and finite: beta\[0, 1\] = -2.0"),
        (np.nan, 1.0, "alpha must be positive and finite: alpha = nan"),
        (1.0, np.inf, "beta must be positive and finite: beta = inf"),
        (10**400, 1.0, "alpha must be numbers that a float can hold"),
        ([1, 2, 3], [1, 2], "alpha and beta must broadcast"),
        ("many", 1.0, "alpha must be numbers"),
        (1e308, 1e308, r"alpha must be within \[1e-100, 1e\+15\]: alpha = 1e\+308"),
        (1.0, [1.0, 1e-101], r"beta must be within .*: beta\[1\] = 1e-101"),
    ],
)
def test_bad_parameters_are_named(alpha, beta, message):
    with pytest.raises(ValueError, match=message):
        Beta(alpha, beta)


def test_scalars_stay_scalars_and_arrays_broadcast():
    one = Beta(3, 1)
    assert one.shape == ()
    assert isinstance(one.mean, float)
    assert one.mean == 0.75
    grid = Beta(np.ones((2, 1)), [1, 2, 3])
    assert grid.shape == grid.mean.shape == (2, 3)
    assert grid[1].shape == (3,)
    assert len(grid) == 2
    with pytest.raises(TypeError, match="no length"):
        len(one)
    assert one
    assert not grid[:0]


def test_every_beta_that_is_accepted_has_sound_numbers(rng):
    parameters = 10 ** rng.uniform(-100, 15, (4, 400))
    parameters[2:, ::2] = parameters[:2, ::2] * 1.01
    parameters = np.column_stack(
        [np.clip(parameters, 1e-100, 1e15), np.full((4, 1), 1e-100), np.full((4, 1), 1e15)]
    )
    one, other = Beta(*parameters[:2]), Beta(*parameters[2:])
    np.testing.assert_allclose(one.mean, parameters[0] / (parameters[0] + parameters[1]), rtol=1e-15)
    for values in (one.mean, one.variance, one.quantile(0.3), one.wasserstein_distance(other)):
        assert ((values >= 0) & (values <= 1)).all()
    for outcome in (0, 1):
        divergence = metrics.faithfulness_divergence(np.full(402, outcome), one)
        assert (np.isfinite(divergence) & (divergence >= 0)).all()


def test_divergences_are_exact_or_refused():
    with pytest.raises(ValueError, match=r"alpha must be within \[1e-6, 1e12\]: alpha = 100000000000000"):
        Beta(1e14, 1).kl_divergence(Beta(1, 1))
    with pytest.raises(ValueError, match=r"other.beta must be within .*: other.beta\[1\] = 1e-08"):
        Beta(1, 1).kl_divergence(Beta(1, [1, 1e-8]))


@pytest.mark.parametrize("distance", [Beta.kl_divergence, Beta.wasserstein_distance])
def test_a_list_is_no_beta(distance):
    with pytest.raises(TypeError, match="other must be a Beta, not list"):
        distance(Beta(1, 1), [1, 1])


def test_scores_that_differ_in_their_last_bit_fit():
    scores = [0.95] * 8 + [np.nextafter(0.95, 1)]
    for protocol in ("paper", "authors", "ralc"):
        assert Beta.fit_moments(scores, protocol=protocol).mean == pytest.approx(0.95)
        assert Beta.fit_mle(scores, protocol=protocol).mean == pytest.approx(0.95, abs=0.06)


def test_a_beta_is_frozen_and_owns_its_arrays():
    alpha = np.array([1.0, 2.0])
    confidence = Beta(alpha, 1.0)
    alpha[0] = 50
    assert confidence.alpha[0] == 1
    with pytest.raises(ValueError, match="read-only"):
        confidence.alpha[0] = 7
    with pytest.raises(AttributeError):
        confidence.alpha = alpha


def test_moments_and_quantiles_agree_with_scipy(rng):
    a, b = rng.uniform(0.1, 40, (2, 50))
    confidence, oracle = Beta(a, b), stats.beta(a, b)
    np.testing.assert_allclose(confidence.mean, oracle.mean(), rtol=1e-12)
    np.testing.assert_allclose(confidence.variance, oracle.var(), rtol=1e-12)
    np.testing.assert_allclose(confidence.quantile(0.3), oracle.ppf(0.3), rtol=1e-9)
    with pytest.raises(ValueError, match=r"q must be in \[0, 1\]"):
        confidence.quantile(1.5)


def test_from_mean_concentration_checks_its_ranges():
    with pytest.raises(ValueError, match=r"mean must be in \(0, 1\): mean\[1\] = 1.0"):
        Beta.from_mean_concentration([0.5, 1.0], 3)
    with pytest.raises(ValueError, match="concentration must be positive"):
        Beta.from_mean_concentration(0.5, 0)


# --- method of moments ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sample", "protocol", "concentration"),
    [
        ([0.9] * 9, "ralc", 431.0),
        ([1.0] * 9, "ralc", 58.25),
        ([0.0] * 9, "ralc", 58.25),
        ([1.0] * 5 + [0.0] * 4, "ralc", 0.1),
        ([0.95] * 9, "paper", 9.0),
        ([0.95] * 8 + [0.951], "paper", 426_598.9),
        ([1.0] * 5 + [0.0] * 4, "paper", 9.0),
        ([1.0] * 5 + [0.0] * 4, "authors", 9.0),
        ([0.9] * 6 + [0.1] * 3, "paper", 0.4514),
        ([0.3], "ralc", 1.0),
        ([0.3], "paper", 1.0),
        ([0.3], "authors", 1.0),
        ([1.0], "paper", 1.000001),
    ],
)
def test_concentration_of_hand_worked_sets(sample, protocol, concentration):
    assert Beta.fit_moments(sample, protocol=protocol).concentration == pytest.approx(concentration, rel=1e-4)


def test_unanimous_scores_of_the_paper_are_clipped_at_1e6():
    confidence = Beta.fit_moments([1.0] * 20, protocol="paper")
    assert (confidence.alpha, confidence.beta) == (20, 1e-6)


def test_twenty_scores_close_to_one_are_not_constant():
    sample = 1 - np.linspace(1e-6, 5e-5, 20)
    confidence = Beta.fit_moments(sample, protocol="paper")
    assert confidence.concentration > 20
    assert confidence.mean == pytest.approx(sample.mean(), abs=1e-12)


def test_authors_floor_the_standard_deviation():
    sample = [0.7] * 8 + [0.700001]
    confidence = Beta.fit_moments(sample, protocol="authors")
    assert confidence.concentration == pytest.approx(0.21 / 1e-8, rel=1e-4)


def test_ordinary_sets_match_their_moments(rng):
    sample = rng.beta(6, 3, (40, 9))
    for protocol, ddof in (("paper", 1), ("authors", 0)):
        confidence = Beta.fit_moments(sample, protocol=protocol)
        np.testing.assert_allclose(confidence.mean, sample.mean(axis=1), rtol=1e-12)
        np.testing.assert_allclose(confidence.variance, sample.var(axis=1, ddof=ddof), rtol=1e-9)


@pytest.mark.parametrize("protocol", ["ralc", "authors"])
def test_a_known_mean_and_variance_fit_as_very_many_scores_do(protocol, rng):
    many = rng.beta(3, 1, (4, 20_000)).round(2)
    many[1] = 0.9
    many[2] = rng.integers(0, 2, 20_000)
    known = Beta.from_mean_variance(many.mean(axis=1), many.var(axis=1), count=20_000, protocol=protocol)
    fitted = Beta.fit_moments(many, protocol=protocol)
    np.testing.assert_allclose(known.alpha, fitted.alpha, rtol=2e-3)
    np.testing.assert_allclose(known.beta, fitted.beta, rtol=2e-3)


def test_known_moments_out_of_range_are_named():
    with pytest.raises(ValueError, match="count must be at least 1: count = -5"):
        Beta.from_mean_variance(0.5, 0.1, count=-5)
    with pytest.raises(ValueError, match=r"mean\[1\] = 1.5"):
        Beta.from_mean_variance([0.5, 1.5], [0.1, 0.1], count=9)
    with pytest.raises(ValueError, match="variance must be at least 0"):
        Beta.from_mean_variance(0.5, -0.1, count=9)
    degenerate = Beta.from_mean_variance([0.9, 0.5], [0.0, 0.25], count=9, protocol="paper")
    np.testing.assert_allclose(degenerate.concentration, 9)


@pytest.mark.parametrize("protocol", ["ralc", "paper", "authors"])
@pytest.mark.parametrize("fit", [Beta.fit_moments, Beta.fit_mle])
def test_ragged_sets_equal_sets_fitted_alone(fit, protocol, rng):
    sets = [rng.beta(4, 2, size) for size in (9, 5, 1, 7)] + [np.full(6, 0.95)]
    ragged = np.full((len(sets), 9), np.nan)
    for row, values in zip(ragged, sets, strict=True):
        row[rng.permutation(9)[: len(values)]] = values
    together = fit(ragged, protocol=protocol)
    for index, values in enumerate(sets):
        alone = fit(values, protocol=protocol)
        assert together.alpha[index] == pytest.approx(alone.alpha, rel=1e-8)
        assert together.beta[index] == pytest.approx(alone.beta, rel=1e-8)


@pytest.mark.parametrize("fit", [Beta.fit_moments, Beta.fit_mle])
def test_bad_scores_are_named(fit):
    with pytest.raises(ValueError, match=r"scores must be in \[0, 1\].*scores\[1, 0\] = 1.2"):
        fit([[0.1, 0.2], [1.2, 0.3]])
    with pytest.raises(ValueError, match=r"number of scores of a set must be at least 1: .*\[1\] = 0"):
        fit([[0.1, 0.2], [np.nan, np.nan]])
    with pytest.raises(ValueError, match="at least one score"):
        fit(0.5)
    with pytest.raises(ValueError, match="rectangular"):
        fit([[0.1], [0.1, 0.2]])


@settings(max_examples=100)
@given(scores, st.sampled_from(["ralc", "paper", "authors"]))
def test_any_scores_fit_and_the_order_does_not_matter(sample, protocol):
    confidence = Beta.fit_moments(sample, protocol=protocol)
    backwards = Beta.fit_moments(sample[::-1], protocol=protocol)
    assert confidence.alpha == pytest.approx(backwards.alpha, rel=1e-9)
    mirrored = Beta.fit_moments([1 - s for s in sample], protocol=protocol)
    assert confidence.alpha == pytest.approx(mirrored.beta, rel=1e-6)


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
    shape = rng.uniform(0.5, 30, (2, 40, 1))
    sample = rng.beta(*shape, size=(40, 60))
    sample = np.round(sample * 20) / 20 if rounded else sample
    fitted = Beta.fit_mle(sample, protocol=protocol)
    for index, values in enumerate(interior(sample, resolve(protocol))):
        a, b, _, _ = stats.beta.fit(values, floc=0, fscale=1)
        assert fitted.alpha[index] == pytest.approx(a, rel=1e-6)
        assert fitted.beta[index] == pytest.approx(b, rel=1e-6)


def test_score_equations_vanish_where_scipy_fails(rng):
    # Mostly 0s and 1s, clipped: scipy's solver gives up on some of these, or wanders off.
    sample = np.where(rng.random((200, 9)) < 0.7, rng.integers(0, 2, (200, 9)), rng.random((200, 9)))
    sample = sample[np.ptp(sample, axis=1) > 0]
    fitted = Beta.fit_mle(sample, protocol="paper")
    clipped = interior(sample, resolve("paper"))
    common = special.digamma(fitted.concentration)
    first = np.log(clipped).mean(axis=1) - special.digamma(fitted.alpha) + common
    second = np.log1p(-clipped).mean(axis=1) - special.digamma(fitted.beta) + common
    assert np.abs(first).max() < 1e-9
    assert np.abs(second).max() < 1e-9


@pytest.mark.parametrize("spread", [1e-2, 1e-3, 1e-4])
def test_close_scores_keep_their_digits(spread, rng):
    # A normal approximation in the limit: k -> mean (1-mean) / variance - 1, here to the order of the spread.
    sample = 0.7 + spread * rng.standard_normal((5, 30))
    fitted = Beta.fit_mle(sample, protocol="paper")
    moments = 0.7 * 0.3 / sample.var(axis=1)
    np.testing.assert_allclose(fitted.concentration, moments, rtol=4 * spread / 0.1)


def test_squeeze_hurts_less_than_the_clip():
    sample = np.r_[np.full(170, 0.9), np.zeros(10)]
    assert Beta.fit_mle(sample, protocol="paper").mean == pytest.approx(0.626, abs=5e-4)
    assert Beta.fit_mle(sample, protocol="ralc").mean == pytest.approx(0.727, abs=5e-4)
    assert Beta.fit_moments(sample).mean == pytest.approx(0.850, abs=5e-4)


def test_constant_sets_get_their_moments_fit():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted = Beta.fit_mle([[0.95] * 9, [0.1, 0.2] + [0.3] * 7], protocol="paper")
    assert fitted.concentration[0] == pytest.approx(9)
    assert fitted.mean[0] == pytest.approx(0.95)
