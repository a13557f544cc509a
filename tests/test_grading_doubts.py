"""Where grading finds hardly any accepted answer."""

import pandas as pd
import pytest

from ralc import grading
from ralc.datasets import questions_table
from ralc.report.pages import page


def made(right: int, of: int = 20) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Questions whose aliases stand in one, answers, and grades of which some are right."""
    rows = [
        {
            "question_id": f"q{place:02d}",
            "format": "short_answer",
            "subject": "s",
            "question": f"Who is {place}?",
            "accepted": [f"Ann{place} Dee"],
        }
        for place in range(of)
    ]
    questions = questions_table(rows, "mine")
    answers = pd.DataFrame(
        {"sentence": 0, "question_id": questions["question_id"], "prompt": "direct", "target": "m"}
    )
    texts = [f"It is Ann{place}." if place == 7 else "I think so." for place in range(of)]
    grades = answers.assign(grade=["CORRECT"] * right + ["INCORRECT"] * (of - right), outcome=0)
    return questions, answers.assign(text=texts), grades


def test_hardly_any_accepted_answer_is_a_doubt_with_the_nearest_first() -> None:
    (doubt,) = grading.doubts(*made(1))
    assert (doubt.target, doubt.dataset, doubt.accepted, doubt.answers) == ("m", "mine", 1, 20)
    assert len(doubt.examples) == 5
    assert doubt.examples[0] == ("Who is 7?", "It is Ann7.", "Ann7 Dee", "INCORRECT")


@pytest.mark.parametrize(("right", "of"), [(2, 20), (20, 20), (0, 9)])
def test_enough_or_too_few_to_say_is_none(right: int, of: int) -> None:
    assert grading.doubts(*made(right, of)) == []


def test_aliases_that_stand_in_one_make_right_answers_wrong() -> None:
    """Forty questions whose aliases a `;` joins: 30 of 40 right answers are not accepted, which is no small share."""
    rows = [
        {
            "question_id": f"q{place:02d}",
            "format": "short_answer",
            "subject": "s",
            "question": f"What is the capital of land {place}?",
            "accepted": [f"Aville{place}; City of Aville{place}" if place >= 10 else f"Aville{place}"],
        }
        for place in range(40)
    ]
    questions = questions_table(rows, "mine")
    answers = pd.DataFrame(
        {"sentence": 0, "question_id": questions["question_id"], "prompt": "direct", "members": [[0]] * 40}
    )
    answers["text"] = [f"The capital is Aville{place}." for place in range(40)]
    grades = grading.grade_reference(answers, questions)
    assert (grades["grade"] == "CORRECT").sum() == 10
    (doubt,) = grading.doubts(questions, answers.assign(target="m"), grades.assign(target="m"))
    assert (doubt.accepted, doubt.answers, doubt.apart) == (10, 40, 30)
    assert len(doubt.examples) == 5
    assert doubt.examples[0][1:3] == ("The capital is Aville10.", "Aville10; City of Aville10")
    listed = questions.assign(accepted=[row[0].split("; ") for row in questions["accepted"]])
    assert (
        grading.doubts(listed, answers.assign(target="m"), grades.assign(target="m", grade="CORRECT")) == []
    )


def test_a_doubt_stands_in_place_of_a_conclusion() -> None:
    empty = {key: [] for key in ("findings", "caveats", "figures", "run", "opponents", "shown")}
    about = {
        "title": "t",
        "who_read": "Then the same reader",
        "signal": "s",
        "verdict": ["FD is lower."],
        "reading": "",
        "read": {"datasets": [], "rows": []},
        **dict.fromkeys(("passed", "decided", "corrected", "outside", "unscreened", "shared", "pair"), ""),
        **empty,
    }
    shown = page("overview.html.j2", **about, doubts=grading.doubts(*made(1)))
    assert "1 of 20 answers of m to mine" in shown
    assert "Ann7 Dee" in shown
    assert "FD is lower." not in shown
    assert "FD is lower." in page("overview.html.j2", **about, doubts=[])
