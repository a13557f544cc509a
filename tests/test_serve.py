"""`ralc serve` by real clients, in front of stubs, of upstreams with habits, and of the embedded model."""

import asyncio
import gzip
import itertools
import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from urllib.parse import urlsplit

import httpx
import openai
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from ralc.cli.app import main
from ralc.serve import check_upstream
from ralc.serve.application import _chunks, make_app
from ralc.serve.completion import ChatRequest
from ralc.serve.together import Together
from tests.cases import cases
from tests.serving import QUESTION, Stub, ask, before, calibrator, facing, running, saying, served

NOWHERE = "http://127.0.0.1:9/v1"
PASSES = {"ralc": {"calibrate": False}}


@pytest.fixture(scope="module")
def stub() -> Stub:
    return Stub()


@pytest.fixture(scope="module")
def address(stub):
    with served(stub) as found:
        yield found


def client(address: str) -> openai.OpenAI:
    """The official client, which asks once."""
    return openai.OpenAI(base_url=f"{address}/v1", api_key="sk-secret", max_retries=0)


# ---- what a client gets


def test_the_official_client_gets_calibrated_words(stub, address):
    reply = client(address).chat.completions.create(**QUESTION, seed=3)
    told = reply.ralc
    text = reply.choices[0].message.content
    assert "Lima" in text
    assert text != "It is Lima."
    assert told["original"] == "It is Lima."
    assert told["samples"] == 3
    assert told["hedge"].lower() in text.lower()
    expected = calibrator().confidence_of([["It is Lima.", "Lima.", "It is Cusco."]])[1]
    assert told["confidence"] == pytest.approx(float(expected.mean[0]), abs=1e-4)
    assert told["target"] == pytest.approx(float(calibrator().transform(expected).mean[0]), abs=1e-4)
    assert stub.asked[-1]["n"] == 3
    assert stub.asked[-1]["temperature"] == 1.0
    assert stub.keys[-1] == "Bearer sk-secret"
    assert reply.usage.completion_tokens == 9


def test_the_official_client_streams_what_it_would_get_whole(address):
    whole = client(address).chat.completions.create(**QUESTION)
    options = {"stream": True, "stream_options": {"include_usage": True}}
    parts = list(client(address).chat.completions.create(**QUESTION, **options))
    text = "".join(part.choices[0].delta.content or "" for part in parts if part.choices)
    assert text == whole.choices[0].message.content
    assert parts[-1].usage.total_tokens == whole.usage.total_tokens
    assert parts[-2].ralc["calibrated"]


@cases
def test_one_answer_is_one_call_at_the_client_s_temperature(signal, answers, sent):
    stub = Stub(answers)
    body = {**QUESTION, "temperature": 0.2}
    with served(stub, signal, samples=1) as address:
        told = ask(address, body).json()["ralc"]
    assert told["calibrated"] is True
    assert told["samples"] == 1
    assert told["signal"] == signal
    assert stub.asked == [body | sent]


@pytest.mark.model
def test_a_long_reply_says_of_each_sentence_how_sure_it_is():
    said = ["She was born in 1956 in Oslo. She wrote plays.", "Born in Oslo in 1956.", "In 1956 in Oslo."]
    thought = "<think>Who is she?</think>"
    with served(Stub([thought + said[0], *said[1:]]), "support") as address:
        reply = ask(address).json()
        refusal = ask(address, {"ralc": {"style": "range"}})
    text = reply["choices"][0]["message"]["content"]
    ralc = reply["ralc"]
    assert ralc["confidence"][0] > ralc["confidence"][1]
    assert ralc["original"].startswith(thought)
    first, second = ralc["sentences"]
    assert [first["original"], second["original"]] == ["She was born in 1956 in Oslo.", "She wrote plays."]
    assert text[second["start"] : second["end"]].startswith("She wrote plays, ")
    assert refusal.status_code == 400
    assert "of sentences" in refusal.text


