"""Tables are checked: types made exact, faults named by table, column and row."""

import pandas as pd
import pytest

from ralc import io, schemas


def readings(**changes: object) -> pd.DataFrame:
    """Two readings, one of them unscored."""
    columns = {
        "item": ["i", "j"],
        "text": ["a", "b"],
        "reader": "cues",
        "alpha": [1.0, None],
        "beta": [2, None],
        "readings": [9, 0],
    }
    return pd.DataFrame(columns | changes)


def test_types_become_exact_and_extra_columns_go_last():
    checked = schemas.check(
        readings().assign(note="x")[["note", "beta", "alpha", "reader", "item", "text", "readings"]],
        "readings",
    )
    assert list(checked) == ["item", "text", "reader", "alpha", "beta", "readings", "note"]
    assert checked["readings"].dtype == "Int64"
    assert checked["beta"].dtype == "float64"


def test_a_bad_value_is_named_by_table_column_and_row():
    with pytest.raises(ValueError, match=r"'readings'.*'alpha'.*row 1.*-2"):
        schemas.check(readings(alpha=[1.0, -2.0]), "readings")


def test_a_missing_column_is_named():
    with pytest.raises(ValueError, match="column 'beta' not in"):
        schemas.check(readings().drop(columns="beta"), "readings")


def test_round_trip_through_a_file(tmp_path):
    path = tmp_path / "deep" / "readings.parquet"
    io.write_table(readings(), path, "readings")
    pd.testing.assert_frame_equal(io.read_table(path, "readings"), schemas.check(readings(), "readings"))
    assert [p.name for p in path.parent.iterdir()] == ["readings.parquet"]


def test_reading_the_wrong_table_names_the_file(tmp_path):
    pd.DataFrame({"x": [1]}).to_parquet(tmp_path / "x.parquet")
    with pytest.raises(ValueError, match=r"x\.parquet.*'readings'"):
        io.read_table(tmp_path / "x.parquet", "readings")


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "fit.json"
    io.write_json({"a": 1}, path)
    with pytest.raises(TypeError):
        io.write_json({"a": object()}, path)
    assert io.read_json(path) == {"a": 1}
    assert [p.name for p in tmp_path.iterdir()] == ["fit.json"]


def test_some_columns_are_checked_alone(tmp_path):
    io.write_table(readings(), tmp_path / "readings.parquet", "readings")
    assert list(io.read_table(tmp_path / "readings.parquet", "readings", ["item", "alpha"])) == [
        "item",
        "alpha",
    ]


def test_some_rows_are_read(tmp_path):
    io.write_table(readings(), tmp_path / "readings.parquet", "readings")
    first = readings()["item"].iloc[0]
    read = io.read_table(tmp_path / "readings.parquet", "readings", where={"item": first})
    assert set(read["item"]) == {first}
