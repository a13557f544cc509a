"""Clusters without a model: exact match of what the answers claim, then the overlap of its words."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ralc.clustering.direct import cluster_by
from ralc.english.candidates import chosen
from ralc.english.normalisation import claim

#: Least F1 overlap of two claims' words that makes them one, where neither holds the other.
OVERLAP = 0.7

Claim = tuple[str, ...]


def lexical_clusters(texts: Sequence[str], question: str, choices: Sequence[str] = ()) -> list[int]:
    """Return the cluster of each answer: by exact match of the claims, then by their words' overlap.

    Clusters are numbered by first appearance. A claim joins the earlier cluster that it resembles most, if
    one: whose first claim holds it or is held by it, or shares at least `OVERLAP` (F1) of the words.
    Abstentions are one cluster. With `choices`, an answer that names one choice (by letter or text) claims
    that choice.

    >>> lexical_clusters(["It is Paris.", "Paris, of course.", "Lyon."], "What is the capital of France?")
    [0, 0, 1]
    """
    clusters: dict[Claim, int] = {}
    firsts: list[Claim] = []
    assigned = []
    for made in (_claim(text, question, choices) for text in texts):
        if made not in clusters:
            nearest = _nearest(made, firsts)
            clusters[made] = len(firsts) if nearest is None else nearest
            if nearest is None:
                firsts.append(made)
        assigned.append(clusters[made])
    return assigned


def _claim(text: str, question: str, choices: Sequence[str]) -> Claim:
    """What an answer claims: a choice, or its words beyond the question's."""
    choice = chosen(text, choices, question) if len(choices) else None
    return claim(text, question) if choice is None else (f"choice {choice}",)


def _nearest(made: Claim, firsts: Sequence[Claim]) -> int | None:
    """The cluster whose first claim a new claim resembles most, if it resembles one."""
    similarities = [_similarity(set(made), set(first)) for first in firsts]
    if not similarities or max(similarities) < OVERLAP:
        return None
    return int(np.argmax(similarities))


def _similarity(a: set[str], b: set[str]) -> float:
    """F1 of the shared words, at least `OVERLAP` where one holds the other; an abstention resembles none."""
    if not a or not b:
        return float(a == b)
    f1 = 2 * len(a & b) / (len(a) + len(b))
    return max(f1, OVERLAP) if a <= b or b <= a else f1


def cluster_lexical(samples: pd.DataFrame, questions: pd.DataFrame) -> pd.DataFrame:
    """Return the clusters of all direct answers by `lexical_clusters`.

    Parameters
    ----------
    samples
        Columns ``question_id, prompt, sample, text``; only rows of prompt ``direct`` are looked at.
    questions
        The questions table.

    Returns
    -------
    DataFrame
        ``question_id, sample, cluster, fallback`` (False: this method is its own).

    Raises
    ------
    ValueError
        If an answer's question is unknown.
    """
    return cluster_by(
        lambda row, texts: (lexical_clusters(texts, row.question, list(row.choices)), False),
        samples,
        questions,
    )
