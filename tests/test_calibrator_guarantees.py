"""Guarantees of the kept libraries, on splits of their own."""

import numpy as np
import pytest

from ralc import WordCalibrator
from ralc.calibrator.guarantees import answer_from, told_from, venn_abers

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


def identity() -> WordCalibrator:
    """A calibrator that leaves confidences as they are."""
    return WordCalibrator(map="identity").fit([0.2, 0.8], [0, 1])


def test_the_cut_by_hand():
    # The most confident false sentences of four answers: .2, .5, .9 and none.
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


def test_what_is_no_share_is_refused():
    with pytest.raises(ValueError, match=r"epsilon = 1.5 must be in \(0, 1\)"):
        told_from(identity(), [0.5], [1], [0], epsilon=1.5)
    with pytest.raises(ValueError, match="correct must be in"):
        told_from(identity(), [0.5], [2], [0], epsilon=0.5)
    with pytest.raises(ValueError, match="one shape"):
        told_from(identity(), [0.5], [1, 0], [0, 1], epsilon=0.5)
