"""The files that each stub of the workflow reaches, which are inputs of its rule."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ralc.dependencies import PACKAGE, dependencies
from tests.cases import cases

WORKFLOW = Path(__file__).parents[1] / "workflow"


def rules() -> Iterator[tuple[str, str, list[str]]]:
    """Each rule of the workflow: its name, its stub, and what its input `code` names, the stub and modules."""
    text = "".join(file.read_text() for file in sorted(WORKFLOW.glob("rules/*.smk")))
    for block in re.split(r"^(?: {4})?rule ", text, flags=re.M)[1:]:
        named = re.findall(r"\bcode=code\(([^)]*)\)", block)
        (stub,) = set(re.findall(r'"\.\./scripts/(\w+)\.py"', block))
        yield block.partition(":")[0], stub, [re.findall(r'"([\w.]+)"', arguments) for arguments in named]


def reached(script: Path, *modules: str) -> set[str]:
    """The files that a script and modules depend on, as paths below the package."""
    return {file.relative_to(PACKAGE).as_posix() for file in dependencies(script, *modules)}


def declared() -> dict[str, set[str]]:
    """The files of the package that each rule has as inputs, or its stub reaches."""
    scripts = WORKFLOW / "scripts"
    return {
        rule: reached(scripts / f"{stub}.py", *(name for names in named for name in names[1:]))
        for rule, stub, named in rules()
    }


@cases
def test_imports_are_followed_to_files(tmp_path, line, file, without):
    stub = tmp_path / f"{Path(file).stem}.py"  # a file's imports are kept by its name
    stub.write_text(line)
    assert file in reached(stub)
    assert without not in reached(stub)


def test_every_data_file_and_prompt_is_used_by_some_step():
    used = set().union(*declared().values())
    carried = {
        file.relative_to(PACKAGE).as_posix()
        for folder in ("data", "prompts", "report/templates")
        for file in (PACKAGE / folder).iterdir()
        if file.is_file()
    }
    assert carried <= used


@pytest.mark.parametrize(("wing", "other"), [("answers", "hedges"), ("hedges", "answers")])
def test_the_wings_of_english_share_no_arrow(wing, other):
    modules = [f"english.{wing}.{file.stem}" for file in (PACKAGE / "english" / wing).glob("[a-z]*.py")]
    found = reached(WORKFLOW / "scripts" / "render.py", *modules)
    assert f"english/{wing}/__init__.py" in found
    assert not any(file.startswith(f"english/{other}/") for file in found)


def test_every_rule_but_complete_depends_on_what_its_own_stub_reaches():
    assert len([*rules()]) > 30
    for rule, stub, named in rules():
        assert [names[0] for names in named] == ([stub] if stub != "complete" else []), rule


def test_a_step_of_a_rule_is_its_code():
    """What the stubs of all steps import by name stands in the code of their rules."""
    texts = [file.read_text() for file in sorted(WORKFLOW.glob("rules/*.smk"))]
    named = [re.findall(r'\bcode=code\("(\w+)", "([\w.]+)"\)', text) for text in texts]
    steps = set(re.findall(r'\bstep\(\s*"([\w.]+)"', "".join(texts)))
    assert {module for modules in named for _, module in modules} == steps
    for text, modules in zip(texts, named, strict=True):
        shared = re.findall(r'"\.\./scripts/(render|parse)\.py"', text)
        assert sorted(shared) == sorted(stub for stub, _ in modules if stub in ("render", "parse"))


def test_a_module_beside_the_checkout_is_no_part_of_it(tmp_path, monkeypatch):
    package = tmp_path / "house/ralc"
    package.mkdir(parents=True)
    for file in (tmp_path / "house.py", package / "__init__.py"):
        file.write_text("import ralc\n")
    monkeypatch.setattr("ralc.dependencies.PACKAGE", package)
    assert dependencies(tmp_path / "house.py") == []
