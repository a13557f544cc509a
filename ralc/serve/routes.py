"""The ASGI application: its routes, its limits, and what goes to the upstream as it is."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import unquote

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from ralc.calibrator import WordCalibrator
from ralc.rewriting.reasons import MISSED
from ralc.serve import asking
from ralc.serve.asking import Asked
from ralc.serve.calibrating import Calibrating
from ralc.serve.door import HEALTH, METRICS, Door
from ralc.serve.headers import passed
from ralc.serve.limits import ServeSettings
from ralc.serve.monitoring import Counts
from ralc.serve.relaying import send_on
from ralc.serve.sending import RequestError, ServeError, as_json, chunks, gathered, respond
from ralc.serve.upstream import Upstream

_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
_FORM = "multipart/form-data"  # of files; a page elsewhere can send text and other forms unasked
Work = Callable[[Send], Awaitable[None]]


def make_app(calibrator: WordCalibrator, settings: ServeSettings) -> Starlette:
    """Return the application: ``/v1/chat/completions``, whatever else the upstream has, ``/healthz``, ``/metrics``.

    Raises
    ------
    ValueError
        If the calibrator is fitted on a signal that no upstream gives.
    """
    upstream, counts = Upstream(settings), Counts()
    server = _Server(Calibrating(calibrator, upstream, settings), upstream, settings, counts)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await upstream.close()

    routes = [
        Route("/v1/chat/completions", server.complete, methods=["POST"]),
        Route("/v1/{path:path}", server.relay, methods=_METHODS),
        Route(HEALTH, server.health, methods=["GET"]),
        Route(METRICS, server.metrics, methods=["GET"]),
    ]
    door = Middleware(Door, counts=counts, settings=settings)
    return Starlette(
        routes=routes, lifespan=lifespan, middleware=[door], exception_handlers={404: _none, 405: _none}
    )


async def _none(request: Request, error: Exception) -> Response:
    """A path or a method that there is not."""
    told = f"{request.method} {request.url.path}: {error.detail}"
    headers = [(name.encode(), value.encode()) for name, value in (error.headers or {}).items()]
    return ServeError(error.status_code, told, "invalid_request_error", headers).response()


class _Server:
    def __init__(
        self, calibrating: Calibrating, upstream: Upstream, settings: ServeSettings, counts: Counts
    ) -> None:
        self._calibrating = calibrating
        self._upstream = upstream
        self._settings = settings
        self._counts = counts

    async def health(self, _: Request) -> Response:
        """Whether the server itself answers; the upstream is not asked."""
        return as_json({"status": "ok", "signal": self._calibrating.signal})

    async def metrics(self, _: Request) -> Response:
        """What the server did."""
        return PlainTextResponse(self._counts.text())

    async def complete(self, request: Request) -> ASGIApp:
        """A chat completion."""
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            raise RequestError(415, "the header Content-Type must be application/json")
        asked = asking.read(await self._body(request), self._settings)

        async def work(send: Send) -> None:
            if asked.passes:
                request.scope["visit"].outcome, request.scope["visit"].reason = "passed", asked.passes
                await self._pass(asked, asked.passes, request, send)
            else:
                await self._calibrate(asked, request, send)

        return self._in_turn(work)

    async def relay(self, request: Request) -> ASGIApp:
        """Any other request, and what the upstream says to it."""
        path = request.scope["raw_path"].removeprefix(b"/v1/")
        if {".", ".."} & set(unquote(path.decode("ascii", "replace")).replace("\\", "/").split("/")):
            raise RequestError(400, "the path leads elsewhere")
        content = await self._body(request)
        kind = request.headers.get("content-type", "").partition(";")[0].strip()
        if content and kind not in ("application/json", _FORM):
            raise RequestError(415, f"the header Content-Type must be application/json or {_FORM}")

        async def work(send: Send) -> None:
            request.scope["visit"].outcome = "relayed"
            headers = passed(request.scope["headers"], without=[b"content-length"])
            query = request.scope["query_string"]
            async with self._upstream.sent(request.method, path, query, headers, content) as reply:
                await send_on(reply, send, most=self._settings.largest_stream)

        return self._in_turn(work)

    def _in_turn(self, work: Work) -> ASGIApp:
        """Some work on a request that is there as a whole: among so many at once, and while its client is there."""

        async def respond(_: Scope, receive: Receive, send: Send) -> None:
            if self._counts.in_flight >= self._settings.concurrency:
                busy = "too many requests at once: come again"
                raise ServeError(429, busy, "rate_limit_error", [(b"retry-after", b"1")])
            self._counts.in_flight += 1
            try:
                await _while_there(receive, work(send))
            finally:
                self._counts.in_flight -= 1

        return respond

    async def _calibrate(self, asked: Asked, request: Request, send: Send) -> None:
        reply, headers = await self._calibrating.reply(asked, request.scope["headers"])
        told, visit = reply["ralc"], request.scope["visit"]
        ended = "calibrated" if told["calibrated"] else "missed" if told["reason"] == MISSED else "passed"
        visit.outcome, visit.reason = ended, "" if told["calibrated"] else told["reason"]
        if not asked.stream:
            response = as_json(reply, headers=headers)
        elif isinstance(reply["choices"][0]["message"].get("content"), str):
            events = b"".join(chunks(reply, usage=asked.usage))
            response = respond(events, "text/event-stream", headers=headers)
        else:
            return await self._pass(asked, told["reason"], request, send)
        await response(request.scope, request.receive, send)

    async def _pass(self, asked: Asked, why: str, request: Request, send: Send) -> None:
        """The upstream's own reply, with the object ``ralc`` that says why."""
        told: dict[str, Any] = {"calibrated": False, "reason": why}
        if asked.stream:
            async with self._upstream.chat(request.scope["headers"], asked.body) as reply:
                return await send_on(reply, send, most=self._settings.largest_stream, told=told)
        reply, headers = await self._upstream.post(request.scope["headers"], asked.body, asked.answers)
        await as_json({**reply, "ralc": told}, headers=headers)(request.scope, request.receive, send)

    async def _body(self, request: Request) -> bytes:
        """The body of a request, never more than `largest_body` of it, and never waited for longer than it may take."""
        most, patience = self._settings.largest_body, self._settings.patience_s
        try:
            async with asyncio.timeout(patience):
                larger = RequestError(413, f"the body is larger than {most} bytes")
                return await gathered(request.stream(), most, larger)
        except TimeoutError:
            raise RequestError(408, f"the body took longer than {patience:g} s") from None


async def _while_there(receive: Receive, work: Awaitable[None]) -> None:
    """Do some work, and end it when the client hangs up.

    Raises
    ------
    ClientDisconnect
        If it did.
    """
    working = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_hung_up(receive))
    try:
        await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        await working
    finally:
        gone.cancel()
        working.cancel()
        await asyncio.gather(working, gone, return_exceptions=True)


async def _hung_up(receive: Receive) -> None:
    """Wait until a client does."""
    while (await receive())["type"] != "http.disconnect":
        pass
