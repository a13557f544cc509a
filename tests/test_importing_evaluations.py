"""What HELM, inspect_ai and vLLM's offline engine save, in tiny files of theirs, becomes rows that can be read."""

import dataclasses
import json
import re
import sys
import types
import zipfile

import pytest

from ralc.importing import archives
from ralc.names import CORRECT, INCORRECT
from tests.imported import CHAD, DATA, PERU, made_by, named, rows_of

HELM = DATA / "scenario_state.json"  # written by HELM's own classes
EVAL = DATA / "inspect.eval"  # compressed by Zstandard, as inspect_ai does it


def test_a_run_of_helm(tmp_path, capsys):
    rows, questions = made_by(tmp_path, "helm", HELM)
    assert [(row.question_id, row.answers) for row in rows] == [
        ("id0", ("Lima", "Cusco")),
        ("id1", ("N'Djamena", "Abéché")),
    ]
    assert rows[0].token_logprobs == ((-0.2,), (-0.2,))
    assert questions["accepted"].tolist() == [["Lima", "Ciudad de los Reyes"], ["N'Djamena"]]
    assert questions["choices"].tolist() == [[], ["Abéché", "N'Djamena"]]
    assert "1 that are perturbed or have no answer, left out (id0)" in capsys.readouterr().err


STATE = {
    "instance": {"id": "id0", "input": {"text": "Q"}, "references": []},
    "result": {"completions": [{"text": "a"}]},
}


@pytest.mark.parametrize(
    ("states", "place"),
    [
        (3, ": not of the format that was named (TypeError: 3 is no list"),
        ([], ": holds no answer"),
        ([{"instance": {}}], ", request_states 1, column 'id': is missing"),
        ([STATE | {"instance": {"id": "id0"}}], ", request_states 1, column 'input': is missing"),
        ([STATE | {"result": None}], ": holds no answer"),
        ([STATE | {"reference_index": 0}], ", request_states 1, column 'reference_index': scores a choice"),
    ],
)
def test_what_a_run_of_helm_lacks_is_named(tmp_path, states, place):
    named(tmp_path, "helm", "f.json", json.dumps({"request_states": states}), place)
    named(tmp_path, "helm", "f.json", "{}", ", column 'request_states': is missing")


@pytest.mark.parametrize("form", ["zstandard", "deflated", "json"])
def test_a_log_of_inspect(tmp_path, form):
    path = EVAL
    if form != "zstandard":
        samples = [text for _, text in archives.members(EVAL, "samples/")]
        path = tmp_path / ("a.json" if form == "json" else "a.eval")
        if form == "json":
            path.write_text(json.dumps({"samples": [json.loads(text) for text in samples]}))
        else:
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                for number, text in enumerate(samples):
                    archive.writestr(f"samples/{number}.json", text)
    rows, questions = made_by(tmp_path, "inspect_ai", path, "--correct", "includes")
    assert [(row.question, row.answers, row.grades) for row in rows] == [
        (PERU, ("Lima", "Cusco"), (CORRECT, INCORRECT)),
        (CHAD, ("Paris", "N'Djamena"), (INCORRECT, CORRECT)),
    ]
    assert questions["accepted"].tolist() == [["Lima", "Ciudad de los Reyes"], ["N'Djamena"]]


SAMPLE = {
    "id": 1,
    "input": [{"role": "system", "content": "Be short."}, {"role": "user", "content": "Q"}],
    "target": "B",
    "choices": ["x", "y"],
    "output": {
        "choices": [
            {
                "message": {
                    "content": [{"type": "reasoning", "reasoning": "r"}, {"type": "text", "text": "y"}]
                },
                "logprobs": {"content": [{"token": "y", "logprob": -0.5}]},
            }
        ]
    },
    "scores": {"choice": {"value": "C"}, "f1": {"value": 0.5}},
}


def test_a_choice_of_inspect_and_what_ended_in_an_error(tmp_path, capsys):
    (tmp_path / "a.json").write_text(json.dumps({"samples": [SAMPLE, SAMPLE | {"error": {"message": "e"}}]}))
    rows, questions = made_by(tmp_path, "inspect_ai", tmp_path / "a.json", "--correct", "choice")
    assert [(row.question, row.answers, row.token_logprobs) for row in rows] == [("Q", ("y",), ((-0.5,),))]
    assert questions["correct_choice"].tolist() == [1]
    assert "1 that ended in an error, left out (1)" in capsys.readouterr().err


