"""Fetching the studies, from a server on this machine: right and wrong checksums, what is there, what is missing."""

import hashlib
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from ralc.human_benchmark.studies import read_phrase_survey
from studies import download
from studies.download import NO_ADDRESS, SOURCES, Source, fetch, main
from studies.sources import PROVENANCE

SURVEY = b"Likely,Unlikely\n70,20\n80,\n"
SHA256 = hashlib.sha256(SURVEY).hexdigest()
PLACE = "zonination/probly.csv"


@pytest.fixture
def server(tmp_path):
    """Address of a server of one small survey."""
    (tmp_path / "served").mkdir()
    (tmp_path / "served/probly.csv").write_bytes(SURVEY)

    class Silent(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            """Keep quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=tmp_path / "served")) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_address[1]}"
        serving.shutdown()


def test_a_fetched_study_is_read_from_its_place(server, tmp_path):
    fetched, failed = fetch(tmp_path / "data", {PLACE: Source(f"{server}/probly.csv", SHA256)})
    assert fetched == [tmp_path / "data" / PLACE]
    assert failed == {}
    assert fetched[0].read_bytes() == SURVEY
    assert sorted(read_phrase_survey(tmp_path / "data", "zonination")["score"]) == [0.2, 0.7, 0.8]


def test_the_command_tells_of_every_file_and_fails_if_one_is_missing(server, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(download, "SOURCES", {PLACE: Source(f"{server}/probly.csv", SHA256)})
    assert main([str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert f"there: {tmp_path / PLACE}" in told
    assert all(file in told for files in NO_ADDRESS.values() for file in files)
    assert PROVENANCE["tao2025"] in told
    monkeypatch.setattr(download, "SOURCES", {PLACE: Source(f"{server}/none.csv", SHA256)})
    assert main([str(tmp_path / "other")]) == 1
    assert f"not fetched: {PLACE}: cannot fetch" in capsys.readouterr().out


@pytest.mark.shared
def test_the_checksums_are_those_of_the_studies(shared_data):
    fetched, failed = fetch(shared_data, SOURCES)  # every file is there: nothing is fetched
    assert failed == {}
    assert len(fetched) == len(SOURCES)
    assert all((shared_data / file).is_file() for files in NO_ADDRESS.values() for file in files)
