"""A measurement, a target, and the table they are written to."""

import csv
import operator
from collections.abc import Iterable
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
        The number that has a target.
    unit : str
    compare, target : str, float
        What `value` must be; a measurement without a target is there to be read.
    note : str
    """

    measured: str
    value: float
    unit: str
    compare: Literal["<", ">=", "=="] | None = None
    target: float | None = None
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None where there is none."""
        return None if self.compare is None else COMPARE[self.compare](self.value, self.target)


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
