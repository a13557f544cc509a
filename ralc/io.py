"""Reading and writing tables and fits: every file is checked, and appears whole or not at all."""

from __future__ import annotations

import glob
import json
import os
import re
import secrets
import socket
import sys
import time
import traceback
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ralc.checksums import opened, sealed
from ralc.tablefiles import read_rows
from ralc.textfiles import inert, visible

if TYPE_CHECKING:  # who writes a text file does not wait for tables to load
    import pandas as pd

#: The environment variable that keeps progress off the console.
QUIET = "RALC_QUIET"
#: What is done about a file of the run's own that cannot be read.
REMEDY = "remove it and run again, and it is made anew"
#: A temporary file of another machine's writer is dead when nothing was written to it for so long, seconds.
OLD_S = 3600
#: The name of a temporary file: the file's, the host's and process's of the writer, and letters of chance.
_TEMPORARY = re.compile(r"\..+\..+-(\d+)\.\w{8}(\.\w+)?")
_LINES = "\n\t"  # what of a text for people may be no letter
#: The columns of a requests table that hold the prompts: most of it.
PROMPT = ("head", "tail")


def read_table(
    path: str | Path,
    table: str,
    columns: Collection[str] | None = None,
    where: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """Read a parquet table and check it against its schema (see `ralc.schemas`).

    Only some `columns`, and the rows whose columns have the values in `where`, if they are given.

    Raises
    ------
    ValueError
        If the file is not such a table; the message names file, column and row.
    """
    import pandas as pd

    wanted = [(name, "==", value) for name, value in (where or {}).items()]
    chosen = {"columns": columns and list(columns), "filters": wanted or None}
    try:
        frame = pd.read_parquet(path, page_checksum_verification=True, **chosen)
    except (OSError, ValueError, TypeError, KeyError, NotImplementedError) as error:
        if isinstance(error, FileNotFoundError):
            raise
        said = " ".join(str(error).split())[:200]
        raise ValueError(f"{path}: is damaged or no {table} table ({said}): {REMEDY}") from None
    from ralc import schemas

    try:
        return schemas.check(frame, table, columns)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def write_table(frame: pd.DataFrame, path: str | Path, table: str) -> None:
    """Check a table against its schema and write it as parquet."""
    from ralc import schemas  # pandera, which the workflow alone needs

    checked = schemas.check(frame.reset_index(drop=True), table)
    with whole_file(path) as temporary:
        checked.to_parquet(temporary, index=False, write_page_checksum=True)


def read_tables(paths: list[str], table: str) -> pd.DataFrame | None:
    """Read several tables of one kind as one; None where there are none (a role without a model)."""
    import pandas as pd

    return pd.concat([read_table(path, table) for path in paths], ignore_index=True) if paths else None


def read_results(inputs: Any) -> dict[str, pd.DataFrame]:
    """Read the inputs of a rule that are named for a table, as in ``items_table``, by the tables' names.

    The means over datasets and signals of ``metrics`` are a table of their own, ``averages``.
    """
    from ralc.conditions import averaged  # loads tables

    named = {name.removesuffix("_table"): path for name, path in inputs.items() if name.endswith("_table")}
    found = {
        table: read_table(path, "metrics" if table == "averages" else table) for table, path in named.items()
    }
    for table in found.keys() & {"metrics", "averages"}:
        means = averaged(found[table])
        found[table] = found[table][means == (table == "averages")].reset_index(drop=True)
    return found


def read_requests(paths: list[str], **where: str) -> pd.DataFrame | None:
    """Read whose requests there are, without their prompts; None where no model is asked.

    Keywords choose rows, as in ``target="llama"``.
    """
    import pandas as pd

    parts = []
    for path in paths:
        known = schema_of(path)
        parts.append(read_table(path, "requests", [name for name in known if name not in PROMPT], where))
    return pd.concat(parts, ignore_index=True) if parts else None


def schema_of(path: str | Path) -> list[str]:
    """The columns of a parquet file; ValueError if it is damaged."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.read_schema(path).names
    except (pa.ArrowException, OSError, ValueError) as error:
        if isinstance(error, FileNotFoundError):
            raise
        said = " ".join(str(error).split())[:200]
        raise ValueError(f"{path}: is damaged or no parquet file ({said}): {REMEDY}") from None


def read_json(path: str | Path) -> Any:
    """Read a JSON file that `write_json` wrote.

    Raises
    ------
    ValueError
        If it is none, or was changed; the message names the file.
    """
    try:
        return opened(json.loads(Path(path).read_text(encoding="utf-8")))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: is damaged or no JSON ({error}): {REMEDY}") from None


def write_json(value: Any, path: str | Path) -> None:
    """Write a small JSON file, keys in their order, with a checksum (see `ralc.checksums`)."""
    write_text(json.dumps(sealed(value), indent=1, ensure_ascii=False) + "\n", path)


def read_csv(path: str | Path) -> pd.DataFrame:
    """Return a table that `write_csv` wrote."""
    import pandas as pd

    return pd.read_csv(path)


def write_csv(frame: pd.DataFrame, path: str | Path) -> None:
    """Write a small table for people as CSV; no text of it, names of columns too, is a formula to a spreadsheet."""
    write_text(frame.map(inert).rename(columns=inert).to_csv(index=False, lineterminator="\n"), path)


def write_text(text: str, path: str | Path) -> None:
    """Write a text file."""
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """A temporary path beside `path` that takes its name only when the block succeeds."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    _sweep(path.parent.glob(f".{glob.escape(path.name)}.*"))
    mine = f".{path.name}.{socket.gethostname()}-{os.getpid()}.{secrets.token_hex(4)}{path.suffix}"
    temporary = path.with_name(mine)
    os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))  # and what the umask takes
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def sweep(folder: str | Path) -> None:
    """Remove what killed writers of files left below a folder: on this machine dead ones, on others old ones."""
    _sweep(Path(folder).rglob(".*"))


