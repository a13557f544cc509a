"""What a script depends on inside this package: modules, data files and prompts, found from its imports.

Snakemake sees no edit inside a package, so each rule takes the files that its stub reaches as an input. They are
read off the source, without importing it:

- a module reaches what it imports, at its top or inside a function, and the packages above that: all of it is loaded;
- of a package that loads lazily (`lazy_loader`) only the names that are used count; where such a package is
  handed on as a whole (``getattr(package, name)``), all of them but those that the caller knows are not taken;
- a file is named where it is opened: ``data.path("hedges.csv")``, ``prompts.messages("evaluator", ...)``. It counts
  where the function that opens it is reached, from one definition to the next: that a module opens a prompt elsewhere
  is nothing to who uses another function of it. What is filled into an f-string, or computed, can be any text.
"""

import ast
import re
from collections.abc import Collection, Iterable, Mapping
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
class Part:
    """What some lines use: names of this package (``ralc.io.read_table``), and patterns of files below it."""

    names: frozenset[str]
    files: frozenset[str]


@dataclass(frozen=True)
class Source:
    """What one source file uses.

    Parameters
    ----------
    names : frozenset of str
        What it imports and uses of this package, ``ralc.io``; of a package that it hands on as a whole, all it offers.
    bound : mapping
        The names that it imports from this package, and what they mean.
    definitions : mapping
        Functions, classes and constants: each counts where it is named.
    loaded : Part
        What runs as the file is loaded, and what registers itself then: what a decorator of this package is given.
    """

    names: frozenset[str]
    bound: Mapping[str, str]
    definitions: Mapping[str, Part]
    loaded: Part


def dependencies(
    script: str | Path, without: Collection[str] = (), unopened: Collection[str] = ()
) -> list[Path]:
    """Return the files of this package that a script depends on, sorted.

    Parameters
    ----------
    script
        Its file.
    without
        Names that are not taken, ``ralc.readers.ProbeReader``, though a package that has them is handed on.
    unopened
        Files that are not opened, though functions are reached that would, as patterns of paths below the package:
        ``prompts/short_*.j2``.

    Raises
    ------
    ValueError
        If the script, or a module that it reaches, imports a module of this package that is not there.
    """
    own, without = uses(Path(script)), frozenset(without)
    modules, waiting = set(), [own]
    while waiting:
        found = _modules(waiting.pop().names - without) - modules
        modules |= found
        waiting += [uses(source(module)) for module in found]
    loaded = [own.loaded, *own.definitions.values(), *(uses(source(module)).loaded for module in modules)]
    templates = _found(_opened(loaded, without)) - _found(unopened)
    return sorted({source(module) for module in modules} | _with_referenced(templates))


def _found(patterns: Iterable[str]) -> set[Path]:
    """The files of this package that fit one of some patterns."""
    return {file for pattern in patterns for file in PACKAGE.glob(pattern)}


def _opened(parts: Iterable[Part], without: frozenset[str]) -> set[str]:
    """The patterns of files that some parts open, and those that they name in turn."""
    patterns, named, waiting = set(), set(), list(parts)
    while waiting:
        part = waiting.pop()
        patterns |= part.files
        for name in part.names - named - without - set(OPENERS):
            named.add(name)
            waiting += _meant(name)
    return patterns


