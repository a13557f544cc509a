"""Rows of the tables that users bring: CSV, TSV, JSON lines, parquet; a fault names file, line and remedy."""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ralc.io.text import existing, json_object, json_value, placed, read_text

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
        If the file cannot be read (`ralc.io.text.read_text`), a column has no name or stands twice, a row has
        another number of cells than the header, a quote stays open, or a line is no JSON object.
    """
    kind = kind or format_of(path)
    if kind != "parquet":
        return list(rows_of(read_text(path), path, kind, faults))
    return [Row(at, f"{path}, row {at}", cells) for at, cells in enumerate(_parquet(existing(path)), 1)]


def _parquet(path: Path) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    try:
        rows = pq.ParquetFile(path, page_checksum_verification=True).read().to_pylist()
    except Exception as error:  # decoders of damaged bytes raise whatever they meet
        reason = " ".join(str(error).split())[:200]
        raise ValueError(f"{path}: is damaged or no parquet file ({reason})") from None
    return [
        {name: cell for name, cell in row.items() if not name.startswith("__index_level_")} for row in rows
    ]


def rows_of(text: str, path: str | Path, kind: str, faults: Faults | None = None) -> Iterator[Row]:
    """Yield the rows of a text of JSON lines, or of delimited cells; see `read_rows`."""
    if kind == "jsonl":
        lines = ((line, one) for line, one in enumerate(text.split("\n"), 1) if one.strip())
        raw = (Row(line, f"{path}, line {line}", {_RAW: one}) for line, one in lines)
        return kept(raw, lambda row: row._replace(cells=json_object(row.cells[_RAW], row.where)), faults)
    cells = cells_of(text, path, "\t" if kind == "tsv" else _delimiter(text))
    columns = _columns(*next(cells, (1, [])), path)
    raw = (Row(line, f"{path}, line {line}", {_RAW: found}) for line, found in cells)
    return kept(raw, lambda row: row._replace(cells=_by_column(row, columns)), faults)


def _delimiter(text: str) -> str:
    """Return what stands between the cells of the header."""
    header = re.sub(r'"[^"]*"', "", text.lstrip().split("\n", 1)[0])
    return max(_DELIMITERS, key=header.count)


def cells_of(text: str, path: str | Path, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Yield line and cells of every row of a delimited text that is not blank."""
    # Split at line ends alone: str.splitlines would also cut at form feeds.
    lines = re.findall(r"[^\n]*\n|[^\n]+", text.replace("\r\n", "\n").replace("\r", "\n"))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            reason = "a quote is opened and not closed" if "end of data" in str(error) else str(error)
            raise ValueError(
                f"{path}, line {line}: {reason} (a quote inside a quoted cell is doubled)"
            ) from None
        if any(cell.strip() for cell in cells):
            yield line, cells


def _columns(line: int, header: list[str], path: str | Path) -> list[str]:
    """Return the names of columns; the first may be empty, as pandas writes its row numbers."""
    columns = _without_empty_end([cell.strip() for cell in header], 0)
    if not columns:
        raise ValueError(f"{path}, line {line}: holds separators alone; the first line names the columns")
    if "" in columns[1:]:
        raise ValueError(f"{path}, line {line}, column {columns.index('', 1) + 1}: has no name")
    for column, count in Counter(columns).items():
        if count > 1:
            raise ValueError(f"{path}, line {line}, column {column!r}: stands {count} times; keep one")
    return columns


def _without_empty_end(cells: list[str], least: int) -> list[str]:
    """Return cells without the empty ones at their end, beyond the first `least`."""
    end = len(cells)
    while end > least and not cells[end - 1].strip():
        end -= 1
    return cells[:end]


def _by_column(row: Row, columns: list[str]) -> dict[str, str]:
    """Return the cells of a row by column."""
    cells = _without_empty_end(row.cells[_RAW], len(columns))
    if len(cells) != len(columns):
        raise ValueError(
            f"{row.where}: {len(cells)} cells where the header has {len(columns)}: {' | '.join(cells)[:100]}; a cell "
            "that holds the separator stands in double quotes"
        )
    return {column: cell.strip() for column, cell in zip(columns, cells, strict=True)}


def filled(row: Row, called: Mapping[str, str], *, delimited: bool) -> Row:
    """Return a row with the cells that hold something, by what their columns are called; others are left out."""
    cells = {called[name]: cell for name, cell in row.cells.items() if name in called}
    present = {
        name: cell for name, cell in cells.items() if cell is not None and cell == cell
    }  # NaN is not itself
    return row._replace(cells={name: cell for name, cell in present.items() if cell != "" or not delimited})


def read_listed(path: str | Path, key: str = "") -> list[Row]:
    """Return the entries of a list in a JSON file: the whole of it, or what its object has under a key."""
    with placed(str(path)):
        found = json_value(read_text(path), str(path))
        listed = found[key] if key else found
        if not isinstance(listed, list):
            raise TypeError(f"{listed!r:.80} is no list")
    return [Row(at, f"{path}, {key or 'entry'} {at}", entry) for at, entry in enumerate(listed, 1)]


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
