"""Shards of a table of requests: together they hold each request once, and none asks what another has answered."""

import sys

import pandas as pd
import pytest

from ralc.llm import Request, complete_file, to_table
from ralc.llm.journal import Journal
from ralc.llm.shards import Shard, former
from tests.test_llm_completing import MODEL, Scripted

ODD = {"constraint": {"choice": ["never"]}}


@pytest.fixture
def engine(monkeypatch):
    """The engine that every job starts."""
    engine = Scripted()
    monkeypatch.setattr(sys.modules["ralc.llm.completing"], "build", lambda entry: engine)
    return engine


@pytest.fixture
def folder(tmp_path):
    """A folder with the requests of 40 questions, some of them equal, some in need of a second attempt."""
    asked = [
        Request("m", ({"role": "user", "content": str(i % 30)},), n=2, seed=i % 30, **(ODD if i % 3 else {}))
        for i in range(40)
    ]
    to_table(asked, question=range(40)).to_parquet(tmp_path / "requests.parquet", index=False)
    return tmp_path


def answers(folder, count):
    """What all shards together answer, sorted."""
    parts = []
    for number in range(1, count + 1):
        name = f"m.{number}of{count}" if count > 1 else "m"
        paths = [folder / "journal" / f"{name}.jsonl", folder / f"{name}.parquet"]
        complete_file(folder / "requests.parquet", MODEL, *paths, (number, count))
        parts.append(pd.read_parquet(paths[1]))
    assert not any(
        set(one["key"]) & set(other["key"]) for one in parts for other in parts if one is not other
    )
    return pd.concat(parts).sort_values(["key", "sample"], ignore_index=True)


def test_answers_do_not_depend_on_the_number_of_shards(folder, engine):
    whole = answers(folder, 1)
    assert len(whole) == 60
    for journal in (folder / "journal").iterdir():
        journal.unlink()
    pd.testing.assert_frame_equal(answers(folder, 3), whole)


@pytest.mark.parametrize(("before", "after"), [(1, 3), (3, 1), (2, 5), (3, 3)])
def test_another_number_of_shards_asks_nothing_again(folder, engine, before, after):
    first = answers(folder, before)
    engine.asked.clear()
    pd.testing.assert_frame_equal(answers(folder, after), first)
    assert engine.asked == []


def test_a_former_journal_is_read_while_another_writes_it(folder, engine):
    answers(folder, 2)
    torn = folder / "journal" / "m.1of2.jsonl"
    torn.write_bytes(torn.read_bytes() + b'{"key":"torn')
    before = torn.read_bytes()
    with Journal(folder / "journal" / "m.2of2.jsonl"):
        answers(folder, 1)
    assert torn.read_bytes() == before


def test_former_journals_are_those_of_the_model_and_of_another_number(tmp_path):
    for name in ("qwen.jsonl", "qwen.1of2.jsonl", "qwen.2of2.jsonl", "qwen.2.5.jsonl", "qwen-2.1of3.jsonl"):
        (tmp_path / name).touch()
    assert [path.name for path in former(tmp_path / "qwen.1of2.jsonl")] == ["qwen.jsonl"]
    assert [path.name for path in former(tmp_path / "qwen.1of3.jsonl")] == [
        "qwen.1of2.jsonl",
        "qwen.2of2.jsonl",
        "qwen.jsonl",
    ]
    assert former(tmp_path / "qwen.2.5.1of3.jsonl") == [tmp_path / "qwen.2.5.jsonl"]


def test_shards_are_of_like_size():
    keys = [Request("m", ({"role": "user", "content": str(i)},)).key for i in range(3000)]
    sizes = [sum(map(Shard(number, 3).holds, keys)) for number in (1, 2, 3)]
    assert sum(sizes) == 3000
    assert min(sizes) > 900
