"""P(True): what a target is asked about its own answers, and what its letters say."""

import numpy as np
import pandas as pd
import pytest

from ralc import Beta, schemas
from ralc.config import parse_config
from ralc.llm import Response, from_table
from ralc.llm.tables import responses_table
from ralc.pipeline import p_true

MODEL = {"engine": "embedded", "model": "m"}


def tables(answers=("Oslo.", "Oslo.", "Bern.")):
    """The original answers to three questions, of which two are one question, and a hedged one."""
    ids = ["a", "b", "c"]
    questions = pd.DataFrame(
        {"question_id": ids, "format": "short_answer", "question": ["Norway?", "Norway?", "Where?"]}
    ).assign(choices=[[], [], ["Bern", "Basel"]], context=[None, None, "It is in Switzerland."])
    rows = {"question_id": [*ids, "a"], "sentence": 0, "prompt": ["direct"] * 3 + ["hedged"]}
    return pd.DataFrame(rows | {"text": [*answers, "Perhaps Oslo."], "samples": [2, 2, 2, 1]}), questions


def told(alternatives):
    """The table of replies with these log-probabilities, in the order of distinct requests."""
    requests = p_true.render(*tables(), model=MODEL)
    keys = dict.fromkeys(requests["key"].astype("str"))
    answers = [
        Response(
            key,
            "A",
            "stop",
            prompt_tokens=30,
            completion_tokens=1,
            alternatives=None if one is None else tuple(one),
        )
        for key, one in zip(keys, alternatives, strict=True)
    ]
    return schemas.check(p_true.parse(requests, responses_table(answers)), "p_true")


def test_each_original_answer_is_asked_about_once_and_equal_ones_are_one_request():
    requests = p_true.render(*tables(), model=MODEL)
    assert requests[["question_id", "sentence"]].to_numpy().tolist() == [["a", 0], ["b", 0], ["c", 0]]
    assert requests["key"].nunique() == 2
    first, _, last = from_table(requests)
    assert [turn["role"] for turn in first.messages] == ["user", "assistant"]
    assert first.messages[0]["content"] == (
        "Question: Norway?\nProposed Answer: Oslo.\nIs the proposed answer:\n (A) True\n (B) False"
    )
    assert first.messages[1]["content"] == "The proposed answer is: ("
    assert (first.temperature, first.max_tokens, first.alternatives) == (0, 1, ("A", "B"))
    assert last.messages[0]["content"].startswith(
        "Background: It is in Switzerland.\nQuestion: Where?\nA. Bern\nB. Basel\nProposed Answer: Bern.\n"
    )
    in_words = from_table(p_true.render(*tables(), model=MODEL, style="short"))[-1]
    assert "Where?\n- Bern\n- Basel\nProposed" in in_words.messages[0]["content"]


def test_what_was_never_answered_is_not_asked_about_and_a_long_answer_is_not_shown_its_facts():
    answers, questions = tables()
    answers.loc[answers["question_id"] == "a", "samples"] = 0
    requests = p_true.render(answers, questions.assign(format="long_answer"), model=MODEL)
    assert requests["question_id"].tolist() == ["b", "c"]
    assert not any("Switzerland" in request.messages[0]["content"] for request in from_table(requests))


def test_the_share_of_the_first_letter_by_hand():
    found = told([np.log([0.3, 0.1]), np.log([0.02, 0.06])])
    assert Beta.from_table(found).mean == pytest.approx([0.75, 0.75, 0.25])
    assert Beta.from_table(found).concentration == pytest.approx(20)
    assert found["tokens"].tolist() == [31, 31, 31]


@pytest.mark.parametrize("nothing", [None, (None, None)])
def test_without_either_letter_it_is_missing_and_one_alone_has_all(nothing):
    found = told([nothing, (None, -3.0)])
    assert found["alpha"].isna().tolist() == found["beta"].isna().tolist() == [True, True, False]
    assert Beta.from_table(found[2:]).mean == pytest.approx(1e-6)


def test_a_request_without_a_response_is_refused():
    requests = p_true.render(*tables(), model=MODEL)
    with pytest.raises(ValueError, match="0 of 1 answers"):
        p_true.parse(requests, responses_table([]))


def test_who_is_asked():
    assert not parse_config({}).stages()["p_true"].models
    asked = {"run": {"signals": ["p_true"]}}
    assert list(parse_config(asked).stages()["p_true"].models) == ["smollm2"]
    files = {
        "run": {"signals": ["p_true"], "targets": ["r"]},
        "models": {"r": {"engine": "recorded", "path": "r.csv"}},
    }
    with pytest.raises(
        ValueError, match="p_true asks a target about its answers, and 'r' is a file of recorded"
    ):
        parse_config(files)
