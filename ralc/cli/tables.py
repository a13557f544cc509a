"""Tables in and out of the command line; a faulty row is named, and the rest is done."""

import csv
import io
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from ralc.io.files import inert, json_line, whole_file, write_text
from ralc.io.rows import Row, format_of, located, named, read_rows, read_text

#: The format of a text by itself.
PROSE = "prose"
#: The endings of files that are one.
PROSE_ENDINGS = (".md", ".markdown", ".txt")
STDIN = "standard input"

#: What a column may be meant for, by its name, and how to say so.
_MEANT = {
    "--score {}": "score scores probability prob certainty confidence_score p_true",
    "--column {}": "response output completion prediction model_answer text",
    "call_it_samples": "responses sampled_responses sampled_answers completions generations",
    "call_it_correct": "is_correct correctness label grade outcome passed",
}

Made = TypeVar("Made")


@dataclass
class Table:
    """A source: its format, its rows, and its faulty rows, each with what is wrong."""

    name: str
    format: str
    rows: list[Row] = field(default_factory=list)
    bad: list[tuple[Row, str]] = field(default_factory=list)

    @property
    def columns(self) -> list[str]:
        """The named columns of all rows, in the order in which they appear."""
        return [name for name in dict.fromkeys(chain.from_iterable(row.cells for row in self.rows)) if name]

    def find(self, column: str) -> str:
        """Return the column of a name, or the one that has it in another case; "" where none does."""
        columns = self.columns
        return column if column in columns else next(iter(named(columns, {column: column})), "")

    def require(self, *columns: str) -> list[str]:
        """Return the columns of these names; ValueError names one that is missing, and those that there are."""
        found = [self.find(column) for column in columns]
        for column, there in zip(columns, found, strict=True):
            if not there:
                raise self.lack(repr(column))
        return found

    def lack(self, columns: str) -> ValueError:
        """Return the error that columns are missing, with those that there are, and which may be meant."""
        there = "; ".join([", ".join(self.columns), *self.hints(self.columns)])
        return ValueError(f"{self.name}: no column {columns}; there are {there}")

    def hints(self, columns: Sequence[str]) -> list[str]:
        """Return what some columns may be meant for."""
        return [
            f"{there!r}: {how.replace('_', ' ').format(there)}?"
            for there, how in named(columns, _MEANT).items()
        ]

    def refuse(self, *columns: str) -> None:
        """Raise ValueError where the rows have one of these columns, which the output would overwrite."""
        if columns_twice := [repr(column) for column in columns if column in self.columns]:
            remedy = "which the output would overwrite: rename that column"
            raise ValueError(f"{self.name}: has {', '.join(columns_twice)}, {remedy}")

    def keep(self, make: Callable[[dict[str, Any]], Made], *, alone: bool = True) -> list[Made]:
        """Return what is made of each row's cells; a row on which that raises ValueError becomes a faulty row.

        Where no row is left, that is an error of a table that is read `alone`.
        """
        rows = self.rows
        values = []
        self.rows = []
        for row in rows:
            try:
                values.append(make(row.cells))
                self.rows.append(row)
            except ValueError as error:
                self.bad.append((row, str(error)))
        if alone and not values:
            row, reason = self.bad[0]
            raise ValueError(f"{row.where}: {reason} (no row can be used)")
        return values

    def report_bad(self) -> int:
        """Name each faulty row on standard error; return the exit code, 0 or 3."""
        if not self.bad:
            return 0
        for row, reason in self.bad:
            print(f"ralc: {row.where}: {reason}", file=sys.stderr)
        print(f"ralc: rows done: {len(self.rows)}; bad: {len(self.bad)}", file=sys.stderr)
        return 3


def load(source: str, column: str = "") -> Table:
    """Return what a file, or ``-``, holds; with a `column` it may be a text of `PROSE_ENDINGS`."""
    if source == "-":
        text = read_text(STDIN, sys.stdin.buffer.read())
        form = "jsonl" if text.lstrip()[:1] in ("{", "[") else "csv"
        table = Table(STDIN, form, read_rows(STDIN, form, text))
    elif column and Path(source).suffix.lower() in PROSE_ENDINGS:
        return of_text(source, read_text(source), column)
    else:
        table = Table(source, format_of(source), read_rows(source))
    if not table.rows:
        raise ValueError(f"{source}: holds no row")
    return table


def of_text(name: str, text: str, column: str) -> Table:
    """Return a running text as a table of one row.

    Parameters
    ----------
    name
        That of its file, or what it is called in messages.
    text
        The text.
    column
        The column that it stands in.
    """
    return Table(name, PROSE, [Row(1, name, {column: text})])


def save(rows: Sequence[dict[str, Any]], target: str, kind: str = "csv") -> None:
    """Write rows to a file by its ending, or as `kind` to standard output where `target` is ``-``.

    Parameters
    ----------
    rows
        Cells by their columns; a row may lack some.
    target
        The file, or ``-`` for standard output.
    kind
        The format on standard output: ``csv``, ``tsv`` or ``jsonl``; in place of ``parquet`` it is ``jsonl``.

    Raises
    ------
    ValueError
        If the ending of a file is unknown, or JSON cannot hold a cell.
    """
    # A terminal cannot show Parquet, a pipe cannot be sought in.
    if target != "-":
        kind = format_of(target, written=True)
    elif kind == "parquet":
        kind = "jsonl"
    if kind == "parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        with whole_file(target) as temporary:
            return pq.write_table(pa.Table.from_pylist(list(rows)), temporary, write_page_checksum=True)
    if kind == "jsonl":
        return write("".join(_json_row(row, target) + "\n" for row in rows), target)
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t" if kind == "tsv" else ",", lineterminator="\n")
    columns = list(dict.fromkeys(chain.from_iterable(rows)))
    writer.writerow(map(inert, columns))
    for row in rows:
        cells = (row.get(name) for name in columns)
        writer.writerow(json_line(cell) if isinstance(cell, list | dict) else inert(cell) for cell in cells)
    return write(text.getvalue(), target)


def _json_row(row: dict[str, Any], target: str) -> str:
    """Return a row as JSON; ValueError names a column that JSON cannot hold, such as an image."""
    try:
        return json_line(row)
    except ValueError:
        for name, cell in row.items():
            with located(
                f"{target}, column {name!r}", "JSON has no bytes; write .parquet, or leave the column out"
            ):
                json_line(cell)
        raise


def write(text: str, target: str) -> None:
    """Write a text to a file, or to standard output where `target` is ``-``."""
    if target == "-":
        sys.stdout.write(text)
    else:
        write_text(text, target)


def check_ending(path: str, ending: str) -> None:
    """Raise ValueError unless a file that is written has an ending; "" is no file."""
    if path and not path.lower().endswith(ending):
        raise ValueError(f"{path}: the ending must be {ending}")


def check_distinct(files: Mapping[str, str | None]) -> None:
    """Raise ValueError if two names are of one file: what is read would be overwritten by what is written."""
    seen: dict[Path, str] = {}
    for name, path in files.items():
        if path not in (None, "-"):
            other = seen.setdefault(Path(path).resolve(), name)
            if other != name:
                raise ValueError(f"{name} and {other} are both {path}: write to another file")
