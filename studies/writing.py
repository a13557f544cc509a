"""Write the rows that the package carries; where they come from stands in the first lines."""

from collections.abc import Sequence

import pandas as pd

from ralc.human_benchmark import COMMITTED
from ralc.io import write_text
from studies.sources import PROVENANCE

SEED = 2026
_DIGITS = 5
_USED = ("tao2025", "capphrase", "wadefagen", "zonination")


def write_committed(table: str, rows: pd.DataFrame, notes: Sequence[str]) -> None:
    """Write a committed table; `notes` says what it is, and by which command it was made."""
    head = [*notes, f"Seed {SEED}.", *(f"{study}: {PROVENANCE[study]}" for study in _USED)]
    lines = "".join(f"# {line}\n" for line in head)
    write_text(lines + rows.round(_DIGITS).to_csv(index=False, lineterminator="\n"), COMMITTED[table])
