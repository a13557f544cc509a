"""WordCalibrator: fits, transforms, rewrites, and refuses what it cannot do."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from ralc import Beta, WordCalibrator, evaluators
from ralc.calibration import from_protocol
from ralc.calibrator.default_lexicon import built_in_lexicon
from ralc.lexicon import Lexicon
from ralc.signals import semantic_uncertainty, token_probability

RNG = np.random.default_rng(5)
SCORES = RNG.random(300)
CORRECT = (RNG.random(300) < SCORES**2).astype(int)


def one_hedge(expression: str) -> Lexicon:
    """A lexicon of one of the built-in hedges."""
    whole = built_in_lexicon()
    at = [list(whole.table["expression"]).index(expression)]
    return Lexicon({name: np.asarray(values)[at] for name, values in whole.table.items()})


@pytest.fixture(scope="module")
def fitted() -> WordCalibrator:
    return WordCalibrator().fit(SCORES, CORRECT)


def test_scores_give_the_map_that_the_workflow_fits(fitted):
    mean = np.clip(SCORES, 0.0125, 1 - 0.0125)
    expected = from_protocol("platt").fit(Beta.from_mean_concentration(mean, 20.0), CORRECT)
    assert fitted.map_.to_dict() == expected.to_dict()
    assert fitted.transform([0.5]).mean == pytest.approx(expected.transform(Beta([10.0], [10.0])).mean)


def test_it_clones_and_is_refused_before_fit():
    unfitted = clone(WordCalibrator(map="isotonic", protocol="paper"))
    assert unfitted.get_params()["map"] == "isotonic"
    with pytest.raises(NotFittedError):
        unfitted.transform([0.5])


@pytest.mark.parametrize(
    ("confidence", "correct", "message"),
    [
        ([0.5, 1.2], [0, 1], r"confidence\[1\] = 1.2"),
        ([0.5, np.nan], [0, 1], r"confidence\[1\] = nan"),
        ([0.5, 0.6], [0, 2], r"correct\[1\] = 2"),
        ([0.5], [0, 1], "one shape"),
        ([], [], "at least one item"),
        (["a"], [1], "must be numbers"),
    ],
)
def test_bad_input_is_named(confidence, correct, message):
    with pytest.raises(ValueError, match=message):
        WordCalibrator().fit(confidence, correct)


def test_samples_are_clustered_and_counted():
    samples = [["It is Paris.", "Paris", "Lyon"], ["Rome.", "Oslo.", "Bern."]]
    calibrator = WordCalibrator(map="identity").fit_samples(samples, [1, 0])
    found, confidence = calibrator.confidence_of(samples)
    assert [one.answer for one in found] == ["It is Paris.", "Rome."]
    expected = semantic_uncertainty([2, 1], [3, 3])
    assert confidence.mean == pytest.approx(expected.mean)
    assert calibrator.signal_ == "semantic_uncertainty"


def test_token_probabilities_are_those_of_the_majority():
    samples = [["Paris", "Lyon", "Paris"]]
    logprobs = [[[-0.1, -0.2], [-3.0], [-0.3]]]
    calibrator = WordCalibrator("token_probability", map="identity")
    calibrator.fit_samples(samples, [1], token_logprobs=logprobs)
    _, confidence = calibrator.confidence_of(samples, token_logprobs=logprobs)
    assert confidence.mean == pytest.approx(token_probability([[-0.1, -0.2], [-0.3]]).mean)
    with pytest.raises(ValueError, match="needs token_logprobs"):
        calibrator.confidence_of(samples)


def test_the_signal_of_samples_is_that_of_the_call_and_not_of_a_fit_before():
    samples, correct = [["It is Lima.", "Lima"], ["Quito", "La Paz"]] * 20, [1, 0] * 20
    made = WordCalibrator().fit([0.9, 0.2] * 20, correct)
    assert made.fit_samples(samples, correct).signal_ == "semantic_uncertainty"
    nats = [[[-0.1], [-0.2]], [[-1.0], [-2.0]]] * 20
    assert made.fit_samples(samples, correct, token_logprobs=nats).signal_ == "token_probability"
    named = WordCalibrator("semantic_uncertainty").fit_samples(samples, correct, token_logprobs=nats)
    assert named.signal_ == "semantic_uncertainty"


def test_words_rise_with_the_confidence_and_keep_the_answer(fitted):
    made = fitted.rewrite(["The capital of Peru is Lima."] * 9, np.linspace(0.02, 0.98, 9))
    means = [float(one.read.mean) for one in made]
    assert min(np.diff(means)) > -0.05  # among hedges that are as near as the nearest one is drawn
    for one in made:
        assert one.changed == (one.reason == "")
        assert one.calibrated
        assert "lima" in one.text.lower()


def test_what_is_not_read_as_meant_is_left_as_it_came(fitted):
    """Where people were asked about no hedge as low as the aim, nothing is said; ``best`` says the nearest."""
    few = WordCalibrator(map="identity", lexicon=one_hedge("probably")).fit([0.2, 0.8], [0, 1])
    for how, changed in (("leave", False), ("best", True)):
        (made,) = few.rewrite(["The gate opens at nine."], [0.1], on_miss=how)
        assert (made.changed, made.calibrated) == (changed, False)
        assert made.reason == "no wording of it is read as meant"
    with pytest.raises(ValueError, match="on_miss 'drop' is not one of leave, best"):
        few.rewrite(["It is Paris."], [0.1], on_miss="drop")


def test_an_answer_without_a_confidence_passes(fitted):
    made = fitted.rewrite(["It is Paris.", "It is Rome."], [np.nan, 0.4])
    assert made[0].reason == "no confidence came"
    assert made[0].target is None
    assert made[1].changed


def test_a_free_writer_is_checked(fitted):
    def forgets(text, hedges, mean):
        return ["Something else altogether.", ""]

    plain = fitted.rewrite(["The capital of Peru is Lima."], [0.6])[0]
    assert fitted.rewrite(["The capital of Peru is Lima."], [0.6], rewriter=forgets)[0].text == plain.text

    def writes(text, hedges, mean):
        return [plain.text.replace("capital", "capital")]

    assert fitted.rewrite(["The capital of Peru is Lima."], [0.6], rewriter=writes)[0].text == plain.text


@pytest.mark.parametrize("made", ["It is perhaps Lima.", None, [1], b"Lima"])
def test_a_free_writer_that_returns_no_list_of_texts_is_named(fitted, made):
    with pytest.raises(TypeError, match="rewriter must return a list of texts"):
        fitted.rewrite(["It is Lima."], [0.6], rewriter=lambda *_: made)


def test_wrong_calls_of_rewrite(fitted):
    with pytest.raises(ValueError, match="got one string"):
        fitted.rewrite("Paris", [0.5])
    with pytest.raises(ValueError, match="text 0 is not a string"):
        fitted.rewrite([3], [0.5])
    with pytest.raises(ValueError, match="one shape"):
        fitted.rewrite(["Paris"], [0.5, 0.6])
    with pytest.raises(ValueError, match="style"):
        fitted.rewrite(["Paris"], [0.5], style="song")


def test_the_words_beat_the_raw_score_and_a_constant_hedge_by_the_evaluator_not_in_the_loop():
    """Simulated answers, AUROC about 0.8, n = 400: Brier of the re-read words on the held-out half."""
    rng = np.random.default_rng(17)
    correct = (rng.random(400) < 0.45).astype(int)
    scores = 1 / (1 + np.exp(-(1.19 * (2 * correct - 1) / 2 + rng.normal(size=400) + 1.2)))
    texts = [f"The answer to question {i} is item {i}." for i in range(400)]
    half = np.arange(400) < 200
    calibrator = WordCalibrator().fit(scores[half], correct[half])
    held, y = [t for t, first in zip(texts, half, strict=True) if not first], correct[~half]
    judge = evaluators.load("cue_model_b")
    words = judge.read([one.text for one in calibrator.rewrite(held, scores[~half])]).mean
    constant = np.full(200, calibrator.base_rate_)
    identity = WordCalibrator(map="identity").fit(scores[half], correct[half])
    hedged = judge.read([one.text for one in identity.rewrite(held, constant)]).mean

    def brier(p):
        return float(np.mean((p - y) ** 2))

    assert brier(words) < brier(scores[~half])
    assert brier(words) < brier(hedged)
