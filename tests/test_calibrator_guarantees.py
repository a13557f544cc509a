"""Guarantees of the kept libraries, on splits of their own."""

import numpy as np
import pytest

from ralc import WordCalibrator
from ralc.calibrator.guarantees import answer_from, venn_abers

pytest.importorskip("mapie")
pytest.importorskip("venn_abers")


def answers(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    score = rng.random(n)
    return score, (rng.random(n) < score**2).astype(int)


@pytest.fixture(scope="module")
def calibrator() -> WordCalibrator:
    return WordCalibrator().fit(*answers(300, np.random.default_rng(1)))


def test_venn_abers_pairs_hold_the_true_probability_on_average(calibrator):
    rng = np.random.default_rng(2)
    low, high = venn_abers(calibrator, *answers(400, rng), [0.3, 0.6, 0.9])
    assert (low <= high).all()
    assert ((low - 0.12 < np.array([0.09, 0.36, 0.81])) & (np.array([0.09, 0.36, 0.81]) < high + 0.12)).all()


def test_the_stated_precision_is_kept_as_often_as_stated(calibrator):
    rng = np.random.default_rng(3)
    kept = []
    for _ in range(30):
        threshold = answer_from(calibrator, *answers(300, rng), precision=0.7, level=0.9)
        if threshold is None:
            continue
        score, correct = answers(20_000, rng)
        given = calibrator.transform(score).mean >= threshold
        kept.append(correct[given].mean() >= 0.7)
    assert len(kept) >= 10
    assert np.mean(kept) >= 0.8


def test_what_cannot_be_held_is_none(calibrator):
    rng = np.random.default_rng(4)
    assert answer_from(calibrator, rng.random(60), rng.integers(0, 2, 60), precision=0.95) is None


def test_bad_calls(calibrator):
    with pytest.raises(ValueError, match="right and wrong ones"):
        venn_abers(calibrator, [0.5, 0.6], [1, 1], [0.5])
    with pytest.raises(ValueError, match=r"precision = 1\.5"):
        answer_from(calibrator, [0.5, 0.6], [0, 1], precision=1.5)
