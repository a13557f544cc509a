"""The table of human-annotated cues, and the block of the evaluator prompt made from it (appendix C.2)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ralc import data
from ralc.textfiles import read_delimited

if TYPE_CHECKING:  # who looks up a cue does not wait for tables to load
    import pandas as pd


class HumanCue(NamedTuple):
    """How people read an expression: mean and SD of `n` scores in [0, 1], and the study."""

    expression: str
    mean: float
    sd: float
    n: int
    source: str


@cache
def human_cues() -> dict[str, HumanCue]:
    """The committed cues by their expressions."""
    rows = (cells for _, cells in read_delimited(data.path("human_cues.csv")))
    cues = (
        HumanCue(r["expression"], float(r["mean"]), float(r["sd"]), int(r["n"]), r["source"]) for r in rows
    )
    return {cue.expression: cue for cue in cues}


def load_human_cues() -> pd.DataFrame:
    """The committed table: ``expression, mean, sd, n, source``, scores in [0, 1].

    >>> load_human_cues().columns.tolist()
    ['expression', 'mean', 'sd', 'n', 'source']
    """
    import pandas as pd

    return pd.DataFrame(human_cues().values())


def human_annotated_cues(table: pd.DataFrame | None = None) -> str:
    """The ``human_annotated_cues`` block of the evaluator prompt, one cue a line, the most confident first.

    >>> human_annotated_cues().splitlines()[0].count("standard deviation")
    1
    """
    table = load_human_cues() if table is None else table
    return "\n".join(
        f'- "{row.expression}": mean {100 * row.mean:.0f}, standard deviation {100 * row.sd:.0f}'
        for row in table.itertuples(index=False)
    )
