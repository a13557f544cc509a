"""Files that a run writes: each appears whole or not at all, and a damaged one is named."""

import glob
import hashlib
import json
import os
import re
import secrets
import socket
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ralc.io.text import inert

if TYPE_CHECKING:
    import pandas as pd

#: What to do about a damaged file of the run's own.
REMEDY = "remove it and run again, and it is made anew"
#: Age in seconds at which another machine's temporary file is dead.
OLD_S = 3600
#: The name of a temporary file ends with the writer's process id, random letters and the suffix.
_TEMPORARY = re.compile(r"\..+\..+-(\d+)\.\w{8}(\.\w+)?")


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
    _remove_dead(path.parent.glob(f".{glob.escape(path.name)}.*"))
    mine = f".{path.name}.{socket.gethostname()}-{os.getpid()}.{secrets.token_hex(4)}{path.suffix}"
    temporary = path.with_name(mine)
    os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))  # less the umask
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def sweep(folder: str | Path) -> None:
    """Remove the temporary files of dead writers below a folder; on other machines those that are old."""
    _remove_dead(Path(folder).rglob(".*"))


def _remove_dead(found: Iterable[Path]) -> None:
    for left in found:
        if written := _TEMPORARY.fullmatch(left.name):
            here = f".{socket.gethostname()}-{written[1]}." in left.name
            with suppress(OSError):
                old = time.time() - left.stat().st_mtime > OLD_S
                if old or (here and not _is_alive(int(written[1]))):
                    left.unlink()


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except PermissionError:
        return True
    except (OverflowError, OSError):
        return False
    return True
