"""The server behind: asked with the caller's own headers, which are passed on and kept nowhere."""

import asyncio
import json
import re
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from email.utils import parsedate_to_datetime
from functools import lru_cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, NamedTuple

import httpx

from ralc.io.console import visible
from ralc.llm.chat import content_of, failed, final_answer, usage
from ralc.llm.engines import plain_address
from ralc.llm.server_capabilities import Capabilities, Trial
from ralc.llm.server_replies import TOO_DEEP, error_status, faults_of, refusal_of, reply_of

LOOPBACK = ("127.0.0.1", "localhost", "::1")
#: The header with the server's own key.
KEY = b"x-ralc-key"
#: Of the connection; a cookie would be one caller's session in another's request; the rest each side says itself.
_NOT_PASSED = {
    b"connection",
    b"keep-alive",
    b"proxy-authenticate",
    b"proxy-authorization",
    b"proxy-connection",
    b"te",
    b"trailer",
    b"transfer-encoding",
    b"upgrade",
    b"expect",
    b"cookie",
    b"set-cookie",
    b"host",
    b"date",
    b"server",
    KEY,
}
#: Of a body, where another one is sent.
_OF_THE_BODY = (b"content-length", b"content-type", b"content-encoding", b"content-md5", b"digest", b"etag")
CONNECTIONS = 256  # to the upstream
LARGEST_REPLY = 10_000_000  # bytes
LARGEST_STREAM = 100_000_000  # bytes of what passes as it comes
_TOGETHER = 8  # single requests of one reply that are in flight at once
_TRIES = 3  # of a request that may succeed when repeated
_FIRST_WAIT_S = 0.5  # before the second try, doubled for each further one
_EAGER_S = 5.0  # the longest wait for the first answer; with a longer one the client is told
_BROKEN = " cannot be reached or broke off ({})"
_PASSING = (408, 409, 425, 429, 500, 502, 503, 504)  # statuses that may change when asked again

Headers = Sequence[tuple[bytes, bytes]]
Object = dict[str, Any]


class ServeError(Exception):
    """A reply that is an error: its status, its body in the OpenAI schema, and headers such as ``Retry-After``.

    An upstream's may say after how many seconds to ask again (`wait`), and what it refuses (`refusal`; None where the
    upstream said nothing).

    Parameters
    ----------
    status
        The status of the reply, from 400 on.
    message
        What went wrong, for people.
    kind
        The ``type`` of the error in the OpenAI schema.
    headers
        Those that go out beside it.
    """

    wait: float | None = None
    refusal: str | None = None

    def __init__(self, status: int, message: str, kind: str = "ralc_error", headers: Headers = ()) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers
        self.body: Any = {"error": {"message": message, "type": kind, "param": None, "code": None}}


def upstream_error(message: str, status: int = 502) -> ServeError:
    """Return the error of an upstream that fails."""
    return ServeError(status, f"the upstream{message}", "upstream_error")


def _refused(reply: httpx.Response, content: bytes, status: int) -> ServeError:
    """The error that a reply is, with its own words where it has some; 502 where its status is none of an error."""
    error = upstream_error(f" answered {status}", status if 400 <= status < 600 else 502)
    error.headers = headers_of(reply)
    error.wait = _wait(reply.headers)
    error.refusal = refusal_of(content)
    with suppress(ValueError):
        body = _finite(reply_of(content))
        if faults := faults_of(body):
            fault = faults[0] if len(faults) == 1 and isinstance(faults[0], dict) else {}
            told = {"message": error.refusal} | fault
            error.body = (body if isinstance(body, dict) else {}) | {"error": error.body["error"] | told}
    return error


class Caller(NamedTuple):
    """Who asks: the headers of a request, and its path and query below the upstream's address.

    What is no chat completion there is `read` as one, and drawn one by one.
    """

    headers: Headers
    path: bytes = b"chat/completions"
    read: Callable[[Any], Any] | None = None


class Reply(NamedTuple):
    """A chat completion, the headers that pass, all headers, by which caches tell copies, and what was sent for it."""

    body: Object
    headers: Headers
    marks: dict[str, str]
    sent: Object

    @property
    def choices(self) -> list[Object]:
        """The choices that did not fail, each with a message; ServeError where one has none."""
        choices = [choice for choice in self.body["choices"] if not failed(choice)]
        if not all(isinstance(item, dict) and isinstance(item.get("message"), dict) for item in choices):
            raise upstream_error("'s reply has a choice that has no message")
        return choices


