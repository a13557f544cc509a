"""The documentation: its code runs, its commands exist, and it builds without a warning."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"]
CODE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_code_of_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = CODE.findall(page.read_text(encoding="utf-8"))
    if not blocks:
        pytest.skip("no code")
    if "guarantees" in page.read_text(encoding="utf-8"):
        pytest.importorskip("venn_abers")
        pytest.importorskip("mapie")
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page.name, "exec"), names)


def test_what_a_command_is_shown_to_say_is_what_it_says():
    from ralc.cli.read import describe, read_texts

    page = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    ((text, shown),) = re.findall(r'^ralc read "(.*)"\n```\n\n```text\n(.*?)\n```', page, re.M | re.S)
    said = describe(read_texts([text], "cues")[0])
    assert said == shown
    mean = round(100 * float(said.split()[1]))
    assert f"about {mean} % sure" in page


def test_every_command_that_is_shown_exists():
    from ralc.cli.app import app

    known = {command.name or command.callback.__name__ for command in app.registered_commands}
    shown = set()
    for page in PAGES:
        shown |= set(re.findall(r"(?:^|`)ralc ([a-z]+)", page.read_text(encoding="utf-8"), re.MULTILINE))
    assert shown <= known


@pytest.mark.long
def test_it_builds_without_a_warning(tmp_path):
    pytest.importorskip("mkdocs")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mkdocs",
            "build",
            "--strict",
            "--site-dir",
            str(tmp_path / "site"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert (tmp_path / "site" / "api" / "index.html").is_file()


def test_the_report_s_first_page_links_the_overview_beside_it():
    core = pytest.importorskip("docutils.core")
    text = (ROOT / "report/workflow.rst").read_text(encoding="utf-8")
    landing = core.publish_parts(text, writer="html")["html_body"]
    first = landing.partition("<ol")[0]
    assert re.findall(r'href="([^"]+)"', first) == ["overview.html", "index.html"]
