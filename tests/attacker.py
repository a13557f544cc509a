"""An attacker of `ralc serve`: it attacks a real one for some seconds.

An attack is bytes that are sent, how long it waits, and whether it reads; the upstream behind does what the model's
name says. Attacks come at random and are counted.
"""

import asyncio
import gzip
import json
import random
import re
import socket
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

from tests.serving import calibrator

CHAT = "/v1/chat/completions"
BOMB = gzip.compress(gzip.compress(b" " * 20_000_000))
AT_ONCE = 12  # attackers
Address = tuple[str, int]

# ---- the upstream: it breaks in the way that the model's name says, and gives whoever has a key a session


def reply(said: str, n: int) -> bytes:
    """A chat completion of n equal answers."""
    choice = {"message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
    return json.dumps({"id": "1", "object": "chat.completion", "choices": [choice] * n}).encode()


def http(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    """A reply as it goes over the wire."""
    lines = [f"HTTP/1.1 {status}", "Content-Type: application/json", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


EVENTS = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
CHUNK = b'data: {"choices": [{"index": 0, "delta": {"content": "It is "}}]}\n\n'
SAID = reply("It is Lima.", 3)
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
SLOW = {"trickle": [http(SAID)[i : i + 4] for i in range(60)], "slow": [b""] * 30, "endless": [CHUNK] * 60}


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer one request, and hang up; an answer names the key's owner."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        content = await reader.readexactly(int(_after(head, "content-length:") or 0))
        body = json.loads(content) if content.startswith(b"{") else {}
        model = str(body.get("model"))
        n = body.get("n")
        for part in SLOW.get(model, ()):
            writer.write(EVENTS + part if model == "endless" else part)
            await writer.drain()
            await asyncio.sleep(1)
        owner = _after(head, "authorization: bearer ") or _after(head, "session=")
        said = f"The capital of Peru {random.random()} is Lima, says {owner}."
        session = f"Set-Cookie: session={owner}"
        whole = http(reply(said, min(max(n, 1), 20) if isinstance(n, int) else 1), session)
        if body.get("stream"):
            whole = EVENTS[:-2] + f"{session}\r\n\r\n".encode() + CHUNK + b"data: [DONE]\n\n"
        none = http(b'{"error": {"message": "no key"}}', status="401 Unauthorized")
        if model not in SLOW:
            writer.write(WHOLE.get(model) or (whole if owner else none))
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError, ValueError):
        pass
    finally:
        writer.close()


def _after(head: str, name: str) -> str:
    return head.partition(name)[2].partition("\r\n")[0].strip()


# ---- the attacks


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


async def send(
    address: Address, *parts: bytes, pause: float = 0.0, patience: float = 40.0
) -> tuple[str, str]:
    """Send parts with a pause behind each; the status that came back, or how it ended, and the reply's text."""
    try:
        reader, writer = await asyncio.open_connection(*address, limit=1 << 26)
    except OSError:
        return "refused", ""
    try:
        for part in parts:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(pause)
        if not patience:
            return "hung up", ""
        text = ""
        while more := await asyncio.wait_for(reader.read(1 << 26), patience):
            text += more.decode("latin-1")[: 1 << 20]
        return (text.split()[1] if text.startswith("HTTP/1.1 ") else "closed"), text
    except TimeoutError:
        return "silent", ""
    except OSError:
        return "closed", ""
    finally:
        writer.transport.abort()


ODD = [*("NaN", "1e999", "-1", "0", "9" * 400, '"x"', "1e300", "[]", "null", "true", "1000000000")]
FIELDS = ["n", "temperature", "seed", "max_tokens", "top_p", "logprobs"]
BODIES = [
    b"",
    b"[]",
    b"7",
    b"{",
    b"\xff\xfe\x00",
    b'{"messages": 7}',
    b"[" * 500_000,
    BOMB,
    gzip.compress(b"{}"),
]
INPUTS = [None, 7, [], [7], [{"role": []}], [{"content": {}}], [{"content": [{"type": {}}]}], {"a": []}, ""]
BODIES += [b"[" + b"{}," * 1_000_000 + b"{}]"]
HEADS = [
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
PATHS = ["/", "/v1/../metrics", "/v1/%2e%2e/x", "/v1/..%5cx", "//evil.example/v1/models", "/v1/models?x=%00"]
PATHS += ["http://evil.example/v1/models", "/v1/" + "a" * 60_000, "/v1/models/\xe9", "*", "/v1/models"]
METHODS = ["GET", "POST", "TRACE", "CONNECT", "OPTIONS", "x" * 50]
PASS = {"stream": True, "ralc": {"calibrate": False}}
CROWD = "a hundred at once"
APART = "two callers with keys, one without"
WELL = "is it well?"
#: The upstream did not give enough, so that nothing is kept of the reply.
FEW = "too few samples"
TALK = "one caller's conversation, and another's with the same words"


async def odd_number(to: Address, rng: random.Random) -> tuple[str, str]:
    """A request with a number that is none."""
    body = ask().split(b"\r\n\r\n", 1)[1][:-1] + f', "{rng.choice(FIELDS)}": {rng.choice(ODD)}}}'.encode()
    return await send(to, ask(content=body, key="a"))


async def crowd(to: Address, rng: random.Random) -> tuple[str, str]:
    """A hundred at once, who all get an answer; then a rest."""
    many = await asyncio.gather(*(send(to, ask(key="a")) for _ in range(100)))
    await asyncio.sleep(5)
    return " ".join(sorted({status for status, _ in many})), ""


async def callers(to: Address, rng: random.Random) -> tuple[str, str]:
    """Two callers with keys and one without, at once: each gets its own, and the one without nothing."""
    first, second = (f"owner-{rng.randrange(10**9)}" for _ in range(2))
    models = [head("/v1/models", "GET", Authorization=f"Bearer {first}"), head("/v1/models", "GET")]
    asked = [ask(key=first), ask(key=second, stream=True), ask(), *models]
    found = await asyncio.gather(*(send(to, raw) for raw in asked))
    one, two, none = (text.replace(" ", "") for _, text in found[:3])
    whole = [status for status, _ in found] == ["200", "200", "401", "200", "401"]
    apart = first in one and second in two and first not in two + none and second not in one + none
    kept = "session" in one + found[3][1]
    return ("apart" if whole and apart and not kept else f"NOT APART {[status for status, _ in found]}"), ""


async def talk(to: Address, rng: random.Random) -> tuple[str, str]:
    """A caller whose claim is said again, and another who sends the same conversation: it is not known to that one."""
    first, second = (f"owner-{rng.randrange(10**9)}" for _ in range(2))
    opening = [{"role": "user", "content": "What is the capital of Peru?"}]
    _, told = await send(to, ask(key=first, messages=opening))
    if not re.search(r'"samples": ?\d', told):
        return FEW, ""
    heard = _content(told)
    doubt = [*opening, {"role": "assistant", "content": heard}, {"role": "user", "content": "Are you sure?"}]
    again, stolen = [(await send(to, ask(key=key, messages=doubt)))[1] for key in (first, second)]
    number = heard.split("Peru ")[-1][:12]  # by which its words are known
    known = re.search(r'"kind": ?"(said again|reversal)"', again)
    return ("apart" if known and number not in stolen else f"NOT APART: {told} {again} {stolen}"), ""


def _content(text: str) -> str:
    """The words of a reply."""
    return json.loads(text[text.index("\r\n\r\n") :])["choices"][0]["message"]["content"]


async def watcher(to: Address, rng: random.Random) -> tuple[str, str]:
    """Whoever asks twice a second whether the server is well, or for its counters."""
    await asyncio.sleep(0.5)
    return await send(to, head(rng.choice(["/healthz", "/metrics"]), "GET"), patience=10)


async def response(to: Address, rng: random.Random) -> tuple[str, str]:
    """A response, odd or of an upstream that breaks."""
    asked = {"model": rng.choice([*WHOLE, "good"]), "input": rng.choice(INPUTS), "stream": rng.random() < 0.5}
    body = rng.choice([json.dumps(asked | {"input": "Peru?"}), json.dumps(asked)]).encode()
    return await send(
        to, head("/v1/responses", Content_Length=str(len(body)), Authorization="Bearer a") + body
    )


#: What is done, by its name.
ATTACKS = {
    "odd numbers in a request": odd_number,
    "bodies that are none, bombs, nesting": lambda to, rng: send(to, ask(content=rng.choice(BODIES))),
    "12 MB of a question": lambda to, _: send(to, ask(content=b'{"model": "' + b"x" * 12_000_000 + b'"}')),
    "heads that are none, smuggling": lambda to, rng: send(to, rng.choice(HEADS), patience=30),
    "paths that lead elsewhere": lambda to, rng: send(to, head(rng.choice(PATHS), rng.choice(METHODS))),
    "a head of a byte a second": lambda to, _: send(to, *(bytes([one]) for one in head()[:40]), pause=1),
    "a body that does not come": lambda to, _: send(to, head(Content_Length="5000"), b"{", patience=30),
    "a body of a byte a second": lambda to, _: send(to, head(Content_Length="99"), *[b" "] * 40, pause=1),
    "odd responses, and of a broken upstream": response,
    "a broken upstream": lambda to, rng: send(to, ask(rng.choice([*WHOLE]), key="a")),
    "a broken upstream, passed": lambda to, rng: send(to, ask(rng.choice([*WHOLE]), key="a", **PASS)),
    "a broken upstream, stream": lambda to, rng: send(to, ask(rng.choice([*WHOLE]), key="a", stream=True)),
    "a slow upstream": lambda to, rng: send(to, ask(rng.choice([*SLOW]), key="a")),
    "a slow upstream, passed": lambda to, rng: send(to, ask(rng.choice([*SLOW]), key="a", **PASS)),
    "hang up on a slow upstream": lambda to, _: send(to, ask("slow", key="a"), pause=0.3, patience=0),
    "hang up in a stream": lambda to, _: send(to, ask("long-stream", key="a", **PASS), pause=0.1, patience=0),
    "hang up in a head": lambda to, rng: send(to, head()[: rng.randrange(1, 60)], pause=0.1, patience=0),
    "take nothing of a stream": lambda to, _: send(
        to, ask("long-stream", key="a", **PASS), pause=30, patience=0
    ),
}
MEETINGS = {CROWD: crowd, APART: callers, TALK: talk, WELL: watcher}


class Siege:
    """What came back of each attack, the seconds that the slowest took, and the memory of the server, in MB."""

    def __init__(self) -> None:
        self.told: dict[str, Counter] = defaultdict(Counter)
        self.slowest: Counter = Counter()
        self.memory: list[float] = []
        self.log = self.replies = ""

    def faults(self) -> list[str]:
        """What must not be."""
        bad = [(name, one) for name, told in self.told.items() for one in told if one in ("500", "refused")]
        bad += [(name, one) for name in (APART, TALK) for one in self.told[name] if one not in ("apart", FEW)]
        bad += [(TALK, "never apart")] * (not self.told[TALK]["apart"])
        bad += [(WELL, one) for one in self.told[WELL] if one != "200"]
        bad += [("log", line) for line in re.findall(r".*(?:Traceback|a request failed).*", self.log)]
        bad += [("replies", line) for line in self.replies.splitlines() if not _is_line(line)]
        return [f"{name}: {one}" for name, one in bad]

    def table(self) -> str:
        """A row an attack, in Markdown."""
        lines = ["| attack | what came back | slowest, s |", "|---|---|---|"]
        for name, told in sorted(self.told.items()):
            came = ", ".join(f"{status}: {count}" for status, count in told.most_common())
            lines.append(f"| {name} | {came} | {self.slowest[name]:.0f} |")
        return "\n".join([*lines, "", f"RSS, MB: {max(self.memory):.0f} at most", *self.faults()])


def _is_line(line: str) -> bool:
    """Whether a line of the log of replies is whole, and has nobody's key, session or words."""
    return isinstance(json.loads(line), dict) and not re.search("owner-|session|capital of Peru", line)


def memory_of(process: int | str) -> float:
    """The resident memory of a process, in MB."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * 4096 / 1e6


def started(folder: Path, upstream: int) -> tuple[subprocess.Popen, int]:
    """`ralc serve` and its port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    calibrator().save(folder / "cal.json")
    command = [sys.executable, "-c", "from ralc.cli.app import main; main()", "serve"]
    command += ["--calibrator", str(folder / "cal.json"), "--upstream", f"http://127.0.0.1:{upstream}/v1"]
    command += ["--port", str(port), "--samples", "3", "--timeout", "15"]
    command += ["--log", str(folder / "replies.jsonl")]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stderr=log)
    while process.poll() is None and b"Uvicorn running" not in (folder / "log").read_bytes():
        time.sleep(0.1)
    return process, port


async def besieged(folder: Path, seconds: float, seed: int = 0) -> Siege:
    """Attack for some seconds."""
    siege = Siege()
    rng = random.Random(seed)
    async with await asyncio.start_server(serve, "127.0.0.1", 0, limit=1 << 26) as behind:
        process, port = await asyncio.to_thread(started, folder, behind.sockets[0].getsockname()[1])
        until = time.monotonic() + seconds
        address = ("127.0.0.1", port)

        async def attacker(names: list[str]) -> None:
            while time.monotonic() < until and process.poll() is None:
                name = rng.choice(names)
                begun = time.monotonic()
                status, _ = await (ATTACKS | MEETINGS)[name](address, rng)
                siege.told[name][status] += 1
                siege.slowest[name] = max(siege.slowest[name], time.monotonic() - begun)
                siege.memory.append(memory_of(process.pid))

        try:
            await asyncio.gather(*map(attacker, [[*ATTACKS]] * AT_ONCE + [[name] for name in MEETINGS]))
            siege.told[WELL][(await watcher(address, rng))[0]] += 1
        finally:
            process.terminate()
            await asyncio.to_thread(process.wait)
    siege.log = (folder / "log").read_text(errors="replace")
    siege.replies = (folder / "replies.jsonl").read_text()
    return siege
