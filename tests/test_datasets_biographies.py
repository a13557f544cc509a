"""FActScore's biographies: halves of the people, answers, labelled facts."""

import gzip
import os
from pathlib import Path

import pandas as pd
import pytest

from ralc import datasets, precomputed
from ralc.datasets.published.factscore import MODELS, answers_of, load
from ralc.grading import RecordedGrader
from ralc.protocols import resolve
from studies import published
from studies.published import facts, said

SHARED = Path(
    os.environ.get("RALC_SHARED_DATA", Path(__file__).resolve().parents[1] / "../shared/data"), "factscore"
)
TEXT = "Ann Lee is a poet[1]. She was born  in Oslo in 1956[2]. She likes tea."


def labelled(text: str, *labels: str) -> dict:
    return {"text": text, "human-atomic-facts": [{"text": text, "label": label} for label in labels] or None}


ANNOTATIONS = [
    labelled("Ann Lee is a poet.", "S", "S"),
    labelled("She was born in Oslo in 1956.", "S", "NS", "IR"),
    labelled("She likes tea."),
    labelled("It is not there.", "S"),
]


@pytest.fixture
def folder(tmp_path):
    """What three models say of four people of one kind, the last of whom nobody knows."""
    rows = []
    for name in ("Ann Lee", "Eve Fox", "Kim Ray", "Bo Dahl"):
        output, annotations = (
            (TEXT, ANNOTATIONS) if name != "Bo Dahl" else ("I don't know who that is.", None)
        )
        row = {"input": f"Question: Tell me a bio of {name}.", "output": output, "topic": name}
        rows.append(row | {"cat": ["rare", "Europe"], "annotations": annotations})
    for model in MODELS:
        precomputed.write(rows, tmp_path / f"{model}.jsonl")
    return tmp_path


def test_the_halves_have_everybody_once_whatever_the_model(folder):
    draws = ("development", "confirming")
    halves = [datasets.load("factscore", {"path": folder, "draw": draw}) for draw in draws]
    names = [[asked[17:] for asked in half["question"]] for half in halves]
    assert names == [["Ann Lee.", "Kim Ray."], ["Eve Fox.", "Bo Dahl."]]
    assert set(halves[0]["format"]) == {"long_answer"}
    assert load(folder).equals(halves[0])


def test_facts_stand_where_they_are_said_without_marks_of_sources(folder):
    one = next(answers_of(folder, "ChatGPT")).cells
    assert said(one) == "Ann Lee is a poet. She was born  in Oslo in 1956. She likes tea."
    assert facts(one) == [[0, 18, 2, 2], [19, 49, 1, 2]]
    assert facts(one | {"annotations": None}) is None


def test_a_file_that_is_missing_or_another_is_named(folder):
    (folder / "ChatGPT.jsonl").write_text('{"input": "Question: Who?"}\n')
    with pytest.raises(ValueError, match=r"ChatGPT\.jsonl, line 1, column 'topic': is missing"):
        load(folder)
    (folder / "ChatGPT.jsonl").unlink()
    with pytest.raises(ValueError, match=r"no ChatGPT\.jsonl; labelled are"):
        load(folder)


def test_second_opinions_are_the_other_models_and_a_sentence_is_graded_by_its_facts(folder):
    source = folder / "InstructGPT.jsonl"
    samples = precomputed.samples_of(published.read("factscore", source), source)
    precomputed.write(samples, folder / "samples.jsonl")
    rows = precomputed.read(folder / "samples.jsonl").rows
    assert [len(row.answers) for row in rows] == [3] * 4
    assert rows[0].facts == (((0, 18, 2, 2), (19, 49, 1, 2)), None, None)
    assert rows[3].correct == ("NOT_ATTEMPTED", None, None)
    questions = datasets.load("factscore", {"path": folder}).assign(split="train")
    text = rows[0].answers[0]
    answers = pd.DataFrame({"question_id": "factscore-ann-lee", "sentence": range(3), "prompt": "direct"})
    answers = answers.assign(members=[[0]] * 3, start=[0, 19, 50], samples=3)
    answers["text"] = [text[0:18], text[19:49], text[50:]]
    grader = RecordedGrader(protocol=resolve(not_attempted="dropped"))
    made = grader.result(answers, questions, recorded=[folder / "samples.jsonl"])
    assert made["grade"].tolist() == ["CORRECT", "PARTLY_CORRECT", "unparsed"]
    assert [None if pd.isna(one) else one for one in made["outcome"]] == [1, 0.5, None]
    refused = answers.iloc[:1].assign(question_id="factscore-bo-dahl", text="I don't know who that is.")
    everybody = pd.concat([load(folder), load(folder, draw="confirming")])
    refusal = grader.result(refused, everybody, recorded=[folder / "samples.jsonl"])
    assert refusal["grade"].tolist() == ["NOT_ATTEMPTED"]
    assert refusal["outcome"].isna().all()


@pytest.mark.skipif(not SHARED.is_dir(), reason="the published answers are not here (RALC_SHARED_DATA)")
def test_the_published_answers_have_two_halves_of_183_people():
    halves = [set(load(SHARED, draw=draw)["question_id"]) for draw in ("development", "confirming")]
    assert [len(half) for half in halves] == [97, 86]
    assert not halves[0] & halves[1]
    with gzip.open(SHARED / "ChatGPT.jsonl.gz", "rt", encoding="utf-8") as lines:
        assert sum(1 for _ in lines) == 183
