"""Committed figures and lists, each with its provenance.

Modules open them by `path`, with the file's name written at the call: so `ralc.dependencies` knows who uses what.
"""

import csv
from pathlib import Path


def path(name: str) -> Path:
    """Return where a file of this folder lies.

    >>> path("hedges.csv").is_file()
    True
    """
    return Path(__file__).parent / name


def rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a CSV of this folder, by their columns."""
    with path(name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))
