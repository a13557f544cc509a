"""What people bring from other libraries goes in, and what they expect of such objects is there."""

import json

import numpy as np
import pytest

from ralc import Beta, WordCalibrator
from ralc.calibration import PlattScaling
from ralc.calibrator.default_lexicon import built_in_lexicon
from ralc.cli import tables
from ralc.rewriting import Reason
from tests.commands import run

SCORES = [0.9] * 60 + [0.6] * 40 + [0.3] * 20
CORRECT = [1] * 45 + [0] * 15 + [1] * 20 + [0] * 20 + [1] * 4 + [0] * 16


def brought(library: str):
    """Scores and outcomes as a library has them."""
    if library == "column":
        return np.array(SCORES)[:, None], np.array(CORRECT)[:, None]
    module = pytest.importorskip(library)
    if library == "pandas":
        return module.Series(SCORES), module.Series(CORRECT, dtype="Int64")
    if library == "pyarrow":
        return module.chunked_array([SCORES[:50], SCORES[50:]]), module.array(CORRECT)
    return module.Series(SCORES), module.Series(CORRECT)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "column"])
def test_columns_of_other_libraries_go_in(library):
    scores, correct = brought(library)
    calibrator = WordCalibrator().fit(scores, correct)
    expected = WordCalibrator().fit(SCORES, CORRECT)
    np.testing.assert_array_equal(calibrator.transform(scores).mean, expected.transform(SCORES).mean)
    assert calibrator.evaluate(scores, correct).n == 120
    assert len(calibrator.rewrite(["It is Lima."] * 120, scores)) == 120


@pytest.mark.parametrize(("library", "column"), [("pyarrow", "array"), ("polars", "Series")])
def test_what_is_missing_passes(library, column):
    scores = getattr(pytest.importorskip(library), column)([None, 0.5])
    made = WordCalibrator().fit(SCORES, CORRECT).rewrite(["It is Lima."] * 2, scores)
    assert [one.reason for one in made] == [Reason.NO_CONFIDENCE, made[1].reason]
    assert made[1].changed


def test_scikit_learn_s_methods():
    calibrator = WordCalibrator().fit(SCORES, CORRECT)
    proba = calibrator.predict_proba(SCORES)
    assert proba.shape == (120, 2)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    np.testing.assert_array_equal(proba[:, 1], calibrator.transform(SCORES).mean)
    assert WordCalibrator().fit_transform(SCORES, CORRECT) == calibrator.transform(SCORES)
    confidence = Beta.from_mean_concentration(SCORES, 20)
    assert PlattScaling().fit_transform(confidence, CORRECT) == PlattScaling().fit(
        confidence, CORRECT
    ).transform(confidence)


def test_beta_compares_by_value():
    assert Beta(1, 2) == Beta(1.0, 2.0)
    assert Beta(1, 2) != Beta([1], [2])
    assert Beta([1, 2], 3) == Beta([1, 2], [3, 3])
    assert len({Beta(1, 2), Beta(1, 2), Beta(2, 1)}) == 2
    assert Beta(1, 2) != "Beta"


def test_the_command_line_says_what_python_says(capsys, tmp_path):
    ends = built_in_lexicon().usable().thinned(2)
    WordCalibrator(lexicon=ends).fit(SCORES, CORRECT).save(tmp_path / "cal.json")
    texts = ["It is Lima.", "", "I don't know.", "It is Lima, by the sea."]
    scores = [0.01, 0.6, 0.6, 0.6]
    rows = [{"answer": text, "confidence": score} for text, score in zip(texts, scores, strict=True)]
    tables.save(rows, str(tmp_path / "in.csv"))
    code, out, _ = run(capsys, f"rewrite {tmp_path}/in.csv --calibrator {tmp_path}/cal.json --json")
    told = list(map(json.loads, out.splitlines()))
    made = WordCalibrator.load(tmp_path / "cal.json").rewrite(texts, scores)
    assert code == 0
    assert [one["text"] for one in told] == [one.text for one in made]
    assert [one["calibrated"] for one in told] == [one.calibrated for one in made]
    assert [one["reason"] for one in told] == [one.reason for one in made]
    assert told[0]["target"] == pytest.approx(float(made[0].target.mean), abs=5e-4)
    assert [one["reason"] for one in told] == ["", "empty", "abstains", ""]
