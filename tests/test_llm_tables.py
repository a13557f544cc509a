"""Requests and responses as tables: nothing is lost on the way to parquet and back."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralc.llm import Request, Response, from_table, to_table
from ralc.llm.tables import RESPONSE_COLUMNS, responses_table, wanted


def ask(text, **fields):
    return Request("m", ({"role": "user", "content": text},), **fields)


def round_trip(table, tmp_path):
    table.to_parquet(tmp_path / "t.parquet", index=False)
    return pd.read_parquet(tmp_path / "t.parquet")


def test_requests_survive_parquet(tmp_path):
    requests = [
        ask("one", n=20, logprobs=True, stop=("\n", "Q:")),
        ask("two", constraint={"json": {"type": "object"}}, temperature=0, seed=9),
        Request(
            "m",
            ({"role": "system", "content": 'é "q"'}, {"role": "assistant", "content": "I gue"}),
            attempt=2,
        ),
    ]
    table = round_trip(to_table(requests, question_id=["a", "b", "c"]), tmp_path)
    assert from_table(table) == requests
    assert list(table["question_id"]) == ["a", "b", "c"]
    assert list(table["key"]) == [request.key for request in requests]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=8))
def test_any_text_survives(texts):
    requests = [ask(text) for text in texts]
    assert from_table(to_table(requests)) == requests


def test_shared_beginnings_are_stored_once(tmp_path):
    heads = ["Rate the certainty of a text. " * 100, "Group these answers by meaning. " * 100]
    requests = [ask(heads[i % 2] + f"Text {i * 7919}") for i in range(400)]
    table = to_table(requests)
    assert table["tail"].str.len().sum() < 0.05 * sum(len(r.messages[0]["content"]) for r in requests)
    assert table["head"].cat.categories.size <= 8
    assert from_table(round_trip(table, tmp_path)) == requests


def test_no_requests_make_an_empty_table(tmp_path):
    table = round_trip(to_table([], question_id=[]), tmp_path)
    assert len(table) == 0
    assert wanted(table) == []


def test_equal_requests_are_wanted_once_with_the_largest_n():
    table = to_table([ask("a", n=2), ask("b"), ask("a", n=5), ask("a", n=3)])
    assert [(want.key, want.n) for want in wanted(table)] == [(ask("a").key, 5), (ask("b").key, 1)]


def test_faults_are_named():
    table = to_table([ask("a"), ask("b")])
    with pytest.raises(ValueError, match="max_tokens"):
        wanted(table.drop(columns="max_tokens"))
    with pytest.raises(ValueError, match=f"{ask('a').key} was changed"):
        from_table(table.assign(max_tokens=9))
    with pytest.raises(ValueError, match="question_id has 1 values for 2"):
        to_table([ask("a"), ask("b")], question_id=["x"])


def test_responses_table(tmp_path):
    answer = Response("k", "Lima", "stop", (-0.5, -0.25), 7, 2, alternatives=(-0.5, None))
    lost = replace(
        answer, text="", finish_reason="error", token_logprobs=None, error="too long", sample=1, valid=False
    )
    table = round_trip(responses_table([answer, lost]), tmp_path)
    assert list(table.columns) == list(RESPONSE_COLUMNS)
    assert list(table["token_logprobs"][0]) == [-0.5, -0.25]
    assert table["token_logprobs"][1] is None
    np.testing.assert_array_equal(np.array(table["alternatives"][0], float), [-0.5, np.nan])
    assert table["error"].isna().tolist() == [True, False]
    assert list(responses_table([]).columns) == list(RESPONSE_COLUMNS)
