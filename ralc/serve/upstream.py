"""The server behind: asked with the caller's own headers, which are passed on and kept nowhere."""

import asyncio
import json
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import suppress
from email.utils import parsedate_to_datetime
from functools import lru_cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, NamedTuple

import httpx

from ralc.io.console import visible
from ralc.llm.chat import content_of, final_answer, usage
from ralc.llm.engines import plain_address
from ralc.llm.server_capabilities import Capabilities, is_copy, refusal_of

LOOPBACK = ("127.0.0.1", "localhost", "::1")
#: The header with the server's own key.
KEY = b"x-ralc-key"
#: Of the connection; a cookie would be one caller's session in another's request; the rest each side says itself.
_NOT_PASSED = {
    *(b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"proxy-connection"),
    *(b"te", b"trailer", b"transfer-encoding", b"upgrade", b"expect"),
    *(b"cookie", b"set-cookie", b"host", b"date", b"server", KEY),
}
#: Of a body, where another one is sent.
_OF_THE_BODY = (b"content-length", b"content-type", b"content-encoding", b"content-md5", b"digest", b"etag")
CONNECTIONS = 256  # to the upstream
LARGEST_REPLY, LARGEST_STREAM = 10_000_000, 100_000_000  # bytes: of a reply, and of what passes as it comes
_TOGETHER = 8  # single requests of one reply that are in flight at once
_TRIES = 3  # of a single request that may succeed when repeated
_FIRST_WAIT_S = 0.5  # before the second try, doubled for each further one
_EAGER_S = 5.0  # the longest wait for the first answer; with a longer one the client is told
_BROKEN = " cannot be reached or broke off ({})"
_PASSING = (408, 409, 425, 429, 500, 502, 503, 504)  # statuses that may change when asked again

Headers = Sequence[tuple[bytes, bytes]]
Object = dict[str, Any]


class ServeError(Exception):
    """A reply that is an error: its status, its body in the OpenAI schema, and headers such as ``Retry-After``.

    An upstream's may say after how many seconds to ask again (`wait`), and what of the request it refuses.
    """

    wait: float | None = None
    refusal = ""

    def __init__(self, status: int, message: str, kind: str = "ralc_error", headers: Headers = ()) -> None:
        super().__init__(message)
        self.status, self.headers = status, headers
        self.body: Any = {"error": {"message": message, "type": kind, "param": None, "code": None}}


def upstream_error(message: str, status: int = 502) -> ServeError:
    """Return the error of an upstream that fails."""
    return ServeError(status, f"the upstream{message}", "upstream_error")


def _refused(reply: httpx.Response, content: bytes) -> ServeError:
    """The error that a reply is, with its own words where it has some; 502 where its status is none of an error."""
    status = reply.status_code
    error = upstream_error(f" answered {status}", status if 400 <= status < 600 else 502)
    error.headers, error.wait, error.refusal = headers_of(reply), _wait(reply.headers), refusal_of(content)
    with suppress(ValueError):
        body = parsed(content)
        if isinstance(body, dict) and ("error" in body or "detail" in body):
            error.body = error.body | body
    return error


class Reply(NamedTuple):
    """A chat completion, the headers that pass, and all headers, by which caches tell copies."""

    body: Object
    headers: Headers
    marks: dict[str, str]

    @property
    def choices(self) -> list[Object]:
        """The choices, each with a message; ServeError where there is none."""
        choices = self.body.get("choices")
        if not isinstance(choices, list) or not choices:
            raise upstream_error("'s reply has no choices")
        if not all(isinstance(item, dict) and isinstance(item.get("message"), dict) for item in choices):
            raise upstream_error("'s reply has a choice that has no message")
        return choices


