"""Servers for the tests of `ralc serve`: a stub upstream, any ASGI application on a loopback port, and `ralc serve`."""

import asyncio
import json
import logging
import socket
import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from ralc import Beta, WordCalibrator
from ralc.calibrator import SamplingDesign
from ralc.serve.application import make_app
from tests.upstreams import Habit, Upstream, upstream

#: A token as servers give it with its log-probability and those that are likely in its place.
TOKEN = {
    "token": "x",
    "logprob": -0.2,
    "top_logprobs": [{"token": "x", "logprob": -0.2}, {"token": "y", "logprob": -2.0}],
}
QUESTION = {"model": "stub", "messages": [{"role": "user", "content": "What is the capital of Peru?"}]}


@contextmanager
def running(app: Starlette) -> Iterator[str]:
    """Run an application on a free loopback port; yields its base URL."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    options = {"http": "h11", "ws": "none", "timeout_keep_alive": 1, "server_header": False}
    config = uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=1, **options)
    server = uvicorn.Server(config)
    threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True).start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        # Not waited for: uvicorn looks ten times a second. What it says then nobody hears.
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        server.should_exit = True


class Stub:
    """An upstream that says of every question what `answers` has, in turn, and remembers what it was asked."""

    def __init__(self, answers=("It is Lima.", "Lima.", "It is Cusco."), *, seconds=0.0) -> None:
        self.answers, self.seconds = answers, seconds
        self.asked: list[dict] = []
        self.keys: list[str | None] = []
        self.fault: Response | None = None
        self.message: dict | None = None

    @property
    def app(self) -> Starlette:
        """The application."""
        routes = [Route("/v1/chat/completions", self.complete, methods=["POST"])]
        return Starlette(routes=[*routes, Route("/v1/models", self.models, methods=["GET"])])

    async def models(self, request: Request) -> Response:
        """One model."""
        return JSONResponse({"object": "list", "data": [{"id": "stub", "object": "model"}]})

    async def complete(self, request: Request) -> Response:
        """A completion."""
        body = await request.json()
        number = len(self.asked)
        self.asked.append(body)
        self.keys.append(request.headers.get("authorization"))
        await asyncio.sleep(self.seconds)
        if self.fault is not None:
            return self.fault
        n = body.get("n", 1)
        texts = [self.answers[(number * (n == 1) + i) % len(self.answers)] for i in range(n)]
        if body.get("stream"):
            return StreamingResponse(_stream(texts[0]), media_type="text/event-stream")
        # Escaped: an answer may hold what UTF-8 cannot.
        return Response(json.dumps(self.reply(texts, body.get("logprobs"))), media_type="application/json")

    def reply(self, texts: list[str], logprobs: bool = False) -> dict:
        """A reply in the OpenAI schema."""
        choices = [
            {
                "index": i,
                "message": self.message or {"role": "assistant", "content": text},
                "finish_reason": "length" if text.endswith("...") else "stop",
                **({"logprobs": {"content": [TOKEN]}} if logprobs else {}),
            }
            for i, text in enumerate(texts)
        ]
        usage = {"prompt_tokens": 5, "completion_tokens": 3 * len(texts), "total_tokens": 5 + 3 * len(texts)}
        head = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "stub"}
        return {**head, "choices": choices, "usage": usage}


async def _stream(text: str):
    head = {"id": "chatcmpl-2", "object": "chat.completion.chunk", "created": 1, "model": "stub"}
    for word in text.split():
        choice = {"index": 0, "delta": {"content": word + " "}, "finish_reason": None}
        yield f"data: {json.dumps({**head, 'choices': [choice]})}\n\n"
    yield "data: [DONE]\n\n"


@contextmanager
def saying(content: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """The address of a server that says the same bytes to whoever asks and hangs up, and the requests that came."""
    asked: list[bytes] = []

    class Says(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            asked.append(self.request.recv(1 << 20))
            self.request.sendall(content)

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True

    with Server(("127.0.0.1", 0), Says) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", asked
        server.shutdown()


@contextmanager
def before(behind: str, signal: str | WordCalibrator = "semantic_uncertainty", **settings) -> Iterator[str]:
    """The address of a calibrated server in front of an address, of a calibrator or one of a signal."""
    fitted = calibrator(signal) if isinstance(signal, str) else signal  # or several, by model
    with running(make_app(fitted, behind, **{"samples": 3} | settings)) as address:
        yield address


def calibrator(
    signal: str = "semantic_uncertainty", asked: int | None = None, **design: Any
) -> WordCalibrator:
    """A calibrator fitted on sixty answers; on so many a question, where that is said."""
    right = Beta([9.5] * 30 + [3.5] * 30, [1.5] * 30 + [7.5] * 30)
    fitted = WordCalibrator(signal).fit(right, [1] * 27 + [0] * 3 + [1] * 7 + [0] * 23)
    if asked is not None:
        fitted.design_ = SamplingDesign(fewest=asked, most=asked, **design)
    return fitted


@contextmanager
def served(stub: Stub, signal: str | WordCalibrator = "semantic_uncertainty", **settings) -> Iterator[str]:
    """The address of a calibrated server in front of a stub."""
    with running(stub.app) as behind, before(f"{behind}/v1", signal, **settings) as address:
        yield address


@contextmanager
def facing(mode: str | Habit, *fitted: Any, **settings: Any) -> Iterator[tuple[str, Upstream]]:
    """The address of a calibrated server in front of an upstream with a habit, and what that was asked."""
    with upstream(mode) as (behind, habit), before(behind, *fitted, **settings) as address:
        yield address, habit


def ask(address: str, change: dict[str, Any] | None = None, **more: Any) -> httpx.Response:
    """The reply to the question, of which some fields are changed."""
    options = {"timeout": 30, "trust_env": False, "verify": False} | more
    return httpx.post(f"{address}/v1/chat/completions", json=QUESTION | (change or {}), **options)
