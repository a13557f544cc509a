"""The original answer of a question: the first of its largest cluster."""

import pandas as pd

from ralc.clustering.lexical import largest_cluster


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
    joined = joined.sort_values(["question_id", "sample"], kind="stable")
    of_question = joined.groupby("question_id", sort=False)
    largest = joined[joined["cluster"] == of_question["cluster"].transform(largest_cluster)]
    members = largest.groupby("question_id", sort=False)
    originals = members.agg(text=("text", "first"), support=("sample", "size"), members=("sample", list))
    counts = of_question.agg(samples=("sample", "size"), fallback=("fallback", "any"))
    order = direct["question_id"].unique()
    table = originals.join(counts).loc[order].reset_index().assign(prompt="direct")
    hedged = samples[samples["prompt"] == "hedged"].drop_duplicates("question_id")[
        ["question_id", "prompt", "text"]
    ]
    hedged = hedged.assign(fallback=False, members=[[] for _ in range(len(hedged))])
    columns = ["question_id", "prompt", "text", "support", "samples", "fallback", "members"]
    both = pd.concat([table, hedged], ignore_index=True).reindex(columns=columns)
    return both.astype({"support": "Int64", "samples": "Int64", "fallback": "bool"})
