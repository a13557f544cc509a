"""How far the grades that came with recorded samples agree with the reference grader's."""

import pandas as pd

from ralc.results.select import values

NOTES = [
    "The file's grades are the outcome everywhere in this report. The reference grader compares the same answers with "
    "the accepted ones; answers that either did not grade are left out.",
    "Agreement: share of equal grades. Kappa: agreement beyond chance (Cohen's); none where both give the same one "
    "grade to all.",
]


def graders(graders: pd.DataFrame) -> pd.DataFrame:
    """Every target and dataset: answers graded by both, agreement, kappa.

    Parameters
    ----------
    graders
        The graders table (`ralc.grading.recorded_grades.compare_graders`).

    Returns
    -------
    DataFrame, one row a (target, dataset), columns (quantity, part).
    """
    table = graders.set_index(["target", "dataset"])[["answers", "agreement", "kappa"]].astype("float64")
    table = values(table)
    table.attrs = {"title": "Recorded grades beside the reference grader's", "notes": NOTES}
    return table
