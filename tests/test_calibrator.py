"""WordCalibrator: fits, transforms, rewrites answers short and long, and refuses what it cannot do."""

import json

import numpy as np
import pytest

from ralc import Beta, WordCalibrator, evaluators, precomputed
from ralc.calibration import from_protocol
from ralc.calibrator import SamplingDesign
from ralc.calibrator.confidence import as_confidence
from ralc.calibrator.default_lexicon import built_in_lexicon
from ralc.lexicon import Lexicon
from ralc.protocols import resolve
from ralc.rewriting import Door, Reason
from ralc.rewriting.rewriter import PART
from ralc.signals import semantic_uncertainty, token_probability
from tests.cases import cases
from tests.commands import run

RNG = np.random.default_rng(5)
SCORES = RNG.random(300)
CORRECT = (RNG.random(300) < SCORES**2).astype(int)


@pytest.fixture(scope="module")
def fitted() -> WordCalibrator:
    return WordCalibrator().fit(SCORES, CORRECT)


def test_scores_give_the_map_that_the_workflow_fits(fitted):
    mean = np.clip(SCORES, 0.0125, 1 - 0.0125)
    expected = from_protocol("platt").fit(Beta.from_mean_concentration(mean, 20.0), CORRECT)
    assert fitted.map_.to_dict() == expected.to_dict()
    assert fitted.transform([0.5]).mean == pytest.approx(expected.transform(Beta([10.0], [10.0])).mean)


@cases
def test_bad_input_is_named(confidence, correct, message):
    with pytest.raises(ValueError, match=message):
        WordCalibrator().fit(confidence, correct)


# ---- samples


def test_samples_are_clustered_and_counted():
    samples = [["It is Paris.", "Paris", "Lyon"], ["Rome.", "Oslo.", "Bern."]]
    calibrator = WordCalibrator(map="identity").fit_samples(samples, [1, 0])
    found, confidence = calibrator.confidence_of(samples)
    assert [one.answer for one in found] == ["It is Paris.", "Rome."]
    assert confidence.mean == pytest.approx(semantic_uncertainty([2, 1], [3, 3]).mean)
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
    samples = [["It is Lima.", "Lima"], ["Quito", "La Paz"]] * 20
    correct = [1, 0] * 20
    made = WordCalibrator().fit([0.9, 0.2] * 20, correct)
    assert made.unlike([3]) == ""  # of scores nothing is known
    assert made.fit_samples(samples, correct).signal_ == "semantic_uncertainty"
    nats = [[[-0.1], [-0.2]], [[-1.0], [-2.0]]] * 20
    assert made.fit_samples(samples, correct, token_logprobs=nats).signal_ == "token_probability"
    named = WordCalibrator("semantic_uncertainty").fit_samples(samples, correct, token_logprobs=nats)
    assert named.signal_ == "semantic_uncertainty"


@cases
def test_another_number_of_answers_is_refused(asked, counts, taken):
    """The design is of so many answers each, of so many questions."""
    asked = [answers for answers, questions in asked for _ in range(questions)]
    assert (SamplingDesign.of(asked).unlike(counts) == "") is taken


OWN = [
    ("Lima.", ["It is Lima.", "Lima", "Cusco."], 2),
    ("Quito.", ["It is Lima.", "Lima", "Cusco."], 0),  # nobody says what was given
    ("<think>Cusco?</think>Lima", ["Lima.", "Cusco", "Cusco."], 1),  # the majority says another
]


@pytest.mark.parametrize(("answer", "samples", "support"), OWN)
def test_of_a_given_answer_the_confidence_is_the_samples_agreement_with_it(answer, samples, support):
    calibrator = WordCalibrator()
    (found,), confidence = calibrator.confidence_of([samples], answers=[answer])
    assert found.answer == answer.removeprefix("<think>Cusco?</think>")
    assert len(found.members) == support
    assert confidence.mean == pytest.approx(semantic_uncertainty(support, 3).mean)


