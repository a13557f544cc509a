"""Files of a run: damage is found and named, killed writes leave nothing; the log, the console, and downloads."""

import hashlib
import io as buffers
import os
import random
import re
import subprocess
import sys
import tarfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path

import pandas as pd
import pooch
import pytest
from pyarrow import parquet

import ralc
from ralc import datasets, io
from ralc.calibrator import serialization
from ralc.clustering import LexicalClusterer
from ralc.datasets import loading
from ralc.datasets.published import factscore, mmlu, squad2, truthfulqa
from ralc.io import read_table, say, whole_file, write_table
from ralc.io.files import Source, fetch
from ralc.llm.requests import Request
from ralc.llm.tables import request_parts, to_table
from ralc.registry import FORMATS
from ralc.results.labels import label
from tests.synthetic import make_questions

DATA = Path(__file__).parent / "data"
GRADES = pd.DataFrame({"question_id": [f"q{i}" for i in range(200)], "sentence": 0, "prompt": "direct"})
GRADES["grade"] = ["CORRECT", "INCORRECT"] * 100
GRADES["outcome"] = pd.array([1, 0] * 100, dtype="Int8")


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


def test_a_damaged_note_of_pandas_is_no_missing_column(tmp_path):
    path = tmp_path / "grades.parquet"
    write_table(GRADES, path, "grades")
    whole = parquet.read_table(path)
    notes = {key: note.replace(b'"name": ', b'"nane": ') for key, note in whole.schema.metadata.items()}
    parquet.write_table(whole.replace_schema_metadata(notes), path)
    with pytest.raises(
        ValueError, match=r"grades\.parquet: is damaged or no grades table: .*its notes lack 'name'"
    ):
        read_table(path, "grades")


def test_no_damaged_table_is_read_as_something_else(tmp_path):
    """150 bit flips: an error that names the file, or the table as it was."""
    path = tmp_path / "grades.parquet"
    refused = 0
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
    for read in (lambda: read_table(path, "grades"), lambda: list(request_parts(path))):
        with pytest.raises(ValueError, match="remove it and run again") as caught:
            read()
        assert str(path) in str(caught.value)


def test_damaged_requests_are_never_sent(tmp_path):
    path = tmp_path / "requests.parquet"
    requests = [Request("m", ({"role": "user", "content": f"Question {i}?"},), seed=i) for i in range(300)]
    to_table(requests).to_parquet(path, index=False, write_page_checksum=True)
    for damaged in flipped(path.read_bytes(), 60, seed=9):
        path.write_bytes(damaged)
        read, problem = outcome(lambda: list(request_parts(path)))
        assert (
            read == [(300, requests)]
            if problem is None
            else re.search("requests.parquet|after it was rendered", problem)
        )


def test_no_damaged_calibrator_is_read_as_something_else(tmp_path):
    """300 bit flips: an error that names the file, or what was written."""
    path = tmp_path / "fit.json"
    fitted = ralc.WordCalibrator().fit([0.1, 0.4, 0.35, 0.8, 0.7, 0.2] * 20, [0, 1, 0, 1, 1, 0] * 20)
    fitted.save(path)
    written = serialization.read(path)
    for damaged in flipped(path.read_bytes(), 300, seed=10):
        path.write_bytes(damaged)
        read, problem = outcome(lambda: serialization.read(path))
        assert read == written if problem is None else str(path) in problem


def test_writes_that_fail_or_are_killed_leave_the_file_as_it_was(tmp_path):
    io.write_json({"whole": 1}, tmp_path / "out.json")
    with suppress(KeyError), whole_file(tmp_path / "out.json") as temporary:
        temporary.write_text("half")
        raise KeyError
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]
    code = "import os\nfrom ralc.io import whole_file\nwith whole_file('out.json') as file:\n"
    code += "    file.write_text('half')\n    os.kill(os.getpid(), 9)"
    subprocess.run([sys.executable, "-c", code], check=False, cwd=tmp_path)
    assert io.read_json(tmp_path / "out.json") == {"whole": 1}
    (tmp_path / "out.json").write_text("{")
    with pytest.raises(ValueError, match=r"out\.json: is damaged or no JSON: remove it and run again"):
        io.read_json(tmp_path / "out.json")


@pytest.mark.parametrize("quiet", ["", "1"])
def test_progress_is_in_the_log_and_on_the_console_unless_that_is_to_be_quiet(tmp_path, quiet):
    code = "from ralc import io; io.log_to('a.log'); io.say('15/40 answered'); print('more')"
    how = {"capture_output": True, "text": True, "check": True, "env": os.environ | {io.QUIET: quiet}}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, **how)
    assert (tmp_path / "a.log").read_text().splitlines() == ["15/40 answered", "more"]
    assert done.stderr == ("" if quiet else "15/40 answered\n")


