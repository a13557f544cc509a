"""Saved calibrators are the run's own maps."""

import json

import numpy as np
import pandas as pd
import pytest

from ralc import Beta, WordCalibrator
from ralc.calibration import CalibrationMap
from ralc.calibrator import SamplingDesign
from ralc.calibrator.default_lexicon import built_in_lexicon
from ralc.pipeline import calibrators, fitted_maps
from ralc.protocols import resolve

IDS = [f"q{i}" for i in range(120)]
#: Ten answers to each question.
SAMPLES = pd.DataFrame({"question_id": np.repeat(IDS, 10), "prompt": "direct"})


@pytest.fixture
def tables():
    """Questions of two datasets, a signal and grades; one answer of the second has none."""
    rng = np.random.default_rng(6)
    mean = rng.random(120).clip(0.05, 0.95)
    outcome = (rng.random(120) < mean).astype(float)
    outcome[3] = np.nan
    signals = pd.DataFrame({"question_id": IDS, "sentence": 0, "signal": "semantic_uncertainty"})
    signals = signals.assign(protocol="ralc", alpha=21 * mean, beta=21 * (1 - mean))
    grades = pd.DataFrame({"question_id": IDS, "sentence": 0, "prompt": "direct", "grade": "INCORRECT"})
    questions = pd.DataFrame({"question_id": IDS, "dataset": ["a", "b"] * 60, "split": "train"})
    questions = questions.assign(group=IDS, turn=1)
    return questions, signals, grades.assign(outcome=outcome)


def built(questions, signals, grades, *wanted, evaluator="cue_model"):
    """The calibrators of some (train dataset, signal)."""
    how = {"method": "platt", "evaluator": evaluator, "protocol": resolve("ralc"), "seed": 1}
    how["temperature"] = 0.7
    given = questions, signals, grades, built_in_lexicon().table, SAMPLES
    return calibrators.build(*given, target="model", pairs=wanted, **how)


def test_they_are_the_maps_of_the_run_with_its_lexicon(tables, tmp_path):
    wanted = [(name, "semantic_uncertainty") for name in "ab"]
    made = built(*tables, *wanted, evaluator="llm")
    fits = fitted_maps.fit(*tables, methods={"default": "platt"}, protocols={"ralc": resolve("ralc")})
    grid = Beta([2.0, 10.0], [5.0, 3.0])
    for saved, fitted, left_out in zip(made, fits, (0, 1), strict=True):
        (tmp_path / "cal.json").write_text(json.dumps(saved))
        calibrator = WordCalibrator.load(tmp_path / "cal.json")
        expected = CalibrationMap.from_dict(fitted).transform(grid)
        np.testing.assert_array_equal(calibrator.transform(grid).mean, expected.mean)
        card = saved["card"]
        assert card["fitted_on"] == f"model on {fitted['dataset']}"
        assert card["left_out"] == left_out
        assert card["evaluation"]["n"] == fitted["n"]
        assert calibrator.evaluator == "cue_model"
        assert calibrator.design_ == SamplingDesign(fewest=10, most=10, temperature=0.7)
        with pytest.raises(
            ValueError, match=r"fitted on 10 answers a question, at temperature 0\.7, not on 3"
        ):
            calibrator.confidence_of([["Lima.", "Lima.", "Quito."]])


def test_questions_of_a_conversation_are_held_out_together(tables):
    questions, *rest = tables
    talks = questions.assign(group=[f"g{place // 4}" for place in range(120)], turn=[1, 1, 2, 2] * 30)
    (saved,) = built(talks, *rest, ("a", "semantic_uncertainty"))
    assert saved["card"]["design"]["turns"] == [1, 2]
    assert saved["card"]["n"] == 60
    assert saved["card"]["evaluation"]["n"] == 30


def test_a_signal_that_no_answer_has_is_said_in_its_file(tables, tmp_path):
    (said,) = built(*tables, ("a", "token_probability"))
    assert said == {"unavailable": "no graded train answer of model on a has the signal token_probability"}
    (tmp_path / "cal.json").write_text(json.dumps(said))
    with pytest.raises(ValueError, match=r"cal\.json: not a calibrator"):
        WordCalibrator.load(tmp_path / "cal.json")


def test_the_sentences_of_answers_may_be_right_in_part(tables, tmp_path, rng):
    questions, signals, grades = tables
    units = pd.DataFrame({"question_id": [f"q{i // 3}" for i in range(120)], "sentence": [0, 1, 2] * 40})
    shares = (signals["alpha"] / 21 + rng.normal(0, 0.1, 120)).clip(0, 1).round(1)
    given = signals.assign(**units, signal="support"), grades.assign(**units, outcome=shares)
    (saved,) = built(questions.assign(dataset="a"), *given, ("a", "support"))
    (tmp_path / "cal.json").write_text(json.dumps(saved))
    loaded = WordCalibrator.load(tmp_path / "cal.json")
    assert loaded.signal_ == "support"
    assert loaded.n_answers_ == loaded.evaluation_.n == 40
    assert loaded.base_rate_ == pytest.approx(shares.mean())
    (alone,) = built(questions[:1].assign(dataset="a"), *(table[:3] for table in given), ("a", "support"))
    assert alone["card"]["evaluation"] is None
