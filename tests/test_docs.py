"""The documentation: its code runs, its commands exist, and it builds without a warning."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"]
CODE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
# The code of adapters.md runs beside the packages it is for (tests/test_adapters.py).
WITH_CODE = [page for page in PAGES if page.stem != "adapters" and CODE.search(page.read_text("utf-8"))]


@pytest.mark.parametrize("page", WITH_CODE, ids=lambda page: page.stem)
def test_the_code_of_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if "guarantees" in page.read_text(encoding="utf-8"):
        pytest.importorskip("venn_abers")
        pytest.importorskip("mapie")
    names: dict[str, object] = {}
    for block in CODE.findall(page.read_text(encoding="utf-8")):
        exec(compile(block, page.name, "exec"), names)


def test_what_a_command_is_shown_to_say_is_what_it_says():
    from ralc.cli.read import describe, read_texts

    page = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    ((text, shown),) = re.findall(r'^ralc read "(.*)"\n```\n\n```text\n(.*?)\n```', page, re.M | re.S)
    said = describe(read_texts([text])[0])
    assert said == shown
    assert f"about {round(100 * float(said.split()[1]))} % sure" in page


def test_every_command_and_every_rule_that_is_shown_exists():
    from ralc.cli.app import COMMANDS

    pages = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert set(re.findall(r"(?:^|`)ralc ([a-z]+)", pages, re.MULTILINE)) <= COMMANDS.keys()
    files = (file.read_text(encoding="utf-8") for file in (ROOT / "workflow/rules").glob("*.smk"))
    rules = {rule for text in files for rule in re.findall(r"^ *rule (\w+)", text, re.MULTILINE)}
    told = set(re.findall(r"`(\w+)`", (ROOT / "docs/workflow.md").read_text(encoding="utf-8")))
    assert rules <= told


@pytest.mark.long
def test_it_builds_without_a_warning(tmp_path):
    pytest.importorskip("mkdocs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert (tmp_path / "site" / "api" / "index.html").is_file()
