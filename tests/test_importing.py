"""What other tools save, in tiny files of their formats, becomes rows that can be read."""

import io
import json
import os
import re
import sys
import types
from pathlib import Path
from typing import ClassVar

import pandas as pd
import pytest

from ralc import datasets, importing
from ralc.cli.app import main
from ralc.names import CORRECT, INCORRECT
from ralc.recorded import read

DATA = Path(__file__).parent / "data" / "recorded"
PERU, CHAD = "What is the capital of Peru?", "What is the capital of Chad?"


def rows_of(form, path, **options):
    return importing.samples(importing.read(form, path, **options), path)


def made_by(folder, *arguments):
    """The samples and questions that the command makes."""
    files = [str(folder / name) for name in ("samples.jsonl", "questions.jsonl")]
    with pytest.raises(SystemExit) as left:
        main(["import", *map(str, arguments), "--samples", files[0], "--questions", files[1]])
    assert left.value.code == 0
    return read(files[0]).rows, datasets.load("mine", {"path": files[1]})


TABLES = {
    "a.csv": """Question,Accepted answers,Model answers,Temperature
What is the capital of Peru?,Lima | Ciudad de los Reyes,"[""Lima"", ""Cusco""]",1
What is the capital of Chad?,N'Djamena,"['Abéché', ""N'Djamena""]",1
""",
    "an_answer_a_row.csv": """id;question;answer;response;model
7;What is the capital of Peru?;Lima|Ciudad de los Reyes;Lima;gpt
8;What is the capital of Chad?;N'Djamena;Abéché;gpt
7;What is the capital of Peru?;Lima|Ciudad de los Reyes;Cusco;gpt
8;What is the capital of Chad?;N'Djamena;N'Djamena;gpt
""",
    "a.jsonl": """{"query": "What is the capital of Peru?", "gold": ["Lima", "Ciudad de los Reyes"], \
"answers": ["Lima", "Cusco"]}

{"query": "What is the capital of Chad?", "gold": "N'Djamena", "answers": ["Abéché", "N'Djamena"]}
""",
}


@pytest.mark.parametrize("name", [*TABLES, "a.parquet"])
def test_a_table_of_questions_and_answers_is_both(tmp_path, capsys, name):
    if name == "a.parquet":
        pd.read_json(io.StringIO(TABLES["a.jsonl"]), lines=True).assign(
            gold=[["Lima", "Ciudad de los Reyes"], ["N'Djamena"]]
        ).to_parquet(tmp_path / name)
    else:
        (tmp_path / name).write_text(TABLES[name])
    rows, questions = made_by(tmp_path, "table", tmp_path / name)
    assert [row.answers for row in rows] == [("Lima", "Cusco"), ("Abéché", "N'Djamena")]
    assert questions["question"].tolist() == [PERU, CHAD]
    assert questions["accepted"].tolist() == [["Lima", "Ciudad de los Reyes"], ["N'Djamena"]]
    said = capsys.readouterr()
    assert "samples.jsonl: 2 rows" in said.out
    if name == "a.csv":
        assert (
            "columns: question is 'Question', answers is 'Model answers', accepted is 'Accepted answers'; left out: "
            "'Temperature'" in said.err
        )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Question,Answer\nQ,a\n", ": says of no question what is accepted"),
        ("Question,Answer,Output\n,a,b\nR,,b\nS,a,\n", ", line 2, column 'question': is missing"),
        ("question,gold,output,model\nQ,a,b,x\nQ,a,c,y\n", ": holds answers of 2 models (x, y)"),
        (
            "id,question,gold,output\n1,Q,a,b\n1,R,a,c\n",
            ", line 3, column 'question': 'R' differs from 'Q' in",
        ),
        (
            "question,gold,output\nQ,a,\"['b' 'c']\"\n",
            ", line 2, column 'answers', character 2: begins like a",
        ),
        ("question,gold\nQ,a\nR,b\n", ", line 3, column 'answers': is missing"),
        ("question,gold,output\nQ,a,b,c\nR,b\n", ", line 3: 2 cells where the header has 3"),
    ],
)
def test_what_a_table_lacks_is_named(tmp_path, capsys, text, told):
    (tmp_path / "a.csv").write_text(text)
    arguments = [f"--{name}={tmp_path / name}.jsonl" for name in ("samples", "questions")]
    with pytest.raises(SystemExit) as left:
        main(["import", "table", str(tmp_path / "a.csv"), *arguments])
    assert left.value.code == 1
    assert f"a.csv{told}" in capsys.readouterr().err


def test_an_option_of_another_format_is_refused(tmp_path):
    with pytest.raises(ValueError, match="--correct is for lm_eval, inspect_ai, not for table"):
        importing.read("table", "a.csv", correct="acc")


