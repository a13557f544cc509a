"""Clusters of answers that mean the same, and the original answer of a question (paper section 5.2.1).

The largest cluster of a question's sampled answers speaks for the model: its first answer is the original
response, its size the support. Two methods: `lexical` (no model) and `llm` (the paper's).
"""

import pandas as pd

from ralc.clustering.lexical import cluster_lexical, lexical_clusters
from ralc.clustering.llm import cluster_llm, parse_clusters, render
from ralc.clustering.originals import original_answers

__all__ = [
    "cluster",
    "cluster_lexical",
    "cluster_llm",
    "lexical_clusters",
    "original_answers",
    "parse_clusters",
    "render",
]


def cluster(
    samples: pd.DataFrame,
    questions: pd.DataFrame,
    *,
    method: str = "lexical",
    target: str = "none",
    requests: pd.DataFrame | None = None,
    responses: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Return the clusters table of a target's direct answers by the clusterer's method.

    Method ``llm`` takes the replies to `render`'s requests for this target, which may be among those for others.

    Raises
    ------
    ValueError
        If the method is unknown, or ``llm`` comes without requests and responses.
    """
    if method == "lexical":
        return cluster_lexical(samples, questions)
    if method != "llm" or requests is None or responses is None:
        raise ValueError(f"clusterer {method!r}: lexical, or llm with requests and responses")
    return cluster_llm(samples, questions, requests[requests["target"] == target], responses)
