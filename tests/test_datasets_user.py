"""Questions of the user's own: what is understood and doubted; faults are named by file, row and column."""

import json
from pathlib import Path

import pytest

from ralc import datasets
from tests.cases import cases
from tests.commands import run


def write(tmp_path: Path, *rows: object) -> dict[str, Path]:
    path = tmp_path / "mine.jsonl"
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return {"path": path}


def test_lines_of_json_are_questions_of_the_format_that_their_columns_imply(tmp_path: Path) -> None:
    entry = write(
        tmp_path,
        {"question": "Who wrote Emma?", "accepted": ["Jane Austen", "Austen"]},
        "",
        {"question": "Which?", "choices": ["a1", "b1"], "correct_choice": 1},
        {"question": "How?", "context": "Nothing.", "answerable": False},
        {"question": "Tell me a bio of Ann.", "format": "long_answer", "context": "Ann sang."},
    )
    questions = datasets.load("mine", entry)
    formats = ["short_answer", "multiple_choice", "reading_comprehension", "long_answer"]
    assert questions["format"].tolist() == formats
    assert questions["question_id"].tolist() == [f"mine-0000{line}" for line in (1, 3, 4, 5)]
    assert questions["accepted"].tolist() == [["Jane Austen", "Austen"], ["b1"], [], []]
    assert questions["wrong"].tolist() == [[], ["a1"], [], []]
    assert questions["answerable"].tolist() == [True, True, False, True]


