"""Upstreams in the shapes of public bug reports, through `ralc serve` and engine `openai`: each kind, with variants."""

import json
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import openai
import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ralc.llm import complete, request_for
from ralc.llm.engines import build
from ralc.serve.application import make_app
from tests.cases import cases
from tests.serving import QUESTION, Stub, ask, before, calibrator, facing, running, served
from tests.upstreams import ANSWERS, answer, events, refused, upstream

pytestmark = pytest.mark.usefixtures("short_waits", "eager")
PASSES = {"ralc": {"calibrate": False}}
STREAM = {"stream": True}


def events_of(reply):
    """The events of a stream."""
    return [json.loads(line[5:]) for line in reply.text.splitlines() if line.startswith("data: {")]


def heard(reply):
    """The text and the object ``ralc`` of a reply, whole or a stream."""
    if reply.headers["content-type"].startswith("application/json"):
        body = reply.json()
        return body["choices"][0]["message"]["content"], body["ralc"]
    events = events_of(reply)
    deltas = [choice["delta"] for event in events for choice in event["choices"]]
    (told,) = [event["ralc"] for event in events if "ralc" in event]
    return "".join(delta.get("content") or "" for delta in deltas), told


def sampled(address, folder, *, questions=3, n=9):
    """The answers that engine `openai` gets."""
    entry = {"engine": "openai", "model": "m", "base_url": address, "concurrency": 4}
    engine = build(entry)
    asked = [[{"role": "user", "content": f"What is the capital of Chad? {i}"}] for i in range(questions)]
    requests = [request_for(entry, ask, n=n, seed=100 * i) for i, ask in enumerate(asked)]
    try:
        return complete(requests, engine, folder / "j.jsonl", failures_allowed=1.0)
    finally:
        engine.close()


@cases
def test_every_client_gets_calibrated_words(mode, first, then):
    """The nine samples cost so many calls at first, and then: what is refused is remembered, what fails asked again."""
    with facing(mode, samples=9) as (address, habit):
        calls = []
        for body in ({}, STREAM):
            reply = ask(address, body)
            assert reply.status_code == 200
            text, told = heard(reply)
            assert told["samples"] == 9
            assert "copies" not in told
            assert any(words.removeprefix("It is ").rstrip(".") in text for words in ANSWERS)
            calls.append(len(habit.asked))
        assert calls == [first, first + then]
        passed = ask(address, PASSES).json()
        assert passed["ralc"]["calibrated"] is False
        assert passed["ralc"]["reason"] == "the request says so"
        assert passed["choices"][0]["message"]["content"] in ANSWERS


@cases
def test_engine_openai_gets_all_its_samples(mode, tmp_path):
    with upstream(mode) as (address, _):
        answers = sampled(address, tmp_path)
    assert [one.error for one in answers] == [None] * 27
    assert {one.text for one in answers} <= set(ANSWERS)
    assert all(one.completion_tokens == 8 for one in answers)


@cases
def test_a_field_that_is_refused_beside_another_is_not_refused_alone(mode, own, field):
    with facing(mode, samples=3) as (address, habit):
        ask(address, own)
        first = len(habit.asked)
        for body in (own, {}):
            ask(address, body)
    assert [field in body for body in habit.asked[first:]] == [False] * 3 + [True] * 3


def test_an_id_says_nothing_once_it_came_with_other_words():
    """Ten equal answers of one id may be copies, until another question has the same id."""
    same = lambda up, body, number: (200, answer(number, body["messages"][-1]["content"], id="c"), {})  # noqa: E731
    with facing(same, samples=9) as (address, _):
        told = [
            ask(address, {"messages": [{"role": "user", "content": text}]}).json()["ralc"]
            for text in ("It is Lima.", "It is Oslo.", "It is Lima.")
        ]
    assert told[0]["reason"].startswith("1 of 9 answers are samples of their own (8 copies of others")
    assert [one["samples"] for one in told[1:]] == [9, 9]


# ---- errors have the upstream's words


