"""Calibration maps."""

import json
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, special
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
from ralc.calibration.logistic import fit_logistic
from ralc.protocols import resolve

PRIOR = {"mean": 0.8, "sd": 0.5, "intercept_sd": 1.5}

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
    penalty = {"mean": 0, "sd": 0.5**0.5, "intercept_sd": None}
    fitted = PlattScaling(logit=logit, slope_prior=penalty).fit(confidence, outcome)
    assert fitted.slope_ == pytest.approx(oracle.coef_[0, 0], rel=1e-6)
    assert fitted.intercept_ == pytest.approx(oracle.intercept_[0], rel=1e-6)


def test_the_posterior_is_largest_and_its_share_as_scipy_finds_them(overconfident):
    confidence, outcome = overconfident[0][:40], overconfident[1][:40]
    x = special.logit(confidence.mean)

    def loss(w):
        logits = w[0] * x + w[1]
        fit = np.logaddexp(0, logits) - outcome * logits
        return fit.sum() + ((w[0] - 0.8) / 0.5) ** 2 / 2 + (w[1] / 1.5) ** 2 / 2

    oracle = optimize.minimize(loss, [0, 0], method="BFGS", options={"gtol": 1e-9}).x
    fitted = PlattScaling(slope_prior=PRIOR).fit(confidence, outcome)
    np.testing.assert_allclose([fitted.slope_, fitted.intercept_], oracle, atol=1e-6)
    p = special.expit(oracle[0] * x + oracle[1])
    design = np.column_stack([x, np.ones(40)])
    known = (
        1 / np.linalg.inv((design * (p * (1 - p))[:, None]).T @ design)[0, 0]
    )  # the intercept profiled out
    assert fitted.data_share_ == pytest.approx(known / (known + 4), abs=1e-6)


def test_one_answer_under_a_prior_by_hand():
    # x = ln 4, right: the slope's and the intercept's scores are 1 - p = (w - .8) / (.25 x) = b / 2.25.
    fitted = PlattScaling(slope_prior=PRIOR).fit(Beta([8], [2]), [1])
    left = 1 - special.expit(fitted.slope_ * np.log(4) + fitted.intercept_)
    assert left == pytest.approx(0.1713, abs=1e-4)
    assert fitted.slope_ == pytest.approx(0.8 + 0.25 * np.log(4) * left)
    assert fitted.intercept_ == pytest.approx(2.25 * left)
    assert fitted.slope_ == pytest.approx(0.8594, abs=1e-4)
    assert fitted.flags_ == ("few_items", "one_class", "mostly_prior")


@pytest.mark.parametrize(("mean", "count"), [(0.9, 30), (0.97, 50), (0.99, 50), (0.6, 1000)])
def test_a_score_that_never_varies_is_mapped_near_the_rate(mean, count):
    confidence = Beta.from_mean_concentration(np.full(count, mean), 10)
    fitted = PlattScaling(slope_prior=PRIOR).fit(confidence, np.arange(count) % 10 < 6)
    np.testing.assert_allclose(fitted.transform(confidence).mean, 0.6, atol=0.02)


def test_a_prior_without_answers_to_speak_of_and_one_without_weight(overconfident):
    confidence, outcome = overconfident
    free = PlattScaling().fit(confidence, outcome)
    weak = PlattScaling(slope_prior={"mean": 1, "sd": 100, "intercept_sd": 100}).fit(confidence, outcome)
    assert (weak.slope_, weak.data_share_) == (
        pytest.approx(free.slope_, rel=1e-5),
        pytest.approx(1, abs=1e-5),
    )
    firm = PlattScaling(slope_prior={"mean": 1, "sd": 0.01, "intercept_sd": 0.01})
    firm.fit(confidence[:20], outcome[:20])
    assert (firm.slope_, firm.data_share_) == (pytest.approx(1, abs=0.01), pytest.approx(0, abs=0.01))


def test_a_map_under_a_prior_is_the_same_in_any_order_and_mirrored():
    """With a prior about 0 of the intercept, confidences and outcomes turned round give the map turned round."""
    mean, outcome = np.array([0.9, 0.8, 0.2, 0.6, 0.7, 0.4]), np.array([1, 1, 0, 1, 0, 0])
    fitted = PlattScaling(slope_prior=PRIOR).fit(Beta.from_mean_concentration(mean, 9), outcome)
    again = PlattScaling(slope_prior=PRIOR).fit(Beta.from_mean_concentration(mean[::-1], 9), outcome[::-1])
    turned = PlattScaling(slope_prior=PRIOR).fit(Beta.from_mean_concentration(1 - mean, 9), 1 - outcome)
    assert again.slope_ == pytest.approx(fitted.slope_, rel=1e-12)
    assert (turned.slope_, turned.intercept_) == (
        pytest.approx(fitted.slope_),
        pytest.approx(-fitted.intercept_),
    )


