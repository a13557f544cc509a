"""Progress of a long step, as lines of the log and of the console: what is done, how fast, and the time left."""

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from tqdm import tqdm

from ralc.io import say

#: Seconds between two lines; a step that ends sooner says nothing.
EVERY_S = 10.0
Item = TypeVar("Item")


class Progress:
    """Counts what is done of a step, and says so every `EVERY_S` seconds.

    Parameters
    ----------
    name
        What is done.
    total
        How many of `unit` it has.
    unit
        What is counted, in the plural.
    show
        False where nothing is to be said.
    """

    def __init__(self, name: str, total: int, unit: str, *, show: bool = True) -> None:
        self.name, self.total, self.unit, self.show = name, total, unit, show
        self.done = 0
        self._started = self._said = time.monotonic()

    def add(self, count: int = 1) -> None:
        """So many more are done."""
        self.done += count
        self.tell()

    def tell(self, *, last: bool = False) -> None:
        """Say how far it is, where it is time or the `last` time to."""
        now = time.monotonic()
        if last or now - self._said >= EVERY_S:
            self._said = now
            if self.show:
                say(f"{self.name}: {self.described(max(now - self._started, 1e-9))}")

    def described(self, seconds: float) -> str:
        """What is done after some seconds, the rate, and the time left at that rate."""
        return (
            f"{self.done}/{self.total} {self.unit} ({100 * self.done / self.total:.0f} %), "
            f"{self.done / seconds:.2f} a second, {self.left(self.total - self.done, seconds)}"
        )

    def left(self, to_come: int, seconds: float) -> str:
        """How long what is to come will take, at the rate of these seconds."""
        if not self.done:
            return "time left unknown"
        return f"{tqdm.format_interval(to_come * seconds / self.done)} left"


def followed(items: Iterable[Item], name: str, unit: str, total: int) -> Iterator[Item]:
    """Yield the items; where that takes long, say how far it is.

    >>> list(followed("ab", "clusters", "questions", 2))
    ['a', 'b']
    """
    progress = Progress(name, total, unit)
    for item in items:
        yield item
        progress.add()
