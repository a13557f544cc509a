"""Batches and replies of OpenAI's and vLLM's libraries, as they save them, become rows that can be read."""

import json

import pytest

from tests.imported import CHAD, DATA, PERU, made_by, rows_of


def test_openais_batch(capsys):
    rows = rows_of("batch", DATA / "batch_output.jsonl", requests=DATA / "batch_input.jsonl")
    assert [(row["question_id"], row["question"], row["answers"]) for row in rows] == [
        ("q-2", CHAD, ["N'Djamena", "Paris"]),
        ("q-1", PERU, ["Lima", "Lima."]),
    ]
    assert rows[1]["token_logprobs"] == [(-0.05,), (-0.05, -1.0)]
    assert rows[0]["prompt_tokens"] == 23
    assert (
        "1 that failed, or have no text (a refusal, a tool's call), left out (q-3)" in capsys.readouterr().err
    )


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
        {
            "question_id": "q",
            "answers": ["Lima"],
            "token_logprobs": [(-0.2,)],
            "tokens": [["Lima"]],
            "prompt_tokens": 9,
        }
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
    assert rows[0].tokens == (("Lima",), ("Cusco",), ("Lima",))
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


REFUSED = {"choices": [{"index": 0, "message": {"role": "assistant", "content": None, "refusal": "No."}}]}


@pytest.mark.parametrize(
    "refused", [REFUSED, {"output": []}, {"output": [{"type": "reasoning"}], "status": "incomplete"}]
)
def test_a_reply_without_a_text_is_left_out_and_counted(tmp_path, capsys, refused):
    entries = [{"question": PERU, "response": CHAT}, {"question": CHAD, "response": refused}]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, entries)))
    assert [row["question"] for row in rows_of("openai", tmp_path / "a.jsonl")] == [PERU]
    assert (
        f"1 that failed, or have no text (a refusal, a tool's call), left out ({CHAD})"
        in capsys.readouterr().err
    )
    output, _ = batch_of(tmp_path, ["q", "r"], refused)
    with pytest.raises(ValueError, match="holds no answer"):
        rows_of("batch", output)
