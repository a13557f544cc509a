"""What is found in a file of questions before anything is spent."""

import json
from pathlib import Path

import pandas as pd
import pytest

from ralc import datasets
from ralc.cli.app import main

HEADER = "question,accepted\n"


def prepare(tmp_path: Path, text: str) -> datasets.Findings:
    path = tmp_path / "mine.csv"
    path.write_text(text)
    return datasets.prepare("mine", {"path": path})[1]


def test_what_was_understood(tmp_path: Path) -> None:
    rows = "".join(f"Who is {place}?,a{place}|b{place}\n" for place in range(40))
    findings = prepare(tmp_path, HEADER + rows)
    assert dict(findings.facts) == {
        "questions": "40",
        "formats": "short_answer 40",
        "accepted answers": "2 to 2 a question, 2.0 on average",
        "known wrong answers": "0 questions have some",
        "unanswerable": "0",
        "subjects": "1",
        "groups": "40 (questions of one group are resampled together)",
        "split": "test 28, train 12",
    }
    assert findings.warnings == findings.errors == ()
    findings.raise_errors()


def test_a_question_in_train_and_test_is_an_error(tmp_path: Path) -> None:
    rows = "".join("Who is it?,a\n" if place < 30 else f"Who is {place}?,b\n" for place in range(40))
    findings = prepare(tmp_path, HEADER + rows)
    assert findings.errors[0].startswith("in train and in test")
    assert "'Who is it?' (mine-00002, mine-00003, mine-00004, mine-00005)" in findings.errors[0]
    with pytest.raises(ValueError, match="in train and in test"):
        findings.raise_errors()


def test_official_questions_repeat_themselves() -> None:
    row = {"format": "short_answer", "question": "Who?", "accepted": ["a/b"], "subject": "s"}
    questions = datasets.questions_table([{**row, "question_id": f"q{place}"} for place in range(10)], "d")
    questions = questions.assign(split=["train"] * 5 + ["test"] * 5)
    assert datasets.check(questions, own=False).errors == ()
    assert datasets.check(questions).errors


@pytest.mark.parametrize("alias", ["Ann or Bea", "Ann / Bea", "Ann/Bea"])
def test_several_answers_in_one_are_suspected(tmp_path: Path, alias: str) -> None:
    findings = prepare(tmp_path, HEADER + f"Who?,{alias}\nWhat?,c\n")
    assert f"mine-00002: is {alias!r} one accepted answer, or several (joined by |)?" in findings.warnings
    assert "1 train questions are too few" in findings.warnings[-1]


def test_questions_of_another_language_are_told(tmp_path: Path) -> None:
    """A few among many may be names, formulae or slips of the pen."""
    french = [f"Quelle est la capitale du pays {place} ?,a\n" for place in range(5)]
    english = [f"What is the capital of Land {place}?,a\n" for place in range(40)]
    told = "5 of 45 questions seem not to be English (first: 'Quelle est la capitale du pays 0 ?'); "
    assert prepare(tmp_path, HEADER + "".join(french + english)).warnings[0].startswith(told)
    assert prepare(tmp_path, HEADER + "".join(french[:4] + english)).warnings == ()


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "q.tsv"
    path.write_text("question\taccepted\n" + "".join(f"Who is {place}?\tx|y\n" for place in range(40)))
    with pytest.raises(SystemExit) as stopped:
        main(["check", str(path)])
    assert stopped.value.code == 0
    assert "split                test 28, train 12" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["check", str(path), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (told["facts"]["questions"], told["warnings"], told["errors"]) == ("40", [], [])
    path.write_text("Question\tAnswer\nWho?\n" + "\tx\n" * 30)
    with pytest.raises(SystemExit) as stopped:
        main(["check", str(path)])
    assert stopped.value.code == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].startswith(f"  {path}, line 2: 1 cells where the header has 2: Who?; ")
    assert lines[-1] == f"  {path}, line 32, column 'question': is missing"
    assert len(lines) == 2 + 31


@pytest.mark.long
@pytest.mark.shared
def test_mmlu_repeats_are_kept_and_counted(shared_data: Path) -> None:
    questions, findings = datasets.prepare("mmlu", {"path": str(shared_data / "mmlu/test")})
    assert isinstance(questions, pd.DataFrame)
    assert findings.errors == ()
    assert any(text.startswith("asked more than once") for text in findings.warnings)