def test_many_samples_are_fitted_at_once_as_one_by_one(rng):
    x, y = rng.normal(1, 1.5, (6, 25, 1)), rng.integers(0, 2, (6, 25)).astype(float)
    told = {"mean": 0.8, "sd": 0.5, "intercept_sd": 1.5}
    together = fit_logistic(x, y, **told)
    for place in range(6):
        alone = fit_logistic(x[place], y[place], **told)
        for found, expected in zip(together, alone, strict=True):
            np.testing.assert_allclose(found[place], expected, rtol=1e-9)


def test_24_answers_with_one_wrong_keep_what_the_signal_knows(rng):
    mean = rng.uniform(0.5, 0.98, 24)
    outcome = np.arange(24) != 5
    fitted = from_protocol("platt").fit(Beta.from_mean_concentration(mean, 20), outcome)
    assert fitted.slope_ > 0
    assert "mostly_prior" in fitted.flags_
    assert re.search(
        r"rests mostly on what such signals are usually worth: 24 answers, 1 wrong \(\d+ % of", fitted.basis
    )


def test_an_inverted_score_ends_flat_and_says_so(overconfident):
    confidence, outcome = overconfident
    for name in ("platt", "beta", "isotonic", "histogram"):
        fitted = from_protocol(name).fit(confidence, 1 - outcome)
        assert "flat" in fitted.flags_
        means = fitted.transform(confidence).mean
        assert np.ptp(means) < 0.05
        assert means.mean() == pytest.approx(1 - outcome.mean(), abs=0.01)
        assert name not in ("platt", "beta") or "negative_slope" in fitted.flags_
    temperature = from_protocol("temperature").fit(confidence, 1 - outcome)
    assert "negative_slope" in temperature.flags_
    assert np.abs(temperature.transform(confidence).mean - 0.5).max() < 0.02


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
    assert careful.flags_ == ("few_items", "mostly_prior")
    assert careful.transform(far).mean < careful.transform(Beta(9, 1)).mean
    assert careful.transform(Beta.from_mean_concentration(0.95, 20)).mean == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize("name", ["platt", "temperature", "isotonic", "histogram", "beta"])
@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.floats(0.001, 0.999), st.integers(0, 1)), min_size=1, max_size=40))
def test_a_map_of_protocol_ralc_never_turns_round(name, items):
    mean, outcome = zip(*items, strict=True)
    fitted = from_protocol(name).fit(Beta.from_mean_concentration(mean, 9), outcome)
    back = CalibrationMap.from_dict(json.loads(json.dumps(fitted.to_dict(), allow_nan=False)))
    grid = Beta.from_mean_concentration(np.linspace(0.001, 0.999, 99), 9)
    mapped = fitted.transform(grid).mean
    assert np.diff(mapped).min() >= -1e-12
    np.testing.assert_array_equal(back.transform(grid).mean, mapped)


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


def test_temperature_under_a_prior_of_its_logarithm_solves_its_equation(overconfident):
    confidence, outcome = overconfident[0][:30], overconfident[1][:30]
    x = special.logit(confidence.mean)
    fitted = TemperatureScaling(slope_prior=PRIOR).fit(confidence, outcome)
    score = fitted.slope_ * (x @ (special.expit(fitted.slope_ * x) - outcome))
    assert score + np.log(fitted.slope_ / 0.8) / (0.5 / 0.8) ** 2 == pytest.approx(0, abs=1e-9)
    assert 0 < fitted.data_share_ < 1
    alone = TemperatureScaling(slope_prior=PRIOR).fit(Beta([1.0], [1.0]), [1])
    assert (alone.slope_, alone.data_share_) == (pytest.approx(0.8), 0)


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
    assert (ralc.eps, ralc.logit, ralc.slope_prior["mean"] > 0) == (0.0125, True, True)
    assert (paper.eps, paper.logit, paper.slope_prior) == (0.0, True, None)
    assert (authors.logit, authors.slope_prior) == (False, {"mean": 0, "sd": 1, "intercept_sd": None})
    assert from_protocol("temperature", resolve(slope_prior=PRIOR)).slope_prior == PRIOR
    assert [from_protocol("histogram", p).monotone for p in ("ralc", "paper", "authors")] == [
        True,
        False,
        False,
    ]
    assert from_protocol("isotonic", "ralc").bound == 0.0125
    assert isinstance(from_protocol("identity"), Identity)
    with pytest.raises(ValueError, match="unknown map 'plat'; maps are beta, histogram"):
        from_protocol("plat")


def test_the_prior_is_the_one_that_the_study_found_and_a_useless_score_costs_little():
    study = json.loads((Path(__file__).parents[1] / "studies/slope_prior.json").read_text())
    assert from_protocol("platt").slope_prior == study["prior"]
    for row in study["useless"]:
        assert row["excess"] <= {20: 0.01, 100: 0.003}[row["n"]]
    for row in study["claims"]:
        assert row["claimed_less_true"] > -0.005
    assert IsotonicMap.needs == study["needed"]["isotonic"]["needs"]
    assert HistogramBinning.needs == study["needed"]["histogram"]["needs"]
