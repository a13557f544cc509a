"""What callers do to the server: an attack is bytes that are sent, and how long it waits and whether it reads."""

import asyncio
import gzip
import json
import random
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from tests.attacker.upstream import BOMB, SLOW, WHOLE

CHAT = "/v1/chat/completions"


class Sent(NamedTuple):
    """What came back: a status, or how it ended; and the reply's text."""

    status: str
    text: str = ""


class Bytes(NamedTuple):
    """What is sent, part by part with a pause behind each, and how long the reply is waited for (not at all: 0)."""

    parts: tuple[bytes, ...]
    pause: float = 0.0
    patience: float = 40.0


def head(path: str = CHAT, method: str = "POST", **headers: str) -> bytes:
    """The head of a request."""
    told = {"Host": "localhost", "Content-Type": "application/json", "Connection": "close"}
    told |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in told.items()), "", ""]
    return "\r\n".join(lines).encode("latin-1")


def ask(model: str = "good", content: bytes | None = None, key: str = "", **more) -> bytes:
    """A chat request; `content` in place of its body."""
    asked = {"model": model, "messages": [{"role": "user", "content": "What is the capital?"}], **more}
    body = json.dumps(asked).encode() if content is None else content
    own = {"Authorization": f"Bearer {key}"} if key else {}
    return head(Content_Length=str(len(body)), **own) + body


async def send(address: tuple[str, int], what: Bytes) -> Sent:
    """Send, and return what came back."""
    try:
        evaluator, writer = await asyncio.open_connection(*address, limit=1 << 26)
    except OSError:
        return Sent("refused")
    try:
        for part in what.parts:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(what.pause)
        if not what.patience:
            return Sent("hung up")
        text = (await asyncio.wait_for(evaluator.read(1 << 26), what.patience)).decode("latin-1")
        while what.patience and (more := await asyncio.wait_for(evaluator.read(1 << 26), what.patience)):
            text += more.decode("latin-1")[: 1 << 20]
        return Sent(text.split()[1] if text.startswith("HTTP/1.1 ") else "closed", text)
    except TimeoutError:
        return Sent("silent")
    except (OSError, asyncio.IncompleteReadError):
        return Sent("closed")
    finally:
        writer.transport.abort()


def _numbers(rng: random.Random) -> bytes:
    odd = rng.choice(
        ["NaN", "1e999", "-1", "0", "9" * 400, '"x"', "1e300", "[]", "null", "true", "1000000000"]
    )
    field = rng.choice(["n", "temperature", "seed", "max_tokens", "top_p", "logprobs"])
    return ask(content=ask("good").split(b"\r\n\r\n", 1)[1][:-1] + f', "{field}": {odd}}}'.encode(), key="a")


def _body(rng: random.Random) -> bytes:
    deep, wide = b"[" * 500_000, b"[" + b"{}," * 1_000_000 + b"{}]"
    odd = [
        b"",
        b"[]",
        b"7",
        b"{",
        b"\xff\xfe\x00",
        b'{"messages": 7}',
        deep,
        wide,
        BOMB,
        gzip.compress(b"{}"),
    ]
    return ask(content=rng.choice(odd))


def _head(rng: random.Random) -> bytes:
    return rng.choice(
        [
            b"\x16\x03\x01\x02\x00\x01\x00",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            b"GET / HTTP/9.9\r\n\r\n",
            b"A" * 200_000,
            head(X_Long="x" * 100_000),
            head(**{f"X-{i}": "y" for i in range(2000)}),
            head(Host="evil.example"),
            head(Host="localhost\r\nHost: localhost", Content_Length="2") + b"{}",
            head(Content_Length="-1"),
            head(Content_Length="2\r\nContent-Length: 3") + b"{}",
            head(Content_Length="2\r\nTransfer-Encoding: chunked") + b"{}",
            head(Transfer_Encoding="chunked") + b"zz\r\n{}\r\n",
            head(Transfer_Encoding="chunked") + b"ffffffff\r\n" + b"x" * 1_000_000,
            head(Authorization="Bearer \xe9\xff", Content_Length="2") + b"{}",
            head(Content_Type="text/plain", Content_Length="2") + b"{}",
            head(method="GET", Upgrade="websocket", Connection="Upgrade", Sec_WebSocket_Version="13"),
            head(Expect="100-continue", Content_Length="99999999"),
        ]
    )


