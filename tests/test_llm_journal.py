"""The journal keeps every whole record, whatever happens to the process, the disk or the file."""

import gzip
import os
import random
import signal
import subprocess
import sys
import textwrap

import pytest

from ralc.llm import Response
from ralc.llm.journal import Journal, JournalError, journals_of


def answer(sample=0, text="Lima", **fields):
    return Response("k", text, "stop", (-0.5, -1.25), 7, 2, sample=sample, **fields)


def stored(path):
    with Journal(path) as journal:
        return dict(journal)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "deep" / "m.jsonl"


def test_answers_come_back_as_they_were_and_the_first_of_two_stands(path):
    answers = [answer(0), answer(1, 'é "\n\u2028', reasoning_tokens=3), answer(2, "", error="too long")]
    answers.append(answer(3, alternatives=(-0.5, None, 0.0), token_ends=(2, 4)))
    with Journal(path) as journal:
        journal.append("k", answers)
        journal.append("k", [answer(3, "second"), answer(4)])
        assert dict(journal) == {"k": dict(enumerate([*answers, answer(4)]))}
    assert stored(path) == {"k": dict(enumerate([*answers, answer(4)]))}


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_torn_last_line_is_dropped_and_written_over(path, cut):
    with Journal(path) as journal:
        journal.append("k", [answer()])
        journal.append("l", [answer()])
    path.write_bytes(path.read_bytes()[:-cut])
    with Journal(path) as journal:
        assert set(journal) == {"k"}
        journal.append("l", [answer(text="again")])
        assert journal["l"][0].text == "again"
    assert stored(path)["l"][0].text == "again"
    assert set(stored(path)) == {"k", "l"}


LINES = [b"\n", b"null\n", b"[1, 2]\n", b'{"key": "x"}\n', b"[" * 200_000 + b"\n", b"\xff\xfe broken \x00\n"]
LINES += [
    b'{"key": "x", "first": 0, "samples": [{"text": 5, "finish_reason": "stop"}]}\n',
    b'{"key": "x", "fir\n',
]
LINES += [b'{"key": "x", "first": Infinity, "samples": [{"text": "t", "finish_reason": "stop"}]}\n']


@pytest.mark.parametrize("line", LINES)
def test_lines_that_are_no_records_are_passed_over_and_counted(path, capsys, line):
    with Journal(path) as journal:
        journal.append("k", [answer()])
    path.write_bytes(line + path.read_bytes() + line)
    with Journal(path) as journal:
        assert set(journal) == {"k"}
        assert journal.bad_lines == 2
    assert "2 lines are damaged or no records" in capsys.readouterr().err


def test_no_damage_changes_an_answer(path, capsys):
    """Three random bytes of a journal are changed: a record is as it was, or missing and counted."""
    dice = random.Random(3)
    with Journal(path) as journal:
        for i in range(6):
            journal.append(f"k{i}", [answer(j, text=f"text {i} {j}") for j in range(3)])
    whole = path.read_bytes()
    good = stored(path)
    lost = 0
    for _ in range(300):
        damaged = bytearray(whole)
        for at in dice.sample(range(len(whole)), 3):
            damaged[at] ^= 1 << dice.randrange(8)
        path.write_bytes(damaged)
        with Journal(path) as journal:
            kept = dict(journal)
            assert kept.items() <= good.items()
            assert len(kept) == 6 or journal.bad_lines or not damaged.endswith(b"\n")
        lost += len(kept) < 6
    assert lost == 300
    assert "what is missing is asked again" in capsys.readouterr().err


def test_damage_while_a_journal_is_open_is_named(path):
    with Journal(path) as journal:
        journal.append("k", [answer()])
        path.write_bytes(path.read_bytes().replace(b"Lima", b"Rome"))
        with pytest.raises(ValueError, match="not what was written"):
            journal["k"]


def run(code, **options):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, **options
    )


def test_a_second_process_is_refused_and_told_who_has_it(path):
    code = f"from ralc.llm.journal import Journal\nwith Journal({str(path)!r}): print('open')"
    with Journal(path):
        other = run(code)
    assert other.returncode != 0
    assert f"is in use by process {os.getpid()} on" in other.stderr
    assert run(code).returncode == 0


def test_a_child_that_outlives_a_killed_run_does_not_keep_the_next_one_out(path):
    """An engine may fork; its orphan holds no lock."""
    code = textwrap.dedent(f"""
        import os, time
        from ralc.llm.journal import Journal
        with Journal({str(path)!r}):
            child = os.fork()
            if child:
                print(child, flush=True)
            time.sleep(60)
    """)
    killed = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    child = int(killed.stdout.readline())
    killed.kill()
    killed.wait()
    killed.stdout.close()
    try:
        os.kill(child, 0)  # it lives
        assert stored(path) == {}
    finally:
        os.kill(child, signal.SIGKILL)


def test_a_full_disk_is_one_clear_error_and_costs_nothing_recorded(path):
    """A limit on file size makes the kernel cut a write short, as a full disk does."""
    code = textwrap.dedent(f"""
        import resource
        from ralc.llm import Response
        from ralc.llm.journal import Journal, JournalError
        with Journal({str(path)!r}) as journal:
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
            try:
                for i in range(100):
                    journal.append(f"k{{i}}", [Response("k", "x" * 50, "stop")])
            except JournalError as error:
                print(i, len(journal), error)
    """)
    done, remembered, message = run(code).stdout.split(" ", 2)
    assert "File too large" in message
    assert "run again" in message
    assert 0 < int(done) == int(remembered) == len(stored(path)) < 20
    assert path.read_bytes().endswith(b"\n")


def test_journals_of_a_model_are_those_of_its_shards_and_can_be_put_together(tmp_path):
    for name in ("qwen.1of2", "qwen.2of2", "qwen.2.5", "qwen-2.1of3"):
        with Journal(tmp_path / f"{name}.jsonl") as journal:
            journal.append(name, [answer()])
    found = journals_of(tmp_path / "qwen.jsonl")
    assert [path.name for path in found] == ["qwen.1of2.jsonl", "qwen.2of2.jsonl"]
    (tmp_path / "whole.jsonl").write_bytes(b"".join(path.read_bytes() for path in found))
    assert set(stored(tmp_path / "whole.jsonl")) == {"qwen.1of2", "qwen.2of2"}


def test_a_packed_journal_is_read_and_a_torn_one_says_so(path):
    with Journal(path) as journal:
        journal.append("k", [answer()])
    packed = path.with_name("m.jsonl.gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert journals_of(path) == [path, packed]
    with Journal(packed, write=False) as journal:
        assert dict(journal) == stored(path)
    packed.write_bytes(packed.read_bytes()[:-9])
    with pytest.raises(JournalError, match=r"m\.jsonl\.gz is no whole gzip file .*: put it back"):
        Journal(packed, write=False).__enter__()
