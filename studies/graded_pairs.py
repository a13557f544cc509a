"""Read pairs of a signal and a graded data set: confidences in answers, and whether the answers were right.

The folder of data holds the public studies of `docs/imports.md` and `docs/reliance.md`. `dlm_uncertainty` is Llama-3-8B
and LLaDA-8B on 100 questions of MMLU, `wang2025` GPT-4o on TruthfulQA. `reliance` has the letters of the adviser of a
reliance study, `factscore` sentences of biographies. A finished default run adds SmolLM2 on worldfacts.
"""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from ralc.beta.validation import Floats
from ralc.protocols import FINEST, PROTOCOLS
from ralc.registry import SIGNALS
from ralc.signals import covered, support
from studies.advice import LETTERS, letter_probabilities

#: What kind of signal each is: what the words say, what the tokens' probabilities say, how far answers agree.
KINDS = {
    "linguistic_confidence": "words",
    "verbalised": "words",
    "token_probability": "tokens",
    "perplexity": "tokens",
    "p_true": "tokens",
    "semantic_uncertainty": "agreement",
    "support": "agreement",
}
#: Columns of the recorded study: its folder names by our signals, and how many answers agree.
RECORDED = {
    "token_probs": "token_probability",
    "semantic_uncertainty": "semantic_uncertainty",
    "p_true": "p_true",
    "vnc": "verbalised",
}
SAMPLES = 10


class Pair(NamedTuple):
    """Confidences of a signal in a model's answers to the questions of a data set, and their outcomes."""

    dataset: str
    model: str
    signal: str
    logit: Floats
    outcome: Floats

    @property
    def kind(self) -> str:
        """Words, tokens or agreement."""
        return KINDS[self.signal]


def pair(dataset: str, model: str, signal: str, mean: Floats, outcome: Floats) -> Pair:
    """Return a pair, its means kept from 0 and 1 as protocol `ralc` keeps them."""
    unrounded = signal in SIGNALS and SIGNALS[signal].unrounded
    eps = FINEST if unrounded else PROTOCOLS["ralc"].platt_eps
    clipped = np.clip(np.asarray(mean, float), eps, 1 - eps)
    return Pair(dataset, model, signal, np.log(clipped / (1 - clipped)), np.asarray(outcome, float))


def read_pairs(folder: Path, run: Path | None = None) -> list[Pair]:
    """Return the pairs of the studies in a folder, and of the results of a finished default run."""
    found = [*recorded(folder), phrases(folder), *letters(folder), *biographies(folder)]
    return found + (list(of_run(run)) if run else [])


def recorded(folder: Path) -> Iterator[Pair]:
    """Return Llama-3-8B and LLaDA-8B on MMLU: tokens, agreement of ten answers, P(True) and a stated number."""
    for path in sorted(folder.glob("dlm_uncertainty/mmlu_mini/*/*/*_graded_responses.csv")):
        signal = RECORDED[path.parent.name]
        table = pd.read_csv(path).dropna(subset=["confidence"])
        mean = table["confidence"].to_numpy(float)
        if signal == "semantic_uncertainty":
            mean = (SAMPLES * mean + 0.5) / (SAMPLES + 1)
        if signal == "verbalised" and mean.max() > 1:
            mean = mean / 100
        yield pair("mmlu-mini", path.parents[1].name, signal, mean, table["grade"] == "A")


def phrases(folder: Path) -> Pair:
    """Return the certainty phrases of GPT-4o on TruthfulQA, by the study's own numbers of each."""
    tables = json.loads((folder / "wang2025/phrase_beta_tables.json").read_text())
    means = {phrase.lower(): a / (a + b) for phrase, (a, b) in tables["gpt-4o_size=12"].items()}
    lines = (folder / "wang2025/answers_eval_correctness.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    mean = [means[str(row["confidence"]).strip(" .'\"").lower()] for row in rows]
    return pair("truthfulqa", "gpt-4o", "linguistic_confidence", mean, [row["is_correct"] for row in rows])


def letters(folder: Path) -> Iterator[Pair]:
    """Return the probability of the advised letter, as an adviser on MMLU gave it, at once and after reasoning."""
    for name in ("model_answers", "model_answers_after_reasoning"):
        table = pd.read_csv(folder / f"reliance/advice/{name}.csv.gz").drop_duplicates("question")
        table = table[table["answer"].isin(list(LETTERS))]
        told = zip(map(letter_probabilities, table["logprobs"]), table["answer"], strict=True)
        mean = np.array([said[letter] for said, letter in told])
        right = (table["answer"] == table["correct_answer"]).to_numpy(float)
        model = "adviser, " + ("reasoned" if name.endswith("reasoning") else "at once")
        for signal in ("token_probability", "perplexity"):
            yield pair("advice-mmlu", model, signal, mean, right)


def biographies(folder: Path) -> Iterator[Pair]:
    """Return the support of sentences of one model's biographies in two others', and their share of true facts."""
    rows = {}
    for path in sorted(folder.glob("factscore/*.jsonl.gz")):
        with gzip.open(path, "rt") as lines:
            rows[path.name.split(".")[0]] = {row["topic"]: row for row in map(json.loads, lines)}
    for model, own in rows.items():
        found = []
        for topic, row in own.items():
            others = [told[topic]["output"] for name, told in rows.items() if name != model and topic in told]
            for sentence in row["annotations"] or []:
                labels = [fact["label"] for fact in sentence["human-atomic-facts"] or []]
                known = [label == "S" for label in labels if label in ("S", "NS")]
                if known and len(others) == len(rows) - 1:
                    heard = covered(sentence["text"], others, row["input"])
                    found.append((float(support(heard).mean), float(np.mean(known))))
        yield pair("factscore", model, "support", *np.array(found).T)


def of_run(results: Path) -> Iterator[Pair]:
    """Return the default's pairs: every graded answer, of train and held-out questions."""
    questions = pd.concat([pd.read_parquet(path) for path in sorted(results.glob("questions/*.parquet"))])
    for path in sorted(results.glob("signals/*.parquet")):
        grades = pd.read_parquet(results / "grades" / path.name).query("prompt == 'direct'")
        rows = pd.read_parquet(path).query("protocol == 'ralc'")
        rows = rows.merge(grades[["question_id", "sentence", "outcome"]]).merge(
            questions[["question_id", "dataset"]]
        )
        rows = rows.dropna(subset=["alpha", "outcome"])
        for (dataset, signal), own in rows.groupby(["dataset", "signal"], sort=False):
            mean = own["alpha"] / (own["alpha"] + own["beta"])
            yield pair(dataset, path.stem, signal, mean.to_numpy(), own["outcome"].to_numpy())
