"""Calibration maps: scikit-learn's manners, hand-worked fits, statsmodels and scikit-learn, few and odd answers."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, special
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.validation import check_is_fitted

from ralc import Beta, WordCalibrator
from ralc.calibration import (
    BetaCalibration,
    CalibrationMap,
    HistogramBinning,
    Identity,
    IsotonicMap,
    PlattScaling,
    TemperatureScaling,
    from_protocol,
)
from ralc.protocols import resolve
from tests.cases import cases

PRIOR = {"mean": 0.8, "sd": 0.5, "intercept_sd": 1.5}
MAPS = [
    Identity(),
    PlattScaling(),
    TemperatureScaling(),
    IsotonicMap(),
    HistogramBinning(),
    BetaCalibration(),
]
every_map = pytest.mark.parametrize("kind", MAPS, ids=[m.name for m in MAPS])
FIVE = Beta([9, 8, 2, 6, 1], [1, 2, 8, 4, 9])
OUTCOMES = [1, 0, 0, 1, 0]
items = st.lists(st.tuples(st.floats(0.001, 0.999), st.integers(0, 1)), min_size=1, max_size=40)


@pytest.fixture
def overconfident(rng):
    """Confidences whose logit is twice what it should be, and their outcomes."""
    mean = rng.uniform(0.05, 0.98, 2000)
    outcome = rng.random(2000) < special.expit(special.logit(mean) / 2 - 0.3)
    return Beta.from_mean_concentration(mean, rng.uniform(1, 60, 2000)), outcome.astype(int)


# --- every map --------------------------------------------------------------------------------------------


@every_map
def test_maps_keep_the_concentration_stay_inside_and_survive_json(kind, overconfident):
    confidence, outcome = overconfident
    fitted = clone(kind)
    assert fitted.fit(confidence, outcome) is fitted
    assert fitted.n_items_ == 2000
    assert fitted.flags_ == ()
    text = json.dumps(fitted.to_dict(), allow_nan=False)
    back = CalibrationMap.from_dict(json.loads(text))
    assert type(back) is type(fitted)
    assert back.get_params() == fitted.get_params()
    assert back.flags_ == ()
    assert len(text) < 10_000 or kind.name == "isotonic"
    bound = getattr(kind, "bound", 0) * 0.999
    for some in (confidence, Beta([1e-6, 20.0, 1e9], [20.0, 1e-6, 1.0])):
        mapped = fitted.transform(some)
        np.testing.assert_allclose(mapped.concentration, some.concentration, rtol=1e-12)
        assert ((mapped.mean >= bound) & (mapped.mean <= 1 - bound)).all()
        assert back.transform(some) == mapped
    assert fitted.transform(confidence[0]).shape == ()


@pytest.mark.parametrize("kind", [*MAPS, WordCalibrator()], ids=lambda kind: type(kind).__name__)
def test_estimators_follow_scikit_learns_manners(kind):
    unfitted = clone(kind)
    for use in (check_is_fitted, lambda m: m.transform(FIVE)):
        with pytest.raises(NotFittedError, match=f"{type(kind).__name__} instance is not fitted yet"):
            use(unfitted)
    pipeline = make_pipeline(FunctionTransformer(), clone(kind)).fit(FIVE, OUTCOMES)
    fitted = clone(kind).fit(FIVE, OUTCOMES)
    assert pipeline.transform(FIVE).mean.tolist() == fitted.transform(FIVE).mean.tolist()
    assert repr(kind) in repr(pipeline)
    assert clone(fitted).get_params() == kind.get_params()
    with pytest.raises(NotFittedError):
        check_is_fitted(clone(fitted))
    with pytest.raises(ValueError, match="Invalid parameter 'slopes' for estimator"):
        fitted.set_params(slopes=1)


@every_map
@cases
def test_maps_stay_finite_and_say_so(kind, mean, outcome, flag):
    confidence = Beta.from_mean_concentration(mean, 20)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted = clone(kind).fit(confidence, outcome)
    assert np.isfinite(fitted.transform(confidence).mean).all()
    assert "few_items" in fitted.flags_
    assert ("one_class" in fitted.flags_) == (flag == "one_class")
    if kind.name in ("platt", "beta"):
        assert flag in fitted.flags_
        assert ("separation" in fitted.flags_) == (flag == "separation")


@cases
def test_bad_input_is_named(call, error, message):
    with pytest.raises(eval(error), match=message):
        eval(call)


# --- Platt scaling ----------------------------------------------------------------------------------------


def test_platt_equals_statsmodels_and_solves_its_smoothed_equations(overconfident):
    confidence, outcome = overconfident
    x = special.logit(np.clip(confidence.mean, 0.0125, 0.9875))
    reference = sm.Logit(outcome, sm.add_constant(x)).fit(disp=0, tol=1e-14, maxiter=100)
    fitted = PlattScaling(eps=0.0125).fit(confidence, outcome)
    np.testing.assert_allclose([fitted.intercept_, fitted.slope_], reference.params, rtol=1e-8)
    assert fitted.slope_ == pytest.approx(0.5, abs=0.1)
    inverted = PlattScaling().fit(confidence, 1 - outcome)
    assert inverted.slope_ < 0
    assert inverted.flags_ == ("negative_slope",)
    right = outcome.sum()
    smooth = PlattScaling(smoothing=True, eps=0.0125).fit(confidence, outcome)
    targets = np.where(outcome == 1, (right + 1) / (right + 2), 1 / (2000 - right + 2))
    residual = targets - special.expit(smooth.slope_ * x + smooth.intercept_)
    assert np.abs([residual.sum(), residual @ x]).max() < 1e-8


@pytest.mark.parametrize("logit", [True, False])
def test_penalised_platt_equals_scikit_learn(logit, overconfident):
    confidence, outcome = overconfident
    x = special.logit(confidence.mean) if logit else confidence.mean
    reference = LogisticRegression(C=0.5, tol=1e-10, solver="newton-cholesky").fit(x[:, None], outcome)
    penalty = {"mean": 0, "sd": 0.5**0.5, "intercept_sd": None}
    fitted = PlattScaling(logit=logit, slope_prior=penalty).fit(confidence, outcome)
    assert fitted.slope_ == pytest.approx(reference.coef_[0, 0], rel=1e-6)
    assert fitted.intercept_ == pytest.approx(reference.intercept_[0], rel=1e-6)


def test_the_posterior_is_largest_and_its_share_as_scipy_finds_them(overconfident):
    confidence = overconfident[0][:40]
    outcome = overconfident[1][:40]
    x = special.logit(confidence.mean)

    def loss(w):
        logits = w[0] * x + w[1]
        fit = np.logaddexp(0, logits) - outcome * logits
        return fit.sum() + ((w[0] - 0.8) / 0.5) ** 2 / 2 + (w[1] / 1.5) ** 2 / 2

    reference = optimize.minimize(loss, [0, 0], method="BFGS", options={"gtol": 1e-9}).x
    fitted = PlattScaling(slope_prior=PRIOR).fit(confidence, outcome)
    np.testing.assert_allclose([fitted.slope_, fitted.intercept_], reference, atol=1e-6)
    p = special.expit(reference[0] * x + reference[1])
    design = np.column_stack([x, np.ones(40)])
    information = (
        1 / np.linalg.inv((design * (p * (1 - p))[:, None]).T @ design)[0, 0]
    )  # intercept profiled out
    assert fitted.data_share_ == pytest.approx(information / (information + 4), abs=1e-6)


@cases
def test_a_score_that_never_varies_is_mapped_near_the_rate(mean, count):
    confidence = Beta.from_mean_concentration(np.full(count, mean), 10)
    fitted = PlattScaling(slope_prior=PRIOR).fit(confidence, np.arange(count) % 10 < 6)
    np.testing.assert_allclose(fitted.transform(confidence).mean, 0.6, atol=0.02)
    plain = PlattScaling().fit(confidence, np.arange(count) % 10 < 6)
    assert "unidentified_slope" in plain.flags_
    np.testing.assert_allclose(plain.transform(confidence).mean, 0.6)


def test_two_answers_do_not_turn_a_map_round():
    # 27 train answers, two of which differ: plain maximum likelihood sends 0.21 to almost 1.
    mean = np.full(27, 0.95)
    outcome = np.arange(27) % 2
    mean[:2] = 0.93
    outcome[:2] = 1
    confidence = Beta.from_mean_concentration(mean, 20)
    far = Beta(2.1, 7.9)
    plain = PlattScaling().fit(confidence, outcome)
    careful = from_protocol("platt").fit(confidence, outcome)
    assert plain.slope_ < -5
    assert plain.transform(far).mean > 0.99
    assert careful.flags_ == ("few_items", "mostly_prior")
    assert "rests mostly on what such signals are usually worth: 27 answers, 13 wrong (" in careful.basis
    assert careful.transform(far).mean < careful.transform(Beta(9, 1)).mean
    assert careful.transform(confidence[-1]).mean == pytest.approx(0.5, abs=0.1)


def test_an_inverted_score_ends_flat_and_says_so(overconfident):
    confidence, outcome = overconfident
    for name in ("platt", "beta", "isotonic", "histogram", "temperature"):
        fitted = from_protocol(name).fit(confidence, 1 - outcome)
        means = fitted.transform(confidence).mean
        assert np.ptp(means) < 0.05
        expected = 0.5 if name == "temperature" else 1 - outcome.mean()
        assert means.mean() == pytest.approx(expected, abs=0.02)
        assert name == "temperature" or "flat" in fitted.flags_
        assert name in ("isotonic", "histogram") or "negative_slope" in fitted.flags_


@pytest.mark.parametrize("name", ["platt", "temperature", "isotonic", "histogram", "beta"])
@given(items)
def test_a_map_of_protocol_ralc_never_turns_round(name, items):
    mean, outcome = zip(*items, strict=True)
    fitted = from_protocol(name).fit(Beta.from_mean_concentration(mean, 9), outcome)
    back = CalibrationMap.from_dict(json.loads(json.dumps(fitted.to_dict(), allow_nan=False)))
    grid = Beta.from_mean_concentration(np.linspace(0.001, 0.999, 99), 9)
    assert np.diff(fitted.transform(grid).mean).min() >= -1e-12
    assert back.transform(grid) == fitted.transform(grid)
    paper = from_protocol(name, "paper").fit(Beta.from_mean_concentration(mean, 9), outcome)
    assert np.isfinite(paper.transform(grid).mean).all()


@pytest.mark.parametrize("smoothing", [False, True])
def test_shares_are_fitted_as_so_many_facts_are(smoothing, rng):
    mean = rng.uniform(0.05, 0.95, 60)
    share = rng.integers(0, 5, 60) / 4
    facts = (np.arange(4) < 4 * share[:, None]).ravel()
    one = PlattScaling(smoothing=smoothing).fit(Beta.from_mean_concentration(mean, 5), share)
    many = PlattScaling(smoothing=smoothing).fit(Beta.from_mean_concentration(np.repeat(mean, 4), 5), facts)
    assert one.slope_ == pytest.approx(many.slope_, rel=0.1 if smoothing else 1e-9)


# --- the other maps ---------------------------------------------------------------------------------------


def test_temperature_solves_its_equation_with_and_without_a_prior(overconfident):
    confidence = overconfident[0][:30]
    outcome = overconfident[1][:30]
    x = special.logit(confidence.mean)
    free = TemperatureScaling().fit(*overconfident)
    every = special.logit(overconfident[0].mean)
    assert abs((overconfident[1] - special.expit(free.slope_ * every)) @ every) < 1e-7
    fitted = TemperatureScaling(slope_prior=PRIOR).fit(confidence, outcome)
    score = fitted.slope_ * (x @ (special.expit(fitted.slope_ * x) - outcome))
    assert score + np.log(fitted.slope_ / 0.8) / (0.5 / 0.8) ** 2 == pytest.approx(0, abs=1e-9)
    assert 0 < fitted.data_share_ < 1
    alone = TemperatureScaling(slope_prior=PRIOR).fit(Beta([1.0], [1.0]), [1])
    assert alone.slope_ == pytest.approx(0.8)
    assert alone.data_share_ == 0
    even = TemperatureScaling().fit(Beta([1, 1], [3, 3]), [0, 1])
    assert even.slope_ == 0
    assert "flat" in even.flags_
    inverted = TemperatureScaling().fit(confidence, confidence.mean < 0.5)
    assert inverted.slope_ == 0
    assert "negative_slope" in inverted.flags_


def test_isotonic_equals_scikit_learn(overconfident, rng):
    confidence, outcome = overconfident
    reference = IsotonicRegression(out_of_bounds="clip").fit(confidence.mean, outcome)
    new = Beta.from_mean_concentration(rng.uniform(0.001, 0.999, 500), 5)
    expected = reference.predict(new.mean).clip(1e-6, 1 - 1e-6)
    mapped = IsotonicMap().fit(confidence, outcome).transform(new).mean
    np.testing.assert_allclose(mapped, expected, atol=1e-12)


def test_histogram_bins_have_equal_mass_and_never_split_ties(overconfident):
    confidence, outcome = overconfident
    fitted = HistogramBinning(bins=8).fit(confidence, outcome)
    cell = np.searchsorted(fitted.edges_, confidence.mean, side="right")
    counts = np.bincount(cell)
    assert len(counts) == 8
    assert np.ptp(counts) <= 1
    assert fitted.values_ == pytest.approx(np.bincount(cell, outcome) / counts)
    mean = np.repeat([0.2, 0.5, 0.9], [70, 20, 10])
    tied = HistogramBinning(bins=10).fit(Beta.from_mean_concentration(mean, 4), np.arange(100) % 2)
    assert tied.edges_ == pytest.approx((0.5, 0.9))
    assert tied.values_ == pytest.approx((0.5, 0.5, 0.5))


def test_beta_calibration_equals_betacal_and_drops_a_negative_coefficient(overconfident, rng):
    betacal = pytest.importorskip("betacal")
    confidence, outcome = overconfident
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reference = betacal.BetaCalibration(parameters="abm").fit(confidence.mean, outcome)
        expected = reference.predict(confidence.mean)
    mapped = BetaCalibration().fit(confidence, outcome).transform(confidence).mean
    np.testing.assert_allclose(mapped, expected, atol=2e-3)
    mean = rng.uniform(0.01, 0.99, 500)
    # Accuracy falls towards both ends, so one of the two coefficients wants to be negative.
    outcome = rng.random(500) < np.where(mean < 0.5, mean, 1 - mean)
    assert 0 in BetaCalibration().fit(Beta.from_mean_concentration(mean, 9), outcome).coefficients_


# --- from the protocols -----------------------------------------------------------------------------------


def test_protocols_set_the_maps_parameters():
    ralc, paper, authors = (from_protocol("platt", name) for name in ("ralc", "paper", "authors"))
    assert ralc.eps == 0.0125
    assert ralc.logit is True
    assert ralc.slope_prior["mean"] > 0
    assert paper.eps == 0.0
    assert paper.logit is True
    assert paper.slope_prior is None
    assert authors.logit is False
    assert authors.slope_prior == {"mean": 0, "sd": 1, "intercept_sd": None}
    assert from_protocol("temperature", resolve(slope_prior=PRIOR)).slope_prior == PRIOR
    assert [from_protocol("histogram", p).monotone for p in ("ralc", "paper")] == [True, False]
    assert from_protocol("isotonic", "ralc").bound == 0.0125
    identity = from_protocol("identity").fit(FIVE, OUTCOMES)
    assert identity.transform(FIVE) is FIVE


def test_the_prior_is_the_one_that_the_study_found_and_a_useless_score_costs_little():
    study = json.loads((Path(__file__).parents[1] / "studies/slope_prior.json").read_text())
    assert from_protocol("platt").slope_prior == study["prior"]
    for row in study["useless"]:
        assert row["excess"] <= {20: 0.01, 100: 0.003}[row["n"]]
    for row in study["claims"]:
        assert row["claimed_less_true"] > -0.005
    assert IsotonicMap.needs == study["needed"]["isotonic"]["needs"]
    assert HistogramBinning.needs == study["needed"]["histogram"]["needs"]
