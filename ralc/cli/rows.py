"""Rows in and out of the command line: CSV (or with tabs), JSON lines, Parquet, standard input and output.

A malformed row is one bad row and not the end of the file (but for a quote that stays open: what follows it is one
cell). It is named, with its line, and goes to a file of its own; the rest is done.
"""

import csv
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, TextIO

from ralc.io import text as textfiles
from ralc.io.rows import Fault, Faults, Row, format_of, read_rows, rows_of

BATCH = 2_000  # rows between two looks at the clock
#: Bad rows that standard error names one by one; the file has them all.
NAMED = 5
#: A text by itself, and the endings of files that are one.
PROSE = "prose"
PROSE_ENDINGS = (".md", ".markdown", ".txt")
STDIN = "standard input"


@dataclass
class Rows:
    """What a source holds: its rows, the rows that could not be read, and the format."""

    name: str
    format: str
    rows: list[Row] = field(default_factory=list)
    bad: Faults = field(default_factory=list)

    @property
    def columns(self) -> list[str]:
        """The columns of all rows that have a name, in the order in which they appear."""
        return [name for name in dict.fromkeys(chain.from_iterable(row.cells for row in self.rows)) if name]

    def require(self, *columns: str) -> None:
        """Raise ValueError unless the rows have these columns; what there is is named."""
        for column in columns:
            if self.rows and column not in self.columns:
                raise ValueError(f"{self.name}: no column {column!r}; there are {', '.join(self.columns)}")

    def refuse(self, *columns: str) -> None:
        """Raise ValueError where the rows have one of these columns, which the output would overwrite."""
        if own := [column for column in columns if column in self.columns]:
            raise ValueError(
                f"{self.name}: has {', '.join(map(repr, own))}, which the output would overwrite: rename "
                f"{'the column' if len(own) == 1 else 'these columns'}"
            )

    def rename(self, column: str, name: str) -> None:
        """Give a column another name; ValueError where that is another one's."""
        self.refuse(name)
        self.rows = [
            row._replace(cells={name if key == column else key: value for key, value in row.cells.items()})
            for row in self.rows
        ]

    def unusable(self) -> ValueError:
        """The error of a source none of whose rows can be used: what is wrong with the first."""
        if not self.bad:
            return ValueError(f"{self.name}: holds no row below its header")
        return ValueError(f"{self.bad[0].message} (no row can be used)")

    def keep(self, check: Callable[[dict[str, Any]], Any], *, unit: str = "") -> list[Any]:
        """Return what `check` makes of each row; a row on which it raises ValueError becomes a bad row.

        What takes long has a `unit`, and a bar on standard error.
        """
        from tqdm import tqdm

        made, kept = [], []
        for row in tqdm(self.rows, unit=f" {unit}", disable=None if unit else True, file=sys.__stderr__):
            try:
                made.append(check(row.cells))
                kept.append(row)
            except ValueError as error:
                self.bad.append(Fault(row, f"{row.where}: {error}"))
        self.rows = kept
        self.bad.sort(key=lambda fault: fault.row.line)
        return made


def load(source: str, *, column: str = "") -> Rows:
    """Read a file by its ending, or standard input where `source` is ``-``: JSON lines or CSV, as it looks.

    Where a `column` is named, standard input may be plain lines, too: each is a row with that column; and a file of
    ``PROSE_ENDINGS`` is one row with that column, the whole of it.

    Raises
    ------
    ValueError
        If there is no such file, or its text or table cannot be read at all; the file is named.
    """
    if source == "-":
        text = textfiles.decode(sys.stdin.buffer.read(), STDIN)
        if column and _is_plain(text, column):
            found = of_texts(STDIN, "csv", map(str.strip, text.split("\n")), column)
            found.rows = [row for row in found.rows if row.cells[column]]
            return found
        found = Rows(STDIN, "jsonl" if text.lstrip()[:1] == "{" else "csv")
        found.rows = list(rows_of(text, STDIN, found.format, found.bad))
    elif column and Path(source).suffix.lower() in PROSE_ENDINGS:
        return of_texts(source, PROSE, [textfiles.read_text(source)], column)
    else:
        found = Rows(source, format_of(source))
        found.rows = read_rows(source, faults=found.bad)
    if not found.rows:
        raise found.unusable()
    return found


