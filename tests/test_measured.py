"""The tables of README and docs/measured.md are what their commands print of the results that are kept beside them."""

import re
import shlex
from pathlib import Path

import pytest

from ralc import evaluators
from tools import run_tables

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
MEASURED = (ROOT / "docs/measured.md").read_text(encoding="utf-8")
#: A command, what it printed, and where that ends.
BLOCK = re.compile(r"<!-- python -m tools\.run_tables (.*?) -->\n(.*?)\n<!-- end -->", re.DOTALL)
BLOCKS = BLOCK.findall(README) + BLOCK.findall(MEASURED)


@pytest.mark.parametrize(("command", "shown"), BLOCKS, ids=[command for command, _ in BLOCKS])
def test_a_table_is_what_its_command_prints(command, shown, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert shown.strip() == run_tables.main(shlex.split(command))


def test_what_a_evaluator_believes_is_what_one_reads():
    rows = re.findall(r"^\| (.+?) \| (\d+) % \| (.+?) \| (\d+) % \| (?:yes|no) \|$", README, re.MULTILINE)
    assert len(rows) == 3
    for said, before, rewritten, after in rows:
        read = evaluators.load("cue_model_b").read([said, rewritten]).mean
        assert [round(100 * mean) for mean in read] == [int(before), int(after)]


def test_the_readme_is_short():
    assert len(README.splitlines()) <= 92
