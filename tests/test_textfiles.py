"""Text files that people bring: every fault has a place and a remedy."""

import json
from pathlib import Path

import pytest

from ralc.io.rows import Fault, read_rows, read_text


def write(tmp_path: Path, data: str | bytes, name: str = "f.csv") -> Path:
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("f.csv", "a,b\n1,x y\n"),
        ("f.csv", "\ufeffa,b\r\n1,x y\r\n"),
        ("f.csv", "a;b\n1;x y\n"),
        ("f.csv", '"a";"b"\n\n1;"x y"\n'),
        ("f.csv", "a\tb\r1\tx y"),
        ("f.tsv", "a\tb\n1\tx y\n"),
        ("f.csv", ' a , b \n 1 ," x y"\n,\n'),
        ("f.csv", "a|b\n1|x y\n"),
        ("f.csv", ",a,b\n0,1,x y\n"),
        ("f.csv", "a,b,\n1,x y,\n"),
        ("f.csv", "a,b,,\n1,x y\n"),
        ("f.csv", "a,b\n1,x y,,\n"),
    ],
)
def test_delimited(tmp_path: Path, name: str, data: str) -> None:
    (row,) = read_rows(write(tmp_path, data, name))
    assert {name: cell for name, cell in row.cells.items() if name} == {"a": "1", "b": "x y"}


def test_lines_count_blank_ones_and_breaks_in_cells(tmp_path: Path) -> None:
    path = write(tmp_path, 'a,b\n\n1,"x\ny"\n\n2,z\n')
    cells = {3: {"a": "1", "b": "x\ny"}, 6: {"a": "2", "b": "z"}}
    assert read_rows(path) == [(line, f"{path}, line {line}", found) for line, found in cells.items()]


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (
            "a,b\n1,2,3\n",
            "line 2: 3 cells where the header has 2: 1 | 2 | 3; a cell that holds the separator",
        ),
        ("a,b\n\n1\n", "line 3: 1 cells where the header has 2: 1"),
        ("a,a\n1,2\n", "line 1: each column needs a name of its own; here: ['a', 'a']"),
        ("a,,b\n1,2,3\n", "line 1: each column needs a name of its own; here: ['a', '', 'b']"),
        ("a,\n1,2\n", "line 2: 2 cells where the header has 1: 1 | 2"),
        ('a,b\n1,"2\n3,4\n', "line 2: unexpected end of data (a quote stays open"),
        ('a,b\n1,"2"3\n', "line 2: ',' expected after '\"'"),
        ("a,b\n1," + "x" * 200_000, "line 2: field larger than field limit"),
        (",,\n,,\n", "holds separators alone"),
        ("", "is empty"),
        (" \n\n", "is empty"),
        ("a,b\n1,café|x\n".encode("latin-1"), "line 2: not UTF-8 (as Latin-1 it reads '1,café|x\\n')"),
        ("a,b\n1,2\n".encode("utf-16"), "is UTF-16 or no text; save it as UTF-8"),
        ("a,b\n1,2\n".encode("utf-16-le"), "is UTF-16 or no text; save it as UTF-8"),
    ],
)
def test_faults_of_delimited_files(tmp_path: Path, data: str | bytes, fault: str) -> None:
    path = write(tmp_path, data)
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is compared below
        read_rows(path)
    assert str(caught.value).startswith(str(path))
    assert fault in str(caught.value)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{", "line 3: not JSON (Expecting property name"),
        ("[1]", "line 3: not a JSON object"),
        ('{"a": [["\\ud800"]]}', "line 3: not JSON ('utf-8' codec can't encode character"),
        ('{"a": ' + "[" * 100_000, "line 3: not JSON (maximum recursion depth"),
    ],
    ids=["cut", "list", "half", "deep"],
)
def test_faults_of_json_lines(tmp_path: Path, line: str, fault: str) -> None:
    path = write(tmp_path, '{"good": 1}\n\n' + line + "\n", "f.jsonl")
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is compared below
        read_rows(path)
    assert str(caught.value).startswith(f"{path}, {fault}")


def test_json_lines_are_cut_at_line_ends_alone(tmp_path: Path) -> None:
    path = write(tmp_path, json.dumps({"a": "x\u2028y\x0cz"}, ensure_ascii=False) + "\r\n", "f.jsonl")
    assert read_rows(path) == [(1, f"{path}, line 1", {"a": "x\u2028y\x0cz"})]


@pytest.mark.parametrize(
    ("name", "data", "good", "bad"),
    [
        ("f.csv", "a,b\n1,2\n3\n4,5\n", [2, 4], (3, ["3"], "1 cells where the header has 2: 3;")),
        ("f.jsonl", '{"a": 1}\n[2]\n{"a": 3}\n', [1, 3], (2, "[2]", "not a JSON object")),
    ],
)
def test_what_is_wrong_with_a_row_may_be_collected(tmp_path: Path, name, data, good, bad) -> None:
    faults: list[Fault] = []
    path = write(tmp_path, data, name)
    assert [row.line for row in read_rows(path, faults=faults)] == good
    (fault,) = faults
    assert (fault.row.line, fault.row.cells["raw"]) == bad[:2]
    assert fault.message.startswith(f"{path}, line {bad[0]}: {bad[2]}")
    assert fault.reason.startswith(bad[2])


def test_what_is_no_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"nowhere\.csv: no such file"):
        read_text(tmp_path / "nowhere.csv")
    with pytest.raises(ValueError, match=r"nowhere\.parquet: no such file"):
        read_rows(tmp_path / "nowhere.parquet")
    with pytest.raises(ValueError, match="is a directory"):
        read_text(tmp_path)
