"""Made-up results in the exact form of items.parquet and metrics.parquet, for tests of tables and figures.

A world in which a model knows some things and not others: its signals carry that knowledge but are too sure,
calibration repairs the mean, rewriting passes it on with noise, and two evaluators see the texts a little
differently.
"""

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
import pandas as pd
from scipy import special

from ralc.pipeline.measures import compute
from ralc.pipeline.metric_evaluation import Settings
from ralc.schemas import check

SIGNALS = {"linguistic_confidence": 0.3, "token_probability": 0.8, "semantic_uncertainty": 1.6}
DATASETS = ("worldfacts-qa", "worldfacts-mc", "worldfacts-rc")
EVALUATORS = {"cue_model": 0.15, "cue_model_b": 0.5}
HEDGES = ["definitely", "almost certainly", "very likely", "probably", "perhaps"]
HEDGES += ["I doubt that", "it is unlikely that"]
#: What an item has where nothing else is said.
DEFAULTS = {"variant": "default", "sentence": 0, "protocol": "ralc", "space": "linguistic"}
DEFAULTS |= dict.fromkeys(("origin", "train", "signal", "evaluator"), "none")
DEFAULTS |= dict.fromkeys(("text", "parent_answer"))
DEFAULTS |= dict.fromkeys(("content_preservation", "meaning_changed", "not_entailed"), np.nan)
DEFAULTS |= dict.fromkeys(("p_entail", "p_neutral", "p_contradict"), np.nan)
NASTY = '<script>alert("x")</script> & {{ 7*7 }} \\textbf{_%$#}'


def questions(n: int = 10) -> pd.DataFrame:
    """Return questions q0, q1 and so on of dataset d, the first three in train."""
    names = [f"q{i}" for i in range(n)]
    table = pd.DataFrame({"question_id": names, "dataset": "d", "question": "Which?", "group": names})
    table = table.assign(history=[[]] * n, turn=1, subject="s", answerable=True)
    return table.assign(split=["train"] * 3 + ["test"] * (n - 3))


def make_questions(datasets: Sequence[str] = DATASETS, n: int = 60) -> pd.DataFrame:
    """Questions in three formats; the first of each dataset carries text that must be escaped."""
    rows = []
    for place, dataset in enumerate(datasets):
        for i in range(n):
            multiple = place % 3 == 1
            reading = place % 3 == 2
            rows.append(
                {
                    "question_id": f"{dataset}-{i:03d}",
                    "dataset": dataset,
                    "format": ("short_answer", "multiple_choice", "reading_comprehension")[place % 3],
                    "question": f"What is the capital of country {i}? {NASTY if i == 0 else ''}".strip(),
                    "choices": ["Aville", "Btown", "Cburg", "Dham"] if multiple else [],
                    "context": f"Country {i} lies by the sea. Its capital is Aville. {NASTY}"
                    if reading
                    else None,
                    "title": f"Country {i}" if reading else None,
                    "accepted": [] if reading and i % 2 else ["Aville", "City of Aville"],
                    "wrong": [],
                    "correct_choice": 0 if multiple else None,
                    "subject": ("capitals", "elements", NASTY)[i % 3],
                    "answerable": not (reading and i % 2),
                    "group": f"{dataset}-{i // (5 if reading else 1):03d}",
                    "history": [],
                    "turn": 1,
                    "split": "test",
                }
            )
    return check(pd.DataFrame(rows), "questions")


def make_items(questions: pd.DataFrame, targets: Sequence[str] = ("smollm2",), seed: int = 1) -> pd.DataFrame:
    """Every question under every condition, as DESIGN's contract has it."""
    rng = np.random.default_rng(seed)
    parts = [
        part
        for target in targets
        for _, of_dataset in questions.groupby("dataset", sort=False)
        for part in _conditions(of_dataset, target, list(questions["dataset"].unique()), rng)
    ]
    return check(pd.concat(parts, ignore_index=True), "items")


