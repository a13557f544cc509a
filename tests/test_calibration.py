"""Calibration maps."""

import json
import warnings

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special
from sklearn.base import clone
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from ralc import Beta
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

ALL = [Identity(), PlattScaling(), TemperatureScaling(), IsotonicMap(), HistogramBinning(), BetaCalibration()]
every_map = pytest.mark.parametrize("kind", ALL, ids=[m.name for m in ALL])


@pytest.fixture
def overconfident(rng):
    """Confidences whose logit is twice what it should be, and their outcomes."""
    mean = rng.uniform(0.05, 0.98, 2000)
    outcome = rng.random(2000) < special.expit(special.logit(mean) / 2 - 0.3)
    return Beta.from_mean_concentration(mean, rng.uniform(1, 60, 2000)), outcome.astype(int)


@every_map
def test_maps_keep_the_concentration_and_stay_inside(kind, overconfident, rng):
    confidence, outcome = overconfident
    fitted = clone(kind).fit(confidence, outcome)
    extremes = Beta([1e-6, 20.0, 1e9], [20.0, 1e-6, 1.0])
    for some in (confidence, extremes):
        mapped = fitted.transform(some)
        np.testing.assert_allclose(mapped.concentration, some.concentration, rtol=1e-12)
        bound = getattr(kind, "bound", 0)
        assert np.all((mapped.mean >= bound * 0.999) & (mapped.mean <= 1 - bound * 0.999))
    assert fitted.transform(confidence[0]).shape == ()


@every_map
def test_maps_survive_json_exactly(kind, overconfident):
    confidence, outcome = overconfident
    fitted = clone(kind).fit(confidence, outcome)
    text = json.dumps(fitted.to_dict(), allow_nan=False)
    back = CalibrationMap.from_dict(json.loads(text))
    assert type(back) is type(fitted)
    assert back.get_params() == fitted.get_params()
    assert back.flags_ == fitted.flags_
    np.testing.assert_array_equal(back.transform(confidence).alpha, fitted.transform(confidence).alpha)
    assert len(text) < 10_000 or kind.name == "isotonic"


@every_map
def test_maps_follow_scikit_learns_manners(kind, overconfident):
    confidence, outcome = overconfident
    fitted = clone(kind)
    with pytest.raises(ValueError, match="not fitted"):
        fitted.transform(confidence)
    with pytest.raises(ValueError, match="not fitted"):
        fitted.to_dict()
    assert fitted.fit(confidence, outcome) is fitted
    assert fitted.n_items_ == 2000
    assert fitted.flags_ == ()
    assert clone(fitted).get_params() == kind.get_params()


@every_map
@pytest.mark.parametrize(
    ("mean", "outcome", "flag"),
    [
        ([0.2, 0.8, 0.9], [1, 1, 1], "one_class"),
        ([0.2, 0.8, 0.9], [0, 0, 0], "one_class"),
        ([0.7], [1], "one_class"),
        ([0.2, 0.3, 0.9, 0.95], [0, 0, 1, 1], "separation"),
        ([0.2, 0.3, 0.9, 0.95], [1, 1, 0, 0], "separation"),
        ([0.2, 0.5, 0.5, 0.95], [0, 0, 1, 1], "separation"),
        ([1e-7, 1 - 1e-9], [0, 1], "separation"),
        ([0.7, 0.7, 0.7], [0, 1, 1], "unidentified_slope"),
        ([0.5, 0.5], [0, 1], "unidentified_slope"),
    ],
)
def test_maps_stay_finite_and_say_so(kind, mean, outcome, flag):
    confidence = Beta.from_mean_concentration(mean, 20)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted = clone(kind).fit(confidence, outcome)
    mapped = fitted.transform(confidence)
    assert np.isfinite(mapped.mean).all()
    assert "few_items" in fitted.flags_
    assert ("one_class" in fitted.flags_) == (flag == "one_class")
    if kind.name in ("platt", "beta"):
        assert flag in fitted.flags_
        assert ("separation" in fitted.flags_) == (flag == "separation")


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        ([1, 0, 2], r"outcome must be in \[0, 1\]: outcome\[2\] = 2.0"),
        ([1, 0], "one shape"),
        ([1, np.nan, 0], r"outcome\[1\] = nan"),
    ],
)
def test_bad_outcomes_are_named(outcome, message):
    with pytest.raises(ValueError, match=message):
        PlattScaling().fit(Beta([1, 2, 3], 1), outcome)


