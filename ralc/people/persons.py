"""Person effects taken out of human scores, so that what is left is disagreement about the words."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def phrase_figures(scores: pd.DataFrame) -> pd.DataFrame:
    """Mean and spread of each phrase, with the persons' general tendency taken out.

    A person's tendency is their mean deviation on all other phrases; what a linear regression on it explains of
    the scores of a phrase is not disagreement about the phrase. ``sd`` is the plain SD over persons, ``sd_words``
    what is left of it.

    Parameters
    ----------
    scores
        Columns ``person, phrase, score``.

    Returns
    -------
    Columns ``phrase, n, mean, sd, sd_words``, sorted by phrase.

    >>> table = pd.DataFrame({"person": [1, 1, 2, 2, 3, 3], "phrase": ["a", "b"] * 3})
    >>> figures = phrase_figures(table.assign(score=[0.1, 0.7, 0.2, 0.8, 0.3, 0.9]))
    >>> figures[["sd", "sd_words"]].round(3).to_numpy().tolist()
    [[0.1, 0.0], [0.1, 0.0]]
    """
    wide = scores.pivot_table(index="person", columns="phrase", values="score", aggfunc="mean")
    centred = wide - wide.mean()
    others = centred.sum(axis=1).to_numpy()[:, None] - centred.fillna(0).to_numpy()
    count = centred.notna().sum(axis=1).to_numpy()[:, None] - centred.notna().to_numpy()
    tendency = pd.DataFrame(others / np.maximum(count, 1), index=wide.index, columns=wide.columns)
    explained = centred.corrwith(tendency.where(centred.notna())).fillna(0.0).clip(lower=0) ** 2
    sd = wide.std()
    return pd.DataFrame(
        {
            "phrase": wide.columns,
            "n": wide.count().to_numpy(),
            "mean": wide.mean().to_numpy(),
            "sd": sd.to_numpy(),
            "sd_words": (sd * np.sqrt(1 - explained)).to_numpy(),
        }
    )


def person_share(scores: pd.DataFrame) -> float:
    """Share of the variance within phrases that is persons' general tendency, in [0, 1]."""
    figures = phrase_figures(scores)
    return float(1 - (figures["sd_words"] ** 2).sum() / (figures["sd"] ** 2).sum())


def block_offsets(
    scores: FloatArray, predicted: FloatArray, used: NDArray[np.bool_], *, block: int = 25
) -> FloatArray:
    """General tendency of whoever scored a stretch of rows, per score column.

    Persons are not named in the raw 10,000 x 5, but rows were handed out in stretches: the residuals of a score
    column correlate by 0.06-0.35 between rows next to each other and hardly at 200 rows' distance. The mean
    residual of a stretch, shrunk by its reliability, stands for the person.

    Parameters
    ----------
    scores
        Shape ``(rows, columns)``, in the file's order.
    predicted
        What a model expects of each row, shape ``(rows,)``.
    used
        Rows that may be learned from.
    block
        Rows in a stretch.

    Returns
    -------
    Offsets of the shape of ``scores``, mean zero over the rows used; 0 for stretches without used rows.
    """
    stretch = np.arange(len(scores)) // block
    offsets = np.zeros_like(scores)
    for column in range(scores.shape[1]):
        residual = pd.Series((scores[:, column] - predicted)[used])
        grouped = residual.groupby(stretch[used])
        size, mean = grouped.size(), grouped.mean()
        noise = grouped.var().mean()
        between = max(mean.var() - (noise / size).mean(), 0.0)
        shrunk = (mean - residual.mean()) * between / (between + noise / size)
        offsets[:, column] = pd.Series(stretch).map(shrunk).fillna(0.0).to_numpy()
    return offsets
