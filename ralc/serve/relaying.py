"""A reply on its way through: any reply as it comes, and a stream of chat whose first event says why it passes."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
from starlette.types import Send

from ralc.serve.headers import passed
from ralc.serve.sending import UpstreamError, event, parsed

_EVENTS = "text/event-stream"
LONGEST_LINE = 1_000_000  # bytes, of a stream's first event


async def send_on(
    reply: httpx.Response, send: Send, *, most: int, told: dict[str, Any] | None = None
) -> None:
    """Send an upstream's reply on as it comes; with `told`, its first event carries that as the object ``ralc``.

    Raises
    ------
    UpstreamError
        If it breaks off, or is larger than `most` bytes; a stream of events has then told so itself and is ended.
    """
    status = reply.status_code if 200 <= reply.status_code < 600 else 502
    events = _EVENTS in reply.headers.get("content-type", "")
    headers = passed(reply.headers.raw, without=[b"content-length"] if told or events else [])
    await send({"type": "http.response.start", "status": status, "headers": headers})
    parts = _limited(reply.aiter_raw(), most)
    try:
        async for part in _marked(parts, told) if told else parts:
            await send({"type": "http.response.body", "body": part, "more_body": True})
    except (httpx.HTTPError, UpstreamError) as error:
        failure = (
            error
            if isinstance(error, UpstreamError)
            else UpstreamError(f" broke off ({type(error).__name__})")
        )
        if events:  # the blank line ends an event that was cut in two
            await send(
                {"type": "http.response.body", "body": b"\n\n" + event(failure.body), "more_body": False}
            )
        raise failure from None
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _limited(parts: AsyncIterator[bytes], most: int) -> AsyncIterator[bytes]:
    seen = 0
    async for part in parts:
        seen += len(part)
        if seen > most:
            raise UpstreamError(f"'s reply is larger than {most} bytes")
        yield part


async def _marked(parts: AsyncIterator[bytes], told: dict[str, Any]) -> AsyncIterator[bytes]:
    """The parts of a stream; lines until the first event, which carries the object ``ralc``, then as they come."""
    rest = b""
    async for part in parts:
        *lines, rest = (rest + part).split(b"\n")
        for place, line in enumerate(lines):
            if (changed := _with_ralc(line, told)) is not None:
                yield b"\n".join([changed, *lines[place + 1 :], rest])
                async for later in parts:
                    yield later
                return
            yield line + b"\n"
        if len(rest) > LONGEST_LINE:
            raise UpstreamError(f"'s stream has a line of more than {LONGEST_LINE} bytes")
    yield rest


def _with_ralc(line: bytes, told: dict[str, Any]) -> bytes | None:
    """An event's line with the object ``ralc``; None where the line is none."""
    if not line.startswith(b"data:"):
        return None
    try:
        value = parsed(line[5:])
    except ValueError:
        return None
    return b"data: " + json.dumps({**value, "ralc": told}).encode() if isinstance(value, dict) else None