@pytest.mark.parametrize("smoothing", [False, True])
def test_shares_are_fitted_as_so_many_facts_are(smoothing, rng):
    mean = rng.uniform(0.05, 0.95, 60)
    share = rng.integers(0, 5, 60) / 4
    facts = (np.arange(4) < 4 * share[:, None]).ravel()
    one, many = PlattScaling(smoothing=smoothing), PlattScaling(smoothing=smoothing)
    one.fit(Beta.from_mean_concentration(mean, 5), share)
    many.fit(Beta.from_mean_concentration(np.repeat(mean, 4), 5), facts)
    assert one.slope_ == pytest.approx(many.slope_, rel=0.1 if smoothing else 1e-9)


@every_map
def test_shares_are_mapped_into_the_scale(kind, rng):
    mean = rng.uniform(0.05, 0.95, 200)
    fitted = kind.fit(Beta.from_mean_concentration(mean, 5), mean**2)
    error = np.abs(fitted.transform(Beta.from_mean_concentration(mean, 5)).mean - mean**2)
    assert kind.name in ("identity", "temperature") or error.max() < 0.1
    assert not set(fitted.flags_) & {"separation", "one_class", "few_items"}


@every_map
def test_a_map_before_it_is_one_says_so(kind):
    for use in (lambda m: m.transform(Beta(3, 1)), lambda m: m.to_dict()):
        with pytest.raises(ValueError, match=f"{type(kind).__name__} instance is not fitted yet"):
            use(clone(kind))
    with pytest.raises(TypeError, match="confidence must be a Beta, not list"):
        clone(kind).fit([0.9, 0.4], [1, 0])
    with pytest.raises(TypeError, match="confidence must be a Beta, not list"):
        clone(kind).fit([1, 0], Beta([9, 2], [1, 3]))
    with pytest.raises(TypeError, match="confidence must be a Beta, not float"):
        clone(kind).fit(Beta([9, 2], [1, 3]), [1, 0]).transform(0.5)


def test_what_is_no_map_is_named():
    with pytest.raises(TypeError, match="abstract"):
        CalibrationMap()
    with pytest.raises(ValueError, match="learned is missing"):
        CalibrationMap.from_dict({"map": "platt", "parameters": {}})
    with pytest.raises(ValueError, match="unknown map 'plat'"):
        CalibrationMap.from_dict({"map": "plat", "parameters": {}, "learned": {}})


def test_nothing_cannot_be_fitted():
    with pytest.raises(ValueError, match="at least one item"):
        Identity().fit(Beta([], []), [])


def test_the_identity_changes_nothing(overconfident):
    confidence, outcome = overconfident
    assert Identity().fit(confidence, outcome).transform(confidence) is confidence


# --- Platt scaling ----------------------------------------------------------------------------------------


def test_platt_equals_statsmodels(overconfident):
    confidence, outcome = overconfident
    x = special.logit(np.clip(confidence.mean, 1e-6, 1 - 1e-6))
    oracle = sm.Logit(outcome, sm.add_constant(x)).fit(disp=0, tol=1e-14, maxiter=100)
    fitted = PlattScaling().fit(confidence, outcome)
    np.testing.assert_allclose([fitted.intercept_, fitted.slope_], oracle.params, rtol=1e-8)
    assert fitted.slope_ == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize("logit", [True, False])
def test_penalised_platt_equals_scikit_learn(logit, overconfident):
    confidence, outcome = overconfident
    x = special.logit(confidence.mean) if logit else confidence.mean
    oracle = LogisticRegression(C=0.5, tol=1e-10, solver="newton-cholesky").fit(x[:, None], outcome)
    fitted = PlattScaling(logit=logit, C=0.5).fit(confidence, outcome)
    assert fitted.slope_ == pytest.approx(oracle.coef_[0, 0], rel=1e-6)
    assert fitted.intercept_ == pytest.approx(oracle.intercept_[0], rel=1e-6)


