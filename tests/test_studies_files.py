"""The laboratory's files: studies fetched, published answers converted, hedges read apart."""

import importlib
import importlib.util

import numpy as np
import pandas as pd
import pytest

from ralc import data, io, precomputed
from studies import download, published
from studies.download import NO_ADDRESS, SOURCES, Source, fetch, main
from studies.second_screening import PENALTIES, regression, worth
from studies.sources import PROVENANCE
from tests.cases import cases
from tests.imported import files_of

PLACE = "zonination/probly.csv"


@cases
def test_a_command_without_what_it_needs_says_so_and_writes_nothing(command, lacking, monkeypatch, capsys):
    before = {path: path.read_bytes() for path in data.path("worldfacts.csv").parent.glob("*.csv")}
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    module = command.split()[0]
    monkeypatch.setattr("sys.argv", command.split())
    with pytest.raises(SystemExit) as left:
        importlib.import_module(f"studies.{module}").main()
    assert left.value.code == 2
    assert lacking in capsys.readouterr().err
    assert {path: path.read_bytes() for path in before} == before


def test_the_command_tells_of_every_file_and_fails_if_one_is_missing(tmp_path, monkeypatch, capsys):
    def fetched(path, source):
        if source.url != "there":
            raise ValueError(f"cannot fetch {source.url}")
        return path

    monkeypatch.setattr(io.files, "fetch", fetched)
    monkeypatch.setattr(download, "SOURCES", {PLACE: Source("there", "0")})
    assert main([str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert f"there: {tmp_path / PLACE}" in told
    assert all(file in told for files in NO_ADDRESS.values() for file in files)
    assert PROVENANCE["tao2025"] in told
    monkeypatch.setattr(download, "SOURCES", {PLACE: Source("nowhere", "0")})
    assert main([str(tmp_path / "other")]) == 1
    assert f"not fetched: {PLACE}: cannot fetch" in capsys.readouterr().out


@pytest.mark.shared
def test_the_checksums_are_those_of_the_studies(shared_data):
    fetched, failed = fetch(shared_data, SOURCES)  # every file is there: nothing is fetched
    assert len(fetched) == len(SOURCES)
    assert failed == {}
    assert all((shared_data / file).is_file() for files in NO_ADDRESS.values() for file in files)


def made(study, source):
    rows = published.read(study, source)
    return precomputed.samples_of(rows, source), precomputed.questions_of(rows, source)


LOST = {
    "llama": "18 of 1000 answers lack token_logprobs",
    "llada": "token_logprobs of 983 of 983 answers are exactly 0: placeholders, all left out, and with them the signal "
    "token_probability",
}


@pytest.mark.parametrize("name", LOST)
def test_samples_of_dlm_uncertainty_keep_their_questions_and_grades(tmp_path, capsys, name):
    source = files_of(name)
    rows, asked = made("dlm_uncertainty", source)
    precomputed.write(rows, tmp_path / "s.jsonl")
    found = precomputed.read(tmp_path / "s.jsonl")
    size = 100 if len(rows) == 100 else 10
    assert len(rows) == len(asked) == size
    for row, question in zip(rows, asked, strict=True):
        right = question["choices"][question["correct_choice"]]
        assert [answer == right for answer in row["answers"]] == [bool(one) for one in row["correct"]]
    told = (found.notes[0], capsys.readouterr().err.removeprefix(f"{source}: ").strip())
    assert size < 100 or LOST[name] in told


@pytest.mark.parametrize("unit", ["\nA. \nB. \nC. ", "\nA. x\nB. "])
def test_what_is_no_question_of_mmlu_is_named(tmp_path, unit):
    path = tmp_path / "x.csv"
    path.write_text(f'question,answer_key\n"Question: {unit * 5_000}",A\n')
    with pytest.raises(ValueError, match=r"line 2, column 'question': no question with the choices A to D"):
        published.read("dlm_uncertainty", path)


def test_answers_of_wang2025_are_as_often_right_as_published():
    rows, asked = made("wang2025", files_of("wang2025"))
    assert len(rows) == len(asked)
    assert not any(row["answers"][0].endswith((".)", '")')) for row in rows)
    if len(rows) == 817:
        assert sum(row["correct"][0] for row in rows) / 817 == pytest.approx(0.315789, abs=1e-6)


def test_the_regression_finds_a_line_and_takes_the_penalty_that_does_best_on_groups_left_out():
    rng = np.random.default_rng(1)
    embeddings = rng.normal(size=(200, 3))
    targets = 0.5 + 0.1 * embeddings[:, 0]
    found = regression(embeddings, targets, [str(row % 20) for row in range(200)])
    assert found.best_params_["ridge__alpha"] == PENALTIES[0]  # nothing is noise
    assert found.predict(np.zeros((1, 3)))[0] == pytest.approx(0.5, abs=0.02)
    means = pd.read_csv(data.path("hedges_second_screening.csv"))["mean"]
    assert means.between(0, 1).all()
    assert means.std() > 0.1


def test_what_is_left_out_is_compared_by_sentence_and_by_phrase():
    rows = pd.DataFrame({"kind": ["question"] * 3 + ["phrase"] * 4})
    rows["group"] = ["a", "b", "c", "likely", "likely", "unlikely", "unlikely"]
    rows["target"] = [0.1, 0.5, 0.9, 0.7, 0.7, 0.2, 0.2]
    read = np.array([0.2, 0.5, 0.8, 0.9, 0.5, 0.0, 0.6])  # by phrase 0.7 and 0.3
    texts = ("3 sentences", "2 phrases")
    assert worth(rows, read) == [f"left out, {text}: Pearson 1.000" for text in texts]