@cases
@pytest.mark.parametrize(
    "body", [{}, STREAM, PASSES, PASSES | STREAM], ids=["", "stream", "pass", "pass stream"]
)
def test_an_error_has_its_words_and_status(status, content, expected, body):
    with facing(lambda *_: (status, content, {})) as (address, _):
        reply = ask(address, body)
    error = reply.json()["error"] if reply.status_code >= 400 else events_of(reply)[-1]["error"]
    assert error["message"].startswith('Unknown name "x"')
    assert {"type", "code"} <= error.keys()
    assert reply.status_code in (expected, 200 if body == STREAM else expected)


def test_a_failing_upstream_is_asked_three_times_and_twice_without_our_fields():
    with facing(lambda *_: refused_at(500), samples=9) as (address, habit):
        assert ask(address).status_code == 500
        assert [sorted(body) for body in habit.asked[4:]] == [["messages", "model"]] * 2
        count = len(habit.asked)
        assert ask(address, PASSES).status_code == 500
        assert len(habit.asked) - count == 3
    with facing(lambda *_: refused_at(401), samples=9) as (address, habit):
        assert ask(address).status_code == 401
        assert len(habit.asked) == 2  # it refuses n first


def refused_at(status):
    """A refusal without a reason."""
    return status, {"error": {"message": "No.", "type": "x", "param": None, "code": None}}, {}


# ---- other addresses


#: What is said to requests by the last part of their path; ``streamed`` are the events of a response.
REPLIES = json.loads((Path(__file__).parent / "data" / "other_addresses.json").read_text())


@pytest.fixture(scope="module")
def routed():
    """The address of a server before an upstream that answers under any path, and the paths that it was asked."""
    asked = []

    async def say(request):
        name = request.url.path.lower().rstrip("/").rpartition("/")[2]
        asked.append(f"{request.url.path}?{request.url.query}".rstrip("?"))
        body = await request.json() if await request.body() else {}
        if name == "responses" and body.get("stream"):
            lines = (f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in REPLIES["streamed"])
            return Response("".join(lines), media_type="text/event-stream")
        if name != "completions":
            return JSONResponse(REPLIES[name])
        if "prompt" in body:
            return JSONResponse({"choices": [{"index": 0, "text": "Lima.", "finish_reason": "stop"}]})
        return JSONResponse(Stub().reply(["It is Lima."] * body.get("n", 1)))

    app = Starlette(routes=[Route("/{path:path}", say, methods=["GET", "POST"])])
    fitted = calibrator(asked=3, turns=(1, 2))
    with running(app) as behind, before(f"{behind}/v1", fitted) as address:
        yield address, asked


@cases
def test_a_chat_completion_is_calibrated_under_all_its_addresses(routed, path, asked):
    address, paths = routed
    reply = httpx.post(f"{address}{path}", json=QUESTION, trust_env=False)
    assert reply.json()["ralc"]["calibrated"]
    assert paths[-1] == asked


@pytest.mark.parametrize("base", ["base_url", "azure_endpoint"])
@pytest.mark.parametrize("stream", [False, True])
def test_the_client_of_azure_gets_calibrated_words(routed, base, stream):
    address, asked = routed
    where = {base: f"{address}/v1" if base == "base_url" else address}
    azure = openai.AzureOpenAI(api_key="k", api_version="2024-10-21", max_retries=0, **where)
    reply = azure.chat.completions.create(**QUESTION, stream=stream)
    told = [part.ralc for part in reply if hasattr(part, "ralc")] if stream else [reply.ralc]
    assert [one["calibrated"] for one in told] == [True]
    assert asked[-1] == "/v1/deployments/stub/chat/completions?api-version=2024-10-21"


UNCALIBRATED = {"calibrated": False, "reason": "only chat completions are calibrated"}


@cases
def test_no_other_answer_of_a_model_passes_without_a_word(routed, method, path, body, marked):
    reply = httpx.request(method, routed[0] + path, json=body, trust_env=False).json()
    assert reply.pop("ralc", None) == (UNCALIBRATED if marked else None)
    name = path.partition("?")[0].rstrip("/").rpartition("/")[2]
    assert reply == REPLIES.get(name, reply)


