"""What a number of questions can show."""

import numpy as np
import pytest

from ralc import statistics as rs
from ralc.statistics import smallest_difference


def test_by_hand():
    assert smallest_difference(1.959964, power=0.5) == pytest.approx(1.959964)
    assert smallest_difference(1.959964) == pytest.approx(1.959964 + 0.841621, abs=1e-5)
    assert np.isnan(smallest_difference(np.nan))


def test_the_smallest_difference_is_found_in_four_of_five_studies(rng):
    found = 0
    for _ in range(200):
        values = rng.normal(2.8016 / 10, 1, 100)
        table = rs.bootstrap({"d": rs.mean(values)}, items=100, resamples=200, rng=rng).table(null=0.0)
        found += table.p_value["d"] < 0.05
    assert found / 200 == pytest.approx(0.8, abs=0.1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: smallest_difference(-1.0), "half_width must be at least 0"),
        (lambda: smallest_difference(1.0, power=1.0), "power must be in"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
