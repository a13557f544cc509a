"""Clusters of answers that mean the same, and the original answer of a question (paper section 5.2.1).

The largest cluster of a question's sampled answers speaks for the model: its first answer is the original
response, its size the support. Two methods: `lexical` (no model) and `llm` (the paper's).
"""

from ralc.clustering.lexical import cluster_lexical, lexical_clusters
from ralc.clustering.llm import cluster_llm, parse_clusters, render
from ralc.clustering.originals import original_answers

__all__ = [
    "cluster_lexical",
    "cluster_llm",
    "lexical_clusters",
    "original_answers",
    "parse_clusters",
    "render",
]
