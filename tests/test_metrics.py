"""Metrics: limits and hand-worked numbers, references in many digits, scikit-learn, and figures on real answers."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats
from sklearn.metrics import brier_score_loss, roc_auc_score

from ralc import Beta, metrics, statistics
from tests import oracles

parameter = st.floats(-6, 12).map(lambda exponent: 10.0**exponent)


# --- faithfulness divergence ------------------------------------------------------------------------------


def test_fd_against_fifty_digits(rng):
    alpha, beta = 10 ** rng.uniform(-6, 12, (2, 1000))
    outcome = rng.integers(0, 2, 1000)
    found = metrics.faithfulness_divergence(outcome, Beta(alpha, beta))
    for value, *item in zip(found, outcome, alpha, beta, strict=True):
        reference = oracles.faithfulness_divergence(*item)
        assert abs(value - reference) / reference < 1e-9


@pytest.mark.parametrize(
    ("outcome", "alpha", "beta", "expected"),
    [
        (1, 20, 1, 0.024593),
        (0, 20, 1e-6, 264.0),  # a unanimous wrong answer under the paper's clip
        (0, 20, 1, 8.382438),  # and under the authors' clamp
    ],
)
def test_fd_by_hand(outcome, alpha, beta, expected):
    found = metrics.faithfulness_divergence(outcome, Beta(alpha, beta))
    if expected == 264.0:
        assert found == pytest.approx(oracles.faithfulness_divergence(0, 20, 1e-6), rel=1e-10)
    else:
        assert found == pytest.approx(expected, abs=5e-7)


def test_fd_at_the_extremes_that_occur():
    one = metrics.faithfulness_divergence(1, Beta(1e9, 1e-6))
    assert one == pytest.approx(float(oracles.faithfulness_divergence(1, 1e9, 1e-6)), rel=1e-9)
    assert 0 < one < 1e-12


@settings(max_examples=100)
@given(parameter, parameter, st.integers(0, 1))
def test_fd_is_not_negative_and_mirrors(alpha, beta, outcome):
    found = metrics.faithfulness_divergence(outcome, Beta(alpha, beta))
    assert found >= 0
    assert np.isfinite(found)
    assert found == metrics.faithfulness_divergence(1 - outcome, Beta(beta, alpha))
    assert metrics.kl_divergence(outcome, Beta(alpha, beta)) == pytest.approx(
        found / (alpha + beta), rel=1e-12
    )


@settings(max_examples=100)
@given(st.floats(0.05, 0.95), st.integers(0, 1))
def test_fd_of_firm_beliefs_depends_on_the_mean_alone(mean, outcome):
    found = metrics.faithfulness_divergence(outcome, Beta.from_mean_concentration(mean, 1e10))
    against, towards = (1 - mean, mean) if outcome else (mean, 1 - mean)
    assert found == pytest.approx(against / (2 * towards), rel=1e-6)


def test_fd_of_calibrated_firm_beliefs_is_one_half_at_every_accuracy():
    mean = np.linspace(0.05, 0.95, 19)
    confidence = Beta.from_mean_concentration(mean, 1e9)
    expected = mean * metrics.faithfulness_divergence(np.ones(19), confidence)
    expected += (1 - mean) * metrics.faithfulness_divergence(np.zeros(19), confidence)
    np.testing.assert_allclose(expected, 0.5, rtol=1e-6)


def test_fd_falls_with_the_concentration_alone_and_the_parts_say_so():
    before, after = Beta(12, 8), Beta(0.3, 0.2)
    mean_part, concentration_part = metrics.faithfulness_divergence_parts(0, before, after)
    assert mean_part == pytest.approx(0, abs=1e-12)
    change = metrics.faithfulness_divergence(0, after) - metrics.faithfulness_divergence(0, before)
    assert concentration_part == pytest.approx(change)
    assert change < 0


# --- expected Brier score and log loss --------------------------------------------------------------------


@pytest.mark.parametrize("outcome", [0, 1])
def test_expected_scores_are_the_integrals(outcome, rng):
    for alpha, beta in rng.uniform(0.8, 20, (20, 2)):
        density = stats.beta(alpha, beta).pdf

        def expect(loss, density=density):
            return integrate.quad(lambda p: loss(p) * density(p), 0, 1, epsabs=1e-11)[0]

        confidence = Beta(alpha, beta)
        assert metrics.expected_brier_score(outcome, confidence) == pytest.approx(
            expect(lambda p: (p - outcome) ** 2), abs=1e-8
        )
        assert metrics.expected_log_loss(outcome, confidence) == pytest.approx(
            expect(lambda p: -np.log(p if outcome else 1 - p)), abs=1e-7
        )


def test_expected_log_loss_keeps_its_digits_at_the_extremes(rng):
    alpha, beta = 10 ** rng.uniform(-6, 9, (2, 300))
    found = metrics.expected_log_loss(np.ones(300), Beta(alpha, beta))
    for value, a, b in zip(found, alpha, beta, strict=True):
        a, b = oracles.mp.mpf(a), oracles.mp.mpf(b)
        assert abs(value / (oracles.mp.psi(0, a + b) - oracles.mp.psi(0, a)) - 1) < 1e-10


def test_brier_score_agrees_with_scikit_learn(rng):
    outcome, mean = rng.integers(0, 2, 200), rng.random(200)
    assert metrics.brier_score(outcome, mean) == pytest.approx(brier_score_loss(outcome, mean))


# --- ECE, AUROC, Spearman ---------------------------------------------------------------------------------


def test_ece_bins_are_closed_above_and_zero_is_in_the_first():
    np.testing.assert_array_equal(metrics.calibration_bin([0, 0.1, 0.1 + 1e-9, 0.3, 1]), [0, 0, 1, 2, 9])


def test_auroc_agrees_with_scikit_learn_and_is_nan_with_one_class(rng):
    outcome, score = rng.integers(0, 2, 300), rng.integers(0, 12, 300) / 12
    assert metrics.auroc(outcome, score) == pytest.approx(roc_auc_score(outcome, score))
    assert np.isnan(metrics.auroc([1, 1], [0.2, 0.3]))


def test_spearman_agrees_with_scipy_and_is_nan_for_constants(rng):
    x, y = rng.random(50), rng.integers(0, 5, 50)
    assert metrics.spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic)
    assert np.isnan(metrics.spearman([1, 1, 1], [1, 2, 3]))
    assert np.isnan(metrics.spearman([1], [1]))


# --- bad input --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: metrics.faithfulness_divergence([1, 2], Beta([1, 1], 1)),
            r"outcome must be in \[0, 1\]: outcome\[1\]",
        ),
        (lambda: metrics.faithfulness_divergence([1, 0, 1], Beta([1, 1], 1)), "one shape"),
        (lambda: metrics.generalised_ece([1, np.nan], Beta([1, 1], 1)), r"outcome\[1\] = nan"),
        (lambda: metrics.generalised_ece([], Beta([], [])), "at least one item"),
        (lambda: metrics.generalised_ece([1], Beta([1], [1]), bins=0), "bins must be at least 1"),
        (lambda: metrics.generalised_ece(1, Beta(1, 1)), "vector of at least one item"),
        (
            lambda: metrics.expected_calibration_error([1], [1.1]),
            r"mean must be in \[0, 1\]: mean\[0\] = 1.1",
        ),
        (lambda: metrics.expected_calibration_error([], []), "at least one item"),
        (lambda: metrics.auroc([1, 0], [0.5, np.nan]), r"score must be a number: score\[1\]"),
        (lambda: metrics.spearman([1, np.nan], [1, 2]), r"first\[1\] = nan"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    "metric",
    [
        metrics.faithfulness_divergence,
        metrics.kl_divergence,
        metrics.expected_brier_score,
        metrics.expected_log_loss,
        metrics.generalised_ece,
        metrics.accuracy,
        metrics.mean_confidence,
        metrics.concentration,
        metrics.miscalibration_bias,
    ],
    ids=lambda metric: metric.__name__,
)
def test_swapped_arguments_and_lists_are_named(metric):
    outcome, confidence = [1, 0], Beta([9, 2], [1, 3])
    with pytest.raises(
        TypeError, match=r"outcome must be in \[0, 1\], not a Beta: are the arguments swapped"
    ):
        metric(confidence, outcome)
    with pytest.raises(TypeError, match="confidence must be a Beta, not list"):
        metric(outcome, [0.9, 0.4])


@pytest.mark.parametrize(
    "metric", [metrics.brier_score, metrics.squared_error, metrics.expected_calibration_error, metrics.auroc]
)
def test_swapped_means_are_named(metric):
    with pytest.raises(ValueError, match=r"are the arguments swapped\?"):
        metric([0.9, 0.4], [1, 0])


def test_an_answer_of_which_a_share_is_right():
    confidence, share = Beta([8.0, 2.0, 5.0], [2.0, 3.0, 1.0]), np.array([0.25, 1.0, 0.5])
    for metric in (metrics.faithfulness_divergence, metrics.kl_divergence, metrics.expected_log_loss):
        right, wrong = metric([1, 1, 1], confidence), metric([0, 0, 0], confidence)
        np.testing.assert_allclose(metric(share, confidence), share * right + (1 - share) * wrong, rtol=1e-12)
    distance = (confidence.mean - share) ** 2
    np.testing.assert_allclose(metrics.squared_error(share, confidence.mean), distance)
    np.testing.assert_allclose(
        metrics.expected_brier_score(share, confidence), distance + confidence.variance, rtol=1e-12
    )
    assert metrics.expected_calibration_error([0.25, 0.75], [0.5, 0.5]) == 0
    assert metrics.accuracy(share, confidence).tolist() == share.tolist()


def test_auroc_of_shares_is_that_of_their_facts(rng):
    facts, score = rng.integers(1, 6, 40), rng.integers(0, 8, 40) / 8
    share = rng.integers(0, facts + 1) / facts
    # Each sentence weighs as one: sixty facts of it, of which its share is right.
    single = np.concatenate([np.arange(60) < round(60 * one) for one in share])
    expected = roc_auc_score(single, np.repeat(score, 60))
    assert metrics.auroc(share, score) == pytest.approx(expected, abs=1e-12)
    assert statistics.auroc(share, score).value == pytest.approx(expected, abs=1e-12)


def test_nullable_columns_are_taken_and_their_nulls_refused():
    pd = pytest.importorskip("pandas")
    outcome = pd.Series([1, 0], dtype="Int8")
    assert metrics.squared_error(outcome, pd.Series([0.5, 0.5])).tolist() == [0.25, 0.25]
    with pytest.raises(ValueError, match=r"outcome\[1\] = nan"):
        metrics.brier_score(pd.Series([1, None], dtype="Int8"), [0.5, 0.5])


# --- real answers (Wang et al. 2025) ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def gpt4o(request):
    """Outcomes and Betas of 817 GPT-4o answers with one of twelve certainty phrases."""
    folder = request.getfixturevalue("shared_data") / "wang2025"
    table = json.loads((folder / "phrase_beta_tables.json").read_text())["gpt-4o_size=12"]
    lines = (folder / "answers_eval_correctness.jsonl").read_text().splitlines()
    answers = [json.loads(line) for line in lines]
    # Ten labels carry a full stop or quotes.
    parameters = np.array([table[answer["confidence"].strip(" .\"'")] for answer in answers], dtype=float)
    return np.array([int(answer["is_correct"]) for answer in answers]), Beta(*parameters.T)


@pytest.mark.shared
def test_figures_on_real_answers(gpt4o):
    outcome, confidence = gpt4o
    assert outcome.size == 817
    assert outcome.mean() == pytest.approx(0.315789, abs=5e-7)
    assert metrics.generalised_ece(outcome, confidence) == pytest.approx(0.279633, abs=5e-7)
    assert metrics.generalised_ece(outcome, confidence, bins=100) == pytest.approx(0.280238, abs=5e-7)
    assert metrics.expected_calibration_error(outcome, confidence.mean) == pytest.approx(0.275470, abs=5e-7)
    assert metrics.faithfulness_divergence(outcome, confidence).mean() == pytest.approx(0.779246, abs=5e-7)


@pytest.mark.shared
def test_a_constant_hedge_games_the_metrics(gpt4o):
    from ralc.calibration import PlattScaling

    outcome, confidence = gpt4o
    base_rate = Beta.from_mean_concentration(np.full(817, outcome.mean()), confidence.concentration)
    platt = PlattScaling().fit(confidence, outcome).transform(confidence)
    assert metrics.faithfulness_divergence(outcome, base_rate).mean() == pytest.approx(0.470, abs=5e-4)
    assert metrics.faithfulness_divergence(outcome, platt).mean() == pytest.approx(0.471, abs=5e-4)
    assert metrics.generalised_ece(outcome, base_rate) == pytest.approx(0.113, abs=5e-4)
    assert metrics.generalised_ece(outcome, platt) == pytest.approx(0.070, abs=5e-4)
    firm = Beta.from_mean_concentration(np.full(817, outcome.mean()), 100)
    assert metrics.generalised_ece(outcome, firm) == pytest.approx(0.035, abs=5e-4)
    vague = Beta.from_mean_concentration(confidence.mean, 0.5)
    assert metrics.faithfulness_divergence(outcome, vague).mean() == pytest.approx(0.261, abs=5e-4)
