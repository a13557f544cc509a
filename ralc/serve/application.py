"""The ASGI application: its routes, who is let in, streams that stay alive, and what passes as it is."""

import asyncio
import contextlib
import hmac
import logging
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

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
_EVENTS, _FORM = "text/event-stream", "multipart/form-data"
_MOST_ANSWERS = 128  # to one request, as OpenAI has it
GRACE_S = 0.5  # seconds in which a stream's reply can still be an error with a status of its own
COMMENT_EVERY_S = 4.0  # seconds between two comments of a stream that waits

_LOG = logging.getLogger("ralc.serve")

Made = TypeVar("Made")
#: What a stream will send: headers of the upstream's, and its parts.
Stream = tuple[Headers, AsyncIterator[bytes]]


class _Parts(StreamingResponse):
    """A response that is sent as it comes; where its parts break off, its connection does."""

    def __init__(self, parts: AsyncIterator[bytes], status: int, headers: Headers) -> None:
        super().__init__(parts, status)
        self.raw_headers = headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it, and end when the client hangs up."""
        with contextlib.suppress(Exception):
            await super().__call__(scope, receive, send)


class _Server:
    def __init__(self, calibrator: WordCalibrator, settings: ServeSettings) -> None:
        self.upstream = Upstream(settings)
        self._completion = Completion(calibrator, self.upstream, settings.samples)
        self._settings = settings

    def guarded(self, endpoint: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Any]:
        """Return an endpoint that checks who asks, and turns every exception into an error of the schema."""

        async def answer(request: Request) -> Response:
            try:
                self._check(request)
                return await endpoint(request)
            except ClientDisconnect:
                return Response(status_code=499)  # nobody reads it
            except Exception as error:
                return _failure(error).response()

        return answer

    def _check(self, request: Request) -> None:
        """Raise `RequestError` unless a request is for this server, and has the key that is asked."""
        if self._settings.host in LOOPBACK and not _on_loopback(request.headers.getlist("host")):
            raise RequestError(
                421, "this server is for this machine alone: Host must be localhost or 127.0.0.1"
            )
        given, key = request.headers.get(KEY.decode(), "").encode("latin-1"), self._settings.key.encode()
        if key and not hmac.compare_digest(given, key):
            raise RequestError(401, "this server asks for a key of its own, in the header X-Ralc-Key")

    async def health(self, _: Request) -> Response:
        """Say that the server itself answers; the upstream is not asked."""
        return as_json({"status": "ok", "signal": self._completion.signal})

    async def complete(self, request: Request) -> Response:
        """Answer a chat completion."""
        _require_type(request, "application/json")
        asked, headers = ChatRequest.read(await self._body(request)), request.scope["headers"]
        told = {"calibrated": False, "reason": asked.skip_reason}
        if asked.stream:
            made = self._passed_stream if asked.skip_reason else self._calibrated_stream
            first = marker(asked.body.get("model"), told) if asked.skip_reason else b""
            return await _stream(made(asked, headers), first)
        if not asked.skip_reason:
            made, own = await _while_there(request, self._completion.reply(asked, headers))
            return as_json(made, headers=own)
        n = asked.body.get("n")
        answers = min(max(n, 1), _MOST_ANSWERS) if isinstance(n, int) else 1
        reply = await _while_there(request, self.upstream.post(headers, asked.body, answers))
        return as_json({**reply.body, "ralc": told}, headers=reply.headers)

    async def _calibrated_stream(self, asked: ChatRequest, headers: Headers) -> Stream:
        reply, own = await self._completion.reply(asked, headers)
        return own, _each(chunks(reply, usage=asked.usage))

    async def _passed_stream(self, asked: ChatRequest, headers: Headers) -> Stream:
        reply = await self.upstream.chat(headers, asked.body)
        if _EVENTS in reply.headers.get("content-type", ""):
            return back(reply), self.upstream.parts(reply)
        whole = (await self.upstream.completion(reply)).body
        told = {"calibrated": False, "reason": asked.skip_reason}
        return back(reply), _each(chunks({**whole, "ralc": told}, usage=asked.usage))

    async def relay(self, request: Request) -> Response:
        """Pass any other request on, and what the upstream says to it."""
        path = request.scope["raw_path"].removeprefix(b"/v1/")
        if {".", ".."} & set(unquote(path.decode("ascii", "replace")).replace("\\", "/").split("/")):
            raise RequestError(400, "the path leads elsewhere")
        if content := await self._body(request):
            _require_type(request, "application/json", _FORM)
        headers = passed(request.scope["headers"], without=[b"content-length"])
        query = request.scope["query_string"]
        asked = self.upstream.open(request.method, path, query, headers, content)
        reply = await _while_there(request, asked)
        status = reply.status_code if 200 <= reply.status_code < 600 else 502
        return _Parts(self.upstream.parts(reply), status, passed(reply.headers.raw))

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
        Route("/v1/chat/completions", server.guarded(server.complete), methods=["POST"]),
        Route("/v1/{path:path}", server.guarded(server.relay), methods=_METHODS),
        Route("/healthz", server.health, methods=["GET"]),
    ]
    return Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: _none})


async def _none(request: Request, error: Exception) -> Response:
    """A path or a method that there is not."""
    told = f"{request.method} {request.url.path}: {error.detail}"
    return ServeError(error.status_code, told, "invalid_request_error").response()


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


def _require_type(request: Request, *types: str) -> None:
    """Refuse a body that a page elsewhere could send unasked: text, or another form."""
    if request.headers.get("content-type", "").partition(";")[0].strip() not in types:
        raise RequestError(415, f"the header Content-Type must be {' or '.join(types)}")


def marker(model: Any, told: dict[str, Any]) -> bytes:
    """Return the first event of a stream that passes: no words, and the object ``ralc``."""
    head = {"id": "ralc", "object": "chat.completion.chunk", "created": int(time.time()), "model": model}
    choice = {"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}
    return event({**head, "choices": [choice], "ralc": told})


async def _stream(made: Awaitable[Stream], first: bytes) -> Response:
    """A stream of events: its headers at once, comments until it has begun, an error as its last event."""
    task = asyncio.ensure_future(made)
    await asyncio.wait({task}, timeout=GRACE_S)
    headers = task.result()[0] if task.done() else []

    async def parts() -> AsyncIterator[bytes]:
        try:
            yield first
            while not task.done():
                yield b": ralc is waiting\n\n"
                await asyncio.wait({task}, timeout=COMMENT_EVERY_S)
            async with contextlib.aclosing(task.result()[1]) as found:
                async for part in found:
                    yield part
        except Exception as error:  # the blank line ends an event that was cut in two
            yield b"\n\n" + event(_failure(error).body)
        finally:
            task.cancel()

    own = [(b"content-type", _EVENTS.encode()), (b"cache-control", b"no-cache")]
    return _Parts(parts(), 200, [*headers, *own])


async def _each(parts: Iterable[bytes]) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


async def _while_there(request: Request, work: Awaitable[Made]) -> Made:
    """Do some work, and end it when the client hangs up: ClientDisconnect."""

    async def hung_up() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    working, gone = asyncio.ensure_future(work), asyncio.ensure_future(hung_up())
    try:
        await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return await working
    finally:
        gone.cancel()
        working.cancel()
        await asyncio.gather(working, gone, return_exceptions=True)
