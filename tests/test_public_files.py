"""Files in the shapes of public bug reports of other projects: each input as it is, and variants of each kind.

They stand in `tests/data/public_files`: the reported ones by their kind, our variants in the folder `own`.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ralc import WordCalibrator, datasets
from tests.cases import cases
from tests.commands import exit_code

DATA = Path(__file__).parent / "data" / "public_files"
OWN = DATA / "own"


def run(command, **paths):
    """The exit code of a command, with paths in their places."""
    return exit_code(command.format(data=DATA, own=OWN, **paths))


def read(path):
    """The rows of JSON lines; a NaN is no JSON."""

    def refuse(text):
        raise AssertionError(f"{text} in JSON")

    return [json.loads(line, parse_constant=refuse) for line in path.read_text().splitlines()]


def placed(folder, file):
    """The path of a file of the set; one in Parquet is made of its rows in JSON lines."""
    path = DATA / file
    if path.suffix != ".parquet":
        return path
    pd.DataFrame(read(path.with_suffix(".jsonl"))).to_parquet(folder / path.name)
    return folder / path.name


def imported(folder, form, file, options=""):
    """The rows of samples and of questions that `ralc import` makes."""
    made = {kind: folder / f"made_{kind}.jsonl" for kind in ("samples", "questions")}
    command = f"import {form} {{data}}/{file} {options} --samples={{samples}} --questions={{questions}}"
    assert run(command, **made) == 0
    return [read(path) for path in made.values()]


# ---- samples


@cases
def test_each_sample_counts(form, file, counts, tmp_path):
    samples, questions = imported(tmp_path, form, file)
    assert [len(row["answers"]) for row in samples] == counts
    named = [row.get("question_id", row["question"]) for row in questions]
    assert len(set(named)) == len(counts)
    assert named == [row.get("question_id", row["question"]) for row in samples]


def test_a_copy_of_a_sample_is_said(tmp_path, capsys):
    imported(tmp_path, "openai", "own/a_copy_of_a_sample.jsonl")
    assert "1 answers stand there twice, and count once" in capsys.readouterr().err


def test_the_answers_of_a_run_a_seed_are_those_that_were_drawn(tmp_path):
    file = "08_seeds/samples_all_seeds.jsonl"
    samples, _ = imported(tmp_path, "lm_eval", file, "--correct=exact_match")
    drawn = pd.DataFrame(read(DATA / file)).astype({"doc_id": str}).groupby("doc_id")
    for row in samples:
        same = drawn.get_group(row["question_id"])
        assert row["answers"] == same["resps"].str[0].str[0].tolist()
        assert row["correct"] == same["exact_match"].tolist()


@cases
def test_a_text_is_an_answer(form, file, options, answers, raw, question, accepted, tmp_path):
    """Reasoning is none, and stands in ``raw_answers``."""
    samples, questions = imported(tmp_path, form, file, options)
    assert [row["answers"] for row in samples[: len(answers)]] == answers
    assert samples[0].get("raw_answers") == raw
    assert questions[0]["question"] == question
    assert questions[0]["accepted"] == accepted


@cases
def test_answers_are_taken_without_a_key(form, file, options, counts, told, tmp_path):
    command = f"import {form} {{data}}/{file} {options} --samples={{samples}}"
    assert run(command, samples=tmp_path / "s.jsonl") == 0
    rows = {row["question"]: row["answers"] for row in read(tmp_path / "s.jsonl")}
    assert [len(answers) for answers in rows.values()] == counts
    assert rows | told == rows


# ---- what is right


@cases
def test_the_questions_of_a_log_are_kept(form, file, told, tmp_path):
    imported(tmp_path, form, file)
    asked = datasets.load("q", {"path": tmp_path / "made_questions.jsonl"})
    assert json.loads(asked[[*told]].to_json(orient="columns")) == {
        name: {str(row): value for row, value in enumerate(values)} for name, values in told.items()
    }


@cases
def test_what_is_partly_right_is_ungraded_and_counted(form, file, correct, grades, tmp_path, capsys):
    samples, questions = imported(tmp_path, form, file, f"--correct={correct}" if correct else "")
    assert [row.get("correct") for row in samples] == grades
    assert len(questions) == len(samples)
    missing = grades.count(None)
    said = f"of {len(grades)} answers are ungraded"
    said = f"{missing} {said}" if any(grades) else f"all answers are ungraded: {correct} calls none right or"
    assert (said in capsys.readouterr().out) == bool(missing)


# ---- benchmarks


@cases
def test_benchmarks_go_in_as_they_are(file, form, told, tmp_path):
    entry = {"path": placed(tmp_path, file)} | ({"format": form} if form else {})
    first = json.loads(datasets.load("bench", entry).iloc[0].to_json())
    assert first | told == first


def test_an_unanswerable_question_of_squad_is_one(tmp_path):
    path = placed(tmp_path, "own/squad_v2_validation.parquet")
    assert datasets.load("bench", {"path": path})["answerable"].tolist() == [True, False]


@cases
def test_check_shows_what_is_accepted(file, accepted, tmp_path, capsys):
    assert run("check {path}", path=placed(tmp_path, file)) == 0
    told = capsys.readouterr()
    assert "columns: " in told.err
    assert told.out.count(" accepted: ") == 3
    assert f"accepted: {accepted}" in told.out


def test_check_doubts_worked_solutions_and_codes(capsys):
    assert run("check {own}/doubts.csv") == 0
    doubts = [line for line in capsys.readouterr().out.splitlines() if line.endswith("?") and ": is " in line]
    assert [line.split("'")[1][:8] for line in doubts] == ["EUR", "She has ", "P_12", "B"]
    assert "or a code for one" in doubts[0]
    assert "or a worked solution" in doubts[1]


def test_check_doubts_each_way_to_an_answer_and_no_name(capsys):
    assert run("check {own}/ways.csv") == 0
    doubts = [line for line in capsys.readouterr().out.splitlines() if "or a worked solution" in line]
    assert [line.split(":")[0].strip() for line in doubts] == [f"ways-{row:05d}" for row in (2, 3, 4, 5)]


# ---- tables to fit on


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """What is learned of the table as it is in plain CSV."""
    path = tmp_path_factory.mktemp("plain") / "cal.json"
    assert run("fit {own}/plain.csv --out {path}", path=path) == 0
    return json.loads(path.read_text())["calibration"]["learned"]


@cases
def test_a_table_is_taken_whole(file, options, tmp_path, plain):
    assert run(f"fit {{data}}/{file} --out {{path}} {options}", path=tmp_path / "cal.json") == 0
    saved = json.loads((tmp_path / "cal.json").read_text())
    assert saved["card"]["n"] == 20
    assert saved["calibration"]["learned"] == {name: pytest.approx(value) for name, value in plain.items()}


def test_scores_of_a_hundred_are_taken_by_their_scale(tmp_path):
    path = tmp_path / "cal.json"
    assert run("fit {data}/11_tables/hundred_with_ones.csv --out {path} --scale=100", path=path) == 0
    assert json.loads(path.read_text())["card"]["n"] == 25


# ---- what is refused, and with what remedy


@cases
def test_what_is_refused_is_named_with_its_remedy_and_nothing_is_written(
    command, file, told, tmp_path, capsys
):
    assert run(command, file=DATA / file, out=tmp_path / "out.jsonl") in (1, 2)
    said = "".join(capsys.readouterr())
    assert told in said
    assert Path(file).name in said
    assert not [*tmp_path.iterdir()]


def test_columns_that_are_not_used_are_named_with_what_they_may_be(tmp_path, capsys):
    assert run("fit {own}/columns_not_used.csv --out {path}", path=tmp_path / "cal.json") == 0
    told = capsys.readouterr().err
    assert "not used: score, topic; 'score': --score score?" in told
    assert "the words of the answers are read" in told


def test_a_column_that_json_cannot_hold_is_named(tmp_path, capsys):
    path = tmp_path / "f.parquet"
    out = tmp_path / "out.jsonl"
    pd.DataFrame({"text": ["Perhaps."], "image": [b"\xff\xd8"]}).to_parquet(path)
    assert run("read {path} --out {out}", path=path, out=out) == 2
    assert "out.jsonl, column 'image': JSON has no bytes; write .parquet" in capsys.readouterr().err
    assert not out.exists()


# ---- an answer beside its samples


def refitted(folder, samples, asked):
    """The calibrator of a file, and the rows of another that it rewrote."""
    paths = {"saved": folder / "cal.json", "out": folder / "out.jsonl"}
    assert run(f"fit {{own}}/{samples} --out {{saved}}", **paths) == 0
    assert run(f"rewrite {{own}}/{asked} --calibrator {{saved}} --out {{out}}", **paths) == 0
    return WordCalibrator.load(paths["saved"]), pd.DataFrame(read(paths["out"]))


def test_of_an_answer_beside_samples_the_confidence_is_their_agreement_with_it(tmp_path, capsys):
    calibrator, made = refitted(tmp_path, *["answer_beside_samples.jsonl"] * 2)
    assert "the samples' agreement with the answer in 'answer'" in capsys.readouterr().err
    assert calibrator.signal_ == "semantic_uncertainty"
    assert calibrator.design_.own_answer
    three = made[:3]
    _, confidence = calibrator.confidence_of(
        three["samples"].tolist(), answers=three["answer"].tolist(), questions=three["question"].tolist()
    )
    assert three["answer"].tolist() == ["Lima", "Cusco", "Puno"]
    assert confidence.mean.tolist() == [3.5 / 5, 1.5 / 5, 0.5 / 5]
    assert (np.diff(three["target"]) <= 0).all()
    assert all(answer in text for answer, text in zip(made["answer"], made["text"], strict=True))


def test_a_calibrator_of_majorities_takes_no_answer_beside_samples(tmp_path, capsys):
    _, made = refitted(tmp_path, "majorities.jsonl", "majority_beside_answer.jsonl")
    assert "Lima" in made["text"][0]
    assert "agreement" not in capsys.readouterr().err
