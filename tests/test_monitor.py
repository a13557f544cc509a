"""`ralc monitor`: an alarm that holds at every look."""

import json

import numpy as np
import pytest
from scipy.special import expit

from ralc import WordCalibrator
from ralc.calibrator.drift import LEVEL, wealth
from ralc.cli import tables
from tests.cases import cases
from tests.commands import run
from tests.test_calibrator_evaluation import drawn


def test_the_alarm_holds_at_every_look_and_comes_soon():
    alarms = 0
    late = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        calibrator = WordCalibrator().fit(*drawn(rng, 150, 0.71))
        for right in (0.71, 0.21):
            score, correct = drawn(rng, 150, right)
            over = wealth(calibrator.transform(score).mean, correct, 150) >= 1 / LEVEL
            alarms += over.any() and right == 0.71
            late += [int(over.argmax()) if over.any() else 150] if right == 0.21 else []
    assert alarms <= 3  # of 60: 5 %
    assert max(late) < 110
    assert np.median(late) < 35


def test_what_few_graded_answers_leave_open_raises_no_alarm():
    calm = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        calibrator = WordCalibrator().fit(*drawn(rng, 40, 0.71))
        score, correct = drawn(rng, 400, 0.71)
        calm.append((wealth(calibrator.transform(score).mean, correct, 40) < 1 / LEVEL).all())
    assert sum(calm) >= 28  # half of them where that is left out of account


def test_evidence_is_a_martingale_under_the_map_s_own_predictive():
    rng = np.random.default_rng(1)
    mean = np.full(8, 0.6)
    shifts = rng.normal(0, np.sqrt(1 / (0.24 * 40)), 4000)  # what 40 answers leave open
    right = rng.random((4000, 8)) < expit(np.log(1.5) + shifts)[:, None]
    last = np.array([wealth(mean, row, 40)[-1] for row in right])
    assert last.mean() == pytest.approx(1, abs=0.1)


@cases
def test_a_log_and_feedback_say_whether_it_holds(capsys, tmp_path, monkeypatch, right, code, words):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(2)
    logged = [
        {"id": f"r{i}", "target": float(rng.choice([0.6, 0.7, 0.8])), "fitted_on": 300} for i in range(120)
    ]
    logged += [
        {"id": "passed", "target": None, "fitted_on": None},
        {"id": "s", "target": [0.5], "fitted_on": 300},
    ]
    tables.save(logged, "replies.jsonl")
    said = [{"id": f"r{i}", "correct": ["no", "yes"][int(rng.random() < right)]} for i in range(60)]
    tables.save(said, "feedback.csv")
    found, out, err = run(capsys, "monitor replies.jsonl feedback.csv")
    assert found == code, out
    assert words in out
    assert err == ""
    told = json.loads(run(capsys, "monitor replies.jsonl feedback.csv --json --grade 10")[1])
    assert told["graded"] == 60
    named = {reply["id"]: reply["target"] for reply in logged}
    assert len(set(told["grade_next"])) == 10
    assert not {one["id"] for one in said} & set(told["grade_next"])
    assert {named[name] for name in told["grade_next"]} == {0.6, 0.7, 0.8}
    tables.save([*said, {"id": "passed", "correct": "1"}, {"id": "r90", "correct": "so-so"}], "feedback.csv")
    found, _, err = run(capsys, "monitor replies.jsonl feedback.csv")
    assert found == (code or 3)
    assert "feedback.csv, line 62: id 'passed' is of no reply" in err
    assert "line 63: correct = 'so-so' is neither 1 nor 0" in err
    tables.save(logged[-2:], "replies.jsonl")
    assert "no reply has one calibrated confidence" in run(capsys, "monitor replies.jsonl feedback.csv")[2]


def test_a_drifted_calibrator_is_fitted_anew_from_its_log(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    old = WordCalibrator().fit(*drawn(rng, 300, 0.71))
    old.save("cal.json")
    score, correct = drawn(rng, 80, 0.21)
    target = old.transform(score).mean
    each = [{"id": f"r{i}", "confidence": round(float(score[i]), 4), "fitted_on": 300} for i in range(80)]
    tables.save([one | {"target": round(float(target[i]), 4)} for i, one in enumerate(each)], "log.jsonl")
    tables.save([{"id": f"r{i}", "correct": int(correct[i])} for i in range(80)], "feedback.csv")
    command = "monitor log.jsonl feedback.csv --refit"
    code, out, _ = run(capsys, f"{command} cal.json --out new.json")
    assert code == 1
    assert "new.json: says 0.3" in out
    new = WordCalibrator.load("new.json").transform(score).mean
    assert abs(new.mean() - correct.mean()) < 0.05 < abs(target.mean() - correct.mean())
    WordCalibrator().fit(*drawn(rng, 300, 0.4)).save("other.json")
    code, _, err = run(capsys, f"{command} other.json --out new.json")
    assert code == 2
    assert "the replies are of another calibrator" in err
    code, _, err = run(capsys, f"{command} cal.json")
    assert code == 2
    assert "--refit and --out go together" in err