def test_a_cell_may_hold_several_answers_or_choices(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text(
        "question,accepted,choices,correct_choice,subject\n"
        'Who?,Ann | Bea,,,people\nWhich?,,"one, two|three",0,numbers\nWhat?,"[""a; b"", ""c""]",,,people\n',
        encoding="utf-8-sig",
    )
    questions = datasets.load("mine", {"path": str(tmp_path / "mine.csv")})
    assert questions["accepted"].tolist() == [["Ann", "Bea"], ["one, two"], ["a; b", "c"]]
    assert questions["choices"].tolist() == [[], ["one, two", "three"], []]
    assert questions["subject"].tolist() == ["people", "numbers", "people"]


#: A row, and its fault.
FAULTS = """
{"accepted": ["x"]} -> line 2, column 'question': is missing
{"question": 3, "accepted": ["x"]} -> line 2, column 'question': 3: Input should be a valid string
{"question": "Q"} -> line 2, column 'accepted': is missing
{"question": "Q", "accepted": [null]} -> line 2, column 'accepted', value 1: None: Input should be
{"question": "Q", "accepted": {"a": "b"}} -> line 2, column 'accepted', value 1: {'a': 'b'}: Input should be
{"question": "Q", "accepted": [""]} -> line 2, column 'accepted', value 1: '': String should have
{"question": "Q", "choices": ["a", "b"]} -> line 2, column 'correct_choice': None is not a number from 0 to 1
{"question": "Q", "choices": ["a", "b"], "correct_choice": 2} -> 2 is not a number from 0 to 1
{"question": "Q", "choices": ["a", "b"], "correct_choice": true} -> True is not a number from 0 to 1
{"question": "Q", "choices": ["a", "b"], "correct_choice": "A", "accepted": ["B"]} -> is 'a', and another of the choices
{"question": "Q", "choices": ["a", "a"], "correct_choice": 0} -> 'a', which is right, stands twice
{"question": "Q", "choices": ["a"], "correct_choice": 0} -> line 2, column 'choices': 1 of them
{"question": "Q", "accepted": ["x"], "answerable": "perhaps"} -> 'perhaps': Input should be a valid boolean
{"question": "Q", "accepted": ["x"], "answerable": false} -> column 'answerable': is false, and yet
{"question": "Q", "accepted": ["x"], "format": "reading_comprehension"} -> line 2, column 'context': is missing
{"question_id": "q", "question": "Q", "accepted": ["a"]} -> line 2: 'q' stands in line 1, too: keep one
{ -> line 2: not a JSON object (ValueError: EOF while
[1] -> line 2: not a JSON object
"""


@pytest.mark.parametrize("fault", FAULTS.strip().splitlines())
def test_faults_are_named(tmp_path: Path, fault: str) -> None:
    row, where = fault.split(" -> ")
    entry = write(tmp_path, {"question_id": "q", "question": "Good?", "accepted": ["yes"]}, row)
    with pytest.raises(ValueError, match=r"mine\.jsonl") as caught:
        datasets.load("mine", entry)
    assert where in str(caught.value)
    with pytest.raises(ValueError, match=r"the ending must be one of \.csv, \.tsv, \.jsonl"):
        datasets.load("mine", {"path": tmp_path / "mine.xlsx"})


@cases
def test_the_correct_choice_is_derived(
    tmp_path: Path, fields: dict, choice: int, accepted: list[str]
) -> None:
    entry = write(tmp_path, {"question": "Q", "choices": ["One", "2", "Three"], **fields})
    row = datasets.load("mine", entry).iloc[0]
    assert row["correct_choice"] == choice
    assert row["accepted"] == accepted


def findings(tmp_path: Path, rows: str) -> datasets.Findings:
    (tmp_path / "mine.csv").write_text(f"question,accepted\n{rows}")
    return datasets.prepare("mine", {"path": tmp_path / "mine.csv"})[1]


def test_what_was_understood(tmp_path: Path) -> None:
    found = findings(tmp_path, "".join(f"Who is {place}?,a{place}|b{place}\n" for place in range(40)))
    assert dict(found.facts) == {
        "questions": "40",
        "formats": "short_answer 40",
        "accepted answers": "2 to 2 a question, 2.0 on average",
        "known wrong answers": "0 questions have some",
        "unanswerable": "0",
        "subjects": "1",
        "groups": "40 (questions of one group are resampled together)",
        "split": "test 28, train 12",
    }
    assert found.warnings == found.errors == ()
    found.raise_errors()


def test_a_question_in_train_and_test_is_an_error_unless_it_is_published(tmp_path: Path) -> None:
    rows = "".join("Who is it?,a\n" if place < 30 else f"Who is {place}?,b\n" for place in range(40))
    found = findings(tmp_path, rows)
    assert "'Who is it?' (mine-00002, mine-00003, mine-00004, mine-00005)" in found.errors[0]
    with pytest.raises(ValueError, match="in train and in test"):
        found.raise_errors()
    row = {"format": "short_answer", "question": "Who?", "accepted": ["a/b"], "subject": "s"}
    questions = datasets.questions_table([{**row, "question_id": f"q{place}"} for place in range(10)], "d")
    published = datasets.check(questions.assign(split=["train", "test"] * 5), user_file=False)
    assert published.errors == ()
    assert len(published.warnings) == 2


@pytest.mark.parametrize("alias", ["Ann or Bea", "Ann / Bea", "Ann/Bea", "Ann; Bea"])
def test_several_answers_in_one_are_suspected(tmp_path: Path, alias: str) -> None:
    found = findings(tmp_path, f"Who?,{alias}\nWhat?,c\n")
    assert f"mine-00002: is {alias!r} one accepted answer, or several (joined by |)?" in found.warnings
    assert "1 train questions are too few" in found.warnings[-1]


def test_questions_of_another_language_are_told(tmp_path: Path) -> None:
    """A few among many may be names, formulae or slips of the pen."""
    french = [f"Quelle est la capitale du pays {place} ?,a\n" for place in range(5)]
    english = [f"What is the capital of Land {place}?,a\n" for place in range(40)]
    warning = "5 of 45 questions seem not to be English (first: 'Quelle est la capitale du pays 0 ?'); "
    assert findings(tmp_path, "".join(french + english)).warnings[0].startswith(warning)
    assert findings(tmp_path, "".join(french[:4] + english)).warnings == ()


def test_the_command_says_what_it_understood_and_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def check(content: str, *options: str) -> tuple[int, str]:
        path.write_text(content)
        return run(capsys, "check", path, *options)[:2]

    path = tmp_path / "q.tsv"
    good = "question\taccepted\n" + "".join(f"Who is {place}?\tx|y\n" for place in range(40))
    code, text = check(good)
    assert code == 0
    assert "split                test 28, train 12" in text
    told = json.loads(check(good, "--json")[1])
    assert told["facts"]["questions"] == "40"
    assert told["warnings"] == []
    assert told["errors"] == []
    code, text = check("Question\tAnswer\n" + "\tx\n" * 30)
    lines = text.splitlines()
    assert code == 1
    assert len(lines) == 2 + 30
    assert (
        lines[-1]
        == f"  {path}, line 31, column 'question': is missing; fill it, or call the column that has it so"
    )
