"""Calibration maps for every (dataset, signal), and what they make of the held-out signals (paper section 4.1)."""

from typing import Any

import pandas as pd

from ralc.beta import Beta
from ralc.calibration import CalibrationMap, from_protocol
from ralc.protocols import Protocol


def fit(
    questions: pd.DataFrame, signals: pd.DataFrame, grades: pd.DataFrame, *, method: str, protocol: Protocol
) -> list[dict[str, Any]]:
    """Return one fitted map for each (dataset, signal): its dataset, signal, train size and parameters.

    Fitted on the train split of the graded original answers; answers that could not be graded or have no
    signal are left out and counted (`left_out`).

    Raises
    ------
    ValueError
        If a dataset has no usable train answer for a signal.
    """
    outcomes = grades.loc[grades.prompt == "direct", ["question_id", "outcome"]]
    train = questions.loc[questions.split == "train", ["question_id", "dataset"]]
    rows = train.merge(signals, on="question_id").merge(outcomes, on="question_id")
    fits = []
    for (dataset, signal), group in rows.groupby(["dataset", "signal"], sort=False):
        usable = group.dropna(subset=["alpha", "outcome"])
        if usable.empty:
            raise ValueError(
                f"no graded train answer of {dataset} has the signal {signal}: nothing to fit a map on"
            )
        fitted = from_protocol(method, protocol).fit(
            Beta(usable.alpha.to_numpy(), usable.beta.to_numpy()), usable.outcome.to_numpy(dtype=float)
        )
        left_out = len(group) - len(usable)
        fits.append(
            {"dataset": dataset, "signal": signal, "n": len(usable), "left_out": left_out} | fitted.to_dict()
        )
    return fits


def apply(questions: pd.DataFrame, signals: pd.DataFrame, fits: list[dict[str, Any]]) -> pd.DataFrame:
    """Return the calibrated table: every held-out signal under the map of every train dataset."""
    held_out = questions.loc[questions.split == "test", ["question_id", "dataset"]]
    rows = held_out.merge(signals.dropna(subset=["alpha"]), on="question_id")
    return pd.concat([_mapped(rows, fitted) for fitted in fits], ignore_index=True)


def _mapped(rows: pd.DataFrame, fitted: dict[str, Any]) -> pd.DataFrame:
    """The rows of a map's signal, calibrated by it."""
    chosen = rows[rows.signal == fitted["signal"]]
    calibrated = CalibrationMap.from_dict(fitted).transform(
        Beta(chosen.alpha.to_numpy(), chosen.beta.to_numpy())
    )
    return chosen.assign(train=fitted["dataset"], alpha=calibrated.alpha, beta=calibrated.beta)
