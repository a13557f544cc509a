"""The ASGI application: its routes, who is let in, streams that stay alive, and what passes as it is."""

import asyncio
import contextlib
import hmac
import json
import logging
import re
import time
import traceback
import uuid
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import unquote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from ralc.calibrator import Policy, WordCalibrator
from ralc.io.console import visible
from ralc.llm.chat import content_of, failed
from ralc.serve.completion import ChatRequest, Completion, RequestError, unchanged
from ralc.serve.responses import ResponseRequest, as_completion, as_response, events
from ralc.serve.upstream import (
    KEY,
    LARGEST_REPLY,
    LOOPBACK,
    Caller,
    Headers,
    Object,
    ServeError,
    Upstream,
    headers_of,
    parsed,
    passing,
    upstream_error,
)
from ralc.serve.watch import ID, Watch

_BASES = ("v1", "openai")
_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
_JSON = "application/json"
_EVENTS = "text/event-stream"
_FORM = "multipart/form-data"
LARGEST_BODY = 10_000_000  # bytes of a request's body
BODY_TIMEOUT_S = 20.0  # seconds in which it must have come
HEALTH_S = 5.0  # seconds that the upstream may take to be well
#: The header with the calibrated confidence of a reply.
CONFIDENCE = b"x-ralc-confidence"
GRACE_S = 0.5  # seconds in which a stream's reply can still be an error with a status of its own
COMMENT_EVERY_S = 4.0  # seconds between two comments of a stream that waits
#: The events that end a stream of such an answer.
_LAST_EVENTS = ("response.completed", "response.incomplete", "response.failed", "message_stop")

_LOG = logging.getLogger("ralc.serve")

Made = TypeVar("Made")
#: What a stream will send: headers of the upstream's, and its parts.
Stream = tuple[Headers, AsyncIterable[bytes]]


@dataclass(frozen=True)
class Settings:
    """How an application answers.

    Parameters
    ----------
    samples
        Answers a reply; 0: as many as its calibrator was fitted on, or 10.
    timeout_s
        For all samples of a reply, or between two parts of a stream.
    host, key
        Where it listens, and what callers must send as ``X-Ralc-Key``.
    own_answer
        Each reply is one at the client's own temperature, and the samples say how sure it is.
    log, log_texts, counts
        Where a line a reply goes, whether with its texts, and the folder of the counters (`ralc.serve.watch.Watch`).
    policy
        What is done with each answer (`ralc.calibrator.Policy`), if anything.
    """

    samples: int = 0
    timeout_s: float = 120.0
    host: str = "127.0.0.1"
    key: str = ""
    own_answer: bool = False
    log: str = ""
    log_texts: bool = False
    counts: str = ""
    policy: Policy | None = None


