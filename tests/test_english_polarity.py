"""Yes and no, who did what to whom, names and lists: in grades and clusters (examples in ``tests/data``)."""

import csv
import json
from pathlib import Path

import pytest

from ralc.clustering import lexical_clusters
from ralc.english.participants import exchanged
from ralc.english.polarity import asks_yes_or_no, polarity
from ralc.english.statements import asked, statements
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


@pytest.mark.parametrize("text", ["", "Right.", "Rome is", "than", "not", "It is not."])
@pytest.mark.parametrize(
    "question", ["", "?", "Is", "Is it", "Is the?", "not", "True or false: Rome", "Is Rome?"]
)
def test_any_text_and_question_are_read(text, question):
    assert polarity(text, question) in {True, False, None}


def test_statements_have_subject_predicate_and_denial():
    (told,) = statements("The capital of Australia is not Sydney.")
    assert (told.subject, told.head, told.denied) == ({"capital", "australia"}, "sydney", True)
    (set_aside,) = statements("It is a star, not a planet.")
    assert set_aside.predicate == {"star"}
    assert [one.denied for one in statements("I doubt that bats are blind.")] == [True]
    assert statements("Perhaps in Rome.") == ()


@pytest.mark.parametrize("question", ["Is gold in Rome?", "Is Lisbon the capital?", "Are koalas bears?"])
def test_what_is_asked_has_a_subject_of_its_own(question):
    assert len(asked(question).subject) == 1
    assert asked(question).predicate


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


def test_yes_or_no_of_questions_by_another_hand():
    """60 questions, 320 answers, 256 pairs, written before the rules and measured once before they were read.

    At first sight 193 grades, 237 of CORRECT against the rest and 186 pairs were right (122, 201 and 110 before there
    were rules); what is missed is knowledge ("Zero is odd.", "He became almost totally deaf.").
    """
    asked = [json.loads(line) for line in (DATA / "yes_no.jsonl").read_text(encoding="utf-8").splitlines()]
    grades, pairs = [], []
    for row in asked:
        texts = [answer["text"] for answer in row["answers"]]
        for answer in row["answers"]:
            found = reference_grade(answer["text"], row["question"], accepted=row["accepted"])
            grades.append((found, answer["grade"]))
        clusters = lexical_clusters(texts, row["question"])
        pairs += [(clusters[one] == clusters[other]) == same for one, other, same in row["pairs"]]
    assert (len(grades), len(pairs)) == (320, 256)
    assert sum(found == label for found, label in grades) >= 291
    assert sum((found == CORRECT) == (label == CORRECT) for found, label in grades) >= 300
    assert sum(pairs) >= 229
