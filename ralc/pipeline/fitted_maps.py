"""Calibration maps for every (dataset, signal), and what they make of the held-out signals (paper section 4.1)."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from ralc.beta import Beta
from ralc.conditions import DEFAULT, UNIT, having
from ralc.protocols import Protocol
from ralc.registry import UNANSWERED


def fit(
    questions: pd.DataFrame,
    signals: pd.DataFrame,
    grades: pd.DataFrame,
    *,
    methods: Mapping[str, str],
    protocols: Mapping[str, Protocol],
    grader: str = "none",
) -> list[dict[str, Any]]:
    """Return the fitted maps, a (protocol, dataset, signal, variant) each: what it is for, train size, parameters.

    Fitted on the train split of the graded original answers. Answers that could not be graded or have no
    signal are left out and counted (`left_out`); among them are questions never answered (`unanswered`).

    A signal that no train answer of a dataset has (no log-probabilities) has no map there, which is printed.

    Parameters
    ----------
    questions, signals, grades
        Tables of one target.
    methods
        The name of the map of each variant: ``{"default": "platt", "map=isotonic": "isotonic"}``.
    protocols
        By their labels; those after the first, the run's own, have the default variant alone.
    grader
        Who graded; named where nothing was graded.

    Raises
    ------
    ValueError
        If a dataset has no graded train answer for a signal, or no graded answer to try its map on. If there is no
        signal at all.
    """
    from ralc.calibration import from_protocol  # who lists maps does not wait for scikit-learn

    _check_graded(questions, grades, grader)
    rows = train_answers(questions, signals, grades)
    main = next(iter(protocols))
    fits = []
    for (label, dataset, signal), group in rows.groupby(["protocol", "dataset", "signal"], sort=False):
        usable = group.dropna(subset=["alpha", "outcome"])
        if group["alpha"].isna().all():
            print(f"{dataset}: none of {len(group)} train answers has the signal {signal}: it is left out")
            continue
        if usable.empty:
            raise ValueError(f"{dataset}: no graded train answer has the signal {signal}: nothing to fit")
        confidence = Beta.from_table(usable)
        about = {"protocol": label, "dataset": dataset, "signal": signal}
        about |= {"n": len(usable), "left_out": len(group) - len(usable)}
        about |= {"unanswered": int((group["grade"] == UNANSWERED).sum())}
        outcome = usable.outcome.to_numpy(dtype=float)
        tried = methods if label == main else [DEFAULT]
        for variant in tried:
            fitted = from_protocol(methods[variant], protocols[label].of(signal)).fit(confidence, outcome)
            fits.append(about | {"variant": variant} | fitted.to_dict())
    if not fits:
        raise ValueError("no train answer has any of the signals in run.signals: change these")
    return fits


def _check_graded(questions: pd.DataFrame, grades: pd.DataFrame, grader: str) -> None:
    """Raise ValueError where no answer of a dataset's split has a grade."""
    direct = grades.loc[grades["prompt"] == "direct", ["question_id", "outcome"]]
    rows = direct.merge(questions[["question_id", "dataset", "split"]], on="question_id")
    for (dataset, split), group in rows.groupby(["dataset", "split"], sort=False):
        if group["outcome"].isna().all():
            part = "train" if split == "train" else "held-out"
            raise ValueError(
                f"{dataset}: 0 of {len(group)} grades of {part} answers could be read; grader {grader} "
                "(see roles.grader)"
            )


def listed(fits: Mapping[str, list[dict[str, Any]]]) -> pd.DataFrame:
    """Return the fitted maps of each target as a table: what each is for, its size, slope and intercept, its flags.

    A flat map has a slope of 0; one that has no slope (isotonic, histogram) has none. `data_share` is the share of the
    slope's precision that is not the prior's.
    """
    rows = [
        {key: fitted[key] for key in ("protocol", "dataset", "signal", "variant", "map", "n", "left_out")}
        | {"target": target, "flags": ", ".join(fitted["learned"]["flags_"])}
        | {name: fitted["learned"].get(f"{name}_") for name in ("slope", "intercept", "data_share")}
        for target, maps in fits.items()
        for fitted in maps
    ]
    return pd.DataFrame(rows)


def train_answers(questions: pd.DataFrame, signals: pd.DataFrame, grades: pd.DataFrame) -> pd.DataFrame:
    """Return the original answers of the train split: their dataset, signals, grade and outcome (null for none).

    Parameters
    ----------
    questions
        The questions tables of all datasets as one.
    signals, grades
        Of one target; an answer without a signal or a grade has no row.
    """
    outcomes = grades.loc[grades.prompt == "direct", [*UNIT, "grade", "outcome"]]
    train = questions.loc[questions.split == "train", ["question_id", "dataset", "group", "turn"]]
    return train.merge(signals, on="question_id").merge(outcomes, on=UNIT)


def apply(questions: pd.DataFrame, signals: pd.DataFrame, fits: list[dict[str, Any]]) -> pd.DataFrame:
    """Return the calibrated table: every held-out signal under its dataset's maps, and the default ones of others.

    Parameters
    ----------
    questions
        The questions tables of all datasets as one.
    signals
        Of one target; null ones are left out.
    fits
        The target's maps, as `fit` returns them.

    Returns
    -------
    DataFrame
        The rows of `signals` that are held out, with ``dataset, train, variant``, and the mapped ``alpha, beta``.
    """
    from ralc.calibration import CalibrationMap

    held_out = questions.loc[questions.split == "test", ["question_id", "dataset"]]
    rows = held_out.merge(signals.dropna(subset=["alpha"]), on="question_id")
    parts = []
    for fitted in fits:
        part = having(rows, signal=fitted["signal"], protocol=fitted["protocol"])
        part = part[(part.dataset == fitted["dataset"]) | (fitted["variant"] == DEFAULT)]
        calibrated = CalibrationMap.from_dict(fitted).transform(Beta.from_table(part))
        about = {"train": fitted["dataset"], "variant": fitted["variant"]}
        parts.append(part.assign(**about, alpha=calibrated.alpha, beta=calibrated.beta))
    return pd.concat(parts, ignore_index=True)
