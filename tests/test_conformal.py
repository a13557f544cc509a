"""The conformal cut: few long answers keep a false sentence."""

import numpy as np
import pytest

from ralc import WordCalibrator
from ralc.calibrator.conformal import told_from


def answers(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    score = rng.random(n)
    return score, (rng.random(n) < score**2).astype(int)


@pytest.fixture(scope="module")
def calibrator() -> WordCalibrator:
    return WordCalibrator().fit(*answers(300, np.random.default_rng(1)))


def identity() -> WordCalibrator:
    """A calibrator that leaves confidences as they are."""
    return WordCalibrator(map="identity").fit([0.2, 0.8], [0, 1])


def test_the_cut_by_hand():
    # The most confident false sentences of four answers: 0.2, 0.5, 0.9 and none.
    score, correct = [0.2, 0.8, 0.5, 0.4, 0.9, 0.7], [0, 1, 0.5, 0, 0, 1]
    answers = ["a", "a", "b", "b", "c", "d"]
    cuts = [told_from(identity(), score, correct, answers, epsilon=one) for one in (0.5, 0.3, 0.1, 0.9)]
    assert cuts[:2] == pytest.approx([0.5, 0.9])
    assert cuts[0] > 0.5
    assert cuts[2] == np.inf  # five answers are too few for one in ten
    assert cuts[3] == 0  # the answer without a false sentence alone needs no cut


@pytest.mark.parametrize("epsilon", [0.1, 0.3])
def test_few_answers_keep_a_false_sentence(epsilon):
    rng, calibrator = np.random.default_rng(5), identity()

    def drawn(n):
        hard = np.repeat(rng.uniform(0, 1, n), 5)  # sentences of one answer depend on one another
        score = np.clip(rng.normal(hard, 0.2), 0.02, 0.98)
        return score, rng.random(5 * n) < 0.4 + 0.6 * score, np.repeat(np.arange(n), 5)

    kept = []
    for _ in range(300):
        cut = told_from(calibrator, *drawn(60), epsilon=epsilon)
        score, correct, answers = drawn(60)
        kept.append(np.unique(answers[(score >= cut) & ~correct]).size / 60)
    assert epsilon - 0.04 < np.mean(kept) < epsilon + 0.02


def test_a_cut_leaves_out_what_is_below(calibrator):
    text = "It is an old city. It lies by the Rhine. It has a port."
    cut = float(calibrator.transform([0.7]).mean[0])
    (made,) = calibrator.rewrite([text], [[0.95, 0.65, 0.75]], below="drop", unsupported=cut)
    assert [one.start == one.end for one in made.sentences] == [False, True, False]
    (none,) = calibrator.rewrite([text], [[0.95, 0.65, 0.75]], below="drop", unsupported=np.inf)
    assert none.text == ""
