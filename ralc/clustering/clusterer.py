"""Clusters by the method that the config names: by what answers mean, or by a language model."""

import pandas as pd

from ralc.clustering.lexical_clusterer import lexical_clusters
from ralc.clustering.llm_clusterer import parse_clusters, shown_answers
from ralc.clustering.majority import direct_answers
from ralc.io.console import progress
from ralc.registry import LONG


def cluster(
    samples: pd.DataFrame,
    questions: pd.DataFrame,
    *,
    method: str = "lexical",
    replies: pd.DataFrame | None = None,
    letter: bool = False,
) -> pd.DataFrame:
    """Return the clusters table of a target's direct answers by the clusterer's method.

    By ``llm`` a reply that is no list of the right length (after its second attempt) leaves that question to
    `lexical_clusters`, which `fallback` counts. The sentences of long answers are not compared: each is alone.

    Parameters
    ----------
    samples
        Columns ``question_id, prompt, sample, text``; only rows of prompt ``direct`` are looked at.
    questions
        The questions table.
    method
        ``lexical``, or ``llm``.
    replies
        By ``llm``: the replies to `render`'s requests for this target (`ralc.llm.tables.join`).
    letter
        By ``llm``: as for its `render`.

    Returns
    -------
    DataFrame
        ``question_id, sample, cluster, fallback`` (False by method ``lexical``).

    Raises
    ------
    ValueError
        If the method is unknown, ``llm`` comes without replies, or an answer's question is unknown.
    """
    said: dict[str, str] = {}
    if method == "llm" and replies is not None:
        said = dict(replies[["question_id", "reply"]].itertuples(index=False))
    elif method != "lexical":
        raise ValueError(f"clusterer {method!r}: must be lexical, or llm with replies")
    parts = []
    total = samples.loc[samples["prompt"] == "direct", "question_id"].nunique()
    for row, group in progress(direct_answers(samples, questions), "clusters", "questions", total):
        texts, numbers = group["text"].tolist(), None
        if row.format == LONG:
            numbers = list(range(len(texts)))
        elif method == "llm":
            shown, places = shown_answers(texts, list(row.choices), letter=letter)
            ids = [0] if len(shown) == 1 else parse_clusters(said.get(row.question_id), len(shown))
            numbers = ids and [ids[place] for place in places]
        clusters = numbers or lexical_clusters(texts, row.question, list(row.choices))
        part = group[["question_id", "sample"]]
        parts.append(part.assign(cluster=clusters, fallback=not numbers and method == "llm"))
    types = {"question_id": "str", "sample": "int64", "cluster": "int64", "fallback": "bool"}
    columns = pd.DataFrame(columns=list(types))
    return (pd.concat(parts, ignore_index=True) if parts else columns).astype(types)
