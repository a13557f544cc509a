"""What `complete` costs beside the model: an evaluator's requests of three answers, by an engine that takes no time.

A full matrix has 1.4 million such requests an evaluator. Cold: all are asked and journalled. Warm: all are in
the journal, and no engine is started. Memory is what the peak of a fresh process grows by from 20,000 to
100,000 requests; time is CPU time, for the machine may be busy.
"""

import resource
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

from ralc import io
from ralc.llm import Request, Response, complete_file, to_table
from tests.bench.harness import Measurement

FEW, MANY = 20_000, 100_000
MODEL = {"engine": "embedded", "model": "instant"}
#: About 700 tokens, as an evaluator's instructions and annotated cues.
HEAD = "Rate how certain a text sounds.\n" + "An annotated cue stands here beside its number. " * 60


class Instant:
    """An engine whose answers are scores, one in thirty of them above 100."""

    def answer(self, requests: Iterable[Request]) -> Iterator[tuple[int, list[Response]]]:
        """Answer at once; see `ralc.llm.engines.Engine`."""
        for index, request in enumerate(requests):
            scores = {i: str((index + i) % 104) for i in request.numbers}
            yield index, [Response(request.key, score, "stop", sample=i) for i, score in scores.items()]

    def close(self) -> None:
        """Nothing to let go of."""


def run() -> Iterator[Measurement]:
    """Seconds and memory of a cold and of a warm pass."""
    with tempfile.TemporaryDirectory() as folder:
        for count in (FEW, MANY):
            apart(render, Path(folder), count)
        for name, limit in (("cold", 60), ("warm", 20)):
            _, little = apart(seconds_and_peak, Path(folder), FEW, name == "cold")
            used, much = apart(seconds_and_peak, Path(folder), MANY, name == "cold")
            yield Measurement(f"{name} pass over {MANY} requests x 3", used, "CPU s", "<", limit)
            yield Measurement(
                f"{name} pass, memory a request", (much - little) / (MANY - FEW), "KiB", "<", 1.5
            )


def apart(work, *arguments):
    """What a function gives in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *arguments).result()


def render(folder: Path, count: int) -> None:
    """Write the requests."""
    requests = (
        Request(
            "instant",
            (
                {
                    "role": "user",
                    "content": f"{HEAD}\n\nText: It is probably town {i}, of some size, by a river.",
                },
            ),
            n=3,
            max_tokens=6,
            constraint={"regex": "100|[1-9]?[0-9]"},
        ).with_content_seed(2026)
        for i in range(count)
    )
    io.write_table(to_table(requests), folder / f"{count}.parquet", "requests")


def seconds_and_peak(folder: Path, count: int, cold: bool) -> tuple[float, int]:
    """CPU seconds of a pass and this process's peak memory in KiB; warm, an engine must not be started."""
    # The package has a function of the module's name.
    import_module("ralc.llm.completing").build = lambda entry, journal: Instant() if cold else None
    start = time.process_time()
    paths = [folder / f"{count}.{name}" for name in ("parquet", "jsonl", "out")]
    complete_file(paths[0], MODEL, *paths[1:])
    return time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