@cases
def test_what_cannot_be_calibrated_passes_and_says_why(stub, address, change, reason):
    reply = ask(address, change).json()
    assert reply["ralc"].pop("id")
    assert reply["ralc"] == {"calibrated": False, "reason": reason}
    assert reply["choices"][0]["message"]["content"] in stub.answers
    assert stub.asked[-1] == {key: value for key, value in {**QUESTION, **change}.items() if key != "ralc"}


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({"content": None, "tool_calls": [{"id": "1", "type": "function"}]}, "the model called a tool"),
        ({"content": None, "refusal": "No."}, "the model refused"),
        ({"content": None}, "an answer has no text"),
        ({"content": "It is Lima. " * 2000}, "an answer is too long"),
        ({"content": "I don't know."}, "it abstains"),
        ({"content": "You're welcome."}, "it claims nothing"),
    ],
)
def test_what_the_model_makes_of_it_may_pass_too(message, reason):
    stub = Stub()
    stub.message = {"role": "assistant", **message}
    with served(stub) as address:
        reply = ask(address).json()
    assert reply["ralc"]["calibrated"] is False
    assert reply["ralc"]["reason"] == reason
    assert reply["choices"][0]["message"]["content"] == message["content"]


def test_a_stream_that_is_not_to_be_calibrated_passes(stub, address):
    body = {**QUESTION, "stream": True, "extra_body": PASSES}
    parts = list(client(address).chat.completions.create(**body))
    assert "".join(part.choices[0].delta.content for part in parts).strip() in stub.answers
    reply = ask(address, PASSES | {"stream": True})
    assert reply.text.startswith(": the request says so\n\n")


@pytest.mark.parametrize("choices", [[None], ["x"], [], [{"error": "down"}]])
def test_odd_choices_end_a_stream_as_any_other(choices):
    async def events():
        chat = ChatRequest.read(json.dumps(QUESTION | {"stream": True}).encode())
        return [event async for event in _chunks({"choices": choices, "ralc": {}}, chat)]

    *_, end, done = asyncio.run(events())
    assert b'"finish_reason": "stop"' in end
    assert done == b"data: [DONE]\n\n"


# ---- upstreams as they are: each public case and its variants

MEANINGS = "semantic_uncertainty"


@cases
def test_an_upstream_with_a_habit(mode, signal, body, samples, outcome, calls):
    with facing(mode, signal, samples=9) as (address, habit):
        reply = ask(address, body)
    told = reply.json()["ralc"]
    assert reply.status_code == 200
    assert told.get("samples") == samples
    assert told.get("failed", 0) == (samples is not None and 9 - samples)
    assert outcome in told["reason"] + reply.json()["choices"][0]["message"]["content"]
    assert len(habit.asked) == calls


def test_what_is_refused_is_remembered_by_model_and_said_once(capsys):
    with facing("noboth", samples=3) as (address, habit):
        for model in ("a", "a", "b"):
            ask(address, {"model": model, "top_p": 0.9})
    assert [asked["model"] for asked in habit.asked].count("a") == 5 + 3
    said = capsys.readouterr().err
    for model in "ab":
        for name in ("no such n", "no such temperature"):
            assert len(re.findall(rf"\({model}\): .*{name}", said)) == 1


def test_seeds_are_the_client_s_where_it_has_one():
    with facing("plain", samples=4) as (address, habit):
        for body in ({"seed": 7}, {}, {}):
            ask(address, body)
    seeds = [asked.get("seed") for asked in habit.asked]
    assert (seeds[0], sorted(seeds[1:5])) == (7, [7, 8, 9, 10])
    assert len(set(seeds[5:])) == 8


