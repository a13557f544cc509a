"""Progress of a long step, as lines of a log."""

import sys
import time

from tqdm import tqdm

#: Seconds between two lines.
EVERY_S = 10.0


class Progress:
    """Prints done/total, rates and time left to the log (standard error), a line every ten seconds."""

    def __init__(self, name: str, total: int, *, show: bool = True) -> None:
        self.name, self.total, self.show = name, total, show
        self.done = self.tokens = 0
        self._started = self._printed = time.monotonic()

    def begin(self) -> None:
        """Say what is about to be asked; time counts from here."""
        self._started = self._printed = time.monotonic()
        if self.show:
            print(f"{self.name}: {self.total} requests to ask", file=sys.stderr, flush=True)

    def add(self, tokens: int) -> None:
        """One more request is done, with `tokens` tokens answered."""
        self.done += 1
        self.tokens += tokens
        now = time.monotonic()
        if now - self._printed >= EVERY_S or self.done == self.total:
            self._printed = now
            self._print(max(now - self._started, 1e-9))

    def _print(self, seconds: float) -> None:
        if not self.show:
            return
        left = tqdm.format_interval((self.total - self.done) * seconds / self.done)
        share = 100 * self.done / self.total
        print(
            f"{self.name}: {self.done}/{self.total} requests ({share:.0f} %), "
            f"{self.done / seconds:.2f} requests/s, {self.tokens / seconds:.0f} tokens/s, {left} left",
            file=sys.stderr,
            flush=True,
        )
