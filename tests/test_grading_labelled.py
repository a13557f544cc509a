"""The reference grader and the lexical clusterer against labelled answers (see tests/data/labelled/README.md)."""

import csv
import json
from pathlib import Path

import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score

from ralc import datasets
from ralc.clustering import lexical_clusters
from ralc.english import may_be_beside
from ralc.grading import reference_grade
from ralc.registry import CORRECT, INCORRECT, NOT_ATTEMPTED
from tests import bench, labelled

DATA = Path(__file__).parent / "data"


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a table of cases."""
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_labels_are_grades_of_known_questions_and_agree() -> None:
    assert len(labelled.answers()) == 4351
    assert {answer["grade"] for answer in labelled.answers()} == {CORRECT, INCORRECT, NOT_ATTEMPTED}
    assert {answer["question_id"] for answer in labelled.answers()} <= set(labelled.questions())
    first = [row for row in labelled.answers() if row["part"] in ("first", "second", "third")]
    twice = [(row["grade"], row["second_grade"]) for row in first if "second_grade" in row]
    assert len(twice) == 150
    assert cohen_kappa_score(*zip(*twice, strict=True)) > 0.95


def test_bars_are_met() -> None:
    """Real and adversarial answers, pairs, and GPT-4o's answers where the published data are there."""
    measured = list(bench.labels())
    assert len(measured) >= 13
    assert [one for one in measured if one.met is False] == []


def test_right_answers_are_responsive() -> None:
    """Of real answers at most 1 % of the right are taken for others; of those not attempted 32 % are found."""
    real = [one for one in labelled.agreed(labelled.answers()) if one["source"] != "adversarial"]
    found = {CORRECT: [], NOT_ATTEMPTED: [], INCORRECT: []}
    for answer in real:
        row = labelled.questions()[answer["question_id"]]
        found[answer["grade"]].append(may_be_beside(answer["answer"], row["question"], row["choices"]))
    assert sum(found[CORRECT]) <= 0.01 * len(found[CORRECT])
    # The rest admits not to know, or only the accepted answers tell.
    assert sum(found[NOT_ATTEMPTED]) >= 0.32 * len(found[NOT_ATTEMPTED])


def test_grades_of_a_table_of_cases() -> None:
    """Each row is a way of answering that a user meets."""
    wrong = []
    for row in rows("graded.csv"):
        listed = {
            name: row[name].split("|") if row[name] else [] for name in ("accepted", "wrong", "choices")
        }
        place = int(row["correct_choice"]) if row["correct_choice"] else None
        known = {"correct_choice": place, "answerable": row["answerable"] == "1"}
        found = reference_grade(row["answer"], row["question"], **listed, **known)
        wrong += [(found, row)] if found != row["grade"] else []
    assert wrong == []


def test_answers_of_public_bug_reports_are_graded() -> None:
    """Letters and numbers as other projects met them; `right` is null where either may be said."""
    lines = (DATA / "public_grades.jsonl").read_text(encoding="utf-8").splitlines()
    wrong = []
    for row in map(json.loads, lines):
        known = {"accepted": row.get("accepted", []), "choices": row.get("choices", [])}
        grade = reference_grade(row["answer"], "", **known, correct_choice=row.get("key"))
        wrong += [(grade, row)] if row["right"] is (grade != CORRECT) else []
    assert wrong == []


def test_what_is_corrected_is_no_answer() -> None:
    """Twenty answers that deny one name and give another, as they were graded and clustered before."""
    for row in rows("corrections.csv"):
        accepted, wrong = (row[name].split("|") for name in ("accepted", "wrong"))
        texts = [row["answer"], accepted[0], wrong[0]]
        cluster, right, other = lexical_clusters(texts, row["question"])
        found = {
            "grade": reference_grade(row["answer"], row["question"], accepted=accepted, wrong=wrong),
            "same_as_accepted": str(int(cluster == right)),
            "same_as_wrong": str(int(cluster == other)),
        }
        assert row == {**row, **found}


def test_yes_or_no_of_questions_by_another_hand() -> None:
    """60 questions, 320 answers, 256 pairs, written before the rules and measured once before they were read."""
    asked = [json.loads(line) for line in (DATA / "yes_no.jsonl").read_text(encoding="utf-8").splitlines()]
    grades = []
    pairs = []
    for row in asked:
        texts = [answer["text"] for answer in row["answers"]]
        for answer in row["answers"]:
            found = reference_grade(answer["text"], row["question"], accepted=row["accepted"])
            grades.append((found, answer["grade"]))
        clusters = lexical_clusters(texts, row["question"])
        pairs += [(clusters[one] == clusters[other]) == same for one, other, same in row["pairs"]]
    assert len(grades) == 320
    assert len(pairs) == 256
    assert sum(found == label for found, label in grades) >= 257
    assert sum((found == CORRECT) == (label == CORRECT) for found, label in grades) >= 278
    assert sum(pairs) >= 186


@pytest.mark.shared
@pytest.mark.parametrize("form", ["{}. {}", "{}) {}", "({}) {}", "[{}. {}]"])
def test_a_leading_letter_decides(shared_data: Path, form: str) -> None:
    """Of 400 questions of MMLU, whatever their choices say: "Not wrong", "Neither", "Lack of iron", "I only"."""
    questions = datasets.load("mmlu", {"path": str(shared_data / "mmlu/test")}).sample(400, random_state=0)
    failed = []
    for row in questions.itertuples():
        right = int(row.correct_choice)
        known = {"accepted": row.accepted, "choices": row.choices, "correct_choice": right}
        letters = [chr(ord("A") + place) for place in range(len(row.choices))]
        texts = [form.format(*pair) for pair in zip(letters, row.choices, strict=True)]
        grades = [reference_grade(text, row.question, **known) == CORRECT for text in texts]
        clusters = lexical_clusters([*letters, *texts], row.question, row.choices)
        same = clusters[: len(texts)] == clusters[len(texts) :] == list(range(len(texts)))
        failed += [] if grades == [place == right for place in range(len(texts))] and same else [texts]
    assert failed == []


@pytest.mark.shared
@pytest.mark.parametrize("model", ["LLaDA-8B-Instruct", "Meta-Llama-3-8B-Instruct"])
def test_published_grades_of_letters_are_met(shared_data: Path, model: str) -> None:
    """Answers of two models to 100 MMLU questions, four times, graded by a model of others (A = correct)."""
    for path in sorted((shared_data / "dlm_uncertainty/mmlu_mini" / model).glob("*/*graded_responses.csv")):
        frame = pd.read_csv(path)
        letters = {"accepted": [], "choices": ["first", "second", "third", "fourth"]}
        pairs = zip(frame["response"], frame["answer"], strict=True)
        found = [
            reference_grade(str(text), "", **letters, correct_choice=int(right)) for text, right in pairs
        ]
        assert [grade == CORRECT for grade in found] == (frame["grade"] == "A").tolist()
