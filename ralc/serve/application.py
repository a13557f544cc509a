"""The ASGI application: its routes, who is let in, streams that stay alive, and what passes as it is."""

import asyncio
import contextlib
import hmac
import logging
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any
from urllib.parse import unquote, urlsplit

import httpx
from starlette.applications import Starlette
from starlette.datastructures import Headers as Given
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ralc.calibrator import WordCalibrator
from ralc.serve.completion import Completion
from ralc.serve.messages import (
    KEY,
    Headers,
    RequestError,
    ServeError,
    as_json,
    chunks,
    event,
    gathered,
    passed,
)
from ralc.serve.requests import ChatRequest
from ralc.serve.settings import LOOPBACK, ServeSettings
from ralc.serve.upstream import Upstream, back

_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
_EVENTS, _FORM = b"text/event-stream", "multipart/form-data"
HEALTH = "/healthz"
GRACE_S = 0.5  # seconds in which a stream's reply can still be an error with a status of its own
COMMENT_EVERY_S = 4.0  # seconds between two comments of a stream that waits

_LOG = logging.getLogger("ralc.serve")

Work = Callable[[Send], Awaitable[None]]
#: What a stream will send: headers of the upstream's, and its parts.
Stream = tuple[Headers, AsyncIterator[bytes]]


def make_app(calibrator: WordCalibrator, settings: ServeSettings) -> Starlette:
    """Return the application: ``/v1/chat/completions``, whatever else the upstream has under ``/v1``, ``/healthz``.

    Raises
    ------
    ValueError
        If no upstream gives what the calibrator was fitted on.
    """
    server = _Server(calibrator, settings)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await server.upstream.close()

    routes = [
        Route("/v1/chat/completions", server.complete, methods=["POST"]),
        Route("/v1/{path:path}", server.relay, methods=_METHODS),
        Route(HEALTH, server.health, methods=["GET"]),
    ]
    door = Middleware(Door, settings=settings)
    return Starlette(
        routes=routes, lifespan=lifespan, middleware=[door], exception_handlers={HTTPException: _none}
    )


async def _none(request: Request, error: Exception) -> Response:
    """A path or a method that there is not."""
    told = f"{request.method} {request.url.path}: {error.detail}"
    headers = [(name.encode(), value.encode()) for name, value in (error.headers or {}).items()]
    return ServeError(error.status_code, told, "invalid_request_error", headers).response()


