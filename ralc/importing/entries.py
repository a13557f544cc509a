"""What an imported file holds, entry by entry, as rows of recorded samples; a fault names its place."""

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ralc.io import write_text
from ralc.recorded.table import checked_row, placeholders
from ralc.textfiles import json_object, placed, read_delimited, read_json_lines

Rows = list[dict[str, Any]]
#: What an entry is, and where it stands.
Entries = Iterable[tuple[str, Any]]


def write(rows: Iterable[dict[str, Any]], path: str | Path) -> None:
    """Write rows as JSON lines."""
    write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), path)


def lines(path: str | Path) -> Entries:
    """The lines of a file of JSON lines."""
    return [(f"{path}, line {line}", row) for line, row in read_json_lines(path)]


def cells(path: str | Path) -> Entries:
    """The rows of a CSV file."""
    return [(f"{path}, line {line}", row) for line, row in read_delimited(path)]


def samples(path: str | Path, entries: Entries, convert: Callable[[Any], dict[str, Any] | None]) -> Rows:
    """The rows of samples that entries become, checked as they are when they are read.

    Raises
    ------
    ValueError
        If an entry is not of its format (its place is named), or none holds an answer.
    """
    rows = placed_rows(entries, convert)
    for where, row in rows:
        with placed(where):
            told = json_object(json.dumps(row), where)
            checked_row({name: value for name, value in told.items() if value is not None}, where)
    if not rows:
        raise ValueError(f"{path}: holds no answer")
    return _without_placeholders([row for _, row in rows], path)


def _without_placeholders(rows: Rows, path: str | Path) -> Rows:
    """Rows without log-probabilities that say nothing; standard error says so."""
    known = [values for row in rows for values in row.get("token_logprobs") or [] if values]
    note = placeholders(known)
    if not note:
        return rows
    print(f"{path}: {note}", file=sys.stderr)
    return [{name: value for name, value in row.items() if name != "token_logprobs"} for row in rows]


def converted(entries: Entries, convert: Callable[[Any], dict[str, Any] | None]) -> Rows:
    """The rows that entries become, but for those that become none."""
    return [row for _, row in placed_rows(entries, convert)]


def placed_rows(
    entries: Entries, convert: Callable[[Any], dict[str, Any] | None]
) -> list[tuple[str, dict[str, Any]]]:
    """The rows that entries become, but for those that become none, with their places."""
    rows = []
    for where, entry in entries:
        with placed(where):
            rows.append((where, convert(entry)))
    return [(where, row) for where, row in rows if row is not None]


def list_of(value: Any) -> list[Any]:
    """A list as it is: a text, too, could be taken apart."""
    if not isinstance(value, list):
        raise TypeError(f"{value!r:.80} is no list")
    return value
