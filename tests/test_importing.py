"""What other tools save, in tiny files of their formats, becomes rows that can be read."""

import json
import os
import re
import sys
import types
from pathlib import Path
from typing import ClassVar

import pytest

from ralc import importing
from ralc.cli.app import main
from ralc.importing import studies, tools
from ralc.names import CORRECT, INCORRECT
from ralc.recorded import read

DATA = Path(__file__).parent / "data" / "recorded"
PERU, CHAD = "What is the capital of Peru?", "What is the capital of Chad?"


def test_uqlm_as_json_and_as_a_table():
    rows = tools.from_uqlm(DATA / "uqlm.json")
    assert [row["answers"] for row in rows] == [
        ["Lima", "Lima", "Lima, Peru"],
        ["N'Djamena", "Paris", "N'Djamena"],
    ]
    assert rows[0]["token_logprobs"] == [[-0.1, -0.02], [-0.2], [-0.3, -1.5]]
    table = tools.from_uqlm(DATA / "uqlm.csv")
    assert [(row["question"], row["answers"]) for row in table] == [
        (row["question"], row["answers"]) for row in rows
    ]


def test_what_lm_polygraph_saved_is_exported_where_it_was_saved(tmp_path, monkeypatch):
    """Its files are pickles, which run what stands in them: the page has a few lines for its own environment."""

    class UEManager:
        stats: ClassVar = {
            "input_texts": [PERU, CHAD],
            "sample_texts": [["Lima", "It is Lima"], ["Paris", "N'Djamena"]],
            "sample_log_likelihoods": [[[-0.1], [-0.1, -0.5]], [[-0.3], [-0.2]]],
        }

        @staticmethod
        def load(path):
            return UEManager()

    page = (DATA.parents[2] / "docs/your_own.md").read_text(encoding="utf-8")
    ((lines),) = re.findall(r"^```py\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    manager = types.ModuleType("lm_polygraph.utils.manager")
    manager.UEManager = UEManager
    for name in ("lm_polygraph", "lm_polygraph.utils"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, manager.__name__, manager)
    monkeypatch.chdir(tmp_path)
    exec(compile(lines, "your_own.md", "exec"), {})
    rows = read(tmp_path / "samples.jsonl").rows
    assert [row.answers for row in rows] == [("Lima", "It is Lima"), ("Paris", "N'Djamena")]
    assert json.loads((tmp_path / "samples.jsonl").read_text().splitlines()[0])["token_logprobs"] == [
        [-0.1],
        [-0.1, -0.5],
    ]


def test_openais_batch(capsys):
    rows = tools.from_batch(DATA / "batch_output.jsonl", DATA / "batch_input.jsonl")
    assert [(row["question_id"], row["question"], row["answers"]) for row in rows] == [
        ("q-2", CHAD, ["N'Djamena", "Paris"]),
        ("q-1", PERU, ["Lima", "Lima."]),
    ]
    assert rows[1]["token_logprobs"] == [(-0.05,), (-0.05, -1.0)]
    assert rows[0]["prompt_tokens"] == 23
    assert "1 requests of the batch failed, left out" in capsys.readouterr().err


def test_vllms_batch_without_its_reasoning():
    assert tools.from_batch(DATA / "vllm_batch_output.jsonl") == [
        {"question_id": "q-1", "answers": ["Lima"], "prompt_tokens": 17}
    ]


def test_lm_evaluation_harness():
    rows = tools.from_lm_eval(DATA / "samples_gsm8k_lm_eval.jsonl", correct="exact_match")
    assert [(row["question_id"], row["correct"]) for row in rows] == [("0", [1]), ("1", [0])]
    assert rows[0]["question"].startswith("Ann has 2 apples")
    assert rows[0]["answers"] == ["She has 2 + 3 = 5.\n#### 5"]
    with pytest.raises(ValueError, match="column 'acc': is missing"):
        tools.from_lm_eval(DATA / "samples_gsm8k_lm_eval.jsonl", correct="acc")


def test_a_task_of_likelihoods_has_no_answers(tmp_path):
    path = tmp_path / "samples.jsonl"
    path.write_text('{"doc_id": 0, "doc": {}, "resps": [[["-1.5", "False"]]], "filter": "none"}\n')
    with pytest.raises(ValueError, match=r"line 1: .*resps holds likelihoods and no text"):
        tools.from_lm_eval(path)


def test_a_filter_that_is_not_in_the_file_is_named_with_those_that_are():
    with pytest.raises(ValueError, match=r"no filter 'strict'; filters are '"):
        tools.from_lm_eval(DATA / "samples_gsm8k_lm_eval.jsonl", filter_name="strict")


UQLM = {"prompts": ["Q"], "responses": ["a"]}
GSM = {"doc_id": 0, "doc": {"question": "Q"}, "resps": [["a"]]}
BATCH = {
    "custom_id": "q",
    "response": {"body": {"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}]}},
}
WANG = {"question": "Q", "pred_answer": "a", "confidence": "Likely", "is_correct": 1}
MMLU = "Q\nA. a\nB. b\nC. c\nD. d"


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"responses": []}, ": "),
        ({"responses": ["a", "b"]}, ": "),
        ({"responses": "a"}, ": "),
        ({"responses": [3]}, ", entry 1, column 'answers'"),
        ({"prompts": [None]}, ", entry 1: "),
        ({"prompts": [[]]}, ", entry 1: "),
        ({"sampled_responses": ["abc"]}, ", entry 1: "),
        ({"sampled_responses": [{"a": 1}]}, ", entry 1: "),
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
        ("batch", BATCH | {"response": 3}, ", line 1: "),
        ("batch", BATCH | {"response": {"body": [1]}}, ", line 1: "),
        ("batch", BATCH | {"response": {"body": {"choices": 3}}}, ", line 1: "),
        ("batch", BATCH | {"response": {"body": {"choices": ["a"]}}}, ", line 1: "),
        ("batch", BATCH | {"response": None}, ": holds no answer"),
        ("lm_eval", {"doc": {}}, ", line 1, column 'resps': is missing"),
        ("lm_eval", GSM | {"resps": None}, ", line 1: "),
        ("lm_eval", GSM | {"resps": []}, ", line 1: "),
        ("lm_eval", GSM | {"resps": "a"}, ", line 1: "),
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


def named(folder, form, name, content, place):
    """The error begins with the file and the place in it."""
    (folder / name).write_text(content)
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is compared below
        importing.FORMATS[form](folder / name)
    assert str(caught.value).startswith(f"{folder / name}{place}")


@pytest.mark.parametrize("name", ["uqlm.json", "batch_output.jsonl"])
def test_every_conversion_can_be_read(tmp_path, name):
    form = {"uqlm.json": "uqlm", "batch_output.jsonl": "batch"}[name]
    importing.write(importing.FORMATS[form](DATA / name), tmp_path / "samples.jsonl")
    assert len(read(tmp_path / "samples.jsonl").rows) == 2


def test_the_commands_of_the_readme(tmp_path, capsys):
    source = str(DATA / "dlm_uncertainty_llada.csv")
    files = [str(tmp_path / name) for name in ("samples.jsonl", "questions.jsonl")]
    main_ = ["import", "dlm_uncertainty", source, "--samples", files[0], "--questions", files[1]]
    with pytest.raises(SystemExit) as left:
        main(main_)
    assert left.value.code == 0
    said = capsys.readouterr()
    assert "10 rows" in said.out
    assert "99 of 99 answers are exactly 0: placeholders, all left out" in said.err
    assert "token_logprobs" not in Path(files[0]).read_text()


def test_a_metric_is_the_outcome(tmp_path, capsys):
    samples = tmp_path / "samples.jsonl"
    source = DATA / "samples_gsm8k_lm_eval.jsonl"
    command = ["import", "lm_eval", str(source), "--samples", str(samples), "--correct"]
    with pytest.raises(SystemExit) as left:
        main([*command, "exact_match"])
    assert left.value.code == 0
    assert {grade for row in read(samples).rows for grade in row.grades} == {CORRECT, INCORRECT}
    with pytest.raises(SystemExit) as left:
        main([*command, "none"])
    assert left.value.code == 1
    assert re.search(r"column .*'none'\)?: is missing", capsys.readouterr().err)


def files_of(name, shared_data=None):
    """The files of an example: the real ones, else the committed stand-ins."""
    folder = Path(os.environ.get("RALC_SHARED_DATA", Path(__file__).resolve().parents[1] / "../shared/data"))
    if name == "wang2025":
        real = folder / "wang2025" / "answers_eval_correctness.jsonl"
        return real if real.is_file() else DATA / "wang2025_answers.jsonl"
    model = {"llama": "Meta-Llama-3-8B-Instruct", "llada": "LLaDA-8B-Instruct"}[name]
    real = folder / "dlm_uncertainty/mmlu_mini" / model / "semantic_uncertainty/mmlu_0_graded_responses.csv"
    return real if real.is_file() else DATA / f"dlm_uncertainty_{name}.csv"


@pytest.mark.parametrize("name", ["llama", "llada"])
def test_dlm_uncertainty(tmp_path, capsys, name):
    source = files_of(name)
    rows, asked = studies.from_dlm_uncertainty(source), studies.questions_of_dlm_uncertainty(source)
    importing.write(rows, tmp_path / "s.jsonl")
    found = read(tmp_path / "s.jsonl")
    size = 100 if "shared" in str(source) or len(rows) == 100 else 10
    assert len(rows) == len(asked) == size
    for row, question in zip(rows, asked, strict=True):
        right = question["choices"][question["correct_choice"]]
        assert [answer == right for answer in row["answers"]] == [bool(one) for one in row["correct"]]
    if size == 100:
        lost = {
            "llama": "18 of 1000 answers lack token_logprobs",
            "llada": "token_logprobs of 983 of 983 answers are exactly 0: placeholders, all left out, and with them "
            "the signal token_probability",
        }
        assert lost[name] in (found.notes[0], capsys.readouterr().err.removeprefix(f"{source}: ").strip())


@pytest.mark.parametrize("unit", ["\nA. \nB. \nC. ", "\nA. x\nB. "])
def test_what_is_no_question_of_mmlu_is_seen_at_once(tmp_path, unit):
    path = tmp_path / "x.csv"
    path.write_text(f'question,answer_key\n"Question: {unit * 5_000}",A\n')
    with pytest.raises(ValueError, match=r"line 2: .*column 'question': no question with the choices A to D"):
        studies.from_dlm_uncertainty(path)


def test_wang2025(tmp_path):
    source = files_of("wang2025")
    rows, asked = studies.from_wang2025(source), studies.questions_of_wang2025(source)
    assert len(rows) == len(asked)
    assert not any(row["answers"][0].endswith((".)", '")')) for row in rows)
    if len(rows) == 817:
        assert sum(row["correct"][0] for row in rows) / 817 == pytest.approx(0.315789, abs=1e-6)