def _conditions(
    questions: pd.DataFrame, target: str, datasets: list[str], rng: np.random.Generator
) -> Iterator[pd.DataFrame]:
    n = len(questions)
    dataset = questions["dataset"].iloc[0]
    knowledge = rng.normal(0.2 * datasets.index(dataset) - 0.2, 1.6, n)
    outcome = (rng.random(n) < special.expit(knowledge)).astype(float)
    grade = np.where(outcome == 1, "CORRECT", "INCORRECT").astype(object)
    grade[outcome.argmin()] = "NOT_ATTEMPTED"
    grade[-1] = "unparsed"
    outcome[-1] = np.nan
    base = questions[["dataset", "question_id", "group", "turn", "subject", "answerable"]]
    base = base.reset_index(drop=True).assign(**DEFAULTS, target=target, outcome=outcome, grade=grade)
    base = base.assign(abstained=np.arange(n) % 6 == 0, hedges=[[] for _ in range(n)])

    def read(method: str, logit: np.ndarray, text: list[str], **columns: object) -> Iterator[pd.DataFrame]:
        for evaluator, noise in EVALUATORS.items():
            mean = np.clip(special.expit(logit + rng.normal(0, noise, n)), 0.0125, 0.9875)
            k = rng.gamma(3, 4, n) + 0.5
            part = base.assign(
                method=method, evaluator=evaluator, alpha=mean * k, beta=(1 - mean) * k, text=text, **columns
            )
            part.loc[1, ["alpha", "beta"]] = np.nan
            yield part

    plain = [f"The capital of it is Aville {NASTY if i == 0 else i}." for i in range(n)]
    yield from read("original", rng.normal(2.2, 0.4, n), plain)
    yield from read(
        "hedged_qa", rng.normal(1.2, 1.0, n) + 0.2 * knowledge, [f"Maybe {text}" for text in plain]
    )
    for train in datasets:
        level = np.full(n, special.logit(0.4 + 0.08 * datasets.index(train)))
        yield from read("constant_hedge", level, [f"Perhaps {text}" for text in plain], train=train)
        about = {"method": "base_rate", "alpha": 20.5 + datasets.index(train), "beta": 22.5, "train": train}
        yield base.assign(**about)
    yield from read(
        "random_near_hedge",
        np.full(n, special.logit(0.4)),
        [f"Maybe {text}" for text in plain],
        train=dataset,
    )
    for signal, strength in SIGNALS.items():
        evidence = strength * knowledge + rng.normal(0, 1, n)
        raw = special.expit(evidence + 1.5)
        # Samples of one number have one concentration; token probabilities differ.
        k = np.linspace(3.0, 40.0, n) if signal == "token_probability" else np.full(n, 21.0)
        if signal == "semantic_uncertainty":
            raw = (np.round(raw * 20) + 0.5) / 21
        in_space = {"signal": signal, "space": "signal"}
        yield base.assign(method="original", alpha=raw * k, beta=(1 - raw) * k, **in_space)
        for train in datasets:
            foreign = 0.0 if train == dataset else 0.3
            logit = 0.7 * strength * special.logit(raw) - 1.2 * strength + foreign
            mean = np.clip(special.expit(logit), 0.0125, 0.9875)
            yield base.assign(method="ralc", train=train, alpha=mean * k, beta=(1 - mean) * k, **in_space)
            words = [HEDGES[int(6 * (1 - m))] for m in mean]
            rewritten = [f"{word}, {text}" for word, text in zip(words, plain, strict=True)]
            how = {
                "train": train,
                "signal": signal,
                "hedges": [[word, "probably", NASTY] for word in words],
                "origin": np.where(rng.random(n) < 0.15, "template", "model"),
                "content_preservation": np.where(rng.random(n) < 0.9, 1.0, 0.6),
                "meaning_changed": 0.0,
            }
            yield from read("ralc", logit, rewritten, **how)
            if train == dataset:
                yield from read("direct_beta", 0.3 * logit + 1, rewritten, **how)


def make_metrics(items: pd.DataFrame) -> pd.DataFrame:
    """The metrics of the items as the pipeline makes them, with few resamples."""
    return check(compute(items, Settings({"default": 10}, resamples=60, null_repeats=20)), "metrics")


@cache
def results(
    targets: tuple[str, ...] = ("smollm2",), datasets: tuple[str, ...] = DATASETS, n: int = 24
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Questions, items and metrics, made once a test session: do not change them in place."""
    questions = make_questions(datasets, n)
    items = make_items(questions, targets)
    return questions, items, make_metrics(items)


def make_lexicon(entries: int = 70, seed: int = 2) -> pd.DataFrame:
    """Expressions across the whole scale."""
    rng = np.random.default_rng(seed)
    mean = np.sort(np.clip(np.linspace(0.02, 0.98, entries) + rng.normal(0, 0.02, entries), 0.01, 0.99))
    k = rng.gamma(3, 5, entries) + 0.8
    names = [f"it is {HEDGES[int(6 * (1 - m))]} so (no. {i})" for i, m in enumerate(mean)]
    table = pd.DataFrame(
        {"expression": names, "source": rng.choice(["capphrase", "tao2025", "zonination"], entries)}
    )
    table["frame"] = rng.choice(["adverb", "clause", "tag"], entries)
    return table.assign(alpha=mean * k, beta=(1 - mean) * k, n=48, flags="")
