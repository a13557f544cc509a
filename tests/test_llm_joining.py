"""Requests meet responses: every wanted answer is a row, in the order of the requests, or there is an error."""

import pandas as pd
import pytest

from ralc import io
from ralc.llm import Request, Response, to_table
from ralc.llm.tables import join, responses_table


@pytest.fixture
def requests() -> pd.DataFrame:
    """Two equal requests of two answers, and one of one."""
    asked = [
        Request("m", ({"role": "user", "content": text},), n=n) for text, n in [("a", 2), ("b", 1), ("a", 2)]
    ]
    return to_table(asked, item=["first", "second", "third"])


@pytest.fixture
def responses(requests: pd.DataFrame) -> pd.DataFrame:
    """Answers in another order; one was not to be had, and more stand there than are wanted."""
    a, b = requests["key"][0], requests["key"][1]
    return responses_table(
        [
            Response(b, None, "error", sample=0, error="too long", valid=False),
            Response(a, "a1", "stop", sample=1),
            Response(a, "a0", "stop", sample=0),
            Response(a, "a2", "stop", sample=2),
        ]
    )


def test_every_wanted_answer_is_a_row(requests, responses):
    joined = join(requests, responses)
    assert joined["item"].tolist() == ["first", "first", "second", "third", "third"]
    assert joined["reply"].tolist() == ["a0", "a1", "", "a0", "a1"]
    assert joined["valid"].tolist() == [True, True, False, True, True]
    assert set(joined["model"]) == {"m"}


def test_an_answer_that_is_not_there_is_refused(requests, responses):
    with pytest.raises(ValueError, match=r"1 of 2 answers to \{'item': 'first'\} by 'm'"):
        join(requests, responses[responses["text"] != "a1"])
    with pytest.raises(ValueError, match=r"0 of 1 answers to \{'item': 'second'\}"):
        join(requests, responses[responses["text"].notna()])


def test_no_requests_have_no_answers(requests, responses):
    assert join(requests.iloc[:0], responses).empty


def test_requests_are_read_without_their_prompts(requests, responses, tmp_path):
    io.write_table(requests, tmp_path / "requests.parquet", "requests")
    read = io.read_requests([tmp_path / "requests.parquet"])
    assert not {"head", "tail"} & set(read)
    pd.testing.assert_frame_equal(join(read, responses), join(requests, responses))
    assert io.read_requests([tmp_path / "requests.parquet"], item="second")["item"].tolist() == ["second"]
    assert io.read_requests([]) is None
