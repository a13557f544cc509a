"""The units of answers: claim sentences of long ones."""

import pandas as pd
import pytest

from ralc import clustering

TEXT = "Sure! Ann Lee was born in Oslo in 1956. She has written three novels.\n\nDo you want more?"


def units(form: str, text: str) -> pd.DataFrame:
    questions = pd.DataFrame({"question_id": ["q"], "format": form})
    answers = pd.DataFrame({"question_id": ["q"], "sentence": 0, "prompt": "direct", "text": [text]})
    return clustering.in_sentences(answers.assign(members=[[0]]), questions)


def test_a_long_answer_is_its_claim_sentences_where_they_stand():
    made = units("long_answer", TEXT)
    assert made["text"].tolist() == ["Ann Lee was born in Oslo in 1956.", "She has written three novels."]
    assert made["sentence"].tolist() == [0, 1]
    assert made["start"].tolist() == [TEXT.index("Ann"), TEXT.index("She")]
    assert made["members"].tolist() == [[0], [0]]


@pytest.mark.parametrize(
    ("form", "text"),
    [("short_answer", TEXT), ("long_answer", "I don't know who that is."), ("long_answer", "")],
)
def test_any_other_answer_is_one_unit(form, text):
    made = units(form, text)
    assert made[["sentence", "start", "text"]].to_numpy().tolist() == [[0, 0, text]]


def test_long_answers_are_not_clustered():
    questions = pd.DataFrame(
        {"question_id": ["q"], "format": "long_answer", "question": "Who?", "choices": [[]]}
    )
    samples = pd.DataFrame(
        {"question_id": "q", "prompt": "direct", "sample": range(3), "text": ["A.", "A.", "B."]}
    )
    made = clustering.cluster(samples.assign(finish_reason="stop"), questions)
    assert made["cluster"].tolist() == [0, 1, 2]
