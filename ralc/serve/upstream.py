"""The server behind: asked with the caller's own headers, which are passed on and kept nowhere."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any
from urllib.parse import urlsplit

import httpx

from ralc.serve.headers import OF_THE_BODY, Headers, passed
from ralc.serve.limits import LOOPBACK, ServeSettings
from ralc.serve.sending import UpstreamError, UpstreamRefusalError, gathered, parsed

CHAT = b"chat/completions"


class Upstream:
    """Connections to the upstream; every failure of its is an `UpstreamError` for the caller."""

    def __init__(self, settings: ServeSettings) -> None:
        self._settings = settings
        self._base = httpx.URL(settings.address.rstrip("/") + "/")
        self._query = settings.query.encode()
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

    async def post(
        self, headers: Headers, body: dict[str, Any], answers: int = 1
    ) -> tuple[dict[str, Any], Headers]:
        """The JSON object that a chat completion is answered with, and the headers that pass.

        Raises
        ------
        UpstreamError
            If there is none, it is late, or it is larger than `answers` answers may be.
        """
        try:
            async with asyncio.timeout(self._settings.timeout_s), self.chat(headers, body) as reply:
                content = await self._content(reply, answers)
        except TimeoutError:
            raise self._late() from None
        try:
            found = parsed(content)
        except ValueError as error:
            raise UpstreamError(f"'s reply is not JSON: {error}"[:300]) from None
        if not isinstance(found, dict):
            raise UpstreamError("'s reply is no JSON object")
        return found, _back(reply)

    @asynccontextmanager
    async def chat(self, headers: Headers, body: dict[str, Any]) -> AsyncIterator[httpx.Response]:
        """The plain reply to a chat completion, of which the head has come; its refusal is raised."""
        own = [
            *passed(headers, without=(*OF_THE_BODY, b"accept-encoding")),
            (b"content-type", b"application/json"),
        ]
        async with self.sent("POST", CHAT, b"", own, json.dumps(body).encode()) as reply:
            # It was asked for none: what is packed twice unpacks to a million times its size.
            if reply.headers.get("content-encoding", "identity") != "identity":
                raise UpstreamError("'s reply is compressed, which it was not asked for")
            if reply.status_code != 200:
                try:
                    told = parsed(await self._content(reply))
                except ValueError:
                    told = None
                raise UpstreamRefusalError(reply.status_code, told, _back(reply))
            yield reply

    @asynccontextmanager
    async def sent(
        self, method: str, path: bytes, query: bytes, headers: Headers, content: bytes
    ) -> AsyncIterator[httpx.Response]:
        """The reply to any request, of which the head has come."""
        asked = b"&".join(part for part in (self._query, query) if part)
        target = self._base.raw_path + path + (b"?" + asked if asked else b"")
        try:
            url = self._base.copy_with(raw_path=target)
            request = self._client.build_request(method, url, headers=headers, content=content or None)
            async with aclosing(await self._begun(request)) as reply:
                yield reply
        except httpx.TimeoutException:
            raise self._late() from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise UpstreamError(f" cannot be reached or broke off ({type(error).__name__})") from None

    async def _begun(self, request: httpx.Request) -> httpx.Response:
        """The reply of which the head has come; asked again where a kept connection turned out to be closed."""
        fresh = False

        async def trace(name: str, _: Any) -> None:
            nonlocal fresh
            fresh = fresh or name.startswith("connection.connect")

        request.extensions["trace"] = trace
        try:
            return await self._client.send(request, stream=True)
        except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
            if fresh:  # it may have been answered and paid for
                raise
            return await self._client.send(request, stream=True)

    def _late(self) -> UpstreamError:
        return UpstreamError(f" took longer than {self._settings.timeout_s:g} s", 504)

    async def _content(self, reply: httpx.Response, answers: int = 1) -> bytes:
        """The content of a reply, never more than `answers` answers may have."""
        most = answers * self._settings.largest_answer
        return await gathered(reply.aiter_raw(), most, UpstreamError(f"'s reply is larger than {most} bytes"))


def _back(reply: httpx.Response) -> Headers:
    return passed(reply.headers.raw, without=OF_THE_BODY)
