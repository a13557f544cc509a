"""What a script depends on inside this package: modules, data files and prompts, found from its imports.

Snakemake sees no edit inside a package, so each rule takes the files that its stub reaches as an input. They are
read off the source, without importing it:

- a module reaches what it imports, at its top or inside a function, and the packages above that;
- of a package that loads lazily (`lazy_loader`) only the names that are used count; where such a package is
  handed on as a whole (``getattr(package, name)``), all of them;
- a file is named where it is opened: ``data.path("hedges.csv")``, ``prompts.messages("evaluator", ...)``. What is
  filled into an f-string, or computed, can be any text.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import jinja2
from jinja2 import meta

PACKAGE = Path(__file__).parent
#: The functions by which modules name files, and what they open.
OPENERS = {
    "ralc.data.path": "data/{}",
    "ralc.prompts.messages": "prompts/{}.j2",
    "ralc.prompts.render": "prompts/{}.j2",
    "ralc.report.pages.page": "report/templates/{}",
}


@dataclass(frozen=True)
class Uses:
    """What one source file uses: modules (``ralc.io``), and patterns of files below the package."""

    modules: frozenset[str]
    files: frozenset[str]


def dependencies(script: str | Path) -> list[Path]:
    """Return the files of this package that a script depends on, sorted.

    Raises
    ------
    ValueError
        If the script, or a module that it reaches, imports a module of this package that is not there.
    """
    modules, patterns, waiting = set(), set(), [uses(Path(script))]
    while waiting:
        used = waiting.pop()
        patterns |= used.files
        waiting += [uses(source(module)) for module in used.modules - modules]
        modules |= used.modules
    templates = {file for pattern in patterns for file in PACKAGE.glob(pattern)}
    return sorted({source(module) for module in modules} | _with_referenced(templates))


@cache
def source(module: str) -> Path:
    """Return the file of a module of this package.

    >>> source("ralc.io").name
    'io.py'
    """
    place = PACKAGE.joinpath(*module.split(".")[1:])
    for file in (place / "__init__.py", place.with_suffix(".py")):
        if file.is_file():
            return file
    raise ValueError(f"there is no module {module!r} in {PACKAGE}")


@cache
def uses(path: Path) -> Uses:
    """Return what one source file uses of this package."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))))
    imports, bound = _imports(nodes, path)
    expressions = [
        (node, _dotted(node, bound)) for node in nodes if isinstance(node, ast.Name | ast.Attribute)
    ]
    reached = frozenset().union(*map(_reached, {*imports, *(name for _, name in expressions if name)}))
    for package in _handed_on(expressions):
        reached |= frozenset().union(*(_reached(f"{package}.{name}") for name in _lazy_names(package)))
    files, texts = set(), _texts(nodes)
    for node in nodes:
        if isinstance(node, ast.Call) and (pattern := OPENERS.get(_dotted(node.func, bound))):
            files.add(re.sub(r"\*+", "*", pattern.format(_as_pattern(node.args[0], texts))))
    return Uses(reached, frozenset(files))


def _imports(nodes: list[ast.AST], path: Path) -> tuple[set[str], dict[str, str]]:
    """What is imported from this package, and the names that stand for it."""
    imports, bound = set(), {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for name in node.names:
                imports.add(name.name)
                meant = name.name if name.asname else name.name.split(".")[0]
                bound[name.asname or meant] = meant
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                raise ValueError(f"{path}, line {node.lineno}: write `from ralc...`, not a relative import")
            for name in node.names:
                imports.add(f"{node.module}.{name.name}")
                bound[name.asname or name.name] = f"{node.module}.{name.name}"
    ours = f"{PACKAGE.name}."
    return (
        {name for name in imports if f"{name}.".startswith(ours)},
        {name: meant for name, meant in bound.items() if f"{meant}.".startswith(ours)},
    )


@cache
def _reached(dotted: str) -> frozenset[str]:
    """The modules that are loaded to get at ``ralc.package.name``."""
    current, reached = PACKAGE.name, frozenset({PACKAGE.name})
    for place, part in enumerate(dotted.split(".")[1:], start=2):
        origin = _lazy_names(current).get(part)
        if origin is not None and origin != f"{current}.{part}":
            rest = ".".join(dotted.split(".")[place - 1 :])
            return reached | _reached(f"{origin}.{rest}")
        if not _is_module(f"{current}.{part}"):
            break
        current = f"{current}.{part}"
        reached |= {current}
    return reached


def _is_module(name: str) -> bool:
    try:
        return bool(source(name))
    except ValueError:
        return False


@cache
def _lazy_names(package: str) -> dict[str, str]:
    """The names that a package loads on first use, and the module that each comes from (or is)."""
    tree = ast.parse(source(package).read_text(encoding="utf-8"))
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "attach":
            how = {word.arg: ast.literal_eval(word.value) for word in node.keywords}
            names |= {module: f"{package}.{module}" for module in how.get("submodules", ())}
            for module, given in how.get("submod_attrs", {}).items():
                names |= dict.fromkeys(given, f"{package}.{module}")
    return names


def _dotted(node: ast.expr, bound: dict[str, str]) -> str | None:
    """What an expression like ``prompts.messages`` means, where its first name was imported from this package."""
    if isinstance(node, ast.Name):
        return bound.get(node.id)
    if isinstance(node, ast.Attribute) and (before := _dotted(node.value, bound)):
        return f"{before}.{node.attr}"
    return None


def _handed_on(expressions: list[tuple[ast.expr, str | None]]) -> Iterator[str]:
    """The lazy packages that are used otherwise than by ``package.name``."""
    owners = {id(node.value) for node, _ in expressions if isinstance(node, ast.Attribute)}
    for node, name in expressions:
        if name and id(node) not in owners and _is_module(name) and _lazy_names(name):
            yield name


def _texts(nodes: list[ast.AST]) -> dict[str, str]:
    """The texts that a file gives names to."""
    return {
        target.id: node.value.value
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name) and isinstance(node.value.value, str)
    }


def _as_pattern(node: ast.expr, texts: dict[str, str]) -> str:
    """An argument as a pattern of file names."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.Name):
        return texts.get(node.id, "*")
    if isinstance(node, ast.FormattedValue):
        return _as_pattern(node.value, texts)
    if isinstance(node, ast.JoinedStr):
        return "".join(_as_pattern(part, texts) for part in node.values)
    return "*"


def _with_referenced(files: set[Path]) -> set[Path]:
    """Files, and the templates that templates among them extend or include."""
    found = set(files)
    for file in files:
        if file.suffix == ".j2":
            parsed = jinja2.Environment().parse(file.read_text(encoding="utf-8"))
            named = {file.parent / name for name in meta.find_referenced_templates(parsed) if name}
            found |= _with_referenced(named)
    return found
