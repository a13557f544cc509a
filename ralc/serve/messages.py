"""What goes over the wire: headers that are nobody's, errors in the OpenAI schema, server-sent events."""

import json
import math
import re
from collections.abc import AsyncIterable, Iterable, Iterator
from typing import Any

from starlette.responses import Response

Headers = list[tuple[bytes, bytes]]
#: The header with the server's own key.
KEY = b"x-ralc-key"
#: Of the connection; a cookie would be one caller's session in another's request; the rest each side says itself.
_NOT_PASSED = {
    *(b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"proxy-connection"),
    *(b"te", b"trailer", b"transfer-encoding", b"upgrade", b"expect"),
    *(b"cookie", b"set-cookie", b"host", b"date", b"server", KEY),
}
#: Of a body, where another one is sent.
OF_THE_BODY = (b"content-length", b"content-type", b"content-encoding", b"content-md5", b"digest", b"etag")
_WORD = re.compile(r"\S+\s*|\s+")
_MOST_EVENTS = 200  # of a reply that is there as a whole


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
        """Return the reply."""
        return as_json(self.body, self.status, self.headers)


class RequestError(ServeError):
    """A request that is refused; its connection is closed, since its body may not have come."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(status, message, "invalid_request_error", [(b"connection", b"close")])


def passed(headers: Iterable[tuple[bytes, bytes]], without: Iterable[bytes] = ()) -> Headers:
    """Return the headers that pass, their values byte for byte.

    >>> passed([(b"Connection", b"close, X-Hop"), (b"X-Hop", b"1"), (b"Cookie", b"s"), (b"X-Mine", b"2")])
    [(b'x-mine', b'2')]
    """
    found = [(name.lower(), value) for name, value in headers]
    named = b",".join(value for name, value in found if name == b"connection").lower()
    left = _NOT_PASSED | {word.strip() for word in named.split(b",")} | set(without)
    return [(name, value) for name, value in found if name not in left]


async def gathered(parts: AsyncIterable[bytes], most: int, larger: ServeError) -> bytes:
    """Return all parts of a body; raise `larger` as soon as they are more than `most` bytes."""
    content = bytearray()
    async for part in parts:
        content += part
        if len(content) > most:
            raise larger
    return bytes(content)


def parsed(content: bytes) -> Any:
    """Return the value of a JSON text from anybody.

    >>> parsed(b'{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    """
    try:
        return json.loads(content, parse_constant=_finite, parse_float=_finite)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def _finite(text: str) -> float:
    if not math.isfinite(value := float(text)):
        raise ValueError(f"{text[:20]} is no number")
    return value


def as_json(value: Any, status: int = 200, headers: Headers | None = None) -> Response:
    """Return a JSON response with headers of the upstream's; ASCII, so that no odd character can break it."""
    response = Response(json.dumps(value, allow_nan=False), status, media_type="application/json")
    response.raw_headers += [pair for pair in headers or [] if pair[0] not in OF_THE_BODY]
    return response


def event(value: Any) -> bytes:
    """Return a server-sent event."""
    return b"data: " + json.dumps(value, allow_nan=False).encode() + b"\n\n"


def chunks(reply: dict[str, Any], *, usage: bool) -> Iterator[bytes]:
    """Yield a finished chat completion as a stream: the role, the words, the end with ``ralc``, the usage."""
    head = {key: reply[key] for key in ("id", "created", "model", "system_fingerprint") if key in reply}
    head["object"] = "chat.completion.chunk"
    choice = reply["choices"][0]
    message = choice["message"]

    def chunk(delta: dict[str, Any], end: str | None = None, **more: Any) -> bytes:
        return event({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": end}], **more})

    yield chunk({**message, "role": "assistant", "content": ""})
    words = _WORD.findall(message.get("content") or "")
    step = -(-len(words) // _MOST_EVENTS) or 1
    for start in range(0, len(words), step):
        yield chunk({"content": "".join(words[start : start + step])})
    yield chunk({}, choice.get("finish_reason") or "stop", ralc=reply["ralc"])
    if usage and "usage" in reply:
        yield event({**head, "choices": [], "usage": reply["usage"]})
    yield b"data: [DONE]\n\n"
