"""Measure how fast ``ralc serve`` and ``ralc rewrite`` are, in turns with another checkout: ``python -m tools.speed``.

Servers of both checkouts run side by side, and are asked in turns, so that a busy machine is busy for both. CPU is that
of their processes (user and system), whatever else runs. The upstream is a stub that answers at once, or after
`DELAY_S`, and says something else each time. A line a figure is printed: each checkout, and the ratio.
"""

import argparse
import asyncio
import contextlib
import csv
import itertools
import json
import math
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parents[1]
# of the upstream where a wait is measured; answers a reply
DELAY_S = 0.1
SAMPLES = 10
ANSWERS = 2000
ROUNDS = 3
#: A calibrator's signal, what is asked for, and replies a round.
KINDS = (
    ("semantic_uncertainty", "one line", 200),
    ("semantic_uncertainty", "twenty lines", 40),
    ("support", "twenty lines", 40),
)
_NUMBERS = itertools.count()
PLACES = (
    "Lima",
    "Quito",
    "Oslo",
    "Bergen",
    "Cusco",
    "Accra",
    "Lagos",
    "Tunis",
    "Cairo",
    "Delhi",
    "Hanoi",
    "Perth",
)
THINGS = ("capital", "river", "museum", "bridge", "airport", "festival", "novel", "league", "port", "bank")
SAYINGS = (
    "opened in {year}",
    "was founded in {year}",
    "is north of {place}",
    "has about {number} visitors a year",
    "belongs to {place}",
    "costs {number} dollars a month",
)
_MAIN = "import sys; from ralc.cli.app import main; main(sys.argv[1:])"
_FIT = """
import sys
from ralc import WordCalibrator
signal, path = sys.argv[1:]
texts = ["It is Lima.", "It is Oslo.", "It is Rome.", "It is Bonn."]
samples = [[texts[0]] * k + [texts[1 + i % 3] for i in range(10 - k)] for k in range(1, 11)] * 12
right = [int(i % 10 < 2 + k // 2) for i in range(12) for k in range(1, 11)]
correct = [[one] for one in right] if signal == "support" else right
WordCalibrator(signal).fit_samples(samples, correct).save(path)
"""


def sentence(draw: random.Random, subject: str = "") -> str:
    """Return a sentence that claims something, of a subject or of any."""
    facts = {"year": draw.randint(1700, 2024), "number": draw.randint(2, 900), "place": draw.choice(PLACES)}
    subject = subject or f"The {draw.choice(THINGS)} of {draw.choice(PLACES)}"
    return f"{subject} {draw.choice(SAYINGS).format(**facts)}."


def question(number: int, kind: str) -> str:
    """Return what is asked: each number asks something else."""
    draw = random.Random(number)
    return (
        f"What is known of the {draw.choice(THINGS)} of {draw.choice(PLACES)}, in {kind} (number {number})?"
    )


def samples_of(asked: str) -> list[str]:
    """Return the answers to a question, of which some agree; one that asks for twenty lines gets twenty."""
    draw = random.Random(asked)
    subject = f"The {asked.split(' the ')[1].split(',')[0]}"
    if "twenty" not in asked:
        agreeing = draw.randint(4, SAMPLES)
        return [sentence(draw, subject)] * agreeing + [
            sentence(draw, subject) for _ in range(SAMPLES - agreeing)
        ]
    pools = [[sentence(draw) for _ in range(3)] for _ in range(18)]
    texts = []
    for _ in range(SAMPLES):
        lines = [f"- {pool[0] if draw.random() < 0.7 else draw.choice(pool)}" for pool in pools]
        texts.append("\n".join(["# What is known", *lines, sentence(draw, subject)]))
    return texts


def completion(asked: str) -> bytes:
    """Return a chat completion with the answers to a question."""
    choices = [
        {"index": place, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        for place, text in enumerate(samples_of(asked))
    ]
    head = {"id": asked, "object": "chat.completion", "created": 1, "model": "stub"}
    return json.dumps(head | {"choices": choices}).encode()


async def _message(reader: asyncio.StreamReader) -> bytes:
    """The body of the next message of a connection."""
    head = await reader.readuntil(b"\r\n\r\n")
    lines = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:] if line)
    return await reader.readexactly(int(lines[b"content-length"]))


