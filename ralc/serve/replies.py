"""What goes back to a client: JSON, errors in the OpenAI schema, and server-sent events."""

import json
import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

from starlette.responses import Response

_WORD = re.compile(r"\S+\s*|\s+")
_MOST_EVENTS = 200  # that the words of a reply come in: all of them are there at once


class ServeError(Exception):
    """A reply that is an error: its status, the error object, and headers such as ``Retry-After``."""

    def __init__(
        self, status: int, message: str, kind: str = "ralc_error", headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.body: Any = {"error": {"message": message, "type": kind, "param": None, "code": None}}
        self.headers = headers or {}


class UpstreamRefusalError(ServeError):
    """An error of the upstream's own, passed on as it came."""

    def __init__(self, status: int, body: Any, headers: dict[str, str]) -> None:
        super().__init__(status, f"the upstream answered {status}", "upstream_error", headers)
        if isinstance(body, dict) and "error" in body:
            self.body = body


async def gathered(parts: AsyncIterator[bytes], most: int, larger: ServeError) -> bytes:
    """All parts of a body in one; `larger` is raised as soon as they are more than `most` bytes."""
    content = bytearray()
    async for part in parts:
        content += part
        if len(content) > most:
            raise larger
    return bytes(content)


def as_json(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON response; ASCII, so that no odd character of a model's can break it."""
    content = json.dumps(value, ensure_ascii=True, allow_nan=False)
    return Response(content, status, headers, media_type="application/json")


def event(value: Any) -> bytes:
    """A server-sent event."""
    return b"data: " + json.dumps(value, ensure_ascii=True, allow_nan=False).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"


def chunks(reply: dict[str, Any], *, usage: bool) -> Iterator[bytes]:
    """A finished chat completion as a stream: the role, the words (of many several at once), the end with ``ralc``."""
    head = {key: reply[key] for key in ("id", "created", "model", "system_fingerprint") if key in reply}
    head["object"] = "chat.completion.chunk"
    choice = reply["choices"][0]

    def chunk(delta: dict[str, Any], end: str | None = None, **more: Any) -> bytes:
        return event({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": end}], **more})

    yield chunk({"role": "assistant", "content": ""})
    words = _WORD.findall(choice["message"]["content"])
    step = -(-len(words) // _MOST_EVENTS)
    for start in range(0, len(words), step or 1):
        yield chunk({"content": "".join(words[start : start + step])})
    yield chunk({}, choice.get("finish_reason") or "stop", ralc=reply["ralc"])
    if usage and "usage" in reply:
        yield event({**head, "choices": [], "usage": reply["usage"]})
    yield DONE
