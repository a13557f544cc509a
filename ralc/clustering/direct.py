"""The direct answers that are clustered, question by question."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from ralc.grading.grades import questions_of
from ralc.io.console import progress
from ralc.registry import LONG
from ralc.sampling import answered

#: Clusters of a question's answers (its row and the texts), and whether a fallback made them.
Method = Callable[[Any, list[str]], tuple[list[int], bool]]


def direct_answers(samples: pd.DataFrame, questions: pd.DataFrame) -> Iterator[tuple[Any, pd.DataFrame]]:
    """Yield each question that was answered directly (a row of `questions`) with its samples, in their order.

    Raises
    ------
    ValueError
        If a sample's question is unknown.
    """
    direct = answered(samples[samples["prompt"] == "direct"])
    direct = direct.sort_values(["question_id", "sample"], kind="stable")
    rows = questions_of(direct, questions)
    for question_id, group in direct.groupby("question_id", sort=False):
        yield rows[question_id], group


def cluster_by(method: Method, samples: pd.DataFrame, questions: pd.DataFrame) -> pd.DataFrame:
    """Return the clusters table, ``question_id, sample, cluster, fallback``, by a method for one question."""
    ids: list[str] = []
    numbers: list[np.ndarray] = []
    clusters: list[int] = []
    fallbacks: list[bool] = []
    asked = samples.loc[samples["prompt"] == "direct", "question_id"].nunique()
    answered = direct_answers(samples, questions)
    for row, group in progress(answered, "clusters", "questions", asked):
        # What a long answer means is told sentence by sentence, not by which others mean the same.
        alone = row.format == LONG
        found, fallback = (list(range(len(group))), False) if alone else method(row, group["text"].tolist())
        ids += [row.question_id] * len(group)
        numbers.append(group["sample"].to_numpy())
        clusters += found
        fallbacks += [fallback] * len(group)
    return pd.DataFrame(
        {
            "question_id": pd.Series(ids, dtype="str"),
            "sample": pd.Series(np.concatenate(numbers) if numbers else [], dtype="int64"),
            "cluster": pd.Series(clusters, dtype="int64"),
            "fallback": pd.Series(fallbacks, dtype="bool"),
        }
    )