def _sweep(found: Iterable[Path]) -> None:
    for left in found:
        if written := _TEMPORARY.fullmatch(left.name):
            here = f".{socket.gethostname()}-{written[1]}." in left.name
            with suppress(OSError):
                old = time.time() - left.stat().st_mtime > OLD_S
                if old or (here and not _lives(written[1])):
                    left.unlink()


def _lives(process: str) -> bool:
    """Whether a process of this machine is alive."""
    try:
        os.kill(int(process), 0)
    except PermissionError:
        return True
    except (ValueError, OSError):
        return False
    return True


def read_per_target(paths: list[str], targets: list[str], table: str) -> pd.DataFrame:
    """Read one table of each target as one table with a first column `target`."""
    import pandas as pd

    frames = [read_table(path, table) for path in paths]
    for frame, target in zip(frames, targets, strict=True):
        frame.insert(0, "target", target)
    return pd.concat(frames, ignore_index=True)


def read_benchmarks(folder: str | Path) -> list[tuple[str, dict[str, Any]]]:
    """Read Snakemake's benchmark files below a folder: the rule of each (its first name there), and what it says.

    Raises
    ------
    ValueError
        If one is empty or cut; naming it.
    """
    files = sorted(Path(folder).rglob("*.jsonl"))
    rules = [file.relative_to(folder).with_suffix("").parts[0] for file in files]
    return [(rule, read_rows(file)[0].cells) for rule, file in zip(rules, files, strict=True)]


#: Where this process's errors went before `log_to`; None before it.
_console: list[int] = []


def say(line: str) -> None:
    """Print a line on standard error, and where that is a log by now, on the console too (but for a quiet run)."""
    line = visible(line, _LINES)
    print(line, file=sys.stderr, flush=True)
    if _console and not os.environ.get(QUIET):
        with suppress(OSError):  # whoever listened has gone
            os.write(_console[0], f"{line}\n".encode())


def log_to(path: str | Path) -> None:
    """Send all that this process and its children print from now on to a log file; see `say`.

    An error that ends the process is in the log with its traceback, and on the console as one message.
    """
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    sys.stdout.flush()
    sys.stderr.flush()
    _console[:] = [os.dup(2)]
    log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(log)
    sys.excepthook = partial(_end, path)


def console() -> Connection | None:
    """Where `say` reaches the console past a log, to be handed to a process that this one spawns (`speak_to`)."""
    return Connection(os.dup(_console[0]), readable=False) if _console else None


def speak_to(console: Connection | None) -> None:
    """Make what this process says be heard where that of its parent is (its standard error it has already)."""
    _console[:] = [] if console is None else [os.dup(console.fileno())]


def _end(
    log: str | Path, kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Say on the console, quiet or not, what ended this process; the log has where."""
    traceback.print_exception(kind, error, trace)
    ours = issubclass(kind, ValueError | OSError | RuntimeError)
    said = str(error) if ours else f"{kind.__name__}: {error}"
    with suppress(OSError):
        os.write(_console[0], visible(f"\nralc: {said}\n(more in {log})\n\n", _LINES).encode())