def test_the_claims_of_a_given_answer_are_supported_by_all_samples():
    answer = "She was born in Oslo. She wrote plays."
    samples = ["Born in Oslo.", "She was born in Oslo."]
    calibrator = WordCalibrator("support")
    _, (confidence,) = calibrator.confidence_of([samples], answers=[answer])
    assert confidence.mean[0] > confidence.mean[1]
    assert confidence.concentration == pytest.approx([3, 3])  # of two samples


def test_fitted_on_given_answers_it_is_of_no_majority():
    answers, samples, _ = map(list, zip(*OWN * 10, strict=True))
    calibrator = WordCalibrator().fit_samples(samples, [1, 0, 1] * 10, answers=answers, temperature=0.7)
    told = "3 answers a question beside one that was given, at temperature 0.7"
    assert calibrator.design_.text == told
    calibrator.confidence_of(samples[:1], answers=answers[:1])
    with pytest.raises(ValueError, match=f"fitted on {told}, not on 3 answers a question"):
        calibrator.confidence_of(samples[:1])
    calibrator.fit_samples(samples, [1, 0, 1] * 10)
    with pytest.raises(ValueError, match="not on 3 answers a question beside one that was given"):
        calibrator.confidence_of(samples[:1], answers=answers[:1])
    with pytest.raises(ValueError, match="at least one sample beside it"):
        calibrator.confidence_of([[]], answers=["Lima."])
    with pytest.raises(ValueError, match="one shape"):
        calibrator.confidence_of(samples[:1], answers=[])


# ---- words


def test_words_rise_with_the_confidence_and_keep_the_answer(fitted):
    made = fitted.rewrite(["The capital of Peru is Lima."] * 9, np.linspace(0.02, 0.98, 9))
    means = [float(one.read.mean) for one in made]
    assert min(np.diff(means)) > -0.05  # among hedges that are as near as the nearest one is drawn
    assert all(one.calibrated and "lima" in one.text.lower() for one in made)
    assert all(one.changed == (one.reason == "") for one in made)


def test_what_is_not_read_as_meant_is_left_as_it_came():
    """Where people were asked about no hedge as low as the aim, nothing is said; ``best`` says the nearest."""
    whole = built_in_lexicon(voice="all")
    at = [list(whole.table["expression"]).index("probably")]
    one_hedge = Lexicon({name: np.asarray(values)[at] for name, values in whole.table.items()})
    few = WordCalibrator(map="identity", lexicon=one_hedge).fit([0.2, 0.8], [0, 1])
    for how, changed in (("leave", False), ("best", True)):
        (made,) = few.rewrite(["The gate opens at nine."], [0.1], on_miss=how)
        assert made.changed == changed
        assert made.calibrated is False
        assert made.reason is Reason.MISSED
    (noted,) = few.rewrite(["The gate opens at nine."], [0.1])
    assert noted.door is Door.NOTE
    assert noted.text.startswith("The gate opens at nine, ")
    assert noted.calibrated


def test_an_answer_without_a_confidence_passes(fitted):
    made = fitted.rewrite(["It is Paris.", "It is Rome."], [np.nan, 0.4])
    assert made[0].reason == Reason.NO_CONFIDENCE
    assert made[0].target is None
    assert made[1].changed


def test_a_free_writer_is_checked(fitted):
    plain = fitted.rewrite(["The capital of Peru is Lima."], [0.6])[0]
    for writes in (lambda *_: ["Something else altogether.", ""], lambda *_: [plain.text]):
        assert fitted.rewrite(["The capital of Peru is Lima."], [0.6], rewriter=writes)[0].text == plain.text
    for made in ("It is perhaps Lima.", None, [1]):
        with pytest.raises(TypeError, match="rewriter must return a list of texts"):
            fitted.rewrite(["It is Lima."], [0.6], rewriter=lambda *_, made=made: made)


BIOGRAPHY = "Ada Lima is an engineer. She was born in 1951 in Cusco. She studied in Oslo. She lives in Quito."


@cases
def test_wrong_calls_of_rewrite(fitted, texts, confidence, options, message):
    with pytest.raises(ValueError, match=message):
        fitted.rewrite(texts, confidence, **options)


