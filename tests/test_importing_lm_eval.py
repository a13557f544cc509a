"""What lm-evaluation-harness logs of a task becomes rows that can be read."""

import json

import pytest

from ralc import importing
from ralc.names import CORRECT
from tests.imported import DATA, made_by, rows_of

GSM = {"doc_id": 0, "doc": {"question": "Q"}, "resps": [["a"]]}


def test_lm_evaluation_harness():
    rows = rows_of("lm_eval", DATA / "samples_gsm8k_lm_eval.jsonl", correct="exact_match")
    assert [(row["question_id"], row["correct"]) for row in rows] == [("0", [1]), ("1", [0])]
    assert rows[0]["question"].startswith("Ann has 2 apples")
    assert rows[0]["answers"] == ["She has 2 + 3 = 5.\n#### 5"]
    with pytest.raises(ValueError, match="column 'acc': is missing; metrics are exact_match"):
        rows_of("lm_eval", DATA / "samples_gsm8k_lm_eval.jsonl", correct="acc")


def repeated(chosen, taken, right):
    """A logged line of a task with repeats, by one filter."""
    return json.dumps(
        {
            "doc_id": 3,
            "doc": {"question": "2 + 2?"},
            "target": "2 and 2 is\n#### 4",
            "arguments": {"gen_args_0": {"arg_0": "Q: 2 + 2?\nA:", "arg_1": {"do_sample": True}}},
            "resps": [["The answer is 4", "The answer is 5", "The answer is 4"]],
            "filtered_resps": [taken],
            "filter": chosen,
            "metrics": ["exact_match"],
            "exact_match": right,
        }
    )


def test_repeats_are_samples_and_a_metric_is_of_the_answer_that_the_filter_took(tmp_path, capsys):
    path = tmp_path / "samples_gsm8k.jsonl"
    path.write_text(repeated("score-first", "4", 1.0) + "\n" + repeated("maj@8", "4", 1.0))
    rows, asked = made_by(
        tmp_path, "lm_eval", path, "--correct", "exact_match", "--filter-name", "score-first"
    )
    assert [row.answers for row in rows] == [("The answer is 4", "The answer is 5", "The answer is 4")]
    assert rows[0].grades == (CORRECT, None, CORRECT)
    assert asked[["question_id", "question", "accepted"]].to_numpy().tolist() == [["3", "2 + 2?", ["4"]]]
    with pytest.raises(
        ValueError,
        match=r"line 2, column 'exact_match': .*one of 3 answers is right, by the filter 'maj@8' not the",
    ):
        rows_of("lm_eval", path, correct="exact_match", filter_name="maj@8")


@pytest.mark.parametrize(
    ("target", "accepted"),
    [
        ("['Lima', 'La ciudad']", ["Lima", "La ciudad"]),
        (["Lima"], ["Lima"]),
        (" Lima", ["Lima"]),
        (3, None),
        ("[2,5)", ["[2,5)"]),
        ("[2, 5]", ["[2, 5]"]),
    ],
)
def test_targets_are_what_is_accepted(tmp_path, target, accepted):
    path = tmp_path / "samples.jsonl"
    path.write_text(json.dumps(GSM | {"target": target}))
    assert importing.read("lm_eval", path)[0].cells.get("accepted") == accepted


def test_a_task_of_likelihoods_has_no_answers(tmp_path):
    path = tmp_path / "samples.jsonl"
    path.write_text('{"doc_id": 0, "doc": {}, "resps": [[["-1.5", "False"]]], "filter": "none"}\n')
    with pytest.raises(ValueError, match=r"line 1: .*resps holds likelihoods and no text"):
        rows_of("lm_eval", path)


def test_a_filter_that_is_not_in_the_file_is_named_with_those_that_are():
    with pytest.raises(ValueError, match=r"no filter 'strict'; filters are '"):
        rows_of("lm_eval", DATA / "samples_gsm8k_lm_eval.jsonl", filter_name="strict")


def test_which_of_several_filters_is_taken_is_said(tmp_path, capsys):
    path = tmp_path / "samples.jsonl"
    path.write_text(repeated("score-first", "4", 1.0) + "\n" + repeated("maj@8", "4", 1.0))
    rows_of("lm_eval", path, correct="exact_match")
    assert "filter 'score-first' is taken, of score-first, maj@8 (--filter-name)" in capsys.readouterr().err


def test_a_log_without_filters_has_one(tmp_path):
    path = tmp_path / "samples.jsonl"
    row = {name: value for name, value in json.loads(repeated("none", "4", 1.0)).items() if name != "filter"}
    path.write_text(json.dumps(row))
    assert rows_of("lm_eval", path, correct="exact_match")[0]["correct"] == [1.0, None, 1.0]
