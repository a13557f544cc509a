"""When enough answers are known."""

import numpy as np
import pytest
from scipy import stats

from ralc.signals.stopping import answers_needed, majority_error


def test_the_error_by_hand_and_by_scipy():
    assert majority_error([7]) == pytest.approx(0.25)  # Beta(2, 1): x^2 at 1/2
    assert majority_error([0, 0, 0]) == pytest.approx(1 / 16)
    assert majority_error([0, 1]) == pytest.approx(0.5)
    clusters = [0] * 6 + [1] * 2 + [2]
    assert majority_error(clusters) == pytest.approx(stats.beta(7, 3).cdf(0.5), rel=1e-12)


@pytest.mark.parametrize(
    ("clusters", "rounds", "error", "needed"),
    [
        ([0] * 10, range(3, 11), 0.05, 4),  # 1/32 after four
        ([0] * 10, range(3, 11), 0.07, 3),  # 1/16 after three
        ([0] * 10, [3, 6, 10], 0.05, 6),  # only looked at after each round
        ([0, 1] * 5, range(3, 11), 0.05, 10),
        ([0, 0], [3, 6], 0.05, 2),  # more than there are cannot be asked for
    ],
)
def test_answers_needed(clusters, rounds, error, needed):
    assert answers_needed(clusters, list(rounds), error) == needed


def test_the_stated_error_holds_where_shares_are_drawn_as_it_assumes():
    rng = np.random.default_rng(0)
    wrong = stopped = 0
    for share in rng.random(4000):
        clusters = (rng.random(20) < share).astype(int).tolist()
        n = answers_needed(clusters, [3, 6, 10], 0.1)
        if majority_error(clusters[:n]) <= 0.1:
            stopped += 1
            wrong += (np.mean(clusters[:n]) > 0.5) != (share > 0.5)
    assert stopped > 1000
    assert wrong / stopped < 0.1


@pytest.mark.parametrize(
    ("rounds", "error", "message"),
    [
        ([3, 3], 0.05, "must ascend"),
        ([], 0.05, "must ascend"),
        ([0], 0.05, "must ascend"),
        ([3], 0.5, "error = 0.5"),
    ],
)
def test_no_rounds_and_no_error(rounds, error, message):
    with pytest.raises(ValueError, match=message):
        answers_needed([0, 0, 1], rounds, error)
