"""`ralc serve` before upstreams that break or bomb, and for callers who are slow, many, or gone."""

import asyncio
import gzip
import json
import logging
import socket
import time
from urllib.parse import urlsplit

import httpx
import pytest
from starlette.responses import Response, StreamingResponse

from ralc.serve.calibrating import Calibrating
from ralc.serve.sending import parsed
from tests.serving import QUESTION, Stub, before, counted, hanging_up, post, saying, served

STREAM = {**QUESTION, "stream": True, "ralc": {"wait": False}}


def http(body: bytes, *headers: bytes, status: bytes = b"200 OK") -> bytes:
    """A reply as it goes over the wire."""
    lines = [
        b"HTTP/1.1 " + status,
        b"Content-Type: application/json",
        b"Content-Length: %d" % len(body),
        *headers,
    ]
    return b"\r\n".join([*lines, b"", body])


def reply_with(choice: str) -> bytes:
    """A reply of three choices."""
    return ('{"choices": [' + ", ".join([choice] * 3) + "]}").encode()


SAID = '{"message": {"content": "It is Lima."}, "finish_reason": "stop"%s}'


def test_a_bomb_is_not_unpacked():
    bomb = gzip.compress(gzip.compress(b" " * 9_000_000))
    packed = http(bomb, b"Content-Encoding: gzip, gzip")
    with saying(packed) as (upstream, _), before(upstream) as address:
        for body in (QUESTION, STREAM):
            reply = post(address, body)
            assert (reply.status_code, "compressed" in reply.text) == (502, True)
        # On any other path it is the client's own, who asked for it.
        with httpx.stream("GET", f"{address}/v1/models", trust_env=False) as passed:
            assert b"".join(passed.iter_raw()) == bomb


def test_large_answers_are_refused_and_long_ones_pass():
    stub = Stub(answers=["x" * 1_100_000])
    with served(stub) as address:
        assert "larger than 3000000 bytes" in post(address, QUESTION).json()["error"]["message"]
        stub.answers = ("It is Lima. " * 2000,)
        assert post(address, QUESTION).json()["ralc"]["reason"] == "an answer is too long"


async def _long_line():
    for _ in range(80):
        yield b"x" * 1_000_000


async def _broken():
    yield b'data: {"choices": []}\n\ndata: {"choi'
    raise ConnectionError


@pytest.mark.parametrize(
    ("stream", "said"),
    [(_long_line, "has a line of more than"), (_broken, "broke off (RemoteProtocolError)")],
)
def test_a_stream_that_breaks_or_never_ends_a_line_ends_in_an_error_event(stream, said):
    stub = Stub()
    with served(stub) as address:
        stub.fault = StreamingResponse(stream(), media_type="text/event-stream")
        begun = time.process_time()
        reply = post(address, STREAM)
        assert time.process_time() - begun < 4
        last = json.loads(reply.text.strip().rpartition("data: ")[2])
        assert said in last["error"]["message"]
        assert 'outcome="failed",reason="502"} 1' in counted(address)
        assert "ralc_in_flight 0" in counted(address)


def test_a_stream_may_not_go_on_for_ever():
    stub = Stub()
    with served(stub, largest_stream=2_000_000) as address:
        stub.fault = StreamingResponse(_long_line(), media_type="text/event-stream")
        reply = httpx.post(
            f"{address}/v1/chat/completions", json=QUESTION | {"stream": True}, trust_env=False
        )
        assert "502" in counted(address) or reply.status_code == 502
        asked = httpx.post(f"{address}/v1/chat/completions", json=STREAM, trust_env=False)
        assert len(asked.content) < 3_000_000


def connected(address: str, content: bytes) -> socket.socket:
    """A connection on which something was sent."""
    parts = urlsplit(address)
    connection = socket.create_connection((parts.hostname, parts.port), timeout=5)
    connection.sendall(content)
    return connection


