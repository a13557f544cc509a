"""The table of human-annotated cues, and the block of the evaluator prompt made from it (appendix C.2)."""

import pandas as pd

from ralc import data

FIGURES = "human_cues.csv"


def load_human_cues() -> pd.DataFrame:
    """The committed table: ``expression, mean, sd, n, source``, scores in [0, 1].

    >>> load_human_cues().columns.tolist()
    ['expression', 'mean', 'sd', 'n', 'source']
    """
    return pd.read_csv(data.path(FIGURES))


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