def test_the_words_beat_the_raw_score_and_a_constant_hedge_by_the_evaluator_not_in_the_loop():
    """Simulated answers, AUROC about .8, n = 400: Brier of the re-read words on the held-out half."""
    rng = np.random.default_rng(17)
    correct = (rng.random(400) < 0.45).astype(int)
    scores = 1 / (1 + np.exp(-(1.19 * (2 * correct - 1) / 2 + rng.normal(size=400) + 1.2)))
    texts = [f"The answer to question {i} is item {i}." for i in range(200, 400)]
    y = correct[200:]
    calibrator = WordCalibrator().fit(scores[:200], correct[:200])
    identity = WordCalibrator(map="identity").fit(scores[:200], correct[:200])
    judge = evaluators.load("cue_model_b")
    constant = np.full(200, calibrator.base_rate_)
    words = judge.read([one.text for one in calibrator.rewrite(texts, scores[200:])]).mean
    hedged = judge.read([one.text for one in identity.rewrite(texts, constant)]).mean
    brier, raw, base = (float(np.mean((p - y) ** 2)) for p in (words, scores[200:], hedged))
    assert brier < min(raw, base)


# ---- a confidence for each sentence


@pytest.fixture(scope="module")
def graded():
    """Scores and shares of forty answers of five sentences."""
    rng = np.random.default_rng(3)
    scores = rng.uniform(0.02, 0.98, (40, 5))
    return scores, np.round(4 * np.clip(scores + rng.normal(0, 0.15, scores.shape), 0, 1)) / 4


@pytest.fixture(scope="module")
def by_sentence(graded):
    scores, share = (one.ravel() for one in graded)
    return WordCalibrator().fit(scores, share, groups=np.repeat(np.arange(40), 5))


def test_each_sentence_says_its_own(by_sentence, graded):
    assert by_sentence.n_answers_ == 40
    assert by_sentence.base_rate_ == pytest.approx(graded[1].mean())
    scores = [0.97, 0.5, 0.55, 0.1]
    (made,) = by_sentence.rewrite([BIOGRAPHY], [scores])
    assert made.calibrated
    assert made.changed
    assert [float(one.target.mean) for one in made.sentences] == by_sentence.transform(scores).mean.tolist()
    assert made.target.mean.tolist() == by_sentence.transform(scores).mean.tolist()
    assert all(one.calibrated for one in made.sentences)
    assert [one.original for one in made.sentences] == [f"{one}." for one in BIOGRAPHY[:-1].split(". ")]
    confidence = as_confidence(scores, resolve("ralc"))
    assert by_sentence.rewrite([BIOGRAPHY], [confidence])[0].text == made.text


def test_answers_of_all_kinds_together_are_as_alone(by_sentence):
    texts = [BIOGRAPHY, "It is Lima.", "Thanks!", "", BIOGRAPHY, BIOGRAPHY]
    confidences = [[0.9, 0.5, 0.5, 0.2], 0.7, [], None, 0.6, [None, 0.5, np.nan, 0.9]]
    made = by_sentence.rewrite(texts, confidences)
    assert [one.original for one in made] == texts
    assert made[1] == by_sentence.rewrite(["It is Lima."], [0.7])[0]
    assert made[4].text == by_sentence.rewrite([BIOGRAPHY], [0.6])[0].text
    assert [(one.changed, one.reason) for one in made[2:4]] == [
        (False, Reason.SILENT),
        (False, Reason.EMPTY),
    ]
    assert [one.reason == Reason.NO_CONFIDENCE for one in made[5].sentences] == [True, False, True, False]
    many = by_sentence.rewrite([BIOGRAPHY] * (PART + 1), [[0.9, 0.5, 0.5, 0.2]] * (PART + 1))
    assert {one.text for one in many} == {made[0].text}


def told(place: int) -> list[str]:
    """Three answers about a person, who is another each time; the others say the first sentence, and not the last."""
    first = f"She was born in {1900 + place} in Oslo."
    return [f"{first} She wrote {place} plays.", f"{first} She sang.", f"{first} She painted."]


