"""Text files that people bring, read as UTF-8, and the JSON in them; a fault has a place and a remedy.

Every message names the file, the line (blank ones count) and, where there is one, the column.
"""

import ast
import gzip
import io
import json
import math
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

#: Bytes that a packed file may unpack to: so many, or so many times its size.
_UNPACKED, _TIMES = 100_000_000, 50
_GZIP = b"\x1f\x8b"
_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
_NUMPYS = re.compile(r"""["']\s+["']""")
_SURROGATE = re.compile("[\ud800-\udfff]")
#: What comes of taking a value of one form for one of another.
_OTHER_FORM = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, SyntaxError)
_OTHER_FORM += (RecursionError, MemoryError)


def read_text(path: str | Path) -> str:
    """Return the text of a UTF-8 file, with or without a byte-order mark, gzipped or not.

    Raises
    ------
    ValueError
        If there is no such file, it is empty, damaged, or has another encoding; naming line and column.
    """
    return decode(existing(path).read_bytes(), path)


def existing(path: str | Path) -> Path:
    """Return the path of a file; ValueError where there is none."""
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"{path}: {'is a folder' if path.is_dir() else 'no such file'}")
    return path


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


def json_object(text: str, where: str) -> dict[str, Any]:
    """Return the JSON object of a line; ValueError, beginning with `where`, where it is none."""
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