def _path(rng: random.Random) -> bytes:
    paths = [
        "/",
        "/v1/../metrics",
        "/v1/%2e%2e/x",
        "/v1/..%5cx",
        "//evil.example/v1/models",
        "/v1/models?x=%00",
    ]
    paths += ["http://evil.example/v1/models", "/v1/" + "a" * 60_000, "/v1/models/\xe9", "*", "/v1/models"]
    return head(rng.choice(paths), rng.choice(["GET", "POST", "TRACE", "CONNECT", "OPTIONS", "x" * 50]))


def _breaks(rng: random.Random, **more) -> bytes:
    return ask(rng.choice(list(WHOLE)), key="a", **more)


def _large(rng: random.Random) -> Bytes:
    said = json.dumps({"model": "good", "messages": [{"role": "user", "content": "x" * 12_000_000}]}).encode()
    return Bytes((ask(content=said),))


Attack = Callable[[random.Random], Bytes]
PASS = {"stream": True, "ralc": {"wait": False}}
#: What is done, by its name.
ATTACKS: dict[str, Attack] = {
    "odd numbers in a request": lambda rng: Bytes((_numbers(rng),)),
    "bodies that are none, bombs, nesting": lambda rng: Bytes((_body(rng),)),
    "12 MB of a question": _large,
    "heads that are none, smuggling, lines of 100 kB": lambda rng: Bytes((_head(rng),), patience=30),
    "paths that lead elsewhere": lambda rng: Bytes((_path(rng),)),
    "a head of a byte a second": lambda rng: Bytes(tuple(bytes([byte]) for byte in head()[:40]), pause=1.0),
    "a body that does not come": lambda rng: Bytes((head(Content_Length="5000"), b"{"), patience=30),
    "a body of a byte a second": lambda rng: Bytes((head(Content_Length="99"), *[b" "] * 40), pause=1.0),
    "a broken upstream": lambda rng: Bytes((_breaks(rng),)),
    "a broken upstream, streamed": lambda rng: Bytes((_breaks(rng, **PASS),)),
    "a broken upstream, calibrated stream": lambda rng: Bytes((_breaks(rng, stream=True),)),
    "a slow upstream": lambda rng: Bytes((ask(rng.choice(list(SLOW)), key="a"),)),
    "a slow upstream, streamed": lambda rng: Bytes((ask(rng.choice(list(SLOW)), key="a", **PASS),)),
    "hang up on a slow upstream": lambda rng: Bytes((ask("slow", key="a"),), pause=0.3, patience=0),
    "hang up in a stream": lambda rng: Bytes((ask("long-stream", key="a", **PASS),), pause=0.1, patience=0),
    "hang up in a head": lambda rng: Bytes((head()[: rng.randrange(1, 60)],), pause=0.1, patience=0),
    "take nothing of a stream": lambda rng: Bytes(
        (ask("long-stream", key="a", **PASS),), pause=30, patience=0
    ),
}


async def crowd(address: tuple[str, int], rng: random.Random) -> Sent:
    """A hundred at once: the busiest answer is 429, and all get one."""
    many = [send(address, Bytes((ask("good", key="a"),))) for _ in range(100)]
    told = sorted({sent.status for sent in await asyncio.gather(*many)})
    return Sent(" ".join(told))


Meeting = Callable[[tuple[str, int], random.Random], Awaitable[Sent]]


async def callers(address: tuple[str, int], rng: random.Random) -> Sent:
    """Two callers with keys and one without, at once: each gets its own, and the one without nothing."""
    first, second = (f"owner-{rng.randrange(10**9)}" for _ in range(2))
    asked = [
        ask(key=first),
        ask(key=second, stream=True),
        ask(),
        head("/v1/models", "GET", Authorization=f"Bearer {first}"),
        head("/v1/models", "GET"),
    ]
    one, two, none, models, own = await asyncio.gather(*(send(address, Bytes((raw,))) for raw in asked))
    if "429" in (one.status, two.status, none.status, models.status, own.status):
        return Sent("busy")
    whole = one.status == two.status == models.status == "200" and none.status == own.status == "401"
    apart = first in one.text and second in two.text.replace(" ", "") and first not in two.text + none.text
    apart = apart and second not in one.text + none.text and "session" not in one.text + models.text
    return Sent(
        "apart" if whole and apart else f"NOT APART {[one.status, two.status, none.status, own.status]}"
    )


async def watcher(address: tuple[str, int], rng: random.Random) -> Sent:
    """Whoever asks twice a second whether the server is well."""
    await asyncio.sleep(0.5)
    return await send(address, Bytes((head("/healthz", "GET"),), patience=10))


CROWD, WELL = "a hundred at once", "is it well?"
MEETINGS: dict[str, Meeting] = {CROWD: crowd, "two callers with keys, one without": callers, WELL: watcher}
