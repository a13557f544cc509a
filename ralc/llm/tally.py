"""Progress of what is asked of a model: also what failed and why, and tokens."""

import time

from ralc.io import say
from ralc.io.console import Progress


class Asking(Progress):
    """Says how many requests are answered and how many failed, rates and time left; at the end in any case."""

    def __init__(self, name: str, total: int, *, show: bool = True) -> None:
        super().__init__(name, total, "requests", show=show)
        self.failed = self.tokens = 0
        self.reason = ""

    def begin(self) -> None:
        """Say what is about to be asked; time counts from here."""
        self._started = self._said = time.monotonic()
        if self.show:
            say(f"{self.name}: {self.total} requests to ask")

    def answered(self, tokens: int, failure: str | None = None) -> None:
        """One more request is answered, with `tokens` tokens; or failed for this run, and why."""
        self.done += failure is None
        self.failed += failure is not None
        self.reason = failure or self.reason
        self.tokens += tokens
        self.tell(last=self.done + self.failed == self.total)

    def described(self, seconds: float) -> str:
        """What is answered and what failed after some seconds, the rates, and the time left."""
        share = 100 * self.done / self.total
        lost = f", {self.failed} failed (last: {self.reason})" if self.failed else ""
        return (
            f"{self.done}/{self.total} answered ({share:.0f} %){lost}, "
            f"{self.done / seconds:.2f} requests/s, {self.tokens / seconds:.0f} tokens/s, "
            f"{self.left(self.total - self.done - self.failed, seconds)}"
        )
