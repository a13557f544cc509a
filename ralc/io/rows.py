"""Tables, texts and JSON that users bring, a pydantic model a row; a fault names file, line, column and remedy."""

import ast
import csv
import difflib
import gzip
import io
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints, ValidationError

from ralc.io.console import say

Made = TypeVar("Made")

FORMATS = {".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
#: How many faults of a file are shown.
FAULTS = 20
#: What stands between several values in one delimited cell.
SEPARATOR = "|"
_DELIMITERS = (",", ";", "\t", "|")
_MISSING = ("", "nan", "null", "none", "na", "n/a")
#: What comes of reading a value of one form as one of another.
_OTHER_FORM = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, SyntaxError)
_OTHER_FORM += (RecursionError, MemoryError)


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
        more = [f"... and {len(faults) - FAULTS} more"] if len(faults) > FAULTS else []
        super().__init__("\n".join([*self.faults[:FAULTS], *more]))


def kept(rows: Iterable[Row], make: Callable[[Row], Made], faults: Faults | None = None) -> Iterator[Made]:
    """Yield what is made of each row; `faults` collects those that fail, without it a FaultsError has them all."""
    bad: Faults = [] if faults is None else faults
    for row in rows:
        try:
            yield make(row)
        except ValueError as error:
            bad.append(Fault(row, str(error)))
    if faults is None and bad:
        raise FaultsError(bad)


def format_of(path: str | Path) -> str:
    """Return the format of a file by its ending; ValueError if it is not one of ``FORMATS``."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise ValueError(f"{path}: the ending must be one of {', '.join(FORMATS)}")
    return FORMATS[suffix]


def read_bytes(path: str | Path) -> bytes:
    """Return what a file holds; ValueError where there is none."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ValueError(f"{path}: {str(error.strerror).lower()}") from None


def read_text(path: str | Path) -> str:
    """Return the text of a UTF-8 file, gzipped or not; ValueError where there is none (see `decode`)."""
    return decode(read_bytes(path), path)


def decode(data: bytes, path: str | Path) -> str:
    """Return the text of a file's bytes; ValueError if they are empty, damaged or in another encoding than UTF-8."""
    try:
        data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data:
            raise ValueError(f"{path}: is UTF-16 or no text; save it as UTF-8")
        text = data.decode("utf-8-sig")
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"{path}: cannot be read as gzip ({error}); pack or fetch it anew") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        word = data[max(error.start - 12, data.rfind(b"\n", 0, error.start) + 1) : error.start + 4]
        raise ValueError(
            f"{path}, line {line}: not UTF-8 (as Latin-1 it reads {word.decode('latin-1')!r}); save it as UTF-8"
        ) from None
    if not text.strip():
        raise ValueError(f"{path}: is empty")
    return text


def json_value(text: str, where: str) -> Any:
    """Return the value of a JSON text; ValueError, beginning with `where`, where it is none."""
    try:
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False).encode() if "\\u" in text else None  # half a character
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{where}: not JSON ({error})") from None
    return value


def list_cell(cell: str) -> Any:
    """Return the list of a cell that begins like one, as JSON or as Python writes it.

    >>> list_cell('["Lima", null]'), list_cell("['Lima', None]")
    (['Lima', None], ['Lima', None])
    """
    # Python would join texts without a comma between them, as numpy writes them.
    readers = (json.loads,) if re.search(r"""["']\s+["']""", cell) else (json.loads, ast.literal_eval)
    for read in readers:
        with suppress(*_OTHER_FORM):
            return json_value(json.dumps(read(cell)), "")
    raise ValueError(f"begins with [ but is no JSON list: {cell!r:.80}")


@contextmanager
def placed(where: str, what: str = "not of the format that was named") -> Iterator[None]:
    """Turn whatever comes of reading a value of another form into a ValueError that begins with `where`."""
    try:
        yield
    except _OTHER_FORM as error:
        if str(error).startswith(where):
            raise
        if isinstance(error, KeyError):
            raise ValueError(f"{where}, column {error}: is missing") from None
        if str(error).startswith("column "):
            raise ValueError(f"{where}, {error}") from None
        raise ValueError(f"{where}: {what} ({type(error).__name__}: {error!s:.200})") from None


