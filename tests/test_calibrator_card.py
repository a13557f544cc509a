"""A calibrator takes answers that were asked for as its own were, and says why it takes no others."""

import numpy as np
import pytest

from ralc import WordCalibrator
from ralc.calibrator import Design

TEN, ONE, SETTLED = (Design.of(counts) for counts in ([10] * 40, [1] * 40, [5] * 20 + [10] * 8 + [20] * 12))


def test_what_was_asked_leaves_a_twentieth_at_either_end_aside():
    assert Design.of([10] * 190 + [2] * 10) == Design(fewest=10, most=10)
    assert Design.of([10] * 180 + [2] * 20) == Design(fewest=2, most=10)
    assert (SETTLED.shown, SETTLED.varies) == ("5 to 20 answers a question", True)
    assert (ONE.shown, ONE.varies) == ("1 answer a question", False)


@pytest.mark.parametrize(
    ("fitted", "counts", "taken"),
    [
        (TEN, [10], True),
        (TEN, [9, 10, 10], True),  # some answers always fail
        (TEN, [5], False),
        (TEN, [20] * 3, False),
        (TEN, [1], False),
        (TEN, [5] * 20 + [10] * 20, False),  # until settled
        (TEN, [10, 5], False),
        (ONE, [1], True),
        (ONE, [10], False),
        (SETTLED, [5], True),  # of few questions it cannot be told
        (SETTLED, [5, 20, 10], True),
        (SETTLED, [10] * 20, False),
        (SETTLED, [2], False),
    ],
)
def test_answers_of_another_design_are_refused(fitted, counts, taken):
    assert (fitted.unlike(counts) == "") is taken


def test_fitted_on_samples_it_refuses_samples_that_were_asked_for_otherwise():
    ten = [["Lima."] * 7 + ["Quito."] * 3, ["Lima."] * 4 + ["Quito.", "Oslo."] * 3] * 20
    calibrator = WordCalibrator().fit_samples(ten, [1, 0] * 20)
    assert calibrator.design_ == TEN
    calibrator.confidence_of(ten[:1])
    settled = [[*one[: 4 + 6 * (at % 2)]] for at, one in enumerate(ten)]
    for other in ([["Lima."] * 5], settled):
        with pytest.raises(ValueError, match="samples: the calibrator was fitted on 10 answers a question, "):
            calibrator.confidence_of(other)
    adaptive = WordCalibrator().fit_samples(settled, [1, 0] * 20)
    with pytest.raises(ValueError, match="fitted on 4 to 10 answers a question, not on 10"):
        adaptive.confidence_of(ten)
    assert len(adaptive.confidence_of(settled)[0]) == 40


def test_of_scores_nothing_is_known():
    calibrator = WordCalibrator().fit(np.linspace(0.1, 0.9, 40), [0, 1] * 20)
    assert calibrator.design_ is None
    assert calibrator.unlike([3]) == ""
