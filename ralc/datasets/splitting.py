"""The split of a dataset into train (where calibration maps are fitted) and test."""

import math

import numpy as np
import pandas as pd

METHODS = ("stratified", "first")


def split(
    questions: pd.DataFrame, fraction: float, method: str = "stratified", seed: int = 0
) -> pd.DataFrame:
    """Return the questions of one dataset with a column ``split``: ``train`` or ``test``.

    Parameters
    ----------
    questions
        A questions table.
    fraction
        Share of train questions, in (0, 1); ``ceil(fraction * n)`` questions are train.
    method
        ``stratified`` (default): seeded, every subject, and of it answerable and unanswerable questions, in
        proportion. ``first``: the first in file order (paper section 5.2.1).
    seed
        Of the random order within strata; the same questions and seed give the same split in any row order.

    Raises
    ------
    ValueError
        If the fraction is not in (0, 1), the method unknown, or one side would be empty.
    """
    if not 0 < fraction < 1:
        raise ValueError(f"fraction = {fraction!r}: must lie strictly between 0 and 1")
    if method not in METHODS:
        raise ValueError(f"split method {method!r} is not one of {', '.join(METHODS)}")
    # The epsilon keeps 0.3 * 10 = 3.0000000000000004 from becoming 4.
    count = math.ceil(fraction * len(questions) - 1e-9)
    if not 0 < count < len(questions):
        raise ValueError(f"{len(questions)} questions cannot be split by {fraction}: one side would be empty")
    rank = np.arange(len(questions)) if method == "first" else _stratified_rank(questions, seed)
    return questions.assign(split=np.where(rank < count, "train", "test"))


def _stratified_rank(questions: pd.DataFrame, seed: int) -> np.ndarray:
    """The place of each question in an order in which every leading part holds the strata in proportion."""
    ids = questions["question_id"].to_numpy(dtype=str)
    shuffled = np.empty(len(ids))
    shuffled[np.argsort(ids)] = np.random.default_rng(seed).permutation(len(ids))
    strata = questions.groupby(["subject", "answerable"], sort=True).ngroup().to_numpy()
    within = pd.Series(shuffled).groupby(strata).rank(method="first").to_numpy()
    size = pd.Series(shuffled).groupby(strata).transform("size").to_numpy()
    # The middle of each question's slot in its stratum: strata of any size fill at the same rate.
    return np.argsort(np.argsort((within - 0.5) / size + 1e-9 * shuffled / len(ids)))
