"""The documentation: its code runs, its commands exist, and it builds without a warning."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"]
CODE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


# That of adapters.md runs beside the packages it is for (tests/test_adapters.py).
@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.stem != "adapters"], ids=lambda page: page.stem
)
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
    said = describe(read_texts([text], "cue_model")[0])
    assert said == shown
    mean = round(100 * float(said.split()[1]))
    assert f"about {mean} % sure" in page


def test_every_command_that_is_shown_exists():
    from ralc.cli.app import COMMANDS

    shown = set()
    for page in PAGES:
        shown |= set(re.findall(r"(?:^|`)ralc ([a-z]+)", page.read_text(encoding="utf-8"), re.MULTILINE))
    assert shown <= COMMANDS.keys()


def test_the_tour_shows_what_its_code_draws():
    page = (ROOT / "docs/tour.md").read_text(encoding="utf-8")
    drawn = set(re.findall(r'savefig\("(.*)"\)', page))
    assert drawn == set(re.findall(r"\]\(images/(.*)\)", page))
    assert drawn == {file.name for file in (ROOT / "docs/images").glob("tour_*")}


@pytest.mark.parametrize("page", PAGES[:-1], ids=lambda page: page.stem)
def test_no_line_of_code_is_wider_than_its_column(page):
    """In a window of 1280 pixels, by docs/code.css: 125 letters of 12 pixels fit into 906."""
    blocks = re.findall(r"^ *```\w*\n(.*?)^ *```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert [line for block in blocks for line in block.splitlines() if len(line) > 120] == []


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


def test_the_report_s_first_page_links_what_lies_beside_it():
    core = pytest.importorskip("docutils.core")
    text = re.sub(r"{%.*?%}|{{.*?}}", "", (ROOT / "report/workflow.rst").read_text(encoding="utf-8"))
    landing = core.publish_parts(text.replace("   :file: /verdict.html\n", "\n   <p></p>\n"), writer="html")[
        "html_body"
    ]
    assert re.findall(r'href="([^"#]+)"', landing) == ["overview.html", "examples.html", "index.html"]


def table_of_rules() -> str:
    """The workflow's files in their order, as each says of itself in front of its rules."""
    listed = re.findall(
        r'^include: "(rules/\w+\.smk)"', (ROOT / "workflow/Snakefile").read_text(), re.MULTILINE
    )
    lines = ["| step | rules | reads | makes |", "|---|---|---|---|"]
    for name in listed:
        text = (ROOT / "workflow" / name).read_text(encoding="utf-8")
        rules = [f"`{rule}`" for rule in re.findall(r"^ *rule (\w+)", text, re.MULTILINE)]
        about = " ".join(line.removeprefix("#").strip() for line in text.partition("\n\n")[0].splitlines())
        if rules:
            title = re.match(r"(.*?)(?: \(paper|\.(?: |$)|: )", about)[1].strip(".")
            reads, makes = re.search(r"Reads: (.*?)\. Makes: (.*?)\.(?: Steered|$)", about).groups()
            lines.append(f"| {title} | {', '.join(rules)} | {reads} | {makes} |")
    return "\n".join(lines)


def test_the_workflows_page_names_every_rule():
    assert table_of_rules() in (ROOT / "docs/workflow.md").read_text(encoding="utf-8")


def test_doctests_behind_a_section_have_one_of_their_own():
    """Else the page of the Python interface shows them as parameters or errors."""
    wrong = []
    for path in sorted((ROOT / "ralc").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
                text = ast.get_docstring(node) or ""
                before = text.partition("\n>>> ")[0]
                sections = re.findall(r"^(\w+)\n-+$", before, re.MULTILINE)
                if before != text and sections and sections[-1] != "Examples":
                    wrong.append(f"{path.relative_to(ROOT)}: {getattr(node, 'name', 'the module')}")
    assert wrong == []
