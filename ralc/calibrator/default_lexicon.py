"""The lexicon of an application: the committed hedges as an evaluator reads them."""

from functools import cache
from typing import Any

import numpy as np

from ralc import data, evaluators
from ralc.beta import Beta
from ralc.english import place_hedge
from ralc.lexicon import Lexicon
from ralc.lexicon.estimation import entry_flags
from ralc.lexicon.expressions import Voice, committed
from ralc.lexicon.sentences import STATEMENTS

#: The evaluator whose readings of the committed hedges are committed, too: they are the same at every start.
COMMITTED_EVALUATOR = "cue_model"


@cache
def built_in_lexicon(evaluator: str = COMMITTED_EVALUATOR, voice: Voice = "plain") -> Lexicon:
    """Return the built-in hedges of a voice, each with mean and variance of its readings in twelve statements.

    ValueError if a hedge has no committed readings; it names the first, and the command that makes them.
    """
    hedges = committed(voice)
    columns = {name: [hedge[name] for hedge in hedges] for name in hedges[0]}
    if evaluator == COMMITTED_EVALUATOR:  # as ``python -m studies`` wrote it
        rows = {row["expression"]: row for row in data.rows("lexicon_cues.csv")}
        try:
            chosen = [rows[hedge["expression"]] for hedge in hedges]
        except KeyError as missing:
            remedy = "run `python -m studies`, which makes them"
            why = f"{missing} has no readings in ralc/data/lexicon_cues.csv"
            raise ValueError(f"ralc/data/hedges.csv: {why}: {remedy}") from None
        read = {name: np.array([float(cells[name]) for cells in chosen]) for name in ("alpha", "beta")}
        read["flags"] = [cells["flags"] for cells in chosen]
    else:
        read = hedges_read(hedges, evaluator)
    return Lexicon(columns | read | {"n": np.full(len(hedges), len(STATEMENTS))})


def hedges_read(hedges: list[dict[str, str]], evaluator: str) -> dict[str, Any]:
    """Return how an evaluator reads hedges: ``alpha, beta, flags`` of each."""
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
    flags = [entry_flags(hedge, mean, mean) for hedge, mean in zip(hedges, centre, strict=True)]
    return {"alpha": fitted.alpha, "beta": fitted.beta, "flags": flags}
