"""What an answer is made of: numbers, dates, slips, denials of a background, yes or no, who did what to whom."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralc.english.abstention import denies_asked
from ralc.english.answer_meaning import same_answer
from ralc.english.claims import answer_line, claimed
from ralc.english.names import misspelt
from ralc.english.quantities import dates_as_in, in_digits
from ralc.english.yes_no import asks_yes_or_no, polarity

DATA = Path(__file__).parent / "data"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("twenty-four", "24"),
        ("one hundred and five", "105"),
        ("5.3 million people", "5300000 people"),
        ("two and three", "2 and 3"),
        ("began in 1939 and ended in 1945", "began in 1939 and ended in 1945"),
        ("1066 1067", "1066 1067"),
        ("the tenth century", "the 10th century"),
        ("the right one of one", "the right one of 1"),
        ("one million two hundred thousand", "1200000"),
        ("2Po", "2Po"),
    ],
)
def test_numbers(text: str, expected: str) -> None:
    assert in_digits(text) == expected


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("07/20/1969", "20 July 1969"),
        ("20.7.1969", "20 July 1969"),
        ("1969-07-20", "20 July 1969"),
        ("Jul. 20, 1969", "20 July 1969"),
        ("the 20th of July 1969", "the 20 July 1969"),
        ("July 21, 1969", "July 21, 1969"),
        ("20/7/2069", "20/7/2069"),
        ("July 20", "July 20"),
    ],
)
def test_a_date_is_written_as_the_name_that_means_it(text: str, written: str) -> None:
    assert dates_as_in(text, ["20 July 1969"]) == written


@pytest.mark.parametrize(
    ("text", "name", "slip"),
    [
        ("Canbera", "Canberra", True),
        ("the capital is brazilia", "Brasilia", True),
        ("Ougadogou", "Ouagadougou", True),
        ("Canberra", "Canberra", False),
        ("Iceland", "Ireland", False),
        ("Gambia", "Zambia", False),
        ("1946", "1945", False),
        ("Niger", "Nigeria", False),
        ("Louis XVII", "Louis XVIII", False),
        ("", "Paris", False),
    ],
)
def test_slips_of_the_pen(text: str, name: str, slip: bool) -> None:
    assert bool(list(misspelt(text, [name]))) == slip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The background does not say.", True),
        ("The population is not given.", True),
        ("It does not mention how many people live there.", True),
        ("There is no information about Chad.", True),
        ("The background does not say where Chad is.", False),
        ("The background does not mention how many people live in Peru.", False),
        ("The text gives its time zone, but not its population.", True),
        ("The text gives its population, but no time zone.", False),
    ],
)
def test_what_a_background_lacks(text: str, expected: bool) -> None:
    assert denies_asked(text, "How many people live in Chad?") == expected


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("ANSWER: B", "ANSWER: B"),
        ("Lyon is large, but no capital.\n\nANSWER: B", "B"),
        ("Neither A nor C.\nThe answer is (B).", "(B)."),
        ("Thus $x = 4$, so $\\boxed{4}$.", "4"),
        ("So it is \\boxed{\\text{B}}, since A is none.", "B"),
        ("**Answer:** Paris\n\nIt lies on the Seine.", "Paris"),
        ("x" * 5000 + "\nFinal answer: 12", "12"),
        ("It is Paris.\nIt is large.", "It is Paris.\nIt is large."),
        ("", ""),
    ],
)
def test_the_line_that_answers(text: str, line: str) -> None:
    assert answer_line(text) == line


def test_what_an_answer_says_of_yes_or_no() -> None:
    """As many as when the table was read last: a sentence is compared by its words."""
    with (DATA / "yes_no_own.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    says = {"yes": True, "no": False, "": None}
    right = sum(polarity(row["answer"], row["question"]) is says[row["says"]] for row in rows)
    assert right >= 51, f"{right} of {len(rows)}"


@pytest.mark.parametrize("text", ["", "Right.", "Rome is", "than", "not", "It is not."])
@pytest.mark.parametrize("question", ["", "?", "Is", "Is it", "not", "True or false: Rome", "Is Rome?"])
def test_any_text_and_question_are_read(text: str, question: str) -> None:
    assert polarity(text, question) in {True, False, None}


def test_what_joins_two_questions_is_not_answered_by_yes() -> None:
    assert not asks_yes_or_no("Is Jupiter or Saturn bigger?")


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_are_compared_alike_in_both_orders(one: str, other: str) -> None:
    question = "What is the capital of Kenya?"
    assert same_answer(one, one, question) != "no"
    assert same_answer(one, other, question) == same_answer(other, one, question)
    assert claimed(one, question) is None or one
    assert isinstance(in_digits(one), str)


def test_answers_that_mean_the_same() -> None:
    with (DATA / "same_answers.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            choices = row["choices"].split("|") if row["choices"] else []
            found = same_answer(row["one"], row["other"], row["question"], choices)
            assert found != ("no" if row["same"] == "1" else "yes"), row
