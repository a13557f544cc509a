"""Answers asked for in rounds: after each, who is asked further (`ralc.signals.stopping`)."""

import pandas as pd

from ralc.clustering.clusterer import cluster
from ralc.sampling import parse
from ralc.signals.stopping import ERROR, majority_error


def further(
    requests: pd.DataFrame, responses: pd.DataFrame, questions: pd.DataFrame, *, answers: int, style: str
) -> pd.DataFrame:
    """Return the requests of the next round: `answers` direct answers to each question whose majority is not settled.

    All others are as they were, so a round's responses have all answers so far; a request keeps its key, so that no
    more than what is missing is asked for.

    Parameters
    ----------
    requests, responses
        Of the round before (`ralc.sampling.render`).
    questions
        The questions table.
    answers
        Direct answers that a question has after the next round.
    style
        How answers are cleaned (`ralc.sampling.parse`).
    """
    clusters = cluster(parse(requests, responses, style), questions)
    errors = clusters.groupby("question_id")["cluster"].agg(majority_error)
    settled = errors.index[errors <= ERROR]
    asked = (requests["prompt"] == "direct") & ~requests["question_id"].isin(settled)
    return requests.assign(n=requests["n"].mask(asked, answers))
