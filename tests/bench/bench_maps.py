"""How maps fitted on few answers do on the others: log loss against the base rate, over repeated splits.

Real answers where `RALC_SHARED_DATA` is there (Llama-3-8B and LLaDA-8B on MMLU, GPT-4o on TruthfulQA), and made-up
ones everywhere: a good signal, a weak one, none, one that is the wrong way round, one that hardly varies.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import special

from ralc import Beta
from ralc.calibration import CalibrationMap, from_protocol
from tests.bench.harness import Measurement

SHARED = Path(os.environ.get("RALC_SHARED_DATA", "../shared/data"))
TRAIN = (10, 27, 100)
SPLITS = 60
MAPS = {"paper": ("platt", "paper"), "smoothed": ("platt", "smoothed"), "ralc": ("platt", "ralc")}

Answers = tuple[np.ndarray, np.ndarray]


def run() -> Iterator[Measurement]:
    """Excess log loss over the base rate, mean and 95th percentile over splits and sets of answers."""
    rng = np.random.default_rng(0)
    answers = simulated(rng) | (real() if SHARED.exists() else {})
    for size in TRAIN:
        excess = {name: [] for name in MAPS}
        for mean, outcome in answers.values():
            if outcome.size >= size * 1.6:
                for name, values in losses(mean, outcome, size, rng).items():
                    excess[name] += values
        for name, values in excess.items():
            ours = name == "ralc"
            yield Measurement(
                f"maps on {size} answers, {name}: mean",
                1000 * float(np.mean(values)),
                "millinats above the base rate",
                "<" if ours else None,
                1000 * float(np.mean(excess["paper"])) + 1 if ours else None,
                note=f"95th percentile {1000 * np.quantile(values, 0.95):.1f}, {len(answers)} sets of answers",
            )


def losses(
    mean: np.ndarray, outcome: np.ndarray, size: int, rng: np.random.Generator, splits: int = SPLITS
) -> dict[str, list[float]]:
    """Log loss on the rest, less that of the base rate, of every map and split."""
    found: dict[str, list[float]] = {name: [] for name in MAPS}
    for _ in range(splits):
        order = rng.permutation(outcome.size)
        train, test = order[:size], order[size:]
        base = log_loss(outcome[test], np.full(len(test), (outcome[train].sum() + 1) / (size + 2)))
        for name in MAPS:
            confidence = Beta.from_mean_concentration(mean, 20)
            mapped = unfitted(name).fit(confidence[train], outcome[train]).transform(confidence[test])
            found[name].append(log_loss(outcome[test], mapped.mean) - base)
    return found


def unfitted(name: str) -> CalibrationMap:
    """The paper's map; that with Platt's targets and bounded logits; the one of protocol `ralc`."""
    kind, protocol = MAPS[name]
    if protocol == "smoothed":
        return from_protocol(kind).set_params(C=np.inf, cautious=False)
    return from_protocol(kind, protocol)


def log_loss(outcome: np.ndarray, probability: np.ndarray) -> float:
    """Mean negative log likelihood, in nats, of probabilities kept within [0.0125, 0.9875]."""
    p = np.clip(probability, 0.0125, 0.9875)
    return float(-np.log(np.where(outcome == 1, p, 1 - p)).mean())


def simulated(rng: np.random.Generator, n: int = 1500) -> dict[str, Answers]:
    """Means and outcomes of made-up signals."""

    def signal(slope: float, intercept: float, spread: float) -> Answers:
        x = np.clip(rng.normal(1.5, spread, n), -4.3, 4.3)
        return special.expit(x), (rng.random(n) < special.expit(slope * x + intercept)).astype(float)

    few_lower = np.where(rng.random(n) < 0.07, 0.7, 0.95)
    outcome = (rng.random(n) < np.where(few_lower < 0.8, 0.3, 0.5)).astype(float)
    return {
        "good": signal(0.8, -1, 1.5),
        "weak": signal(0.25, -0.5, 1.2),
        "none": signal(0, -0.2, 1.2),
        "reversed": signal(-0.3, 0.3, 1),
        "almost constant": (few_lower, outcome),
    }


def real() -> dict[str, Answers]:
    """Means and outcomes of real answers."""
    found = {}
    for path in sorted(SHARED.glob("dlm_uncertainty/mmlu_mini/*/*/*_graded_responses.csv")):
        table = pd.read_csv(path).dropna(subset=["confidence"])
        mean = table["confidence"].to_numpy(float)
        if path.parent.name == "semantic_uncertainty":
            mean = (10 * mean + 0.5) / 11
        if mean.size >= 60:
            outcome = (table["grade"] == "A").to_numpy(float)
            found[f"{path.parents[1].name} {path.parent.name}"] = (np.clip(mean, 1e-6, 1 - 1e-6), outcome)
    return found | gpt4o()


def gpt4o() -> dict[str, Answers]:
    """The certainty phrases of GPT-4o on TruthfulQA."""
    folder = SHARED / "wang2025"
    table = json.loads((folder / "phrase_beta_tables.json").read_text())["gpt-4o_size=12"]
    means = {phrase.lower(): a / (a + b) for phrase, (a, b) in table.items()}
    lines = (folder / "answers_eval_correctness.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    said = [str(row["confidence"]).strip(" .'\"").lower() for row in rows]
    pairs = [(means[phrase], float(row["is_correct"])) for phrase, row in zip(said, rows, strict=True)]
    mean, outcome = np.array(pairs).T
    return {"GPT-4o": (mean, outcome)}
