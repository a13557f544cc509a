"""Compare the lines of each package with its ceiling in ``[tool.budgets]`` of pyproject.toml; exit 1 above one.

A key is a folder, or a folder and ``/*.py`` for the modules that stand in it directly. Ceilings only ever sink.
"""

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def lines(package: str) -> int:
    """Count the lines of all modules of a package, docstrings and blank lines included."""
    modules = ROOT.glob(package) if package.endswith("*.py") else (ROOT / package).rglob("*.py")
    return sum(len(module.read_text().splitlines()) for module in modules)


def main() -> int:
    """Print a line for each package above its ceiling; return 1 if there is one."""
    ceilings: dict[str, int] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["budgets"]
    packages = {f"ralc/{path.parent.name}" for path in ROOT.glob("ralc/*/__init__.py")}
    over = {package: count for package, ceiling in ceilings.items() if (count := lines(package)) > ceiling}
    for package, count in over.items():
        print(f"{package}: {count:,} lines, ceiling {ceilings[package]:,} (pyproject.toml, [tool.budgets])")
    for package in sorted(packages - set(ceilings)):
        print(f"{package}: no ceiling (pyproject.toml, [tool.budgets])")
    return int(bool(over or packages - set(ceilings)))


if __name__ == "__main__":
    sys.exit(main())