SAMPLES = [told(place) for place in range(40)]
SHARES = [[1.0 if place % 5 else 0.5, 0.0 if place % 4 else 1.0] for place in range(40)]


def test_samples_of_long_answers_are_fitted_sentence_by_sentence():
    fitted = WordCalibrator("support").fit_samples(SAMPLES, SHARES)
    assert fitted.n_answers_ == 40
    assert fitted.base_rate_ == pytest.approx(np.mean(SHARES))
    (most,), (confidence,) = fitted.confidence_of([told(7)])
    assert most.answer == told(7)[0]
    # Two others say all of the first sentence; of the second, "plays" and the 7 (three times as heavy), nothing.
    # Of the sentence beside it each takes .15.
    assert confidence.mean == pytest.approx([2.2 / 3, 0.8 / 3])
    (made,) = fitted.rewrite([most.answer], [confidence])
    assert [float(one.target.mean) for one in made.sentences] == fitted.transform(confidence).mean.tolist()
    without = [[share, None] for share, _ in SHARES[:5]] + SHARES[5:]
    assert WordCalibrator("support").fit_samples(SAMPLES, without).base_rate_ == pytest.approx(
        np.mean([share for own in without for share in own if share is not None])
    )


@pytest.mark.parametrize("signal", [None, "support"])
def test_no_question_fits_nothing(signal):
    with pytest.raises(ValueError, match="at least one question is needed"):
        WordCalibrator(signal).fit_samples([], [])


def test_a_first_long_answer_is_taken_though_another_leads_with_the_same():
    several = ["She sang. She wrote plays.", "She danced. She wrote.", "She danced. She painted."]
    (most,), _ = WordCalibrator("support").confidence_of([several])
    assert most.answer == several[0]
    (short,), (confidence,) = WordCalibrator("support").confidence_of([["Oslo", "Bergen", "It is Bergen."]])
    assert short.answer == "Bergen"
    assert confidence.shape == (1,)


@cases
def test_outcomes_that_are_none_of_the_sentences_are_refused(correct, reason):
    with pytest.raises(ValueError, match=reason):
        WordCalibrator("support").fit_samples(SAMPLES, correct)


def test_files_of_samples_are_fitted_and_rewritten_by_sentence(tmp_path, capsys):
    file = tmp_path / "cal.json"
    table = tmp_path / "in.jsonl"
    odd = {"samples": SAMPLES[0], "correct": [1, 0, 1]}
    rows = [{"samples": own, "correct": share} for own, share in zip(SAMPLES, SHARES, strict=True)]
    precomputed.write([*rows, odd], table)
    code, out, err = run(capsys, f"fit {table} --out {file} --signal support")
    assert code == 3
    assert "40 answers or conversations of 80 parts" in out
    assert "line 41: correct has 3 entries, and its answer 2 sentences that claim something" in err
    expected = WordCalibrator("support").fit_samples(SAMPLES, SHARES)
    loaded = WordCalibrator.load(file)
    assert loaded.transform([0.2, 0.8]).mean.tolist() == expected.transform([0.2, 0.8]).mean.tolist()
    out = run(capsys, f"rewrite {table} --calibrator {file} --json")[1]
    made = list(map(json.loads, out.splitlines()))
    assert len(made) == 41
    assert all(len(row["sentences"]) == len(row["target"]) == 2 for row in made)


def test_answers_that_were_not_attempted_are_left_out_and_counted():
    scores = [0.9, 0.2, 0.6, 0.8]
    grades = ["CORRECT", "INCORRECT", "NOT_ATTEMPTED", 1]
    fitted = WordCalibrator().fit(scores, grades)
    plain = WordCalibrator().fit([0.9, 0.2, 0.8], [1, 0, 1])
    assert fitted.n_not_attempted_ == 1
    assert fitted.n_answers_ == plain.n_answers_ == 3
    assert fitted.transform([0.5]) == plain.transform([0.5])
    with pytest.raises(ValueError, match="correct"):
        WordCalibrator().fit(scores, ["CORRECT", "WRONG", "NOT_ATTEMPTED", 1])
