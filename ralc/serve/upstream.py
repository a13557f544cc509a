"""The server behind: asked with the caller's own headers, which are passed on and kept nowhere."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from email.utils import parsedate_to_datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx

from ralc.llm.server_capabilities import refusal_of
from ralc.serve.messages import OF_THE_BODY, Headers, ServeError, gathered, parsed, passed
from ralc.serve.settings import LOOPBACK, ServeSettings

CHAT = b"chat/completions"


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
        try:
            body = parsed(content)
        except ValueError:
            return
        if isinstance(body, dict) and ("error" in body or "detail" in body):
            self.body = body if "error" in body else {**self.body, **body}


class Reply(NamedTuple):
    """A chat completion, the headers that pass, and all headers, by which caches tell copies."""

    body: dict[str, Any]
    headers: Headers
    marks: dict[str, str]


class Upstream:
    """Connections to the upstream; every failure of its is an `UpstreamError`."""

    def __init__(self, settings: ServeSettings) -> None:
        self._settings = settings
        self._base = httpx.URL(settings.address + "/")
        self._query = settings.upstream.partition("?")[2].encode()
        self._client = httpx.AsyncClient(
            timeout=settings.timeout_s,
            limits=httpx.Limits(max_connections=settings.concurrency * 4, max_keepalive_connections=64),
            # A proxy of the environment has no part in reaching this machine itself.
            trust_env=urlsplit(settings.address).hostname not in LOOPBACK,
            headers={"accept-encoding": "identity", "user-agent": "ralc"},
            # One client asks for all callers: a cookie that it kept would be one caller's session in another's request.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def post(self, headers: Headers, body: dict[str, Any], answers: int = 1) -> Reply:
        """Return the chat completion that a body is answered with.

        Raises
        ------
        UpstreamError
            If there is none, it is late, or it is larger than `answers` answers may be.
        """
        try:
            async with asyncio.timeout(self._settings.timeout_s):
                reply = await self.chat(headers, body)
                found = await self.completion(reply, answers)
                return Reply(found, back(reply), dict(reply.headers))
        except TimeoutError:
            raise self._late() from None

    async def completion(self, reply: httpx.Response, answers: int = 1) -> dict[str, Any]:
        """Return the JSON object of a reply whose head has come, and close it."""
        try:
            found = parsed(await self._content(reply, answers))
        except ValueError as error:
            raise UpstreamError(f"'s reply is not JSON: {error}"[:300]) from None
        if not isinstance(found, dict):
            raise UpstreamError("'s reply is no JSON object")
        return found

    async def chat(self, headers: Headers, body: dict[str, Any]) -> httpx.Response:
        """Return the plain reply to a chat completion, its head; raise its refusal."""
        own = passed(headers, without=(*OF_THE_BODY, b"accept-encoding"))
        own.append((b"content-type", b"application/json"))
        reply = await self.open("POST", CHAT, b"", own, json.dumps(body).encode())
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
        larger = UpstreamError(f"'s reply is larger than {most} bytes")
        try:
            return await gathered(reply.aiter_raw(), most, larger)
        except httpx.HTTPError as error:
            raise UpstreamError(f" cannot be reached or broke off ({type(error).__name__})") from None
        finally:
            await reply.aclose()


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
