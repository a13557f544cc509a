"""Where grading finds hardly any accepted answer."""

import pandas as pd
import pytest

from ralc import grading
from ralc.datasets import questions_table


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
