"""The reference grader and the lexical clusterer against labelled answers (see tests/data/labelled/README.md)."""

from pathlib import Path

import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score

from ralc.grading import reference_grade
from ralc.names import CORRECT, INCORRECT, NOT_ATTEMPTED
from tests import labelled


def test_every_label_is_a_grade_and_every_question_known() -> None:
    assert len(labelled.answers()) == 2517
    assert {answer["grade"] for answer in labelled.answers()} == {CORRECT, INCORRECT, NOT_ATTEMPTED}
    assert {answer["question_id"] for answer in labelled.answers()} <= set(labelled.questions())


def test_second_labels_agree() -> None:
    first = (
        row for row in labelled.answers() if row["part"] not in ("fourth", "fifth") and "second_grade" in row
    )
    twice = [(row["grade"], row["second_grade"]) for row in first]
    assert len(twice) == 150
    assert cohen_kappa_score(*zip(*twice, strict=True)) > 0.95


@pytest.mark.parametrize(
    ("parts", "source", "precision", "recall"),
    [
        ({"first", "second", "third"}, "worldfacts", 0.97, 0.97),
        ({"first", "second", "third"}, "adversarial", 0.92, 0.92),
        # Labelled by others, and not reached at first sight: see the README beside the answers.
        ({"fourth"}, "worldfacts", 0.96, 0.95),
        ({"fourth"}, "adversarial", 0.88, 0.7),
        ({"fifth"}, "worldfacts", 0.93, 0.92),
        ({"fifth"}, "adversarial", 0.86, 0.77),
    ],
)
def test_correct_is_met(parts: set[str], source: str, precision: float, recall: float) -> None:
    chosen = (row for row in labelled.answers() if row["part"] in parts and row["source"].startswith(source))
    found = labelled.rates(labelled.correct_pairs(labelled.agreed(chosen)))
    assert found[0].value >= precision, str(found[0])
    assert found[1].value >= recall, str(found[1])


def test_same_cluster_is_met() -> None:
    precision, recall = labelled.rates(labelled.cluster_pairs(labelled.answers()))
    assert precision.value >= 0.9, str(precision)
    assert recall.value >= 0.85, str(recall)


@pytest.mark.shared
@pytest.mark.parametrize("model", ["LLaDA-8B-Instruct", "Meta-Llama-3-8B-Instruct"])
def test_published_grades_of_letters_are_met(shared_data: Path, model: str) -> None:
    """Answers of two models to 100 MMLU questions, four times, graded by a model of others (A = correct)."""
    for path in sorted((shared_data / "dlm_uncertainty/mmlu_mini" / model).glob("*/*graded_responses.csv")):
        frame = pd.read_csv(path)
        choices = ["first", "second", "third", "fourth"]
        found = [
            reference_grade(
                str(row.response), "", accepted=[], choices=choices, correct_choice=int(row.answer)
            )
            for row in frame.itertuples()
        ]
        assert [grade == CORRECT for grade in found] == (frame["grade"] == "A").tolist()
