"""A record: on disk or in memory, of one caller or several, in a running event loop or not."""

import asyncio
import errno
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from ralc.llm import Memory, Response, complete
from ralc.llm.engines import build
from ralc.llm.journal import Journal, JournalError
from tests.hostile import entry, prompts
from tests.test_llm_completing import Scripted, ask


def test_what_is_in_memory_is_not_asked_again():
    engine, memory = Scripted(), Memory()
    first = complete([ask("a", n=3, seed=7)], engine, memory)
    assert complete([ask("a", n=3, seed=7)], engine, memory) == first
    complete([ask("a", n=5, seed=7), ask("b")], engine, memory)
    assert [(r.n, r.seed) for r in engine.asked] == [(3, 7), (2, 10), (1, 0)]
    assert len(memory) == 2


def test_memory_and_journal_give_the_same_answers(tmp_path):
    requests = [ask(str(i), n=1 + i % 3, seed=i, constraint={"regex": "[0-9]"}) for i in range(20)]
    assert complete(requests, Scripted(), Memory()) == complete(requests, Scripted(), tmp_path / "j.jsonl")


def test_of_two_answers_the_first_stands():
    memory = Memory()
    memory.append("k", [Response("k", "first", "stop")])
    memory.append("k", [Response("k", "second", "stop"), Response("k", "other", "stop", sample=1)])
    assert [answer.text for answer in memory["k"].values()] == ["first", "other"]


def records(kind, tmp_path):
    """What two callers are given: one record in memory, one open journal, or the path of a journal each."""
    if kind == "memory":
        return Memory()
    return tmp_path / "j.jsonl"


@pytest.mark.parametrize("kind", ["memory", "path"])
def test_two_callers_in_one_process_get_their_answers(server, tmp_path, kind):
    record, engine = records(kind, tmp_path), build(entry(server, concurrency=2))
    texts = [[f"{fault}*1 {i}" for i in range(15)] for fault in ("fine", "busy")]
    texts[1][:5] = texts[0][:5]  # both ask for these
    with ThreadPoolExecutor(2) as threads:
        one, two = threads.map(lambda said: complete(prompts(server, said), engine, record), texts)
    engine.close()
    for said, answers in zip(texts, (one, two), strict=True):
        assert [answer.text for answer in answers] == [f"{text} {i}" for text in said for i in range(3)]


def test_two_callers_share_an_open_journal(server, tmp_path):
    engine = build(entry(server, concurrency=2))
    with Journal(tmp_path / "j.jsonl") as journal, ThreadPoolExecutor(4) as threads:
        parts = [prompts(server, [f"fine {i} {j}" for j in range(10)]) for i in range(4)]
        done = list(threads.map(lambda part: complete(part, engine, journal), parts))
    engine.close()
    assert [len(answers) for answers in done] == [30] * 4
    with Journal(tmp_path / "j.jsonl") as journal:
        assert (len(journal), journal.bad_lines) == (40, 0)


def test_an_engine_works_inside_a_running_event_loop(server):
    engine = build(entry(server))

    async def blocking():
        return complete(prompts(server, ["fine a", "busy*1 b"]), engine, Memory())

    async def beside():
        beats = 0
        asked = asyncio.create_task(
            asyncio.to_thread(complete, prompts(server, ["hangs*9 c", "fine d"]), patient, Memory())
        )
        while not asked.done():
            beats += 1
            await asyncio.sleep(0.01)
        return beats, await asked

    assert [a.text for a in asyncio.run(blocking())][:2] == ["fine a 0", "fine a 1"]
    patient = build(entry(server, timeout_s=10))
    beats, answers = asyncio.run(beside())
    assert beats > 20
    assert len(answers) == 6
    engine.close()
    patient.close()


def test_a_journal_that_this_thread_has_open_is_an_error_and_not_a_deadlock(tmp_path):
    with Journal(tmp_path / "j.jsonl"), pytest.raises(JournalError, match="open in this thread already"):
        complete([ask()], Scripted(), tmp_path / "j.jsonl")
    complete([ask()], Scripted(), tmp_path / "j.jsonl")


def test_a_second_thread_waits_for_a_journal(tmp_path):
    order = []

    def second():
        with Journal(tmp_path / "j.jsonl") as journal:
            order.append(sorted(journal))

    with Journal(tmp_path / "j.jsonl") as journal:
        waiting = threading.Thread(target=second)
        waiting.start()
        journal.append("k", [Response("k", "x", "stop")])
        order.append("closing")
    waiting.join()
    assert order == ["closing", ["k"]]


def test_without_locks_two_writers_lose_nothing_and_are_told(tmp_path, monkeypatch, capsys):
    def no_locks(*arguments):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("ralc.llm.journal.fcntl.lockf", no_locks)
    path, other = tmp_path / "j.jsonl", tmp_path / "link.jsonl"
    path.touch()
    other.symlink_to(path)  # resolved, it would wait its turn: the other stands for another process
    monkeypatch.setattr("ralc.llm.journal.Path.resolve", lambda self: self)
    with Journal(path) as one, Journal(other) as two:
        for i in range(5):
            one.append(f"a{i}", [Response("", f"a{i}", "stop")])
            two.append(f"b{i}", [Response("", f"b{i}", "stop")])
        assert [journal[key][0].text for journal, key in ((one, "a3"), (two, "b4"))] == ["a3", "b4"]
    path.write_bytes(path.read_bytes() + b'{"key": "tor')
    with Journal(path) as journal:
        journal.append("c", [Response("", "c", "stop")])
    with Journal(path) as journal:
        assert set(journal) == {*(f"{x}{i}" for x in "ab" for i in range(5)), "c"}
        assert journal.bad_lines == 1
    assert "the file system has no locks" in capsys.readouterr().err
