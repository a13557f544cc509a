"""Requests and responses as tables: nothing is lost on the way to parquet and back."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ralc import io
from ralc.llm import Request, Response, from_table, read_replies, to_table
from ralc.llm.tables import join, request_parts, response_types, responses_table, write_responses


def ask(text, **fields):
    return Request("m", ({"role": "user", "content": text},), **fields)


def round_trip(table, tmp_path):
    table.to_parquet(tmp_path / "t.parquet", index=False)
    return pd.read_parquet(tmp_path / "t.parquet")


def test_requests_survive_parquet(tmp_path):
    requests = [
        ask("one", n=20, logprobs=True, stop=("\n", "Q:")),
        ask("listed", alternatives=("8", "")),
        ask("two", constraint={"json": {"type": "object"}}, temperature=0, seed=9),
        Request(
            "m",
            ({"role": "system", "content": 'é "q"'}, {"role": "assistant", "content": "I gue"}),
            attempt=2,
        ),
    ]
    table = round_trip(to_table(requests, pd.DataFrame({"question_id": list("abcd")})), tmp_path)
    assert from_table(table) == requests
    assert list(table["question_id"]) == list("abcd")
    assert list(table["key"]) == [request.key for request in requests]


def test_shared_beginnings_are_stored_once(tmp_path):
    heads = ["Rate the certainty of a text. " * 100, "Group answers by meaning.\n\n" * 100]
    requests = [ask(heads[i // 200] + f"\n\nText {i * 7919}") for i in range(400)]
    table = to_table(requests)
    assert table["tail"].str.len().sum() < 0.05 * sum(len(r.messages[0]["content"]) for r in requests)
    assert table["head"].cat.categories.size <= 8
    assert from_table(round_trip(table, tmp_path)) == requests


def on_disk(table, tmp_path):
    table.to_parquet(tmp_path / "t.parquet", index=False)
    return [request for _, part in request_parts(tmp_path / "t.parquet") for request in part]


def test_a_file_gives_its_requests_part_by_part(tmp_path, monkeypatch):
    monkeypatch.setattr("ralc.llm.tables.ROWS_IN_MEMORY", 3)
    assert on_disk(to_table([], pd.DataFrame({"question_id": []})), tmp_path) == []
    requests = [ask("Shared instructions.\n\n" * 20 + str(i), n=1 + i) for i in range(11)]
    read = on_disk(to_table(requests), tmp_path)
    assert read == requests


def test_faults_are_named(tmp_path):
    table = to_table([ask("a"), ask("b")])
    with pytest.raises(ValueError, match=r"t\.parquet.*max_tokens"):
        on_disk(table.drop(columns="max_tokens"), tmp_path)
    with pytest.raises(ValueError, match=f"{ask('b').key} was changed"):
        on_disk(table.assign(max_tokens=[64, 9]), tmp_path)
    with pytest.raises(ValueError, match=f"{ask('a').key} was changed"):
        from_table(table.assign(max_tokens=9))
    with pytest.raises(ValueError, match="same length"):
        to_table([ask("a"), ask("b")], pd.DataFrame({"question_id": ["x"]}))


def test_responses_come_back_from_their_file_as_they_were(tmp_path):
    answer = Response("k", "Lima", "stop", (-0.5, -0.25), 7, 2, alternatives=(-0.5, None))
    lost = replace(
        answer, text="", finish_reason="error", token_logprobs=None, error="too long", sample=1, valid=False
    )
    write_responses(iter([answer, lost]), tmp_path / "r.parquet")
    table = pd.read_parquet(tmp_path / "r.parquet")
    pd.testing.assert_frame_equal(table, responses_table([answer, lost]))
    assert list(table.columns) == response_types().names
    assert list(table["token_logprobs"][0]) == [-0.5, -0.25]
    assert table["token_logprobs"][1] is None
    np.testing.assert_array_equal(np.array(table["alternatives"][0], float), [-0.5, np.nan])
    assert table["error"].isna().tolist() == [True, False]
    assert list(responses_table([]).columns) == response_types().names


ANSWERS = [("a", 2), ("b", 1), ("a", 2)]
REQUESTS = to_table(
    [ask(text, n=n) for text, n in ANSWERS], pd.DataFrame({"item": ["first", "second", "third"]})
)
#: Answers in another order; one was not to be had, and more stand there than are wanted.
RESPONSES = responses_table(
    [
        Response(REQUESTS["key"][1], None, "error", sample=0, error="too long", valid=False),
        *(Response(REQUESTS["key"][0], f"a{i}", "stop", sample=i) for i in (1, 0, 2)),
    ]
)


def test_every_wanted_answer_is_a_row():
    joined = join(REQUESTS, RESPONSES)
    assert joined["item"].tolist() == ["first", "first", "second", "third", "third"]
    assert joined["reply"].tolist() == ["a0", "a1", "", "a0", "a1"]
    assert joined["valid"].tolist() == [True, True, False, True, True]
    assert set(joined["model"]) == {"m"}


def test_an_answer_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match=r"1 of 2 answers to \{'item': 'first'\} by 'm'"):
        join(REQUESTS, RESPONSES[RESPONSES["text"] != "a1"])
    with pytest.raises(ValueError, match=r"0 of 1 answers to \{'item': 'second'\}"):
        join(REQUESTS, RESPONSES[RESPONSES["text"].notna()])


def test_requests_are_read_without_their_prompts(tmp_path):
    io.write_table(REQUESTS, tmp_path / "requests.parquet", "requests")
    read = io.read_requests([tmp_path / "requests.parquet"])
    assert not {"head", "tail"} & set(read)
    pd.testing.assert_frame_equal(join(read, RESPONSES), join(REQUESTS, RESPONSES))
    assert io.read_requests([]) is None


def test_the_replies_of_a_stage_are_read_joined_all_or_some(tmp_path):
    files = [tmp_path / "requests.parquet"], [tmp_path / "responses.parquet"]
    io.write_table(REQUESTS, *files[0], "requests")
    io.write_table(RESPONSES, *files[1], "responses")
    assert read_replies(*files)["reply"].tolist() == ["a0", "a1", "", "a0", "a1"]
    assert read_replies(*files, item="third")["reply"].tolist() == ["a0", "a1"]
    assert read_replies([], []) is None
