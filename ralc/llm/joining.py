"""Requests meet their responses: one row an answer that was wanted."""

import pandas as pd


def join(requests: pd.DataFrame, responses: pd.DataFrame) -> pd.DataFrame:
    """Return a row for every answer that a requests table wants, in its order, samples ascending.

    Parameters
    ----------
    requests
        A requests table (`ralc.llm.tables`): the columns of its own, ``key`` and ``n``.
    responses
        The responses; one may serve several rows of equal requests.

    Returns
    -------
    DataFrame
        The requests' own columns (all before ``key``) and the responses' ``sample, text, finish_reason,
        token_logprobs, attempt, valid``; the text of a request that failed is empty.

    Raises
    ------
    ValueError
        If a request lacks an answer; the message names the first.
    """
    own = list(requests.columns[: requests.columns.get_loc("key")])
    wanted = requests[[*own, "key", "n"]].reset_index(drop=True).astype({"key": "str"})
    wanted["place"] = wanted.index
    fields = ["key", "sample", "text", "finish_reason", "token_logprobs", "attempt", "valid"]
    rows = wanted.merge(responses[fields], on="key", how="left")
    rows = rows[~(rows["sample"] >= rows["n"])]
    counts = rows.groupby("place")["sample"].count()
    lacking = counts[counts.to_numpy() < wanted.loc[counts.index, "n"].to_numpy()]
    if len(lacking):
        first = wanted.loc[lacking.index[0]]
        raise ValueError(f"responses: {lacking.iloc[0]} of {first['n']} answers to {first[own].to_dict()}")
    rows = rows.sort_values(["place", "sample"], kind="stable", ignore_index=True)
    rows["text"] = rows["text"].fillna("").astype("str")
    return rows.astype({"sample": "int64"})[[*own, *fields[1:]]]
