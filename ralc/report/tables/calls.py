"""What the models were asked, and how they answered."""

import pandas as pd

from ralc.results.select import values

COUNTS = ["requests", "answers", "prompt_tokens", "completion_tokens", "reasoning_tokens"]
COUNTS += ["cut", "second_attempts", "invalid", "errors", "cost"]
NOTES = [
    "A request asks for one or more answers to one prompt; equal requests are sent once. Prompt tokens count "
    "once a request. Cut: the answer reached the longest length allowed.",
    "Second attempts: the answer did not meet its constraint (a score, a letter, a list of so many numbers) and was "
    "asked for once more. Not valid: neither attempt met it. Then the lexical clusterer takes over, a grade is "
    "unparsed, a reading is missing, a rewrite is made by template.",
    "Not answered: the prompt was too long, or the server gave no answer after every retry. Cost: at the prices in the "
    "model's entry.",
]


def calls(calls: pd.DataFrame) -> pd.DataFrame:
    """Every stage and model: requests, answers, tokens, and answers that were no good.

    Parameters
    ----------
    calls
        The calls table (`ralc.pipeline.call_counts.count_calls`).

    Returns
    -------
    DataFrame, one row a (stage, model), columns (quantity, part); `cost` only where a model has a price.
    """
    table = calls.set_index(["stage", "model"])[COUNTS].astype("float64")
    if table["cost"].isna().all():
        table = table.drop(columns="cost")
    table = values(table)
    table.attrs = {"title": "What the models were asked", "notes": NOTES}
    return table
