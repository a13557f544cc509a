"""Text files that people bring: read as UTF-8, as delimited rows or JSON lines; a fault has a place and a remedy.

Every message names the file, the line (blank ones count) and, where there is one, the column.
"""

import ast
import csv
import gzip
import io
import json
import math
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn, TypeVar

Made = TypeVar("Made")
#: What is wrong with rows: the number of each, and why.
Faults = list[tuple[int, str]]

#: Characters of the longest cell: what is longer is a quote that was not closed.
LONGEST_CELL = 131_072
#: Bytes that a packed file may unpack to: so many, or so many times its size.
_UNPACKED, _TIMES = 100_000_000, 50
#: Faults of a file that are said one by one.
FAULTS = 20
_GZIP = b"\x1f\x8b"
_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
_NUMPYS = re.compile(r"""["']\s+["']""")
_SURROGATE = re.compile("[\ud800-\udfff]")
#: What comes of taking a value of one form for one of another.
_OTHER_FORM = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, SyntaxError)
_OTHER_FORM += (RecursionError, MemoryError)
#: What stands between cells, likeliest first, where neither the ending nor the first line says it.
_DELIMITERS = (",", ";", "\t", "|")
#: A first line that says it, as spreadsheets write and read it.
_SAID = re.compile(r'\s*"?sep=([^\r\n"])"?[ ,;\t|]*(?=[\r\n])', re.IGNORECASE)


class FaultsError(ValueError):
    """What is wrong with the rows of a file: all of it in `faults`, the first `FAULTS` in words."""

    def __init__(self, faults: Faults) -> None:
        self.faults = tuple(fault for _, fault in sorted(faults))
        more = len(faults) - FAULTS
        super().__init__("\n".join([*self.faults[:FAULTS], *([f"... and {more} more"] if more > 0 else [])]))


def read_text(path: str | Path) -> str:
    """Return the text of a UTF-8 file, with or without a byte-order mark, gzipped or not.

    Raises
    ------
    ValueError
        If there is no such file, it is empty, damaged, or has another encoding; naming line and column.
    """
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"{path}: {'is a folder' if path.is_dir() else 'no such file'}")
    return decode(path.read_bytes(), path)


def decode(data: bytes, path: str | Path) -> str:
    """Return the text of a file's bytes; ValueError as from `read_text`."""
    if data[:2] == _GZIP:
        most = max(_UNPACKED, _TIMES * len(data))
        try:
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(most + 1)
            if len(data) > most:
                raise OSError(f"it unpacks to more than {most} bytes")
        except (OSError, EOFError, zlib.error) as error:
            raise ValueError(f"{path}: cannot be read as gzip ({error}); pack or fetch it anew") from None
    if data[:2] in _MARKS:
        raise ValueError(f"{path}, line 1: is {_MARKS[data[:2]]}; save it as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        _refuse_encoding(path, data, error.start)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise ValueError(
            f"{path}, line {line}: holds a NUL character; this is no text file (UTF-16 without a mark?)"
        )
    if not text.strip():
        raise ValueError(f"{path}: is empty")
    return text


def _refuse_encoding(path: str | Path, data: bytes, place: int) -> NoReturn:
    """Say where a file stops being UTF-8, and what its word would be in Latin-1."""
    start = data.rfind(b"\n", 0, place) + 1
    line, column = data.count(b"\n", 0, place) + 1, len(data[start:place].decode("utf-8")) + 1
    word = re.split(rb"[\s,;|\"]", data[max(start, place - 30) : place])[-1]
    word += re.split(rb"[\s,;|\"]", data[place : place + 30])[0]
    raise ValueError(
        f"{path}, line {line}, character {column}: not UTF-8 (byte 0x{data[place]:02x}); as Latin-1 it would read "
        f"{word.decode('latin-1')!r}: save the file as UTF-8"
    )


def kept(
    items: Iterable[tuple[Any, ...]], make: Callable[..., Made], faults: Faults | None = None
) -> Iterator[Made]:
    """What is made of each item, a number first; `faults` takes why nothing is, else the first such item ends it."""
    for item in items:
        try:
            made = make(*item)
        except ValueError as error:
            if faults is None:
                raise
            faults.append((item[0], str(error)))
        else:
            yield made


def read_delimited(path: str | Path, faults: Faults | None = None) -> list[tuple[int, dict[str, str]]]:
    """Return the rows of a CSV file, or of one with other separators: line and cells by column, padding stripped.

    The header tells what separates cells (in a ``.tsv`` file it is the tab). Blank lines are passed over, and so is
    a first column without a name: the numbers that pandas writes of the rows. What is wrong with a row alone may go
    to `faults` (see `kept`).

    Raises
    ------
    ValueError
        If the text cannot be read (see `read_text`), a column has no name or stands twice, a row has another
        number of cells than the header, a quote stays open, or a cell is longer than `LONGEST_CELL`.
    """
    columns, rows = delimited(read_text(path), path)
    return list(kept(rows, lambda line, cells: (line, _row(cells, columns, f"{path}, line {line}")), faults))


