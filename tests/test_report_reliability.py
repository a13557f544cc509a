"""The curve of a reliability diagram: by hand, its sum, whole groups, bad input."""

import numpy as np
import pytest

from ralc import Beta
from ralc.metrics import generalised_ece
from ralc.report import figures


def test_reliability_curve_by_hand():
    # Very sharp beliefs at 0.25 and 0.75: two bins of four answers, one and three of them right.
    mean = np.array([0.25] * 4 + [0.75] * 4)
    outcome = np.array([1, 0, 0, 0, 1, 1, 1, 0])
    belief = Beta.from_mean_concentration(mean, np.full(8, 1e6))
    curve = figures.reliability_curve(outcome, belief, bins=2, rng=np.random.default_rng(0))
    assert curve.accuracy == pytest.approx([0.25, 0.75])
    assert curve.confidence == pytest.approx([0.25, 0.75])
    assert curve.expected == pytest.approx([0.25, 0.75])
    assert curve.mass == pytest.approx([0.5, 0.5])
    assert (curve.low <= curve.accuracy).all()
    assert (curve.accuracy <= curve.high).all()


def test_reliability_curve_leaves_nearly_empty_bins_out():
    belief = Beta.from_mean_concentration(np.full(5, 0.9), np.full(5, 1e6))
    curve = figures.reliability_curve(np.ones(5), belief, rng=np.random.default_rng(0))
    assert np.isfinite(curve.accuracy).sum() <= 2
    assert curve.mass.sum() == pytest.approx(1)


def test_reliability_curve_adds_up_to_the_generalised_ece(rng):
    belief = Beta(rng.gamma(2, 2, 200) + 0.1, rng.gamma(2, 2, 200) + 0.1)
    outcome = (rng.random(200) < 0.4).astype(float)
    curve = figures.reliability_curve(outcome, belief, least=0, rng=rng)
    gap = np.sum(curve.mass * np.abs(curve.accuracy - curve.confidence))
    assert gap == pytest.approx(generalised_ece(outcome, belief), abs=1e-12)


def test_reliability_curve_resamples_whole_groups(rng):
    # One group: every resample is the data, so the band has no width.
    belief = Beta.from_mean_concentration(rng.uniform(0.2, 0.8, 50), np.full(50, 10.0))
    outcome = (rng.random(50) < 0.5).astype(float)
    curve = figures.reliability_curve(outcome, belief, groups=np.zeros(50), rng=rng)
    known = np.isfinite(curve.accuracy)
    assert curve.low[known] == pytest.approx(curve.accuracy[known])
    assert curve.high[known] == pytest.approx(curve.accuracy[known])


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        ([1, 0], "outcome has shape"),
        ([1, 0, 2], r"outcome\[2\] = 2"),
        ([1, np.nan, 0], r"outcome\[1\] = nan"),
    ],
)
def test_reliability_curve_refuses_bad_input(outcome, message):
    with pytest.raises(ValueError, match=message):
        figures.reliability_curve(
            np.array(outcome), Beta(np.ones(3), np.ones(3)), rng=np.random.default_rng(0)
        )
