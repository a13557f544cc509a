"""The original answer of a question: the first of its largest cluster."""

from typing import Any

import pandas as pd


def original_answers(samples: pd.DataFrame, clusters: pd.DataFrame) -> pd.DataFrame:
    """Return the answers to grade and read: of each question the original response and the hedged answer.

    The original response is the first answer of the largest cluster; of several largest the one whose first
    answer came first.

    Parameters
    ----------
    samples
        The samples table (`ralc.sampling`).
    clusters
        The clusters table of its direct answers.

    Returns
    -------
    DataFrame
        ``question_id, prompt, text, support, samples, fallback, members``: support is the size of the largest
        cluster out of `samples`, members are its sample numbers. A hedged answer has null support and no
        members.

    Raises
    ------
    ValueError
        If a direct answer is in no cluster.
    """
    direct = samples[samples["prompt"] == "direct"]
    joined = direct.merge(clusters, on=["question_id", "sample"], how="left", validate="one_to_one")
    if joined["cluster"].isna().any():
        raise ValueError(
            f"question {joined.loc[joined['cluster'].isna(), 'question_id'].iloc[0]!r}: not clustered"
        )
    rows = [_original(question_id, group) for question_id, group in joined.groupby("question_id", sort=False)]
    hedged = samples[samples["prompt"] == "hedged"]
    rows += [
        {
            "question_id": row.question_id,
            "prompt": "hedged",
            "text": row.text,
            "fallback": False,
            "members": [],
        }
        for row in hedged.drop_duplicates("question_id").itertuples(index=False)
    ]
    table = pd.DataFrame(
        rows, columns=["question_id", "prompt", "text", "support", "samples", "fallback", "members"]
    )
    return table.astype({"support": "Int64", "samples": "Int64", "fallback": bool})


def _original(question_id: str, group: pd.DataFrame) -> dict[str, Any]:
    """The original response of one question."""
    group = group.sort_values("sample")
    # Unsorted counts stand in the order of first appearance, and idxmax takes the first of equals.
    largest = group["cluster"].value_counts(sort=False).idxmax()
    members = group[group["cluster"] == largest]
    return {
        "question_id": question_id,
        "prompt": "direct",
        "text": members["text"].iloc[0],
        "support": len(members),
        "samples": len(group),
        "fallback": bool(group["fallback"].any()),
        "members": members["sample"].tolist(),
    }
