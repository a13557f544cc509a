"""Grades and clusters without a model, against labelled answers and published data; the bar is 0.97, or 0.92."""

import json
import os
import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from sklearn.metrics import cohen_kappa_score

from ralc import datasets
from ralc.grading import reference_grade
from ralc.names import CORRECT, UNPARSED
from tests import labelled
from tests.bench.harness import Measurement

SHARED = Path(os.environ.get("RALC_SHARED_DATA", "../shared/data"))
#: Sources of labelled answers, and the bar.
_GROUPS: dict[str, tuple[str | tuple[str, ...], float]] = {
    "real": (("worldfacts", "squad2", "mmlu"), 0.97),
    "adversarial": ("adversarial", 0.92),
}
#: Parts and halves in the order of reading; rules were made on all.
_SEEN = {
    "first to third part": [("first", None), ("second", None), ("third", None)],
    "fourth, half read first": [("fourth", "read")],
    "fourth, half read last": [("fourth", "unread")],
    "fifth part": [("fifth", "measured")],
    "sixth, half read": [("sixth", "read")],
    "sixth, half not read": [("sixth", "unread")],
    "seventh part": [("seventh", "measured")],
    "eighth part": [("eighth", "measured")],
}
#: What changes are held against: right of all labelled answers (CORRECT against the rest, undecided not CORRECT)
#: and of all pairs (one cluster or two), when readers of claims by pattern stood at their most (November 2026).
REFERENCE = {"real": (2979, 3046), "adversarial": (1163, 1239), "pairs": (2043, 2137)}
#: Answers of SQuAD's annotators that are looked at.
_ANNOTATED = 1000


def run() -> Iterator[Measurement]:
    """All measurements."""
    yield from pooled()
    for (name, (sources, target)), (seen, parts) in product(_GROUPS.items(), _SEEN.items()):
        chosen = [answer for answer in _of(sources) if (answer["part"], answer.get("half")) in parts]
        yield from _both(f"CORRECT, {name}, {seen}", labelled.rates(labelled.correct_pairs(chosen)), target)
        _, recall = labelled.rates(labelled.correct_pairs(chosen, decided=False))
        names = ("recall over all", "undecided of those labelled CORRECT", "undecided of the others")
        for what, rate in zip(names, (recall, *labelled.undecided(chosen)), strict=True):
            yield Measurement(f"CORRECT, {name}, {seen}, {what}", round(rate.value, 4), "", note=str(rate))
    yield from _both("same cluster", labelled.rates(labelled.cluster_pairs(labelled.answers())), 0.97)
    for name, part, half in (
        ("fourth part", "fourth", None),
        ("fifth part", "fifth", None),
        ("sixth, half read", "sixth", "read"),
        ("sixth, half not read", "sixth", "unread"),
        ("seventh part", "seventh", "measured"),
        ("eighth part", "eighth", "measured"),
    ):
        pairs = labelled.rates(labelled.single_pairs(part, half))
        yield from _both(f"same cluster, pairs by others, {name}", pairs, 0.97)
    if SHARED.is_dir():
        yield from squad_annotators()
        yield from truthfulqa_answers()


def pooled() -> Iterator[Measurement]:
    """The share that is right of all parts together, beside the frozen reference."""
    decisions = {
        name: labelled.correct_pairs(_of(sources), decided=False) for name, (sources, _) in _GROUPS.items()
    }
    for name, pairs in (*decisions.items(), ("pairs", labelled.all_pairs())):
        right = [found == label for found, label in pairs]
        rate, reference = labelled.Rate(sum(right), len(right)), labelled.Rate(*REFERENCE[name])
        yield Measurement(f"pooled, {name}", round(rate.value, 4), "", note=f"{rate}; reference {reference}")


def _of(sources: str | tuple[str, ...]) -> list[dict[str, Any]]:
    """The answers of some sources on whose grade their readers agree."""
    return [answer for answer in labelled.agreed(labelled.answers()) if answer["source"].startswith(sources)]


def _both(
    name: str, rates: tuple[labelled.Rate, labelled.Rate], target: float | None
) -> Iterator[Measurement]:
    """Precision and recall beside their target."""
    for what, rate in zip(("precision", "recall"), rates, strict=True):
        compare = None if target is None else ">="
        yield Measurement(f"{name}, {what}", round(rate.value, 4), "", compare, target, note=str(rate))


def squad_annotators() -> Iterator[Measurement]:
    """The last annotator's answer against the others' (right), and another question's on its paragraph (wrong).

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
    name = "SQuAD annotators who differ"
    yield from _both(
        f"CORRECT, {name}", labelled.rates((grade == CORRECT, same) for grade, same in graded), None
    )
    for what, side in (("the right ones", True), ("the others", False)):
        left = [grade == UNPARSED for grade, same in graded if same == side]
        rate = labelled.Rate(sum(left), len(left))
        yield Measurement(f"{name}, undecided of {what}", round(rate.value, 4), "", note=str(rate))


def truthfulqa_answers() -> Iterator[Measurement]:
    """GPT-4o's answers to TruthfulQA with published (debatable) labels."""
    known = datasets.load("truthfulqa", {"path": str(SHARED / "truthfulqa/TruthfulQA.csv")})
    known = {row.question: row for row in known.itertuples()}
    pairs, decided = [], []
    for line in (SHARED / "wang2025/answers_eval_correctness.jsonl").read_text(encoding="utf-8").splitlines():
        answer = json.loads(line)
        row = known[answer["question"].strip()]
        grade = reference_grade(answer["pred_answer"], row.question, accepted=row.accepted, wrong=row.wrong)
        pairs.append((grade == CORRECT, answer["is_correct"] == 1))
        if grade != UNPARSED:
            decided.append(pairs[-1])
    yield from _both("CORRECT, TruthfulQA by GPT-4o", labelled.rates(pairs), None)
    kappa = cohen_kappa_score(*zip(*decided, strict=True))
    note = f"{len(decided)} of {len(pairs)} decided, the rest unparsed"
    yield Measurement("kappa where decided, TruthfulQA by GPT-4o", round(kappa, 4), "", note=note)