@cache
def _meant(dotted: str) -> tuple[Part, ...]:
    """What ``ralc.package.name`` stands for: a definition, or all of a module that is handed on as a whole."""
    current, rest = PACKAGE.name, dotted.split(".")[1:]
    for place, part in enumerate(rest):
        name, beyond = f"{current}.{part}", "".join(f".{one}" for one in rest[place + 1 :])
        origin = _lazy_names(current).get(part, name)
        if origin != name:
            return _meant(f"{origin}.{part}{beyond}")
        if not _is_module(name):
            found = uses(source(current))
            if part in found.definitions:
                return (found.definitions[part],)
            return _meant(f"{found.bound[part]}{beyond}") if part in found.bound else ()
        current = name
    found = uses(source(current))
    handed_on = {f"{current}.{name}" for name in _lazy_names(current)}
    if source(current).name == "__init__.py":
        handed_on |= set(found.bound.values())
    return (*found.definitions.values(), Part(frozenset(handed_on), frozenset()))


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
def uses(path: Path) -> Source:
    """Return what one source file uses of this package."""
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    nodes = list(ast.walk(tree))
    imports, bound = _imports(nodes, path)
    used = _part(nodes, bound, {}).names
    handed_on = {f"{name}.{one}" for name in used if _is_module(name) for one in _lazy_names(name)}
    defined = {name: node for node in tree.body for name in _defined(node)}
    known = bound | {name: f"{_module(path)}.{name}" for name in defined}
    texts = _texts(nodes)
    definitions = {name: _part(ast.walk(node), known, texts) for name, node in defined.items()}
    loaded = [node for node in tree.body if not _defined(node) or _registers(node, known)]
    at_once = _part([one for node in loaded for one in ast.walk(node)], known, texts)
    return Source(frozenset(imports | used | handed_on), bound, definitions, at_once)


def _module(path: Path) -> str:
    """The name of a file's module, whether it is of this package or not."""
    parts = path.with_suffix("").parts
    inside = parts[len(PACKAGE.parent.parts) :] if path.is_relative_to(PACKAGE) else parts[-1:]
    return ".".join(inside[:-1] if inside[-1] == "__init__" else inside)


def _defined(node: ast.stmt) -> list[str]:
    """The names that a statement at the top of a file defines."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    targets = (
        node.targets
        if isinstance(node, ast.Assign)
        else [node.target]
        if isinstance(node, ast.AnnAssign)
        else []
    )
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _registers(node: ast.stmt, known: Mapping[str, str]) -> bool:
    """Whether a definition is handed to a decorator of this package, which may keep it."""
    marks = (
        mark.func if isinstance(mark, ast.Call) else mark for mark in getattr(node, "decorator_list", ())
    )
    return any(_dotted(mark, known) for mark in marks)


def _part(nodes: Iterable[ast.AST], known: Mapping[str, str], texts: Mapping[str, str]) -> Part:
    """What some nodes name and open."""
    nodes = list(nodes)
    owners = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
    whole = (node for node in nodes if isinstance(node, ast.Name | ast.Attribute) and id(node) not in owners)
    names = {name for node in whole if (name := _dotted(node, known))}
    files = {
        re.sub(r"\*+", "*", pattern.format(_as_pattern(node.args[0], texts)))
        for node in nodes
        if isinstance(node, ast.Call) and (pattern := OPENERS.get(_dotted(node.func, known)))
    }
    return Part(frozenset(names), frozenset(files))


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
def _modules(names: frozenset[str]) -> frozenset[str]:
    """The modules that are loaded to get at some names."""
    return frozenset().union(*map(_reached, names))


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
    text, names = source(package).read_text(encoding="utf-8"), {}
    if ".attach" not in text:  # as in most, which need not be parsed again
        return names
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "attach":
            how = {word.arg: ast.literal_eval(word.value) for word in node.keywords}
            names |= {module: f"{package}.{module}" for module in how.get("submodules", ())}
            for module, given in how.get("submod_attrs", {}).items():
                names |= dict.fromkeys(given, f"{package}.{module}")
    return names


def _dotted(node: ast.expr, bound: Mapping[str, str]) -> str | None:
    """What an expression like ``prompts.messages`` means, where its first name was imported from this package."""
    if isinstance(node, ast.Name):
        return bound.get(node.id)
    if isinstance(node, ast.Attribute) and (before := _dotted(node.value, bound)):
        return f"{before}.{node.attr}"
    return None


def _texts(nodes: list[ast.AST]) -> dict[str, str]:
    """The texts that a file gives names to."""
    return {
        target.id: node.value.value
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name) and isinstance(node.value.value, str)
    }


def _as_pattern(node: ast.expr, texts: Mapping[str, str]) -> str:
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
