"""The server behind: asked with the caller's own key, which is passed on and kept nowhere."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any
from urllib.parse import urlsplit

import httpx

from ralc.serve.replies import ServeError, UpstreamRefusalError, gathered
from ralc.serve.settings import ServeSettings

#: What of a caller's headers goes on, and of the upstream's goes back.
_ON = ("authorization", "api-key", "x-api-key", "openai-organization", "openai-project")
_BACK = ("retry-after", "x-request-id")
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Upstream:
    """Connections to the upstream; every failure of its is a `ServeError` for the caller."""

    def __init__(self, settings: ServeSettings) -> None:
        self._settings = settings
        self._client = httpx.AsyncClient(
            base_url=settings.upstream.rstrip("/") + "/",
            timeout=settings.timeout_s,
            limits=httpx.Limits(max_connections=settings.concurrency * 4, max_keepalive_connections=64),
            # A proxy of the environment has no part in reaching this machine itself.
            trust_env=urlsplit(settings.upstream).hostname not in _LOOPBACK,
            headers={"accept-encoding": "identity", "user-agent": "ralc"},
            # One client asks for all callers: a cookie that it kept would be one caller's session in another's request.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def get(self, path: str, headers: Mapping[str, str]) -> Any:
        """The JSON of a GET."""
        return await self._exchange("GET", path, headers, None)

    async def post(self, path: str, headers: Mapping[str, str], body: dict[str, Any]) -> dict[str, Any]:
        """The JSON object of a POST."""
        reply = await self._exchange("POST", path, headers, body)
        if not isinstance(reply, dict):
            raise ServeError(502, "the upstream's reply is no JSON object", "upstream_error")
        return reply

    @asynccontextmanager
    async def stream(
        self, path: str, headers: Mapping[str, str], body: dict[str, Any]
    ) -> AsyncIterator[AsyncIterator[bytes]]:
        """The lines of a streamed reply, each with its end."""
        async with self._sent("POST", path, headers, body) as reply:
            if reply.status_code >= 400:
                raise self._refusal(reply, await self._content(reply))
            yield _lines(reply)

    async def _exchange(
        self, method: str, path: str, headers: Mapping[str, str], body: dict[str, Any] | None
    ) -> Any:
        try:
            async with (
                asyncio.timeout(self._settings.timeout_s),
                self._sent(method, path, headers, body) as reply,
            ):
                content = await self._content(reply)
        except TimeoutError:
            raise self._late() from None
        if reply.status_code >= 400:
            raise self._refusal(reply, content)
        found = _parsed(content)
        if found is None:
            raise ServeError(502, "the upstream's reply is not JSON", "upstream_error")
        return found

    @asynccontextmanager
    async def _sent(
        self, method: str, path: str, headers: Mapping[str, str], body: dict[str, Any] | None
    ) -> AsyncIterator[httpx.Response]:
        passed = {name: headers[name] for name in _ON if name in headers}
        content = None if body is None else json.dumps(body).encode()
        if content is not None:
            passed["content-type"] = "application/json"
        request = self._client.build_request(method, path, headers=passed, content=content)
        try:
            async with aclosing(await self._begun(request)) as reply:
                yield reply
        except httpx.TimeoutException:
            raise self._late() from None
        except httpx.HTTPError as error:
            name = type(error).__name__
            raise ServeError(
                502, f"the upstream cannot be reached or broke off ({name})", "upstream_error"
            ) from None

    async def _begun(self, request: httpx.Request) -> httpx.Response:
        """The reply of which the head has come; asked again on a new connection where a kept one had been closed."""
        try:
            return await self._client.send(request, stream=True)
        except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
            return await self._client.send(request, stream=True)

    def _late(self) -> ServeError:
        return ServeError(
            504, f"the upstream took longer than {self._settings.timeout_s:g} s", "upstream_error"
        )

    async def _content(self, reply: httpx.Response) -> bytes:
        """The content of a reply, never more than `largest_reply` of it."""
        most = self._settings.largest_reply
        larger = ServeError(502, f"the upstream's reply is larger than {most} bytes", "upstream_error")
        return await gathered(reply.aiter_bytes(), most, larger)

    def _refusal(self, reply: httpx.Response, content: bytes) -> UpstreamRefusalError:
        back = {name: reply.headers[name] for name in _BACK if name in reply.headers}
        return UpstreamRefusalError(reply.status_code, _parsed(content), back)


async def _lines(reply: httpx.Response) -> AsyncIterator[bytes]:
    """The lines of a body as they come; a last one may lack its end."""
    rest = b""
    async for part in reply.aiter_bytes():
        *lines, rest = (rest + part).split(b"\n")
        for line in lines:
            yield line + b"\n"
    if rest:
        yield rest


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _parsed(content: bytes) -> Any:
    """The value of a JSON text; None where it is none."""
    try:
        return json.loads(content, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None
