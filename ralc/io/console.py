"""What a job says: its log, the console past the log, and the progress of a long step."""

import json
import os
import sys
import traceback
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from tqdm import tqdm

#: The environment variable that keeps progress off the console.
QUIET = "RALC_QUIET"
#: Seconds between two lines of progress; a step that ends sooner says nothing.
EVERY_S = 10.0
_PROGRESS = "{desc}: {n}/{total}{unit} ({percentage:.0f} %), {rate_noinv_fmt}, {remaining} left"
#: The file descriptor of the console before `log_to`; empty before it.
_console: list[int] = []
Item = TypeVar("Item")


def visible(text: str, keep: str = "") -> str:
    """Return a text with unprintable characters as escapes, but for those in `keep`, so that no terminal obeys it.

    >>> visible("\\x1b[31mred")
    '\\\\u001b[31mred'
    """
    return "".join(one if one in keep or one.isprintable() else json.dumps(one)[1:-1] for one in text)


def say(line: str) -> None:
    """Print a line on standard error; once that is a log, on the console too unless the run is quiet."""
    line = visible(line, "\n\t")
    print(line, file=sys.stderr, flush=True)
    if _console and not os.environ.get(QUIET):
        with suppress(OSError):  # the listener has gone
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

    def report(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        traceback.print_exception(kind, error, trace)
        ours = issubclass(kind, ValueError | OSError | RuntimeError)
        reason = str(error) if ours else f"{kind.__name__}: {error}"
        with suppress(OSError):
            os.write(_console[0], visible(f"\nralc: {reason}\n(more in {path})\n\n", "\n\t").encode())

    sys.excepthook = report


class _Lines:
    """A file of lines to say, into which a progress bar writes."""

    def write(self, text: str) -> None:
        if line := text.strip("\r\n "):
            say(line)

    def flush(self) -> None:
        pass


def progress(
    items: Iterable[Item] | None, name: str, unit: str, total: int, *, show: bool = True
) -> "tqdm[Item]":
    """Return a bar over items, or to update by hand, that says every `EVERY_S` seconds how far a step is.

    >>> list(progress("ab", "clusters", "questions", 2))
    ['a', 'b']
    """
    from tqdm import tqdm

    often = {"mininterval": EVERY_S, "delay": EVERY_S, "miniters": 1, "smoothing": 0}
    shown = {"desc": name, "unit": f" {unit}", "bar_format": _PROGRESS, "position": 0, "leave": False}
    return tqdm(items, total=total, file=_Lines(), disable=not show, **often, **shown)
