"""Progress of a long step, as lines of the log and of the console."""

import time

from tqdm import tqdm

from ralc.io import say

#: Seconds between two lines.
EVERY_S = 10.0


class Progress:
    """Says how many requests are answered and how many failed, rates and time left: a line every ten seconds."""

    def __init__(self, name: str, total: int, *, show: bool = True) -> None:
        self.name, self.total, self.show = name, total, show
        self.answered = self.failed = self.tokens = 0
        self.reason = ""
        self._started = self._said = time.monotonic()

    def begin(self) -> None:
        """Say what is about to be asked; time counts from here."""
        self._started = self._said = time.monotonic()
        if self.show:
            say(f"{self.name}: {self.total} requests to ask")

    def add(self, tokens: int, failure: str | None = None) -> None:
        """One more request is answered, with `tokens` tokens; or failed for this run, and why."""
        self.answered += failure is None
        self.failed += failure is not None
        self.reason = failure or self.reason
        self.tokens += tokens
        now = time.monotonic()
        if now - self._said >= EVERY_S or self.answered + self.failed == self.total:
            self._said = now
            self._say(max(now - self._started, 1e-9))

    def _say(self, seconds: float) -> None:
        if not self.show:
            return
        share = 100 * self.answered / self.total
        lost = f", {self.failed} failed (last: {self.reason})" if self.failed else ""
        left = "time left unknown"
        if self.answered:
            to_come = self.total - self.answered - self.failed
            left = f"{tqdm.format_interval(to_come * seconds / self.answered)} left"
        say(
            f"{self.name}: {self.answered}/{self.total} answered ({share:.0f} %){lost}, "
            f"{self.answered / seconds:.2f} requests/s, {self.tokens / seconds:.0f} tokens/s, {left}"
        )