def test_several_right_choices_are_refused(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps({"samples": [SAMPLE | {"target": ["A", "B"]}]}))
    with pytest.raises(ValueError, match="samples 1, column 'target': A, B are right, and one choice can be"):
        rows_of("inspect_ai", tmp_path / "a.json")


@pytest.mark.parametrize(
    ("correct", "told"),
    [
        ("match", r"samples 1, column 'match': is missing; scorers are choice, f1"),
        ("f1", r"samples 1, column 'correct': 0.5 is not one of 0, 1 or null"),
    ],
)
def test_a_scorer_that_says_of_no_answer_whether_it_is_right_is_named(tmp_path, correct, told):
    (tmp_path / "a.json").write_text(json.dumps({"samples": [SAMPLE]}))
    with pytest.raises(ValueError, match=told):
        rows_of("inspect_ai", tmp_path / "a.json", correct=correct)


def test_a_log_that_is_damaged_is_named(tmp_path):
    whole = EVAL.read_bytes()
    for at, damaged in enumerate([whole[:900], b"", whole[:60] + b"\0" * 200 + whole[260:]]):
        (tmp_path / f"{at}.eval").write_bytes(damaged)
        with pytest.raises(ValueError, match=rf"{at}\.eval"):
            rows_of("inspect_ai", tmp_path / f"{at}.eval")
    named(tmp_path, "inspect_ai", "f.json", "{}", ", column 'samples': is missing")


@dataclasses.dataclass
class Logprob:
    """As vLLM has it."""

    logprob: float
    rank: int | None = None
    decoded_token: str | None = None


@dataclasses.dataclass
class CompletionOutput:
    """As vLLM has it."""

    index: int
    text: str
    token_ids: list[int]
    cumulative_logprob: float | None
    logprobs: list[dict[int, Logprob]] | None
    finish_reason: str | None = None


def test_vllm_offline_as_the_page_saves_it(tmp_path, monkeypatch):
    class LLM:
        def __init__(self, model):
            pass

        def chat(self, conversations, params):
            said = [
                CompletionOutput(
                    0, "Lima", [7, 8], -0.3, [{7: Logprob(-0.1), 9: Logprob(-3.0)}, {8: Logprob(-0.2)}]
                ),
                CompletionOutput(1, "Cusco", [9], -3.0, [{9: Logprob(-3.0)}]),
            ]
            return [types.SimpleNamespace(outputs=said) for _ in conversations]

    page = (DATA.parents[2] / "docs/imports.md").read_text(encoding="utf-8")
    (lines,) = [one for one in re.findall(r"^```py\n(.*?)^```", page, re.M | re.S) if "import LLM" in one]
    module = types.ModuleType("vllm")
    module.LLM, module.SamplingParams = LLM, dict
    monkeypatch.setitem(sys.modules, "vllm", module)
    monkeypatch.chdir(tmp_path)
    exec(compile(lines, "imports.md", "exec"), {})
    rows, questions = made_by(tmp_path, "vllm", "outputs.jsonl")
    assert [(row.question, row.answers) for row in rows] == [(PERU, ("Lima", "Cusco"))]
    assert rows[0].token_logprobs == ((-0.1, -0.2), (-3.0,))
    assert questions["accepted"].tolist() == [["Lima"]]


@pytest.mark.parametrize(
    ("entry", "place"),
    [
        ({"prompt": "Q"}, ", line 1, column 'outputs': is missing"),
        ({"outputs": [{"text": "a"}]}, ", line 1, column 'question': is missing, and a reply does not say"),
        ({"prompt": "Q", "outputs": [{}]}, ", line 1, column 'text': is missing"),
        ({"prompt": "Q", "outputs": ["a"]}, ", line 1, column 'outputs': 'a' is no object"),
        ({"prompt": "Q", "outputs": []}, ", line 1, column 'answers'"),
        (
            {
                "prompt": "Q",
                "outputs": [{"text": "a", "token_ids": [1], "logprobs": [{"2": {"logprob": -1}}]}],
            },
            ", line 1, column 'logprobs': has not one entry for each of 'token_ids'",
        ),
    ],
)
def test_what_an_output_of_vllm_lacks_is_named(tmp_path, entry, place):
    named(tmp_path, "vllm", "f.jsonl", json.dumps(entry), place)
