"""`complete`: asks for what is missing, once; counts what failed."""

import sys
import tracemalloc
from collections import Counter, deque

import pandas as pd
import pytest

from ralc.llm import Request, Response, complete, complete_file, from_table, to_table
from ralc.llm.engines import EngineError
from ralc.llm.journal import Journal
from ralc.llm.requests import failures
from ralc.llm.tables import responses_table


class Scripted:
    """An engine that answers at once: by default the seed of each sample."""

    def __init__(self, say=lambda request, i: str(request.seed + i)):
        self.say = say
        self.asked = []
        self.closed = 0

    def answer(self, requests):
        for index, request in enumerate(requests):
            self.asked.append(request)
            yield index, [self._response(request, self.say(request, i), i) for i in request.numbers]

    def _response(self, request, text, i):
        if isinstance(text, str):
            return Response(request.key, text, "stop", sample=i, completion_tokens=1)
        error = "no answer: 503" if text is None else str(text)
        return failures(request, error, final=text is not None)[i - request.first]

    def close(self):
        self.closed += 1


def ask(text="q", **fields):
    return Request("m", ({"role": "user", "content": text},), **fields)


def test_answers_in_order_and_none_asked_twice(tmp_path):
    engine = Scripted()
    requests = [ask("a", n=3, seed=10), ask("b", seed=5), ask("a", n=3, seed=10)]
    answers = complete(requests, engine, tmp_path / "j.jsonl")
    a = requests[0].key
    b = requests[1].key
    assert [(one.key, one.sample, one.text) for one in answers] == [
        *((a, i, str(10 + i)) for i in range(3)),
        (b, 0, "5"),
    ]
    assert [r.key for r in engine.asked] == [a, b]
    assert engine.closed == 0  # it was not started here


def test_an_engine_is_started_once_if_needed_and_closed(tmp_path):
    started = []

    def start():
        started.append(Scripted())
        return started[-1]

    requests = [ask("a"), ask("b", constraint={"choice": ["never"]})]
    first = complete(requests, start, tmp_path / "j.jsonl")
    assert len(started) == 1
    assert started[0].closed == 1
    assert len(started[0].asked) == 3
    assert complete(requests, start, tmp_path / "j.jsonl") == first
    assert len(started) == 1


def test_only_missing_answers_are_asked(tmp_path):
    engine = Scripted()
    journal = tmp_path / "j.jsonl"
    complete([ask("a", n=5, seed=100)], engine, journal)
    answers = complete([ask("a", n=8, seed=100), ask("b", n=2)], engine, journal)
    assert [(r.n, r.first) for r in engine.asked[1:]] == [(3, 5), (2, 0)]
    assert [a.text for a in answers] == [str(100 + i) for i in range(8)] + ["0", "1"]
    assert [a.text for a in complete([ask("a", n=2, seed=100)], engine, journal)] == ["100", "101"]


def test_the_second_attempt_stands_if_it_is_valid(tmp_path):
    request = ask(n=3, temperature=0, constraint={"regex": "[0-9]"}, max_tokens=4)
    seconds = [request.second_attempt(i) for i in range(3)]
    again = {seconds[1].seed: "7", seconds[2].seed: "seven"}
    engine = Scripted(lambda r, i: ["1", "one", "1."][i] if r.attempt == 1 else again[r.seed])
    answers = complete([request], engine, tmp_path / "j.jsonl")
    expected = [("1", 1, True), ("7", 2, True), ("1.", 2, False)]
    assert [(a.text, a.attempt, a.valid) for a in answers] == expected
    assert [(a.key, a.sample) for a in answers] == [(request.key, i) for i in range(3)]
    assert engine.asked[1:] == [seconds[1], seconds[2]]
    assert complete([request], engine, tmp_path / "j.jsonl") == answers
    assert len(engine.asked) == 3


def test_an_error_for_good_is_kept_and_not_asked_again(tmp_path):
    engine = Scripted(lambda request, i: ValueError("prompt of 9000 tokens"))
    request = ask(n=2, constraint={"choice": ["a"]})
    answers = complete([request], engine, tmp_path / "j.jsonl", failures_allowed=1)
    told = [(a.error, a.finish_reason, a.valid, a.text) for a in answers]
    assert told == [("prompt of 9000 tokens", "error", False, "")] * 2
    assert complete([request], engine, tmp_path / "j.jsonl") == answers
    assert len(engine.asked) == 1


def test_errors_for_good_count_against_what_may_fail_and_are_asked_again_where_they_are_too_many(tmp_path):
    """A context too small for 10 of 30 prompts passed an allowance of 1 %."""
    requests = [ask(str(i), n=2) for i in range(30)]
    journal = tmp_path / "j.jsonl"
    small = Scripted(lambda r, i: ValueError("too long") if len(r.messages[0]["content"]) < 2 else "a")
    told = r"20 of 60 answers are missing .*too long.*larger context"
    with pytest.raises(EngineError, match=told):
        complete(requests, small, journal, failures_allowed=0.01)
    larger = Scripted()
    assert all(a.error is None for a in complete(requests, larger, journal, failures_allowed=0.01))
    assert len(larger.asked) == 10


