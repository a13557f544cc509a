"""What of an imported answer's text its tokens are: never a place that a token does not end in."""

import json

import pytest

from ralc.importing import write
from ralc.llm.engines import recorded
from ralc.llm.models import ModelConfig
from ralc.llm.requests import Request
from ralc.recorded import read
from tests.imported import DATA, rows_of

OSLO = [(" Os", -0.1), ("lo", -0.2), (". ", -0.3), ("<|im_end|>", -0.4)]
#: A character of two tokens, as OpenAI spells its halves.
NDJAMENA = [("N'Dj", -0.1, b"N'Dj"), ("bytes:\\xc3", -0.2, b"\xc3"), ("bytes:\\xa4", -0.3, b"\xa4")]


def chat_reply(text, tokens):
    content = [
        {"token": token, "logprob": logprob, "bytes": list(*spelt) or None}
        for token, logprob, *spelt in tokens
    ]
    choice = {"message": {"content": text}, "logprobs": {"content": content}, "finish_reason": "stop"}
    return {"question": "Q", "response": {"choices": [choice]}}


def response(text, tokens):
    content = chat_reply(text, tokens)["response"]["choices"][0]["logprobs"]["content"]
    parts = [{"type": "output_text", "text": text, "logprobs": content}]
    return {"question": "Q", "response": {"output": [{"type": "message", "content": parts}]}}


def vllm_output(text, tokens):
    ids = list(range(len(tokens)))
    logprobs = [{str(at): {"logprob": one[1], "decoded_token": one[0]}} for at, one in enumerate(tokens)]
    return {"question": "Q", "outputs": [{"text": text, "token_ids": ids, "logprobs": logprobs}]}


def helm_state(text, tokens):
    told = [{"text": token, "logprob": logprob} for token, logprob, *_ in tokens]
    instance = {"id": "i", "input": {"text": "Q"}, "references": []}
    completions = [{"text": text, "tokens": told}]
    return {"request_states": [{"instance": instance, "result": {"completions": completions}}]}


def inspect_log(text, tokens):
    (choice,) = chat_reply(text, tokens)["response"]["choices"]
    return {"samples": [{"id": 1, "input": "Q", "target": "", "output": {"choices": [choice]}}]}


def uqlm_result(text, tokens):
    content = chat_reply(text, tokens)["response"]["choices"][0]["logprobs"]["content"]
    return {"data": {"prompts": ["Q"], "responses": [text], "logprob": [content]}}


SAVED = {
    "openai": (chat_reply, "f.jsonl"),
    "openai, responses": (response, "f.jsonl"),
    "vllm": (vllm_output, "f.jsonl"),
    "helm": (helm_state, "f.json"),
    "inspect_ai": (inspect_log, "f.json"),
    "uqlm": (uqlm_result, "f.json"),
}


def imported(folder, form, text, tokens):
    saved, name = SAVED[form]
    (folder / name).write_text(json.dumps(saved(text, tokens)))
    (row,) = rows_of(form.partition(",")[0], folder / name)
    return row


def ends_in_a_run(folder, row):
    """Where the tokens of a row's answer end when a run reads the file."""
    write([row], folder / "samples.jsonl")
    (found,) = read(folder / "samples.jsonl").rows
    asked = Request("m", ({"role": "system", "content": found.named("direct")},), logprobs=True)
    engine = recorded.start(
        ModelConfig.model_validate(
            {"engine": "recorded", "path": str(folder / "samples.jsonl"), "model": "m"}
        )
    )
    ((_, (answer,)),) = engine.answer([asked])
    return answer.token_ends


@pytest.mark.parametrize("form", SAVED)
def test_tokens_are_pieces_of_the_answer(tmp_path, form):
    row = imported(tmp_path, form, "Oslo.", OSLO)
    (tokens,), (logprobs,) = row["tokens"], row["token_logprobs"]
    assert "".join(tokens) == "Oslo."
    assert tokens[:3] == ["Os", "lo", "."]
    assert len(tokens) == len(logprobs)
    assert ends_in_a_run(tmp_path, row)[:3] == (2, 4, 5)


@pytest.mark.parametrize("form", ["openai", "openai, responses", "inspect_ai", "uqlm"])
def test_a_character_of_several_tokens_is_the_last_ones(tmp_path, form):
    row = imported(tmp_path, form, "N'Djä", NDJAMENA)
    assert row["tokens"] == [["N'Dj", "", "ä"]]
    assert ends_in_a_run(tmp_path, row) == (4, 4, 5)


@pytest.mark.parametrize("form", SAVED)
@pytest.mark.parametrize("spelt", ["▁lo", "Ġlo", "\ufffd"])
def test_tokens_that_are_not_the_text_are_left_out_and_counted(tmp_path, capsys, form, spelt):
    row = imported(tmp_path, form, "Oslo.", [OSLO[0], (spelt, -0.2), OSLO[2]])
    assert "tokens" not in row
    assert len(*row["token_logprobs"]) == 3
    assert "the tokens of 1 of 1 answers do not make up their text" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["vllm", "helm", "inspect_ai", "uqlm"])
def test_an_answer_that_lacks_a_log_probability_has_no_tokens(tmp_path, capsys, form):
    row = imported(tmp_path, form, "Oslo.", [OSLO[0], ("lo.", None)])
    assert "tokens" not in row
    assert row["token_logprobs"] == [None]
    assert capsys.readouterr().err == ""


def test_answers_of_one_question_in_several_rows_keep_theirs(tmp_path):
    said = [("Oslo.", OSLO), ("Rome", [("Ro", -0.1), ("me", -0.2)]), ("Bern", [("Basel", -0.1)])]
    replies = [json.dumps(chat_reply(*one)) for one in said]
    (tmp_path / "f.jsonl").write_text("\n".join(replies))
    (row,) = rows_of("openai", tmp_path / "f.jsonl")
    assert row["tokens"] == [["Os", "lo", "."], ["Ro", "me"], None]


def test_placeholders_go_with_their_tokens(tmp_path):
    row = imported(tmp_path, "openai", "Oslo.", [("Oslo", 0), (".", 0)])
    assert row.keys() == {"question", "answers"}


def test_of_several_tools_in_their_own_files(tmp_path):
    assert rows_of("uqlm", DATA / "uqlm.json")[0]["tokens"] == [["L", "ima"], ["Lima"], ["Lima", ", Peru"]]
    rows = rows_of("batch", DATA / "batch_output.jsonl")
    assert rows[0]["tokens"] == [["N", "'Djamena"], ["Paris"]]