def test_uqlm_as_json_and_as_a_table():
    rows = rows_of("uqlm", DATA / "uqlm.json")
    assert [row["answers"] for row in rows] == [
        ["Lima", "Lima", "Lima, Peru"],
        ["N'Djamena", "Paris", "N'Djamena"],
    ]
    assert rows[0]["token_logprobs"] == [[-0.1, -0.02], [-0.2], [-0.3, -1.5]]
    table = rows_of("uqlm", DATA / "uqlm.csv")
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

    page = (DATA.parents[2] / "docs/imports.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```py\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    (lines,) = [block for block in blocks if "lm_polygraph" in block]
    manager = types.ModuleType("lm_polygraph.utils.manager")
    manager.UEManager = UEManager
    for name in ("lm_polygraph", "lm_polygraph.utils"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, manager.__name__, manager)
    monkeypatch.chdir(tmp_path)
    exec(compile(lines, "imports.md", "exec"), {})
    rows = read(tmp_path / "samples.jsonl").rows
    assert [row.answers for row in rows] == [("Lima", "It is Lima"), ("Paris", "N'Djamena")]
    assert json.loads((tmp_path / "samples.jsonl").read_text().splitlines()[0])["token_logprobs"] == [
        [-0.1],
        [-0.1, -0.5],
    ]


def test_openais_batch(capsys):
    rows = rows_of("batch", DATA / "batch_output.jsonl", requests=DATA / "batch_input.jsonl")
    assert [(row["question_id"], row["question"], row["answers"]) for row in rows] == [
        ("q-2", CHAD, ["N'Djamena", "Paris"]),
        ("q-1", PERU, ["Lima", "Lima."]),
    ]
    assert rows[1]["token_logprobs"] == [(-0.05,), (-0.05, -1.0)]
    assert rows[0]["prompt_tokens"] == 23
    assert "1 requests of the batch failed, left out" in capsys.readouterr().err


def test_vllms_batch_without_its_reasoning():
    assert rows_of("batch", DATA / "vllm_batch_output.jsonl") == [
        {"question_id": "q-1", "answers": ["Lima"], "prompt_tokens": 17}
    ]


CHAT = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1760000000,
    "model": "gpt-4o-mini",
    "choices": [
        {
            "index": at,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": said, "refusal": None},
            "logprobs": {"content": [{"token": said, "bytes": None, "logprob": -0.1, "top_logprobs": []}]},
        }
        for at, said in enumerate(["Lima", "Cusco"])
    ],
    "usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11},
}
TEXT = {"type": "output_text", "text": "Lima", "annotations": []}
RESPONSE = {
    "id": "resp_1",
    "object": "response",
    "created_at": 1760000000.0,
    "model": "gpt-5",
    "status": "completed",
    "output": [
        {"type": "reasoning", "id": "rs_1", "summary": []},
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [
                TEXT
                | {"logprobs": [{"token": "Lima", "bytes": [*b"Lima"], "logprob": -0.2, "top_logprobs": []}]}
            ],
        },
    ],
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
    "usage": {
        "input_tokens": 9,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": 1,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 10,
    },
}


def batch_of(folder, ids, body=CHAT):
    """The output of a batch with these ids, and its input, which does not ask about the numbers at their end."""
    files = [folder / "output.jsonl", folder / "input.jsonl"]
    rows = [{"custom_id": name, "response": {"status_code": 200, "body": body}} for name in ids]
    asked = [[{"role": "user", "content": f"About {name.rpartition('-')[0]}?"}] for name in ids]
    told = [{"custom_id": name, "body": {"messages": one}} for name, one in zip(ids, asked, strict=True)]
    for file, held in zip(files, (rows, told), strict=True):
        file.write_text("".join(json.dumps(row) + "\n" for row in held))
    return files


def test_requests_of_a_batch_that_ask_the_same_are_samples(tmp_path, capsys):
    output, asked = batch_of(tmp_path, [f"q{one}-{at}" for at in range(5) for one in range(2)])
    rows = rows_of("batch", output, requests=asked)
    assert [(row["question_id"], row["question"], len(row["answers"])) for row in rows] == [
        ("q0", "About q0?", 10),
        ("q1", "About q1?", 10),
    ]
    assert capsys.readouterr().err == ""
    assert [row["question_id"] for row in rows_of("batch", output)] == ["q0", "q1"]
    assert "answers to one question: 10 of 2; with --requests" in capsys.readouterr().err
    output, _ = batch_of(tmp_path, ["q-1", "q-2"])
    assert [row["question_id"] for row in rows_of("batch", output)] == ["q-1", "q-2"]
    output, _ = batch_of(tmp_path, ["q-9"])
    with pytest.raises(
        ValueError, match=r"output.jsonl, line 1, column 'custom_id': 'q-9' is not in .*input.jsonl"
    ):
        rows_of("batch", output, requests=DATA / "batch_input.jsonl")