def delimited(text: str, path: str | Path) -> tuple[list[str], Iterator[tuple[int, list[str]]]]:
    """Return the columns of a delimited text, and its rows as they come: line and cells, not yet counted.

    The first column may have no name. Empty cells at the end, where the header names nothing, are left out. A line
    ``sep=;`` before the header says what separates cells.

    Raises
    ------
    ValueError
        As `read_delimited`, but for the number of cells.
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
    """Return line and cells of every row of a delimited text that is not blank; ValueError as `delimited`."""
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


def _row(cells: list[str], columns: list[str], where: str) -> dict[str, str]:
    """The cells of a row by column."""
    if len(cells) != len(columns):
        raise ValueError(
            f"{where}: {len(cells)} cells where the header has {len(columns)}: {_shown(cells)}; a cell that holds "
            "the separator stands in double quotes"
        )
    return {column: cell.strip() for column, cell in zip(columns, cells, strict=True) if column}


def _shown(cells: list[str]) -> str:
    """The beginning of a row."""
    shown = " | ".join(cells[:6])
    return shown if len(shown) <= 100 else shown[:100] + "..."


def read_json_lines(path: str | Path, faults: Faults | None = None) -> list[tuple[int, dict[str, Any]]]:
    """Return the objects of a JSON-lines file with their lines; blank lines are passed over, `faults` as in `kept`.

    Raises
    ------
    ValueError
        If the text cannot be read (see `read_text`), or a line is no JSON object, names a key twice, is nested
        beyond reading or holds half a character (``\\ud800`` alone).
    """
    lines = ((line, text) for line, text in enumerate(read_text(path).split("\n"), 1) if text.strip())
    return list(kept(lines, lambda line, text: (line, json_object(text, f"{path}, line {line}")), faults))


def json_object(text: str, where: str) -> dict[str, Any]:
    """Return the JSON object of a line; ValueError as from `read_json_lines`, beginning with `where`."""
    found = json_value(text, where)
    if not isinstance(found, dict):
        raise ValueError(f"{where}: not a JSON object")
    return found


def json_value(text: str, where: str, what: str = "not JSON") -> Any:
    """Return the value of a JSON text that is not nested beyond reading, holds no half characters, no key twice.

    Raises
    ------
    ValueError
        Beginning with `where`; `what` says what a text is that is not JSON.
    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        for key, count in Counter(key for key, _ in pairs).items():
            if count > 1:
                raise ValueError(f"{where}, column {key!r}: stands {count} times; keep one")
        return dict(pairs)

    try:
        found = json.loads(text, object_pairs_hook=once, parse_int=_integer)
    except json.JSONDecodeError as error:
        raise ValueError(f"{where}, character {error.pos + 1}: {what} ({error.msg})") from None
    except RecursionError:
        raise ValueError(f"{where}: nested too deeply; a row is flat, but for its lists") from None
    except ValueError as error:
        if str(error).startswith(f"{where}, column"):
            raise
        raise ValueError(f"{where}: holds a number of hundreds of digits; write it shorter") from None
    for column, value in found.items() if isinstance(found, dict) else [("", found)]:
        if "\\u" in text and _SURROGATE.search(json.dumps([column, value], ensure_ascii=False)):
            place = f", column {column!r}" if isinstance(found, dict) else ""
            raise ValueError(f"{where}{place}: holds half a character (a lone surrogate, \\ud800-\\udfff)")
    return found


def list_cell(cell: str, where: str) -> Any:
    """Return the list of a cell that begins like one, as JSON or as Python writes it; ValueError as from `json_value`.

    >>> list_cell('["Lima", null]', "a.csv, line 2"), list_cell("['Lima', None]", "a.csv, line 2")
    (['Lima', None], ['Lima', None])
    """
    try:
        return json_value(cell, where, "begins like a JSON list and is none")
    except ValueError:
        # Python would take texts without a comma between them, as numpy writes them, for one.
        if _NUMPYS.search(cell):
            raise
        with suppress(*_OTHER_FORM):
            return json_value(json.dumps(ast.literal_eval(cell)), where)
        raise


def _integer(digits: str) -> int:
    """A whole number that a float can hold."""
    if len(digits) > 300:
        raise ValueError
    return int(digits)


@contextmanager
def placed(where: str, what: str = "not of the format that was named") -> Iterator[None]:
    """Say where it is that something has another form than was expected.

    Raises
    ------
    ValueError
        Beginning with `where`, for whatever comes of taking it for that form.
    """
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


def json_line(value: Any) -> str:
    """Return a value as JSON on one line; a number that JSON does not have (NaN, infinity) is null.

    >>> json_line({"score": float("nan"), "by": ["Zoë", 0.5]})
    '{"score": null, "by": ["Zoë", 0.5]}'
    """
    return json.dumps(_finite(value), ensure_ascii=False, allow_nan=False, default=str)


def _finite(value: Any) -> Any:
    """A value with None for each number that is not finite."""
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def shell_word(path: str) -> str:
    """Return a path as one word of a shell, by backslashes: what is cut off a quoted path has its first quote alone.

    >>> from shlex import split
    >>> word = shell_word("/it's a (test)/bin/python")
    >>> split(word), split(word.rpartition("/")[0])
    (["/it's a (test)/bin/python"], ["/it's a (test)/bin"])
    """
    return re.sub(r"([^\w@%+=:,./-])", r"\\\1", path)


def visible(text: str, keep: str = "") -> str:
    """Return a text with what does not print as escapes, so that it cannot steer a terminal; but for what is kept.

    >>> visible("\\x1b[31mred")
    '\\\\u001b[31mred'
    """
    if text.isprintable():
        return text
    return "".join(one if one in keep or one.isprintable() else json.dumps(one)[1:-1] for one in text)


def inert(value: Any) -> Any:
    """Return a cell as it is; with an apostrophe before a text that a spreadsheet would take for a formula.

    >>> inert("=cmd|' /C calc'!A0"), inert("perhaps"), inert("-0.3"), inert(-0.3)
    ("'=cmd|' /C calc'!A0", 'perhaps', '-0.3', -0.3)
    """
    risky = isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r"))
    return f"'{value}" if risky and not _NUMBER.fullmatch(value) else value
