"""Requests meet their responses: one row an answer that was wanted.

The one rule for an answer that is missing: `complete` writes a row for each answer that a request wants, with an
empty text where it was not to be had, so a row that is not there is a fault of the tables and refused.
"""

import pandas as pd

from ralc.llm.tables import REQUEST_COLUMNS

#: What is joined of a response; what was spent on it is counted elsewhere.
ANSWER = (
    "sample",
    "reply",
    "finish_reason",
    "token_logprobs",
    "token_ends",
    "alternatives",
    "embedding",
    "attempt",
    "valid",
)


def join(requests: pd.DataFrame, responses: pd.DataFrame) -> pd.DataFrame:
    """Return a row for every answer that a requests table wants, in its order, samples ascending.

    Parameters
    ----------
    requests
        A requests table (`ralc.llm.tables`), its prompts left out or not.
    responses
        The responses; one may serve several rows of equal requests, and more than are wanted may be there.

    Returns
    -------
    DataFrame
        Whose request it is (the columns that `to_table` was given), its ``model``, and the responses' `ANSWER`,
        their text as ``reply``; that of an answer that was not to be had is empty, so that it is no number, grade
        or sentence.

    Raises
    ------
    ValueError
        If a request lacks an answer; the message names the first.
    """
    own = [column for column in requests if column not in REQUEST_COLUMNS]
    wanted = requests[[*own, "key", "model", "n"]].reset_index(drop=True)
    wanted = wanted.astype({"key": "str", "model": "str", "n": "int64"}).assign(place=wanted.index)
    answers = responses.rename(columns={"text": "reply"})[["key", *ANSWER]]
    rows = wanted.merge(answers, on="key", how="left")
    rows = rows[~(rows["sample"] >= rows["n"])]
    counts = rows.groupby("place")["sample"].count()
    lacking = counts[counts.to_numpy() < wanted.loc[counts.index, "n"].to_numpy()]
    if len(lacking):
        first = wanted.loc[lacking.index[0]]
        raise ValueError(
            f"responses: {lacking.iloc[0]} of {first['n']} answers to {first[own].to_dict()} by {first['model']!r}: "
            "these do not belong to the requests; delete the table, and rule `complete` takes them from the journal"
        )
    rows = rows.sort_values(["place", "sample"], kind="stable", ignore_index=True)
    rows["reply"] = rows["reply"].fillna("").astype("str")
    return rows.astype({"sample": "int64"})[[*own, "model", *ANSWER]]
