"""What `ralc serve` adds to a request beside a bare upstream that answers at once."""

import asyncio
import multiprocessing
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

import httpx
import numpy as np
import uvicorn

from ralc import Beta, WordCalibrator
from ralc.serve.application import make_app
from ralc.serve.settings import ServeSettings
from tests.bench.harness import Measurement
from tests.serving import Stub

REQUESTS, AT_ONCE = 300, 20
SAMPLES = 10
BODY = {"model": "stub", "messages": [{"role": "user", "content": "What is the capital of Peru?"}]}


def run() -> Iterator[Measurement]:
    """Latency one request after the other, and requests a second with twenty at once; each server a process."""
    with process(_stub, "") as upstream, process(_server, upstream) as server:
        direct = seconds(upstream, {**BODY, "n": SAMPLES})
        served = seconds(server, BODY)
        for share in (50, 95):
            ours, bare = (float(np.percentile(taken, share)) for taken in (served, direct))
            yield Measurement(
                f"a calibrated reply beside a bare one, p{share}",
                1000 * (ours - bare),
                "ms more",
                ours=ours,
                reference=bare,
                note=f"{SAMPLES} samples; bare {1000 * bare:.1f} ms, calibrated {1000 * ours:.1f} ms",
            )
        for name, address, body in (("bare", upstream, {**BODY, "n": SAMPLES}), ("calibrated", server, BODY)):
            yield Measurement(
                f"{name} replies, {AT_ONCE} at once", asyncio.run(rate(address, body)), "requests/s"
            )


def seconds(address: str, body: dict) -> list[float]:
    """Wall-clock seconds of each of some requests, one after the other on one connection, after ten to warm up."""
    taken = []
    with httpx.Client(base_url=address, timeout=60, trust_env=False) as client:
        for number in range(REQUESTS + 10):
            begun = time.perf_counter()
            client.post("/v1/chat/completions", json=body).raise_for_status()
            if number >= 10:
                taken.append(time.perf_counter() - begun)
    return taken


async def rate(address: str, body: dict) -> float:
    """Requests a second with some always in flight."""
    room = asyncio.Semaphore(AT_ONCE)

    async def one(client: httpx.AsyncClient) -> None:
        async with room:
            (await client.post("/v1/chat/completions", json=body)).raise_for_status()

    async with httpx.AsyncClient(base_url=address, timeout=60, trust_env=False) as client:
        begun = time.perf_counter()
        await asyncio.gather(*(one(client) for _ in range(REQUESTS)))
        return REQUESTS / (time.perf_counter() - begun)


@contextmanager
def process(make: Callable[[str], object], upstream: str) -> Iterator[str]:
    """Run an application in a process of its own on a loopback port; yields its base URL."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    child = context.Process(target=_serve, args=(make, upstream, theirs), daemon=True)
    child.start()
    try:
        yield f"http://127.0.0.1:{ours.recv()}"
    finally:
        child.terminate()
        child.join()


def _serve(make: Callable[[str], object], upstream: str, told: Connection) -> None:
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    server = uvicorn.Server(uvicorn.Config(make(upstream), log_level="error", access_log=False))
    told.send(listener.getsockname()[1])
    server.run(sockets=[listener])


def _stub(_: str) -> object:
    return Stub().app


def _server(upstream: str) -> object:
    right = Beta([9.5] * 30 + [3.5] * 30, [1.5] * 30 + [7.5] * 30)
    calibrator = WordCalibrator("semantic_uncertainty").fit(right, [1] * 28 + [0] * 2 + [1] * 6 + [0] * 24)
    return make_app(calibrator, ServeSettings(upstream=f"{upstream}/v1", samples=SAMPLES))