@pytest.mark.parametrize(
    ("error", "said"),
    [("ValueError('a.csv, line 3: odd')", "a.csv, line 3: odd"), ("KeyError('x')", "KeyError: 'x'")],
)
def test_what_ends_a_job_is_one_line_on_the_console_and_has_its_traceback_in_the_log(tmp_path, error, said):
    code = f"from ralc import io; io.log_to('a.log'); raise {error}"
    how = {"capture_output": True, "text": True, "env": os.environ | {io.QUIET: "1"}}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, **how)
    assert done.returncode == 1
    assert done.stderr.strip() == f"ralc: {said}\n(more in a.log)"
    assert re.search(rf"Traceback(.|\n)*{error.partition('(')[0]}", (tmp_path / "a.log").read_text())


def test_a_long_step_says_how_far_it_is_and_a_short_one_nothing(capsys, monkeypatch):
    questions = make_questions(("worldfacts-qa",), 2)
    answers = questions[["question_id"]].assign(
        sentence=0, prompt="direct", sample=0, text="A.", finish_reason="stop"
    )
    say("hello")
    LexicalClusterer().result(answers, questions)
    assert capsys.readouterr().err == "hello\n"
    monkeypatch.setattr("ralc.io.console.EVERY_S", 0.0)
    LexicalClusterer().result(answers, questions)
    last = capsys.readouterr().err.splitlines()[-1]
    assert re.fullmatch(r"clusters: 2/2 questions \(100 %\), +[\d.]+ questions/s, 00:00 left", last)


class Handler(SimpleHTTPRequestHandler):
    """One connection to a server of the files in a folder; of the file ``cut`` it says more than it sends."""

    asked: list[str]

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""

    def send_header(self, name: str, value: str) -> None:
        """Send a header."""
        cut = self.path == "/cut" and name == "Content-Length"
        super().send_header(name, str(int(value) + 100) if cut else value)

    def do_GET(self) -> None:
        """Send a file."""
        self.asked.append(self.path[1:])
        super().do_GET()


class Files:
    """A folder that is served, and what was asked for."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.port = port
        self.asked = []

    def source(self, name: str, content: bytes) -> Source:
        """Serve a file, and say where it lies."""
        (self.folder / name).write_bytes(content)
        return Source(f"http://127.0.0.1:{self.port}/{name}", hashlib.sha256(content).hexdigest())


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Files]:
    """The server, of a folder ``served``."""
    (tmp_path / "served").mkdir()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=tmp_path / "served")) as serving:
        serving.daemon_threads = True
        served = Files(tmp_path / "served", serving.server_address[1])
        Handler.asked = served.asked
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield served
        serving.shutdown()


def test_what_is_not_the_file_is_refused_and_not_kept(server: Files, tmp_path: Path) -> None:
    changed = Source(server.source("a.csv", b"changed").url, hashlib.sha256(b"known").hexdigest())
    missing = changed._replace(url=f"{changed.url}x")
    cut = server.source("cut", b"half of it")
    for source, fault in ((changed, "does not match"), (missing, "404"), (cut, "cannot fetch")):
        with pytest.raises(ValueError, match=fault):
            fetch(tmp_path / "data/file.csv", source)
    assert not [path for path in (tmp_path / "data").rglob("*") if path.is_file()]


def test_datasets_of_the_paper_without_a_path_are_fetched_once(
    server: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = buffers.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as file:
        file.add(DATA / "mmlu_tiny", "data/test")
        file.add(DATA / "mmlu_tiny", "data/dev")
    tiny = [(DATA / name).read_bytes() for name in ("squad2_tiny.json", "truthfulqa_tiny.csv")]
    served = {"data.tar": archive.getvalue(), "dev-v2.0.json": tiny[0], "TruthfulQA.csv": tiny[1]}
    for module, (name, content) in zip((mmlu, squad2, truthfulqa), served.items(), strict=True):
        monkeypatch.setattr(module, "SOURCES", (server.source(name, content),))
    monkeypatch.setattr(factscore, "SOURCES", [server.source(f"{name}.jsonl", b"{}") for name in "AB"])
    monkeypatch.setattr(pooch, "os_cache", lambda name: tmp_path / "cache" / name)
    for _ in range(2):
        counts = {name: len(datasets.load(name)) for name in ("mmlu", "squad2", "truthfulqa")}
        assert counts == {"mmlu": 5, "squad2": 3, "truthfulqa": 2}
    assert server.asked == [*served]
    assert {file.name for file in loading.fetched("factscore").iterdir()} == {"A.jsonl", "B.jsonl"}
    (tmp_path / "cache/ralc/squad2/dev-v2.0.json").unlink()
    (server.folder / "dev-v2.0.json").unlink()
    with pytest.raises(ValueError, match=r"dataset 'squad2': .*404.*give the `path` of a file that you have"):
        datasets.load("squad2")


def test_every_published_dataset_has_addresses_a_licence_a_title_and_a_size() -> None:
    for name in loading.PUBLISHED:
        module = import_module(f"ralc.datasets.published.{name}")
        assert all(len(source.sha256) == 64 for source in module.SOURCES)
        assert module.LICENCE
        assert label(name) == module.TITLE
        assert module.SIZE[1] in FORMATS
