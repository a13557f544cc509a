"""What a job says: its log, the console past the log, and the progress of a long step."""

import os
import sys
import time
import traceback
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from ralc.io.text import visible

#: The environment variable that keeps progress off the console.
QUIET = "RALC_QUIET"
#: Seconds between two lines of progress; a step that ends sooner says nothing.
EVERY_S = 10.0
#: The file descriptor of the console before `log_to`; empty before it.
_console: list[int] = []
Item = TypeVar("Item")


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
    sys.excepthook = partial(_report, path)


def _report(
    log: str | Path, kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Print what ended this process on the console, quiet or not; the log has the traceback."""
    traceback.print_exception(kind, error, trace)
    ours = issubclass(kind, ValueError | OSError | RuntimeError)
    reason = str(error) if ours else f"{kind.__name__}: {error}"
    with suppress(OSError):
        os.write(_console[0], visible(f"\nralc: {reason}\n(more in {log})\n\n", "\n\t").encode())


class Progress:
    """Count what is done of a step, and say so every `EVERY_S` seconds.

    Parameters
    ----------
    name
        The step.
    total
        How many of `unit` it has.
    unit
        What is counted, in the plural.
    show
        False to say nothing.
    """

    def __init__(self, name: str, total: int, unit: str, *, show: bool = True) -> None:
        self.name, self.total, self.unit, self.show = name, total, unit, show
        self.done = 0
        self._started = self._said = time.monotonic()

    def add(self, count: int = 1) -> None:
        """Count so many more as done; print rate and time left if it is time to."""
        from tqdm import tqdm

        self.done += count
        now = time.monotonic()
        if self.show and now - self._said >= EVERY_S:
            self._said = now
            rate = self.done / max(now - self._started, 1e-9)
            left = tqdm.format_interval((self.total - self.done) / rate) if rate else "unknown time"
            share = f"{self.done}/{self.total} {self.unit} ({100 * self.done / self.total:.0f} %)"
            say(f"{self.name}: {share}, {rate:.2f} a second, {left} left")


def followed(items: Iterable[Item], name: str, unit: str, total: int) -> Iterator[Item]:
    """Yield the items; where that takes long, say how far it is.

    >>> list(followed("ab", "clusters", "questions", 2))
    ['a', 'b']
    """
    progress = Progress(name, total, unit)
    for item in items:
        yield item
        progress.add()
