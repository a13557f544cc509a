"""Clusters by the method that the config names."""

import pandas as pd

from ralc.clustering.direct import cluster_by
from ralc.clustering.lexical import lexical_clusters
from ralc.clustering.llm_clusterer import cluster_llm


def cluster(
    samples: pd.DataFrame,
    questions: pd.DataFrame,
    *,
    method: str = "lexical",
    target: str = "none",
    requests: pd.DataFrame | None = None,
    responses: pd.DataFrame | None = None,
    letter: bool = False,
) -> pd.DataFrame:
    """Return the clusters table of a target's direct answers by the clusterer's method.

    Parameters
    ----------
    samples
        Columns ``question_id, prompt, sample, text``; only rows of prompt ``direct`` are looked at.
    questions
        The questions table.
    method
        ``lexical``, or ``llm``.
    target
        Whose answers they are: by ``llm`` the replies may be among those for others.
    requests, responses
        By ``llm``: the requests of `render`, and the replies to them.
    letter
        By ``llm``: as for its `render`.

    Returns
    -------
    DataFrame
        ``question_id, sample, cluster, fallback`` (False by method ``lexical``).

    Raises
    ------
    ValueError
        If the method is unknown, ``llm`` comes without requests and responses, or an answer's question is unknown.
    """
    if method == "lexical":
        return cluster_by(
            lambda row, texts: (lexical_clusters(texts, row.question, list(row.choices)), False),
            samples,
            questions,
        )
    if method != "llm" or requests is None or responses is None:
        raise ValueError(f"clusterer {method!r}: lexical, or llm with requests and responses")
    return cluster_llm(samples, questions, requests[requests["target"] == target], responses, letter=letter)