class Upstream:
    """A server that answers after so many seconds."""

    def __init__(self) -> None:
        self.delay_s = 0.0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of a connection."""
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            while True:
                body = await _message(reader)
                await asyncio.sleep(self.delay_s)
                content = completion(json.loads(body)["messages"][-1]["content"])
                head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(content)}\r\n\r\n"
                writer.write(head.encode() + content)
                await writer.drain()


async def load(port: int, clients: int, replies: int, kind: str) -> list[float]:
    """Ask a server by so many connections at once, each question once; return the seconds of each reply."""
    left = iter(range(replies))
    seconds = list[float]()

    async def one() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in left:
            messages = [{"role": "user", "content": question(next(_NUMBERS), kind)}]
            body = json.dumps({"model": "stub", "messages": messages}).encode()
            head = (
                "POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
            )
            began = time.perf_counter()
            writer.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
            reply = json.loads(await _message(reader))
            seconds.append(time.perf_counter() - began)
            if "choices" not in reply:
                raise SystemExit(f"no reply: {reply}")
        writer.close()

    await asyncio.gather(*(one() for _ in range(clients)))
    return seconds


@dataclass
class Server:
    """``ralc serve`` of a checkout."""

    process: subprocess.Popen
    port: int

    @property
    def processes(self) -> list[int]:
        """The ids of its processes."""
        ids = [self.process.pid]
        for pid in ids:
            for task in Path(f"/proc/{pid}/task").glob("*/children"):
                ids += map(int, task.read_text().split())
        return ids

    @property
    def cpu_s(self) -> float:
        """The seconds of CPU that it took so far."""
        fields = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in self.processes]
        return sum(int(one[11]) + int(one[12]) for one in fields) / os.sysconf("SC_CLK_TCK")

    @property
    def memory_mb(self) -> float:
        """The memory that it has."""
        pages = [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self.processes]
        return sum(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6


def _of(checkout: Path) -> dict[str, Any]:
    """How a process runs that imports a checkout's package, and none of where this one runs."""
    variables = os.environ | {"PYTHONPATH": str(checkout), "PYTHONSAFEPATH": "1"}
    return {"env": variables, "stderr": subprocess.DEVNULL}


def ralc(checkout: Path, *arguments: str) -> tuple[float, float]:
    """Run the command of a checkout; return its seconds of CPU, and of the clock."""
    began = time.perf_counter()
    running = subprocess.Popen([sys.executable, "-c", _MAIN, *arguments], **_of(checkout))
    _, status, usage = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode:
        raise SystemExit(f"{checkout}: ralc {' '.join(arguments)}: exit code {running.returncode}")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - began


@contextlib.contextmanager
def server(checkout: Path, upstream: int, folder: Path, signal: str, workers: int = 1) -> Iterator[Server]:
    """Run ``ralc serve`` of a checkout, by a calibrator that it fits; an old one knows neither workers nor checks."""
    calibrator = folder / f"{checkout.name}-{signal}.json"
    if not calibrator.exists():
        fit = [sys.executable, "-c", _FIT, signal, str(calibrator)]
        subprocess.run(fit, **_of(checkout), check=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{upstream}/v1"
    arguments = ["--calibrator", str(calibrator), "--upstream", address, "--port", str(port)]
    if (checkout / "ralc/cli/server.py").exists():
        arguments += ["--no-check", "--workers", str(workers)]
    running = subprocess.Popen([sys.executable, "-c", _MAIN, "serve", *arguments], **_of(checkout))
    try:
        for _ in range(300):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5).close()
                break
            time.sleep(0.2)
        time.sleep(3.0 * (workers > 1))  # the first worker answers before the last one is there
        yield Server(running, port)
    finally:
        running.terminate()
        running.wait()


def show(name: str, unit: str, figures: dict[str, float]) -> None:
    """Print a figure of each checkout, and the ratio of the first to the last."""
    values = list(figures.values())
    ratio = f"  {values[0] / values[-1]:.2f}" if len(values) > 1 else ""
    print(f"{name:<50} {'  '.join(f'{value:9.2f}' for value in values)} {unit:<10}{ratio}", flush=True)


async def in_turns(
    servers: dict[str, Server], clients: int, replies: int, kind: str
) -> tuple[dict[str, list[float]], dict[str, float], dict[str, float]]:
    """Ask servers in turns; return the seconds of each one's replies, its CPU a reply (ms), and replies a second."""
    seconds: dict[str, list[float]] = {name: [] for name in servers}
    spent = dict.fromkeys(servers, math.inf)
    rate = dict.fromkeys(servers, 0.0)
    for _ in range(ROUNDS):
        for name, one in servers.items():
            cpu = one.cpu_s
            began = time.perf_counter()
            seconds[name] += await load(one.port, clients, replies, kind)
            rate[name] = max(rate[name], replies / (time.perf_counter() - began))
            spent[name] = min(spent[name], 1000 * (one.cpu_s - cpu) / replies)
    return seconds, spent, rate