class _Parts(StreamingResponse):
    """A response that is sent as it comes; where its parts break off, its connection does."""

    def __init__(self, parts: AsyncIterable[bytes], status: int, headers: Headers) -> None:
        super().__init__(parts, status)
        self.raw_headers = headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it, and end when the client hangs up."""
        with contextlib.suppress(Exception):
            await super().__call__(scope, receive, send)


class _Server:
    def __init__(self, completions: Mapping[str, Completion], upstream: Upstream, settings: Settings) -> None:
        self._completions = completions
        self._upstream = upstream
        self._host = settings.host
        self._key = settings.key.encode()
        self._watch = Watch(settings.counts, settings.log, texts=settings.log_texts)

    def guarded(self, endpoint: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Any]:
        """Return an endpoint that checks who asks, and turns every exception into an error of the schema."""

        async def answer(request: Request) -> Response:
            try:
                self._check(request)
                response = await endpoint(request)
                if response.status_code >= 400:
                    self._say(request, response.status_code, "as the upstream says")
            except ClientDisconnect:
                response = Response(status_code=499)  # nobody reads it
            except Exception as error:
                response = self._refusal(request, error)
            self._watch.responded(response.status_code)
            return response

        return answer

    def _refusal(self, request: Request, error: Exception) -> Response:
        """The reply that an exception is, of which standard error has a line."""
        body, status, headers = _failure(error)
        # What a client wrote, and what an upstream says to it, may hold a key.
        self._say(request, status, "refused here" if isinstance(error, RequestError) else str(error))
        return _as_json(body, status, headers)

    def _say(self, request: Request, status: int, why: str) -> None:
        """Say on standard error which request ended with an error, at which address."""
        asked = f"{request.method} {visible(request.url.path)[:200]}"
        _LOG.warning("%s: %s, %s; upstream %s", asked, status, visible(why)[:300], self._upstream.address)

    def _check(self, request: Request) -> None:
        """Raise `RequestError` unless a request is for this server, and has the key that is asked for."""
        # A page elsewhere may have a name that leads to this machine.
        if self._host in LOOPBACK and request.url.hostname not in LOOPBACK:
            why = "this server is for this machine alone: Host must be localhost or 127.0.0.1"
            raise RequestError(421, why)
        key = request.headers.get(KEY.decode(), "").encode("latin-1")
        if self._key and not hmac.compare_digest(key, self._key):
            raise RequestError(401, "this server asks for a key of its own, in the header X-Ralc-Key")

    async def health(self, request: Request) -> Response:
        """Say that the server itself answers; the upstream is asked where the query says ``upstream``."""
        signals = ", ".join(completion.signal for completion in self._completions.values())
        told = {"status": "ok", "signal": signals}
        if "upstream" in request.query_params:
            try:
                async with asyncio.timeout(HEALTH_S):
                    await (await self._upstream.open("GET", b"models", [], b"")).aclose()
            except (ServeError, TimeoutError):
                told["status"] = "the upstream does not answer"
        return _as_json(told, 200 if told["status"] == "ok" else 503)

    async def metrics(self, _: Request) -> Response:
        """Say what was counted, as Prometheus reads it."""
        return Response(self._watch.text(), media_type="text/plain; version=0.0.4")

    async def answer(self, request: Request) -> Response:
        """Answer a chat completion, and pass any other request on."""
        path = request.scope["raw_path"].split(b"/", 2)[2]
        parts = unquote(path.decode("ascii", "replace")).replace("\\", "/").lower().split("/")
        if {".", ".."} & set(parts):
            raise RequestError(400, "the path leads elsewhere")
        names = list(filter(None, parts))
        posted = request.method == "POST"
        query = b"?" + request.scope["query_string"]
        if posted and names[-2:] == ["chat", "completions"]:  # also as clients of Azure write it
            path = re.sub(rb"/+", b"/", path).strip(b"/")
            return await self._complete(request, Caller(request.scope["headers"], path + query), ChatRequest)
        if posted and names == ["responses"]:
            caller = Caller(request.scope["headers"], path + query, as_completion)
            return await self._complete(request, caller, ResponseRequest)
        answers = {"responses", "completions"} & {*names} or (posted and names == ["messages"])
        return await self._relay(request, path + query, marked=bool(answers))

    def _of(self, chat: ChatRequest) -> Completion:
        """What answers for the model that is asked for, else for any; it is excused where nothing does."""
        fitting = self._completions.get(chat.model) or self._completions.get("")
        if fitting is None:
            chat.excuse("no calibrator is of this model")
        return fitting or next(iter(self._completions.values()))

    async def _complete(self, request: Request, caller: Caller, kind: type[ChatRequest]) -> Response:
        """Answer a chat completion, or a response."""
        chat = kind.read(await self._body(request, _JSON))
        completion = self._of(chat)
        if chat.streamed:
            return await self._streamed(request, self._chunked(completion, chat, caller), chat.skip_reason)
        reply, added = await _while_there(request, self._reply(completion, chat, caller))
        return _as_json(as_response(reply) if caller.read else reply, headers=added)

    async def _reply(
        self, completion: Completion, chat: ChatRequest, caller: Caller
    ) -> tuple[Object, Headers]:
        """A reply and its headers, which has been counted."""
        ident = uuid.uuid4().hex
        began = time.monotonic()
        reply, added = await completion.reply(chat, caller)
        return reply, [*added, *self._counted(chat, reply, ident, began)]

    def _counted(self, chat: ChatRequest, reply: Object, ident: str, began: float) -> Headers:
        """The headers of a reply that is ours to tell; it is counted."""
        message = (reply.get("choices") or [{}])[0].get("message")
        text = content_of(message)[0] if message else ""
        asked = {"model": chat.model, "streamed": chat.streamed, "question": chat.question}
        told = reply["ralc"] | {"text": text, "usage": reply.get("usage")}
        self._watch.replied(ident, asked, told, began)
        reply["ralc"]["id"] = ident
        number = reply["ralc"].get("target")
        shown = [(CONFIDENCE, f"{number:g}".encode())] if isinstance(number, float) else []
        return [(ID.encode(), ident.encode()), *shown]

    async def _chunked(self, completion: Completion, chat: ChatRequest, caller: Caller) -> Stream:
        if not chat.skip_reason:
            calibrated, added = await self._reply(completion, chat, caller)
            return added, _events(calibrated) if caller.read else _chunks(calibrated, chat)
        began = time.monotonic()
        told = unchanged(chat.skip_reason)
        reply = await self._upstream.chat(caller, chat.sent)
        counted = self._counted(chat, {"ralc": told}, uuid.uuid4().hex, began)
        if _EVENTS in reply.headers.get("content-type", ""):
            return [*headers_of(reply), *counted], _marked(self._upstream.parts(reply), told)
        whole = (await self._upstream.whole(reply, chat.sent, caller.read)).body | {"ralc": told}
        return [*headers_of(reply), *counted], _events(whole) if caller.read else _chunks(whole, chat)

    async def _streamed(self, request: Request, stream: Awaitable[Stream], skip_reason: str) -> Response:
        """A stream of events: headers (and why it passes) at once, comments until it begins, an error as the last."""
        task = asyncio.ensure_future(stream)
        await asyncio.wait({task}, timeout=GRACE_S)
        headers = task.result()[0] if task.done() else []

        async def parts() -> AsyncIterator[bytes]:
            try:
                yield f": {skip_reason}\n\n".encode() if skip_reason else b""
                while not task.done():
                    yield b": ralc is waiting\n\n"
                    await asyncio.wait({task}, timeout=COMMENT_EVERY_S)
                async with contextlib.aclosing(task.result()[1]) as chunks:
                    async for part in chunks:
                        yield part
            except Exception as error:  # the blank line ends an event that was cut in two
                yield b"\n\n" + _event(json.loads(self._refusal(request, error).body))
            finally:
                task.cancel()

        fixed = [(b"content-type", _EVENTS.encode()), (b"cache-control", b"no-cache")]
        return _Parts(parts(), 200, [*headers, *fixed])

    async def _relay(self, request: Request, path: bytes, *, marked: bool) -> Response:
        """Pass a request on, and what the upstream says to it; a model's answer is `marked` as not calibrated."""
        content = await self._body(request, _JSON, _FORM)
        without = [b"content-length", *([b"accept-encoding"] if marked else [])]
        headers = passing(request.scope["headers"], without=without)
        reply = await _while_there(request, self._upstream.open(request.method, path, headers, content))
        status = reply.status_code if 200 <= reply.status_code < 600 else 502
        kind = reply.headers.get("content-type", "") if marked and status == 200 else ""
        told = unchanged("only chat completions are calibrated")
        if _EVENTS in kind:
            fixed = [*headers_of(reply), (b"content-type", kind.encode())]
            return _Parts(_marked(self._upstream.parts(reply), told), status, fixed)
        if _JSON in kind:
            _, value = await _while_there(request, self._upstream.value(reply))
            body = {**value, "ralc": told} if isinstance(value, dict) else value
            return _as_json(body, status, headers_of(reply))
        return _Parts(self._upstream.parts(reply), status, passing(reply.headers.raw))

    async def _body(self, request: Request, *types: str) -> bytes:
        """The body of a request, of a type that no page elsewhere could send unasked."""
        content = bytearray()
        try:
            async with asyncio.timeout(BODY_TIMEOUT_S):
                async for part in request.stream():
                    content += part
                    if len(content) > LARGEST_BODY:
                        raise RequestError(413, f"the body is larger than {LARGEST_BODY} bytes")
        except TimeoutError:
            raise RequestError(408, f"the body took longer than {BODY_TIMEOUT_S:g} s") from None
        kind = request.headers.get("content-type", "").partition(";")[0].strip()
        if kind not in types and (content or _FORM not in types):
            raise RequestError(415, f"the header Content-Type must be {' or '.join(types)}")
        return bytes(content)


