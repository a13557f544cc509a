"""What a job says: its log, the console past the log, and the progress of a long step."""

import json
import os
import sys
import traceback
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace, TracebackType
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


def _to_console(text: str) -> None:
    with suppress(OSError):  # the listener has gone
        os.write(_console[0], visible(text, "\n\t").encode())


def say(line: str) -> None:
    """Print a line on standard error; once that is a log, on the console too unless the run is quiet."""
    print(visible(line, "\n\t"), file=sys.stderr, flush=True)
    if _console and not os.environ.get(QUIET):
        _to_console(f"{line}\n")


def log_to(path: str | Path) -> None:
    """Send all that this process and its children print to a log file; its last error goes to the console, too."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    _console[:] = [os.dup(2)]
    with open(path, "wb") as log:
        for descriptor, stream in enumerate((sys.stdout, sys.stderr), 1):
            stream.flush()
            os.dup2(log.fileno(), descriptor)

    def report(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        traceback.print_exception(kind, error, trace)
        expected = issubclass(kind, ValueError | OSError | RuntimeError)
        reason = str(error) if expected else f"{kind.__name__}: {error}"
        _to_console(f"\nralc: {reason}\n(more in {path})\n\n")

    sys.excepthook = report


def progress(items: Iterable[Item] | None, name: str, unit: str, total: int) -> "tqdm[Item]":
    """Return a bar over items, or to update by hand, that says every `EVERY_S` seconds how far a step is.

    Parameters
    ----------
    items
        What is gone through; None for a bar that the caller updates.
    name, unit
        What the step is called, and what it counts.
    total
        How many there are.

    Examples
    --------
    >>> list(progress("ab", "clusters", "questions", 2))
    ['a', 'b']
    """
    from tqdm import tqdm

    lines = SimpleNamespace(write=lambda text: text.strip() and say(text.strip()), flush=lambda: None)
    shown = {"desc": name, "unit": f" {unit}", "bar_format": _PROGRESS, "leave": False, "position": 0}
    often = {"mininterval": EVERY_S, "delay": EVERY_S, "miniters": 1, "smoothing": 0}
    return tqdm(items, total=total, file=lines, **often, **shown)
