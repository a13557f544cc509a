"""Measure, and write one table each: ``python -m tests.bench [name ...]``; without a name, all but coverage.

A name is a function below that yields measurements; its table is ``results/bench/<name>.csv``. The exit status says
whether every target was met. Published data are read from ``RALC_SHARED_DATA``.
"""

import argparse
import itertools
import json
import os
import random
import re
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.metrics import cohen_kappa_score

from ralc import datasets, evaluators
from ralc.grading import reference_grade
from ralc.human_benchmark import benchmark_texts, human_benchmark
from ralc.pipeline.perceived_confidence import Reading, list_texts
from ralc.registry import CORRECT, UNPARSED
from tests import coverage as simulation
from tests import harm as replies
from tests import labelled

SHARED = Path(os.environ.get("RALC_SHARED_DATA", "../shared/data"))
CUE_MODELS = ("cue_model", "cue_model_b")
#: Sources of labelled answers, the least of CORRECT against the rest, and of all three grades.
GRADED: dict[str, tuple[tuple[str, ...], float, float]] = {
    "real": (("worldfacts", "squad2", "mmlu"), 0.965, 0.83),
    "adversarial": (("adversarial",), 0.86, 0.78),
}
PAIRS = 0.935
PUBLISHED = 0.8
#: Cells of the simulated coverage: questions, concentrations, articles; those of the pooled endpoints; sets a cell.
CELLS = list(itertools.product(simulation.WORLDS, (60, 200, 600), (3.0, 20.0, 100.0), (None, 35)))
FEWER_ARTICLES = list(itertools.product(simulation.WORLDS, (600,), (20.0,), (5, 10, 15, 20, 25)))
POOLED_CELLS = list(itertools.product(simulation.POOLED, (30, 100, 300), (None, 20)))
REPEATS = 2000
COVERED = 0.93
REJECTED = 0.065


