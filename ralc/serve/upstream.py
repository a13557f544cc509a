"""The server behind: asked with the caller's own headers, which are passed on and kept nowhere."""

import asyncio
import json
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from email.utils import parsedate_to_datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx

from ralc.io.console import visible
from ralc.llm.chat import final_answer
from ralc.llm.server_capabilities import Capabilities, Copies, refusal_of
from ralc.serve.messages import OF_THE_BODY, Headers, ServeError, gathered, parsed, passed
from ralc.serve.settings import LOOPBACK, ServeSettings

_CONNECTIONS = 256  # to the upstream
_TOGETHER = 8  # single requests of one reply that are in flight at once
_MODELS = 100  # of which it is remembered what they refuse: clients choose the names
_TRIES = 3  # of a single request that may succeed when repeated
_FIRST_WAIT_S = 0.5  # before the second try, doubled for each further one
_EAGER_S = 5.0  # the longest wait for the first answer; with a longer one the client is told
_PASSING = (408, 409, 425, 429, 500, 502, 503, 504)  # statuses that may change when asked again

Choice = dict[str, Any]


class UpstreamError(ServeError):
    """An upstream that fails: 502 unless something else is said."""

    wait: float | None = None  # seconds until it may be asked again, where it says so

    def __init__(self, message: str, status: int = 502) -> None:
        super().__init__(status, f"the upstream{message}", "upstream_error")


class RefusalError(UpstreamError):
    """An error of the upstream's own, passed on as it came; 502 where its status is none of an error."""

    def __init__(self, reply: httpx.Response, content: bytes) -> None:
        status = reply.status_code
        super().__init__(f" answered {status}", status if 400 <= status < 600 else 502)
        self.headers, self.wait, self.refusal = back(reply), _wait(reply.headers), refusal_of(content)
        with suppress(ValueError):
            body = parsed(content)
            if isinstance(body, dict) and ("error" in body or "detail" in body):
                self.body = body if "error" in body else {**self.body, **body}


class Reply(NamedTuple):
    """A chat completion, the headers that pass, and all headers, by which caches tell copies."""

    body: dict[str, Any]
    headers: Headers
    marks: dict[str, str]

    @property
    def choices(self) -> list[Choice]:
        """The choices, each with a message; UpstreamError where there is none."""
        choices = self.body.get("choices")
        if not isinstance(choices, list) or not choices:
            raise UpstreamError("'s reply has no choices")
        for choice in choices:
            if not isinstance(choice, dict) or not isinstance(choice.get("message"), dict):
                raise UpstreamError("'s reply has a choice that has no message")
        return choices


class Sample(NamedTuple):
    """The answers to one request."""

    choices: list[Choice]
    first: dict[str, Any]
    headers: Headers
    copies: int
    failed: int

    @classmethod
    def of(cls, replies: list[Reply], wanted: int) -> "Sample":
        """Return the samples among the answers of some replies."""
        seen, copied, own, usage = Copies(), 0, [], {}
        for reply in replies:
            if seen.is_copy(reply.body, reply.marks):
                copied += 1
            else:
                own += reply.choices
            for name in ("prompt_tokens", "completion_tokens", "total_tokens"):
                counted = reply.body.get("usage")
                if isinstance(counted, dict) and isinstance(counted.get(name), int):
                    usage[name] = usage.get(name, 0) + counted[name]
        found = ([choice for choice in own if text_of(choice).strip()] or own)[:wanted]
        first = {**replies[0].body, **({"usage": usage} if usage else {})}
        return cls(found, first, replies[0].headers, copied, max(wanted - len(found) - copied, 0))


