"""What a file of another tool lacks, or holds in its wrong place, is named with its line."""

import json

import pytest

from tests.imported import named

UQLM = {"prompts": ["Q"], "responses": ["a"]}
GSM = {"doc_id": 0, "doc": {"question": "Q"}, "resps": [["a"]]}
BATCH = {
    "custom_id": "q",
    "response": {"body": {"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}]}},
}
WANG = {
    "question": "Q",
    "correct_answers": ["a"],
    "pred_answer": "a",
    "confidence": "Likely",
    "is_correct": 1,
}
MMLU = "Q\nA. a\nB. b\nC. c\nD. d"


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"responses": []}, ": no result of uqlm: its lists differ in length (prompt 1, response 0"),
        ({"responses": ["a", "b"]}, ": no result of uqlm: its lists differ in length"),
        ({"responses": "a"}, ", column 'response': 'a' is no list"),
        ({"responses": [3]}, ", entry 1, column 'answers'"),
        ({"prompts": [None]}, ", entry 1: "),
        ({"prompts": [[]]}, ", entry 1: "),
        ({"sampled_responses": ["abc"]}, ", entry 1, column 'sampled_responses': 'abc' is no list"),
        ({"sampled_responses": [{"a": 1}]}, ", entry 1, column 'sampled_responses': {'a': 1} is no list"),
        ({"logprob": [[{"token": "a"}]]}, ", entry 1, column 'logprob': is missing"),
        ({"logprob": [[{"logprob": "x"}]]}, ", entry 1, column 'token_logprobs'"),
        ({"logprob": [[{"logprob": 3}]]}, ", entry 1, column 'token_logprobs'"),
    ],
)
def test_a_column_of_uqlm_that_is_none_is_named(tmp_path, change, place):
    named(tmp_path, "uqlm", "f.json", json.dumps({"data": UQLM | change}), place)


@pytest.mark.parametrize(
    ("form", "row", "place"),
    [
        ("batch", {"a": 1}, ", line 1, column 'custom_id': is missing"),
        ("batch", BATCH | {"custom_id": [1]}, ", line 1: "),
        ("batch", BATCH | {"response": 3}, ", line 1, column 'response': 3 is no object"),
        ("batch", BATCH | {"response": {"body": [1]}}, ", line 1, column 'body': [1] is no object"),
        ("batch", BATCH | {"response": {"body": {"choices": 3}}}, ", line 1: "),
        ("batch", BATCH | {"response": {"body": {"choices": ["a"]}}}, ", line 1: "),
        ("batch", BATCH | {"response": None}, ": holds no answer"),
        ("lm_eval", {"doc": {}}, ", line 1, column 'resps': is missing"),
        ("lm_eval", GSM | {"resps": None}, ", line 1, column 'resps': None is no list"),
        ("lm_eval", GSM | {"resps": []}, ", line 1: "),
        ("lm_eval", GSM | {"resps": "a"}, ", line 1, column 'resps': 'a' is no list"),
        ("lm_eval", GSM | {"doc": None}, ", line 1, column 'arguments': is missing"),
        ("lm_eval", GSM | {"doc": 1, "arguments": 3}, ", line 1: "),
        ("wang2025", WANG | {"confidence": 3}, ", line 1: "),
        ("wang2025", WANG | {"is_correct": 7}, ", line 1, column 'correct'"),
    ],
)
def test_a_line_that_is_none_is_named(tmp_path, form, row, place):
    named(tmp_path, form, "f.jsonl", json.dumps(row), place)


@pytest.mark.parametrize("form", ["batch", "lm_eval", "wang2025"])
@pytest.mark.parametrize("text", ["[]", "null", "{", "3", '{"a": ' + "[" * 10_000])
def test_a_line_that_is_no_object_is_named(tmp_path, form, text):
    named(tmp_path, form, "f.jsonl", text, ", line 1")
    named(tmp_path, "uqlm", "f.json", text, "")


@pytest.mark.parametrize("cell", ["[", "[b]", "3", "[" * 10_000, "['\\ud800']", "f(x)"])
def test_a_cell_that_holds_no_list_is_named(tmp_path, cell):
    named(tmp_path, "uqlm", "f.csv", f'prompt,response,sampled_responses\nQ,a,"{cell}"\n', ", line 2")
    for raw, values in ((cell, "[]"), ("['A']", cell), ("['A']", "[-1, -2]")):
        row = f'question,raw_response,logprobs,answer_key\n"{MMLU}","{raw}","{values}",A\n'
        named(tmp_path, "dlm_uncertainty", "f.csv", row, ", line 2")
    named(tmp_path, "dlm_uncertainty", "f.csv", "question\nQ\n", ", line 2")
    named(tmp_path, "uqlm", "f.csv", "prompt,response\n", ": holds no answer")
    named(tmp_path, "uqlm", "f.csv", "prompt,answer\nQ,a\n", ", line 2, column 'response': is missing")
