"""Rows of the tables that users bring: CSV, TSV, JSON lines, parquet; a fault names file, line and remedy."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ralc.io.text import existing, json_value, read_text

Made = TypeVar("Made")

FORMATS = {".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
#: How many faults of a file are shown.
FAULTS = 20
_DELIMITERS = (",", ";", "\t", "|")
#: The key of a row that could not be taken apart.
_RAW = "raw"


class Row(NamedTuple):
    """A row: its line (of parquet or a list its number), from 1; its place in words; its cells by column."""

    line: int
    where: str
    cells: Any


class Fault(NamedTuple):
    """A row, as far as it could be read, and what is wrong with it, its place first."""

    row: Row
    message: str

    @property
    def reason(self) -> str:
        """The message without the place."""
        return self.message.removeprefix(self.row.where).lstrip(",: ")


Faults = list[Fault]


class FaultsError(ValueError):
    """The faults of a file: all of them in `faults`, the first `FAULTS` in words."""

    def __init__(self, faults: Faults) -> None:
        self.faults = tuple(fault.message for fault in sorted(faults, key=lambda fault: fault.row.line))
        more = len(faults) - FAULTS
        super().__init__("\n".join([*self.faults[:FAULTS], *([f"... and {more} more"] if more > 0 else [])]))


def kept(rows: Iterable[Row], make: Callable[[Row], Made], faults: Faults | None = None) -> Iterator[Made]:
    """Yield what is made of each row; `faults` collects those that fail, else the first one ends it."""
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
    """Return the format of a file by its ending; ValueError if it is not one of ``FORMATS``."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise ValueError(f"{path}: the ending must be one of {', '.join(FORMATS)}")
    return FORMATS[suffix]


def read_rows(path: str | Path, kind: str = "", faults: Faults | None = None) -> list[Row]:
    """Return the rows of a file; blank lines are passed over, padding is stripped.

    Parameters
    ----------
    path
        The file.
    kind
        A value of `FORMATS`; by default that of the file's ending.
    faults
        Collects faulty rows; without it the first one ends the reading.

    Raises
    ------
    ValueError
        If the file cannot be read (`ralc.io.text.read_text`), a column has no name of its own, a row has another
        number of cells than the header, a quote stays open, or a line is no JSON object.
    """
    kind = kind or format_of(path)
    if kind != "parquet":
        return list(rows_of(read_text(path), path, kind, faults))
    return [Row(at, f"{path}, row {at}", cells) for at, cells in enumerate(_parquet(existing(path)), 1)]


def _parquet(path: Path) -> Iterator[dict[str, Any]]:
    import pyarrow.parquet as pq

    try:
        rows = pq.ParquetFile(path, page_checksum_verification=True).read().to_pylist()
    except Exception as error:  # decoders of damaged bytes raise whatever they meet
        reason = " ".join(str(error).split())[:200]
        raise ValueError(f"{path}: is damaged or no parquet file ({reason})") from None
    for row in rows:
        yield {name: cell for name, cell in row.items() if not name.startswith("__index_level_")}


def rows_of(text: str, path: str | Path, kind: str, faults: Faults | None = None) -> Iterator[Row]:
    """Yield the rows of a text of JSON lines, or of delimited cells; see `read_rows`."""
    if kind == "jsonl":
        lines = ((line, one) for line, one in enumerate(text.split("\n"), 1) if one.strip())
        return kept((_raw(path, *one) for one in lines), _json_row, faults)
    header = re.sub(r'"[^"]*"', "", text.lstrip().split("\n", 1)[0])
    cells = cells_of(text, path, "\t" if kind == "tsv" else max(_DELIMITERS, key=header.count))
    line, names = next(cells)
    columns = [name.strip() for name in names]
    while not columns[-1]:
        columns.pop()
    if "" in columns[1:] or len(set(columns)) < len(columns):  # pandas leaves the first without a name
        raise ValueError(f"{path}, line {line}: each column needs a name of its own; here: {columns}")
    return kept((_raw(path, *one) for one in cells), lambda row: _delimited_row(row, columns), faults)


def _raw(path: str | Path, line: int, found: Any) -> Row:
    return Row(line, f"{path}, line {line}", {_RAW: found})


def _json_row(row: Row) -> Row:
    found = json_value(row.cells[_RAW], row.where)
    if not isinstance(found, dict):
        raise ValueError(f"{row.where}: not a JSON object")
    return row._replace(cells=found)


def _delimited_row(row: Row, columns: list[str]) -> Row:
    """Return a row with its cells by column; more cells than columns may be empty."""
    cells = row.cells[_RAW]
    if len(cells) < len(columns) or any(map(str.strip, cells[len(columns) :])):
        raise ValueError(
            f"{row.where}: {len(cells)} cells where the header has {len(columns)}: {' | '.join(cells)[:100]}; a cell "
            "that holds the separator stands in double quotes"
        )
    return row._replace(cells={name: cell.strip() for name, cell in zip(columns, cells, strict=False)})


def cells_of(text: str, path: str | Path, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Yield line and cells of every row of a delimited text that is not blank."""
    reader = csv.reader(io.StringIO(text, newline=None), delimiter=delimiter, strict=True)
    line, found = 1, False
    try:
        for cells in reader:
            if any(map(str.strip, cells)):
                found = True
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        raise ValueError(
            f"{path}, line {line}: {error} (a quote stays open, or one in a quoted cell is not doubled)"
        ) from None
    if not found:
        raise ValueError(f"{path}: holds separators alone; the first line names the columns")
