"""Files that a run writes: each appears whole or not at all, and a damaged one is named."""

import hashlib
import json
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ralc.io.text import inert

if TYPE_CHECKING:
    import pandas as pd

#: What to do about a damaged file of the run's own.
REMEDY = "remove it and run again, and it is made anew"
#: Age in seconds at which a temporary file is a dead writer's.
OLD_S = 3600


def digest(value: Any) -> str:
    """Return the SHA-256 of a JSON value, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def sealed(value: Any) -> dict[str, Any]:
    """Return a JSON object that holds a value and its checksum; a list becomes its `rows`.

    >>> sealed([1, 2])
    {'rows': [1, 2], 'sha256': '6d7de5a8faabb2a3'}
    """
    plain = json.loads(json.dumps(value))
    whole = plain if isinstance(plain, dict) else {"rows": plain}
    return whole | {"sha256": digest(whole)[:16]}


def opened(data: Any) -> Any:
    """Return the value that `sealed` was given; ValueError if it was changed."""
    whole = {key: value for key, value in data.items() if key != "sha256"} if isinstance(data, dict) else None
    if whole is None or data.get("sha256") != digest(whole)[:16]:
        raise ValueError("sha256: the checksum is not that of the rest, so something was changed")
    return whole["rows"] if list(whole) == ["rows"] else whole


def read_json(path: str | Path) -> Any:
    """Read a JSON file that `write_json` wrote; ValueError names the file if it was changed."""
    try:
        return opened(json.loads(Path(path).read_text(encoding="utf-8")))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: is damaged or no JSON ({error}): {REMEDY}") from None


def write_json(value: Any, path: str | Path) -> None:
    """Write a small JSON file with a checksum, keys in their order."""
    write_text(json.dumps(sealed(value), indent=1, ensure_ascii=False) + "\n", path)


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
