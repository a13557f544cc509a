"""A file of recorded samples: every fault has a file, a row and a column; what is missing is counted."""

import json
from types import SimpleNamespace

import pandas as pd
import pytest

from ralc import datasets, precomputed
from ralc.cli.answers import AnswerRow
from ralc.io.rows import Cell, read_rows
from ralc.precomputed import read
from tests.cases import cases
from tests.test_io import flipped

GOOD = {"question": "Capital of Peru?", "answers": ["Lima", "Quito"], "token_logprobs": [[-0.1, -0.2], [-2]]}


def written(folder, *rows):
    path = folder / "samples.jsonl"
    precomputed.write(rows, path)
    return path


def test_a_row_is_read_as_it_stands(tmp_path):
    row = GOOD | {
        "correct": [1, None],
        "hedged_answer": "Maybe Lima",
        "hedged_correct": 1,
        "prompt_tokens": 9,
    }
    found = read(written(tmp_path, row | {"tokens": [["Li", "ma"], None]})).rows[0]
    assert found.tokens == (("Li", "ma"), None)
    assert found.answers == ("Lima", "Quito")
    assert found.token_logprobs == ((-0.1, -0.2), (-2.0,))
    assert found.correct == ("CORRECT", None)
    assert found.hedged_answer == "Maybe Lima"
    assert found.hedged_correct == "CORRECT"
    assert found.prompt_tokens == 9


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "jsonl"])
def test_all_kinds_of_files_say_the_same(tmp_path, suffix):
    rows = [GOOD | {"grade": ["A", "B"]}, GOOD | {"question": "Capital of Chad?", "grade": ["C", None]}]
    path = tmp_path / f"samples.{suffix}"
    if suffix == "jsonl":
        path = written(tmp_path, *rows)
    elif suffix == "parquet":
        pd.DataFrame(rows).to_parquet(path)
    else:
        cells = [{k: json.dumps(v) if isinstance(v, list) else v for k, v in row.items()} for row in rows]
        pd.DataFrame(cells).to_csv(path, sep="\t" if suffix == "tsv" else ",", index=False)
    found = read(path).rows
    assert [row.correct for row in found] == [("CORRECT", "INCORRECT"), ("NOT_ATTEMPTED", None)]
    assert [row.token_logprobs for row in found] == [((-0.1, -0.2), (-2.0,))] * 2
    assert [row.digest for row in found] == [row.digest for row in read(written(tmp_path, *rows)).rows]


@cases
def test_a_fault_has_a_file_a_line_and_a_column(tmp_path, change, column, message):
    path = written(tmp_path, GOOD | {"question": "First?"}, GOOD | change)
    with pytest.raises(ValueError, match="line 2") as caught:
        read(path)
    assert f"{path}, line 2, column {column!r}" in str(caught.value)
    assert message in str(caught.value)


def test_a_question_that_stands_twice_is_named_with_both_places(tmp_path):
    with pytest.raises(ValueError, match=r"line 2: 'Capital of Peru\?' stands in line 1, too: keep one"):
        read(written(tmp_path, GOOD, GOOD | {"answers": ["Lima"], "token_logprobs": None}))


@pytest.mark.parametrize("cell", ['["a", ' + "[" * 100_000, '["\\ud800"]'], ids=["deep", "half"])
def test_a_cell_that_is_no_sound_json_is_named_by_every_evaluator(tmp_path, cell):
    path = tmp_path / "f.csv"
    for column, load in {
        "answers": read,
        "accepted": lambda path: datasets.load("q", {"path": path}),
    }.items():
        pd.DataFrame({"question": ["Q"], column: [cell]}).to_csv(path, index=False)
        with pytest.raises(ValueError, match=rf"f\.csv, line 2, column '{column}'.*: (not JSON|begins)"):
            load(path)
    with pytest.raises(ValueError, match="samples': begins with \\["):
        AnswerRow.pick({"samples": Cell(cell)}, samples="samples")


def test_damaged_parquet_is_named(tmp_path):
    path = tmp_path / "s.parquet"
    pd.DataFrame([GOOD] * 300).to_parquet(path)
    for data in flipped(path.read_bytes(), 100, seed=4):
        path.write_bytes(data)
        try:
            read_rows(path)
        except ValueError as error:
            assert str(path) in str(error)  # noqa: PT017 - other damage does no harm


@pytest.mark.parametrize("name", ["samples.txt", "missing.jsonl", "broken.parquet"])
def test_a_file_that_cannot_be_read_is_named(tmp_path, name):
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 nonsense")
    with pytest.raises(ValueError, match=name):
        read(tmp_path / name)


def test_what_is_missing_is_null_and_counted(tmp_path):
    rows = [GOOD, GOOD | {"question": "b", "token_logprobs": [None, [-0.5, None]]}]
    found = read(written(tmp_path, *rows))
    assert found.rows[1].token_logprobs == (None, None)
    assert found.notes == (
        "2 of 4 answers lack token_logprobs",
        "2 of 2 rows lack hedged_answer: no hedged_qa for them",
    )


def test_placeholders_are_no_log_probabilities(tmp_path):
    rows = [GOOD | {"question": str(i), "token_logprobs": [[0.0], [0.0, 0.0]]} for i in range(9)]
    found = read(written(tmp_path, *rows, GOOD))
    assert all(values is None for row in found.rows for values in row.token_logprobs)
    assert "token_logprobs of 18 of 20 answers are exactly 0: placeholders" in found.notes[0]
    few = read(written(tmp_path, *rows[:1], GOOD))  # half of them certain: they may well be
    assert few.rows[0].token_logprobs == ((0.0,), (0.0, 0.0))


def test_rows_are_found_by_id_before_their_text(tmp_path):
    rows = [GOOD | {"question_id": "q1"}, {"question": "Other  one?", "answers": ["x"]}]
    found = read(written(tmp_path, *rows))
    for name, text, row in (("q1", "anything", 0), ("q7", "Other one?", 1), ("q7", "Nothing?", None)):
        question = SimpleNamespace(question_id=name, question=text, history=())
        assert found.of(question) is (None if row is None else found.rows[row])
