"""Questions of the user's own: what is understood, and that faults are named by file, row and column."""

import json
from pathlib import Path

import pytest

from ralc import datasets


def write(tmp_path: Path, *rows: object) -> dict[str, Path]:
    path = tmp_path / "mine.jsonl"
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return {"path": path}


def test_jsonl(tmp_path: Path) -> None:
    entry = write(
        tmp_path,
        {"question": "Who wrote Emma?", "accepted": ["Jane Austen", "Austen"]},
        "",
        {"question": "Which?", "choices": ["a1", "b1"], "correct_choice": 1},
        {"question": "How?", "context": "Nothing.", "answerable": False},
    )
    questions = datasets.load("mine", entry)
    assert questions["format"].tolist() == ["short_answer", "multiple_choice", "reading_comprehension"]
    assert questions["question_id"].tolist() == ["mine-00001", "mine-00003", "mine-00004"]
    assert questions["accepted"].tolist() == [["Jane Austen", "Austen"], ["b1"], []]
    assert questions["wrong"].tolist() == [[], ["a1"], []]
    assert questions["answerable"].tolist() == [True, True, False]


def test_long_answers_need_no_accepted_one(tmp_path: Path) -> None:
    long = {"question": "Tell me a bio of Ann.", "format": "long_answer", "context": "Ann sang."}
    questions = datasets.load("mine", write(tmp_path, long))
    assert questions[["format", "context"]].to_numpy().tolist() == [["long_answer", "Ann sang."]]


def test_csv(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(
        "question,accepted,choices,correct_choice,subject\n"
        "Who?,Ann | Bea,,,people\n"
        'Which?,,"one, two|three",0,numbers\n',
        encoding="utf-8-sig",
    )
    questions = datasets.load("mine", {"path": str(path)})
    assert questions["accepted"].tolist() == [["Ann", "Bea"], ["one, two"]]
    assert questions["choices"].tolist() == [[], ["one, two", "three"]]
    assert questions["subject"].tolist() == ["people", "numbers"]


@pytest.mark.parametrize(
    ("row", "where"),
    [
        ({"accepted": ["x"]}, "line 2, column 'question': is missing"),
        ({"question": 3, "accepted": ["x"]}, "line 2, column 'question': 3: Input should be a valid string"),
        ({"question": "Q"}, "line 2, column 'accepted': is missing"),
        ({"question": "Q", "accepted": [1]}, "line 2, column 'accepted', value 1: 1: Input should be"),
        ({"question": "Q", "accepted": [""]}, "line 2, column 'accepted', value 1: '': String should have"),
        ({"question": "Q", "acepted": ["x"]}, "column 'acepted': unknown; is it 'accepted'?"),
        (
            {"question": "Q", "choices": ["a", "b"]},
            "line 2, column 'correct_choice': None is not a number from 0 to 1",
        ),
        ({"question": "Q", "choices": ["a", "b"], "correct_choice": 2}, "2 is not a number from 0 to 1"),
        (
            {"question": "Q", "choices": ["a", "b"], "correct_choice": True},
            "True is not a number from 0 to 1",
        ),
        (
            {"question": "Q", "accepted": ["x"], "answerable": "perhaps"},
            "column 'answerable': 'perhaps': Input should be a valid boolean",
        ),
        (
            {
                "question": "Q",
                "choices": ["Earth", "Jupiter", "Mars"],
                "correct_choice": 2,
                "accepted": ["Jupiter"],
            },
            "column 'correct_choice': is 'Mars', and another of the choices is named",
        ),
        (
            {"question": "Q", "choices": ["a", "b"], "correct_choice": "A", "accepted": ["B"]},
            "column 'correct_choice': is 'a', and another of the choices is named",
        ),
        ({"question": "Q", "choices": ["a", "a"], "correct_choice": 0}, "'a', which is right, stands twice"),
        ({"question": "Q", "choices": ["a"], "correct_choice": 0}, "line 2, column 'choices': 1 of them"),
        ({"question": "Q", "accepted": ["x"], "answerable": False}, "column 'answerable': is false, and yet"),
        (
            {"question": "Q", "accepted": ["x"], "format": "reading_comprehension"},
            "line 2, column 'context': is missing",
        ),
        ("{", "line 2: not JSON (Expecting property name"),
        ("[1]", "line 2: not a JSON object"),
    ],
)
def test_faults_are_named(tmp_path: Path, row: object, where: str) -> None:
    entry = write(tmp_path, {"question": "Good?", "accepted": ["yes"]}, row)
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is compared below
        datasets.load("mine", entry)
    assert where in str(caught.value)
    assert "mine.jsonl" in str(caught.value)


def test_aliases_in_a_cell(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text('question,accepted\nQ,"[""a; b"", ""c""]"\n')
    assert datasets.load("mine", {"path": path})["accepted"].tolist() == [["a; b", "c"]]
    path.write_text("question,accepted\nQ,[a\n")
    with pytest.raises(ValueError, match="line 2, column 'accepted': begins like a list and is none"):
        datasets.load("mine", {"path": path})


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"correct_choice": 1}, (1, ["2"])),
        ({"correct_choice": "1"}, (1, ["2"])),
        ({"correct_choice": "C"}, (2, ["Three"])),
        ({"correct_choice": "three"}, (2, ["Three"])),
        ({"accepted": ["THREE", "drei"]}, (2, ["Three", "THREE", "drei"])),
        ({"accepted": ["B"]}, (1, ["2"])),
        ({"accepted": ["2"]}, (1, ["2"])),
    ],
)
def test_the_correct_choice_is_derived(tmp_path: Path, fields: dict, expected: tuple[int, list[str]]) -> None:
    entry = write(tmp_path, {"question": "Q", "choices": ["One", "2", "Three"], **fields})
    row = datasets.load("mine", entry).iloc[0]
    assert (row["correct_choice"], row["accepted"]) == expected


def test_repeated_id_and_other_files(tmp_path: Path) -> None:
    row = {"question_id": "q", "question": "Q", "accepted": ["a"]}
    with pytest.raises(ValueError, match="line 2: 'q' stands there twice"):
        datasets.load("mine", write(tmp_path, row, row))
    with pytest.raises(ValueError, match=r"the ending must be one of \.csv, \.tsv, \.jsonl"):
        datasets.load("mine", {"path": tmp_path / "mine.xlsx"})
