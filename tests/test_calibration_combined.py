"""The logistic regression on two confidences."""

import json

import numpy as np
import pytest
import scipy
from sklearn.linear_model import LogisticRegression

from ralc.beta import Beta
from ralc.calibration import CalibrationMap, LogisticOfTwo, from_protocol, side_by_side
from ralc.calibration.base import smoothed

RNG = np.random.default_rng(3)
N = 400
ONE, OTHER = (Beta.from_mean_concentration(RNG.uniform(0.05, 0.95, N), k) for k in (20, 6))
BOTH = side_by_side([ONE, OTHER])
LOGITS = np.column_stack([scipy.special.logit(ONE.mean), scipy.special.logit(OTHER.mean)])
RIGHT = (RNG.random(N) < scipy.special.expit(LOGITS @ [1.0, 0.4] - 0.3)).astype(int)


def test_it_is_scikit_learns_on_the_logits_of_the_means():
    fitted = LogisticOfTwo(C=0.5).fit(BOTH, RIGHT)
    soft = smoothed(RIGHT.astype(float))  # a target between 0 and 1 is a right and a wrong one with weights
    weights = np.concatenate([soft, 1 - soft])
    theirs = LogisticRegression(C=0.5, tol=1e-12, max_iter=10_000)
    theirs.fit(np.vstack([LOGITS, LOGITS]), np.repeat([1, 0], N), sample_weight=weights)
    np.testing.assert_allclose(fitted.weights_, theirs.coef_[0], atol=1e-6)
    np.testing.assert_allclose(fitted.intercept_, theirs.intercept_[0], atol=1e-6)
    np.testing.assert_allclose(fitted.transform(BOTH).mean, theirs.predict_proba(LOGITS)[:, 1], atol=1e-6)


def test_it_finds_what_each_tells_and_is_no_surer_than_the_weaker():
    fitted = LogisticOfTwo().fit(BOTH, RIGHT)
    assert fitted.weights_ == pytest.approx([1.0, 0.4], abs=0.25)
    np.testing.assert_allclose(fitted.transform(BOTH).concentration, 6)


@pytest.mark.parametrize("outcome", [0, 1])
def test_all_right_or_all_wrong_has_a_value(outcome):
    made = LogisticOfTwo().fit(BOTH, np.full(N, outcome)).transform(BOTH)
    assert np.all(abs(made.mean - outcome) < 0.05)


def test_what_is_the_same_everywhere_has_no_weight():
    same = Beta(np.full(N, 2.0), np.full(N, 1.0))
    fitted = LogisticOfTwo().fit(side_by_side([ONE, same]), RIGHT)
    assert fitted.weights_[1] == 0
    flat = LogisticOfTwo().fit(side_by_side([same, same]), RIGHT)
    assert flat.weights_ == (0, 0)
    assert "unidentified_slope" in flat.flags_
    np.testing.assert_allclose(
        flat.transform(side_by_side([same, same])).mean, smoothed(RIGHT.astype(float)).mean()
    )


def test_one_item_and_certain_means_are_finite():
    certain = Beta.from_mean_concentration(1 - 1e-12, 20)[None]
    made = (
        LogisticOfTwo().fit(side_by_side([certain, certain]), [0]).transform(side_by_side([certain, certain]))
    )
    assert np.isfinite(made.mean).all()


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="outcome"):
        LogisticOfTwo().fit(BOTH, np.full(N, 2.0))
    with pytest.raises(ValueError, match="shape"):
        LogisticOfTwo().fit(BOTH, RIGHT[:3])
    with pytest.raises(ValueError, match="not fitted"):
        LogisticOfTwo().transform(BOTH)


def test_a_cautious_one_does_not_turn_the_order_round():
    """As every map of protocol ralc: against confidence, or without a slope on either, it is the base rate."""
    turned = LogisticOfTwo(cautious=True).fit(BOTH, 1 - (LOGITS.sum(axis=1) > 0))
    assert {"negative_slope", "base_rate"} <= set(turned.flags_)
    assert len(set(turned.transform(BOTH).mean)) == 1
    assert "negative_slope" in LogisticOfTwo().fit(BOTH, 1 - (LOGITS.sum(axis=1) > 0)).flags_
    few = LogisticOfTwo(cautious=True).fit(BOTH[:2], [1, 0])
    assert {"unidentified_slope", "base_rate"} <= set(few.flags_)
    assert LogisticOfTwo(cautious=True).fit(BOTH, RIGHT).flags_ == ()
    # Of a protocol, the choices are those of its other maps.
    assert from_protocol("logistic_of_two", "ralc").get_params() == {
        "C": 1,
        "bound": 0.0125,
        "cautious": True,
    }


def test_it_is_carried_as_json_and_one_confidence_alone_is_refused():
    fitted = LogisticOfTwo().fit(BOTH, RIGHT)
    again = CalibrationMap.from_dict(json.loads(json.dumps(fitted.to_dict())))
    np.testing.assert_array_equal(again.transform(BOTH).mean, fitted.transform(BOTH).mean)
    for alone in (ONE, Beta(2.0, 1.0), Beta([[1.0] * 3], 1.0)):
        with pytest.raises(ValueError, match="takes 2 confidences an item"):
            fitted.transform(alone)
    with pytest.raises(ValueError, match="takes 2 confidences an item"):
        LogisticOfTwo().fit(ONE, RIGHT)
