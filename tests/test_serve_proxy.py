"""`ralc serve` as a proxy: what is not chat passes as it is; and at its door."""

import json
import logging
import os
import signal
import socket
import subprocess
import sys

import httpx
import openai
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ralc.cli.app import main
from ralc.serve.limits import ServeSettings
from tests.serving import QUESTION, Stub, before, calibrator, counted, post, running, served


class Echo:
    """An upstream that says what it was asked."""

    @property
    def app(self) -> Starlette:
        """The application."""
        methods = ["GET", "POST", "DELETE", "PUT", "PATCH", "OPTIONS"]
        return Starlette(routes=[Route("/{path:path}", self.answer, methods=methods)])

    async def answer(self, request: Request) -> Response:
        """Method, path, query, headers and body of a request."""
        asked = {
            "method": request.method,
            "path": request.scope["raw_path"].decode(),
            "query": request.scope["query_string"].decode(),
            "headers": dict(request.headers),
            "body": (await request.body()).decode(),
            "choices": [{"index": 0, "message": {"content": "It is Lima."}, "finish_reason": "stop"}] * 3,
        }
        odd = "odd" in asked["path"]
        return JSONResponse(asked, 207, {"X-Mine": "1", "Set-Cookie": "a=b"}) if odd else JSONResponse(asked)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v1/embeddings"),
        ("POST", "/v1/completions"),
        ("POST", "/v1/responses"),
        ("GET", "/v1/models/org%2Fname%20x"),
        ("GET", "/v1/chat/completions"),
        ("DELETE", "/v1/files/odd"),
        ("OPTIONS", "/v1/x"),
    ],
)
def test_other_paths_go_through_unchanged(method, path):
    content = b'{"input": [1.50,  2e0],"stream":false}' if method == "POST" else b""
    headers = {
        "Authorization": "Bearer k",
        "X-New": "yes",
        "Connection": "X-Hop",
        "X-Hop": "1",
        "Cookie": "c=1",
    }
    headers |= {"Content-Type": "application/json"} if content else {}
    with running(Echo().app) as behind, before(f"{behind}/v1") as address:
        reply = httpx.request(
            method, f"{address}{path}?a=1&b=%20", content=content, headers=headers, trust_env=False
        )
        assert 'outcome="relayed",reason=""} 1' in counted(address)
    told = reply.json()
    assert (told["method"], told["path"], told["query"]) == (method, path, "a=1&b=%20")
    assert told["body"].encode() == content
    assert (told["headers"]["authorization"], told["headers"]["x-new"]) == ("Bearer k", "yes")
    assert not {"cookie", "x-hop"} & told["headers"].keys()
    assert (reply.status_code, reply.headers.get("x-mine")) == ((207, "1") if "odd" in path else (200, None))
    assert "set-cookie" not in reply.headers
    assert len(reply.headers.get_list("date")) == 1


def test_an_upstream_s_query_goes_with_every_request_and_is_said_nowhere(tmp_path):
    with running(Echo().app) as behind, before(f"{behind}/deployments/d/v1?api-version=1&key=k") as address:
        told = post(address, QUESTION).json()
        assert (told["path"], told["query"]) == ("/deployments/d/v1/chat/completions", "api-version=1&key=k")
        told = httpx.get(f"{address}/v1/models?limit=2", trust_env=False).json()
        assert (told["path"], told["query"]) == ("/deployments/d/v1/models", "api-version=1&key=k&limit=2")
    assert ServeSettings("http://a/v1?key=k").address == "http://a/v1"


OUT = ["/v1/../admin", "/v1/%2e%2e/admin", "/v1/x/..%2f..%2fadmin", "/v1/..\\admin", "/v1/%2E%2E"]


@pytest.mark.parametrize("path", OUT)
def test_no_path_leads_out_of_the_upstream(path):
    with running(Echo().app) as behind, before(f"{behind}/v1") as address:
        parts = httpx.URL(address)
        with socket.create_connection((parts.host, parts.port)) as connection:
            connection.sendall(
                f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
            )
            said = b""
            while part := connection.recv(10_000):
                said += part
    assert said.startswith(b"HTTP/1.1 400")


def test_the_official_client_s_other_calls():
    with running(Echo().app) as behind, before(f"{behind}/v1") as address:
        client = openai.OpenAI(base_url=f"{address}/v1", api_key="k", max_retries=0)
        raw = client.embeddings.with_raw_response.create(model="m", input="x")
        assert json.loads(raw.text if isinstance(raw.text, str) else raw.text())["path"] == "/v1/embeddings"
        raw = client.files.with_raw_response.create(file=b"{}", purpose="batch")
        assert raw.status_code == 200


