"""What the scatter figure of the human benchmark shows: phrases one by one, sentences in bins."""

from collections.abc import Collection
from pathlib import Path

import numpy as np
import pandas as pd

from ralc.people.yardsticks import Study, read_by, studies

BINS = 20
COLUMNS = ["dataset", "quantity", "reader", "item", "read", "human", "human_sd", "n"]


def benchmark_points(
    readings: pd.DataFrame, folder: Path, names: Collection[str] | None = None, *, bins: int = BINS
) -> pd.DataFrame:
    """Human readings beside each reader's.

    Sentences are put together in `bins` of equal number along the reader's mean, fewer where readings are tied:
    the sentences themselves have no licence to be carried, and single ones are too noisy to see anything (five
    persons each).

    Parameters
    ----------
    readings
        As for `human_benchmark`.
    folder, names
        Of the studies, and which of them.
    bins
        Of the sentences, at least 1.

    Returns
    -------
    DataFrame
        ``dataset, quantity, reader, item, read, human, human_sd, n``: `quantity` is ``mean`` or ``spread`` (SD
        between persons, phrases only); `item` the phrase or the bin; `human_sd` the SD over the sentences of a
        bin (null for phrases); `n` its sentences, 1 for a phrase.

    Raises
    ------
    ValueError
        If `bins` is below 1 or a reader lacks a text.
    """
    if bins < 1:
        raise ValueError(f"bins = {bins} must be at least 1")
    parts = []
    for dataset, study in studies(folder, names).items():
        for reader, read in read_by(readings, study.texts).items():
            found = _binned(read["mean"], study.mean, bins) if study.sd is None else _phrases(read, study)
            parts.append(found.assign(dataset=dataset, reader=reader))
    return pd.concat(parts, ignore_index=True)[COLUMNS]


def _binned(read: pd.Series, human: np.ndarray, bins: int) -> pd.DataFrame:
    """Means in bins of the reading; texts without a reading are in none."""
    pairs = pd.DataFrame({"read": read, "human": human}).dropna()
    # By the middle of their ranks: equal readings share a bin.
    pairs["bin"] = ((pairs["read"].rank() - 0.5) * bins // len(pairs)).astype(int)
    grouped = pairs.groupby("bin")
    table = grouped.mean().assign(human_sd=grouped["human"].std(), n=grouped.size(), quantity="mean")
    return table.assign(item=[f"bin {place + 1}" for place in range(len(table))])


def _phrases(read: pd.DataFrame, study: Study) -> pd.DataFrame:
    """A point a phrase: its mean, and its SD between persons."""
    pairs = {"mean": (read["mean"], study.mean), "spread": (read["sd"], study.sd)}
    parts = [
        pd.DataFrame({"item": study.items, "read": ours.to_numpy(), "human": human, "quantity": quantity})
        for quantity, (ours, human) in pairs.items()
    ]
    return pd.concat(parts).dropna(subset="read").assign(human_sd=np.nan, n=1)
