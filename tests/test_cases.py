"""No table of cases is left without its test."""

import json
from importlib import import_module

import pytest

from tests.cases import CASES


@pytest.mark.parametrize("path", sorted(CASES.glob("*.json")), ids=lambda path: path.stem)
def test_each_table_is_that_of_a_test(path):
    tests = vars(import_module(f"tests.{path.stem}"))
    assert set(json.loads(path.read_text(encoding="utf-8"))) <= set(tests)
