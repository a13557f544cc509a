"""`/v1/responses` by the official client, streamed and not."""

import copy
import json

import httpx
import openai
import pytest
from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from tests.cases import cases
from tests.serving import Stub, ask, before, calibrator, running, saying, served

ANSWERS = ("It is Lima.", "Lima.", "It is Cusco.")
REASONING = {"type": "reasoning", "id": "rs_1", "summary": []}
PERU = {"model": "m", "input": "What is the capital of Peru?"}


class Responding:
    """An upstream of responses that says `answers` in turn, beside other items, and remembers what it was asked."""

    def __init__(self, answers=ANSWERS, *items) -> None:
        self.answers, self.items, self.asked = answers, items, []

    @property
    def app(self) -> Starlette:
        """The application."""
        return Starlette(routes=[Route("/v1/responses", self.respond, methods=["POST"])])

    async def respond(self, request: Request) -> Response:
        """A response; of a stream its last event alone."""
        body = await request.json()
        if {"n", "seed"} & body.keys():
            return JSONResponse({"error": {"message": "Unknown parameter: 'n'", "param": "n"}}, 400)
        self.asked.append(body)
        number = len(self.asked)
        text = self.answers[(number - 1) % len(self.answers)]
        part = {"type": "output_text", "text": text, "annotations": []}
        message = {"type": "message", "id": f"msg_{number}", "status": "completed", "role": "assistant"}
        usage = {"input_tokens": 5, "output_tokens": 3, "total_tokens": 8}
        usage |= {
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        }
        response = {
            "id": f"resp_{number}",
            "object": "response",
            "created_at": 1,
            "model": "m",
            "status": "completed",
        }
        response |= {"output": [*self.items, message | {"content": [part]}], "usage": usage}
        response |= {"parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
        if body.get("stream"):
            event = f'data: {{"type": "response.completed", "response": {JSONResponse(response).body.decode()}}}\n\n'
            return StreamingResponse(iter([event]), media_type="text/event-stream")
        return JSONResponse(response)


def client(address: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{address}/v1", api_key="k", max_retries=0)


@cases
@pytest.mark.parametrize("items", [(), (REASONING,)])
def test_the_official_client_gets_calibrated_words(asked, items):
    upstream = Responding(ANSWERS, *items)
    with running(upstream.app) as behind, before(f"{behind}/v1", calibrator()) as address:
        whole = client(address).responses.create(model="m", input=asked)
        with client(address).responses.stream(model="m", input=asked) as stream:
            kinds = [event.type for event in stream]
            streamed = stream.get_final_response()
        last = [*client(address).responses.create(model="m", input=asked, stream=True)][-1]
    for reply in (whole, streamed, last.response):
        assert "Lima" in reply.output_text
        assert reply.ralc["hedge"].lower() in reply.output_text.lower() != "it is lima."
        assert reply.ralc["samples"] == 3
        assert reply.ralc["original"] == "It is Lima."
        assert [item.type for item in reply.output] == [*(item["type"] for item in items), "message"]
        assert reply.usage.total_tokens == 24
    assert kinds[0] == "response.created"
    assert kinds[-1] == "response.completed"
    assert "response.output_text.delta" in kinds
    sent = upstream.asked[0]
    assert sent["input"] == asked
    assert sent["temperature"] == 1.0
    assert "ralc" not in sent
    assert len(upstream.asked) == 9


@cases
def test_what_passes_says_why_and_stays_as_it_came(change, items, calls, reason):
    upstream = Responding(ANSWERS, *items)
    with running(upstream.app) as behind, before(f"{behind}/v1", calibrator()) as address:
        reply = client(address).responses.create(**{**copy.deepcopy(PERU), **change})
        assert len(upstream.asked) == calls
        *_, last = client(address).responses.create(**{**copy.deepcopy(PERU), **change}, stream=True)
    for told in (reply, last.response):
        assert reason in told.ralc["reason"]
        assert told.output_text in ANSWERS
        assert [item.type for item in told.output] == [*(item["type"] for item in items), "message"]
    asked = {**PERU, **{name: value for name, value in change.items() if name != "extra_body"}}
    assert {name: upstream.asked[0].get(name) for name in asked} == asked


def test_parsed_json_has_a_number_for_each_field():
    class Stay(BaseModel):
        days: int

    upstream = Responding(['{"days": 14}', '{"days":14}', '{"days": 21}'])
    with running(upstream.app) as behind, before(f"{behind}/v1", calibrator()) as address:
        reply = client(address).responses.parse(**PERU, text_format=Stay)
    assert reply.output_parsed == Stay(days=14)
    assert reply.ralc["fields"] == {"days": 0.6667}
    assert 0 < reply.ralc["target"] < 1


@pytest.mark.parametrize(
    "content",
    ["[]", "{", '{"input": [[[[', '{"input": 7}', '{"input": []}', '{"text": "x"}', '{"include": 7}'],
)
def test_what_is_no_request_is_refused_or_passes(content):
    with running(Responding().app) as behind, before(f"{behind}/v1", calibrator()) as address:
        headers = {"Content-Type": "application/json"}
        reply = httpx.post(f"{address}/v1/responses", content=content, headers=headers, trust_env=False)
    assert reply.status_code in (200, 400)
    assert ("ralc" in reply.json()) == (reply.status_code == 200)


@cases
@pytest.mark.parametrize("stream", [False, True])
def test_an_upstream_s_response_that_is_none_is_its_error(response, stream):
    content = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + json.dumps(response).encode()
    with saying(content) as (behind, _), before(behind, calibrator()) as address:
        asked = PERU | {"stream": stream}
        reply = httpx.post(f"{address}/v1/responses", json=asked, trust_env=False, timeout=30)
    assert "upstream_error" in reply.text
    assert "ralc failed" not in reply.text


@cases
def test_messages_that_are_none_pass(messages):
    with served(Stub()) as address:
        assert ask(address, {"messages": messages}).json()["ralc"]["reason"] == "it holds more than text"


def test_a_reply_that_comes_back_is_the_model_s_own_words_and_keeps_its_confidence():
    upstream = Responding(["It is Lima.", "Lima.", "It is Cusco."])
    with running(upstream.app) as behind, before(f"{behind}/v1", calibrator()) as address:
        first = client(address).responses.create(**PERU)
        history = [
            {"role": "user", "content": PERU["input"]},
            {"role": "assistant", "content": first.output_text},
        ]
        history += [
            {"type": "reasoning", "id": "rs_1", "summary": []},
            {"role": "user", "content": "Are you sure?"},
        ]
        again = client(address).responses.create(model="m", input=history)
    assert upstream.asked[-1]["input"] == [history[0], {**history[1], "content": "It is Lima."}, *history[2:]]
    assert again.ralc["turn"] == {"number": 2, "kind": "said again"}
    assert again.ralc["target"] == first.ralc["target"]
