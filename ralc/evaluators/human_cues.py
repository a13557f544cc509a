"""The tables of human-annotated cues, and the block of the evaluator prompt made from one (appendix C.2)."""

from functools import cache
from typing import NamedTuple

from ralc import data
from ralc.io.rows import read_rows


class HumanCue(NamedTuple):
    """How people read an expression: mean and SD of `n` scores in [0, 1], and the study."""

    expression: str
    mean: float
    sd: float
    n: int
    source: str


@cache
def human_cues(file: str = "human_cues.csv") -> dict[str, HumanCue]:
    """Return the committed cues by their expressions.

    They are those of all studies, or of ``human_cues_tao.csv`` the fifty expressions that most training sentences of
    Tao et al. have as their only cue.

    >>> len(human_cues("human_cues_tao.csv"))
    50
    """
    rows = (cells for _, _, cells in read_rows(data.path(file)))
    cues = (
        HumanCue(one["expression"], float(one["mean"]), float(one["sd"]), int(one["n"]), one["source"])
        for one in rows
    )
    return {cue.expression: cue for cue in cues}


def human_annotated_cues(file: str = "human_cues.csv") -> str:
    """Return the ``human_annotated_cues`` block of the evaluator prompt, one cue a line, the most confident first.

    >>> human_annotated_cues().splitlines()[0].count("standard deviation")
    1
    """
    return "\n".join(
        f'- "{cue.expression}": mean {100 * cue.mean:.0f}, standard deviation {100 * cue.sd:.0f}'
        for cue in sorted(human_cues(file).values(), key=lambda cue: -cue.mean)
    )
