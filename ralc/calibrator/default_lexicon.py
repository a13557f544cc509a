"""The lexicon of an application: the committed hedges as an evaluator model reads them; no model writes anything."""

from functools import lru_cache
from typing import Any

import numpy as np

from ralc import data, evaluators
from ralc.beta import Beta
from ralc.english import place_hedge
from ralc.io.rows import read_rows
from ralc.lexicon import Lexicon
from ralc.lexicon.estimation import entry_flags
from ralc.lexicon.expressions import committed
from ralc.rewriting.requests import STATEMENTS

#: The evaluator whose readings of the committed hedges are committed, too: they are the same at every start.
COMMITTED_EVALUATOR = "cue_model"


@lru_cache(maxsize=8)
def built_in_lexicon(evaluator: str = COMMITTED_EVALUATOR) -> Lexicon:
    """Return the committed hedges, each read in the paper's twelve non-verifiable statements.

    An entry's mean and variance are those of a reading drawn from any of its sentences.

    >>> len(built_in_lexicon().usable()) > 100
    True
    """
    hedges = committed()
    read = _committed_readings(hedges) if evaluator == COMMITTED_EVALUATOR else hedges_read(hedges, evaluator)
    columns = {name: [hedge[name] for hedge in hedges] for name in hedges[0]}
    return Lexicon(columns | read | {"n": np.full(len(hedges), len(STATEMENTS))})


def hedges_read(hedges: list[dict[str, str]], evaluator: str) -> dict[str, Any]:
    """How an evaluator reads hedges, of each ``alpha, beta, flags``."""
    sentences = [
        place_hedge(hedge["expression"], hedge["frame"], statement)[0]
        for hedge in hedges
        for statement in STATEMENTS
    ]
    read = evaluators.load(evaluator).read(sentences)
    mean = read.mean.reshape(len(hedges), -1)
    variance = (read.variance.reshape(mean.shape) + mean**2).mean(axis=1) - mean.mean(axis=1) ** 2
    centre = mean.mean(axis=1)
    fitted = Beta.from_mean_concentration(centre, centre * (1 - centre) / variance - 1)
    flags = [entry_flags(hedge, one, one) for hedge, one in zip(hedges, centre, strict=True)]
    return {"alpha": fitted.alpha, "beta": fitted.beta, "flags": flags}


def _committed_readings(hedges: list[dict[str, str]]) -> dict[str, Any]:
    """The same of the `COMMITTED_EVALUATOR`, as ``python -m studies`` wrote it."""
    rows = {row.cells["expression"]: row.cells for row in read_rows(data.path("lexicon_cues.csv"))}
    chosen = [rows[hedge["expression"]] for hedge in hedges]
    numbers = {name: np.array([float(cells[name]) for cells in chosen]) for name in ("alpha", "beta")}
    return numbers | {"flags": [cells["flags"] for cells in chosen]}
