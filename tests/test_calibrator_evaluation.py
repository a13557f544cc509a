"""Cross-validated figures, and what is not promised."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from sklearn.metrics import brier_score_loss, roc_auc_score

from ralc import Beta, WordCalibrator
from ralc.calibration import from_protocol
from ralc.calibrator.evaluation import Bin, Evaluation, cross_validate, most_said, plain_folds
from ralc.conditions import having
from ralc.protocols import resolve
from tests.cases import cases


def answers(n: int, informative: bool = True) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(8)
    scores = rng.random(n)
    return scores, (rng.random(n) < (scores if informative else 0.5)).astype(int)


def test_an_informative_score_is_promised_to_help():
    calibrator = WordCalibrator()
    evaluation = calibrator.evaluate(*answers(400))
    assert evaluation.promise
    assert evaluation.needed is None
    assert "a lower Brier score than the base rate" in str(evaluation)
    assert calibrator.fit(*answers(50)).evaluation_ is None  # it was of another fit


def test_the_raw_figures_are_those_of_the_metrics():
    scores, correct = answers(200)
    table = pd.DataFrame(map(dict, WordCalibrator().evaluate(np.clip(scores, 0.05, 0.95), correct).figures))
    raw = having(table, forecast="raw").set_index("metric")["value"]
    assert raw["auroc"] == pytest.approx(roc_auc_score(correct, np.clip(scores, 0.05, 0.95)))
    assert raw["brier_score"] == pytest.approx(np.mean((np.clip(scores, 0.05, 0.95) - correct) ** 2))
    assert (table["ci_low"] <= table["value"]).all()
    assert (table["value"] <= table["ci_high"]).all()


def figure(evaluation, forecast):
    """The Brier score of a forecast."""
    (found,) = (one for one in evaluation.figures if (one.metric, one.forecast) == ("brier_score", forecast))
    return found


def test_a_score_that_tells_nothing_is_said_to():
    rng = np.random.default_rng(3)
    evaluation = WordCalibrator().evaluate(rng.random(300), rng.integers(0, 2, 300))
    assert not evaluation.promise
    assert evaluation.needed is None or evaluation.needed > 300
    constant = WordCalibrator().evaluate(np.full(300, 0.5), np.arange(300) % 9 < 5)
    assert constant.promise is False
    assert constant.needed is None
    assert "does not tell right from wrong" in constant.reason


def test_what_is_far_off_is_not_promised_whatever_its_brier_score():
    scores = [0.9, 0.8, 0.9, 0.6, 0.7, 0.3] * 20
    correct = [1, 1, 0, 0, 1, 0] * 20
    evaluation = WordCalibrator().evaluate(scores, correct)
    assert figure(evaluation, "improvement").ci_low > 0
    assert evaluation.promise is False
    assert evaluation.needed is None
    assert "the expected calibration error is 0.3" in str(evaluation)
    perfect = WordCalibrator().evaluate([0.9, 0.3] * 30, [1, 0] * 30)
    assert perfect.promise
    sound = WordCalibrator().evaluate([0.9] * 80 + [0.3] * 40, [1] * 60 + [0] * 20 + [1] * 10 + [0] * 30)
    assert "promised: a lower Brier score than the base rate's" in str(sound)


@pytest.mark.parametrize("wrong", [0, 1, 2])
def test_24_answers_that_are_nearly_all_right_have_wide_figures_and_no_promise(wrong):
    evaluation = WordCalibrator().evaluate(np.linspace(0.4, 0.98, 24), np.arange(24) >= wrong)
    assert not evaluation.promise
    assert evaluation.needed == (240 if wrong < 2 else 120)
    found = {(one.metric, one.forecast): one for one in evaluation.figures}
    brier = found["brier_score", "calibrated"]
    auroc = found["auroc", "raw"]
    # With as many wrong ones, up to 0.10, 0.18 and 0.24 of new answers may be wrong (Jeffreys).
    assert brier.ci_high > [0.09, 0.12, 0.14][wrong]
    assert (auroc.value is None) == (wrong == 0)
    assert auroc.ci_high - auroc.ci_low > 0.6
    assert "too few answers" in str(evaluation)
    again = Evaluation.model_validate_json(evaluation.model_dump_json())
    assert again.model_dump() == evaluation.model_dump()


def test_what_is_the_priors_alone_is_not_promised():
    # The prior is right here, and the answers, which hardly differ in confidence, do not tell.
    score = np.repeat([0.55, 0.65], 30)
    calibrator = WordCalibrator(protocol=resolve(slope_prior={"mean": 8, "sd": 0.3, "intercept_sd": None}))
    correct = np.tile(np.arange(30) < 26, 2) ^ (score < 0.6)
    evaluation = calibrator.evaluate(score, correct)
    assert figure(evaluation, "improvement").ci_low > 0
    assert evaluation.promise is False
    assert evaluation.needed is None
    assert evaluation.reason.startswith(
        "the map rests mostly on what such signals are usually worth: 60 answers"
    )


@pytest.mark.long
def test_promises_under_the_null_are_rare():
    rng = np.random.default_rng(11)
    promised = [
        WordCalibrator().evaluate(rng.random(80), rng.integers(0, 2, 80), seed=seed).promise
        for seed in range(40)
    ]
    assert np.mean(promised) <= 0.05


def test_sentences_of_an_answer_are_held_out_and_drawn_together(rng):
    of = np.repeat(np.arange(40), 5)
    noise = rng.normal(size=40)
    score = rng.uniform(0.1, 0.9, 200)
    share = np.clip(score + np.repeat(noise, 5) * 0.3, 0, 1)
    apart = WordCalibrator().evaluate(score, share)
    together = WordCalibrator().evaluate(score, share, groups=[f"answer {one}" for one in of])
    width = {}
    for name, found in (("apart", apart), ("together", together)):
        one = figure(found, "calibrated")
        width[name] = one.ci_high - one.ci_low
    assert width["together"] > 1.3 * width["apart"]
    assert apart.n == 200
    assert together.n == 40
    assert {one.n for one in together.figures} == {200}
    assert "40 answers or conversations of 200 parts" in str(together)
    assert len({(fold, one) for fold, one in zip(plain_folds(of, 5, rng), of, strict=True)}) == 40


def test_folds_do_not_reorder_answers_and_the_table_says_what_it_compares():
    evaluation = WordCalibrator().evaluate(*answers(60))
    auroc = {one.forecast: one.value for one in evaluation.figures if one.metric == "auroc"}
    assert auroc["calibrated"] == pytest.approx(auroc["raw"], abs=0.03)  # pooled it is lower by 0.05 to 0.1
    assert "compares the answers of one fold" in str(evaluation)
    assert re.search(
        r"Of \d+ answers called about \d+ % sure, \d+ % were right \(\d+-\d+ %\)\.", str(evaluation)
    )
    heaviest = max((one for one in evaluation.bins if one.forecast == "calibrated"), key=lambda one: one.mass)
    assert heaviest.low <= heaviest.accuracy <= heaviest.high
    assert sum(one.mass for one in evaluation.bins) == pytest.approx(2, abs=0.1)


def test_a_bin_of_few_answers_promises_no_share():
    few, more = (
        Bin(forecast="calibrated", confidence=0.6, accuracy=0.5, low=0.2, high=0.8, mass=mass)
        for mass in (0.2, 0.3)
    )
    assert most_said([few], 20) == ""
    assert most_said([few, more], 20) == "Of 6 answers called about 60 % sure, 50 % were right (20-80 %).\n"


def test_answers_that_cannot_be_held_out_are_named():
    for folds in (0, 2.5):
        with pytest.raises(ValueError, match="folds must be a whole number of at least 2"):
            WordCalibrator().evaluate(*answers(60), folds=folds)
    with pytest.raises(ValueError, match="1 answers: at least 2 are needed"):
        WordCalibrator().evaluate([0.9, 0.8, 0.2, 0.1], [1, 1, 0, 0], groups=[0, 0, 0, 0])
    with pytest.raises(ValueError, match="group of each of the 4 items"):
        WordCalibrator().evaluate([0.9, 0.8, 0.2, 0.1], [1, 1, 0, 0], groups=[0, 0, 1])


def test_folds_are_of_one_size_and_drawn_without_a_look_at_outcomes():
    rng = np.random.default_rng(3)
    folds = np.array([plain_folds(np.arange(20), 2, rng) for _ in range(200)])
    assert {tuple(np.bincount(fold)) for fold in folds} == {(10, 10)}
    assert folds[:, :10].sum(axis=1).std() > 1  # stratified ones would all have 5 of the first ten


@cases
def test_a_fold_whose_training_answers_are_of_one_class_is_measured_and_promises_nothing(correct, rate):
    """The only answer of its class is held out once: that map is fitted on the other class alone."""
    evaluation = WordCalibrator().evaluate(np.linspace(0.2, 0.9, 30), correct)
    assert np.isfinite([one.value for one in evaluation.figures if one.metric == "brier_score"]).all()
    assert evaluation.base_rate == pytest.approx(rate)
    assert evaluation.promise is False


SLOPES = {"informative": 1.0, "useless": 0.0, "inverted": -0.7}


@pytest.mark.long
@pytest.mark.parametrize("kind", SLOPES)
@pytest.mark.parametrize("n", [10, 20, 50, 200])
def test_no_claim_is_too_good(kind, n):
    """The Brier score that is claimed is not below that on new answers by more than 0.005."""
    rng = np.random.default_rng(5)
    unfitted = from_protocol("platt")
    new = np.clip(rng.normal(1, 1.5, 2000), -4.3, 4.3)
    apart = []
    for seed in range(800 if n <= 50 else 200):
        x = np.clip(rng.normal(1, 1.5, n), -4.3, 4.3)
        p = expit(SLOPES[kind] * (x - 1) + 1.4)
        confidence = Beta.from_mean_concentration(expit(x), 20.0)
        correct = (rng.random(n) < p).astype(float)
        figures = cross_validate(unfitted.fit, confidence, correct, resamples=2, seed=seed).figures
        [claimed] = [f.value for f in figures if (f.metric, f.forecast) == ("brier_score", "calibrated")]
        means = (
            unfitted.fit(confidence, correct).transform(Beta.from_mean_concentration(expit(new), 20.0)).mean
        )
        right = expit(SLOPES[kind] * (new - 1) + 1.4)
        apart.append(claimed - np.mean(right * (1 - means) ** 2 + (1 - right) * means**2))
    assert np.mean(apart) > -0.005 - 2 * np.std(apart) / np.sqrt(len(apart))


# ---- a saved map, on fresh answers


def drawn(rng: np.random.Generator, n: int, right: float) -> tuple[np.ndarray, np.ndarray]:
    """Scores that tell right from wrong as well at any share of right answers."""
    correct = (rng.random(n) < right).astype(int)
    return expit(rng.normal(2.0 * correct - 0.5, 1.2)), correct


@cases
def test_a_stable_set_is_called_stable_and_a_drifted_one_is_not(fitted, fresh, missed):
    stable = []
    drifted = []
    for seed in range(15):
        rng = np.random.default_rng(seed)
        calibrator = WordCalibrator().fit(*drawn(rng, fitted, 0.71))
        stable.append(calibrator.test(*drawn(rng, fresh, 0.71)).holds)
        drifted.append(calibrator.test(*drawn(rng, fresh, 0.21)).holds)
    assert sum(stable) >= 14
    assert sum(drifted) <= missed


def test_a_saved_map_is_scored_as_it_stands(tmp_path):
    rng = np.random.default_rng(5)
    fit = drawn(rng, 300, 0.71)
    fresh = drawn(rng, 200, 0.21)
    calibrator = WordCalibrator().fit(*fit)
    calibrator.evaluate(*fit)
    calibrator.save(tmp_path / "cal.json")
    loaded = WordCalibrator.load(tmp_path / "cal.json")
    tested = loaded.test(*fresh, answers=["It is Lima."] * 200)
    mean = loaded.transform(fresh[0]).mean
    found = {(one.metric, one.forecast): one.value for one in tested.figures}
    assert tested.said == pytest.approx(mean.mean())
    assert found["brier_score", "calibrated"] == pytest.approx(brier_score_loss(fresh[1], mean))
    assert found["auroc", "calibrated"] == pytest.approx(roc_auc_score(fresh[1], mean))
    assert abs(found["brier_score", "words"] - found["brier_score", "calibrated"]) < 0.02
    assert (tested.right_low < tested.right < tested.right_high) == (not tested.holds)
    assert re.fullmatch(
        r"Of answers called about \d+ % sure, \d+ % were right: it no longer holds.", tested.sentence
    )
    assert "card" in str(tested)
    # What is fitted anew on them is no longer the saved map.
    assert dict(loaded.test(*fresh)) | {"figures": []} == dict(tested) | {"figures": []}
    again = {(one.metric, one.forecast): one.value for one in loaded.evaluate(*fresh).figures}
    assert again["brier_score", "calibrated"] < found["brier_score", "calibrated"] - 0.05


@cases
def test_an_update_keeps_a_map_that_holds_and_forgets_one_that_drifted(right, least, most):
    kept = []
    gains = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        calibrator = WordCalibrator().fit(*drawn(rng, 300, 0.71))
        new = drawn(rng, 2000, right)
        before = brier_score_loss(new[1], calibrator.transform(new[0]).mean)
        calibrator.evaluate(*drawn(rng, 60, 0.71))
        calibrator.update(*drawn(rng, 100, right))
        kept.append(calibrator.n_answers_ - 100)
        gains.append(before - brier_score_loss(new[1], calibrator.transform(new[0]).mean))
        assert calibrator.caveat == "it was not evaluated"
    assert least <= np.mean(kept) <= most
    assert np.mean(gains) > (0.08 if right < 0.5 else -0.003)


def test_an_update_is_of_platt_s_map_and_never_inverted():
    with pytest.raises(ValueError, match="only platt is updated"):
        WordCalibrator(map="isotonic").fit(*answers(120)).update([0.5], [1])
    calibrator = WordCalibrator().fit(*answers(60)).update(np.linspace(0.1, 0.9, 200), np.arange(200) < 100)
    assert calibrator.map_.slope_ == 0.0
    assert "negative_slope" in calibrator.map_.flags_
    assert calibrator.transform([0.1, 0.9]).mean == pytest.approx([0.5, 0.5], abs=0.05)


def test_sentences_of_one_answer_count_as_the_answer_that_they_are():
    rng = np.random.default_rng(6)
    answer = np.repeat(np.arange(12), 25)
    score = np.full(300, 0.6)
    whole = np.repeat(rng.random(12) < 0.5, 25).astype(float)  # an answer is right or wrong as a whole
    calibrator = WordCalibrator(map="identity").fit(score, whole, groups=answer)
    apart, together = (calibrator.test(score, whole, groups=groups) for groups in (None, answer))
    assert together.p_value > 5 * apart.p_value
    assert together.right_high - together.right_low > 3 * (apart.right_high - apart.right_low)


def test_what_was_not_attempted_is_left_out_of_a_test():
    calibrator = WordCalibrator().fit(*answers(60))
    tested = calibrator.test(
        [0.2, 0.9, 0.4], ["INCORRECT", "CORRECT", "NOT_ATTEMPTED"], answers=["It is Oslo."] * 3
    )
    assert tested.n == 2
    assert tested.holds
    assert "nothing speaks against it" in tested.sentence
    with pytest.raises(ValueError, match="no answer was attempted"):
        calibrator.test([0.2], ["NOT_ATTEMPTED"])