@pytest.mark.parametrize(
    ("host", "answered"),
    [
        ("localhost:8080", True),
        ("127.0.0.1", True),
        ("[::1]:80", True),
        ("evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("localhost@evil.example", False),
        ("[", False),
    ],
)
def test_on_loopback_only_loopback_is_answered(host, answered):
    with running(Echo().app) as behind, before(f"{behind}/v1") as address:
        reply = httpx.get(f"{address}/v1/models", headers={"Host": host}, trust_env=False)
        assert reply.status_code == (200 if answered else 421)
    with running(Echo().app) as behind, before(f"{behind}/v1", host="0.0.0.0") as address:
        assert (
            httpx.get(f"{address}/v1/models", headers={"Host": "ralc.example"}, trust_env=False).status_code
            == 200
        )


def test_a_page_elsewhere_cannot_ask_by_a_form():
    with running(Echo().app) as behind, before(f"{behind}/v1") as address:
        for path in ("chat/completions", "embeddings"):
            for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
                headers = {"Content-Type": kind} if kind else {}
                content = json.dumps(QUESTION)
                reply = httpx.post(f"{address}/v1/{path}", content=content, headers=headers, trust_env=False)
                assert (reply.status_code, reply.json()["error"]["type"]) == (415, "invalid_request_error")
        kind = {"Content-Type": "application/json; charset=utf-8"}
        assert (
            httpx.post(f"{address}/v1/embeddings", content="{}", headers=kind, trust_env=False).status_code
            == 200
        )


def test_a_key_of_its_own():
    with served(Stub(), key="own-key") as address:
        for headers in ({}, {"X-Ralc-Key": "own"}, {"X-Ralc-Key": "own-keyé".encode()}):
            reply = post(address, QUESTION, headers=headers)
            assert (reply.status_code, reply.json()["error"]["type"]) == (401, "invalid_request_error")
        assert post(address, QUESTION, headers={"X-Ralc-Key": "own-key"}).json()["ralc"]["calibrated"]
        assert httpx.get(f"{address}/healthz", trust_env=False).status_code == 200
        assert httpx.get(f"{address}/metrics", trust_env=False).status_code == 401
    assert "own-key" not in repr(ServeSettings("http://a/v1", key="own-key"))


def test_an_access_log_has_neither_texts_nor_keys(caplog):
    headers = {"Authorization": "Bearer sk-secret"}
    with caplog.at_level(logging.INFO, "ralc.serve"), served(Stub(), access_log=True) as address:
        post(address, QUESTION, headers=headers)
        post(address, {**QUESTION, "tools": [{}]}, headers=headers)
        httpx.get(f"{address}/v1/models?key=sk-secret", headers=headers, trust_env=False)
        httpx.get(f"{address}/nothing/%1b%5b31m", trust_env=False)
    lines = [record.getMessage().rpartition(" ms")[0].rpartition(" ")[0] for record in caplog.records]
    assert lines == [
        "POST /v1/chat/completions 200 calibrated",
        "POST /v1/chat/completions 200 passed it offers tools",
        "GET /v1/models 200 relayed",
        "GET /nothing/%1b%5b31m 404 failed",
    ]


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"timeout_s": float("inf")}, "timeout_s = inf"),
        ({"timeout_s": float("nan")}, "timeout_s = nan"),
        ({"temperature": float("inf")}, "temperature = inf"),
        ({"samples": 10**9}, "samples"),
        ({"upstream": "http://me:secret@a/v1"}, "user name"),
        ({"key": "k\n"}, "printable"),
    ],
)
def test_settings_that_cannot_be_are_refused(setting, message):
    with pytest.raises(ValueError, match=message) as refused:
        ServeSettings(**{"upstream": "http://127.0.0.1:1/v1"} | setting)
    assert "secret" not in str(refused.value)


def test_the_command_says_that_it_serves_once_it_does(tmp_path, capsys):
    calibrator().save(tmp_path / "cal.json")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [
            "serve",
            "--calibrator",
            str(tmp_path / "cal.json"),
            "--upstream",
            "http://127.0.0.1:1/v1?key=k",
        ]
        with pytest.raises(SystemExit) as ended:
            main([*command, "--port", str(port)])
        assert ended.value.code == 1
        said = capsys.readouterr().err
        assert "Address already in use" in said
        assert "serves" not in said
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from ralc.cli.app import main; main()",
            *command,
            "--port",
            str(port),
            "--host",
            "0.0.0.0",
            "--access-log",
        ],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        said = "".join(process.stderr.readline() for _ in range(3))
        assert "promises nothing: it was not evaluated\n" in said
        assert f"serves http://0.0.0.0:{port}/v1, before http://127.0.0.1:1/v1\n" in said
        assert "open to other machines, without a key of its own" in said
        assert httpx.get(f"http://127.0.0.1:{port}/v1/models", trust_env=False).status_code == 502
        process.send_signal(signal.SIGTERM)
        rest = process.communicate(timeout=20)[1]
        assert rest.count("\n") == 1
        assert "GET /v1/models 502 failed 502" in rest
    finally:
        process.kill()
    assert process.returncode in (0, -signal.SIGTERM)


def test_a_key_that_is_not_there_is_named(tmp_path, capsys):
    calibrator().save(tmp_path / "cal.json")
    os.environ.pop("RALC_NO_SUCH_KEY", None)
    command = ["serve", "--calibrator", str(tmp_path / "cal.json"), "--upstream", "http://127.0.0.1:1/v1"]
    with pytest.raises(SystemExit):
        main([*command, "--key-env", "RALC_NO_SUCH_KEY"])
    assert "RALC_NO_SUCH_KEY" in capsys.readouterr().err