@pytest.mark.parametrize("body", [{}, PASSES], ids=["calibrated", "passed"])
def test_a_stream_stays_alive_while_the_upstream_is_slow(body, monkeypatch):
    monkeypatch.setattr("ralc.serve.application.COMMENT_EVERY_S", 0.2)
    with facing("slow", samples=2) as (address, _):
        begun = time.monotonic()
        times = []
        text = ""
        with httpx.stream(
            "POST",
            f"{address}/v1/chat/completions",
            json={**QUESTION, "stream": True, **body},
            timeout=30,
            trust_env=False,
        ) as reply:
            head = time.monotonic() - begun
            for part in reply.iter_text():
                times.append(time.monotonic() - begun)
                text += part
    assert head < 1.5
    assert max(later - earlier for earlier, later in itertools.pairwise(times)) < 2
    assert text.count(": ralc is waiting\n\n") >= 3
    assert text.endswith("data: [DONE]\n\n")


def test_an_error_of_a_stream_that_has_begun_is_its_last_event():
    with (
        facing("slow_then_error") as (address, _),
        pytest.raises(openai.APIError, match="overloaded"),
    ):
        list(client(address).chat.completions.create(**QUESTION, stream=True))
    with served(Stub(), key="k") as address, pytest.raises(openai.AuthenticationError):
        client(address).chat.completions.create(**QUESTION, stream=True)


# ---- upstreams that break


