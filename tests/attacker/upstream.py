"""An upstream that breaks in the way that the model's name says, and gives whoever has a key a session."""

import asyncio
import gzip
import json
import random
import string

WORDS = random.Random(1)


def word() -> str:
    """A name that nobody has met."""
    return "".join(WORDS.choices(string.ascii_lowercase, k=8)).capitalize()


def reply(said: str, n: int, **more) -> bytes:
    """A chat completion of n equal answers."""
    choice = {"message": {"role": "assistant", "content": said}, "finish_reason": "stop", **more}
    return json.dumps({"id": "1", "object": "chat.completion", "choices": [choice] * n}).encode()


def http(body: bytes, *headers: str, status: str = "200 OK", kind: str = "application/json") -> bytes:
    """A reply as it goes over the wire."""
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


EVENTS = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
CHUNK = b'data: {"choices": [{"index": 0, "delta": {"content": "It is "}}]}\n\n'
SAID = reply("It is Lima.", 3)
BOMB = gzip.compress(gzip.compress(b" " * 20_000_000))
#: What is said at once, by the model's name.
WHOLE = {
    "bomb": http(BOMB, "Content-Encoding: gzip, gzip"),
    "cut-off": http(SAID)[:-40],
    "gone": b"",
    "no-http": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc",
    "status-600": http(SAID, status="600 Odd"),
    "moved": http(b"", "Location: http://127.0.0.1:9/", status="302 Found"),
    "utf-8-header": http(SAID, "x-request-id: \xc3\xa9\xff"),
    "length-twice": http(SAID, "Content-Length: 7"),
    "no-json": http(b"<html>"),
    "deep": http(b"[" * 200_000),
    "1e999": http(SAID.replace(b'"stop"', b"1e999")),
    "400-digits": http(SAID.replace(b'"stop"', b"9" * 400)),
    "surrogate": http(SAID.replace(b"Lima", b"\\ud800 \\u0000 \\u202e")),
    "no-choices": http(b'{"choices": [7, null]}'),
    "steering": http(reply("\x1b[2J<img src=x onerror=alert(1)> It is Lima.", 3)),
    "large": http(reply("x" * 20_000_000, 1)),
    "broken-stream": EVENTS + CHUNK + b'data: {"choi',
    "long-line": EVENTS + b"data: " + b"x" * 20_000_000,
    "long-stream": EVENTS + CHUNK * 200_000,
}
#: What is said a part a second.
SLOW = {"trickle": [http(SAID)[i : i + 4] for i in range(0, 60)], "slow": [b""] * 30, "endless": [CHUNK] * 60}


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer one request, and hang up."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        size = head.partition("content-length:")[2].partition("\r\n")[0].strip()
        content = await reader.readexactly(int(size or 0))
        key = head.partition("authorization: bearer ")[2].partition("\r\n")[0]
        body = json.loads(content) if content.startswith(b"{") else {}
        model, n = str(body.get("model")), body.get("n")
        for part in SLOW.get(model, ()):
            writer.write(EVENTS + part if model == "endless" else part)
            await writer.drain()
            await asyncio.sleep(1)
        if model not in SLOW:
            writer.write(WHOLE.get(model) or _said(head, key, n if isinstance(n, int) else 1, body))
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError, ValueError):
        pass
    finally:
        writer.close()


def _said(head: str, key: str, n: int, body: dict) -> bytes:
    """An answer that names the key's owner; refused to who has neither a key nor a session."""
    owner = key or head.partition("session=")[2].partition("\r\n")[0]
    if not owner:
        return http(b'{"error": {"message": "no key"}}', status="401 Unauthorized")
    said = f"The capital of {word()} is {word()}, says {owner}."
    session = f"Set-Cookie: session={owner}"
    if body.get("stream"):
        return EVENTS[:-2] + f"{session}\r\n\r\n".encode() + CHUNK + b"data: [DONE]\n\n"
    return http(reply(said, min(max(n, 1), 20)), session)
