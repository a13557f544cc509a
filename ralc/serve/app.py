"""The ASGI application: its routes, its limits, and what becomes of failures."""

import json
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from ralc.calibrator import WordCalibrator
from ralc.calibrator.words import MISSED
from ralc.serve import asking
from ralc.serve.asking import Asked
from ralc.serve.calibrating import PATH, Calibrating
from ralc.serve.counts import Counts
from ralc.serve.replies import ServeError, as_json, chunks, event, gathered
from ralc.serve.settings import ServeSettings
from ralc.serve.upstream import Upstream

_RETRY_S = "1"


def make_app(calibrator: WordCalibrator, settings: ServeSettings) -> Starlette:
    """Return the application: ``/v1/chat/completions``, ``/v1/models``, ``/healthz``, ``/metrics``.

    Raises
    ------
    ValueError
        If the calibrator is fitted on a signal that no upstream gives.
    """
    upstream = Upstream(settings)
    server = _Server(Calibrating(calibrator, upstream, settings), upstream, settings)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await upstream.close()

    routes = [
        Route("/v1/chat/completions", server.complete, methods=["POST"]),
        Route("/v1/models", server.models, methods=["GET"]),
        Route("/healthz", server.health, methods=["GET"]),
        Route("/metrics", server.metrics, methods=["GET"]),
    ]
    return Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: _refused})


async def _refused(request: Request, error: HTTPException) -> Response:
    """A path or a method that there is not, in the schema of every other error."""
    told = f"{request.method} {request.url.path}: {error.detail}"
    failure = ServeError(error.status_code, told, "invalid_request_error", error.headers)
    return as_json(failure.body, failure.status, failure.headers)


class _Server:
    def __init__(self, calibrating: Calibrating, upstream: Upstream, settings: ServeSettings) -> None:
        self._calibrating = calibrating
        self._upstream = upstream
        self._settings = settings
        self._counts = Counts()

    async def health(self, _: Request) -> Response:
        """Whether the server itself answers; the upstream is not asked."""
        return as_json({"status": "ok", "signal": self._calibrating.signal})

    async def metrics(self, _: Request) -> Response:
        """What the server did."""
        return PlainTextResponse(self._counts.text())

    async def models(self, request: Request) -> Response:
        """The upstream's models."""
        try:
            return as_json(await self._upstream.get("models", request.headers))
        except ServeError as failure:
            return as_json(failure.body, failure.status, failure.headers)

    async def complete(self, request: Request) -> Response:
        """A chat completion."""
        begun = time.perf_counter()
        if self._counts.in_flight >= self._settings.concurrency:
            self._counts.end("failed", "429", 0.0)
            busy = ServeError(429, "too many requests at once: come again", "rate_limit_error")
            return as_json(busy.body, busy.status, {"Retry-After": _RETRY_S})
        self._counts.in_flight += 1
        handed_on = False
        try:
            response, outcome, reason = await self._answer(request)
            handed_on = isinstance(response, _Relay)
            if handed_on:
                response.on_end = self._left
        except ServeError as failure:
            response = as_json(failure.body, failure.status, failure.headers)
            outcome, reason = "failed", str(failure.status)
        except ClientDisconnect:
            response, outcome, reason = Response(status_code=499), "failed", "499"
        finally:
            if not handed_on:
                self._left()
        self._counts.end(outcome, reason, time.perf_counter() - begun)
        return response

    def _left(self) -> None:
        self._counts.in_flight -= 1

    async def _answer(self, request: Request) -> tuple[Response, str, str]:
        """The response, how the request ended, and why."""
        asked = asking.read(await self._body(request), self._settings)
        if asked.passes:
            return await self._passed(asked, request), "passed", asked.passes
        reply = await self._calibrating.reply(asked, request.headers)
        told = reply["ralc"]
        ended = _ended(told)
        if not asked.stream:
            return as_json(reply), *ended
        if not isinstance(reply["choices"][0]["message"].get("content"), str):
            return await self._passed(asked, request, told["reason"]), *ended
        events = chunks(reply, usage=asked.usage)
        return StreamingResponse(events, media_type="text/event-stream"), *ended

    async def _passed(self, asked: Asked, request: Request, why: str = "") -> Response:
        """The upstream's own reply, with the object ``ralc`` that says why."""
        told = {"calibrated": False, "reason": why or asked.passes}
        if not asked.stream:
            reply = await self._upstream.post(PATH, request.headers, asked.body)
            return as_json({**reply, "ralc": told})
        stack = AsyncExitStack()
        lines = await stack.enter_async_context(self._upstream.stream(PATH, request.headers, asked.body))
        return _Relay(_relayed(lines, told), stack)

    async def _body(self, request: Request) -> bytes:
        """The body of a request, never more than `largest_body` of it."""
        most = self._settings.largest_body
        larger = ServeError(413, f"the body is larger than {most} bytes", "invalid_request_error")
        return await gathered(request.stream(), most, larger)


def _ended(told: dict[str, Any]) -> tuple[str, str]:
    """How a request ended that was to be calibrated, and why, by its object ``ralc``."""
    if told["calibrated"]:
        return "calibrated", ""
    return "missed" if told["reason"] == MISSED else "passed", told["reason"]


class _Relay(StreamingResponse):
    """An upstream's stream on its way; it closes the upstream's connection and tells when it is over."""

    def __init__(self, events: AsyncIterator[bytes], stack: AsyncExitStack) -> None:
        super().__init__(events, media_type="text/event-stream")
        self._stack = stack
        self.on_end = lambda: None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.on_end()
            await self._stack.aclose()


async def _relayed(lines: AsyncIterator[bytes], told: dict[str, Any]) -> AsyncIterator[bytes]:
    """The lines of a stream as they come; the first event carries the object ``ralc``."""
    waiting = True
    try:
        async for line in lines:
            marked = _marked(line, told) if waiting else None
            waiting = waiting and marked is None
            yield marked or line
    except ServeError as failure:  # its status is long sent
        yield event(failure.body)


def _marked(line: bytes, told: dict[str, Any]) -> bytes | None:
    """An event's line with the object ``ralc``; None where the line is none."""
    if not line.startswith(b"data:"):
        return None
    try:
        value = json.loads(line[5:])
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    return b"data: " + json.dumps({**value, "ralc": told}).encode() + b"\n"
