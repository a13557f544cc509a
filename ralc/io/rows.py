"""Tables and texts that users bring, a pydantic model a row; a fault names file, line, column and remedy.

Delimited texts are read by `csv`: pandas fills up short rows, and takes a quote that is not doubled for text.
"""

import ast
import csv
import gzip
import io
import json
import re
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints, TypeAdapter, ValidationError
from pydantic_core import from_json

from ralc.io.console import say

FORMATS = {".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
#: What stands between several values in one delimited cell.
SEPARATOR = "|"
_MISSING = ("", "nan", "null", "none", "na", "n/a")
#: How people spell an outcome, and spreadsheets in their languages.
_TRUE = (
    "1 true t yes y correct right pass passed ja wahr richtig korrekt correcto vrai oui verdadero "
    "verdadeiro sim vero si sí waar sant sann sand prawda tak ✓ ✔ ✅ ☑"
)
_FALSE = (
    "0 false f no n incorrect wrong fail failed nein falsch inkorrekt incorrecto faux non falso não onwaar "
    "nee falskt nej usann falsk nei fałsz nie ✗ ✘ ❌ ☒"
)
#: A column of one choice: its letter, or its letter or number behind such a word; of a wrong one a number.
_CHOICE = re.compile(
    r"[a-h]|(?:op|option|choice|ending|sol)[ _]?(?:[a-h]|\d)|(?:(?:incorrect|wrong)[ _]answer|distractor)[ _]?\d"
)
_WRONG = re.compile("incorrect|wrong|distractor", re.IGNORECASE)
#: What is said of a value by the kind of its fault, where pydantic's own words are other.
_REMEDIES = {
    "missing": "is missing; fill it, or call the column that has it so",
    "too_short": "one value is needed at least; write one, or leave the row out",
}
_TRUTHS = dict.fromkeys(_TRUE.split(), True) | dict.fromkeys(_FALSE.split(), False)


class Cell(str):
    """A cell of a delimited text, in which a list may be written; JSON and parquet have lists of their own."""

    __slots__ = ()


class Row(NamedTuple):
    """A row: its line (of parquet or a list its number), from 1; its place in words; its cells by column."""

    line: int
    where: str
    cells: Any


class FaultsError(ValueError):
    """The faults of a file's rows, each with its place: all of them in `faults`, the first twenty in words."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = tuple(faults)
        more = [f"... and {len(faults) - 20} more"] if len(faults) > 20 else []
        super().__init__("\n".join([*faults[:20], *more]))


@contextmanager
def located(where: str, what: str = "not of the format that was named") -> Iterator[None]:
    """Turn whatever comes of reading a value of another form into a ValueError that begins with `where`."""
    try:
        yield
    except Exception as error:
        reason = f"column {error}: is missing" if isinstance(error, KeyError) else str(error)
        if reason.startswith(where) or isinstance(error, ImportError):
            raise
        if reason.startswith("column "):
            raise ValueError(f"{where}, {reason}") from None
        reason = f"{what} ({type(error).__name__}: {reason:.200})" if what else reason
        raise ValueError(f"{where}: {reason}") from None


def format_of(path: str | Path, *, written: bool = False) -> str:
    """Return the format of a file by its ending; of one that is read ``.json`` is JSON lines, and ``.gz`` may follow.

    ValueError if it is not one of ``FORMATS``.
    """
    formats = FORMATS if written else FORMATS | {".json": "jsonl"}
    suffix = Path(str(path).lower().removesuffix("" if written else ".gz")).suffix
    if suffix not in formats:
        raise ValueError(f"{path}: the ending must be one of {', '.join(formats)}")
    return formats[suffix]


def read_text(path: str | Path, data: bytes | None = None) -> str:
    """Return the text of a UTF-8 file, or of its `data`, gzipped or not; ValueError where there is none."""
    try:
        data = Path(path).read_bytes() if data is None else data
        data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        kind = "UTF-16" if b"\0" in data else "not UTF-8"
        line = data.count(10, 0, error.start) + 1
        raise ValueError(f"{path}, line {line}: is {kind}; save it as UTF-8") from None
    except (OSError, EOFError, zlib.error) as error:
        reason = str(getattr(error, "strerror", None) or f"cannot be read as gzip ({error})").lower()
        raise ValueError(f"{path}: {reason}") from None
    if "\0" in text or not text.strip():
        raise ValueError(f"{path}: is {'UTF-16 or no text; save it as UTF-8' if text.strip() else 'empty'}")
    return text


def read_rows(path: str | Path, kind: str = "", text: str | None = None, key: str = "") -> list[Row]:
    """Return the rows of a file.

    Blank lines are passed over, padding is stripped. JSON may be a list, too, or in a ``.json`` file an object that has
    it under a key, or as its only list. ValueError names the first line that is no row.

    Parameters
    ----------
    path
        The file, which messages name.
    kind
        A value of `FORMATS`; by default that of the file's ending.
    text
        The file's text, where it was read already.
    key
        The key of an object under which a ``.json`` file has the list of rows.
    """
    kind = kind or format_of(path)
    if kind == "parquet":
        import pyarrow.parquet as pq

        with located(str(path), "is damaged or no parquet file"):
            rows = enumerate(pq.ParquetFile(path, page_checksum_verification=True).read().to_pylist(), 1)
        return [Row(at, f"{path}, row {at}", cells) for at, cells in rows]
    text = read_text(path) if text is None else text
    return _in_json(text, path, key) if kind == "jsonl" else _delimited(text, path, kind)


def _in_json(text: str, path: str | Path, key: str) -> list[Row]:
    """The rows of a text in JSON, a list or lines."""
    entries = _entries(text, path, key)
    named = "line" if entries is None else "entry"
    named = key if entries is not None and key and text.lstrip()[0] == "{" else named
    rows = []
    for at, entry in enumerate(text.split("\n") if entries is None else entries, 1):
        with located(where := f"{path}, {named} {at}", "not a JSON object"):
            value = from_json(entry.strip() or "null") if entries is None else entry
            rows += [] if value is None else [Row(at, where, {**value})]
    return rows


def _entries(text: str, path: str | Path, key: str) -> list[Any] | None:
    """Return the list that a text in JSON is, or has, or has by column as pandas writes it; None of JSON lines."""
    try:
        whole = from_json(text)
    except ValueError as error:  # JSON lines go on after the first
        if ".json" in Path(path).suffixes and "trailing" not in str(error):
            raise ValueError(f"{path}: is no JSON ({error})") from None
        return None
    if isinstance(whole, dict) and ".json" in Path(path).suffixes:
        if key not in ("", *whole):
            raise ValueError(f"{path}, column {key!r}: is missing (did the run end before the first?)")
        whole = whole[key] if key else _list_in(whole)
    return whole if isinstance(whole, list) else None


def _list_in(whole: dict[str, Any]) -> list[Any]:
    """The only list of objects in an object, or its rows where it has objects by column; else the object alone."""
    columns = [value for value in whole.values() if isinstance(value, dict)]
    if len(columns) == len(whole) and len({*map(tuple, columns)}) == 1:
        return by_row({name: [*value.values()] for name, value in whole.items()})
    lists = [
        value
        for value in whole.values()
        if isinstance(value, list) and all(isinstance(one, dict) for one in value)
    ]
    return lists[0] if len(lists) == 1 else [whole]


def by_row(columns: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """Return the rows of some columns; ValueError where these are not equally long.

    >>> by_row({"question": ["Q", "R"], "answers": [["a"], ["b"]]})
    [{'question': 'Q', 'answers': ['a']}, {'question': 'R', 'answers': ['b']}]
    """
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _lines(text: str, path: str | Path, kind: str) -> list[Row]:
    """The lines of a delimited text, each with a list of its cells."""
    hint = re.match(r'"?sep=(.)"?\r?\n', text, re.IGNORECASE)  # spreadsheets write it before the header
    line = first = 2 if hint else 1
    text = text[hint.end() :] if hint else text
    header = re.sub(r'"[^"]*"', "", text.lstrip().split("\n", 1)[0])
    delimiter = "\t" if kind == "tsv" else max(",;\t|", key=header.count)
    delimiter = hint[1] if hint else delimiter
    reader = csv.reader(io.StringIO(text, newline=None), delimiter=delimiter, strict=True)
    rows = []
    try:
        for cells in reader:
            rows.append(Row(line, f"{path}, line {line}", [Cell(cell.strip()) for cell in cells]))
            line = reader.line_num + first
    except csv.Error as error:
        remedy = "a quote stays open, or one in a quoted cell is not doubled"
        raise ValueError(f"{path}, line {line}: {error} ({remedy})") from None
    return rows


def _delimited(text: str, path: str | Path, kind: str) -> list[Row]:
    """The rows of a delimited text, whose first line with a cell is the header."""
    lines = _lines(text, path, kind)
    (_, where, columns), *rows = [row for row in lines if any(row.cells)] or lines
    while columns and not columns[-1]:
        columns.pop()
    n = len(columns)
    if not n or "" in columns[1:] or len(set(columns)) < n:  # pandas leaves the first without a name
        raise ValueError(f"{where}: each column needs a name of its own; here: {columns}")
    for row in rows:
        if len(row.cells) < n or any(row.cells[n:]):  # more cells than columns may be empty
            counts = f"{len(row.cells)} cells where the header has {n}: {' | '.join(row.cells)[:100]}"
            raise ValueError(f"{row.where}: {counts}; a cell with the separator stands in double quotes")
    return [row._replace(cells=dict(zip(columns, row.cells, strict=False))) for row in rows]


def is_missing(value: Any) -> bool:
    """Tell whether a value stands for none: null, NaN, or a text that says so."""
    return str(value).strip().casefold() in _MISSING


def truth_of(value: Any) -> bool | None:
    """Return whether an outcome is right, by how people and spreadsheets spell it; None for anything else.

    >>> [truth_of(value) for value in (1.0, "FALSCH", "Passed", "C")]
    [True, False, True, None]
    """
    return _TRUTHS.get(str(value).strip().casefold().removesuffix(".0"))


def parsed(value: Any) -> Any:
    """Return the list or object that a `Cell` holds, as JSON or as Python writes it; anything else as it is.

    >>> parsed(Cell("{'A': null}")), parsed(Cell("{'A': None}")), parsed("[1]")
    ("{'A': null}", {'A': None}, '[1]')
    """
    if not isinstance(value, Cell) or value.lstrip()[:1] not in ("[", "{"):
        return value
    # Python would join texts without a comma between them, as numpy writes them.
    readers = (json.loads,) if re.search(r"""["']\s+["']""", value) else (json.loads, ast.literal_eval)
    for read in readers:
        with suppress(ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            return from_json(json.dumps(read(value.strip())))
    return value


def listed(value: Any, separator: str = "") -> Any:
    """Return the list in a `Cell`, as JSON, as Python writes it, or with a `separator`; anything else is a list of one.

    >>> listed(Cell('["Lima", null]')), listed(Cell("['Lima', None]")), listed(Cell("Lima | Rome"), "|")
    (['Lima', None], ['Lima', None], ['Lima ', ' Rome'])
    >>> listed('["Lima", null]'), listed(Cell("[1] Lima")), listed(Cell("|x|"), "|")
    (['["Lima", null]'], ['[1] Lima'], ['|x|'])
    """
    several = parsed(value)
    if isinstance(several, list | tuple):
        return several
    if isinstance(value, Cell):
        if re.match(r"""\[\s*["']""", value):
            remedy = 'write ["a", "b"], or save the file as .jsonl'
            raise ValueError(f"begins with [ but is no JSON list: {value!r:.80}; {remedy}")
        if separator and value[:1] not in (separator, "["):
            return [one for one in value.split(separator) if one.strip()]
    return [value]


def texts_of(value: Any) -> Any:
    """Return the texts of a cell, several joined by `SEPARATOR` where it is a `Cell`; numbers and truths are texts.

    ValueError where a `Cell` has a list of numbers, which may be an interval.

    >>> texts_of(Cell("Lima | Rome")), texts_of([29.0, 0.5, True])
    (['Lima ', ' Rome'], ['29', '0.5', 'true'])
    """
    several = listed(value, SEPARATOR)
    texts = [json.dumps(one).removesuffix(".0") if isinstance(one, int | float) else one for one in several]
    if isinstance(value, Cell) and texts != several:
        raise ValueError(f"{value!r:.80} may be one text or several: quote each, or save the file as .jsonl")
    return texts


Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Id = Annotated[Text, BeforeValidator(lambda value: str(value) if type(value) is int else value)]
Texts = Annotated[tuple[Text, ...], BeforeValidator(texts_of)]


class RowModel(BaseModel):
    """A row whose columns may have the `headers` as other names, likeliest first, in any case."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    headers: ClassVar[dict[str, str]] = {}

    @classmethod
    def of(cls, rows: list[Row]) -> list[Self]:
        """Return checked rows; FaultsError has of each that is wrong its place and the first such column."""
        try:
            return TypeAdapter(list[cls]).validate_python([row.cells for row in rows])
        except ValidationError as error:
            faults = {fault["loc"][0]: fault for fault in reversed(error.errors(include_url=False))}
        raise FaultsError([f"{rows[at].where}, {in_words(faults[at], depth=1)}" for at in sorted(faults)])

    @classmethod
    def read(cls, path: str | Path, key: Callable[[Self], str | None]) -> list[tuple[Row, Self]]:
        """Return the rows of a file, no two with one `key`; columns that are not known are named and left out."""
        rows = read_named(path, {name: name for name in cls.model_fields} | cls.headers)
        pairs = list(zip(rows, cls.of(rows), strict=True))
        first = {}
        for row, item in pairs:
            if (name := key(item)) and (other := first.setdefault(name, row)) is not row:
                raise ValueError(f"{row.where}: {name!r} stands in line {other.line}, too: keep one")
        return pairs


def in_words(fault: Any, depth: int = 0) -> str:
    """Return what pydantic says of a row, with its column, which is so deep in the fault's place."""
    place = fault["loc"][depth:]
    kind = fault["type"]
    reason = _REMEDIES.get(kind, fault["msg"].removeprefix("Value error, "))
    if not place:
        return reason
    at = "".join(f", value {number + 1}" for number in place[1:2] if isinstance(number, int))
    value = "" if kind in ("missing", "value_error") else f"{fault['input']!r:.80}: "
    return f"column {str(place[0])!r}{at}: {value}{reason}"


def read_named(path: str | Path, headers: dict[str, str]) -> list[Row]:
    """Return the rows of a file with the cells that hold something, by what the columns are called here.

    Three columns or more of a choice each (``A, B, C``; ``option_1, option_2, ...``) are ``choices``; of a wrong one
    each (``Incorrect Answer 1, ...``) they are ``distractors``. How the columns were taken is said on standard error,
    and which were not.
    """
    rows = read_rows(path)
    held = (name for row in rows for name, cell in row.cells.items() if name and cell not in (None, ""))
    columns = dict.fromkeys(held)
    names = named(columns, headers)
    several = choice_columns(columns.keys() - names) if "choices" in headers.keys() - names.values() else []
    if several:
        names |= dict.fromkeys(several, "distractors" if _WRONG.match(several[0]) else "choices")
    _say_taken(path, columns, names)
    return [row._replace(cells=_filled(row.cells, names, several)) for row in rows]


def _say_taken(path: str | Path, columns: Collection[str], names: dict[str, str]) -> None:
    """Say how the columns of a file were taken, unless all are called here as there."""
    taken = [here if here == there else f"{here} is {there!r}" for there, here in names.items()]
    if {*taken} != {*columns}:
        unknown = ", ".join(repr(name) for name in columns if name not in names)
        left_out = f"; left out: {unknown}" if unknown else ""
        say(f"{path}: columns: {', '.join(taken)}{left_out}")


def _filled(cells: dict[str, Any], names: dict[str, str], several: list[str]) -> dict[str, Any]:
    """The cells that hold something, by what their columns are called here; those of several columns are a list."""
    there = ((name, cell) for name, cell in cells.items() if not (cell is None or cell != cell))
    filled = {name: cell for name, cell in there if name in names and (cell or not isinstance(cell, Cell))}
    listed = {names[name]: [filled[one] for one in several if one in filled] for name in several[:1]}
    return {names[name]: cell for name, cell in filled.items()} | listed


def choice_columns(columns: Iterable[str]) -> list[str]:
    """Return the columns of a choice each, in the order of their letters or numbers; none of fewer than three.

    >>> choice_columns(["opb", "opa", "opc", "exp"]), choice_columns(["A", "B"])
    (['opa', 'opb', 'opc'], [])
    """
    several = sorted(name for name in columns if _CHOICE.fullmatch(name.casefold()))
    return several if len(several) > 2 else []


def named(columns: Iterable[str], headers: dict[str, str]) -> dict[str, str]:
    """Return what columns are called here, by the names that they have, whatever their case; a column is taken once.

    Marks between words say nothing (``expectedOutput``). `headers` has for each column the names that it may have,
    likeliest first (its own, unless it stands among them).

    >>> named(["Question", "Answer", "Model answer"], {"answers": "model_answer answer", "accepted": "answer"})
    {'Model answer': 'answers', 'Answer': 'accepted'}
    """
    free = {re.sub(r"[\W_]+", "", column.casefold()): column for column in reversed([*columns])}
    names = {}
    for here, there in headers.items():
        spellings = (there if here in there.split() else f"{here} {there}").replace("_", "").split()
        for name in spellings:
            if name in free:
                names[free.pop(name)] = here
                break
    return names
