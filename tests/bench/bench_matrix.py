"""The metrics of the paper's full matrix, on made-up items: `ralc.pipeline.measures.compute` and nothing else.

5 targets, 18,711 held-out questions of three datasets (SQuAD's by article, with its halves), every condition of
`workflow/presets/paper.yaml` read by two evaluators, five calibration maps as variants, 2,000 resamples. A dataset is a
job, as in the workflow, in a process of its own on one thread; the last one is MMLU with its 57 subjects, one target.
$RALC_BENCH_TARGETS and $RALC_BENCH_DATASETS (``mmlu,squad2``) ask for a part of it.
"""

import os
import resource
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pandas as pd
from scipy import special

from ralc import Beta
from ralc.conditions import COLUMNS
from ralc.pipeline.measures import compute
from ralc.pipeline.metric_evaluation import Settings
from ralc.registry import PAPER_SIGNALS, metrics_by
from tests.bench.harness import Measurement

#: Held-out questions, units that are resampled together, subjects.
QUESTIONS = {"mmlu": (9_829, 9_829, 1), "squad2": (8_311, 35, 1), "truthfulqa": (571, 571, 1)}
SUBJECTS = {"mmlu": (9_829, 9_829, 57)}
TARGETS = [f"model-{place}" for place in range(int(os.environ.get("RALC_BENCH_TARGETS", "5")))]
DATASETS = os.environ.get("RALC_BENCH_DATASETS", ",".join(QUESTIONS)).split(",")
EVALUATORS = ("ensemble", "cue_model_b")
VARIANTS = [f"map={name}" for name in ("identity", "temperature", "isotonic", "histogram", "beta")]
SETTINGS = Settings({"default": 10})


def run() -> Iterator[Measurement]:
    """CPU seconds and peak memory of each dataset, of all of them, and of one target with MMLU's subjects."""
    os.environ["OMP_NUM_THREADS"] = "1"  # as in a job of the workflow; the processes below take it from here
    seconds, peaks = [], []
    for name in DATASETS:
        used, peak, rows = _apart(name, TARGETS, QUESTIONS)
        seconds.append(used)
        peaks.append(peak)
        note = f"{rows} rows, {peak:.2f} GiB"
        yield Measurement(f"metrics of {name}, {len(TARGETS)} targets", used, "CPU s", note=note)
    whole = len(TARGETS) == 5 and set(DATASETS) == set(QUESTIONS)
    bound = {"compare": "<", "target": 600} if whole else {}
    yield Measurement("metrics of all of these", sum(seconds), "CPU s", **bound)
    yield Measurement("peak memory of a dataset, items included", max(peaks), "GiB", "<", 6)
    if "mmlu" in DATASETS:
        used, peak, rows = _apart("mmlu", TARGETS[:1], SUBJECTS)
        yield Measurement("MMLU by subject, one target", used, "CPU s", note=f"{rows} rows, {peak:.2f} GiB")


def _apart(*part: object) -> tuple[float, float, int]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measured, *part).result()


def measured(
    dataset: str, targets: list[str], sizes: dict[str, tuple[int, int, int]]
) -> tuple[float, float, int]:
    """CPU seconds of one dataset's metrics, this process's peak memory in GiB, and rows of the table."""
    table = items(dataset, targets, sizes)
    start = time.process_time()
    rows = len(compute(table, SETTINGS))
    used = time.process_time() - start
    return used, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, rows


def items(dataset: str, targets: list[str], sizes: dict[str, tuple[int, int, int]]) -> pd.DataFrame:
    """Return the items of one dataset under every condition, as the workflow reads them for its metrics."""
    n, units, subjects = sizes[dataset]
    rng = np.random.default_rng(n)
    unit = np.arange(n) if units == n else rng.integers(units, size=n)
    questions = pd.DataFrame(
        {
            "question_id": [f"{dataset}-{place:05d}" for place in range(n)],
            "sentence": 0,
            "group": [f"{dataset}-{place}" for place in unit],
            "subject": [f"subject {place % subjects}" for place in range(n)],
            "answerable": rng.random(n) < 0.5 if dataset == "squad2" else True,
            "abstained": rng.random(n) < 0.3 if dataset == "squad2" else False,
        }
    )
    parts = [part for target in targets for part in _conditions(questions, dataset, target, rng)]
    whole = pd.concat(parts, ignore_index=True)
    whole[COLUMNS] = whole[COLUMNS].astype("category")
    return whole


def _conditions(
    questions: pd.DataFrame, dataset: str, target: str, rng: np.random.Generator
) -> Iterator[pd.DataFrame]:
    """Every condition of one target: right about half of the time, too sure, and noisy."""
    n = len(questions)
    ability = rng.normal(0, 1.3, n)
    outcome = (rng.random(n) < special.expit(ability)).astype(float)
    grade = np.where(outcome == 1, "CORRECT", "INCORRECT")
    base = questions.assign(protocol="paper", target=target, dataset=dataset, variant="default", grade=grade)
    kept = dict.fromkeys(metrics_by("preservation"), np.nan)
    base = base.assign(outcome=outcome, origin="model", train="none", signal="none", **kept)

    def condition(logit: np.ndarray, space: str, method: str, **columns: str) -> Iterator[pd.DataFrame]:
        for evaluator in EVALUATORS if space == "linguistic" else ("none",):
            # Nine scores in steps of a twentieth, as evaluators give them.
            scores = special.expit(logit[:, None] + rng.normal(0, 0.7, (n, 9)))
            confidence = Beta.fit_moments(np.round(scores * 20) / 20)
            about = {"space": space, "method": method, "evaluator": evaluator, **columns}
            yield base.assign(alpha=confidence.alpha, beta=confidence.beta, **about)

    yield from condition(np.full(n, 2.2), "linguistic", "original")
    yield from condition(0.2 * ability + 1, "linguistic", "hedged_qa")
    for train in QUESTIONS:
        yield from condition(np.zeros(n), "linguistic", "constant_hedge", train=train)
    for signal in PAPER_SIGNALS:
        evidence = ability + rng.normal(0, 1, n)
        yield from condition(evidence + 1.5, "signal", "original", signal=signal)
        for train in QUESTIONS:
            guided = {"signal": signal, "train": train}
            for variant in ("default", *VARIANTS):
                yield from condition(0.8 * evidence, "signal", "ralc", **guided, variant=variant)
            yield from condition(0.8 * evidence, "linguistic", "ralc", **guided)
            if train == dataset:
                yield from condition(0.3 * evidence + 1, "linguistic", "direct_beta", **guided)