class Sample(NamedTuple):
    """The answers to one request, drawn at one temperature (None: the upstream's own)."""

    choices: list[Object]
    replies: list[Reply]
    copies: int
    failed: int
    temperature: float | None

    @classmethod
    def of(cls, replies: list[Reply], wanted: int, model: Capabilities) -> "Sample":
        """Return the samples among the answers of some replies.

        Parameters
        ----------
        replies
            At least one. Those that a cache copied are counted, and give no sample.
        wanted
            Samples at most.
        model
            What the model was found to do; it learns from the replies.
        """
        drawn = [(reply, [content_of(choice["message"])[0] for choice in reply.choices]) for reply in replies]
        for reply, texts in drawn:
            model.see(reply.body.get("id"), texts)
        copies = 0
        every = []
        before = set[tuple[str, str]]()
        for reply, texts in drawn:
            if model.is_copy(reply.body.get("id"), texts, reply.marks, before):
                copies += 1
            else:
                every += reply.choices
        chosen = ([choice for choice in every if text_of(choice).strip()] or every)[:wanted]
        lost = max(wanted - len(chosen) - copies, 0)
        return cls(chosen, replies, copies, lost, replies[0].sent.get("temperature"))


def spent(replies: Iterable[Reply]) -> Object:
    """Return the field ``usage`` of some replies together; none where no upstream counts."""
    tokens = Counter[str]()
    for reply in replies:
        read, written, _ = usage(reply.body)
        tokens += Counter(prompt_tokens=read, completion_tokens=written, total_tokens=read + written)
    return {"usage": tokens} if tokens else {}


def plain_upstream(address: str) -> tuple[str, str]:
    """Return the address of an upstream without its query, and the query.

    Raises ValueError where it is none; the value is shown unless it has room for a key.
    """
    base, _, query = address.partition("?")
    try:
        plain_address(base, remedy="clients send the key (Authorization), which is passed on")
    except ValueError as error:
        shown = f" {base}" if re.fullmatch(r"[\w.:/-]+", base) else ""
        raise ValueError(f"--upstream{shown}: {error}; or embedded, ralc's own model") from None
    return base, query


async def _in_time(asking: list[Awaitable[Reply]], until: float) -> list[Reply]:
    """The replies that come until a time of the clock and are no errors; nobody waits for the others."""
    tasks = list(map(asyncio.ensure_future, asking))
    try:
        if tasks:
            await asyncio.wait(tasks, timeout=max(until - time.monotonic(), 0))
        return [task.result() for task in tasks if task.done() and not task.exception()]
    finally:
        for task in tasks:
            task.cancel()


