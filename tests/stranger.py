"""A stranger's files: questions with aliases, and answers that some model could have given to them."""

import json
import random
from pathlib import Path

LANDS = ["Åland", "Bögrün", "Çelik", "Dvořák", "Élan", "Łódź", "Ñandú", "Ōmura", "São Tomé", "Županja"]
FORMS = ["{}", "It was {}.", "The capital was {}.\n", "{}, I think.", "Definitely {}.", "“{}”"]

#: Ten lines: all that a run of recorded samples needs.
CONFIG = """\
outdir: results
run:
  targets: [theirs]
  datasets: [mine]
  methods: [ralc, constant_hedge]
models:
  theirs: {engine: recorded, path: samples.jsonl}
datasets:
  mine: {path: questions.jsonl}
roles: {rewriter: {method: guided}}
"""


def write(folder: Path, questions: int, samples: int, seed: int = 7) -> None:
    """Write questions.jsonl, samples.jsonl and config.yaml: a model that knows some answers better than others.

    How often it names the right town is drawn from Beta(0.8, 0.8) for each question, and its log-probabilities follow.
    """
    rng = random.Random(seed)
    asked = []
    recorded = []
    for number in range(questions):
        land = f"{LANDS[number % 10]} {number // 10 + 1}"
        towns = [f"{land}{end}" for end in ("ville", "burg", "stad", "grad")]
        question = f"What was the capital of {land} in {1400 + number}?"
        share = rng.betavariate(0.8, 0.8)
        given = [towns[0] if rng.random() < share else rng.choice(towns[1:]) for _ in range(samples)]
        answers = [rng.choice(FORMS).format(town) for town in given]
        logprobs = [[round(-rng.expovariate(1 / (1.05 - share)), 4) for _ in range(5)] for _ in given]
        asked.append({"question": question, "accepted": [towns[0], f"City of {towns[0]}"]})
        recorded.append({"question": question, "answers": answers, "token_logprobs": logprobs})
    for name, rows in (("questions", asked), ("samples", recorded)):
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
        (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    (folder / "config.yaml").write_text(CONFIG, encoding="utf-8")


if __name__ == "__main__":
    write(Path(), 500, 20)
