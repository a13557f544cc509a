"""What the calibrated words are worth: Brier score and AUROC on held-out halves, by evaluators not in the loop.

Recorded answers of real models (where `$RALC_SHARED_DATA` has them): GPT-4o on TruthfulQA with a certainty phrase
(Wang et al. 2025), Llama-3-8B on MMLU with ten samples a question; and simulated answers whose score has an AUROC of
.8. Each half is fitted on the other half; `HALVES` random halves, so the halves are not independent, and the
spread in brackets is that over halves, no interval. ``cue_model_b`` reads them all; the simulated ones, which have few
different texts, are read by ``embedding_regression``, too, which alone is independent of the evaluator in the loop.
"""

import ast
import csv
import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ralc import Beta, WordCalibrator, evaluators, metrics
from ralc.beta.validation import Floats
from ralc.calibrator.confidence import as_confidence
from ralc.protocols import resolve
from studies.packaged import read_packaged
from tests.bench.harness import Measurement

HALVES = 40
JOURNAL = Path(__file__).resolve().parents[2] / "results" / "bench" / "words.jsonl"
SHARED = Path(os.environ.get("RALC_SHARED_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
FORECASTS = ("raw score", "calibrated", "words", "words by cues", "constant hedge")
Read = Callable[[Sequence[str]], Floats]


class Answers(NamedTuple):
    """Answers of a model, their raw confidence, and which are right."""

    name: str
    texts: list[str]
    confidence: Beta
    correct: np.ndarray


def run() -> Iterator[Measurement]:
    """Brier score and AUROC of each forecast on each source; only the simulated answers have targets."""
    for name, read, answers in (
        *(("cue_model_b", judge, one) for one in (*recorded(), simulated())),
        ("embedding_regression", probe, simulated()),
    ):
        brier, auroc = repeated_halves(answers, read)
        for place, forecast in enumerate(FORECASTS):
            for metric, values in (("Brier", brier[:, place]), ("AUROC", auroc[:, place])):
                spread = f"SD over {HALVES} halves {np.std(values, ddof=1):.3f}, n = {len(answers.texts)}"
                what = f"{answers.name}, {name}: {metric}, {forecast}"
                yield Measurement(what, float(values.mean()), "", note=spread)
        if answers.name.startswith("simulated"):
            for other in (0, 4):
                gain = float((brier[:, other] - brier[:, 2]).mean())
                what = f"{answers.name}, {name}: words over {FORECASTS[other]}"
                yield Measurement(what, gain, "Brier", ">=", 0.0)


def judge(texts: Sequence[str]) -> Floats:
    """The mean readings of texts by ``cue_model_b``."""
    return evaluators.load("cue_model_b").read(texts).mean


def probe(texts: Sequence[str]) -> Floats:
    """The mean readings of texts by ``embedding_regression``; its embeddings are kept beside the bench's tables."""
    found = read_packaged(list(dict.fromkeys(texts)), JOURNAL)
    found = found[found["evaluator"] == "embedding_regression"]
    means = dict(zip(found["text"], Beta.from_table(found).mean, strict=True))
    return np.array([means[text] for text in texts])


def repeated_halves(answers: Answers, read: Read, seed: int = 0) -> tuple[Floats, Floats]:
    """Brier score and AUROC of each forecast on each held-out half; (HALVES, forecasts) each."""
    rng = np.random.default_rng(seed)
    brier, auroc = np.empty((HALVES, len(FORECASTS))), np.empty((HALVES, len(FORECASTS)))
    for half in range(HALVES):
        order = rng.permutation(len(answers.texts))
        train, test = np.array_split(order, 2)
        calibrator = WordCalibrator().fit(answers.confidence[train], answers.correct[train])
        texts, y = [answers.texts[at] for at in test], answers.correct[test]
        words = calibrator.rewrite(texts, answers.confidence[test])
        constant = WordCalibrator(map="identity").fit(answers.confidence[train], answers.correct[train])
        hedged = constant.rewrite(texts, np.full(test.size, calibrator.base_rate_))
        forecasts = [
            np.asarray(answers.confidence.mean)[test],
            np.array([float(one.target.mean) for one in words]),
            read([one.text for one in words]),
            np.array([float(one.read.mean) for one in words]),
            read([one.text for one in hedged]),
        ]
        brier[half] = [np.mean((p - y) ** 2) for p in forecasts]
        auroc[half] = [metrics.auroc(y, p) for p in forecasts]
    return brier, auroc


def recorded() -> Iterator[Answers]:
    """The recorded answers that there are."""
    if (SHARED / "wang2025").is_dir():
        yield gpt4o_phrases(SHARED / "wang2025")
    if (SHARED / "dlm_uncertainty").is_dir():
        yield llama_samples(
            SHARED / "dlm_uncertainty/mmlu_mini/Meta-Llama-3-8B-Instruct/semantic_uncertainty"
        )


def gpt4o_phrases(folder: Path) -> Answers:
    """GPT-4o's answers to TruthfulQA with one of twelve certainty phrases, read by its authors' table."""
    table = json.loads((folder / "phrase_beta_tables.json").read_text())["gpt-4o_size=12"]
    betas = {phrase.lower(): pair for phrase, pair in table.items()}
    with open(folder / "answers_eval_correctness.jsonl", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    pairs = np.array([betas[row["confidence"].strip(" .'\"").lower()] for row in rows], dtype=float)
    correct = np.array([row["is_correct"] for row in rows], dtype=float)
    texts = [row["pred_answer"] for row in rows]
    return Answers("GPT-4o, TruthfulQA, its phrase", texts, Beta(*pairs.T), correct)


def llama_samples(folder: Path) -> Answers:
    """Llama-3-8B-Instruct's ten samples of each of a hundred MMLU questions, and the grade of the majority."""
    with open(folder / "mmlu_0_graded_responses.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    samples = [[f"The answer is {one}." for one in ast.literal_eval(row["raw_response"])] for row in rows]
    found, confidence = WordCalibrator("semantic_uncertainty").confidence_of(samples)
    answers = [one.answer for one in found]
    correct = [
        answer == f"The answer is {row['answer_key']}." for answer, row in zip(answers, rows, strict=True)
    ]
    return Answers("Llama-3-8B, MMLU, ten samples", answers, confidence, np.array(correct, dtype=float))


def simulated(n: int = 400, seed: int = 17) -> Answers:
    """Answers of which 45 % are right, with an overconfident score whose AUROC is .8."""
    rng = np.random.default_rng(seed)
    correct = (rng.random(n) < 0.45).astype(float)
    # Two normal distributions 1.19 apart have an AUROC of .8.
    score = 1 / (1 + np.exp(-(1.19 * correct + rng.normal(size=n) + 0.6)))
    texts = [f"The answer to question {number} is item {number}." for number in range(n)]
    return Answers("simulated, AUROC .8", texts, as_confidence(score, resolve("ralc")), correct)