def read_rows(path: str | Path, kind: str = "", faults: Faults | None = None) -> list[Row]:
    """Return the rows of a file of a format (a value of `FORMATS`; by default by its ending).

    Blank lines are passed over, padding is stripped. `faults` collects faulty rows.

    Raises
    ------
    ValueError
        If the file cannot be read (see `decode`), a column has no name of its own, a row has another number of cells
        than the header, a quote stays open, or a line is no JSON object.
    """
    kind = kind or format_of(path)
    if kind != "parquet":
        return list(rows_of(read_text(path), path, kind, faults))
    import pyarrow.parquet as pq

    data = io.BytesIO(read_bytes(path))
    try:
        table = pq.ParquetFile(data, page_checksum_verification=True).read()
        columns = [name for name in table.column_names if not name.startswith("__index_level_")]
        rows = table.select(columns).to_pylist()
    except Exception as error:  # decoders of damaged bytes raise whatever they meet
        reason = " ".join(str(error).split())[:200]
        raise ValueError(f"{path}: is damaged or no parquet file ({reason})") from None
    return [Row(at, f"{path}, row {at}", cells) for at, cells in enumerate(rows, 1)]


def rows_of(text: str, path: str | Path, kind: str, faults: Faults | None = None) -> Iterator[Row]:
    """Yield the rows of a text of JSON lines, or of delimited cells; see `read_rows`."""

    def of_json(row: Row) -> Row:
        if not isinstance(lines := json_value(row.cells["raw"], row.where), dict):
            raise ValueError(f"{row.where}: not a JSON object")
        return row._replace(cells=lines)

    def of_cells(row: Row) -> Row:
        cells = [cell.strip() for cell in row.cells["raw"]]
        if len(cells) < len(columns) or any(cells[len(columns) :]):  # more cells than columns may be empty
            raise ValueError(
                f"{row.where}: {len(cells)} cells where the header has {len(columns)}: {' | '.join(cells)[:100]}; a "
                "cell that holds the separator stands in double quotes"
            )
        return row._replace(cells=dict(zip(columns, cells, strict=False)))

    if kind == "jsonl":
        lines = ((line, one) for line, one in enumerate(text.split("\n"), 1) if one.strip())
    else:
        header = re.sub(r'"[^"]*"', "", text.lstrip().split("\n", 1)[0])
        lines = cells_of(text, path, "\t" if kind == "tsv" else max(_DELIMITERS, key=header.count))
        line, names = next(lines)
        columns = [name.strip() for name in names]
        while not columns[-1]:
            columns.pop()
        if "" in columns[1:] or len(set(columns)) < len(columns):  # pandas leaves the first without a name
            raise ValueError(f"{path}, line {line}: each column needs a name of its own; here: {columns}")
    raw = (Row(line, f"{path}, line {line}", {"raw": one}) for line, one in lines)
    return kept(raw, of_json if kind == "jsonl" else of_cells, faults)


