"""Our vllm engine beside one bare ``LLM.chat`` call on the same requests; in `make test-vllm`'s environment.

$RALC_TEST_MODEL names a model directory, $RALC_TEST_ENGINE_ARGS more arguments of the engine (JSON),
$RALC_BENCH_QUESTIONS how many questions (200, 20 samples each), $RALC_BENCH_PAIRS how often both are timed (3),
$RALC_BENCH_TOKENS how long answers are (16 tokens at most).
"""

import importlib.util
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from ralc.llm import complete, request_for
from ralc.llm.engines import build
from ralc.llm.engines.vllm import Offline
from ralc.llm.requests import Request
from tests.bench.harness import Measurement

SAMPLES = 20


def run() -> Iterator[Measurement]:
    """Tokens a second of both, taken in turns; and what one request of 20 samples saves."""
    if importlib.util.find_spec("vllm") is None or "RALC_TEST_MODEL" not in os.environ:
        print(
            "vllm is not installed here, or RALC_TEST_MODEL is not set: see envs/test-vllm.sh",
            file=sys.stderr,
        )
        return
    entry = {
        "engine": "vllm",
        "model": os.environ["RALC_TEST_MODEL"],
        "context": 1024,
        "engine_args": json.loads(os.environ.get("RALC_TEST_ENGINE_ARGS", "{}")),
    }
    engine = build(entry)
    questions = [
        f"What is {i} plus {i * 7 % 31}?" for i in range(int(os.environ.get("RALC_BENCH_QUESTIONS", "200")))
    ]
    tokens = int(os.environ.get("RALC_BENCH_TOKENS", "16"))
    fields = {"n": SAMPLES, "max_tokens": tokens, "logprobs": True}
    requests = [request_for(entry, user(text), seed=1000 * i, **fields) for i, text in enumerate(questions)]
    yield from beside_bare(engine, requests)
    yield shared_prefix(engine, entry)
    engine.close()


def beside_bare(engine: Offline, requests: list[Request]) -> Iterator[Measurement]:
    """Ours (rendered, constrained, journalled) and the bare call, in turns."""
    bare(engine, requests[:8])
    pairs = []
    for _ in range(int(os.environ.get("RALC_BENCH_PAIRS", "3"))):
        with tempfile.TemporaryDirectory() as folder:
            ours = rate(lambda folder=folder: journalled(engine, requests, Path(folder)))
        pairs.append((ours, rate(lambda: bare(engine, requests))))
    ours, theirs = (median(side) for side in zip(*pairs, strict=True))
    yield Measurement(
        "vllm engine, journalled", ours, "tokens/s", note=f"{len(requests)} questions x {SAMPLES}"
    )
    yield Measurement("one bare LLM.chat call", theirs, "tokens/s")
    ratio = median(mine / bare_rate for mine, bare_rate in pairs)
    yield Measurement("vllm engine against the bare call", ratio, "times", ">=", 0.95)


def shared_prefix(engine: Offline, entry: dict) -> Measurement:
    """20 samples of a long prompt by one request, against 20 requests that share nothing."""
    rules = " ".join(f"Rule {i}: entry {i * 37 % 101} goes to drawer {i * 53 % 89}." for i in range(40))
    together = [request_for(entry, user(f"{rules} Where does entry 7 go?"), n=SAMPLES, max_tokens=1)]
    apart = [
        request_for(entry, user(f"{i}. {rules} Where does entry 7 go?"), max_tokens=1) for i in range(SAMPLES)
    ]
    seconds = [clock(lambda asked=asked: list(engine.answer(asked))) for asked in (together, apart)]
    return Measurement(
        "20 samples by one long request, against 20", seconds[1] / seconds[0], "times", ">=", 5.0
    )


def journalled(engine: Offline, requests: list[Request], folder: Path) -> int:
    """Answer the requests as the pipeline does; the tokens answered."""
    answers = complete(requests, engine, folder / "j.jsonl", progress=False)
    return sum(answer.completion_tokens for answer in answers)


def bare(engine: Offline, requests: list[Request]) -> int:
    """Answer the requests by one call of vLLM; the tokens answered."""
    from vllm import SamplingParams

    parameters = [SamplingParams(n=r.n, seed=r.seed, max_tokens=r.max_tokens, logprobs=0) for r in requests]
    outputs = engine.llm.chat([list(r.messages) for r in requests], parameters, use_tqdm=False)
    return sum(len(sample.token_ids) for output in outputs for sample in output.outputs)


def rate(work: Callable[[], int]) -> float:
    """Tokens a second of some work that returns its tokens."""
    start = time.perf_counter()
    return work() / (time.perf_counter() - start)


def clock(work: Callable[[], object]) -> float:
    """Seconds of some work."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def user(text: str) -> list[dict[str, str]]:
    """A question as messages."""
    return [{"role": "user", "content": text}]
