"""Metrics: hand-worked numbers, limits, invariances, references in many digits, scikit-learn, real answers."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, special, stats
from sklearn.metrics import roc_auc_score

from ralc import Beta, metrics, statistics
from ralc.calibration import PlattScaling
from tests import oracles
from tests.cases import cases

parameter = st.floats(-6, 12).map(lambda exponent: 10.0**exponent)
OF_BETAS = [
    metrics.faithfulness_divergence,
    metrics.kl_divergence,
    metrics.generalised_ece,
    metrics.accuracy,
    metrics.expected_brier_score,
    metrics.expected_log_loss,
    metrics.mean_confidence,
    metrics.concentration,
    metrics.miscalibration_bias,
]
OF_MEANS = [
    metrics.squared_error,
    metrics.expected_calibration_error,
]


# --- faithfulness divergence ------------------------------------------------------------------------------


def test_fd_against_fifty_digits(rng):
    alpha, beta = np.append(10 ** rng.uniform(-6, 12, (2, 1000)), [[1e9], [1e-6]], axis=1)
    outcome = np.append(rng.integers(0, 2, 1000), 1)
    values = metrics.faithfulness_divergence(outcome, Beta(alpha, beta))
    for value, *item in zip(values, outcome, alpha, beta, strict=True):
        reference = oracles.faithfulness_divergence(*item)
        assert abs(value - reference) / reference < 1e-9


@settings(max_examples=100)
@given(parameter, parameter, st.integers(0, 1))
def test_fd_is_not_negative_and_mirrors(alpha, beta, outcome):
    divergence = metrics.faithfulness_divergence(outcome, Beta(alpha, beta))
    assert 0 <= divergence < np.inf
    assert divergence == metrics.faithfulness_divergence(1 - outcome, Beta(beta, alpha))
    kl = metrics.kl_divergence(outcome, Beta(alpha, beta))
    assert kl == pytest.approx(divergence / (alpha + beta), rel=1e-12)


def test_fd_of_firm_beliefs_depends_on_the_mean_alone():
    mean = np.linspace(0.05, 0.95, 19)
    confidence = Beta.from_mean_concentration(mean, 1e10)
    right = metrics.faithfulness_divergence(np.ones(19), confidence)
    wrong = metrics.faithfulness_divergence(np.zeros(19), confidence)
    np.testing.assert_allclose(right, (1 - mean) / (2 * mean), rtol=1e-6)
    np.testing.assert_allclose(wrong, mean / (2 * (1 - mean)), rtol=1e-6)
    np.testing.assert_allclose(mean * right + (1 - mean) * wrong, 0.5, rtol=1e-6)
    vague = Beta.from_mean_concentration(mean, 0.5)
    parts = metrics.faithfulness_divergence_parts(np.ones(19), confidence, vague)
    np.testing.assert_allclose(parts[0], 0, atol=1e-9)
    np.testing.assert_allclose(parts[1], metrics.faithfulness_divergence(np.ones(19), vague) - right)
    assert (parts[1] < 0).all()


# --- other metrics of items and means ---------------------------------------------------------------------


@pytest.mark.parametrize("outcome", [0, 1])
def test_expected_scores_are_the_integrals(outcome, rng):
    for alpha, beta in rng.uniform(0.8, 20, (20, 2)):
        density = stats.beta(alpha, beta).pdf
        confidence = Beta(alpha, beta)
        for metric, loss in (
            (metrics.expected_brier_score, lambda p: (p - outcome) ** 2),
            (metrics.expected_log_loss, lambda p: -np.log(p if outcome else 1 - p)),
        ):
            expected = integrate.quad(lambda p, f=density, loss=loss: loss(p) * f(p), 0, 1, epsabs=1e-11)[0]
            assert metric(outcome, confidence) == pytest.approx(expected, abs=1e-7)


def test_expected_log_loss_keeps_its_digits_at_the_extremes(rng):
    alpha, beta = 10 ** rng.uniform(-6, 9, (2, 300))
    losses = metrics.expected_log_loss(np.ones(300), Beta(alpha, beta))
    for value, a, b in zip(losses, alpha, beta, strict=True):
        a = oracles.mp.mpf(a)
        b = oracles.mp.mpf(b)
        assert abs(value / (oracles.mp.psi(0, a + b) - oracles.mp.psi(0, a)) - 1) < 1e-10


def test_means_at_the_edge_of_a_bin_are_in_the_lower_one():
    np.testing.assert_array_equal(metrics.calibration_bin([0, 0.1, 0.1 + 1e-9, 0.3, 1]), [0, 0, 1, 2, 9])


def test_an_answer_of_which_a_share_is_right():
    confidence = Beta([8.0, 2.0, 5.0], [2.0, 3.0, 1.0])
    share = np.array([0.25, 1.0, 0.5])
    for metric in (metrics.faithfulness_divergence, metrics.kl_divergence, metrics.expected_log_loss):
        right = metric([1, 1, 1], confidence)
        wrong = metric([0, 0, 0], confidence)
        np.testing.assert_allclose(metric(share, confidence), share * right + (1 - share) * wrong, rtol=1e-12)
    distance = (confidence.mean - share) ** 2
    np.testing.assert_allclose(metrics.squared_error(share, confidence.mean), distance)
    expected = distance + confidence.variance
    np.testing.assert_allclose(metrics.expected_brier_score(share, confidence), expected, rtol=1e-12)
    assert metrics.expected_calibration_error([0.25, 0.75], [0.5, 0.5]) == 0
    assert metrics.accuracy(share, confidence).tolist() == share.tolist()


def test_auroc_of_shares_is_that_of_their_facts(rng):
    facts = rng.integers(1, 6, 40)
    score = rng.integers(0, 8, 40) / 8
    share = rng.integers(0, facts + 1) / facts
    # Each sentence weighs as one: sixty facts of it, of which its share is right.
    single = np.concatenate([np.arange(60) < round(60 * one) for one in share])
    expected = roc_auc_score(single, np.repeat(score, 60))
    assert statistics.auroc(share, score).value == pytest.approx(expected, abs=1e-12)


# --- generalised ECE --------------------------------------------------------------------------------------


def test_gece_against_many_digits(rng):
    alpha, beta = 10 ** rng.uniform(-3, 4, (2, 25))
    outcome = rng.integers(0, 2, 25)
    total = 0
    for low in range(10):
        edges = (oracles.mp.mpf(low) / 10, oracles.mp.mpf(low + 1) / 10)
        gap = 0
        for y, a, b in zip(outcome, alpha, beta, strict=True):
            a = oracles.mp.mpf(a)
            b = oracles.mp.mpf(b)
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
    means = (expected / np.where(inside, mass, 1))[inside]
    np.testing.assert_allclose(means, np.repeat(mean, inside.sum(axis=1)), atol=9 * k**-0.5)
    np.testing.assert_allclose(expected.sum(axis=1), confidence.mean, rtol=1e-12)
    upper = special.betainc(confidence.alpha[:, None] + 1, confidence.beta[:, None], np.linspace(0, 1, 11))
    np.testing.assert_allclose(expected, confidence.mean[:, None] * np.diff(upper, axis=1), atol=1e-11)


def test_gece_in_its_limits(rng):
    outcome = rng.integers(0, 2, 400)
    confidence = Beta(*rng.uniform(0.5, 9, (2, 400)))
    exact = metrics.generalised_ece(outcome, confidence)
    order = rng.permutation(400)
    assert metrics.generalised_ece(outcome[order], confidence[order]) == pytest.approx(exact, abs=1e-14)
    sampled = metrics.bin_gaps(outcome, confidence, samples=4000, rng=rng)
    assert np.abs(sampled.mean(axis=0)).sum() == pytest.approx(exact, abs=2e-3)
    gap = abs(outcome.mean() - confidence.mean.mean())
    assert metrics.generalised_ece(outcome, confidence, bins=1) == pytest.approx(gap, abs=1e-12)
    mean = np.where(np.abs(confidence.mean * 10 % 1 - 0.5) > 0.45, 0.55, confidence.mean)
    points = Beta.from_mean_concentration(mean, 1e9)
    ece = metrics.expected_calibration_error(outcome, mean)
    assert metrics.generalised_ece(outcome, points) == pytest.approx(ece, abs=1e-9)
    certain = Beta([1e-6, 20.0], [20.0, 1e-6])
    assert metrics.generalised_ece([0, 1], certain) == pytest.approx(0, abs=1e-6)
    assert metrics.generalised_ece([1, 0], certain) == pytest.approx(1, abs=1e-6)
    assert metrics.generalised_ece([1], Beta([1.0], [1.0])) == pytest.approx(0.5)


@cases
def test_the_floor_of_gece(low, high, k, n, floor, rng):
    confidence = Beta.from_mean_concentration(np.linspace(low, high, n + 2)[1:-1], k)
    null = metrics.generalised_ece_null(confidence, repeats=200_000 // n, rng=rng)
    assert null == pytest.approx(floor, abs=2e-3)


# --- bad input --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: metrics.accuracy([1, 2], Beta([1, 1], 1)), r"outcome must be in \[0, 1\]: outcome\[1\]"),
        (lambda: metrics.faithfulness_divergence([1, 0, 1], Beta([1, 1], 1)), "one shape"),
        (lambda: metrics.generalised_ece([1, np.nan], Beta([1, 1], 1)), r"outcome\[1\] = nan"),
        (lambda: metrics.generalised_ece([], Beta([], [])), "at least one item"),
        (lambda: metrics.generalised_ece([1], Beta([1], [1]), bins=0), "bins must be at least 1"),
        (lambda: metrics.generalised_ece(1, Beta(1, 1)), "vector of at least one item"),
        (lambda: metrics.bin_gaps([1], Beta([1], [1]), samples=10), "samples needs rng"),
        (lambda: metrics.expected_calibration_error([1], [1.1]), r"mean must be .*: mean\[0\] = 1.1"),
        (lambda: metrics.expected_calibration_error([], []), "at least one item"),
        (
            lambda: metrics.squared_error(pd.Series([1, None], dtype="Int8"), [0.5, 0.5]),
            r"outcome\[1\] = nan",
        ),
        *((lambda m=metric: m([0.9, 0.4], [1, 0]), r"arguments swapped\?") for metric in OF_MEANS),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("metric", OF_BETAS, ids=lambda metric: metric.__name__)
def test_swapped_arguments_and_lists_are_named(metric):
    outcome = [1, 0]
    confidence = Beta([9, 2], [1, 3])
    with pytest.raises(TypeError, match=r"outcome must be .*, not a Beta: are the arguments swapped"):
        metric(confidence, outcome)
    with pytest.raises(TypeError, match="confidence must be a Beta, not list"):
        metric(outcome, [0.9, 0.4])
    nullable = pd.Series(outcome, dtype="Int8")
    np.testing.assert_array_equal(metric(nullable, confidence), metric(outcome, confidence))


# --- real answers (Wang et al. 2025) ----------------------------------------------------------------------


@pytest.mark.shared
def test_figures_on_real_answers_and_how_a_constant_hedge_games_them(shared_data):
    """817 answers of GPT-4o with one of twelve certainty phrases; ten labels carry a full stop or quotes."""
    table = json.loads((shared_data / "wang2025/phrase_beta_tables.json").read_text())["gpt-4o_size=12"]
    answers = pd.read_json(shared_data / "wang2025/answers_eval_correctness.jsonl", lines=True)
    outcome = answers["is_correct"].to_numpy(float)
    confidence = Beta(*np.array([table[c.strip(" .\"'")] for c in answers["confidence"]], dtype=float).T)
    assert outcome.size == 817
    assert outcome.mean() == pytest.approx(0.315789, abs=5e-7)
    assert metrics.generalised_ece(outcome, confidence) == pytest.approx(0.279633, abs=5e-7)
    assert metrics.generalised_ece(outcome, confidence, bins=100) == pytest.approx(0.280238, abs=5e-7)
    assert metrics.expected_calibration_error(outcome, confidence.mean) == pytest.approx(0.275470, abs=5e-7)
    assert metrics.faithfulness_divergence(outcome, confidence).mean() == pytest.approx(0.779246, abs=5e-7)
    rate = np.full(817, outcome.mean())
    k = confidence.concentration
    for forecast, divergence, gece in (
        (Beta.from_mean_concentration(rate, k), 0.470, 0.113),
        (PlattScaling().fit(confidence, outcome).transform(confidence), 0.471, 0.070),
        (Beta.from_mean_concentration(rate, 100), None, 0.035),
        (Beta.from_mean_concentration(confidence.mean, 0.5), 0.261, None),
    ):
        fd = metrics.faithfulness_divergence(outcome, forecast).mean()
        assert divergence is None or fd == pytest.approx(divergence, abs=5e-4)
        assert gece is None or metrics.generalised_ece(outcome, forecast) == pytest.approx(gece, abs=5e-4)