def cells_of(text: str, path: str | Path, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Yield line and cells of every row of a delimited text that is not blank."""
    reader = csv.reader(io.StringIO(text, newline=None), delimiter=delimiter, strict=True)
    line, ended = 1, False
    try:
        for cells in reader:
            if any(map(str.strip, cells)):
                ended = True
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        raise ValueError(
            f"{path}, line {line}: {error} (a quote stays open, or one in a quoted cell is not doubled)"
        ) from None
    if not ended:
        raise ValueError(f"{path}: holds separators alone; the first line names the columns")


def is_missing(value: Any) -> bool:
    """Tell whether a value stands for none: null, NaN, or a text that says so."""
    none = value is None or value != value
    return none or (isinstance(value, str) and value.strip().casefold() in _MISSING)


def listed(value: Any) -> Any:
    """Return the list of a cell, which may be JSON or as Python writes it; a text alone is a list of one."""
    if not isinstance(value, str):
        return value
    return list_cell(value.strip()) if value.lstrip().startswith("[") else [value]


def _split(value: Any) -> Any:
    if not isinstance(value, str) or value.lstrip().startswith("["):
        return listed(value)
    return [one for one in value.split(SEPARATOR) if one.strip()]


Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Id = Annotated[Text, BeforeValidator(lambda value: str(value) if type(value) is int else value)]
Texts = Annotated[tuple[Text, ...], BeforeValidator(_split)]


class RowModel(BaseModel):
    """A row whose columns may have the `headers` as other names, likeliest first, in any case."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    headers: ClassVar[dict[str, str]] = {}

    @classmethod
    def of(cls, row: Row) -> Self:
        """Return a checked row; ValueError names its place and the first column that is wrong."""
        try:
            return cls.model_validate(row.cells)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
        reason = "is missing" if first["type"] == "missing" else first["msg"].removeprefix("Value error, ")
        if not first["loc"]:
            raise ValueError(f"{row.where}, {reason}")
        column, *places = first["loc"]
        at = "".join(f", value {place + 1}" for place in places[:1] if isinstance(place, int))
        value = "" if first["type"] in ("missing", "value_error") else f"{first['input']!r:.80}: "
        raise ValueError(f"{row.where}, column {str(column)!r}{at}: {value}{reason}")

    @classmethod
    def read(
        cls, path: str | Path, key: Callable[[Self], str | None] = lambda row: None
    ) -> list[tuple[Row, Self]]:
        """Return the rows of a file; columns that are not known are named and left out.

        Raises
        ------
        FaultsError
            With the place of every row that is wrong, or has the `key` of another.
        ValueError
            If a column has nearly the name of a known one.
        """
        faults: Faults = []
        rows, _, left = read_named(path, {name: name for name in cls.model_fields} | cls.headers, faults)
        for name in left:
            if near := difflib.get_close_matches(name.casefold(), cls.model_fields, 1, 0.8):
                names = ", ".join(cls.model_fields)
                raise ValueError(f"{path}, column {name!r}: unknown; is it {near[0]!r}? Known are {names}")
        if left:
            say(f"{path}: columns left out: {', '.join(left)}")
        pairs = list(kept(rows, lambda row: (row, cls.of(row)), faults))
        first: dict[str, Row] = {}
        for row, item in pairs:
            if (name := key(item)) and first.setdefault(name, row) is not row:
                faults.append(Fault(row, f"{row.where}: {name!r} is there twice: keep one"))
        if faults:
            raise FaultsError(faults)
        return pairs


def read_named(
    path: str | Path, headers: dict[str, str], faults: Faults | None = None
) -> tuple[list[Row], dict[str, str], list[str]]:
    """Return the rows of a file with the cells that hold something, what columns are called, and those left out."""
    rows = read_rows(path, faults=faults)
    columns = dict.fromkeys(name for row in rows for name in row.cells if name)
    called = named(columns, headers)
    empty = (None, "") if format_of(path) in ("csv", "tsv") else (None,)
    for at, row in enumerate(rows):
        cells = {called[name]: cell for name, cell in row.cells.items() if name in called}
        filled = {name: cell for name, cell in cells.items() if cell == cell and cell not in empty}
        rows[at] = row._replace(cells=filled)
    return rows, called, [name for name in columns if name not in called]


def named(columns: Iterable[str], headers: dict[str, str]) -> dict[str, str]:
    """Return what columns are called here, by the names that they have, whatever their case; a column is taken once.

    `headers` has for each column the names that it may have, likeliest first (its own, unless it stands among them).

    >>> named(["Question", "Answer", "Model answer"], {"answers": "model_answer answer", "accepted": "answer"})
    {'Model answer': 'answers', 'Answer': 'accepted'}
    """
    left = {re.sub(r"[\W_]+", "_", column.casefold()).strip("_"): column for column in reversed([*columns])}
    names = {}
    for here, there in headers.items():
        spellings = there.split() if here in there.split() else [here, *there.split()]
        if (name := next((name for name in spellings if name in left), None)) is not None:
            names[left.pop(name)] = here
    return names
