"""Tables are checked: types made exact, faults named by table, column and row."""

import pandas as pd
import pytest

from ralc import io, schemas
from ralc.llm import Request, from_table, to_table
from ralc.llm.tables import REQUEST_COLUMNS


def readings(**changes: object) -> pd.DataFrame:
    """Two readings, one of them unscored."""
    columns = {"item": ["i", "j"], "text": ["a", "b"], "evaluator": "cue_model", "alpha": [1.0, None]}
    return pd.DataFrame(columns | {"beta": [2, None], "readings": [9, 0]} | changes)


def test_types_become_exact_and_extra_columns_go_last():
    columns = ["note", "beta", "alpha", "evaluator", "item", "text", "readings"]
    checked = schemas.check(readings().assign(note="x")[columns], "readings")
    assert list(checked) == ["item", "text", "evaluator", "alpha", "beta", "readings", "note"]
    assert checked["readings"].dtype == "Int64"
    assert checked["beta"].dtype == "float64"


def test_a_bad_value_is_named_by_table_column_and_row():
    with pytest.raises(ValueError, match=r"'readings'.*'alpha'.*row 1.*-2"):
        schemas.check(readings(alpha=[1.0, -2.0]), "readings")


def test_reading_the_wrong_table_names_the_file(tmp_path):
    pd.DataFrame({"x": [1]}).to_parquet(tmp_path / "x.parquet")
    with pytest.raises(ValueError, match=r"x\.parquet.*'readings'"):
        io.read_table(tmp_path / "x.parquet", "readings")


def test_some_columns_are_checked_alone(tmp_path):
    io.write_table(readings(), tmp_path / "readings.parquet", "readings")
    wanted = ["item", "alpha"]
    assert list(io.read_table(tmp_path / "readings.parquet", "readings", wanted)) == wanted


def requests() -> pd.DataFrame:
    """Two requests, one of them of a form."""
    asked = ({"role": "user", "content": "Hi"},)
    form = {"choice": ["yes", "no"]}
    return to_table(
        [Request("m", asked), Request("m", asked, n=2, constraint=form)], pd.DataFrame({"item": ["i", "j"]})
    )


def test_all_columns_of_requests_have_types(tmp_path):
    assert list(schemas.TABLES["requests"]) == list(REQUEST_COLUMNS)
    for number, table in enumerate([requests(), to_table([], pd.DataFrame({"item": []}))]):
        io.write_table(table, tmp_path / f"{number}.parquet", "requests")
        assert from_table(io.read_table(tmp_path / f"{number}.parquet", "requests")) == from_table(table)


BAD = {"n": 0, "temperature": "hot", "top_p": 1.5, "seed": None, "stop": 3, "constraint": 3}


@pytest.mark.parametrize(("column", "value"), BAD.items())
def test_a_request_that_is_none_is_named_by_file_and_column(tmp_path, column, value):
    path = tmp_path / "requests.parquet"
    requests().assign(**{column: value}).to_parquet(path)
    with pytest.raises(ValueError, match=rf"requests\.parquet: table 'requests': .*'{column}'"):
        io.read_requests([str(path)])
