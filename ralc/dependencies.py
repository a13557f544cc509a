"""Find the files of this package that a script reaches through its imports.

Snakemake sees no edit inside a package, so each CPU rule takes the files that its stub reaches as inputs.
The imports are read off the source. A package that is imported as a whole counts with all of its files.
Of the prompts and the data, the files count whose names stand as texts in a module that imports their package.
"""

import ast
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent


def dependencies(script: str | Path) -> list[Path]:
    """Return the files of this package that a script imports, directly or not, sorted."""
    reached: set[Path] = set()
    waiting = [Path(script)]
    while waiting:
        new = _imported(waiting.pop()) - reached
        reached |= new
        waiting += [file for file in new if file.suffix == ".py"]
    return sorted(reached)


@cache
def _imported(file: Path) -> frozenset[Path]:
    """Return the files that the imports of one file name, and the data files and prompts that it names itself."""
    nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"), str(file))))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    texts += [_pattern(node) for node in nodes if isinstance(node, ast.JoinedStr)]
    found = (path for name in names if name.split(".")[0] == PACKAGE.name for path in _files(name))
    return frozenset(path for path in found if path.suffix == ".py" or _is_named(path, texts))


def _files(name: str) -> Iterator[Path]:
    """Yield the files of ``ralc.package.module``, or of ``ralc.package``; the last part may be a function's name."""
    path = PACKAGE.joinpath(*name.split(".")[1:])
    module = next((place for place in (path, path.parent) if place.with_suffix(".py").is_file()), None)
    package = module.parent if module else path if path.is_dir() else path.parent
    if module:
        yield module.with_suffix(".py")
    if package != PACKAGE:
        yield from (file for file in package.rglob("*") if file.suffix not in (".pyc", ".py", ""))
        yield from [package / "__init__.py"] if module else package.rglob("*.py")


def _pattern(text: ast.JoinedStr) -> str:
    """Return an f-string with a wildcard for what is filled in."""
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in text.values)


def _is_named(path: Path, texts: list[str]) -> bool:
    """Tell whether a text names a prompt or data file, with or without its ending; other packages' files all count."""
    names = (path.name, path.name.partition(".")[0])
    named = any(fnmatch(name, text) for text in texts if text.strip("*") for name in names)
    return named or path.parent.name not in ("prompts", "data")