def test_smoothed_platt_solves_its_equations(overconfident):
    confidence, outcome = overconfident
    fitted = PlattScaling(smoothing=True, eps=0.0125).fit(confidence, outcome)
    x = special.logit(np.clip(confidence.mean, 0.0125, 0.9875))
    right = outcome.sum()
    targets = np.where(outcome == 1, (right + 1) / (right + 2), 1 / (2000 - right + 2))
    residual = targets - special.expit(fitted.slope_ * x + fitted.intercept_)
    assert abs(residual.sum()) < 1e-8
    assert abs(residual @ x) < 1e-8


def test_a_negative_slope_is_flagged(overconfident):
    confidence, outcome = overconfident
    fitted = PlattScaling().fit(confidence, 1 - outcome)
    assert fitted.slope_ < 0
    assert fitted.flags_ == ("negative_slope",)


def test_equal_means_give_the_base_rate():
    fitted = PlattScaling().fit(Beta(np.full(60, 8.0), 2.0), np.arange(60) % 3 == 0)
    assert fitted.flags_ == ("unidentified_slope",)
    assert fitted.transform(Beta(8, 2)).mean == pytest.approx(1 / 3)


def test_two_answers_do_not_turn_a_map_round():
    # 27 train answers, two of which differ: plain maximum likelihood sends .21 to almost 1.
    mean, outcome = np.full(27, 0.95), np.arange(27) % 2
    mean[:2], outcome[:2] = 0.93, 1
    confidence, far = Beta.from_mean_concentration(mean, 20), Beta(2.1, 7.9)
    plain = PlattScaling().fit(confidence, outcome)
    assert plain.slope_ < -5
    assert plain.transform(far).mean > 0.99
    careful = from_protocol("platt").fit(confidence, outcome)
    assert {"negative_slope", "unidentified_slope", "base_rate"} <= set(careful.flags_)
    assert careful.transform(far).mean == careful.transform(Beta(9, 1)).mean == careful.base_rate_
    assert careful.base_rate_ == pytest.approx(outcome.mean(), abs=0.03)


@pytest.mark.parametrize("name", ["platt", "temperature", "isotonic", "histogram", "beta"])
@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.floats(0.001, 0.999), st.integers(0, 1)), min_size=1, max_size=40))
def test_a_cautious_map_never_turns_round(name, items):
    mean, outcome = zip(*items, strict=True)
    fitted = from_protocol(name).fit(Beta.from_mean_concentration(mean, 9), outcome)
    back = CalibrationMap.from_dict(json.loads(json.dumps(fitted.to_dict(), allow_nan=False)))
    grid = Beta.from_mean_concentration(np.linspace(0.001, 0.999, 99), 9)
    mapped = fitted.transform(grid).mean
    assert np.diff(mapped).min() >= -1e-12
    np.testing.assert_array_equal(back.transform(grid).mean, mapped)
    if min(outcome) == max(outcome) and name in ("platt", "isotonic", "histogram", "beta"):
        n, right = len(outcome), max(outcome)
        assert mapped == pytest.approx((n + 1) / (n + 2) if right else 1 / (n + 2), abs=0.01)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.floats(0.001, 0.999), st.integers(0, 1)), min_size=1, max_size=40),
    st.booleans(),
    st.booleans(),
)
def test_platt_never_breaks(items, smoothing, logit):
    mean, outcome = zip(*items, strict=True)
    confidence = Beta.from_mean_concentration(mean, 9)
    fitted = PlattScaling(smoothing=smoothing, logit=logit).fit(confidence, outcome)
    mapped = fitted.transform(confidence).mean
    assert np.isfinite([fitted.slope_, fitted.intercept_]).all()
    order = np.argsort(mean)
    steps = np.diff(mapped[order]) * (-1 if fitted.slope_ < 0 else 1)
    assert steps.min(initial=0) >= -1e-9


# --- the other maps ---------------------------------------------------------------------------------------


