"""Rows in and out of the command line: CSV, JSON lines, Parquet, standard input and output.

CSV and JSON lines are read row by row without pandas, so that a malformed row is one bad row and not the end of
the file. A bad row is named, with its line, and goes to a file of its own; the rest is done.
"""

import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, TextIO

#: Bad rows that standard error names one by one; the file has them all.
NAMED = 5
FORMATS = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
_REST = "more fields than columns"
_LONGEST_FIELD = 2**24  # characters; the csv module's own limit is 131,072


@dataclass(frozen=True)
class Row:
    """A row and the line on which it begins (of a Parquet file: its number), counted from 1."""

    line: int
    values: dict[str, Any]


@dataclass(frozen=True)
class BadRow(Row):
    """A row that nothing can be done with, and why."""

    reason: str


@dataclass
class Rows:
    """What a source holds: its rows, the rows that could not be read, and the format."""

    name: str
    format: str
    rows: list[Row] = field(default_factory=list)
    bad: list[BadRow] = field(default_factory=list)

    @property
    def columns(self) -> list[str]:
        """The columns of all rows, in the order in which they appear."""
        return list(dict.fromkeys(chain.from_iterable(row.values for row in self.rows)))

    def require(self, *columns: str) -> None:
        """Raise ValueError unless the rows have these columns; what there is is named."""
        for column in columns:
            if self.rows and column not in self.columns:
                raise ValueError(f"{self.name}: no column {column!r}; there are {', '.join(self.columns)}")

    def keep(self, check: Callable[[dict[str, Any]], Any]) -> list[Any]:
        """Return what `check` makes of each row; a row on which it raises ValueError becomes a bad row."""
        made, kept = [], []
        for row in self.rows:
            try:
                made.append(check(row.values))
                kept.append(row)
            except ValueError as error:
                self.bad.append(BadRow(row.line, row.values, str(error)))
        self.rows = kept
        self.bad.sort(key=lambda row: row.line)
        return made


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


def load(source: str) -> Rows:
    """Read a file by its ending, or standard input where `source` is ``-``: JSON lines or CSV, as it looks.

    Raises
    ------
    ValueError
        If there is no such file, or its text or table cannot be read at all; the file is named.
    """
    if source == "-":
        text = sys.stdin.read().removeprefix("\ufeff")
        kind = "jsonl" if text.lstrip()[:1] == "{" else "csv"
        return _parse(text.splitlines(keepends=True), "standard input", kind)
    kind = format_of(source)
    if not Path(source).is_file():
        raise ValueError(f"{source}: no such file")
    if kind == "parquet":
        return _parquet(source)
    try:
        with open(source, encoding="utf-8-sig", newline="") as file:
            return _parse(file, source, kind)
    except UnicodeDecodeError as error:
        raise ValueError(f"{source}: not UTF-8 text (byte {error.start})") from None


def _parse(lines: Iterable[str], name: str, kind: str) -> Rows:
    found = Rows(name, kind)
    for row in (_json_rows if kind == "jsonl" else _csv_rows)(lines, name):
        (found.bad if isinstance(row, BadRow) else found.rows).append(row)
    return found


def _csv_rows(lines: Iterable[str], name: str) -> Iterator[Row]:
    csv.field_size_limit(_LONGEST_FIELD)
    reader = csv.DictReader(lines, restkey=_REST)
    line = 2
    try:
        for values in reader:
            short = [column for column, value in values.items() if value is None]
            if _REST in values:
                yield BadRow(line, values, _REST)
            elif short:
                yield BadRow(line, values, f"no field for column {short[0]!r}")
            else:
                yield Row(line, values)
            line = reader.line_num + 1
    except csv.Error as error:
        raise ValueError(f"{name}, line {line}: {error}") from None


def _json_rows(lines: Iterable[str], name: str) -> Iterator[Row]:
    for line, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        try:
            values = json.loads(text)
        except (ValueError, RecursionError) as error:
            yield BadRow(line, {"raw": text.rstrip("\n")}, f"not JSON: {error}")
            continue
        if isinstance(values, dict):
            yield Row(line, values)
        else:
            yield BadRow(line, {"raw": text.rstrip("\n")}, f"not an object but {type(values).__name__}")


def _parquet(source: str) -> Rows:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(source)
    except pa.ArrowException as error:
        raise ValueError(f"{source}: not a Parquet file: {error}") from None
    return Rows(source, "parquet", [Row(i, values) for i, values in enumerate(table.to_pylist(), start=1)])


def save(rows: Sequence[dict[str, Any]], target: str, *, kind: str = "csv") -> None:
    """Write rows to a file by its ending, or as `kind` to standard output where `target` is ``-``."""
    if target == "-":
        if kind == "parquet":
            kind = "jsonl"  # a terminal cannot show Parquet, a pipe cannot be sought in
        _write(rows, sys.stdout, kind)
        return
    kind = format_of(target)
    from ralc.io import whole_file

    with whole_file(target) as temporary:
        if kind == "parquet":
            import pyarrow as pa
            import pyarrow.parquet as pq

            pq.write_table(pa.Table.from_pylist(list(rows)), temporary)
        else:
            with open(temporary, "w", encoding="utf-8", newline="") as file:
                _write(rows, file, kind)


def _write(rows: Sequence[dict[str, Any]], file: TextIO, kind: str) -> None:
    if kind == "jsonl":
        file.writelines(json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows)
        return
    columns = list(dict.fromkeys(chain.from_iterable(rows)))
    writer = csv.DictWriter(file, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _cell(value) for key, value in row.items()} for row in rows)


def _cell(value: Any) -> Any:
    """A value as CSV holds it: lists and mappings as JSON, a number in its shortest form."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


def report_bad(found: Rows, beside: str) -> int:
    """Name the bad rows on standard error and write them to a file beside `beside`; return the exit code, 0 or 3."""
    if not found.bad:
        return 0
    for row in found.bad[:NAMED]:
        print(f"ralc: {found.name}, line {row.line}: {row.reason}", file=sys.stderr)
    place = Path("ralc.bad.jsonl") if beside == "-" else Path(beside).with_suffix(".bad.jsonl")
    save([{**row.values, "line": row.line, "reason": row.reason} for row in found.bad], str(place))
    print(f"ralc: {len(found.bad)} bad rows are in {place}; {len(found.rows)} are done", file=sys.stderr)
    return 3