class Door:
    """ASGI middleware that checks who asks, and turns every exception into an error of the schema."""

    def __init__(self, app: ASGIApp, settings: ServeSettings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        started = False

        async def noted(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            self._check(Given(scope=scope), scope["path"])
            await self._app(scope, receive, noted)
        except ClientDisconnect:
            pass
        except Exception as error:
            if not started:
                await _failure(error).response()(scope, receive, send)

    def _check(self, headers: Given, path: str) -> None:
        """Raise `RequestError` unless a request is for this server, and has the key that is asked."""
        if self._settings.host in LOOPBACK and not _on_loopback(headers.getlist("host")):
            raise RequestError(
                421, "this server answers on loopback alone, and the header Host names something else"
            )
        given = headers.get(KEY.decode(), "").encode("latin-1")
        if (
            self._settings.key
            and path != HEALTH
            and not hmac.compare_digest(given, self._settings.key.encode())
        ):
            raise RequestError(401, "this server asks for a key of its own, in the header X-Ralc-Key")


def _failure(error: Exception) -> ServeError:
    """What a caller is told of an exception; of one that nobody thought of, the log has a line, without its words."""
    if isinstance(error, ServeError):
        return error
    frame = traceback.extract_tb(error.__traceback__)[-1]
    _LOG.error("a request failed: %s in %s, line %s", type(error).__name__, frame.filename, frame.lineno)
    return ServeError(500, f"ralc failed on it ({type(error).__name__})")


def _on_loopback(hosts: list[str]) -> bool:
    """Whether a request's one header Host names this machine: a page elsewhere may have a name that leads here."""
    try:
        return len(hosts) == 1 and urlsplit(f"//{hosts[0]}").hostname in LOOPBACK
    except ValueError:
        return False


class _Server:
    def __init__(self, calibrator: WordCalibrator, settings: ServeSettings) -> None:
        self.upstream = Upstream(settings)
        self._completion = Completion(calibrator, self.upstream, settings)
        self._settings = settings
        self._in_flight = 0

    async def health(self, _: Request) -> Response:
        """Whether the server itself answers; the upstream is not asked."""
        return as_json({"status": "ok", "signal": self._completion.signal})

    async def complete(self, request: Request) -> ASGIApp:
        """A chat completion."""
        _require_type(request, "application/json")
        asked = ChatRequest.read(await self._body(request), self._settings)
        headers = request.scope["headers"]

        async def work(send: Send) -> None:
            if asked.stream:
                made = self._passed_stream if asked.skip_reason else self._calibrated_stream
                return await _stream(made(asked, headers), send, marker(asked) if asked.skip_reason else b"")
            if asked.skip_reason:
                reply = await self.upstream.post(headers, asked.body, asked.answers)
                response = as_json({**reply.body, "ralc": _told(asked)}, headers=reply.headers)
            else:
                made, own = await self._completion.reply(asked, headers)
                response = as_json(made, headers=own)
            await response(request.scope, request.receive, send)

        return self._in_turn(work)

    async def _calibrated_stream(self, asked: ChatRequest, headers: Headers) -> Stream:
        reply, own = await self._completion.reply(asked, headers)
        return own, _each(chunks(reply, usage=asked.usage))

    async def _passed_stream(self, asked: ChatRequest, headers: Headers) -> Stream:
        reply = await self.upstream.chat(headers, asked.body)
        if _EVENTS in reply.headers.get("content-type", "").encode():
            return back(reply), self.upstream.parts(reply)
        whole = {**await self.upstream.completion(reply), "ralc": _told(asked)}
        return back(reply), _each(chunks(whole, usage=asked.usage))

    async def relay(self, request: Request) -> ASGIApp:
        """Any other request, and what the upstream says to it."""
        path = request.scope["raw_path"].removeprefix(b"/v1/")
        if {".", ".."} & set(unquote(path.decode("ascii", "replace")).replace("\\", "/").split("/")):
            raise RequestError(400, "the path leads elsewhere")
        if content := await self._body(request):
            _require_type(request, "application/json", _FORM)
        headers = passed(request.scope["headers"], without=[b"content-length"])

        async def work(send: Send) -> None:
            reply = await self.upstream.open(
                request.method, path, request.scope["query_string"], headers, content
            )
            await _send_on(reply, self.upstream.parts(reply), send)

        return self._in_turn(work)

    def _in_turn(self, work: Work) -> ASGIApp:
        """Some work on a request that is there as a whole: among so many at once, and while its client is there."""

        async def respond(_: Scope, receive: Receive, send: Send) -> None:
            if self._in_flight >= self._settings.concurrency:
                busy = "too many requests at once: come again"
                raise ServeError(429, busy, "rate_limit_error", [(b"retry-after", b"1")])
            self._in_flight += 1
            try:
                await _while_there(receive, work(send))
            finally:
                self._in_flight -= 1

        return respond

    async def _body(self, request: Request) -> bytes:
        """The body of a request, never more than `largest_body` of it, and never waited for longer than it may take."""
        most, seconds = self._settings.largest_body, self._settings.body_timeout_s
        try:
            async with asyncio.timeout(seconds):
                return await gathered(
                    request.stream(), most, RequestError(413, f"the body is larger than {most} bytes")
                )
        except TimeoutError:
            raise RequestError(408, f"the body took longer than {seconds:g} s") from None


def _require_type(request: Request, *types: str) -> None:
    """Refuse a body that a page elsewhere could send unasked: text, or another form."""
    if request.headers.get("content-type", "").partition(";")[0].strip() not in types:
        raise RequestError(415, f"the header Content-Type must be {' or '.join(types)}")


def marker(asked: ChatRequest) -> bytes:
    """The first event of a stream that passes: no words, and the object ``ralc``."""
    delta = {"role": "assistant", "content": ""}
    head = {"id": "ralc", "object": "chat.completion.chunk", "created": int(time.time())}
    head["model"] = asked.body.get("model")
    choice = {"index": 0, "delta": delta, "finish_reason": None}
    return event({**head, "choices": [choice], "ralc": _told(asked)})


def _told(asked: ChatRequest) -> dict[str, Any]:
    return {"calibrated": False, "reason": asked.skip_reason}


async def _stream(made: Awaitable[Stream], send: Send, first: bytes = b"") -> None:
    """Send a stream of events: its headers at once, comments until it has begun, an error as its last event."""
    task = asyncio.ensure_future(made)
    try:
        await asyncio.wait({task}, timeout=GRACE_S)
        headers = task.result()[0] if task.done() else []
        headers = [*headers, (b"content-type", _EVENTS), (b"cache-control", b"no-cache")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        if first:
            await send({"type": "http.response.body", "body": first, "more_body": True})
        while not task.done():
            await send({"type": "http.response.body", "body": b": ralc is waiting\n\n", "more_body": True})
            await asyncio.wait({task}, timeout=COMMENT_EVERY_S)
        try:
            async with contextlib.aclosing(task.result()[1]) as parts:
                async for part in parts:
                    await send({"type": "http.response.body", "body": part, "more_body": True})
        except Exception as error:  # the blank line ends an event that was cut in two
            body = b"\n\n" + event(_failure(error).body)
            await send({"type": "http.response.body", "body": body, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    finally:
        task.cancel()


async def _send_on(reply: httpx.Response, parts: AsyncIterator[bytes], send: Send) -> None:
    """Send an upstream's reply on as it comes."""
    status = reply.status_code if 200 <= reply.status_code < 600 else 502
    await send({"type": "http.response.start", "status": status, "headers": passed(reply.headers.raw)})
    async with contextlib.aclosing(parts):
        async for part in parts:
            await send({"type": "http.response.body", "body": part, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _each(parts: Iterable[bytes]) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


async def _while_there(receive: Receive, work: Awaitable[None]) -> None:
    """Do some work, and end it when the client hangs up: ClientDisconnect."""
    working, gone = asyncio.ensure_future(work), asyncio.ensure_future(_hung_up(receive))
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
