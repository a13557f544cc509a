"""The files that each stub of the workflow reaches, which are inputs of its rule."""

import re
from pathlib import Path

import pytest

from ralc.dependencies import PACKAGE, dependencies

STUBS = sorted(Path(__file__).parents[1].joinpath("workflow/scripts").glob("*.py"))


def reached(script: Path) -> set[str]:
    """The files that a script depends on, as paths below the package."""
    return {file.relative_to(PACKAGE).as_posix() for file in dependencies(script)}


@pytest.mark.parametrize(
    ("line", "file", "without"),
    [
        ("from ralc.signals import semantic_uncertainty", "signals/agreement.py", "lexicon/table.py"),
        ("from ralc.pipeline import fitted_maps", "pipeline/fitted_maps.py", "pipeline/items.py"),
        ("from ralc.pipeline.fitted_maps import fit", "calibration/logistic.py", "english/parse.py"),
        (
            'from ralc import prompts\nprompts.messages("evaluator")',
            "prompts/evaluator.j2",
            "data/hedges.csv",
        ),
        (
            'def f():\n    from ralc.data import path\n    path(f"{x}s.csv")',
            "data/hedges.csv",
            "data/cue_model.json",
        ),
        (
            "from ralc.report.rendering import page",
            "report/templates/base.html.j2",
            "report/figures/__init__.py",
        ),
        ("import ralc.metrics.instance", "metrics/instance.py", "io/files.py"),
    ],
)
def test_imports_are_followed_to_files(tmp_path, line, file, without):
    (tmp_path / "stub.py").write_text(line)
    assert file in reached(tmp_path / "stub.py")
    assert without not in reached(tmp_path / "stub.py")


def test_every_data_file_and_prompt_is_used_by_some_step():
    used = set().union(*map(reached, STUBS))
    carried = {
        file.relative_to(PACKAGE).as_posix()
        for folder in ("data", "prompts", "report/templates")
        for file in (PACKAGE / folder).iterdir()
        if file.is_file()
    }
    assert carried <= used


def test_every_rule_but_complete_depends_on_what_its_own_stub_reaches():
    rules = "".join(file.read_text() for file in sorted(STUBS[0].parents[1].glob("rules/*.smk")))
    for block in re.split(r"^(?: {4})?rule\b", rules, flags=re.M)[1:]:
        stub = re.search(r'"\.\./scripts/(\w+)\.py"', block)[1]
        assert re.findall(r'\bcode\(\s*"(\w+)"', block) == ([stub] if stub != "complete" else [])


def test_a_module_beside_the_checkout_is_no_part_of_it(tmp_path, monkeypatch):
    package = tmp_path / "house/ralc"
    package.mkdir(parents=True)
    for file in (tmp_path / "house.py", package / "__init__.py"):
        file.write_text("import ralc\n")
    monkeypatch.setattr("ralc.dependencies.PACKAGE", package)
    assert dependencies(tmp_path / "house.py") == []