def of_texts(name: str, form: str, texts: Iterable[str], column: str) -> Rows:
    """Return texts, each of a line, as rows with one column."""
    rows = [Row(at, f"{name}, line {at}", {column: one}) for at, one in enumerate(texts, start=1)]
    return Rows(name, form, rows)


def _is_plain(text: str, column: str) -> bool:
    """Whether a text is neither JSON lines nor CSV: no header names the column, or several columns in a word each."""
    header, *below = text.strip().splitlines() or [""]
    cells = [cell.strip(' "\r') for cell in re.split(r"[,;\t|]", header)]
    alike = all(len(re.split(r"[,;\t|]", line)) >= len(cells) for line in below if line.strip())
    several = len(cells) > 1 and below and alike and not re.search("[.!?]", header)
    headed = column in cells or header.casefold() in {column.casefold(), "answer", "text"}
    return header[:1] not in ("", "{", "[") and not headed and not several


def batches(total: int, unit: str) -> Iterator[slice]:
    """Slices of so many rows, one after the other, with a bar on standard error that says how long it will take."""
    from tqdm import tqdm

    with tqdm(total=total, unit=f" {unit}", disable=None, file=sys.__stderr__) as bar:
        for start in range(0, total, BATCH):
            yield slice(start, start + BATCH)
            bar.update(min(BATCH, total - start))


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

            pq.write_table(pa.Table.from_pylist(list(rows)), temporary, write_page_checksum=True)
        else:
            with open(temporary, "w", encoding="utf-8", newline="") as file:
                _write(rows, file, kind)


def _write(rows: Sequence[dict[str, Any]], file: TextIO, kind: str) -> None:
    if kind == "jsonl":
        file.writelines(textfiles.json_line(row) + "\n" for row in rows)
        return
    columns = list(dict.fromkeys(chain.from_iterable(rows)))
    writer = csv.DictWriter(file, columns, delimiter="\t" if kind == "tsv" else ",", lineterminator="\n")
    writer.writerow({column: textfiles.inert(column) for column in columns})
    writer.writerows({key: _cell(value) for key, value in row.items()} for row in rows)


def _cell(value: Any) -> Any:
    """A value as CSV holds it: lists and mappings as JSON, a number in its shortest form, no formula."""
    return textfiles.json_line(value) if isinstance(value, list | dict) else textfiles.inert(value)


def report_bad(found: Rows, beside: str) -> int:
    """Name the bad rows on standard error and write them to a file beside `beside`; return the exit code, 0 or 3.

    A file of prose is named alone.
    """
    if not found.bad:
        return 0
    for fault in found.bad[:NAMED]:
        print(f"ralc: {fault.message}", file=sys.stderr)
    if found.format == PROSE:
        return 3
    place = Path("ralc.bad.jsonl") if beside == "-" else Path(beside).with_suffix(".bad.jsonl")
    save(
        [{**fault.row.cells, "line": fault.row.line, "reason": fault.reason} for fault in found.bad],
        str(place),
    )
    print(f"ralc: rows done: {len(found.rows)}; bad: {len(found.bad)}, in {place}", file=sys.stderr)
    return 3


def check_apart(files: Mapping[str, str | None]) -> None:
    """Raise ValueError if two names are of one file: what is read would be overwritten by what is written."""
    seen: dict[Path, str] = {}
    for name, given in files.items():
        if given not in (None, "-"):
            other = seen.setdefault(Path(given).resolve(), name)
            if other != name:
                raise ValueError(f"{name} is {given}, and so is {other}: write to another file")
