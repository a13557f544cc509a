"""The cases of a test that are data: tables in `tests/data/cases`, a file for each module of tests."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CASES = Path(__file__).parent / "data" / "cases"


def cases(test: Callable[..., None]) -> Any:
    """Give a test the table under its name in the file of its module.

    The first row names the columns, which are arguments of the test. A first column ``case`` names the rows instead.
    """
    path = CASES / f"{test.__module__.rpartition('.')[2]}.json"
    columns, *rows = json.loads(path.read_text(encoding="utf-8"))[test.__name__]
    if columns[0] == "case":
        columns = columns[1:]
        rows = [pytest.param(*values, id=name) for name, *values in rows]
    return pytest.mark.parametrize(columns, rows)(test)
