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
def test_delimited_texts_of_any_making_hold_the_same_row(tmp_path, name, data):
    (row,) = read_rows(written(tmp_path, data, name))
    assert {name: cell for name, cell in row.cells.items() if name} == {"a": "1", "b": "x y"}


def test_lines_count_blank_ones_and_breaks_in_cells(tmp_path):
    path = written(tmp_path, 'a,b\n\n1,"x\ny"\n\n2,z\n')
    cells = {3: {"a": "1", "b": "x\ny"}, 6: {"a": "2", "b": "z"}}
    assert read_rows(path) == [(line, f"{path}, line {line}", found) for line, found in cells.items()]
    path = written(tmp_path, json.dumps({"a": "x\u2028y\x0cz"}, ensure_ascii=False) + "\r\n", "f.jsonl")
    assert read_rows(path) == [(1, f"{path}, line 1", {"a": "x\u2028y\x0cz"})]


@cases
def test_faults_of_files(tmp_path, name, data, encoding, fault):
    path = tmp_path / name if data is None else written(tmp_path, data.encode(encoding), name)
    read = read_text if name.endswith(".gz") else read_rows
    with pytest.raises(ValueError, match=f"^{re.escape(f'{path}{fault}')}"):
        read(path)


def test_a_line_that_is_too_deep_is_no_object(tmp_path):
    with pytest.raises(ValueError, match=r"f\.jsonl, line 1: not a JSON object"):
        read_rows(written(tmp_path, '{"a": ' + "[" * 100_000, "f.jsonl"))