class Sample(NamedTuple):
    """The answers to one request."""

    choices: list[Object]
    first: Object
    headers: Headers
    copies: int
    failed: int

    @classmethod
    def of(cls, replies: list[Reply], wanted: int) -> "Sample":
        """Return the samples among the answers of some replies."""
        copies, every, before, spent = 0, [], {}, Counter[str]()
        for reply in replies:
            texts = [content_of(choice["message"])[0] for choice in reply.choices]
            copied = is_copy(texts, reply.body.get("id"), reply.marks, before)
            copies += copied
            every += [] if copied else reply.choices
            read, written, _ = usage(reply.body)
            spent += Counter(prompt_tokens=read, completion_tokens=written, total_tokens=read + written)
        chosen = ([choice for choice in every if text_of(choice).strip()] or every)[:wanted]
        first = {**replies[0].body, **({"usage": spent} if spent else {})}
        return cls(chosen, first, replies[0].headers, copies, max(wanted - len(chosen) - copies, 0))


class Upstream:
    """Connections to the upstream, and what each model was found to refuse; every failure is a `ServeError`."""

    def __init__(self, address: str, timeout_s: float) -> None:
        base, _, query = address.partition("?")
        plain_address(base, remedy="clients send the key (Authorization), which is passed on")
        self._base, self._query = httpx.URL(base.rstrip("/") + "/"), query.encode()
        self._timeout_s = timeout_s
        # Clients choose the names of models.
        self._model = lru_cache(100)(lambda name: Capabilities(f"the upstream ({visible(name)[:200]})"))
        self._client = httpx.AsyncClient(
            timeout=timeout_s,
            limits=httpx.Limits(max_connections=CONNECTIONS, max_keepalive_connections=64),
            # A proxy of the environment has no part in reaching this machine itself.
            trust_env=self._base.host not in LOOPBACK,
            headers={"accept-encoding": "identity", "user-agent": "ralc"},
            # One client asks for all callers: a cookie that it kept would be one caller's session in another's request.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        )
        self.close = self._client.aclose

    async def draw(self, request: Object, headers: Headers, wanted: int, *, logprobs: bool) -> Sample:
        """Return so many answers to a request, or as many as come in time."""
        body = {k: value for k, value in request.items() if k not in ("stream", "stream_options", "n")}
        model, seed = self._model(str(body.get("model"))), body.get("seed")
        base = seed if type(seed) is int else secrets.randbelow(2**31 - 1000)
        until = time.monotonic() + self._timeout_s
        if logprobs and "logprobs" in model.lacks:
            wanted = 1  # it will pass as it is
        room = asyncio.Semaphore(_TOGETHER)

        async def ask(place: int, n: int) -> Reply:
            added: Object = {"logprobs": True, "top_logprobs": 1} if logprobs else {}
            if wanted > 1:  # each with a seed of its own, or a cache would answer equal requests
                added |= {"temperature": 1.0, "n": n, "seed": base + place}
            async with room:
                return await self._patient(headers, body, added, until, place == 0)

        replies = [await ask(0, wanted)]
        got = len(replies[0].choices)
        if got == 1 < wanted:
            model.lack("n")
        if logprobs and not replies[0].choices[0].get("logprobs"):
            wanted = got  # it will pass as it is
        tasks = [asyncio.ensure_future(ask(place, 1)) for place in range(got, wanted)]
        try:
            if tasks:
                await asyncio.wait(tasks, timeout=max(until - time.monotonic(), 0))
            replies += [task.result() for task in tasks if task.done() and not task.exception()]
        finally:
            for task in tasks:
                task.cancel()
        return Sample.of(replies, wanted)

    async def _patient(
        self, headers: Headers, body: Object, added: Object, until: float, first: bool
    ) -> Reply:
        """One request, asked again where that may help and there is time; the first only where it is told when."""
        tries, model = 0, self._model(str(body.get("model")))
        while True:
            fields = model.fitted(body | added, keep=body)
            try:
                return await self.post(headers, fields)
            except ServeError as error:
                if error.refusal and model.learn(error.status, error.refusal, fields, keep=body):
                    continue
                wait = _FIRST_WAIT_S * 2**tries if error.wait is None else error.wait
                tries += 1
                hopeless = error.status not in _PASSING or tries == _TRIES or time.monotonic() + wait > until
                if hopeless or (first and (error.wait is None or wait > _EAGER_S)):
                    raise
                await asyncio.sleep(wait)

    async def post(self, headers: Headers, body: Object) -> Reply:
        """Return the chat completion that a body is answered with."""
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self.whole(await self.chat(headers, body))
        except TimeoutError:
            raise self._late() from None

    async def whole(self, reply: httpx.Response) -> Reply:
        """Return the chat completion of a reply whose head has come, and close it."""
        try:
            body = parsed(await self._content(reply))
        except ValueError as error:
            raise upstream_error(f"'s reply is not JSON: {error}"[:300]) from None
        if not isinstance(body, dict):
            raise upstream_error("'s reply is no JSON object")
        return Reply(body, headers_of(reply), dict(reply.headers))

    async def chat(self, headers: Headers, body: Object) -> httpx.Response:
        """Return the plain reply to a chat completion, its head; raise its refusal."""
        outgoing = passing(headers, without=(*_OF_THE_BODY, b"accept-encoding"))
        outgoing = [*outgoing, (b"content-type", b"application/json")]
        reply = await self.open("POST", b"chat/completions", outgoing, json.dumps(body).encode())
        if reply.status_code != 200:
            raise _refused(reply, await self._content(reply))
        return reply

    async def open(self, method: str, path: bytes, headers: Headers, content: bytes) -> httpx.Response:
        """Return the reply to any request of which the head has come; who takes it closes it."""
        path, _, query = path.partition(b"?")
        target = self._base.raw_path + path + b"?" + b"&".join(filter(None, (self._query, query)))
        try:
            url = self._base.copy_with(raw_path=target.rstrip(b"?"))
            request = self._client.build_request(method, url, headers=headers, content=content or None)
            async with asyncio.timeout(self._timeout_s):
                return await self._client.send(request, stream=True)
        except (httpx.TimeoutException, TimeoutError):
            raise self._late() from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise upstream_error(_BROKEN.format(type(error).__name__)) from None

    async def parts(self, reply: httpx.Response, most: int = 0) -> AsyncIterator[bytes]:
        """Yield a reply's parts as they come, never more than `most` bytes (a stream's); close it at the end."""
        most, seen = most or LARGEST_STREAM, 0
        try:
            async for part in reply.aiter_raw():
                seen += len(part)
                if seen > most:
                    raise upstream_error(f"'s reply is larger than {most} bytes")
                yield part
        except httpx.HTTPError as error:
            raise upstream_error(_BROKEN.format(type(error).__name__)) from None
        finally:
            await reply.aclose()

    async def _content(self, reply: httpx.Response) -> bytes:
        return b"".join([part async for part in self.parts(reply, LARGEST_REPLY)])

    def _late(self) -> ServeError:
        return upstream_error(f" took longer than {self._timeout_s:g} s", 504)


def text_of(choice: Object) -> str:
    """Return the answer of a choice, without reasoning; "" where it has none."""
    return final_answer(content_of(choice["message"])[0] or "")[0]


def passing(headers: Iterable[tuple[bytes, bytes]], without: Iterable[bytes] = ()) -> Headers:
    """Return the headers that pass, their values byte for byte."""
    pairs = [(name.lower(), value) for name, value in headers]
    connection = b",".join(value for name, value in pairs if name == b"connection").lower()
    dropped = _NOT_PASSED | {word.strip() for word in connection.split(b",")} | set(without)
    return [(name, value) for name, value in pairs if name not in dropped]


def headers_of(reply: httpx.Response) -> Headers:
    """Return the headers of a reply that pass, where another body is sent."""
    return passing(reply.headers.raw, without=_OF_THE_BODY)


def parsed(content: bytes) -> Any:
    """Return the value of a JSON text from anybody, none of whose numbers is infinite; else ValueError."""
    try:
        value = json.loads(content)
        json.dumps(value, allow_nan=False)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    return value


def _wait(headers: httpx.Headers) -> float | None:
    """The seconds that an upstream asks to wait (it may name a time); None if it does not say."""
    value = headers.get("retry-after", "")
    with suppress(ValueError):
        return max(0.0, float(value))
    with suppress(ValueError, TypeError, OverflowError):
        return max(parsedate_to_datetime(value).timestamp() - time.time(), 0.0)
    return None
