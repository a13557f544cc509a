"""Text and JSON that users bring, each fault with its place and a remedy; text that is safe to show."""

import ast
import gzip
import io
import json
import math
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
#: Texts without a comma between them, as numpy writes them; Python would join them.
_NUMPY_LIST = re.compile(r"""["']\s+["']""")
#: What comes of reading a value of one form as one of another.
_OTHER_FORM = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, SyntaxError)
_OTHER_FORM += (RecursionError, MemoryError)


def read_text(path: str | Path) -> str:
    """Return the text of a UTF-8 file, with or without a byte-order mark, gzipped or not.

    Raises
    ------
    ValueError
        If there is no such file, or it is empty, damaged or in another encoding.
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
    if data[:2] == b"\x1f\x8b":
        most = max(100_000_000, 50 * len(data))
        try:
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(most + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise ValueError(f"{path}: cannot be read as gzip ({error}); pack or fetch it anew") from None
        if len(data) > most:
            raise ValueError(f"{path}: unpacks to more than {most} bytes")
    if data[:2] in _UTF16 or b"\0" in data:
        raise ValueError(f"{path}: is UTF-16 or no text; save it as UTF-8")
    try:
        text = data.decode("utf-8-sig")
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
        found = json.loads(text)
        json.dumps(found, ensure_ascii=False).encode() if "\\u" in text else None  # half a character
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{where}: not JSON ({error})") from None
    return found


def list_cell(cell: str, where: str) -> Any:
    """Return the list of a cell that begins like one, as JSON or as Python writes it.

    >>> list_cell('["Lima", null]', "a.csv, line 2"), list_cell("['Lima', None]", "a.csv, line 2")
    (['Lima', None], ['Lima', None])
    """
    try:
        return json_value(cell, where)
    except ValueError:
        pass
    try:
        if not _NUMPY_LIST.search(cell):
            return json_value(json.dumps(ast.literal_eval(cell)), where)
    except _OTHER_FORM:
        pass
    raise ValueError(f"{where}: begins like a list and is none: {cell!r:.80}")


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


def json_line(value: Any) -> str:
    """Return a value as JSON on one line; NaN and infinity, which JSON does not have, are null.

    >>> json_line({"score": float("nan"), "by": ["Zoë", 0.5]})
    '{"score": null, "by": ["Zoë", 0.5]}'
    """
    return json.dumps(_finite(value), ensure_ascii=False, allow_nan=False, default=str)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def visible(text: str, keep: str = "") -> str:
    """Return a text with unprintable characters as escapes, but for those in `keep`, so that no terminal obeys it.

    >>> visible("\\x1b[31mred")
    '\\\\u001b[31mred'
    """
    return "".join(one if one in keep or one.isprintable() else json.dumps(one)[1:-1] for one in text)


def inert(value: Any) -> Any:
    """Return a cell with an apostrophe before a text that a spreadsheet would take for a formula.

    >>> inert("=cmd|' /C calc'!A0"), inert("perhaps"), inert("-0.3"), inert(-0.3)
    ("'=cmd|' /C calc'!A0", 'perhaps', '-0.3', -0.3)
    """
    risky = isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r"))
    return f"'{value}" if risky and not _NUMBER.fullmatch(value) else value