def make_app(
    calibrator: WordCalibrator | Mapping[str, WordCalibrator], upstream: str, **settings: Any
) -> Starlette:
    """Return the application: chat completions, whatever else the upstream has under ``/v1``, ``/healthz``,
    ``/metrics``.

    Clients of Azure find the same under ``/openai``.

    Parameters
    ----------
    calibrator
        A fitted calibrator; or several, each by the model that a client asks for, the one for any other under "".
    upstream
        A base URL up to ``/v1``; its query goes with every request.
    **settings
        Those of `Settings`.

    Raises
    ------
    ValueError
        If the URL is none, or no upstream gives what a calibrator was fitted on.
    """
    chosen = Settings(**settings)
    behind = Upstream(upstream, chosen.timeout_s)
    several = calibrator if isinstance(calibrator, Mapping) else {"": calibrator}
    completions = {
        model: Completion(one, behind, chosen.samples, own_answer=chosen.own_answer, policy=chosen.policy)
        for model, one in several.items()
    }
    server = _Server(completions, behind, chosen)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await behind.close()

    async def none(request: Request, error: Exception) -> Response:
        return _as_json(*_failure(RequestError(error.status_code, f"{request.url.path}: {error.detail}")))

    routes = [
        *(
            Route(f"/{base}/{{path:path}}", server.guarded(server.answer), methods=_METHODS)
            for base in _BASES
        ),
        Route("/healthz", server.health, methods=["GET"]),
        Route("/metrics", server.metrics, methods=["GET"]),
    ]
    return Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: none})