class Upstream:
    """Connections to the upstream, and what each model was found to refuse; every failure is a `ServeError`."""

    def __init__(self, address: str, timeout_s: float) -> None:
        base, query = plain_upstream(address)
        #: Without its query, in which a key may stand.
        self.address = base
        self._base = httpx.URL(base.rstrip("/") + "/")
        self._query = query.encode()
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

    async def ask(self, caller: Caller, request: Object) -> Reply:
        """Return the reply to a request as it came, but for a stream."""
        return await self._patient(caller, _whole(request), {}, time.monotonic() + self._timeout_s)

    async def draw(
        self, caller: Caller, request: Object, wanted: int, *, logprobs: bool, temperature: float
    ) -> Sample:
        """Return so many answers to a request at a temperature, or as many as come in time.

        Parameters
        ----------
        caller
            Who asks.
        request
            The body of a chat completion.
        wanted
            Answers at most.
        logprobs
            Whether the log-probabilities of their tokens are asked for, too.
        temperature
            Of several answers; one answer has the client's own.

        Raises
        ------
        ServeError
            If the first answer fails. Of further ones those that fail are missing.
        """
        body = _whole(request, "n")
        model = self._model(str(body.get("model")))
        seed = body.get("seed")
        base = seed if type(seed) is int else secrets.randbelow(2**31 - 1000)
        until = time.monotonic() + self._timeout_s
        if logprobs and "logprobs" in model.lacks:
            wanted = 1  # it will pass as it is
        room = asyncio.Semaphore(_TOGETHER)

        async def ask(place: int, n: int) -> Reply:
            added: Object = {"logprobs": True, "top_logprobs": 1} if logprobs else {}
            if wanted > 1:  # each with a seed of its own, or a cache would answer equal requests
                added |= {"temperature": temperature}
                added |= {} if caller.read else {"n": n, "seed": base + place}
            async with room:
                return await self._patient(caller, body, added, until, patient=place > 0)

        first = await ask(0, wanted)
        got = len(first.choices)
        if len(first.body["choices"]) == 1 < wanted and not caller.read:
            model.lack("n")
        if logprobs and not first.choices[0].get("logprobs"):
            wanted = got  # it will pass as it is
        others = await _in_time([ask(place, 1) for place in range(got, wanted)], until)
        return Sample.of([first, *others], wanted, model)

    async def _patient(
        self, caller: Caller, body: Object, added: Object, until: float, *, patient: bool = False
    ) -> Reply:
        """One request, asked again where that may help and there is time; a long wait only where it is `patient`."""
        # What the client sent is its own, but for a temperature in whose place another is added.
        keep = body.keys() - ({"temperature"} & added.keys())
        trial = Trial(self._model(str(body.get("model"))), body | added, keep)
        tries = 0
        while True:
            try:
                reply = await self._answered(caller, trial.fields)
                if not trial.answered():
                    return reply
            except ServeError as error:
                refusal = error.status, error.refusal or ""
                if trial.refused(*refusal, final=False):
                    continue
                wait = _FIRST_WAIT_S * 2**tries if error.wait is None else error.wait
                tries += 1
                if error.status in _PASSING and tries < _TRIES:
                    if time.monotonic() + wait > until or (wait > _EAGER_S and not patient):
                        raise
                    await asyncio.sleep(wait)
                elif error.refusal is not None and trial.refused(*refusal):
                    tries = 1
                else:
                    raise

    async def _answered(self, caller: Caller, body: Object) -> Reply:
        """The chat completion that a body is answered with in time."""
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self.post(caller, body)
        except TimeoutError:
            raise self._late() from None

    async def post(self, caller: Caller, body: Object) -> Reply:
        """Return the chat completion that a body is answered with, however long that takes."""
        return await self.whole(await self.chat(caller, body), body, caller.read)

    async def whole(
        self, reply: httpx.Response, sent: Object, read: Callable[[Any], Any] | None = None
    ) -> Reply:
        """Return the chat completion of a reply whose head has come, and close it.

        Parameters
        ----------
        reply
            A reply whose head has come.
        sent
            The body that it answers.
        read
            Makes a chat completion of what is none.

        Raises
        ------
        ServeError
            If the reply is an error, too large, no JSON or without choices.
        """
        content, body = await self.value(reply)
        body = read(body) if read else body
        if status := error_status(body, content):
            raise (
                _refused(reply, content, status)
                if faults_of(body)
                else upstream_error("'s reply has no choices")
            )
        return Reply(body, headers_of(reply), dict(reply.headers.items()), sent)

    async def chat(self, caller: Caller, body: Object) -> httpx.Response:
        """Return the plain reply to a chat completion, its head; raise its refusal."""
        passed = passing(caller.headers, (*_OF_THE_BODY, b"accept-encoding"))
        outgoing = [*passed, (b"content-type", b"application/json")]
        reply = await self.open("POST", caller.path, outgoing, json.dumps(body).encode())
        if reply.status_code != 200:
            raise _refused(reply, await self._content(reply), reply.status_code)
        return reply

    async def open(self, method: str, path: bytes, headers: Headers, content: bytes) -> httpx.Response:
        """Return the reply to any request of which the head has come; who takes it closes it.

        Parameters
        ----------
        method
            That of HTTP.
        path
            Below the address of the upstream, with the query.
        headers
            Those that are sent.
        content
            The body; empty for none.

        Raises
        ------
        ServeError
            If the upstream cannot be reached, or its head does not come in time.
        """
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
        most = most or LARGEST_STREAM
        seen = 0
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

    async def value(self, reply: httpx.Response) -> tuple[bytes, Any]:
        """Return the content of a reply whose head has come, and its value; close it."""
        content = await self._content(reply)
        try:
            return content, _finite(reply_of(content))
        except ValueError as error:
            raise upstream_error(f"'s reply is not JSON: {error}"[:300]) from None

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
        return _finite(json.loads(content))
    except RecursionError:
        raise ValueError(TOO_DEEP) from None


def _finite(value: Any) -> Any:
    """The value of a JSON text; ValueError where a number is none of JSON, or it cannot be written again."""
    try:
        json.dumps(value, allow_nan=False)
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    return value


def _whole(request: Object, *without: str) -> Object:
    """A request without what makes its reply a stream, and without some fields."""
    dropped = ("stream", "stream_options", *without)
    return {name: value for name, value in request.items() if name not in dropped}


def _wait(headers: httpx.Headers) -> float | None:
    """The seconds that an upstream asks to wait (it may name a time); None if it does not say."""
    value = headers.get("retry-after", "")
    with suppress(ValueError):
        return max(0.0, float(value))
    with suppress(ValueError, TypeError, OverflowError):
        return max(parsedate_to_datetime(value).timestamp() - time.time(), 0.0)
    return None
