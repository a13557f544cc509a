"""The tables of human-annotated cues, and the block of the evaluator prompt made from one (appendix C.2)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ralc import data
from ralc.io.rows import read_rows

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
    return {cue.expression: cue for cue in _read(data.path("human_cues.csv"))}


def _read(path: Path) -> Iterator[HumanCue]:
    """The cues of a committed file."""
    for _, _, cells in read_rows(path):
        numbers = float(cells["mean"]), float(cells["sd"]), int(cells["n"])
        yield HumanCue(cells["expression"], *numbers, cells["source"])


def load_human_cues(which: str = "studies") -> pd.DataFrame:
    """A committed table, ``expression, mean, sd, n, source``, scores in [0, 1].

    Parameters
    ----------
    which
        ``studies``: all of them; ``tao``: the fifty expressions that most training sentences of Tao et al. have as
        their only cue.

    Examples
    --------
    >>> load_human_cues("tao").columns.tolist()
    ['expression', 'mean', 'sd', 'n', 'source']
    """
    import pandas as pd

    return pd.DataFrame(_read(data.path("human_cues_tao.csv")) if which == "tao" else human_cues().values())


def human_annotated_cues(table: pd.DataFrame | None = None) -> str:
    """The ``human_annotated_cues`` block of the evaluator prompt, one cue a line, the most confident first.

    >>> human_annotated_cues().splitlines()[0].count("standard deviation")
    1
    """
    table = load_human_cues() if table is None else table
    table = table.sort_values("mean", ascending=False, kind="stable")
    return "\n".join(
        f'- "{row.expression}": mean {100 * row.mean:.0f}, standard deviation {100 * row.sd:.0f}'
        for row in table.itertuples(index=False)
    )
