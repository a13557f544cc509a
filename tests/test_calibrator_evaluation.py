"""Cross-validated figures, and what is not promised."""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from ralc import WordCalibrator, metrics
from ralc.calibrator.evaluation import stratified_folds

RNG = np.random.default_rng(8)


def answers(n: int, informative: bool = True) -> tuple[np.ndarray, np.ndarray]:
    scores = RNG.random(n)
    return scores, (RNG.random(n) < (scores if informative else 0.5)).astype(int)


def test_an_informative_score_is_promised_to_help():
    evaluation = WordCalibrator().evaluate(*answers(400))
    assert evaluation.promise
    assert evaluation.needed is None
    assert "a lower Brier score than the base rate" in str(evaluation)


def test_the_raw_figures_are_those_of_the_metrics():
    scores, correct = answers(200)
    table = WordCalibrator().evaluate(np.clip(scores, 0.05, 0.95), correct).table
    raw = table[table["forecast"] == "raw"].set_index("metric")["value"]
    assert raw["auroc"] == pytest.approx(metrics.auroc(correct, np.clip(scores, 0.05, 0.95)))
    assert raw["brier_score"] == pytest.approx(np.mean((np.clip(scores, 0.05, 0.95) - correct) ** 2))
    assert (table["ci_low"] <= table["value"]).all()
    assert (table["value"] <= table["ci_high"]).all()


def test_few_answers_are_no_ground_for_a_promise():
    evaluation = WordCalibrator().evaluate(*answers(30))
    assert not evaluation.promise
    assert evaluation.needed >= 50
    assert "too few answers" in str(evaluation)


def test_a_weak_gain_says_how_many_answers_it_would_take():
    rng = np.random.default_rng(1)
    scores = rng.random(100)
    correct = (rng.random(100) < 0.4 + 0.25 * scores).astype(int)
    evaluation = WordCalibrator().evaluate(scores, correct)
    assert not evaluation.promise
    assert evaluation.needed is None or evaluation.needed > 100


def test_a_score_that_tells_nothing_is_said_to():
    rng = np.random.default_rng(3)
    evaluation = WordCalibrator().evaluate(rng.random(300), rng.integers(0, 2, 300))
    assert not evaluation.promise
    assert evaluation.needed is None or evaluation.needed > 300
    constant = WordCalibrator().evaluate(np.full(300, 0.5), np.arange(300) % 9 < 5)
    assert (constant.promise, constant.needed) == (False, None)
    assert "does not tell right from wrong" in constant.reason


def test_what_is_far_off_is_not_promised_whatever_its_brier_score():
    scores, correct = [0.9, 0.8, 0.9, 0.6, 0.7, 0.3] * 20, [1, 1, 0, 0, 1, 0] * 20
    evaluation = WordCalibrator().evaluate(scores, correct)
    assert {(one.metric, one.forecast): one for one in evaluation.figures}[
        "brier_score", "improvement"
    ].ci_low > 0
    assert (evaluation.promise, evaluation.needed) == (False, None)
    assert "the expected calibration error is 0.326" in str(evaluation)
    perfect = WordCalibrator().evaluate([0.9, 0.3] * 30, [1, 0] * 30)
    assert perfect.promise
    sound = WordCalibrator().evaluate([0.9] * 80 + [0.3] * 40, [1] * 60 + [0] * 20 + [1] * 10 + [0] * 30)
    assert "promised: a lower Brier score than the base rate's" in str(sound)


@pytest.mark.parametrize("correct", [[1] * 60, [1] * 59 + [0]])
def test_one_class_cannot_be_held_out(correct):
    with pytest.raises(ValueError, match="nothing can be held out"):
        WordCalibrator().evaluate(np.linspace(0.1, 0.9, 60), correct)


def test_promises_under_the_null_are_rare():
    rng = np.random.default_rng(11)
    promised = [
        WordCalibrator().evaluate(rng.random(80), rng.integers(0, 2, 80), seed=seed).promise
        for seed in range(40)
    ]
    assert np.mean(promised) <= 0.05


def test_another_fit_forgets_the_evaluation_of_the_one_before():
    calibrator = WordCalibrator().fit(*answers(400))
    calibrator.evaluate(*answers(400))
    assert not hasattr(calibrator.fit(*answers(50)), "evaluation_")


@pytest.mark.parametrize("folds", [2, 3, 5])
def test_folds_are_those_of_scikit_learn(folds):
    rng = np.random.default_rng(folds)
    for seed in range(20):
        outcome = rng.permutation(np.arange(rng.integers(2 * folds, 60)) % 3 == 0).astype(float)
        outcome[:folds] = seed % 2
        outcome[-folds:] = 1 - seed % 2
        theirs = StratifiedKFold(folds, shuffle=True, random_state=seed).split(outcome, outcome)
        fold = stratified_folds(outcome, folds, seed)
        assert [np.flatnonzero(fold == k).tolist() for k in range(folds)] == [at.tolist() for _, at in theirs]


@pytest.mark.parametrize("folds", [-1, 0, 1, 2.5])
def test_there_are_at_least_two_folds(folds):
    with pytest.raises(ValueError, match="folds must be a whole number of at least 2"):
        WordCalibrator().evaluate(*answers(60), folds=folds)


def test_it_is_shown_as_a_table():
    shown = str(WordCalibrator().evaluate(*answers(400)))
    header, below, first, *_ = shown.splitlines()
    assert header.split() == ["forecast", "raw", "calibrated", "base_rate", "improvement"]
    assert below.split() == ["metric"]
    assert len(header) == len(below) == len(first)
    assert first.startswith("expected_calibration_error  0.")
