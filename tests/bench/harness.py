"""A measurement, a target, and the table they are written to."""

import csv
import operator
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal

COMPARE = {"<": operator.lt, ">=": operator.ge, "==": operator.eq}


@dataclass(frozen=True)
class Measurement:
    """One number beside its target.

    Parameters
    ----------
    measured : str
        What it is of.
    value : float
        The number that has a target: a ratio to the reference, seconds, an error.
    unit : str
    compare, target : str, float
        What `value` must be; a measurement without a target is there to be read.
    ours, reference : float, optional
        Median seconds of the package and of what a user would write.
    note : str
    """

    measured: str
    value: float
    unit: str
    compare: Literal["<", ">=", "=="] | None = None
    target: float | None = None
    ours: float | None = None
    reference: float | None = None
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None where there is none."""
        return None if self.compare is None else COMPARE[self.compare](self.value, self.target)


def median_seconds(function: Callable[[], object], repeats: int = 5) -> float:
    """Median wall-clock seconds of some calls, after one that warms up."""
    function()
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def paired_seconds(
    ours: Callable[[], object], reference: Callable[[], object], repeats: int = 5
) -> tuple[float, float, float]:
    """Median seconds of both, and the median of their ratios, taken in turns so that load hits both alike."""
    ours()
    pairs = []
    for _ in range(repeats):
        pairs.append((seconds_once(ours), seconds_once(reference)))
    mine, theirs = zip(*pairs, strict=True)
    ratio = statistics.median(b / a for a, b in pairs)
    return statistics.median(mine), statistics.median(theirs), ratio


def seconds_once(function: Callable[[], object]) -> float:
    """Wall-clock seconds of one call."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def cpu_seconds(function: Callable[[], object], repeats: int = 5) -> float:
    """Least CPU seconds of some calls, after one that warms up: what the computation itself costs."""
    function()
    taken = []
    for _ in range(repeats):
        start = time.process_time()
        function()
        taken.append(time.process_time() - start)
    return min(taken)


def write(measurements: Iterable[Measurement], path: Path) -> None:
    """Write measurements to a CSV file."""
    names = [field.name for field in fields(Measurement)]
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow([*names, "met"])
        for m in measurements:
            rows.writerow([*(getattr(m, name) for name in names), m.met])


def line(m: Measurement) -> str:
    """One measurement as a line to read."""
    target = (
        "" if m.compare is None else f"  (target {m.compare} {m.target:g}: {'met' if m.met else 'MISSED'})"
    )
    return f"{m.measured:<58} {m.value:>12.6g} {m.unit}{target}" + (f"  {m.note}" if m.note else "")