async def measure_servers(checkouts: dict[str, Path], folder: Path, workers: int) -> None:
    """Print CPU a reply, the wait beyond the upstream, and replies a second."""
    upstream = Upstream()
    listener = await asyncio.start_server(upstream.serve, "127.0.0.1", 0)
    behind = listener.sockets[0].getsockname()[1]
    for signal, kind, replies in KINDS:
        with contextlib.ExitStack() as stack:
            servers = {
                name: stack.enter_context(server(path, behind, folder, signal))
                for name, path in checkouts.items()
            }
            for one in servers.values():
                await load(one.port, 4, replies // 3, kind)
            _, spent, _ = await in_turns(servers, 4, replies, kind)
            show(f"CPU a reply, {kind}, {signal}", "ms", spent)
    signal, kind, replies = KINDS[0]
    with contextlib.ExitStack() as stack:
        servers = {
            name: stack.enter_context(server(path, behind, folder, signal, workers))
            for name, path in checkouts.items()
        }
        for one in servers.values():
            await load(one.port, 8, replies, kind)
        _, _, rate = await in_turns(servers, 16, replies, kind)
        show(f"replies a second, 16 clients, {workers} workers", "1/s", rate)
        upstream.delay_s = DELAY_S
        for clients, count in ((1, 20), (32, replies)):
            direct = statistics.median(await load(behind, clients, count, kind))
            seconds, _, _ = await in_turns(servers, clients, count, kind)
            waits = {name: 1000 * (statistics.median(each) - direct) for name, each in seconds.items()}
            show(f"beyond the upstream, p50, clients: {clients}", "ms", waits)
    listener.close()


async def measure_memory(checkouts: dict[str, Path], folder: Path) -> None:
    """Print the memory of the last checkout's server after 5,000 and 20,000 replies, no two alike."""
    listener = await asyncio.start_server(Upstream().serve, "127.0.0.1", 0)
    signal, kind, _ = KINDS[0]
    path = list(checkouts.values())[-1]
    with server(path, listener.sockets[0].getsockname()[1], folder, signal) as one:
        for replies, more in ((5_000, 5_000), (10_000, 5_000), (20_000, 10_000)):
            await load(one.port, 8, more, kind)
            show(f"memory after {replies} replies", "MB", {"": one.memory_mb})
    listener.close()


def measure_rewrite(checkouts: dict[str, Path], folder: Path, jobs: int) -> None:
    """Print the CPU of ``ralc rewrite`` an answer, beyond that of its start; the same bytes by several processes."""
    draw = random.Random(7)
    answers = list({sentence(draw): None for _ in range(3 * ANSWERS)})[:ANSWERS]
    for name, count in (("many.csv", ANSWERS), ("one.csv", 1)):
        with (folder / name).open("w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["answer", "confidence", "correct"])
            rows.writerows(
                [text, round(draw.random(), 3), int(draw.random() < 0.6)] for text in answers[:count]
            )
    spent = dict[str, float]()
    wall = dict[str, float]()
    for name, path in checkouts.items():
        ralc(path, "fit", f"{folder}/many.csv", "--out", f"{folder}/{name}.json")

    def rewrite(name: str, file: str, out: str, *more: str) -> tuple[float, float]:
        files = (
            f"{folder}/{file}",
            "--calibrator",
            f"{folder}/{name}.json",
            "--out",
            f"{folder}/{name}-{out}",
        )
        return ralc(checkouts[name], "rewrite", *files, *more)

    for name in [*checkouts] * ROUNDS:
        start = rewrite(name, "one.csv", "one.out.csv")
        whole = rewrite(name, "many.csv", "many.out.csv")
        each = [1000 * (many - one) / (ANSWERS - 1) for many, one in zip(whole, start, strict=True)]
        spent[name] = min(spent.get(name, math.inf), each[0])
        wall[name] = min(wall.get(name, math.inf), each[1])
    show(f"ralc rewrite of {ANSWERS} answers, CPU each", "ms", spent)
    show(f"ralc rewrite of {ANSWERS} answers, clock each", "ms", wall)
    last = list(checkouts)[-1]
    rewrite(last, "many.csv", "jobs.out.csv", "--jobs", str(jobs))
    files = [(folder / f"{last}-{out}.out.csv").read_bytes() for out in ("many", "jobs")]
    print(f"the same bytes by --jobs {jobs}: {'yes' if files[0] == files[1] else 'NO'}")


def main(arguments: list[str]) -> None:
    """Measure what is named; print a line a figure."""
    parser = argparse.ArgumentParser(prog="python -m tools.speed", description="Measure serve and rewrite.")
    parser.add_argument("names", nargs="*", help="servers, memory, rewrite; else servers and rewrite")
    parser.add_argument("--base", type=Path, help="another checkout, which is measured in turns")
    parser.add_argument("--cores", type=int, default=2, help="workers and jobs")
    chosen = parser.parse_args(arguments)
    names = chosen.names or ["servers", "rewrite"]
    checkouts = {"base": chosen.base.resolve()} if chosen.base else {}
    checkouts |= {"this": HERE}
    print(f"{'':<50} {'  '.join(f'{name:>9}' for name in checkouts)}")
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        if "servers" in names:
            asyncio.run(measure_servers(checkouts, folder, chosen.cores))
        if "memory" in names:
            asyncio.run(measure_memory(checkouts, folder))
        if "rewrite" in names:
            measure_rewrite(checkouts, folder, chosen.cores)


if __name__ == "__main__":
    main(sys.argv[1:])