def _failure(error: Exception) -> tuple[Any, int, Headers]:
    """What a caller is told of an exception; of one that nobody thought of, the log has a line, without its words."""
    if not isinstance(error, ServeError):
        frame = traceback.extract_tb(error.__traceback__)[-1]
        _LOG.error("a request failed: %s in %s, line %s", type(error).__name__, frame.filename, frame.lineno)
        error = ServeError(500, f"ralc failed on it ({type(error).__name__})")
    return error.body, error.status, error.headers


def _as_json(value: Any, status: int = 200, headers: Headers = ()) -> Response:
    """A JSON response with headers of the upstream's; ASCII, so that no odd character can break it."""
    response = Response(json.dumps(value, allow_nan=False), status, media_type=_JSON)
    response.raw_headers += headers
    return response


def _event(value: Any) -> bytes:
    return b"data: " + json.dumps(value, allow_nan=False).encode() + b"\n\n"


async def _chunks(reply: dict[str, Any], chat: ChatRequest) -> AsyncIterator[bytes]:
    """A finished chat completion as a stream: the words, the end with ``ralc``, the usage."""
    head = {key: reply[key] for key in ("id", "created", "model", "system_fingerprint") if key in reply}
    head["object"] = "chat.completion.chunk"
    choices = (one for one in reply["choices"] if isinstance(one, dict) and not failed(one))
    choice = next(choices, {})
    extra = chat.body.get("stream_options")

    def chunk(delta: dict[str, Any], end: str | None = None, **more: Any) -> bytes:
        return _event({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": end}], **more})

    message = choice.get("message")
    yield chunk({"role": "assistant", **(message if isinstance(message, dict) else {})})
    yield chunk({}, choice.get("finish_reason") or "stop", ralc=reply["ralc"])
    if isinstance(extra, dict) and extra.get("include_usage") is True and "usage" in reply:
        yield _event({**head, "choices": [], "usage": reply["usage"]})
    yield b"data: [DONE]\n\n"


async def _events(reply: Object) -> AsyncIterator[bytes]:
    """A finished response as a stream."""
    for number, event in enumerate(events(as_response(reply))):
        yield f"event: {event['type']}\n".encode() + _event({**event, "sequence_number": number})


async def _marked(parts: AsyncIterable[bytes], told: Object) -> AsyncIterator[bytes]:
    """Events as they come, line by line; the one that ends an answer with the object ``ralc``."""
    line = bytearray()
    async for part in parts:
        line += part
        if len(line) > LARGEST_REPLY:
            raise upstream_error(f"'s event is larger than {LARGEST_REPLY} bytes")
        if b"\n" in part:
            *lines, rest = bytes(line).split(b"\n")
            line = bytearray(rest)
            yield b"".join(_marked_line(whole, told) + b"\n" for whole in lines)
    yield _marked_line(bytes(line), told)


def _marked_line(line: bytes, told: Object) -> bytes:
    """A line of a stream of events, with the object ``ralc`` where it ends an answer."""
    try:
        event: Object = parsed(line[5:]) if line.startswith(b"data:") else {}
        chosen = any(choice.get("finish_reason") for choice in event.get("choices") or ())
        if not (chosen or event.get("type") in _LAST_EVENTS):
            return line
        event.get("response", event)["ralc"] = told
    except (ValueError, TypeError, AttributeError):  # the upstream's own affair
        return line
    return b"data: " + json.dumps(event).encode() + line[len(line.rstrip()) :]


async def _while_there(request: Request, work: Awaitable[Made]) -> Made:
    """Do some work, and end it when the client hangs up: ClientDisconnect."""

    async def hung_up() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    working = asyncio.ensure_future(work)
    waiting = asyncio.ensure_future(hung_up())
    try:
        await asyncio.wait({working, waiting}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return await working
    finally:
        waiting.cancel()
        working.cancel()
        await asyncio.gather(working, waiting, return_exceptions=True)
