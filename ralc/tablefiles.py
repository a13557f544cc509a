"""Rows of the files that people bring: delimited cells, JSON lines, Parquet or a list in a file of JSON.

A row knows its file and line, and what is wrong with it is said with both; `read_rows` ends at the first such row, or
collects what is wrong with each.
"""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ralc.textfiles import existing, json_object, json_value, list_cell, placed, read_text

Made = TypeVar("Made")

FORMATS = {".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
#: Characters of the longest cell: what is longer is a quote that was not closed.
LONGEST_CELL = 131_072
#: Faults of a file that are said one by one.
FAULTS = 20
#: What stands between cells, likeliest first, where neither the ending nor the first line says it.
_DELIMITERS = (",", ";", "\t", "|")
#: A first line that says it, as spreadsheets write and read it.
_SAID = re.compile(r'\s*"?sep=([^\r\n"])"?[ ,;\t|]*(?=[\r\n])', re.IGNORECASE)
#: What a row is kept under that could not be taken apart.
_RAW = "raw"


class Row(NamedTuple):
    """A row: its line (of a Parquet file or a list its number), from 1; where that is; and its cells by column."""

    line: int
    where: str
    cells: Any


class Fault(NamedTuple):
    """A row, as far as it could be read, and what is wrong with it, its place first."""

    row: Row
    message: str

    @property
    def reason(self) -> str:
        """What is wrong, without the place."""
        return self.message.removeprefix(self.row.where).lstrip(",: ")


Faults = list[Fault]


class FaultsError(ValueError):
    """What is wrong with the rows of a file: all of it in `faults`, the first `FAULTS` in words."""

    def __init__(self, faults: Faults) -> None:
        self.faults = tuple(fault.message for fault in sorted(faults, key=lambda fault: fault.row.line))
        more = len(faults) - FAULTS
        super().__init__("\n".join([*self.faults[:FAULTS], *([f"... and {more} more"] if more > 0 else [])]))


def kept(rows: Iterable[Row], make: Callable[[Row], Made], faults: Faults | None = None) -> Iterator[Made]:
    """What is made of each row; `faults` takes why nothing is, else the first such row ends it."""
    for row in rows:
        try:
            made = make(row)
        except ValueError as error:
            if faults is None:
                raise
            faults.append(Fault(row, str(error)))
        else:
            yield made


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


def read_rows(path: str | Path, kind: str = "", faults: Faults | None = None) -> list[Row]:
    """Return the rows of a file, blank lines passed over.

    The header of delimited cells tells what separates them (in a ``.tsv`` file it is the tab); padding is stripped. A
    first column without a name has the numbers that pandas writes of the rows.

    Parameters
    ----------
    path
        The file.
    kind
        One of the `FORMATS`; by default that of the file's ending.
    faults
        Takes what is wrong, row by row; without it the first such row ends the reading.

    Raises
    ------
    ValueError
        If the file cannot be read (see `ralc.textfiles.read_text`); a column has no name or stands twice; a row has
        another number of cells than the header, a quote stays open, or a cell is longer than `LONGEST_CELL`; a line is
        no JSON object, names a key twice, is nested beyond reading or holds half a character (``\\ud800`` alone).
    """
    kind = kind or format_of(path)
    if kind != "parquet":
        return list(rows_of(read_text(path), path, kind, faults))
    from ralc.parquetfiles import read_parquet

    return [Row(at, f"{path}, row {at}", values) for at, values in enumerate(read_parquet(existing(path)), 1)]


def rows_of(text: str, path: str | Path, kind: str, faults: Faults | None = None) -> Iterator[Row]:
    """Yield the rows of a text of JSON lines, or of delimited cells; see `read_rows`."""
    if kind == "jsonl":
        lines = ((line, one) for line, one in enumerate(text.split("\n"), 1) if one.strip())
        raw = (Row(line, f"{path}, line {line}", {_RAW: one}) for line, one in lines)
        return kept(raw, lambda row: row._replace(cells=json_object(row.cells[_RAW], row.where)), faults)
    columns, found = _delimited(text, path)
    raw = (Row(line, f"{path}, line {line}", {_RAW: cells}) for line, cells in found)
    return kept(raw, lambda row: row._replace(cells=_by_column(row, columns)), faults)


def read_filled(
    path: str | Path,
    cell: Callable[[str, str, str], Any],
    *,
    names: Callable[[Iterable[str]], Mapping[str, str]] | None = None,
    faults: Faults | None = None,
) -> Iterator[Row]:
    """Return the rows of a file with what is there by column; what is empty, or has no name, is left out.

    Parameters
    ----------
    path, faults
        As in `read_rows`.
    cell
        What a text in a delimited file stands for, by its column, text and place (`cell_of` takes lists apart).
    names
        What columns are called here, by the names that they have in the file.
    """
    delimited = format_of(path) in ("csv", "tsv")

    def told(row: Row) -> Row:
        values = {name: value for name, value in row.cells.items() if name or not delimited}
        called = names(values) if names else {}
        filled = {
            called.get(name, name): value
            for name, value in values.items()
            if value is not None and value == value and (value or not delimited)  # NaN differs from itself
        }
        if delimited:
            filled = {name: cell(name, value, row.where) for name, value in filled.items()}
        return row._replace(cells=filled)

    return kept(read_rows(path, faults=faults), told, faults)


def cell_of(column: str, cell: str, where: str) -> Any:
    """What a cell stands for: a list where it begins like one."""
    return list_cell(cell, f"{where}, column {column!r}") if cell.startswith("[") else cell


def read_listed(path: str | Path, key: str = "") -> list[Row]:
    """Return the entries of a list in a file of JSON: the whole of it, or what its object has under a key."""
    with placed(str(path)):
        found = json_value(read_text(path), str(path))
        listed = found[key] if key else found
        if not isinstance(listed, list):
            raise TypeError(f"{listed!r:.80} is no list")
    return [Row(at, f"{path}, {key or 'entry'} {at}", entry) for at, entry in enumerate(listed, 1)]


def _delimited(text: str, path: str | Path) -> tuple[list[str], Iterator[tuple[int, list[str]]]]:
    """Return the columns of a delimited text, and its rows as they come: line and cells, not yet counted.

    The first column may have no name. Empty cells at the end, where the header names nothing, are left out. A line
    ``sep=;`` before the header says what separates cells.

    Raises
    ------
    ValueError
        As `read_rows`, but for the number of cells.
    """
    said = _SAID.match(text)
    below = text[said.end() :] if said else text
    rows = cells_of(below, path, said[1] if said else _delimiter(text, Path(path)))
    line, header = next(rows, (1, None))
    if header is None:
        raise ValueError(f"{path}, line 1: holds separators alone; the first line names the columns")
    columns = _ended([cell.strip() for cell in header], 0)
    if "" in columns[1:]:
        raise ValueError(f"{path}, line {line}, column {columns.index('', 1) + 1}: has no name")
    for column, count in Counter(columns).items():
        if count > 1:
            raise ValueError(f"{path}, line {line}, column {column!r}: stands {count} times; keep one")
    return columns, ((line, _ended(cells, len(columns))) for line, cells in rows)


def _ended(cells: list[str], least: int) -> list[str]:
    """Cells without the empty ones at their end, beyond the first `least`."""
    end = len(cells)
    while end > least and not cells[end - 1].strip():
        end -= 1
    return cells[:end]


def _delimiter(text: str, path: Path) -> str:
    """What stands between the cells of the header."""
    if path.suffix.lower() == ".tsv":
        return "\t"
    header = re.sub(r'"[^"]*"', "", text.lstrip().split("\n", 1)[0])
    return max(_DELIMITERS, key=header.count)


def cells_of(text: str, path: str | Path, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Return line and cells of every row of a delimited text that is not blank; ValueError as `read_rows`."""
    csv.field_size_limit(2 * LONGEST_CELL)
    # Split at line ends alone: str.splitlines would also cut at form feeds and the like.
    lines = re.findall(r"[^\n]*\n|[^\n]+", text.replace("\r\n", "\n").replace("\r", "\n"))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            remedy = "a quote is opened and not closed" if "end of data" in str(error) else str(error)
            raise ValueError(
                f"{path}, line {line}: {remedy} (a quote inside a quoted cell is doubled)"
            ) from None
        for number, cell in enumerate(cells, start=1):
            if len(cell) > LONGEST_CELL:
                raise ValueError(
                    f"{path}, line {line}, column {number}: a cell of {len(cell):,} characters (at most "
                    f"{LONGEST_CELL:,}); is a quote not closed?"
                )
        if any(cell.strip() for cell in cells):
            yield line, cells


def _by_column(row: Row, columns: list[str]) -> dict[str, str]:
    """The cells of a row by column."""
    cells = row.cells[_RAW]
    if len(cells) != len(columns):
        raise ValueError(
            f"{row.where}: {len(cells)} cells where the header has {len(columns)}: {_shown(cells)}; a cell that holds "
            "the separator stands in double quotes"
        )
    return {column: cell.strip() for column, cell in zip(columns, cells, strict=True)}


def _shown(cells: list[str]) -> str:
    """The beginning of a row."""
    shown = " | ".join(cells[:6])
    return shown if len(shown) <= 100 else shown[:100] + "..."


def named(columns: Iterable[str], headers: Mapping[str, str]) -> dict[str, str]:
    """Return what columns are called here, by the names that they have, whatever their case.

    Parameters
    ----------
    columns
        Those of a file.
    headers
        For each column here the names that it may have there, likeliest first (its own, unless it stands among
        them); a column is taken once.

    Examples
    --------
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
