"""Saved calibrators are the run's own maps."""

import json

import numpy as np
import pandas as pd
import pytest

from ralc import Beta, WordCalibrator
from ralc.calibration import CalibrationMap
from ralc.calibrator.vocabulary import built_in_lexicon
from ralc.pipeline import calibrators, maps
from ralc.protocols import resolve

RNG = np.random.default_rng(6)
IDS = [f"q{i}" for i in range(120)]


@pytest.fixture
def tables():
    mean = RNG.random(120).clip(0.05, 0.95)
    outcome = (RNG.random(120) < mean).astype(float)
    outcome[3] = np.nan
    questions = pd.DataFrame({"question_id": IDS, "dataset": ["a", "b"] * 60, "split": "train"})
    signals = pd.DataFrame(
        {
            "question_id": IDS,
            "sentence": 0,
            "protocol": "ralc",
            "signal": "semantic_uncertainty",
            "alpha": 21 * mean,
            "beta": 21 * (1 - mean),
        }
    )
    grades = pd.DataFrame({"sentence": 0, "question_id": IDS, "prompt": "direct", "outcome": outcome})
    return questions, signals, grades


def test_they_are_the_maps_of_the_run_with_its_lexicon(tables, tmp_path):
    protocol = resolve("ralc")
    made = calibrators.build(
        *tables,
        built_in_lexicon().table,
        target="model",
        wanted=[["a", "semantic_uncertainty"], ["b", "semantic_uncertainty"]],
        method="platt",
        reader="llm",
        protocol=protocol,
        seed=1,
    )
    fits = maps.fit(*tables, methods={"default": "platt"}, protocols={"ralc": protocol})
    grid = Beta([2.0, 10.0], [5.0, 3.0])
    for saved, fitted, left_out in zip(made, fits, (0, 1), strict=True):
        (tmp_path / "cal.json").write_text(json.dumps(saved))
        calibrator = WordCalibrator.load(tmp_path / "cal.json")
        expected = CalibrationMap.from_dict(fitted).transform(grid)
        np.testing.assert_array_equal(calibrator.transform(grid).mean, expected.mean)
        assert saved["card"]["fitted_on"] == f"model on {fitted['dataset']}"
        assert saved["card"]["left_out"] == left_out
        assert saved["card"]["evaluation"]["n"] == fitted["n"]
        assert calibrator.reader == "cues"


def test_a_signal_that_no_answer_has_is_said_in_its_file(tables, tmp_path):
    (said,) = calibrators.build(
        *tables,
        built_in_lexicon().table,
        target="model",
        wanted=[["a", "token_probability"]],
        method="platt",
        reader="table",
        protocol=resolve("ralc"),
        seed=1,
    )
    assert said == {"unavailable": "no graded train answer of model on a has the signal token_probability"}
    (tmp_path / "cal.json").write_text(json.dumps(said))
    with pytest.raises(ValueError, match=r"cal\.json: not a calibrator"):
        WordCalibrator.load(tmp_path / "cal.json")
