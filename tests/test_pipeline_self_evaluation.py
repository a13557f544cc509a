"""Self-evaluation: what a target is asked about its own answers, and what its letters say."""

import numpy as np
import pandas as pd
import pytest

from ralc import Beta
from ralc.config import parse_config
from ralc.llm import Response, from_table
from ralc.llm.tables import join, responses_table
from ralc.pipeline.self_evaluation import SelfEvaluation

MODEL = {"engine": "embedded", "model": "m"}
STEP = SelfEvaluation(signals=["semantic_uncertainty", "p_true"])


def tables(answers=("Oslo.", "Oslo.", "Bern.")):
    """The original answers to three questions, of which two are one question, and a hedged one."""
    ids = ["a", "b", "c"]
    questions = pd.DataFrame(
        {"question_id": ids, "format": "short_answer", "question": ["Norway?", "Norway?", "Where?"]}
    ).assign(
        history=[[]] * 3, choices=[[], [], ["Bern", "Basel"]], context=[None, None, "It is in Switzerland."]
    )
    rows = {"question_id": [*ids, "a"], "sentence": 0, "prompt": ["direct"] * 3 + ["hedged"]}
    return pd.DataFrame(rows | {"text": [*answers, "Perhaps Oslo."], "samples": [2, 2, 2, 1]}), questions


def test_each_original_answer_is_asked_about_once_and_equal_ones_are_one_request():
    requests = STEP.ask(*tables(), model=MODEL)
    assert requests[["question_id", "sentence"]].to_numpy().tolist() == [["a", 0], ["b", 0], ["c", 0]]
    assert set(requests["signal"]) == {"p_true"}
    assert requests["key"].nunique() == 2
    first, _, last = from_table(requests)
    assert [turn["role"] for turn in first.messages] == ["user", "assistant"]
    assert first.messages[0]["content"] == (
        "Question: Norway?\nProposed Answer: Oslo.\nIs the proposed answer:\n (A) True\n (B) False"
    )
    assert first.messages[1]["content"] == "The proposed answer is: ("
    assert first.temperature == 0
    assert first.max_tokens == 1
    assert first.alternatives == ("A", "B")
    assert last.messages[0]["content"].startswith(
        "Background: It is in Switzerland.\nQuestion: Where?\nA. Bern\nB. Basel\nProposed Answer: Bern.\n"
    )
    in_words = from_table(SelfEvaluation(signals=["p_true"], style="short").ask(*tables(), model=MODEL))[-1]
    assert "Where?\n- Bern\n- Basel\nProposed" in in_words.messages[0]["content"]


def test_what_was_never_answered_is_not_asked_about_and_a_long_answer_is_not_shown_its_facts():
    answers, questions = tables()
    answers.loc[answers["question_id"] == "a", "samples"] = 0
    requests = STEP.ask(answers, questions.assign(format="long_answer"), model=MODEL)
    assert requests["question_id"].tolist() == ["b", "c"]
    assert not any("Switzerland" in request.messages[0]["content"] for request in from_table(requests))
    assert STEP.ask(answers[:0], questions, model=MODEL).empty


@pytest.mark.parametrize(
    ("first", "mean"), [(np.log([0.3, 0.1]), 0.75), (None, None), ((None, None), None), ((None, -3.0), 1e-6)]
)
def test_the_share_of_the_first_letter_by_hand_and_missing_without_either(first, mean):
    requests = STEP.ask(*tables(), model=MODEL)
    one, two = dict.fromkeys(requests["key"].astype("str"))
    answers = [
        Response(one, "A", "stop", alternatives=None if first is None else tuple(first)),
        Response(two, "A", "stop", alternatives=(np.log(0.02), np.log(0.06))),
    ]
    found = STEP.result(join(requests, responses_table(answers)))
    assert found["alpha"].isna().tolist() == found["beta"].isna().tolist() == [mean is None] * 2 + [False]
    known = Beta.from_table(found.dropna())
    assert known.mean == pytest.approx([0.25] if mean is None else [mean, mean, 0.25])
    assert known.concentration == pytest.approx(20)


def test_who_is_asked():
    assert not parse_config({}).stages()["self_evaluation"].models
    asked = {"run": {"signals": ["p_true"]}}
    assert list(parse_config(asked).stages()["self_evaluation"].models) == ["smollm2"]
    files = {
        "run": {"signals": ["p_true"], "targets": ["r"]},
        "models": {"r": {"engine": "recorded", "path": "r.csv"}},
    }
    with pytest.raises(ValueError, match="p_true asks a target about its answers, and 'r' is a file of rec"):
        parse_config(files)
