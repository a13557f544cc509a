"""Files of a run: damage is found and named, killed writes leave nothing, two writers do no harm."""

import os
import random
import subprocess
import sys
import time
from contextlib import suppress

import pandas as pd
import pytest

import ralc
from ralc import io
from ralc.calibrator import serialization
from ralc.io import files, read_table, say, whole_file, write_table
from ralc.llm.requests import Request
from ralc.llm.tables import RequestFile, to_table

GRADES = pd.DataFrame(
    {
        "question_id": [f"q{i}" for i in range(200)],
        "sentence": 0,
        "prompt": "direct",
        "grade": ["CORRECT", "INCORRECT"] * 100,
        "outcome": pd.array([1, 0] * 100, dtype="Int8"),
    }
)


def outcome(read):
    """What is read, or what the error says."""
    try:
        return read(), None
    except ValueError as error:
        return None, str(error)


def flipped(whole, tries, seed):
    """A file's bytes with one bit changed."""
    dice = random.Random(seed)
    for _ in range(tries):
        damaged = bytearray(whole)
        damaged[dice.randrange(len(whole))] ^= 1 << dice.randrange(8)
        yield bytes(damaged)


def test_no_damaged_table_is_read_as_something_else(tmp_path):
    """150 bit flips: an error that names the file, or the table as it was."""
    path, refused = tmp_path / "grades.parquet", 0
    write_table(GRADES, path, "grades")
    for damaged in flipped(path.read_bytes(), 150, seed=8):
        path.write_bytes(damaged)
        read, problem = outcome(lambda: read_table(path, "grades"))
        if problem is None:
            pd.testing.assert_frame_equal(read, GRADES, check_dtype=False)
        else:
            assert str(path) in problem
            refused += 1
    assert refused > 60


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + b"\0" * 50 + b"PAR1", b"nonsense"])
def test_what_is_no_table_is_named_with_the_remedy(tmp_path, content):
    path = tmp_path / "x.parquet"
    path.write_bytes(content)
    for read in (lambda: read_table(path, "grades"), lambda: RequestFile(path)):
        with pytest.raises(ValueError, match="remove it and run again") as caught:
            read()
        assert str(path) in str(caught.value)


def test_damaged_requests_are_never_sent(tmp_path):
    path = tmp_path / "requests.parquet"
    requests = [Request("m", ({"role": "user", "content": f"Question {i}?"},), seed=i) for i in range(300)]
    with whole_file(path) as temporary:
        to_table(requests).to_parquet(temporary, index=False, write_page_checksum=True)
    for damaged in flipped(path.read_bytes(), 60, seed=9):
        path.write_bytes(damaged)
        read, problem = outcome(lambda: list(RequestFile(path)))
        if problem is None:
            assert read == requests
        else:
            assert "requests.parquet" in problem or "was changed after it was rendered" in problem


@pytest.mark.parametrize("kind", ["maps", "calibrator"])
def test_no_damaged_json_is_read_as_something_else(tmp_path, kind):
    """300 bit flips: an error that names the file, or what was written."""
    path = tmp_path / "fit.json"
    scores = [0.1, 0.4, 0.35, 0.8, 0.7, 0.2] * 20
    fitted = ralc.WordCalibrator().fit(scores, [0, 1, 0, 1, 1, 0] * 20)
    if kind == "maps":
        io.write_json([{"signal": "score", "n": 120, **fitted.map_.to_dict()}] * 4, path)
        load = io.read_json
    else:
        fitted.save(path)
        load = serialization.read
    written = load(path)
    for damaged in flipped(path.read_bytes(), 300, seed=10):
        path.write_bytes(damaged)
        read, problem = outcome(lambda: load(path))
        assert read == written if problem is None else str(path) in problem


def test_a_write_that_fails_leaves_the_file_as_it_was_and_nothing_else(tmp_path):
    io.write_text("whole", tmp_path / "out.csv")
    with suppress(KeyError), whole_file(tmp_path / "out.csv") as temporary:
        temporary.write_text("half")
        raise KeyError
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("out.csv", "whole")]


def test_what_killed_writers_left_is_swept_after_an_hour(tmp_path):
    code = f"""
import os
from ralc.io import whole_file
with whole_file({str(tmp_path / "metrics" / "out.csv")!r}) as temporary:
    temporary.write_text("half")
    os.kill(os.getpid(), 9)
"""
    for _ in range(2):
        subprocess.run([sys.executable, "-c", code], check=False)
    old, young = (tmp_path / "metrics").iterdir()
    os.utime(old, (0, time.time() - 2 * files.OLD_S))
    io.sweep(tmp_path)
    assert list((tmp_path / "metrics").iterdir()) == [young]


@pytest.mark.parametrize("quiet", ["", "1"])
def test_progress_is_in_the_log_and_on_the_console_unless_that_is_to_be_quiet(tmp_path, quiet):
    code = f"from ralc import io; io.log_to({str(tmp_path / 'a.log')!r}); io.say('15/40 answered'); print('more')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {io.QUIET: quiet},
    )
    assert (tmp_path / "a.log").read_text().splitlines() == ["15/40 answered", "more"]
    assert done.stderr == ("" if quiet else "15/40 answered\n")


@pytest.mark.parametrize(
    ("error", "said"),
    [("ValueError('a.csv, line 3: odd')", "a.csv, line 3: odd"), ("KeyError('x')", "KeyError: 'x'")],
)
def test_what_ends_a_job_is_one_line_on_the_console_and_has_its_traceback_in_the_log(tmp_path, error, said):
    log = tmp_path / "a.log"
    code = f"from ralc import io; io.log_to({str(log)!r}); raise {error}"
    environment = os.environ | {io.QUIET: "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.returncode == 1
    assert done.stderr.strip() == f"ralc: {said}\n(more in {log})"
    assert "Traceback" in log.read_text()
    assert error.partition("(")[0] in log.read_text()


def test_without_a_log_it_is_said_once(capsys):
    say("hello")
    assert capsys.readouterr().err == "hello\n"