class Measurement(NamedTuple):
    """One number, beside the least (``>=``) or the bound (``<``) that is its target, if it has one."""

    measured: str
    value: float
    unit: str = ""
    compare: str | None = None
    target: float | None = None
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None where there is none."""
        if self.compare is None:
            return None
        return self.value < self.target if self.compare == "<" else self.value >= self.target

    def __str__(self) -> str:
        """Return the measurement as a line to read."""
        met = {None: "", True: "met", False: "MISSED"}[self.met]
        target = f"  (target {self.compare} {self.target:g}: {met})" if met else ""
        return f"{self.measured:<58} {self.value:>12.6g} {self.unit}{target}  {self.note}".rstrip()


def labels() -> Iterator[Measurement]:
    """Grades and clusters without a model, on labelled answers and published data."""
    for name, (sources, correct, grades) in GRADED.items():
        chosen = [one for one in labelled.agreed(labelled.answers()) if one["source"].startswith(sources)]
        graded = [(labelled.grade(answer), answer["grade"]) for answer in chosen]
        same = [(grade == CORRECT) == (label == CORRECT) for grade, label in graded]
        yield _share(f"{name}: CORRECT against the rest", same, correct)
        yield _share(f"{name}: all three grades", [grade == label for grade, label in graded], grades)
        decided = [(grade == CORRECT, label == CORRECT) for grade, label in graded if grade != UNPARSED]
        yield from _both(f"{name}: CORRECT where decided", decided)
        yield _share(f"{name}: undecided", [grade == UNPARSED for grade, _ in graded])
    pairs = list(labelled.all_pairs())
    yield _share("pairs: one cluster or two", [same == label for same, label in pairs], PAIRS)
    yield from _both("pairs: one cluster", pairs)
    if SHARED.is_dir():
        yield from _truthfulqa_answers()


def evaluators_and_people() -> Iterator[Measurement]:
    """How the cue models stand to people on the human studies: rank correlation and correlation."""
    listed = list_texts(benchmark_texts(SHARED))
    readings = Reading(evaluators={name: {"method": name} for name in CUE_MODELS}).result(listed)
    rows = human_benchmark(readings, SHARED, resamples=2, rng=np.random.default_rng(0))
    rows = rows[rows["evaluator"].isin(CUE_MODELS) & rows["metric"].isin(("spearman_mean", "pearson"))]
    for row in rows.itertuples():
        name = f"{row.dataset}, {row.evaluator}: {row.metric}"
        yield Measurement(name, round(row.value, 4), note=f"n = {row.n}")


def harm() -> Iterator[Measurement]:
    """What rewrites of 200 chat replies at five targets change outside the hedged sentence, and how many say it."""
    asked = replies.replies()
    changed = []
    missed = 0
    hedged = []
    for target in replies.TARGETS:
        for reply, rewrite in zip(asked, replies.rewritten(asked, target), strict=True):
            changed.append(replies.outside(rewrite.original, rewrite.text, reply["claims"]))
            missed += rewrite.changed and not rewrite.calibrated
            if reply["claims"]:
                hedged.append(rewrite.changed and rewrite.calibrated)
    n = f"n = {len(asked)} at {len(replies.TARGETS)} targets"
    yield Measurement("bytes changed outside the hedged sentence", sum(changed), "bytes", "<", 1, n)
    yield Measurement("replies of which such bytes are changed", int(np.count_nonzero(changed)), note=n)
    yield Measurement("changed, and read otherwise than meant", missed, "", "<", 1, n)
    share = round(float(np.mean(hedged)), 4)
    n = f"n = {len(hedged)}"
    yield Measurement("of those that claim, hedged and read within 0.05", share, "", ">=", 0.7, n)


def plain() -> Iterator[Measurement]:
    """The share of plain texts that the cue models read as doubt; near 0, but for a sentence in some hundred."""
    squad = datasets.load("squad2", {"path": str(SHARED / "squad2/dev-v2.0.json.gz")})
    sentences = [
        sentence.strip()
        for text in squad["context"].unique()
        for sentence in re.split(r"(?<=[.!?])[\"'”’)]*\s+(?=[\"'“(]?[A-Z0-9])", text)
    ]
    mmlu = datasets.load("mmlu", {"path": str(SHARED / "mmlu/test")})
    choices = dict.fromkeys(choice for row in mmlu["choices"] for choice in row if len(choice.split()) >= 6)
    truthful = datasets.load("truthfulqa", {"path": str(SHARED / "truthfulqa/TruthfulQA.csv")})
    both = itertools.chain(truthful["accepted"], truthful["wrong"])
    sources = {
        "SQuAD's sentences": [sentence for sentence in sentences if len(sentence) >= 20],
        "MMLU's choices": random.Random(3).sample(list(choices), 6000),
        "TruthfulQA's answers": list(dict.fromkeys(text for row in both for text in row)),
    }
    for (source, texts), name in itertools.product(sources.items(), CUE_MODELS):
        evaluator = evaluators.load(name)
        mean = evaluator.read([text for text in texts if not evaluator.unread(text)]).mean
        for bound in (0.5, 0.7):
            share = round(float(np.mean(mean < bound)), 4)
            yield Measurement(f"{source} below {bound}, {name}", share, note=f"n = {len(mean)}")


def coverage() -> Iterator[Measurement]:
    """How often 95 % intervals cover and p-values reject in every cell, the worst of each metric, and the endpoints."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        done = dict(zip(CELLS + FEWER_ARTICLES, pool.map(_rows, CELLS + FEWER_ARTICLES), strict=True))
    for (world, n, k, articles), rows in done.items():
        for row in rows:
            name = f"{row.metric}, {row.kind}: {world}, n {n}, k {k:g}, articles {articles or 'none'}"
            yield Measurement(name, row.covered, "covered", note=_rejections(row))
    asked = [(cell, row) for cell in CELLS for row in done[cell]]
    for metric, kind in dict.fromkeys((row.metric, row.kind) for _, row in asked):
        same = [(cell, row) for cell, row in asked if (row.metric, row.kind) == (metric, kind)]
        cell, row = min(same, key=lambda pair: pair[1].covered)
        target = (">=", COVERED) if kind == "difference" else (None, None)
        yield Measurement(f"least coverage, {metric}, {kind}", row.covered, "covered", *target, str(cell))
        if kind == "difference":
            null = [(cell, row) for cell, row in same if cell[0].startswith("null")]
            cell, row = max(null, key=lambda pair: pair[1].rejected)
            target = ("<", REJECTED + 1e-9)
            yield Measurement(f"most rejections, {metric}", row.rejected, "of p < 0.05", *target, str(cell))
    yield from pooled()


