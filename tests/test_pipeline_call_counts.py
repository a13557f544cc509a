"""What the models were asked: counted by hand, and shown."""

import numpy as np
import pandas as pd
import pytest

from ralc import schemas
from ralc.llm.requests import Response
from ralc.llm.tables import responses_table
from ralc.pipeline.call_counts import count_calls

PRICES = {"small": {}, "paid": {"prompt": 2.0, "completion": 10.0}}


@pytest.fixture
def answers():
    """Two answers to one request, one of them cut; one of no use after two attempts; one that was not to be had."""
    return responses_table(
        [
            Response("a", "yes", "stop", prompt_tokens=100, completion_tokens=3),
            Response("a", "well, as", "length", prompt_tokens=100, completion_tokens=5, sample=1),
            Response("b", "no score", "stop", prompt_tokens=50, completion_tokens=2, attempt=2, valid=False),
            Response("c", "", "error", error="prompt too long", valid=False),
        ]
    )


def test_counts_by_hand(answers):
    table = schemas.check(count_calls([("grade", "small")], PRICES, [answers]), "calls")
    (row,) = table.drop(columns="cost").to_dict("records")
    assert row == {
        "stage": "grade",
        "model": "small",
        "requests": 3,
        "answers": 4,
        "prompt_tokens": 150,
        "completion_tokens": 10,
        "reasoning_tokens": 0,
        "cut": 1,
        "second_attempts": 1,
        "invalid": 1,
        "errors": 1,
    }
    assert table["cost"].isna().all()


def test_cost_is_that_of_the_tokens(answers):
    (cost,) = count_calls([("grade", "paid")], PRICES, [answers])["cost"]
    assert cost == pytest.approx((150 * 2.0 + 10 * 10.0) / 1e6)


def test_nothing_asked_is_counted_as_nothing():
    table = schemas.check(count_calls([("sample", "small")], PRICES, [responses_table([])]), "calls")
    assert table[["requests", "answers", "invalid"]].to_numpy().sum() == 0


def test_a_table_without_prices_has_no_cost(answers):
    counted = count_calls([("sample", "small"), ("grade", "paid")], PRICES, [answers, answers])
    assert np.isnan(counted["cost"][0])
    assert counted["cost"][1] > 0


def test_shards_of_a_table_are_counted_together(answers):
    whole = count_calls([("sample", "small")], PRICES, [answers])
    first = answers["key"] == answers["key"].iloc[0]
    shards = count_calls([("sample", "small")] * 2, PRICES, [answers[first], answers[~first]])
    pd.testing.assert_frame_equal(shards, whole)
