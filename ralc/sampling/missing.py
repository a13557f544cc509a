"""What was never answered: samples that failed, and questions all of whose samples did."""

import pandas as pd

from ralc.llm.requests import UNANSWERED


def answered(samples: pd.DataFrame) -> pd.DataFrame:
    """Return the samples that were answered: what failed (a prompt too long for the model) says nothing."""
    return samples[~samples["finish_reason"].isin(UNANSWERED)]


def unanswered(answers: pd.DataFrame) -> pd.Series:
    """Return which rows of an answers table are no answer: all samples of the question, or the hedged one, failed.

    Texts without a column ``samples``, such as rewrites, are all there.
    """
    if "samples" not in answers:
        return pd.Series(False, answers.index)
    return answers["samples"].eq(0).fillna(False).astype("bool")