def test_what_failed_is_counted_not_kept_and_asked_again(tmp_path, capsys):
    journal = tmp_path / "j.jsonl"
    requests = [ask(str(i), n=2) for i in range(10)]
    flaky = Scripted(lambda r, i: None if "3" in r.messages[0]["content"] and r.seed + i else "fine")
    with pytest.raises(EngineError, match=r"1 of 20 answers .*503.*run again"):
        complete(requests, flaky, journal)
    answers = complete(requests, flaky, journal, failures_allowed=0.1)
    assert [a.error for a in answers if a.error] == ["no answer: 503"]
    assert "1 of 20 answers" in capsys.readouterr().err
    assert [(r.n, r.first) for r in flaky.asked[10:]] == [(1, 1)]  # sample 0 is not asked again
    assert all(a.valid for a in complete(requests, Scripted(), journal))


def odd(request, i):
    """An engine's answers of all kinds: good ones, odd ones, errors for good, and failures."""
    kinds = [str(i), "odd", "7" if request.attempt == 2 else "odd", ValueError("too long"), None]
    return kinds[request.seed % 5]


def odd_requests(count):
    asked = [ask(str(i), n=1 + i % 4, seed=i, constraint={"regex": "[0-9]"}) for i in range(count)]
    return [*asked, ask("0", n=6, seed=0, constraint={"regex": "[0-9]"}), ask("free", seed=1)]


MODEL = {"engine": "embedded", "model": "m", "failures_allowed": 1.0}


@pytest.fixture
def engines(monkeypatch):
    """Every engine that a model's entry started."""
    started = []

    def start(entry, journal=None):
        started.append(Scripted(odd))
        return started[-1]

    monkeypatch.setattr(sys.modules["ralc.llm.completing"], "build", start)
    return started


@pytest.mark.parametrize("known", [0, 9])
def test_a_file_is_completed_as_a_table_is(tmp_path, engines, monkeypatch, known):
    monkeypatch.setattr("ralc.llm.tables.ROWS_IN_MEMORY", 7)
    requests = odd_requests(40)
    table = to_table(requests, pd.DataFrame({"question_id": range(len(requests))}))
    table.to_parquet(tmp_path / "requests.parquet", index=False)
    for journal in ("table.jsonl", "file.jsonl"):
        complete(requests[::3][:known], Scripted(odd), tmp_path / journal, failures_allowed=1.0)
    start = sys.modules["ralc.llm.completing"].build
    answers = complete(
        from_table(table), lambda: start(MODEL), tmp_path / "table.jsonl", failures_allowed=1.0
    )
    expected = responses_table(answers)
    complete_file(tmp_path / "requests.parquet", MODEL, tmp_path / "file.jsonl", tmp_path / "out.parquet")
    order = {
        "by": ["key", "sample"],
        "ignore_index": True,
    }  # of equal requests the answers stand by their parts
    found = pd.read_parquet(tmp_path / "out.parquet")
    pd.testing.assert_frame_equal(found.sort_values(**order), expected.sort_values(**order))
    once, parts = (Counter((r.key, i) for r in one.asked for i in r.numbers) for one in engines)
    assert once.keys() == parts.keys()
    assert {1, 2} == set(expected["attempt"])
    assert expected["error"].notna().any()
    with Journal(tmp_path / "file.jsonl") as one, Journal(tmp_path / "table.jsonl") as other:
        assert dict(one) == dict(other)


def test_a_file_of_responses_is_whole_or_not_there(tmp_path, engines):
    to_table(odd_requests(9)).to_parquet(tmp_path / "requests.parquet", index=False)
    strict = MODEL | {"failures_allowed": 0.0}
    with pytest.raises(EngineError, match="are missing"):
        complete_file(tmp_path / "requests.parquet", strict, tmp_path / "j.jsonl", tmp_path / "out.parquet")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["j.jsonl", "j.jsonl.lock", "requests.parquet"]


@pytest.mark.long
def test_memory_holds_neither_prompts_nor_answers(tmp_path, monkeypatch):
    """What a request of eight kilobytes and its three answers of a kilobyte leave in memory."""
    engine = Scripted(lambda request, i: "x" * 1000)
    count = 1500
    engine.asked = deque(maxlen=0)
    monkeypatch.setattr("ralc.llm.tables.ROWS_IN_MEMORY", 50)
    monkeypatch.setattr(sys.modules["ralc.llm.completing"], "build", lambda entry, journal: engine)
    paths = [tmp_path / name for name in ("requests.parquet", "journal.jsonl", "responses.parquet")]
    first = [tmp_path / f"first_{path.name}" for path in paths]
    to_table([ask("what is imported on the way is no request's")]).to_parquet(first[0], index=False)
    complete_file(first[0], MODEL, *first[1:])
    to_table(ask(f"{i:07} " * 1000, n=3) for i in range(count)).to_parquet(paths[0], index=False)
    for _ in ("cold", "warm"):
        tracemalloc.start()
        complete_file(paths[0], MODEL, *paths[1:])
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak / count < 1500