def pooled() -> Iterator[Measurement]:
    """The same of the four primary endpoints, pooled over three datasets; every cell must pass."""
    for name, n, articles in POOLED_CELLS:
        for row in simulation.simulate(simulation.POOLED[name], n, number=articles, repeats=REPEATS):
            where = f"pooled {row.metric}, {row.kind}: {name}, n {n}, articles {articles or 'none'}"
            if row.kind != "family":
                yield Measurement(where, row.covered, "covered", ">=", COVERED, _rejections(row))
            if name.startswith("null"):
                yield Measurement(where, row.rejected, "of p < 0.05", "<", REJECTED + 1e-9)


def _rows(cell: tuple[str, int, float, int | None]) -> list[simulation.Row]:
    world, questions, concentration, articles = cell
    world = simulation.WORLDS[world]
    return simulation.simulate(world, questions, concentration, number=articles, repeats=REPEATS)


def _rejections(row: simulation.Row) -> str:
    return f"rejects {row.rejected:.3f}, width {row.width:.4f}"


def _share(name: str, right: list[bool], least: float | None = None) -> Measurement:
    """Measure a share, beside the least that is accepted."""
    rate = labelled.Rate(sum(right), len(right))
    return Measurement(name, round(rate.value, 4), "", None if least is None else ">=", least, str(rate))


def _both(name: str, pairs: list[tuple[bool, bool]], least: float | None = None) -> Iterator[Measurement]:
    """Measure precision, beside the least that is accepted, and recall of pairs (measured, true)."""
    for what, rate, bound in zip(("precision", "recall"), labelled.rates(pairs), (least, None), strict=True):
        target = (None if bound is None else ">=", bound)
        yield Measurement(f"{name}, {what}", round(rate.value, 4), "", *target, str(rate))


def _truthfulqa_answers() -> Iterator[Measurement]:
    """Grade GPT-4o's answers to TruthfulQA, which have published (debatable) labels."""
    questions = datasets.load("truthfulqa", {"path": str(SHARED / "truthfulqa/TruthfulQA.csv")})
    by_text: dict[str, Any] = {row.question: row for row in questions.itertuples()}
    graded = []
    for line in (SHARED / "wang2025/answers_eval_correctness.jsonl").read_text(encoding="utf-8").splitlines():
        answer = json.loads(line)
        row = by_text[answer["question"].strip()]
        grade = reference_grade(answer["pred_answer"], row.question, accepted=row.accepted, wrong=row.wrong)
        graded.append((grade, answer["is_correct"] == 1))
    name = "GPT-4o on TruthfulQA"
    pairs = [(grade == CORRECT, label) for grade, label in graded]
    yield from _both(f"{name}: CORRECT", pairs, PUBLISHED)
    yield _share(f"{name}: decided", [grade != UNPARSED for grade, _ in graded])
    decided = zip(*((grade == CORRECT, label) for grade, label in graded if grade != UNPARSED), strict=True)
    yield Measurement(f"{name}: kappa where decided", round(cohen_kappa_score(*decided), 4))


_FUNCTIONS = (coverage, evaluators_and_people, harm, labels, plain, pooled)
MEASURED = {function.__name__.partition("_")[0]: function for function in _FUNCTIONS}
#: What is measured on published data alone.
OF_PUBLISHED = {"evaluators", "plain"}


def main(arguments: list[str]) -> int:
    """Take the named measurements; return 1 if a target was missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure the package.")
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(MEASURED)}")
    names = parser.parse_args(arguments).names
    if unknown := set(names) - set(MEASURED):
        parser.error(f"{min(unknown)!r} is not one of {', '.join(MEASURED)}")
    names = names or [name for name in MEASURED if name not in ("coverage", "pooled")]
    if not SHARED.is_dir() and (lacking := OF_PUBLISHED.intersection(names)):
        parser.error(
            f"{min(lacking)} reads published data: set RALC_SHARED_DATA to their folder ({SHARED} is none)"
        )
    missed = 0
    for name in names:
        print(f"-- {name}", flush=True)
        missed += write(MEASURED[name](), Path("results/bench") / f"{name}.csv")
    return int(missed > 0)


def write(measurements: Iterable[Measurement], path: Path) -> int:
    """Print measurements as they come and write them to a CSV file; return how many missed their target."""
    rows = []
    for measurement in measurements:
        print(measurement, flush=True)
        rows.append({**measurement._asdict(), "met": measurement.met})
    path.parent.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(rows).to_csv(path, index=False)
    return sum(row["met"] is False for row in rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