HALF = {
    "headers": b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n",
    "nothing": b"",
    "body": b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: 1000\r\n\r\n{",
    "body elsewhere": b"POST /v1/embeddings HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{",
    "second": b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /healthz HTTP/1.1\r\nHost:",
}


@pytest.mark.parametrize("name", HALF)
def test_who_sends_half_a_request_locks_nobody_out_and_is_sent_away(name):
    with served(Stub(), concurrency=4, patience_s=0.4) as address:
        waiting = [connected(address, HALF[name]) for _ in range(20)]
        assert post(address, QUESTION).json()["ralc"]["calibrated"]
        for connection in waiting:
            connection.settimeout(3)
            said = b""
            while part := connection.recv(10_000):
                said += part
            assert (b" 408 " in said) == ("body" in name)


def test_who_takes_nothing_is_sent_away():
    stub = Stub()

    async def models(_) -> Response:
        return Response(b"x" * 30_000_000)

    stub.models = models
    with served(stub, patience_s=0.4) as address:
        connection = connected(address, b"GET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for in_flight in (1, 0):
            end = time.monotonic() + 10
            while f"ralc_in_flight {in_flight}" not in counted(address):
                assert time.monotonic() < end
                time.sleep(0.02)
        connection.close()


def test_every_question_to_the_upstream_takes_a_turn():
    async def load(address: str) -> list[int]:
        async with httpx.AsyncClient(base_url=address, timeout=60, trust_env=False) as client:
            chats = [
                asyncio.ensure_future(client.post("/v1/chat/completions", json=QUESTION)) for _ in range(2)
            ]
            await asyncio.sleep(0.2)
            models = await client.get("/v1/models")
            return [models.status_code, *(reply.status_code for reply in await asyncio.gather(*chats))]

    with served(Stub(seconds=0.6), concurrency=2) as address:
        assert asyncio.run(load(address)) == [429, 200, 200]


ODD = {
    "no number": http(reply_with(SAID % ', "x": 1e999')),
    "many digits": http(reply_with(SAID % (', "logprobs": {"content": [{"logprob": -' + "9" * 400 + "}]}"))),
    "status 600": http(b"{}", status=b"600 Odd"),
    "moved": http(b"{}", b"Location: http://127.0.0.1:1/", status=b"302 Found"),
    "empty": b"",
    "no http": b"hello\r\n\r\n",
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("body", [QUESTION, STREAM], ids=["waits", "passes"])
def test_an_odd_upstream_is_an_error_in_the_schema_and_none_of_ours(name, body, caplog):
    with saying(ODD[name]) as (upstream, _), before(upstream, "token_probability") as address:
        reply = post(address, body)
        if body is STREAM and name in ("no number", "many digits"):
            assert reply.status_code == 200  # no stream of events: it passes as it comes
        else:
            assert (reply.status_code, reply.json()["error"]["type"]) == (502, "upstream_error")
            assert 'ralc_requests_total{outcome="failed",reason="502"} 1' in counted(address)
    assert not caplog.records


def test_headers_pass_byte_for_byte():
    told = http(
        reply_with(SAID % ""),
        "X-Request-Id: é-☃".encode(),
        b"X-New: 1",
        b"Set-Cookie: s=1",
        b"Connection: close",
    )
    with saying(told) as (upstream, asked), before(upstream) as address:
        headers = {
            b"Authorization": "Bearer clé".encode(),
            b"X-Odd": b"\xff",
            b"Cookie": b"mine",
            b"X-Ralc-Key": b"k",
        }
        reply = post(address, QUESTION, headers=list(headers.items()))
    assert reply.json()["ralc"]["calibrated"]
    sent = dict(reply.headers.raw)
    assert (sent[b"x-request-id"], sent[b"x-new"]) == ("é-☃".encode(), b"1")
    assert b"set-cookie" not in sent
    head = asked[0].partition(b"\r\n\r\n")[0].lower()
    assert "authorization: bearer clé".encode() in head
    assert b"x-odd: \xff" in head
    assert b"cookie" not in head
    assert b"x-ralc-key" not in head


def test_what_nobody_thought_of_is_one_line_of_the_log_without_its_words(monkeypatch, caplog):
    async def break_down(*_):
        raise KeyError("It is Lima.")

    monkeypatch.setattr(Calibrating, "reply", break_down)
    with served(Stub()) as address, caplog.at_level(logging.INFO, "ralc.serve"):
        reply = post(address, QUESTION)
        assert (reply.status_code, reply.json()["error"]["message"]) == (500, "ralc failed on it (KeyError)")
        assert 'outcome="failed",reason="500"} 1' in counted(address)
    (line,) = [record.getMessage() for record in caplog.records]
    assert "KeyError in " in line
    assert "Lima" not in line + str(caplog.records[0].exc_info)
    assert "\n" not in line


def _wait_for(happened):
    """Wait until something has happened, ten seconds at most."""
    until = time.monotonic() + 10
    while not happened and time.monotonic() < until:
        time.sleep(0.02)
    assert happened


def test_a_client_that_hangs_up_ends_its_questions_to_the_upstream():
    stub = Stub(seconds=1.5, takes_n=False)
    ended = []

    async def slow(request):
        stub.asked.append(await request.json())
        try:
            while not await request.is_disconnected():
                await asyncio.sleep(0.02)
        finally:
            ended.append(True)
        return Response("{}")

    stub.complete = slow
    with served(stub) as address:
        body = json.dumps(QUESTION).encode()
        head = HALF["body"].replace(b"1000", b"%d" % len(body)).removesuffix(b"{")
        with connected(address, head + body):
            _wait_for(stub.asked)
        _wait_for(ended)
        assert 'outcome="failed",reason="499"} 1' in counted(address)
        assert "ralc_in_flight 0" in counted(address)


def test_a_fresh_connection_that_closes_is_not_asked_twice():
    with saying(b"") as (upstream, asked), before(upstream) as address:
        assert post(address, QUESTION).status_code == 502
    assert len(asked) == 1
    with hanging_up() as upstream, before(upstream) as address:
        assert [post(address, QUESTION).status_code for _ in range(3)] == [200] * 3


def test_what_was_filtered_counts_as_cut_off():
    with (
        saying(http(reply_with(SAID.replace("stop", "content_filter") % ""))) as (upstream, _),
        before(upstream) as address,
    ):
        assert post(address, QUESTION).json()["ralc"] == {
            "calibrated": False,
            "reason": "the answer was cut off",
        }


def test_json_from_anybody():
    assert parsed(b'{"a": [1, -2.5e3, true]}') == {"a": [1, -2500.0, True]}
    assert parsed(json.dumps(["{[" * 40_000]).encode())  # a text may have as many brackets
    for bad in (b"NaN", b"-Infinity", b"1e999", b"9" * 400, b"[" * 90_000, b"[" + b"[]," * 300_000 + b"[]]"):
        with pytest.raises(ValueError, match=r"."):
            parsed(bad)
