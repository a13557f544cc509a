"""Grades and clusters without a model: against labelled answers, published data and a recorded run.

The bars are what a change of the rules must keep. The run, a folder of results that the rules of before made, is named
by ``RALC_RUN``; without it, or without the published data, those measurements are left out.
"""

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
from sklearn.metrics import cohen_kappa_score

from ralc import clustering, datasets
from ralc.grading import reference_grade
from ralc.registry import CORRECT, UNPARSED
from tests import labelled
from tests.bench.harness import Measurement

SHARED = Path(os.environ.get("RALC_SHARED_DATA", "../shared/data"))
#: Sources of labelled answers, the bar of CORRECT against the rest, and that of all three grades.
_GROUPS: dict[str, tuple[str | tuple[str, ...], float, float]] = {
    "real": (("worldfacts", "squad2", "mmlu"), 0.965, 0.83),
    "adversarial": ("adversarial", 0.86, 0.78),
}
_PAIRS, _SAME_ORIGINAL, _SAME_CLUSTERS, _PUBLISHED = 0.935, 0.96, 0.85, 0.8
#: Answers of SQuAD's annotators that are looked at.
_ANNOTATED = 1000


def run() -> Iterator[Measurement]:
    """All measurements."""
    for name, (sources, correct, grades) in _GROUPS.items():
        graded = [(labelled.grade(answer), answer["grade"]) for answer in _of(sources)]
        same = [(found == CORRECT) == (label == CORRECT) for found, label in graded]
        yield _share(f"{name}: CORRECT against the rest", same, correct)
        yield _share(f"{name}: all three grades", [found == label for found, label in graded], grades)
        decided = [pair for pair in graded if pair[0] != UNPARSED]
        yield from _both(f"{name}: CORRECT where decided", [_correct(*pair) for pair in decided])
        yield _share(f"{name}: undecided", [found == UNPARSED for found, _ in graded])
    pairs = list(labelled.all_pairs())
    yield _share("pairs: one cluster or two", [found == label for found, label in pairs], _PAIRS)
    yield from _both("pairs: one cluster", pairs)
    if SHARED.is_dir():
        yield from squad_annotators()
        yield from truthfulqa_answers()
    if "RALC_RUN" in os.environ:
        yield from recorded_run(Path(os.environ["RALC_RUN"]))


def _of(sources: str | tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the answers of some sources on whose grade their evaluators agree."""
    return [answer for answer in labelled.agreed(labelled.answers()) if answer["source"].startswith(sources)]


def _correct(found: str, label: str) -> tuple[bool, bool]:
    return found == CORRECT, label == CORRECT


def _share(name: str, right: list[bool], bar: float | None = None) -> Measurement:
    """Measure a share, beside its bar."""
    rate = labelled.Rate(sum(right), len(right))
    return Measurement(name, round(rate.value, 4), "", None if bar is None else ">=", bar, note=str(rate))


def _both(name: str, pairs: list[tuple[bool, bool]]) -> Iterator[Measurement]:
    """Measure precision and recall of pairs (found, true)."""
    for what, rate in zip(("precision", "recall"), labelled.rates(pairs), strict=True):
        yield Measurement(f"{name}, {what}", round(rate.value, 4), "", note=str(rate))


def squad_annotators() -> Iterator[Measurement]:
    """Grade the last annotator's answer by the others' (right), and another question's on its paragraph (wrong).

    People agree with each other on .87 of them to the letter, and some of the other questions have the same answer:
    neither figure can reach 1.
    """
    rng = random.Random(1)
    data = datasets.load("squad2", {"path": str(SHARED / "squad2/dev-v2.0.json.gz")})
    rows = [row for row in data.itertuples() if row.answerable and len(row.accepted) > 1]
    by_context: dict[str, list] = {}
    for row in rows:
        by_context.setdefault(row.context, []).append(row)
    graded = []
    for row in rng.sample(rows, min(_ANNOTATED, len(rows))):
        *others, last = row.accepted
        graded.append((reference_grade(last, row.question, accepted=others), True))
        elsewhere = [other for other in by_context[row.context] if other.question_id != row.question_id]
        if elsewhere:
            foreign = rng.choice(elsewhere).accepted[0]
            graded.append((reference_grade(foreign, row.question, accepted=row.accepted), False))
    yield from _both("SQuAD's annotators: CORRECT", [(grade == CORRECT, same) for grade, same in graded])
    for what, side in (("the right ones", True), ("the others", False)):
        left = [grade == UNPARSED for grade, same in graded if same == side]
        yield _share(f"SQuAD's annotators: undecided of {what}", left)


def truthfulqa_answers() -> Iterator[Measurement]:
    """Grade GPT-4o's answers to TruthfulQA, which have published (debatable) labels."""
    known = datasets.load("truthfulqa", {"path": str(SHARED / "truthfulqa/TruthfulQA.csv")})
    known = {row.question: row for row in known.itertuples()}
    graded = []
    for line in (SHARED / "wang2025/answers_eval_correctness.jsonl").read_text(encoding="utf-8").splitlines():
        answer = json.loads(line)
        row = known[answer["question"].strip()]
        grade = reference_grade(answer["pred_answer"], row.question, accepted=row.accepted, wrong=row.wrong)
        graded.append((grade, answer["is_correct"] == 1))
    precision, recall = labelled.rates([(grade == CORRECT, label) for grade, label in graded])
    name = "GPT-4o on TruthfulQA"
    bar = (">=", _PUBLISHED)
    yield Measurement(f"{name}: CORRECT, precision", round(precision.value, 4), "", *bar, note=str(precision))
    yield Measurement(f"{name}: CORRECT, recall", round(recall.value, 4), "", note=str(recall))
    yield _share(f"{name}: decided", [grade != UNPARSED for grade, _ in graded])
    decided = [(grade == CORRECT, label) for grade, label in graded if grade != UNPARSED]
    yield Measurement(
        f"{name}: kappa where decided", round(cohen_kappa_score(*zip(*decided, strict=True)), 4), ""
    )


def recorded_run(results: Path) -> Iterator[Measurement]:
    """Cluster the answers of a run anew: whether clusters and original answers are those that it has."""
    questions = pd.concat(map(pd.read_parquet, sorted((results / "questions").glob("*.parquet"))))
    same_original, same_clusters = [], []
    for path in sorted((results / "samples").glob("*.parquet")):
        samples = pd.read_parquet(path)
        before = pd.read_parquet(results / "clusters" / path.name)
        now = clustering.cluster(samples, questions)
        both = before.merge(now, on=["question_id", "sample"], suffixes=("", "_now"), validate="one_to_one")
        equal = (both["cluster"] == both["cluster_now"]).groupby(both["question_id"]).all()
        originals = [_originals(samples, clusters) for clusters in (before, now)]
        same_clusters += equal.tolist()
        same_original += (originals[0] == originals[1]).tolist()
    yield _share("recorded run: same original answer", same_original, _SAME_ORIGINAL)
    yield _share("recorded run: same clusters", same_clusters, _SAME_CLUSTERS)


def _originals(samples: pd.DataFrame, clusters: pd.DataFrame) -> pd.Series:
    """Return the original answer of each question."""
    answers = clustering.original_answers(samples, clusters)
    return answers[answers["prompt"] == "direct"].set_index("question_id")["text"].sort_index()
