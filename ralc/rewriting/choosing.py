"""Choosing by reading: of the candidates of a task the one that is read nearest to its target."""

import hashlib

import numpy as np
import pandas as pd

from ralc.beta import Beta
from ralc.io.console import Progress
from ralc.readers.reader import CLOSE

#: Candidates whose distances are computed between two looks at the clock.
PART = 50_000


def to_be_read(candidates: pd.DataFrame) -> pd.DataFrame:
    """Return the candidates among which a reader must choose, each text once (`ralc.pipeline.texts`)."""
    texts = candidates.loc[candidates.duplicated("task", keep=False), "text"].drop_duplicates()
    return pd.DataFrame({"item": texts.map(_digest), "text": texts, "crossing": False}).reset_index(drop=True)


def choose(
    tasks: pd.DataFrame, candidates: pd.DataFrame, readings: pd.DataFrame, *, seed: int
) -> pd.DataFrame:
    """Return the rewrite of each task, in the order of the tasks.

    Of several candidates the one is taken whose reading has the smallest 1-Wasserstein distance to the target
    Beta(alpha, beta); among those within `CLOSE` of it a draw decides, so that a hundred answers do not all say the
    same. The draw depends on the seed and the task alone. Candidates without a reading are taken only where none has
    one, the first then.

    Parameters
    ----------
    tasks
        ``task``, ``alpha``, ``beta``.
    candidates
        ``task, text, origin, hedge``, as `ralc.rewriting.list_candidates` gives them.
    readings
        ``text, alpha, beta`` of the evaluator, of all texts of `to_be_read`.
    seed
        Of the run.

    Returns
    -------
    DataFrame
        ``task, text, origin, hedge, shared, whole``.

    Raises
    ------
    ValueError
        If a task has no candidate, or a text was not given to the reader.
    """
    lacking = ~tasks["task"].isin(candidates["task"])
    if lacking.any():
        raise ValueError(f"task {tasks.loc[lacking, 'task'].iloc[0]!r} has no candidate")
    alone = ~candidates.duplicated("task", keep=False)
    several = candidates[~alone].merge(tasks[["task", "alpha", "beta"]], on="task", validate="many_to_one")
    chosen = [candidates[alone]]
    if len(several):
        several["distance"] = _distances(several, readings)
        several["draw"] = _draws(several, seed)
        best = several.groupby("task")["distance"].transform("min")
        # Where nothing has a reading (all infinite), the order of the candidates decides.
        near = several[(several["distance"] <= best + CLOSE) & np.isfinite(best)]
        unread = several[np.isinf(best)].drop_duplicates("task")
        chosen += [near.sort_values("draw", kind="stable").drop_duplicates("task"), unread]
    return pd.concat(chosen)[candidates.columns].set_index("task").loc[tasks["task"]].reset_index()


def _distances(rows: pd.DataFrame, readings: pd.DataFrame) -> np.ndarray:
    """The distance of each candidate's reading to its target; infinite for one without a reading."""
    known = readings.drop_duplicates("text").set_index("text")[["alpha", "beta"]]
    strangers = ~rows["text"].isin(known.index)
    if strangers.any():
        raise ValueError(f"readings: {rows.loc[strangers, 'text'].iloc[0]!r} was not read")
    read = known.loc[rows["text"]].to_numpy(float)
    scored = np.isfinite(read).all(axis=1)
    distances = np.full(len(rows), np.inf)
    places = np.flatnonzero(scored)
    progress = Progress("choices", len(places), "candidates")
    for start in range(0, len(places), PART):
        part = places[start : start + PART]
        distances[part] = Beta(*read[part].T).wasserstein_distance(Beta.from_table(rows.iloc[part]))
        progress.add(len(part))
    return distances


def _draws(rows: pd.DataFrame, seed: int) -> list[int]:
    """A number for each candidate that depends on the seed, the task and its text alone."""
    return [
        int(_digest(f"{seed}/{task}/{text}"), 16)
        for task, text in zip(rows["task"], rows["text"], strict=True)
    ]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
