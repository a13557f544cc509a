"""The labelled answers of ``tests/data/labelled``, and how well grades and clusters meet them."""

import itertools
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ralc.clustering import lexical_clusters
from ralc.grading import reference_grade

FOLDER = Path(__file__).parent / "data" / "labelled"


@dataclass(frozen=True)
class Rate:
    """A share of a count, with its 95 % interval (Wilson)."""

    hits: int
    of: int

    @property
    def value(self) -> float:
        """The share; not a number of nothing."""
        return self.hits / self.of if self.of else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """Its 95 % interval."""
        if not self.of:
            return float("nan"), float("nan")
        z = 1.959964
        n = self.of
        p = self.value
        centre = p + z * z / (2 * n)
        half = z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return (centre - half) / (1 + z * z / n), (centre + half) / (1 + z * z / n)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.hits}/{self.of}, 95 % {low:.3f}-{high:.3f}"


def rates(pairs: Iterable[tuple[bool, bool]]) -> tuple[Rate, Rate]:
    """Precision and recall of pairs (found, true)."""
    decided, true = np.array(list(pairs), dtype=bool).reshape(-1, 2).T
    both = int((decided & true).sum())
    return Rate(both, int(decided.sum())), Rate(both, int(true.sum()))


@cache
def questions() -> dict[str, dict[str, Any]]:
    """The questions by id."""
    lines = (FOLDER / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["question_id"]: row for row in map(json.loads, lines)}


@cache
def answers() -> tuple[dict[str, Any], ...]:
    """The answers with their labels."""
    lines = (FOLDER / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(map(json.loads, lines))


@cache
def pairs() -> tuple[dict[str, Any], ...]:
    """The pairs of answers that were labelled by themselves."""
    lines = (FOLDER / "pairs.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(map(json.loads, lines))


def grade(answer: dict[str, Any]) -> str:
    """What the reference grader says of an answer."""
    question = questions()[answer["question_id"]]
    known = {
        name: question[name] for name in ("accepted", "wrong", "choices", "correct_choice", "answerable")
    }
    return reference_grade(answer["answer"], question["question"], **known)


def agreed(chosen: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those of some answers that were graded once, or twice alike."""
    return [answer for answer in chosen if answer.get("second_grade", answer["grade"]) == answer["grade"]]


def cluster_pairs(chosen: Iterable[dict[str, Any]]) -> Iterator[tuple[bool, bool]]:
    """Of the pairs of answers to a question: in one cluster, labelled as the same."""
    labelled = (answer for answer in chosen if "cluster" in answer)
    for question_id, group in itertools.groupby(labelled, key=lambda answer: answer["question_id"]):
        row = questions()[question_id]
        members = list(group)
        ids = lexical_clusters([member["answer"] for member in members], row["question"], row["choices"])
        for a, b in itertools.combinations(range(len(members)), 2):
            yield ids[a] == ids[b], members[a]["cluster"] == members[b]["cluster"]


def all_pairs() -> Iterator[tuple[bool, bool]]:
    """Of all labelled pairs: in one cluster, labelled as the same."""
    return itertools.chain(cluster_pairs(answers()), _paired(pairs()))


def _paired(chosen: Iterable[dict[str, Any]]) -> Iterator[tuple[bool, bool]]:
    """Of some pairs on which their evaluators agree: in one cluster, labelled as the same."""
    for pair in chosen:
        row = questions()[pair["question_id"]]
        ids = lexical_clusters([pair["answer_a"], pair["answer_b"]], row["question"], row["choices"])
        if pair.get("second_same", pair["same"]) == pair["same"]:
            yield ids[0] == ids[1], pair["same"]
