"""Text files that people bring: every fault has a place and a remedy."""

import json
import re

import pytest

from ralc.io.rows import read_rows, read_text
from tests.cases import cases


def written(folder, data, name="f.csv"):
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


@cases
def test_delimited(tmp_path, name, data):
    (row,) = read_rows(written(tmp_path, data, name))
    assert {name: cell for name, cell in row.cells.items() if name} == {"a": "1", "b": "x y"}


def test_lines_count_blank_ones_and_breaks_in_cells(tmp_path):
    path = written(tmp_path, 'a,b\n\n1,"x\ny"\n\n2,z\n')
    cells = {3: {"a": "1", "b": "x\ny"}, 6: {"a": "2", "b": "z"}}
    assert read_rows(path) == [(line, f"{path}, line {line}", found) for line, found in cells.items()]
    path = written(tmp_path, json.dumps({"a": "x\u2028y\x0cz"}, ensure_ascii=False) + "\r\n", "f.jsonl")
    assert read_rows(path) == [(1, f"{path}, line 1", {"a": "x\u2028y\x0cz"})]


#: A file's name, its content, and its fault.
FAULTS = [
    (
        "f.csv",
        "a,b\n1,2,3\n",
        ", line 2: 3 cells where the header has 2: 1 | 2 | 3; a cell with the separator",
    ),
    ("f.csv", "a,b\n\n1\n", ", line 3: 1 cells where the header has 2: 1"),
    ("f.csv", "a,a\n1,2\n", ", line 1: each column needs a name of its own; here: ['a', 'a']"),
    ("f.csv", "a,,b\n1,2,3\n", ", line 1: each column needs a name of its own; here: ['a', '', 'b']"),
    ("f.csv", ",,\n,,\n", ", line 1: each column needs a name of its own; here: []"),
    ("f.csv", 'a,b\n1,"2\n3,4\n', ", line 2: unexpected end of data (a quote stays open"),
    ("f.csv", 'a,b\n1,"2"3\n', ", line 2: ',' expected after '\"'"),
    ("f.csv", "", ": is empty"),
    ("f.csv", " \n\n", ": is empty"),
    ("f.csv", "a,b\n1,café|x\n".encode("latin-1"), ", line 2: is not UTF-8; save it as UTF-8"),
    ("f.csv", "a,b\n1,2\n".encode("utf-16"), ", line 1: is UTF-16; save it as UTF-8"),
    ("f.csv", "a,b\n1,2\n".encode("utf-16-le"), ": is UTF-16 or no text; save it as UTF-8"),
    ("f.csv.gz", b"\x1f\x8b broken", ": cannot be read as gzip"),
    ("f.xlsx", "a", ": the ending must be one of .csv, .tsv, .jsonl"),
    ("nowhere.csv", None, ": no such file"),
    ("f.jsonl", '{"good": 1}\n\n{\n', ", line 3: not a JSON object"),
    ("f.jsonl", '{"good": 1}\n\n[1]\n', ", line 3: not a JSON object"),
    ("f.jsonl", '{"a": [["\\ud800"]]}', ", line 1: not a JSON object"),
    ("f.jsonl", '{"a": ' + "[" * 100_000, ", line 1: not a JSON object"),
]


@pytest.mark.parametrize(("name", "data", "fault"), FAULTS, ids=map(str, range(len(FAULTS))))
def test_faults_of_files(tmp_path, name, data, fault):
    path = tmp_path / name if data is None else written(tmp_path, data, name)
    read = read_text if name.endswith(".gz") else read_rows
    with pytest.raises(ValueError, match=f"^{re.escape(f'{path}{fault}')}"):
        read(path)
