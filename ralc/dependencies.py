"""Find the files of this package that a stub reaches through its imports: inputs of its rule.

A package that is imported as a whole counts with all of its files. Of the prompts and the data, the files count whose
names stand as texts in a module that imports their package.
"""

import ast
import re
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent


def dependencies(script: str | Path, *modules: str) -> list[Path]:
    """Return the files of this package that a script imports, directly or not, and `modules` with theirs, sorted."""
    reached = {file for module in modules for file in _files(*module.split("."))}
    waiting = {Path(script), *(file for file in reached if file.suffix == ".py")}
    while waiting:
        new = _imported(waiting.pop()) - reached
        reached |= new
        waiting |= {file for file in new if file.suffix == ".py"}
    return sorted(reached)


@cache
def _imported(file: Path) -> set[Path]:
    """Return the files that the imports of one file name, and the data files and prompts that it names itself."""
    source = file.read_text(encoding="utf-8")
    files = set()
    # What is filled into an f-string may be anything.
    texts = [re.sub(r"\{.*?\}", "*", text) for text in re.findall(r'"([^"\n]+)"', source)]
    for node in ast.walk(ast.parse(source, str(file))):
        if isinstance(node, ast.Import | ast.ImportFrom):
            parent = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            names = (f"{parent}{alias.name}".split(".") for alias in node.names)
            files |= {path for top, *rest in names if top == PACKAGE.name for path in _files(*rest)}
    return {path for path in files if path.parent.name not in ("prompts", "data") or _is_named(path, texts)}


@cache
def _files(*name: str) -> set[Path]:
    """Return the files of a module (the last part may be a function's name), or of a package as a whole."""
    path = PACKAGE.joinpath(*name)
    modules = (path.with_suffix(".py"), path.parent.with_suffix(".py"))
    module = next((module for module in modules if PACKAGE in module.parents and module.is_file()), None)
    package = path if module is None and path.is_dir() else (module or path).parent
    if package == PACKAGE:
        return {module} if module else set()
    below = {file for file in package.rglob("*") if file.suffix not in (".pyc", "")}
    code = {file for file in below if file.suffix == ".py"}
    return below - code | ({module, package / "__init__.py"} if module else code)


def _is_named(path: Path, texts: list[str]) -> bool:
    """Tell whether a text names a prompt or data file, with or without its ending."""
    names = (path.name, path.name.partition(".")[0])
    texts = [text for text in texts if text.strip("*")]
    return path.suffix == ".py" or any(fnmatch(name, text) for text in texts for name in names)
