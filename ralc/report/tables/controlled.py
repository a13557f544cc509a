"""Four controlled subsets by mean, concentration and outcome (paper table 1)."""

import pandas as pd

from ralc.conditions import DEFAULT
from ralc.names import CONTROLLED
from ralc.report.tables.headline import abstentions_in
from ralc.results.select import main_protocol, widen

SHOWN = ["accuracy", "mean_confidence", "concentration", "faithfulness_divergence", "kl_divergence"]
SHOWN += ["expected_brier_score", "expected_log_loss"]
#: Below this a cell is too small to say anything.
ENOUGH = 200


def controlled_subsets(metrics: pd.DataFrame) -> pd.DataFrame:
    """What four metrics say where confidence is high or low, firm or loose, right or wrong; raw signals.

    Returns
    -------
    DataFrame, one row a (target, dataset, signal, subset), columns (quantity, part). A run so small that no
    subset holds an answer has no row.
    """
    rows = metrics[metrics["subset"].isin(list(CONTROLLED)) & (metrics["protocol"] == main_protocol(metrics))]
    rows = rows[(rows["versus"] == "none") & (rows["variant"] == DEFAULT) & (rows["target"] != "mean")]
    table = widen(rows, ["target", "dataset", "signal", "subset"], SHOWN, ["value", "ci_low", "ci_high"])
    small = int((table[("n", "value")] < ENOUGH).sum())
    table.attrs = {
        "title": "Controlled subsets: what each metric calls a surprise",
        "notes": [
            "Answers whose mean and concentration lie in the highest or lowest part of the dataset's (metrics.tail: a "
            "quarter by default; the paper does not print its cuts), and that are right or wrong.",
            "Only FD should call the firm wrong answers the most surprising; KL calls loose ones so.",
            f"{small} of {len(table)} cells hold fewer than {ENOUGH} answers: read them as an illustration."
            if small
            else "No answer lies in any of the subsets: there are too few."
            if table.empty
            else f"Every cell holds at least {ENOUGH} answers.",
            *abstentions_in(metrics, apart="signal space"),
        ],
    }
    return table
