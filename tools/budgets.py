"""Compare the size of each package with its ceiling in ``[tool.budgets]`` of pyproject.toml; exit 1 above one.

Size is counted in nodes of the syntax tree, so docstrings, comments, blanks and layout are free. A key is a folder, or
a folder and ``/*.py`` for the modules that stand in it directly. A ceiling rises in the commit that says why.
"""

import ast
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: How a name is used is no node of its own.
_CONTEXTS = (ast.Load, ast.Store, ast.Del)
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def size(source: str) -> int:
    """Count the nodes of a module's syntax tree, without the docstrings of modules, classes, functions and attributes.

    >>> size("x = 1"), size('"A docstring."\\n\\nx = 1  # a comment')
    (4, 4)
    """
    tree = ast.parse(source)
    docstrings = {id(node) for statement in _docstrings(tree) for node in ast.walk(statement)}
    return sum(not isinstance(node, _CONTEXTS) and id(node) not in docstrings for node in ast.walk(tree))


def _docstrings(tree: ast.Module) -> Iterator[ast.Expr]:
    """The strings that only document: the first statement of a function, any of a class or a module."""
    for node in ast.walk(tree):
        if not isinstance(node, _DOCUMENTED):
            continue
        attributes = isinstance(node, ast.Module | ast.ClassDef)
        for statement in node.body if attributes else node.body[:1]:
            text = statement.value if isinstance(statement, ast.Expr) else None
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                yield statement


def package_size(package: str) -> int:
    """Count the nodes of all modules of a package."""
    modules = ROOT.glob(package) if package.endswith("*.py") else (ROOT / package).rglob("*.py")
    return sum(size(module.read_text(encoding="utf-8")) for module in modules)


def main() -> int:
    """Print a line for each package above its ceiling; return 1 if there is one."""
    ceilings: dict[str, int] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["budgets"]
    packages = {f"ralc/{path.parent.name}" for path in ROOT.glob("ralc/*/__init__.py")}
    over = {package: count for package, top in ceilings.items() if (count := package_size(package)) > top}
    for package, count in over.items():
        print(f"{package}: {count:,} nodes, ceiling {ceilings[package]:,} (pyproject.toml, [tool.budgets])")
    for package in sorted(packages - set(ceilings)):
        print(f"{package}: no ceiling (pyproject.toml, [tool.budgets])")
    return int(bool(over or packages - set(ceilings)))


if __name__ == "__main__":
    sys.exit(main())
