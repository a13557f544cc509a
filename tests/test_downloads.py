"""Files fetched from a server on this machine: whole, changed, missing, cut, and there already."""

import hashlib
import io
import tarfile
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path

import pooch
import pytest
import yaml

from ralc import datasets
from ralc.config import Config
from ralc.datasets import loading
from ralc.datasets.published import factscore, mmlu, squad2, truthfulqa
from ralc.io.files import Source, fetch
from ralc.planning import OFFICIAL

DATA = Path(__file__).parent / "data"
PRESETS = Path(__file__).parents[1] / "workflow" / "presets"


class Files(ThreadingHTTPServer):
    """A server of some files by name; of those in `cut` it says more than it sends."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files: dict[str, bytes] = {}
        self.cut: set[str] = set()
        self.asked: list[str] = []

    def source(self, name: str, content: bytes) -> Source:
        """Serve a file, and say where it lies."""
        self.files[name] = content
        url = f"http://127.0.0.1:{self.server_port}/{name}"
        return Source(url, hashlib.sha256(content).hexdigest())


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Send a file."""
        name = self.path[1:]
        self.server.asked.append(name)
        content = self.server.files.get(name)
        self.send_response(404 if content is None else 200)
        self.send_header("Content-Length", str(len(content or b"") + 100 * (name in self.server.cut)))
        self.end_headers()
        self.wfile.write(content or b"")


@pytest.fixture
def server() -> Iterator[Files]:
    """The server."""
    with Files() as files:
        threading.Thread(target=files.serve_forever, daemon=True).start()
        yield files
        files.shutdown()


def left(folder: Path) -> list[str]:
    """The files below a folder."""
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_a_file_is_fetched_once(server: Files, tmp_path: Path) -> None:
    source = server.source("a.csv", b"one,two")
    for _ in range(2):
        assert fetch(tmp_path / "deep/a.csv", source).read_bytes() == b"one,two"
    assert server.asked == ["a.csv"]


def test_what_is_not_the_file_is_refused_and_not_kept(server: Files, tmp_path: Path) -> None:
    changed = Source(server.source("a.csv", b"changed").url, hashlib.sha256(b"known").hexdigest())
    missing = Source(server.source("b.csv", b"").url + "x", changed.sha256)
    cut = server.source("c.csv", b"half of it")
    server.cut.add("c.csv")
    for source, said in (
        (changed, "does not match the known hash"),
        (missing, "404"),
        (cut, "cannot fetch"),
    ):
        with pytest.raises(ValueError, match=said):
            fetch(tmp_path / "data/file.csv", source)
    assert left(tmp_path) == []
    server.cut.clear()
    assert fetch(tmp_path / "data/file.csv", cut).read_bytes() == b"half of it"


def test_a_file_that_is_there_is_never_replaced(server: Files, tmp_path: Path) -> None:
    source = server.source("a.csv", b"official")
    (tmp_path / "a.csv").write_bytes(b"my own")
    with pytest.raises(ValueError, match=r"a\.csv: is not the file of SHA-256 .*: move it away first"):
        fetch(tmp_path / "a.csv", source)
    assert (tmp_path / "a.csv").read_bytes() == b"my own"
    assert server.asked == []


@pytest.fixture
def official(server: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Files:
    """The tiny files at the addresses of the paper's datasets, and a cache of one's own."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as file:
        file.add(DATA / "mmlu_tiny", "data/test")
        file.add(DATA / "mmlu_tiny", "data/dev")
    sources = {
        "mmlu": server.source("data.tar", archive.getvalue()),
        "squad2": server.source("dev-v2.0.json", (DATA / "squad2_tiny.json").read_bytes()),
        "truthfulqa": server.source("TruthfulQA.csv", (DATA / "truthfulqa_tiny.csv").read_bytes()),
    }
    for module in (mmlu, squad2, truthfulqa):
        monkeypatch.setattr(module, "SOURCES", (sources[module.__name__.rpartition(".")[2]],))
    monkeypatch.setattr(pooch, "os_cache", lambda name: tmp_path / "cache" / name)
    return server


def test_datasets_of_the_paper_without_a_path_are_fetched_once(official: Files) -> None:
    for _ in range(2):
        counts = {name: len(datasets.load(name)) for name in ("mmlu", "squad2", "truthfulqa")}
        assert counts == {"mmlu": 5, "squad2": 3, "truthfulqa": 2}
    assert official.asked == ["data.tar", "dev-v2.0.json", "TruthfulQA.csv"]


def test_a_dataset_that_cannot_be_had_is_named_with_the_remedy(official: Files) -> None:
    official.files.clear()
    with pytest.raises(ValueError, match=r"dataset 'squad2': .*404.*give the `path` of a file that you have"):
        datasets.load("squad2")


def test_every_published_dataset_has_addresses_a_licence_and_a_size() -> None:
    for name in loading.PUBLISHED:
        module = import_module(f"ralc.datasets.published.{name}")
        assert all(len(source.sha256) == 64 for source in module.SOURCES)
        assert module.LICENCE
    assert set(OFFICIAL) <= set(loading.PUBLISHED)


def test_a_dataset_of_several_files_is_their_folder(official: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = tuple(official.source(name, b"{}") for name in ("A.jsonl", "B.jsonl"))
    monkeypatch.setattr(factscore, "SOURCES", sources)
    folder = loading.fetched("factscore")
    assert sorted(file.name for file in folder.iterdir()) == ["A.jsonl", "B.jsonl"]


@pytest.mark.parametrize("name", ["paper", "benchmarks"])
def test_presets_of_the_paper_point_into_no_folder(name: str) -> None:
    config = Config.model_validate(yaml.safe_load((PRESETS / f"{name}.yaml").read_text()))
    assert config.run.datasets == ["mmlu", "squad2", "truthfulqa"]
    assert all(config.datasets[dataset].path is None for dataset in config.run.datasets)
