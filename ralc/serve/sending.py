"""What goes back to a client: JSON, errors in the OpenAI schema, and server-sent events."""

import json
import math
import re
from collections.abc import AsyncIterable, Iterator
from typing import Any

from starlette.responses import Response

from ralc.serve.headers import OF_THE_BODY, Headers

_WORD = re.compile(r"\S+\s*|\s+")
_MOST_EVENTS = 200  # that the words of a reply come in: all of them are there at once
_PARTS, _BYTES_A_PART = (
    100_000,
    8,
)  # lists and objects of JSON, and beyond them: each takes ten times such a length
_DIGITS = 300  # of a whole number: more are no float


class ServeError(Exception):
    """A reply that is an error: its status, the error object, and headers such as ``Retry-After``."""

    def __init__(
        self, status: int, message: str, kind: str = "ralc_error", headers: Headers | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.body: Any = {"error": {"message": message, "type": kind, "param": None, "code": None}}
        self.headers = headers or []

    def response(self) -> Response:
        """The reply."""
        return as_json(self.body, self.status, self.headers)


class RequestError(ServeError):
    """A request that is not answered, for what it is; its connection is closed, since its body may not have come."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(status, message, "invalid_request_error", [(b"connection", b"close")])


class UpstreamError(ServeError):
    """An upstream that fails: 502 unless something else is said."""

    def __init__(self, message: str, status: int = 502) -> None:
        super().__init__(status, f"the upstream{message}", "upstream_error")


class UpstreamRefusalError(UpstreamError):
    """An error of the upstream's own, passed on as it came; 502 where its status is none of an error."""

    def __init__(self, status: int, body: Any, headers: Headers) -> None:
        super().__init__(f" answered {status}", status if 400 <= status < 600 else 502)
        self.headers = headers
        if isinstance(body, dict) and "error" in body:
            self.body = body


async def gathered(parts: AsyncIterable[bytes], most: int, larger: ServeError) -> bytes:
    """All parts of a body in one; `larger` is raised as soon as they are more than `most` bytes."""
    content = bytearray()
    async for part in parts:
        content += part
        if len(content) > most:
            raise larger
    return bytes(content)


def parsed(content: bytes) -> Any:
    """Return the value of a JSON text from anybody.

    Raises
    ------
    ValueError
        If it is none, is nested deeper or finer than a text needs, or has a number that is none (``NaN``, ``1e999``).

    Examples
    --------
    >>> parsed(b'{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    """
    if content.count(b"{") + content.count(b"[") > _PARTS + len(content) / _BYTES_A_PART:
        raise ValueError("it has too many parts")
    try:
        return json.loads(content, parse_constant=_finite, parse_float=_finite, parse_int=_whole)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def _finite(text: str) -> float:
    if not math.isfinite(value := float(text)):
        raise ValueError(f"{text[:20]} is no number")
    return value


def _whole(text: str) -> int:
    if len(text) > _DIGITS:
        raise ValueError(f"{text[:20]}... has too many digits")
    return int(text)


def _text(value: Any) -> str:
    """A value as JSON; ASCII, so that no odd character of a model's can break it."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False)


def as_json(value: Any, status: int = 200, headers: Headers | None = None) -> Response:
    """A JSON response, with headers of the upstream's."""
    return respond(_text(value).encode(), "application/json", status, headers)


def respond(content: bytes, media_type: str, status: int = 200, headers: Headers | None = None) -> Response:
    """A response with headers of the upstream's, byte for byte."""
    response = Response(content, status, media_type=media_type)
    response.raw_headers += [pair for pair in headers or [] if pair[0] not in OF_THE_BODY]
    return response


def event(value: Any) -> bytes:
    """A server-sent event."""
    return b"data: " + _text(value).encode() + b"\n\n"


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
