"""Files that a run writes, each whole or not at all; files that it names or fetches."""

import hashlib
import json
import os
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic import AfterValidator, ValidationInfo
from pydantic_core import to_jsonable_python

if TYPE_CHECKING:
    import pandas as pd

#: What to do about a damaged file of the run's own.
REMEDY = "remove it and run again, and it is made anew"
#: Age in seconds at which a temporary file is a dead writer's.
OLD_S = 3600
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)


def digest(value: Any) -> str:
    """Return the SHA-256 of a JSON value, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def opened(data: Any) -> Any:
    """Return the value that `write_json` sealed with its checksum; ValueError if it was changed."""
    whole = {key: value for key, value in data.items() if key != "sha256"} if isinstance(data, dict) else None
    if whole is None or data.get("sha256") != digest(whole)[:16]:
        raise ValueError("sha256: is not the checksum of the content, which was changed")
    return whole["rows"] if list(whole) == ["rows"] else whole


def read_json(path: str | Path) -> Any:
    """Read a JSON file that `write_json` wrote; ValueError names the file if it was changed."""
    try:
        return opened(json.loads(Path(path).read_text(encoding="utf-8")))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: is damaged or no JSON ({error}): {REMEDY}") from None


def write_json(value: Any, path: str | Path) -> None:
    """Write a small JSON file with a checksum, keys in their order; a list becomes its `rows`."""
    plain = json.loads(json.dumps(value))
    whole = plain if isinstance(plain, dict) else {"rows": plain}
    sealed = whole | {"sha256": digest(whole)[:16]}
    write_text(json.dumps(sealed, indent=1, ensure_ascii=False) + "\n", path)


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


def write_csv(frame: "pd.DataFrame", path: str | Path) -> None:
    """Write a small table for people as CSV, in which no text is a formula to a spreadsheet."""
    write_text(frame.map(inert).rename(columns=inert).to_csv(index=False, lineterminator="\n"), path)


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


def sweep(folder: str | Path) -> None:
    """Remove the temporary files that killed writers left below a folder over an hour ago."""
    for left in Path(folder).rglob(".*.part*"):
        if time.time() - left.stat().st_mtime > OLD_S:
            left.unlink(missing_ok=True)


class Source(NamedTuple):
    """The address of a file and its SHA-256 (hexadecimal)."""

    url: str
    sha256: str


def fetch(path: Path, source: Source) -> Path:
    """Return `path`, after the file of `source` was fetched into it unless it is there.

    Raises
    ------
    ValueError
        If another file stands in its place, or the file cannot be fetched or has changed; nothing is kept of it.
    """
    import pooch

    expected = f"sha256:{source.sha256}"
    if path.exists() and pooch.file_hash(str(path), alg="sha256") != source.sha256:
        raise ValueError(f"{path}: is not the file of SHA-256 {source.sha256}: move it away first")
    try:
        pooch.retrieve(source.url, expected, fname=path.name, path=path.parent, progressbar=False)
    except (OSError, ValueError) as error:  # the errors of pooch's HTTP client are of the first kind
        raise ValueError(f"cannot fetch {source.url}, so nothing is kept: {error}") from None
    return path


def _placed(path: str, info: ValidationInfo) -> str:
    """Return the path of the first folder in which it exists; as it is where it exists nowhere."""
    folders = (info.context or {}).get("folders", ())
    paths = (Path(folder) / path for folder in ("", *folders) if (Path(folder) / path).exists())
    return os.path.relpath(next(paths, path)) if path else path


#: A file or folder; folders to look in after the working directory are `folders` of the validation's context.
Place = Annotated[str, AfterValidator(_placed)]
