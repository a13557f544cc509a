"""Claims of a crowded answer are said at fewer levels: means of their neighbours, none moved far."""

import numpy as np
import pytest

from ralc.rewriting.levels import FEW, WIDEST, is_crowded, levelled


def more_than(most):
    return lambda level: len(set(level)) > most


def test_the_nearest_are_joined_first_by_hand():
    # .30 and .36 are nearest (.33), then .33 and .45 (claims at .30, .36 and .45: .37)
    assert levelled([0.45, 0.3, 0.8, 0.36], more_than(2)) == pytest.approx([0.37, 0.37, 0.8, 0.37])


@pytest.mark.parametrize("known", [[], [0.4], [0.4, 0.4, 0.4], [0.001, 0.999]])
def test_limits(known):
    assert levelled(known, lambda level: True) == pytest.approx(known)


def test_nothing_moves_where_few_hedges_stand():
    known = [0.3, 0.31, 0.9]
    assert levelled(known, lambda level: False).tolist() == known


def test_their_mean_stays_and_none_goes_far():
    rng = np.random.default_rng(0)
    for _ in range(200):
        known = rng.uniform(0.01, 0.99, rng.integers(1, 15))
        level = levelled(known, lambda level: True)
        assert level.mean() == pytest.approx(known.mean())
        assert np.abs(level - known).max() < WIDEST
        assert np.all(np.diff(level[np.argsort(known)]) >= -1e-12)
        order = rng.permutation(len(known))
        assert levelled(known[order], lambda level: True) == pytest.approx(level[order])


def test_what_crowds():
    assert not any(is_crowded(hedges, 2 * hedges) for hedges in range(20))
    assert not is_crowded(FEW, 1)
    assert is_crowded(FEW + 1, FEW + 1)