def test_temperature_solves_its_equation(overconfident):
    confidence, outcome = overconfident
    fitted = TemperatureScaling().fit(confidence, outcome)
    x = special.logit(confidence.mean)
    assert abs((outcome - special.expit(fitted.slope_ * x)) @ x) < 1e-7
    assert TemperatureScaling().fit(confidence, 1 - outcome).slope_ >= 0


def test_temperature_never_turns_the_order_round():
    confidence = Beta.from_mean_concentration(np.linspace(0.1, 0.9, 80), 9)
    fitted = TemperatureScaling().fit(confidence, np.arange(80) < 40)
    assert fitted.slope_ == 0
    assert "negative_slope" in fitted.flags_
    np.testing.assert_allclose(fitted.transform(confidence).mean, 0.5)


def test_isotonic_equals_scikit_learn(overconfident, rng):
    confidence, outcome = overconfident
    oracle = IsotonicRegression(out_of_bounds="clip").fit(confidence.mean, outcome)
    new = Beta.from_mean_concentration(rng.uniform(0.001, 0.999, 500), 5)
    expected = oracle.predict(new.mean).clip(1e-6, 1 - 1e-6)
    np.testing.assert_allclose(
        IsotonicMap().fit(confidence, outcome).transform(new).mean, expected, atol=1e-12
    )
    assert IsotonicMap().fit(confidence, confidence.mean < 0.5).flags_ == ("flat",)


def test_histogram_bins_have_equal_mass_and_their_share_of_correct(overconfident):
    confidence, outcome = overconfident
    fitted = HistogramBinning(bins=8).fit(confidence, outcome)
    cell = np.searchsorted(fitted.edges_, confidence.mean, side="right")
    counts = np.bincount(cell)
    assert len(counts) == 8
    assert counts.max() - counts.min() <= 1
    for index in range(8):
        assert fitted.values_[index] == pytest.approx(outcome[cell == index].mean())


def test_histogram_never_splits_ties_or_leaves_a_bin_empty():
    mean = np.repeat([0.2, 0.5, 0.9], [70, 20, 10])
    fitted = HistogramBinning(bins=10).fit(Beta.from_mean_concentration(mean, 4), np.arange(100) % 2)
    assert fitted.edges_ == pytest.approx((0.5, 0.9))
    assert fitted.values_ == pytest.approx((0.5, 0.5, 0.5))


def test_beta_calibration_equals_betacal(overconfident):
    betacal = pytest.importorskip("betacal")
    confidence, outcome = overconfident
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        oracle = betacal.BetaCalibration(parameters="abm").fit(confidence.mean, outcome)
        expected = oracle.predict(confidence.mean)
    found = BetaCalibration().fit(confidence, outcome).transform(confidence).mean
    np.testing.assert_allclose(found, expected, atol=2e-3)


def test_beta_calibration_drops_a_negative_coefficient(rng):
    mean = rng.uniform(0.01, 0.99, 500)
    # Accuracy falls towards both ends, so one of the two coefficients wants to be negative.
    outcome = rng.random(500) < np.where(mean < 0.5, mean, 1 - mean)
    fitted = BetaCalibration().fit(Beta.from_mean_concentration(mean, 9), outcome)
    assert 0 in fitted.coefficients_


# --- from the protocols -----------------------------------------------------------------------------------


def test_protocols_set_the_maps_parameters():
    ralc, paper, authors = (from_protocol("platt", name) for name in ("ralc", "paper", "authors"))
    assert (ralc.smoothing, ralc.eps, ralc.logit, ralc.C) == (True, 0.0125, True, 1.0)
    assert (ralc.cautious, paper.cautious, authors.cautious) == (True, False, False)
    assert (paper.smoothing, paper.eps, paper.logit, paper.C) == (False, 0.0, True, np.inf)
    assert (authors.smoothing, authors.logit, authors.C) == (False, False, 1.0)
    assert from_protocol("isotonic", "ralc").bound == 0.0125
    assert isinstance(from_protocol("identity"), Identity)
    with pytest.raises(ValueError, match="unknown map 'plat'; maps are beta, histogram"):
        from_protocol("plat")
