"""Files that a run writes, each whole or not at all; files that it names or fetches."""

import json
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import AfterValidator, ValidationInfo
from pydantic_core import to_jsonable_python

from ralc.io.rows import located

#: What to do about a damaged file of the run's own.
REMEDY = "remove it and run again, and it is made anew"
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)


def read_json(path: str | Path) -> Any:
    """Read a JSON file of the run's own; ValueError names one that is damaged."""
    with located(str(path), f"is damaged or no JSON: {REMEDY}"):
        return json.loads(Path(path).read_bytes())


def write_json(value: Any, path: str | Path) -> None:
    """Write a small JSON file, keys in their order."""
    write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", path)


def json_line(value: Any) -> str:
    """Return a value as JSON on one line; NaN and infinity, which JSON does not have, are null.

    >>> json_line({"score": float("nan"), "by": ["Zoë", 0.5]})
    '{"score": null, "by": ["Zoë", 0.5]}'
    """
    return json.dumps(to_jsonable_python(value, inf_nan_mode="null", fallback=str), ensure_ascii=False)


def inert(value: Any) -> Any:
    """Return a cell with an apostrophe before a text that a spreadsheet would take for a formula.

    >>> inert("=cmd|' /C calc'!A0"), inert("perhaps"), inert("-0.3"), inert(-0.3)
    ("'=cmd|' /C calc'!A0", 'perhaps', '-0.3', -0.3)
    """
    risky = isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r"))
    return f"'{value}" if risky and not _NUMBER.fullmatch(value) else value


def write_text(text: str, path: str | Path) -> None:
    """Write a text file."""
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path beside `path` that takes its name only when the block succeeds."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part{path.suffix}")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


class Source(NamedTuple):
    """The address of a file and its SHA-256 (hexadecimal)."""

    url: str
    sha256: str


def fetch(path: Path, source: Source) -> Path:
    """Return `path`, after the file of `source` was fetched into it; ValueError if that is not to be had."""
    import pooch

    where = {"fname": path.name, "path": path.parent, "progressbar": False}
    try:
        return Path(pooch.retrieve(source.url, f"sha256:{source.sha256}", **where))
    except (OSError, ValueError) as error:  # the errors of pooch's HTTP client are of the first kind
        raise ValueError(f"cannot fetch {source.url}, so nothing is kept: {error}") from None


def _placed(path: str, info: ValidationInfo) -> str:
    """Return the path of the first folder in which it exists; as it is where it exists nowhere."""
    folders = (info.context or {}).get("folders", ())
    paths = (Path(folder) / path for folder in ("", *folders) if (Path(folder) / path).exists())
    return os.path.relpath(next(paths, path)) if path else path


#: A file or folder; folders to look in after the working directory are `folders` of the validation's context.
Place = Annotated[str, AfterValidator(_placed)]
