"""Views of the two results tables: which rows are shown, and what names are called.

A view shows rows of one protocol, of the default variant, by one evaluator.
"""

import pandas as pd

from ralc.conditions import DEFAULT, MEAN, NONE, averaged, having
from ralc.registry import ABSTAINING, DISCRIMINATION, HALVES, HEADLINES, SIGNALS, methods_by, primary_signal
from ralc.results.holm_families import corrected
from ralc.results.labels import in_order


def evaluators_of(frame: pd.DataFrame) -> list[str]:
    """Return the evaluators in the order of the configuration, the selection evaluator first."""
    return in_order(frame.loc[(frame["evaluator"] != NONE) & (frame["variant"] == DEFAULT), "evaluator"])


def main_evaluator(frame: pd.DataFrame) -> str:
    """Return the headline evaluator: the first of `roles.test_evaluators`.

    Without any, and under the protocols `paper` and `authors`, it is the selection evaluator.
    """
    loop, *test_evaluators = evaluators_of(frame) or [NONE]
    paper = main_protocol(frame).split("+")[0] in ("paper", "authors")
    return loop if paper or not test_evaluators else test_evaluators[0]


def main_target(metrics: pd.DataFrame) -> str:
    """Return ``mean``, the mean over models, where it is there, else the first model."""
    targets = in_order(metrics["target"])
    return targets[0] if targets and MEAN not in targets else MEAN


def main_signal(frame: pd.DataFrame) -> str:
    """Return the signal that guides the rewrites shown (`ralc.registry.primary_signal`).

    Raises
    ------
    ValueError
        If nothing was rewritten.
    """
    ran = in_order(frame.loc[(frame["method"] == "ralc") & (frame["signal"] != MEAN), "signal"])
    if not ran:
        raise ValueError("results: no rows of method 'ralc'")
    return primary_signal(ran)


def main_maps(maps: pd.DataFrame) -> pd.DataFrame:
    """Return the maps that the run's confidences rest on: default variant, the run's own protocol."""
    return having(maps, variant=DEFAULT, protocol=maps["protocol"].iloc[0])


def main_protocol(frame: pd.DataFrame) -> str:
    """Return the run's own protocol, that of the texts; others stand beside it in signal space alone.

    Raises
    ------
    ValueError
        If there are no rows.
    """
    if frame.empty:
        raise ValueError("results: no rows, so there is nothing to show")
    words = having(frame, space="linguistic")
    return str((words if len(words) else frame)["protocol"].iloc[0])


def graded(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows whose `n` counts graded answers: errors and discrimination of the original answers and RALC."""
    return having(rows, metric=HEADLINES + DISCRIMINATION, method=["original", "ralc"])


def right_and_wrong(metrics: pd.DataFrame) -> tuple[int, int]:
    """Count the held-out original answers of all models and datasets that were graded right, and the others."""
    rows = metrics[~averaged(metrics) & (metrics["target"] != MEAN)]
    rows = having(plain(rows, space="linguistic"), method="original", metric="accuracy")
    right = round((rows["value"] * rows["n"]).sum())
    return right, int(rows["n"].sum()) - right


def plain(
    frame: pd.DataFrame,
    *,
    space: str | None = None,
    evaluator: str | None = None,
    target: str | None = None,
    unguided: bool = False,
    parts: bool = False,
) -> pd.DataFrame:
    """Return rows of the default variant and one protocol; of metrics, whole datasets and no differences.

    Parameters
    ----------
    frame
        Items or metrics.
    space
        ``signal`` or ``linguistic``; None takes both.
    evaluator
        Who read the texts, in linguistic space; None takes the headline evaluator. Signal space has none.
    target
        A model, or `mean`; None takes all.
    unguided
        Whether to keep the correlations of Hedged QA's words with each signal.
    parts
        Of metrics, whether to keep halves of datasets, and the answers that abstain or do not, as subsets.
    """
    wanted = {"versus": NONE, "space": space, "target": target}
    wanted["subset"] = ["all", *HALVES, *ABSTAINING] if parts else "all"
    wanted = {column: value for column, value in wanted.items() if column in frame and value is not None}
    chosen = having(frame, variant=DEFAULT, protocol=main_protocol(frame), **wanted)
    followed = (chosen["signal"] == NONE) | chosen["method"].isin(methods_by(guided=True))
    chosen = chosen[unguided | followed | (chosen["space"] == "signal")]
    return one_evaluator(chosen, evaluator or main_evaluator(frame))


def one_evaluator(rows: pd.DataFrame, evaluator: str) -> pd.DataFrame:
    """Return rows of signal space and of numbers, which have no evaluator, and those of one evaluator."""
    return rows[(rows["space"] != "linguistic") | rows["evaluator"].isin([evaluator, NONE])]


def means(rows: pd.DataFrame) -> pd.Series:
    """Return the mean confidence of each item; null where it is not read.

    >>> means(pd.DataFrame({"alpha": [3.0], "beta": [1.0]})).tolist()
    [0.75]
    """
    return rows["alpha"] / (rows["alpha"] + rows["beta"])


def differences(metrics: pd.DataFrame, *, space: str = "linguistic", parts: bool = False) -> pd.DataFrame:
    """Return the paired differences of one space, with corrected p-values (`ralc.results.holm_families`).

    Variants are among them; texts are read by the headline evaluator.

    Parameters
    ----------
    metrics
        The run's metrics.
    space
        ``signal`` or ``linguistic``.
    parts
        Whether to keep parts of the datasets.
    """
    rows = corrected(having(metrics, protocol=main_protocol(metrics)))
    rows = having(rows[parts | (rows["subset"] == "all")], space=space)
    return having(rows, evaluator=NONE if space == "signal" else main_evaluator(metrics))


def in_domain(frame: pd.DataFrame) -> pd.DataFrame:
    """Return rows whose map was fitted on their own dataset, or that need no map."""
    return frame[(frame["train"] == frame["dataset"]) | (frame["train"] == NONE)]


def one(rows: pd.DataFrame, **condition: str) -> pd.Series | None:
    """Return the one row that meets `condition`, or None.

    Raises
    ------
    ValueError
        If several rows meet it: the results are ambiguous.
    """
    chosen = rows
    for column, value in condition.items():
        chosen = chosen[chosen[column] == value]
    if len(chosen) > 1:
        raise ValueError(f"results: {len(chosen)} rows where one is expected, for {condition}")
    return chosen.iloc[0] if len(chosen) else None


def signals_in(rows: pd.DataFrame) -> list[str]:
    """Return the signals of some rows, in the order of the tables."""
    return [signal for signal in in_order(rows["signal"], SIGNALS) if signal in SIGNALS]
