"""What can be switched off is there, and is off wherever it is imported."""

import importlib
import subprocess
import sys

import pytest

from tests.bench.without import NEUTRAL, switch_off


@pytest.mark.parametrize("module", NEUTRAL)
def test_what_is_switched_off_is_there(module):
    home = importlib.import_module(f"ralc.{module}")
    assert [name for name in NEUTRAL[module] if not callable(getattr(home, name, None))] == []


def test_a_rule_switched_off_is_off_where_it_was_imported():
    asked = 'reference_grade("It has eight.", "How many legs has a spider?", accepted=["8"])'
    program = f"""
from ralc.grading import reference_grade
from tests.bench.without import switch_off
print({asked})
switch_off("english.numerals")
print({asked})
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    before, after = done.stdout.splitlines()
    assert before == "CORRECT" != after


def test_an_unknown_module_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match=r"english\.spelling"):
        switch_off("english.nothing")