@pytest.mark.parametrize("line", ["\n", "\r\n"])
def test_a_stream_that_passes_ends_with_the_object_ralc(line):
    content = events(1, "It is Lima.", line=line)
    habit = lambda up, body, number: (200, content, {"Content-Type": "text/event-stream"})  # noqa: E731
    with facing(habit) as (address, _):
        reply = ask(address, PASSES | STREAM)
    told = {"calibrated": False, "reason": "the request says so", "id": reply.headers["x-ralc-request-id"]}
    assert heard(reply) == ("It is Lima.", told)
    lines = reply.content.removeprefix(b": the request says so\n\n").split(b"\n")
    changed = [place for place, kept in enumerate(content.split(b"\n")) if kept != lines[place]]
    assert len(changed) == 1  # the one event that ends it


def test_an_error_in_the_place_of_a_choice_is_not_streamed():
    reply = answer(1, "It is Lima.")
    reply["choices"].insert(0, {"index": 0, "message": None, "finish_reason": "error"})
    with facing(lambda *_: (200, reply, {})) as (address, _):
        assert heard(ask(address, PASSES | STREAM))[0] == "It is Lima."


def test_a_line_of_a_stream_that_never_ends_is_cut(monkeypatch):
    monkeypatch.setattr("ralc.serve.application.LARGEST_REPLY", 1000)
    habit = lambda up, body, number: (200, b"data: " + b"x" * 5000, {"Content-Type": "text/event-stream"})  # noqa: E731
    with facing(habit) as (address, _):
        assert "larger than 1000 bytes" in ask(address, PASSES | STREAM).text


# ---- histories


@cases
def test_a_refusal_in_the_history_does_not_end_calibration(routed, message, calibrated, last):
    turns = [{"role": "user", "content": "Hi"}, *QUESTION["messages"]]
    turns.insert(2 if last else 1, message)
    told = ask(routed[0], {"messages": turns}).json()["ralc"]
    assert told["calibrated"] == calibrated
    assert told["reason"] == ("" if calibrated else "it holds more than text")


# ---- temperatures


@cases
def test_samples_have_the_calibrator_s_temperature_and_the_reply_says_so(design, asked, drawn):
    stub = Stub()
    with served(stub, calibrator(asked=3, **design)) as address:
        for body in (asked, asked | STREAM):
            reply = ask(address, body)
            assert heard(reply)[1]["temperature"] == drawn
            assert stub.asked[-1]["temperature"] == drawn
        stub.message = {"role": "assistant", "content": "I don't know."}
        assert ask(address, asked).json()["ralc"]["temperature"] == drawn
        passed = ask(address, asked | PASSES)
        assert stub.asked[-1].get("temperature") == asked.get("temperature")
        assert "temperature" not in passed.json()["ralc"]


@pytest.mark.parametrize("asked", [{}, {"temperature": 0.2}])
def test_a_temperature_that_the_upstream_refuses_is_unknown(asked):
    with facing("default_temperature") as (address, habit):
        told = ask(address, asked).json()["ralc"]
    assert told["calibrated"] is True
    assert told["samples"] == 3
    assert told["temperature"] is None
    assert not any("temperature" in body for body in habit.asked[-3:])


def test_one_answer_has_the_client_s_own_temperature():
    with served(Stub(["I think that it is Lima."]), "linguistic_confidence", samples=1) as address:
        for temperature in (0.2, None):
            asked = {"temperature": temperature} if temperature else {}
            assert ask(address, asked).json()["ralc"]["temperature"] == temperature


# ---- own answers


class Warm(Stub):
    """An upstream that answers alike below a temperature of 0.5, and as it has them above."""

    async def complete(self, request):
        """A completion."""
        body = await request.json()
        if body.get("temperature", 1) >= 0.5:
            return await super().complete(request)
        self.asked.append(body)
        return JSONResponse(self.reply([self.cold]) | {"model": "cold"})


def own(cold, *answers, signal="semantic_uncertainty"):
    """An upstream, and a calibrator of the own answers before it."""
    stub = Warm(answers)
    stub.cold = cold
    return stub, calibrator(signal, asked=3, own_answer=True)