class Upstream:
    """Connections to the upstream; every failure of its is an `UpstreamError`.

    It remembers by model which fields that are added here it refuses.
    """

    def __init__(self, settings: ServeSettings) -> None:
        self._settings = settings
        self._base = httpx.URL(settings.address + "/")
        self._query = settings.upstream.partition("?")[2].encode()
        self._models: dict[str, Capabilities] = {}
        self._client = httpx.AsyncClient(
            timeout=settings.timeout_s,
            limits=httpx.Limits(max_connections=_CONNECTIONS, max_keepalive_connections=64),
            # A proxy of the environment has no part in reaching this machine itself.
            trust_env=urlsplit(settings.address).hostname not in LOOPBACK,
            headers={"accept-encoding": "identity", "user-agent": "ralc"},
            # One client asks for all callers: a cookie that it kept would be one caller's session in another's request.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def draw(self, request: dict[str, Any], headers: Headers, wanted: int, *, logprobs: bool) -> Sample:
        """Return so many answers to a request, or as many as come in time."""
        body = {k: value for k, value in request.items() if k not in ("stream", "stream_options", "n")}
        model, seed = self._known(str(body.get("model"))), body.get("seed")
        base = seed if type(seed) is int else secrets.randbelow(2**31 - 1000)
        until = time.monotonic() + self._settings.timeout_s
        if logprobs and "logprobs" in model.lacks:
            wanted = 1  # it will pass as it is
        several, room = wanted > 1, asyncio.Semaphore(_TOGETHER)

        async def ask(place: int, n: int) -> Reply:
            added: dict[str, Any] = {"logprobs": True, "top_logprobs": 1} if logprobs else {}
            if several:  # each with a seed of its own, or a cache would answer equal requests
                added |= {"temperature": 1.0, "n": n, "seed": base + place}
            async with room:
                return await self._patient(headers, body, added, model, until, first=place == 0)

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
        self,
        headers: Headers,
        body: dict[str, Any],
        added: dict[str, Any],
        model: Capabilities,
        until: float,
        *,
        first: bool,
    ) -> Reply:
        """One request, asked again where that may help and there is time; the first only where it is told when."""
        tries = 0
        while True:
            own = added
            if "n" in added:  # one field or the other
                left_out = "seed" if added["n"] > 1 and "n" not in model.lacks else "n"
                own = {name: value for name, value in added.items() if name != left_out}
            sent = model.fitted(body | own, keep=body)
            try:
                return await self.post(headers, sent, sent.get("n", 1))
            except UpstreamError as error:
                refusal = getattr(error, "refusal", "")
                if refusal and model.learn(error.status, refusal, sent, keep=body):
                    continue
                wait = _FIRST_WAIT_S * 2**tries if error.wait is None else error.wait
                tries += 1
                hopeless = error.status not in _PASSING or tries == _TRIES or time.monotonic() + wait > until
                if hopeless or (first and (error.wait is None or wait > _EAGER_S)):
                    raise
                await asyncio.sleep(wait)

    def _known(self, model: str) -> Capabilities:
        """What is known of a model."""
        known = self._models.get(model) or Capabilities(f"the upstream ({visible(model)[:200]})")
        if len(self._models) < _MODELS:
            self._models[model] = known
        return known

    async def post(self, headers: Headers, body: dict[str, Any], answers: int = 1) -> Reply:
        """Return the chat completion that a body is answered with."""
        try:
            async with asyncio.timeout(self._settings.timeout_s):
                return await self.completion(await self.chat(headers, body), answers)
        except TimeoutError:
            raise self._late() from None

    async def completion(self, reply: httpx.Response, answers: int = 1) -> Reply:
        """Return the chat completion of a reply whose head has come, and close it."""
        try:
            found = parsed(await self._content(reply, answers))
        except ValueError as error:
            raise UpstreamError(f"'s reply is not JSON: {error}"[:300]) from None
        if not isinstance(found, dict):
            raise UpstreamError("'s reply is no JSON object")
        return Reply(found, back(reply), dict(reply.headers))

    async def chat(self, headers: Headers, body: dict[str, Any]) -> httpx.Response:
        """Return the plain reply to a chat completion, its head; raise its refusal."""
        own = passed(headers, without=(*OF_THE_BODY, b"accept-encoding"))
        own.append((b"content-type", b"application/json"))
        reply = await self.open("POST", b"chat/completions", b"", own, json.dumps(body).encode())
        # It was asked for none: what is packed twice unpacks to a million times its size.
        if reply.headers.get("content-encoding", "identity") != "identity":
            await reply.aclose()
            raise UpstreamError("'s reply is compressed, which it was not asked for")
        if reply.status_code != 200:
            raise RefusalError(reply, await self._content(reply, 1))
        return reply

    async def open(
        self, method: str, path: bytes, query: bytes, headers: Headers, content: bytes
    ) -> httpx.Response:
        """Return the reply to any request of which the head has come; who takes it closes it."""
        asked = b"&".join(part for part in (self._query, query) if part)
        target = self._base.raw_path + path + (b"?" + asked if asked else b"")
        try:
            url = self._base.copy_with(raw_path=target)
            request = self._client.build_request(method, url, headers=headers, content=content or None)
            async with asyncio.timeout(self._settings.timeout_s):
                try:
                    return await self._client.send(request, stream=True)
                except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
                    # A kept connection may have been closed meanwhile.
                    return await self._client.send(request, stream=True)
        except (httpx.TimeoutException, TimeoutError):
            raise self._late() from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise UpstreamError(f" cannot be reached or broke off ({type(error).__name__})") from None

    async def parts(self, reply: httpx.Response) -> AsyncIterator[bytes]:
        """Yield a reply's parts as they come, never more than a stream may have; close it at the end."""
        most, seen = self._settings.largest_stream, 0
        try:
            async for part in reply.aiter_raw():
                seen += len(part)
                if seen > most:
                    raise UpstreamError(f"'s reply is larger than {most} bytes")
                yield part
        except httpx.HTTPError as error:
            raise UpstreamError(f" broke off ({type(error).__name__})") from None
        finally:
            await reply.aclose()

    def _late(self) -> UpstreamError:
        return UpstreamError(f" took longer than {self._settings.timeout_s:g} s", 504)

    async def _content(self, reply: httpx.Response, answers: int) -> bytes:
        most = answers * self._settings.largest_answer
        try:
            return await gathered(
                reply.aiter_raw(), most, UpstreamError(f"'s reply is larger than {most} bytes")
            )
        except httpx.HTTPError as error:
            raise UpstreamError(f" cannot be reached or broke off ({type(error).__name__})") from None
        finally:
            await reply.aclose()


def text_of(choice: Choice) -> str:
    """Return the answer of a choice, without reasoning; "" where it has none."""
    content = choice["message"].get("content")
    return final_answer(content)[0] if isinstance(content, str) else ""


def back(reply: httpx.Response) -> Headers:
    """Return the headers of a reply that pass, where another body is sent."""
    return passed(reply.headers.raw, without=OF_THE_BODY)


def _wait(headers: httpx.Headers) -> float | None:
    """The seconds that an upstream asks to wait (it may name a time); None if it does not say."""
    value = headers.get("retry-after", "")
    with suppress(ValueError):
        return max(0.0, float(value))
    with suppress(ValueError, TypeError, OverflowError):
        return max(parsedate_to_datetime(value).timestamp() - time.time(), 0.0)
    return None