def wire(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    """A reply as it goes over the wire."""
    lines = [f"HTTP/1.1 {status}", "Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, *headers, "", ""]).encode("latin-1") + body


def three(choice: str) -> bytes:
    """A reply of three choices."""
    return ('{"choices": [' + ", ".join([choice] * 3) + "]}").encode()


SAID = '{"message": {"content": "It is Lima."}, "finish_reason": "stop"%s}'
FAULTS = {
    "own error": (wire(b'{"error": {"message": "no such model"}}', status="404 No"), 404, "no such model"),
    "error page": (wire(b"<html>", status="503 No"), 503, "the upstream answered 503"),
    "not json": (wire(b"hello"), 502, "not JSON"),
    "list": (wire(b"[1]"), 502, "has no choices"),
    "deep": (wire(b"[" * 100_000), 502, "not JSON"),
    "no number": (wire(three(SAID % ', "x": 1e999')), 502, "not JSON"),
    "no choices": (wire(b'{"choices": []}'), 502, "has no choices"),
    "odd choice": (wire(b'{"choices": [{"text": "x"}]}'), 502, "has no message"),
    "cut": (wire(three(SAID % ""))[:-9], 502, "broke off"),
    "status 600": (wire(b"{}", status="600 Odd"), 502, "answered 600"),
    "moved": (wire(b"{}", "Location: http://127.0.0.1:1/", status="302 Found"), 502, "answered 302"),
    "gone": (b"", 502, "broke off"),
    "no http": (b"hello\r\n\r\n", 502, "broke off"),
    "bomb": (wire(gzip.compress(b" " * 9_000_000), "Content-Encoding: gzip"), 502, "not JSON"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_an_upstream_that_breaks_is_an_error_in_the_schema(name, caplog, eager):
    content, status, message = FAULTS[name]
    with saying(content) as (behind, _), before(behind) as address:
        reply = ask(address)
    assert reply.status_code == status
    assert message in reply.json()["error"]["message"]
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_an_upstream_that_is_large_slow_or_gone():
    with served(Stub(["x" * 3_400_000])) as address:
        assert "larger than 10000000 bytes" in ask(address).json()["error"]["message"]
    with served(Stub(seconds=2), timeout_s=0.2) as address:
        assert ask(address).status_code == 504
    with before(NOWHERE) as address:
        reply = ask(address, headers={"Authorization": "Bearer sk-secret"})
    assert reply.status_code == 502
    assert "cannot be reached" in reply.text
    assert "sk-secret" not in reply.text


async def _broken():
    yield b'data: {"choices": []}\n\ndata: {"choi'
    raise ConnectionError


async def _endless():
    while True:
        yield b"x" * 100_000
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("stream", "said"), [(_broken, "broke off"), (_endless, "larger than 2000000 bytes")]
)
def test_a_stream_that_breaks_or_never_ends_ends_in_an_error_event(stream, said, monkeypatch):
    monkeypatch.setattr("ralc.serve.upstream.LARGEST_STREAM", 2_000_000)
    stub = Stub()
    stub.fault = StreamingResponse(stream(), media_type="text/event-stream")
    with served(stub) as address:
        reply = ask(address, PASSES | {"stream": True})
    assert said in json.loads(reply.text.strip().rpartition("data: ")[2])["error"]["message"]


# ---- callers who are odd, many, slow, gone or strangers


BAD = [b"not json", b"[]", b'{"messages": "hello"}', b'{"messages": []}', b"[" * 100_000]
BAD += [
    b'{"messages": [{}], %s}' % one
    for one in (b'"x": 1e999', b'"ralc": {"colour": 1}', b'"ralc": {"style": "song"}')
]


@pytest.mark.parametrize("content", [*BAD, b"x" * 2_000_000])
def test_a_bad_request_is_refused_in_the_schema(content, monkeypatch):
    monkeypatch.setattr("ralc.serve.application.LARGEST_BODY", 1_000_000)
    with before(NOWHERE) as address:
        path = f"{address}/v1/chat/completions"
        kind = {"Content-Type": "application/json"}
        reply = httpx.post(path, content=content, headers=kind, trust_env=False)
    assert reply.status_code == (400 if content in BAD else 413)
    assert reply.json()["error"]["type"] == "invalid_request_error"


def connected(address: str, content: bytes) -> socket.socket:
    """A connection on which something was sent."""
    parts = urlsplit(address)
    connection = socket.create_connection((parts.hostname, parts.port), timeout=5)
    connection.sendall(content)
    return connection


HEAD = (
    b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: %d\r\n\r\n"
)


def test_who_sends_half_a_body_locks_nobody_out_and_is_sent_away(monkeypatch):
    monkeypatch.setattr("ralc.serve.application.BODY_TIMEOUT_S", 0.4)
    with served(Stub()) as address:
        waiting = [connected(address, HEAD % 1000 + b"{") for _ in range(20)]
        assert ask(address).json()["ralc"]["calibrated"]
        assert all(b" 408 " in connection.recv(10_000) for connection in waiting)


def test_a_client_that_hangs_up_ends_its_questions_to_the_upstream():
    stub = Stub()
    ended = []

    async def slow(request):
        stub.asked.append(await request.json())
        while not await request.is_disconnected():
            await asyncio.sleep(0.02)
        ended.append(True)
        return Response("{}")

    stub.complete = slow
    with served(stub) as address:
        for stream in (b"false", b"true"):
            body = json.dumps(QUESTION).encode()[:-1] + b', "stream": %s}' % stream
            with connected(address, HEAD % len(body) + body):
                _wait_for(lambda: len(stub.asked) > len(ended))
            _wait_for(lambda: len(stub.asked) == len(ended))
        _wait_for(lambda: httpx.get(f"{address}/v1/models", trust_env=False).status_code == 200)


def _wait_for(happened):
    """Wait until something has happened, ten seconds at most."""
    until = time.monotonic() + 10
    while not happened() and time.monotonic() < until:
        time.sleep(0.02)
    assert happened()


@cases
def test_on_loopback_only_loopback_is_answered(address, host, status):
    assert httpx.get(f"{address}/v1/models", headers={"Host": host}, trust_env=False).status_code == status


def test_a_page_elsewhere_cannot_ask_by_a_form(address):
    for path in ("chat/completions", "embeddings"):
        for kind in ("text/plain", "application/x-www-form-urlencoded"):
            reply = httpx.post(
                f"{address}/v1/{path}", content="{}", headers={"Content-Type": kind}, trust_env=False
            )
            assert reply.status_code == 415
            assert reply.json()["error"]["type"] == "invalid_request_error"


def test_a_key_of_its_own():
    with served(Stub(), key="own-key") as address:
        for headers in ({}, {"X-Ralc-Key": "own"}, {"X-Ralc-Key": "own-keyé".encode()}):
            reply = ask(address, headers=headers)
            assert reply.status_code == 401
            assert reply.json()["error"]["type"] == "invalid_request_error"
        assert ask(address, headers={"X-Ralc-Key": "own-key"}).json()["ralc"]["calibrated"]
        assert httpx.get(f"{address}/healthz", trust_env=False).status_code == 200


@pytest.mark.parametrize("stream", [False, True])
def test_one_caller_s_session_is_not_another_s(stream):
    inner = Stub()
    cookies = []

    async def answer(request: Request) -> Response:
        cookies.append(request.headers.get("cookie"))
        if request.headers.get("authorization") != "Bearer k" and not request.cookies.get("session"):
            return JSONResponse({"error": {"message": "no key"}}, 401)
        reply = await inner.complete(request)
        reply.set_cookie("session", "k")
        return reply

    app = Starlette(routes=[Route("/v1/chat/completions", answer, methods=["POST"])])
    body = PASSES | {"stream": stream}
    with running(app) as behind, before(f"{behind}/v1") as address:
        first = ask(address, body, headers={"Authorization": "Bearer k", "Cookie": "mine=1"})
        second = ask(address, body)
    assert (first.status_code, second.status_code) == (200, 401)
    assert "set-cookie" not in first.headers
    assert cookies == [None, None]


def test_headers_pass_byte_for_byte():
    told = wire(three(SAID % ""), "X-New: 1", "Set-Cookie: s=1", "X-Request-Id: é")
    with saying(told) as (behind, asked), before(behind) as address:
        headers = {b"Authorization": "Bearer clé".encode(), b"X-Odd": b"\xff", b"X-Ralc-Key": b"k"}
        reply = ask(address, headers=list(headers.items()))
    assert dict(reply.headers.raw)[b"x-request-id"] == b"\xe9"
    assert reply.headers["x-new"] == "1"
    head = asked[0].partition(b"\r\n\r\n")[0].lower()
    assert "authorization: bearer clé".encode() in head
    assert b"x-odd: \xff" in head
    assert b"x-ralc-key" not in head


def test_what_waits_is_done_together_and_what_fails_fails_alone():
    begun, free = threading.Event(), threading.Event()
    came = []

    def work(jobs):
        came.append(jobs)
        begun.set()
        free.wait(10)
        return [60 // job for job in jobs]

    async def all_of(hand):
        first = asyncio.ensure_future(hand.made_of(1))
        await asyncio.to_thread(begun.wait, 10)
        others = [asyncio.ensure_future(hand.made_of(job)) for job in (2, 0, 3, 4)]
        await asyncio.sleep(0)
        others.pop().cancel()
        asyncio.get_running_loop().call_soon(free.set)
        return await asyncio.gather(first, *others, return_exceptions=True)

    one, two, error, three = asyncio.run(all_of(Together(work)))
    assert (one, two, three) == (60, 30, 20)
    assert isinstance(error, ZeroDivisionError)
    assert [jobs for jobs in came if jobs] == [[1], [2, 0, 3], [2], [0], [3]]


# ---- what is not chat


async def _echo(request: Request) -> Response:
    """Method, path, query, headers and body of a request."""
    told = {"method": request.method, "path": request.scope["raw_path"].decode()}
    told |= {"query": request.scope["query_string"].decode(), "headers": dict(request.headers)}
    choices = [{"index": 0, "message": {"content": "It is Lima."}, "finish_reason": "stop"}] * 3
    return JSONResponse(
        {**told, "body": (await request.body()).decode(), "choices": choices}, 207, {"X-Mine": "1"}
    )


ECHO = Starlette(routes=[Route("/{path:path}", _echo, methods=["GET", "POST", "DELETE", "OPTIONS"])])


@cases
def test_other_paths_go_through_unchanged(method, path):
    content = b'{"input": [1.50,  2e0],"stream":false}' if method == "POST" else b""
    headers = {"Authorization": "Bearer k", "Connection": "X-Hop", "X-Hop": "1", "Cookie": "c=1"}
    headers |= {"Content-Type": "application/json"} if content else {}
    with running(ECHO) as behind, before(f"{behind}/v1?api-version=1") as address:
        reply = httpx.request(
            method, f"{address}{path}?a=%20", content=content, headers=headers, trust_env=False
        )
    told = reply.json()
    assert told["method"] == method
    assert told["path"] == path
    assert told["query"] == "api-version=1&a=%20"
    assert told["body"].encode() == content
    assert told["headers"]["authorization"] == "Bearer k"
    assert not {"cookie", "x-hop"} & told["headers"].keys()
    assert reply.status_code == 207
    assert reply.headers["x-mine"] == "1"


@pytest.mark.parametrize(
    "path", ["/v1/../admin", "/v1/%2e%2e/admin", "/v1/x/..%2f..%2fadmin", "/v1/..\\admin"]
)
def test_no_path_leads_out_of_the_upstream(address, path):
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    assert connected(address, request).recv(10_000).startswith(b"HTTP/1.1 400")


# ---- what is served, and how


@pytest.mark.parametrize(
    ("fitted", "settings", "message"),
    [
        (calibrator("score"), {}, "fitted on score, and no upstream gives it"),
        (calibrator("p_true"), {}, "fitted on p_true, and no upstream gives it"),
        (
            calibrator(),
            {"samples": 1},
            "semantic_uncertainty compares several answers",
        ),
        (calibrator(MEANINGS, asked=10), {"samples": 3}, "--samples 3: .* was fitted on 10 answer"),
        (calibrator("perplexity", asked=10), {"samples": 1}, "--samples 1: .* was fitted on 10 answer"),
        (calibrator(), {"upstream": "http://me:secret@a/v1"}, "without user name or query"),
    ],
)
def test_a_calibrator_that_cannot_be_served_so_is_refused(fitted, settings, message):
    with pytest.raises(ValueError, match=message):
        make_app(fitted, **{"upstream": NOWHERE} | settings)


def test_the_command_says_that_it_serves_once_it_does(tmp_path, capsys):
    calibrator(MEANINGS, asked=7).save(tmp_path / "cal.json")
    command = ["serve", "--calibrator", str(tmp_path / "cal.json")]
    command += ["--upstream", "http://127.0.0.1:1/v1?key=k", "--no-check"]
    for wrong, message in (
        (["--port", "99999"], "65535"),
        (["--key-env", "RALC_NO_SUCH_KEY"], "RALC_NO_SUCH_KEY"),
    ):
        with pytest.raises(SystemExit):
            main([*command, *wrong])
        assert message in capsys.readouterr().err
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SystemExit):
            main([*command, "--port", str(port)])
    assert (
        f"ralc: nobody can listen at 127.0.0.1:{port}: Address already in use; stop what"
        in capsys.readouterr().err
    )
    program = [sys.executable, "-c", "from ralc.cli.app import main; main()"]
    options = ["--port", str(port), "--host", "0.0.0.0"]
    process = subprocess.Popen([*program, *command, *options], stderr=subprocess.PIPE, text=True)
    try:
        said = "".join(
            iter(
                process.stderr.readline,
                f"INFO:     Uvicorn running on http://0.0.0.0:{port} (Press CTRL+C to quit)\n",
            )
        )
        assert "promises nothing: it was not evaluated\n" in said
        assert "serves /v1, before http://127.0.0.1:1/v1\n" in said
        assert "open to other machines, without a key of its own" in said
        models = f"http://127.0.0.1:{port}/v1/models?key=secret"
        assert httpx.get(models, trust_env=False).status_code == 502
        said = process.stderr.readline()
        assert said.startswith("GET /v1/models: 502, the upstream cannot be reached")
        assert said.endswith("; upstream http://127.0.0.1:1/v1\n")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
    finally:
        process.kill()
    assert process.returncode in (0, -signal.SIGTERM)


@cases
def test_what_would_fail_later_ends_the_start(tmp_path, capsys, monkeypatch, path, options, code, told):
    import uvicorn

    monkeypatch.setattr(uvicorn, "run", lambda *_, **__: sys.exit(code))
    calibrator(MEANINGS, asked=7).save(tmp_path / "cal.json")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with running(Stub().app) as behind:
        free = ["--host", "10.255.255.1"] if options else ["--port", str(port)]
        command = ["serve", "--calibrator", str(tmp_path / "cal.json"), "--upstream", behind + path]
        with pytest.raises(SystemExit) as stopped:
            main([*command, *free, *options])
    assert stopped.value.code == code
    assert told.format(behind) in capsys.readouterr().err


@pytest.mark.parametrize("behind", ["http://127.0.0.1:1/v1", "http://nowhere.invalid/v1"])
def test_an_upstream_that_is_not_there_ends_the_start(behind):
    with pytest.raises(
        ValueError, match=f"--upstream {behind} cannot be reached .ConnectError.: is it running"
    ):
        check_upstream(f"{behind}?key=k")


@cases
@pytest.mark.parametrize("taken", [check_upstream, lambda address: make_app(calibrator(), address)])
def test_an_upstream_that_is_no_address_is_named(taken, address, named):
    told = re.escape(named) + ".*, without user name or query: .* or embedded, ralc's own model$"
    with pytest.raises(ValueError, match=told):
        taken(address)


def test_each_error_is_said_with_the_address_and_without_a_key(caplog):
    body = {"error": {"message": "Incorrect API key provided: sk-secret"}}
    stub = Stub()
    with served(stub, key="door-key") as address:
        ask(address, headers={"X-Ralc-Key": "wrong-key"})
        stub.fault = JSONResponse(body, 401)
        for path in ("chat/completions", "nothing?api_key=sk-secret"):
            headers = {"X-Ralc-Key": "door-key", "Authorization": "Bearer sk-secret"}
            httpx.post(f"{address}/v1/{path}", json=QUESTION, headers=headers, trust_env=False)
        stream = ask(address, {"stream": True}, headers={"X-Ralc-Key": "door-key"}).text
    assert "sk-secret" in stream  # the client's own affair
    said = [record.getMessage() for record in caplog.records if record.name == "ralc.serve"]
    told = ["401, refused here", "401, the upstream answered 401", "404, as the upstream says"]
    for line, expected in zip(said, [*told, told[1]], strict=True):
        assert expected in line
        assert re.search(r"^POST /v1/(chat/completions|nothing): .*; upstream http://127.0.0.1:\d+/v1$", line)


def test_two_workers_answer_from_one_port(tmp_path):
    calibrator(MEANINGS, asked=3).save(tmp_path / "cal.json")
    with running(Stub().app) as behind:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        command = ["serve", "--calibrator", str(tmp_path / "cal.json"), "--upstream", f"{behind}/v1"]
        program = (
            f"from ralc.cli.app import main; main({[*command, '--port', str(port), '--workers', '2']!r})"
        )
        process = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True)
        try:
            ready = 0
            while ready < 2:
                ready += "Application startup complete" in process.stderr.readline()
            assert ask(f"http://127.0.0.1:{port}").json()["ralc"]["calibrated"]
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=30)


@pytest.mark.long
@pytest.mark.model
def test_the_command_serves_the_embedded_model_to_the_official_client(tmp_path):
    calibrator(MEANINGS, asked=3).save(tmp_path / "cal.json")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    command = ["serve", "--calibrator", str(tmp_path / "cal.json")]
    command += ["--upstream", "embedded", "--port", str(port)]
    program = f"from ralc.cli.app import main; main({command!r})"
    process = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True)
    asked = {"model": "any", "max_tokens": 24}
    asked["messages"] = [{"role": "user", "content": "What is the capital of France? One short sentence."}]
    try:
        while "Uvicorn running" not in process.stderr.readline():
            pass
        completions = client(f"http://127.0.0.1:{port}").chat.completions
        assert "calibrated" in completions.create(**asked).ralc
        assert sum(hasattr(part, "ralc") for part in completions.create(**asked, stream=True)) == 1
    finally:
        process.kill()
        process.communicate()
