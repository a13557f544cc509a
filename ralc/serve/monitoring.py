"""What the server did, as numbers for Prometheus; nothing of what was said."""

from collections import Counter
from dataclasses import dataclass


@dataclass
class Visit:
    """How a request ended: ``calibrated``; ``missed`` (left: no wording is read as meant) or ``passed``, and why;
    ``relayed`` (another path); or ``failed``, with its status.
    """

    outcome: str = "failed"
    reason: str = ""


class Counts:
    """Requests by how they ended, and the seconds that they took."""

    def __init__(self) -> None:
        self.in_flight = 0
        self._ended: Counter[tuple[str, str]] = Counter()
        self._seconds = 0.0

    def end(self, visit: Visit, seconds: float) -> None:
        """Count a request."""
        self._ended[visit.outcome, visit.reason] += 1
        self._seconds += seconds

    def text(self) -> str:
        """The counts in Prometheus' text format.

        >>> counts = Counts()
        >>> counts.end(Visit("calibrated"), 0.5)
        >>> 'ralc_requests_total{outcome="calibrated",reason=""} 1' in counts.text()
        True
        """
        lines = ["# TYPE ralc_requests_total counter"]
        for (outcome, reason), number in sorted(self._ended.items()):
            lines.append(f'ralc_requests_total{{outcome="{outcome}",reason="{reason}"}} {number}')
        lines += [
            "# TYPE ralc_request_seconds_sum counter",
            f"ralc_request_seconds_sum {self._seconds:.6f}",
            "# TYPE ralc_request_seconds_count counter",
            f"ralc_request_seconds_count {sum(self._ended.values())}",
            "# TYPE ralc_in_flight gauge",
            f"ralc_in_flight {self.in_flight}",
        ]
        return "\n".join(lines) + "\n"
