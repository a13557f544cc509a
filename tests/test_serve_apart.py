"""`ralc serve` between callers: nothing of one's request is in another's, or stays."""

import asyncio
import functools
import gc
import sys
import types

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ralc.serve.limits import ServeSettings
from ralc.serve.routes import make_app
from tests.serving import QUESTION, Stub, calibrator, post, running

SECRET = "sk-of-the-first-caller"


class Sessions:
    """An upstream that gives a session for a key, and takes the session's cookie for one."""

    def __init__(self) -> None:
        self.stub = Stub()
        self.cookies: list[str | None] = []

    @property
    def app(self) -> Starlette:
        """The application."""
        paths = ("/v1/chat/completions", "/v1/models")
        return Starlette(routes=[Route(path, self.answer, methods=["GET", "POST"]) for path in paths])

    async def answer(self, request: Request) -> Response:
        """What the stub says, to a key or a session."""
        self.cookies.append(request.headers.get("cookie"))
        if request.headers.get("authorization") != f"Bearer {SECRET}" and not request.cookies.get("session"):
            return JSONResponse({"error": {"message": "no key"}}, 401)
        reply = await (self.stub.models if request.method == "GET" else self.stub.complete)(request)
        reply.set_cookie("session", SECRET)
        return reply


@pytest.mark.parametrize("stream", [False, True])
def test_one_caller_s_session_is_not_another_s(stream):
    upstream = Sessions()
    body = {**QUESTION, "stream": stream, "ralc": {"wait": False}}
    with (
        running(upstream.app) as behind,
        running(make_app(calibrator(), ServeSettings(f"{behind}/v1", samples=3))) as address,
    ):
        first = post(address, body, headers={"Authorization": f"Bearer {SECRET}"})
        second = post(address, body)
        models = httpx.get(f"{address}/v1/models", trust_env=False)
    assert (first.status_code, second.status_code, models.status_code) == (200, 401, 401)
    assert "set-cookie" not in first.headers
    assert upstream.cookies == [None] * 3


def reachable(start: object) -> list[str | bytes]:
    """Every text that an object holds, through whatever it holds; not what belongs to the program itself.

    Nor what the loop holds: connections that a caller keeps open.
    """
    program = (types.ModuleType, type, types.FunctionType, types.BuiltinFunctionType, types.FrameType)
    program += (asyncio.AbstractEventLoop,)
    seen, waiting, texts = {id(start)}, [start], []
    while waiting:
        for held in gc.get_referents(waiting.pop()):
            if id(held) in seen or isinstance(held, program):
                continue
            seen.add(id(held))
            if isinstance(held, str | bytes | bytearray):
                texts.append(bytes(held) if isinstance(held, bytearray) else held)
            else:
                waiting.append(held)
    return texts


def test_nothing_of_a_request_outlives_it():
    marks = ("mark-key", "mark-model", "mark-question", "mark-user", "mark-header")
    body = {"model": marks[1], "messages": [{"role": "user", "content": marks[2]}], "user": marks[3]}
    headers = {"Authorization": f"Bearer {marks[0]}", "X-Api-Key": marks[4]}
    stub = Stub(("It is @.", "It is Cusco."), takes_n=False)
    with running(stub.app) as behind:
        app = make_app(calibrator(), ServeSettings(f"{behind}/v1", samples=3))
        with running(app) as address:
            for more in ({}, {"stream": True}, {"tools": [{}]}, {"stream": True, "tools": [{}]}):
                assert post(address, body | more, headers=headers).status_code == 200
            held = reachable(app)
    for cached in gc.get_objects():
        if isinstance(cached, functools._lru_cache_wrapper) and cached.__module__.startswith("ralc."):
            held += reachable(cached)
    for name, module in list(sys.modules.items()):
        if name.startswith("ralc."):
            held += reachable(
                [value for value in vars(module).values() if isinstance(value, dict | list | set)]
            )
    assert any(
        "/v1" in text for text in held if isinstance(text, str)
    )  # the upstream's address: it is looked through
    for mark in marks:
        assert not [t for t in held if mark in (t if isinstance(t, str) else t.decode("latin-1"))], mark
