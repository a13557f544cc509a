"""Yes and no, who did what to whom, names and lists: in grades and clusters (examples in ``tests/data``)."""

import csv
from pathlib import Path

import pytest

from ralc.clustering import lexical_clusters
from ralc.english.polarity import asks_yes_or_no, polarity
from ralc.english.roles import exchanged
from ralc.grading import reference_grade
from ralc.names import CORRECT, INCORRECT, NOT_ATTEMPTED

DATA = Path(__file__).parent / "data"


def rows(name: str) -> list[dict[str, str]]:
    """The examples of a file."""
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_what_an_answer_says_of_yes_or_no():
    wrong = [
        row
        for row in rows("yes_no_own.csv")
        if polarity(row["answer"], row["question"]) is not {"yes": True, "no": False, "": None}[row["says"]]
    ]
    assert wrong == []


@pytest.mark.parametrize("accepted", ["yes", "No"])
def test_yes_or_no_is_graded_by_what_it_says(accepted):
    for row in rows("yes_no_own.csv"):
        found = reference_grade(row["answer"], row["question"], accepted=[accepted])
        if row["answer"] == "Yes and no.":
            assert found == INCORRECT
        else:
            grade = CORRECT if row["says"] == accepted.lower() else INCORRECT
            assert found == (grade if row["says"] else NOT_ATTEMPTED), row


def test_yes_and_no_are_two_meanings_of_any_question():
    for question in ("Is it Rome?", "What is the capital of Italy?"):
        assert lexical_clusters(["Yes.", "No.", "yes", "I do not know."], question) == [0, 1, 0, 2]


def test_what_joins_two_questions_is_not_answered_by_yes():
    assert not asks_yes_or_no("Is Jupiter or Saturn bigger?")


def test_grades_of_names_lists_and_roles():
    graded = [
        (row, reference_grade(row["answer"], row["question"], accepted=[row["accepted"]]))
        for row in rows("names_and_roles_graded.csv")
    ]
    assert [row for row, found in graded if found != row["grade"]] == []


def test_clusters_of_names_lists_and_roles():
    wrong = []
    for row in rows("names_and_roles_paired.csv"):
        one, other = lexical_clusters([row["one"], row["other"]], row["question"])
        if (one == other) != (row["same"] == "1"):
            wrong.append(row)
    assert wrong == []


@pytest.mark.parametrize("verb", ["beat", "taught", "is bigger than", "borders"])
def test_exchange_is_mutual_and_no_statement_is_its_own(verb):
    one, other = f"Utopia {verb} Erewhon.", f"Erewhon {verb} Utopia."
    assert exchanged(one, other) == exchanged(other, one) == (verb != "borders")
    assert not exchanged(one, one)
