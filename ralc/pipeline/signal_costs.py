"""What each signal is worth and what it costs: calls and tokens a question beside quality on held-out questions."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from ralc import metrics, statistics
from ralc.beta import Beta
from ralc.beta.validation import Floats
from ralc.calibration import from_protocol
from ralc.names import METRICS
from ralc.pipeline import replay
from ralc.pipeline.call_counts import spent_on
from ralc.pipeline.settings import Settings
from ralc.protocols import Protocol
from ralc.statistics import Drawn, Statistic

#: What is measured. The AUROC is the raw signal's, the rest the calibrated one's.
MEASURED = ("accuracy", "auroc", "brier_score", "faithfulness_divergence", "generalised_ece")
#: What a budget may cost in quality: paired differences from all answers.
COMPARED = ("accuracy", "auroc", "brier_score")


def compute(
    samples: pd.DataFrame,
    clusters: pd.DataFrame,
    questions: pd.DataFrame,
    requests: pd.DataFrame,
    responses: pd.DataFrame,
    p_true: pd.DataFrame | None = None,
    *,
    grading: Mapping[str, Any],
    reader: Mapping[str, Mapping[str, Any]],
    protocol: Protocol,
    method: str,
    settings: Settings,
) -> pd.DataFrame:
    """Return the signal_costs table of one target, but for its name, from what it was asked and answered.

    `grading` is what `ralc.pipeline.replay.outcomes_of` takes; the rest goes to `replayed` and `measure`.
    """
    outcomes = replay.outcomes_of(samples, questions, **grading)
    spent = spent_on(requests, responses)
    rows = replay.replayed(samples, clusters, outcomes, spent, p_true, protocol=protocol, reader=reader)
    return measure(rows, questions, method=method, protocol=protocol, settings=settings)


def measure(
    rows: pd.DataFrame, questions: pd.DataFrame, *, method: str, protocol: Protocol, settings: Settings
) -> pd.DataFrame:
    """Return the table of signals and their costs, of one target.

    Parameters
    ----------
    rows
        Each signal under each budget (`ralc.pipeline.replay.replayed`).
    questions
        The questions table.
    method
        The calibration map, fitted for each dataset, signal and budget on the train split.
    protocol
        Of the run.
    settings
        Bins, resamples and seed.

    Returns
    -------
    DataFrame
        ``dataset, signal, asked, calls, tokens`` (means a question; null where tokens were not counted), ``versus``
        (``none``, or ``all`` for the paired difference from all answers), ``metric, value, ci_low, ci_high, n``.
    """
    known = rows.dropna(subset=["alpha", "outcome"]).merge(
        questions[["question_id", "dataset", "split", "group"]], on="question_id", validate="many_to_one"
    )
    parts = [
        _of_dataset(known[known["dataset"] == dataset], dataset, method, protocol, settings)
        for dataset in questions["dataset"].unique()
        if dataset in set(known["dataset"])
    ]
    return pd.concat(parts, ignore_index=True)


def _of_dataset(
    rows: pd.DataFrame, dataset: str, method: str, protocol: Protocol, settings: Settings
) -> pd.DataFrame:
    held_out = rows[rows["split"] == "test"]
    ids = held_out.drop_duplicates("question_id")[["question_id", "group"]].reset_index(drop=True)
    place = pd.Series(ids.index, index=ids["question_id"])
    wanted: dict[tuple[str, str, str], Statistic] = {}
    about: dict[tuple[str, str], dict[str, Any]] = {}
    for (signal, asked), own in rows.groupby(["signal", "asked"], sort=False):
        train, test = (own[own["split"] == split] for split in ("train", "test"))
        if train.empty or test.empty:
            continue
        fitted = from_protocol(method, protocol.of(signal))
        fitted.fit(Beta.from_table(train), train["outcome"].to_numpy())
        raw = Beta.from_table(test)
        of_test = _statistics(test["outcome"].to_numpy(), raw, fitted.transform(raw), settings)
        at = place[test["question_id"]].to_numpy()
        wanted |= {(signal, asked, name): one.at(at) for name, one in of_test.items()}
        calls, tokens = test["calls"].mean(), test["tokens"].mean()
        about[signal, asked] = {"calls": calls, "tokens": tokens if tokens > 0 else np.nan}
    resamples = statistics.resample(
        len(ids), groups=ids["group"], resamples=settings.resamples, rng=settings.rng("signals", dataset)
    )
    drawn = dict(zip(wanted, resamples.evaluate(list(wanted.values())), strict=True))
    return _table(drawn, about).assign(dataset=dataset)


def _statistics(outcome: Floats, raw: Beta, calibrated: Beta, settings: Settings) -> dict[str, Statistic]:
    """The numbers of one signal under one budget."""
    return {
        "accuracy": statistics.mean(outcome),
        "auroc": statistics.auroc(outcome, raw.mean),
        "brier_score": statistics.brier_score(outcome, calibrated.mean),
        "faithfulness_divergence": statistics.mean(metrics.faithfulness_divergence(outcome, calibrated)),
        "generalised_ece": statistics.generalised_ece(outcome, calibrated, bins=settings.bins["default"]),
    }


def _table(
    drawn: Mapping[tuple[str, str, str], Drawn], about: Mapping[tuple[str, str], dict[str, Any]]
) -> pd.DataFrame:
    """A row a number, and a difference from all answers."""
    shown = list(_shown(drawn, about))
    table = pd.DataFrame([row for row, _ in shown])
    numbers = statistics.intervals([one for _, one in shown])[["value", "ci_low", "ci_high"]]
    table = pd.concat([table, numbers], axis=1).assign(n=[one.size for _, one in shown])
    told = (table["n"] >= statistics.FEWEST) & (table["ci_high"] - table["ci_low"] > statistics.WIDTHLESS)
    table.loc[~told, ["ci_low", "ci_high"]] = np.nan
    plain = table["versus"] == "none"
    low, high = (
        table["metric"].map(lambda name, side=side: getattr(METRICS[name], side)) for side in ("low", "high")
    )
    for column in ("value", "ci_low", "ci_high"):
        table[column] = table[column].where(~plain, table[column].clip(low, high))
    return table


def _shown(
    drawn: Mapping[tuple[str, str, str], Drawn], about: Mapping[tuple[str, str], dict[str, Any]]
) -> Iterator[tuple[dict[str, Any], Drawn]]:
    """Each row with its draws."""
    every = str(max(int(asked) for _, asked in about if asked.isdigit()))
    for (signal, asked), cost in about.items():
        row = {"signal": signal, "asked": asked, **cost}
        for metric in MEASURED:
            yield row | {"versus": "none", "metric": metric}, drawn[signal, asked, metric]
        for metric in COMPARED if asked != every and (signal, every) in about else ():
            pair = [(drawn[signal, asked, metric], 1.0), (drawn[signal, every, metric], -1.0)]
            yield row | {"versus": "all", "metric": metric}, Drawn.combine(pair)