def test_a_batch_of_responses(tmp_path):
    output, _ = batch_of(tmp_path, ["q"], RESPONSE)
    assert rows_of("batch", output) == [
        {"question_id": "q", "answers": ["Lima"], "token_logprobs": [(-0.2,)], "prompt_tokens": 9}
    ]


@pytest.mark.parametrize("ending", [".jsonl", ".json"])
def test_openais_replies_as_its_library_saves_them(tmp_path, ending):
    types = pytest.importorskip("openai.types")
    saved = [
        types.chat.ChatCompletion.model_validate(CHAT).model_dump(),
        types.responses.Response.model_validate(RESPONSE).model_dump(),
    ]
    entries = [
        {"question": PERU, "accepted": ["Lima"], "response": saved[0]},
        {"input": [{"role": "user", "content": PERU}], "accepted": ["Lima"], "response": saved[1]},
    ]
    lines = "\n".join(map(json.dumps, entries))
    (tmp_path / f"a{ending}").write_text(lines if ending == ".jsonl" else json.dumps(entries))
    rows, asked = made_by(tmp_path, "openai", tmp_path / f"a{ending}")
    assert [(row.question, row.answers) for row in rows] == [(PERU, ("Lima", "Cusco", "Lima"))]
    assert rows[0].token_logprobs == ((-0.1,), (-0.1,), (-0.2,))
    assert asked["accepted"].tolist() == [["Lima"]]


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({"response": CHAT}, "column 'question': is missing, and a reply does not say what was asked; save"),
        (CHAT | {"question": "Q"}, "column 'response': is missing"),
        ({"question": "Q", "response": {"id": 1}}, "column 'choices': is missing"),
        ({"question": "Q", "response": {"choices": [{}]}}, "the reply has no answer among its choices"),
    ],
)
def test_what_a_saved_reply_lacks_is_named(tmp_path, entry, told):
    (tmp_path / "a.jsonl").write_text(json.dumps(entry))
    with pytest.raises(ValueError, match=f"a.jsonl, line 1.*{told}"):
        rows_of("openai", tmp_path / "a.jsonl")


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
    [("['Lima', 'La ciudad']", ["Lima", "La ciudad"]), (["Lima"], ["Lima"]), (" Lima", ["Lima"]), (3, None)],
)
def test_targets_are_what_is_accepted(tmp_path, target, accepted):
    path = tmp_path / "samples.jsonl"
    path.write_text(json.dumps(GSM | {"target": target}))
    assert importing.read("lm_eval", path)[0][1].get("accepted") == accepted


def test_a_task_of_likelihoods_has_no_answers(tmp_path):
    path = tmp_path / "samples.jsonl"
    path.write_text('{"doc_id": 0, "doc": {}, "resps": [[["-1.5", "False"]]], "filter": "none"}\n')
    with pytest.raises(ValueError, match=r"line 1: .*resps holds likelihoods and no text"):
        rows_of("lm_eval", path)


def test_a_filter_that_is_not_in_the_file_is_named_with_those_that_are():
    with pytest.raises(ValueError, match=r"no filter 'strict'; filters are '"):
        rows_of("lm_eval", DATA / "samples_gsm8k_lm_eval.jsonl", filter_name="strict")


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
        rows_of(form, folder / name)
    assert str(caught.value).startswith(f"{folder / name}{place}")


@pytest.mark.parametrize("name", ["uqlm.json", "batch_output.jsonl"])
def test_every_conversion_can_be_read(tmp_path, name):
    form = {"uqlm.json": "uqlm", "batch_output.jsonl": "batch"}[name]
    importing.write(rows_of(form, DATA / name), tmp_path / "samples.jsonl")
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
    found = importing.read("dlm_uncertainty", source)
    rows, asked = importing.samples(found, source), importing.questions(found, source)
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
    with pytest.raises(ValueError, match=r"line 2, column 'question': no question with the choices A to D"):
        rows_of("dlm_uncertainty", path)


def test_wang2025(tmp_path):
    source = files_of("wang2025")
    found = importing.read("wang2025", source)
    rows, asked = importing.samples(found, source), importing.questions(found, source)
    assert len(rows) == len(asked)
    assert not any(row["answers"][0].endswith((".)", '")')) for row in rows)
    if len(rows) == 817:
        assert sum(row["correct"][0] for row in rows) / 817 == pytest.approx(0.315789, abs=1e-6)
