"""Files of rows that people bring: delimited cells, JSON lines or Parquet, told by their ending."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ralc.textfiles import Faults, kept, read_delimited, read_json_lines

FORMATS = {".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}


def format_of(path: str | Path) -> str:
    """The format of a file by its ending.

    Raises
    ------
    ValueError
        If the ending is not one of ``FORMATS``.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise ValueError(f"{path}: the ending must be one of {', '.join(FORMATS)}")
    return FORMATS[suffix]


def read_rows(
    path: str | Path,
    cell: Callable[[str, str, str], Any],
    *,
    names: Callable[[Iterable[str]], Mapping[str, str]] | None = None,
    faults: Faults | None = None,
) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """The rows of a file: number or line, place, and what is there by column; what is empty is left out.

    Parameters
    ----------
    path
        The file.
    cell
        What a text in a delimited file stands for, by its column, text and place.
    names
        What columns are called here, by the names that they have in the file.
    faults
        Takes what is wrong, row by row; without it the first such row ends the reading.

    Raises
    ------
    ValueError
        If the file cannot be read as its ending says.
    """
    kind = format_of(path)
    delimited, unit = kind in ("csv", "tsv"), "row" if kind == "parquet" else "line"
    if kind == "parquet":
        from ralc.parquetfiles import read_parquet

        found: Iterable[tuple[int, dict[str, Any]]] = enumerate(read_parquet(path), 1)
    else:
        found = (read_delimited if delimited else read_json_lines)(path, faults)

    def told(number: int, row: dict[str, Any]) -> tuple[int, str, dict[str, Any]]:
        where = f"{path}, {unit} {number}"
        called = names(row) if names else {}
        filled = {
            called.get(name, name): value
            for name, value in row.items()
            if value is not None and value == value and (value or not delimited)  # NaN differs from itself
        }
        if delimited:
            filled = {name: cell(name, value, where) for name, value in filled.items()}
        return number, where, filled

    return kept(found, told, faults)


def named(columns: Iterable[str], headers: Mapping[str, str]) -> dict[str, str]:
    """Return what columns are called here, by the names that they have, whatever their case.

    Parameters
    ----------
    columns
        Those of a file.
    headers
        For each column here the names that it may have there, likeliest first (its own, unless it stands among
        them); a column is taken once.

    >>> named(["Question", "Answer", "Model answer"], {"answers": "model_answer answer", "accepted": "answer"})
    {'Model answer': 'answers', 'Answer': 'accepted'}
    """
    left = {re.sub(r"[\W_]+", "_", column.casefold()).strip("_"): column for column in reversed([*columns])}
    found = {}
    for here, there in headers.items():
        known = there.split() if here in there.split() else [here, *there.split()]
        if (name := next((name for name in known if name in left), None)) is not None:
            found[left.pop(name)] = here
    return found