@cases
@pytest.mark.parametrize("stream", [False, True])
def test_an_own_answer_goes_out_and_the_samples_say_how_sure_it_is(cold, support, stream):
    stub, fitted = own(cold, "It is Lima.", "Lima.", "It is Cusco.")
    with served(stub, fitted, own_answer=True) as address:
        reply = ask(address, {"temperature": 0.1, "stream": stream})
    text, told = heard(reply)
    assert told["original"] == cold
    assert cold.rstrip(".").split()[-1].strip(",") in text or "Lima" in text
    assert told["confidence"] == pytest.approx((support + 0.5) / 4, abs=1e-4)
    assert told["samples"] == 3
    assert told["temperature"] == 1.0
    sent = sorted((body.get("temperature"), body.get("n")) for body in stub.asked)
    assert sent == [(0.1, None), (1.0, 3)]
    if not stream:
        assert reply.json()["model"] == "cold"
        assert reply.json()["usage"] == {"prompt_tokens": 10, "completion_tokens": 12, "total_tokens": 22}


@pytest.mark.model
def test_the_claims_of_an_own_answer_are_supported_by_the_samples():
    stub, fitted = own(
        "She was born in Oslo. She wrote plays.", "Born in Oslo.", "In Oslo.", signal="support"
    )
    with served(stub, fitted, own_answer=True) as address:
        told = ask(address, {"temperature": 0}).json()["ralc"]
    assert told["confidence"][0] > told["confidence"][1]


def test_an_own_answer_that_cannot_be_calibrated_passes_as_it_came():
    for cold, reason in (("It is ...", "the answer was cut off"), (" ", "an answer has no text")):
        stub, fitted = own(cold, "It is Lima.", "Lima.", "It is Cusco.")
        with served(stub, fitted, own_answer=True) as address:
            reply = ask(address, {"temperature": 0}).json()
        assert reply["choices"][0]["message"]["content"] == cold
        told = {"calibrated": False, "reason": reason, "temperature": 1.0}
        assert reply["ralc"] | told == reply["ralc"]


def test_an_own_answer_goes_out_where_its_samples_fail():
    habit = lambda up, body, number: refused("Slow down", 429) if body.get("temperature") == 1 else None  # noqa: E731
    fitted = calibrator(asked=3, own_answer=True)
    with facing(habit, fitted, own_answer=True) as (address, _):
        reply = ask(address, {"temperature": 0.1})
        failing = ask(address, {"temperature": 1})
    text, told = heard(reply)
    assert text in ANSWERS
    assert told["calibrated"] is False
    assert told["reason"] == "its samples failed: Slow down"
    assert failing.status_code == 429
    assert failing.json()["error"]["message"] == "Slow down"


@cases
def test_a_calibrator_of_majorities_is_none_of_own_answers(signal, design, own_answer, message):
    fitted = calibrator(signal, asked=3, **design)
    with pytest.raises(ValueError, match=message):
        make_app(fitted, "http://127.0.0.1:9/v1", samples=3, own_answer=own_answer)


# ---- the stand-in of the public cases itself

FAILS = ("openrouter",)
PUBLIC = "plain kobold ollama session llama500 litellm500 litellm400 gemini openrouter_some openrouter_first"
PUBLIC += " openrouter_429 streamonly alwaysstream nostream rich openrouter"


@pytest.mark.shared
@pytest.mark.parametrize("mode", PUBLIC.split())
def test_the_upstreams_of_the_public_cases(mode, shared_data, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    program = [sys.executable, shared_data / "public_cases_2" / "up.py", mode, str(port)]
    behind = f"http://127.0.0.1:{port}/v1"
    process = subprocess.Popen(program, stderr=subprocess.DEVNULL)
    try:
        _wait_for(behind)
        with before(behind, samples=10) as address:
            for body in ({}, STREAM):
                reply = ask(address, body)
                if mode in FAILS:
                    assert "Provider returned error: model is overloaded" in reply.text
                    continue
                told = heard(reply)[1]
                # Three digits may meet by chance, where the words are equal, too.
                assert told["samples"] + told.get("failed", 0) >= 10 - (mode == "ollama")
                assert told["calibrated"]
        if mode not in FAILS:
            assert all(one.error is None for one in sampled(behind, tmp_path, n=10))
    finally:
        process.kill()
        process.wait()


def _wait_for(address):
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            return httpx.get(f"{address}/models", trust_env=False)
        except httpx.HTTPError:
            time.sleep(0.05)
    raise AssertionError(f"no server at {address}")
