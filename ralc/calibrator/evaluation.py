"""How well a calibrator can be expected to do on answers that it has not seen, and whether that can be said."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ralc import metrics, names, statistics
from ralc.beta import Beta
from ralc.beta.validation import outcomes, same_shape

LEAST_ANSWERS = 50  # a map that was fitted on fewer says so, too (ralc.calibration.base.FEW_ITEMS)
LEAST_OF_EACH = 10  # right answers, and wrong ones
METRICS = ("expected_calibration_error", "brier_score", "auroc", "faithfulness_divergence")


@dataclass(frozen=True)
class Evaluation:
    """Cross-validated figures of a calibrator.

    Parameters
    ----------
    table
        A row a metric and forecast (``raw``, ``calibrated``, ``base_rate``; ``improvement`` is the base rate's
        Brier score less the calibrated one's): ``metric, forecast, value, ci_low, ci_high, n``.
    n, base_rate
        Answers, and the share of right ones.
    promise
        Whether the calibrated confidence is better than saying the base rate of every answer, beyond chance.
    needed
        Answers that would be needed to say so, were the next ones like these; None where no number would do,
        or it is said already.
    reason
        Why nothing is promised; empty where something is.
    """

    table: pd.DataFrame
    n: int
    base_rate: float
    promise: bool
    needed: int | None
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain JSON."""
        rows = self.table.round(4).astype(object).where(self.table.notna(), None).to_dict("records")
        return {
            "n": self.n,
            "base_rate": round(self.base_rate, 4),
            "promise": self.promise,
            "needed": self.needed,
            "reason": self.reason,
            "figures": rows,
        }

    def __str__(self) -> str:
        """A table for people, and the promise or the refusal."""
        cells = self.table.assign(
            shown=[_shown(row.value, row.ci_low, row.ci_high) for row in self.table.itertuples()]
        )
        wide = cells.pivot_table(
            index="metric", columns="forecast", values="shown", aggfunc="first", sort=False
        )
        said = "better than the base rate, beyond chance" if self.promise else f"no promise: {self.reason}"
        return f"{wide.fillna('').to_string()}\n{self.n} answers, {self.base_rate:.0%} right: {said}"


def cross_validate(
    fit: Callable[[Beta, np.ndarray], Any],
    confidence: Beta,
    correct: ArrayLike,
    *,
    folds: int = 5,
    resamples: int = 2000,
    seed: int = 0,
) -> Evaluation:
    """Return the figures of a map that is fitted on the other folds, with 95 % bootstrap intervals over answers.

    Parameters
    ----------
    fit
        Fits a map to confidences and outcomes.
    confidence, correct
        Confidences, and whether the answers were right (0 or 1).
    folds
        Folds, stratified by outcome; the base rate, too, is that of the other folds.
    resamples
        Of the bootstrap.
    seed
        Of the folds and the bootstrap.

    Raises
    ------
    ValueError
        If there are fewer than two right or two wrong answers: then nothing can be held out.
    """
    y = outcomes(correct, "correct")
    same_shape(y.shape, confidence.shape, names="correct and confidence")
    rare = int(min(y.sum(), y.size - y.sum()))
    if not enough_to_hold_out(y):
        raise ValueError(
            f"{y.size} answers, {int(y.sum())} of them right: nothing can be held out; "
            f"at least {LEAST_OF_EACH} right and {LEAST_OF_EACH} wrong ones are needed"
        )
    calibrated, constant = _out_of_fold(fit, confidence, y, min(folds, rare), seed)
    forecasts = {"raw": confidence, "calibrated": calibrated, "base_rate": constant}
    table = _figures(forecasts, y, resamples, np.random.default_rng(seed))
    better = table[table["forecast"] == "improvement"].iloc[0]
    reason, needed = _refusal(y.size, rare, better)
    return Evaluation(table, int(y.size), float(y.mean()), not reason, needed, reason)


def enough_to_hold_out(outcome: ArrayLike) -> bool:
    """Whether there are two right and two wrong answers, the least that cross-validation can do with."""
    y = outcomes(outcome)
    return bool(min(y.sum(), y.size - y.sum()) >= 2)


def _out_of_fold(
    fit: Callable[[Beta, np.ndarray], Any], confidence: Beta, y: np.ndarray, folds: int, seed: int
) -> tuple[Beta, Beta]:
    """Each answer's calibrated confidence and base rate, by a fit that has not seen it."""
    from sklearn.model_selection import StratifiedKFold

    mean, base = np.empty(y.size), np.empty(y.size)
    for train, test in StratifiedKFold(folds, shuffle=True, random_state=seed).split(y, y):
        mean[test] = fit(confidence[train], y[train]).transform(confidence[test]).mean
        base[test] = (y[train].sum() + 1) / (train.size + 2)  # Laplace: never 0 or 1
    k = confidence.concentration
    return Beta.from_mean_concentration(mean, k), Beta.from_mean_concentration(base, k)


def _figures(
    forecasts: dict[str, Beta], y: np.ndarray, resamples: int, rng: np.random.Generator
) -> pd.DataFrame:
    makers = {
        "expected_calibration_error": lambda b: statistics.expected_calibration_error(y, b.mean),
        "brier_score": lambda b: statistics.brier_score(y, b.mean),
        "auroc": lambda b: statistics.auroc(y, b.mean),
        "faithfulness_divergence": lambda b: statistics.mean(metrics.faithfulness_divergence(y, b)),
    }
    # The constant of each fold differs by its fold alone: its discrimination is none, not what that makes of it.
    wanted = [(m, f) for m in METRICS for f in forecasts if (m, f) != ("auroc", "base_rate")]
    drawn = statistics.bootstrap(
        {f"{m}/{f}": makers[m](forecasts[f]) for m, f in wanted}, items=y.size, resamples=resamples, rng=rng
    )
    gain = {"brier_score/improvement": {"brier_score/base_rate": 1.0, "brier_score/calibrated": -1.0}}
    table = pd.concat([drawn.table(), drawn.combine(gain).table()])
    parts = table.index.str.split("/", expand=True)
    table.insert(0, "metric", parts.get_level_values(0))
    table.insert(1, "forecast", parts.get_level_values(1))
    own = table["forecast"] != "improvement"
    for end in ("ci_low", "ci_high"):
        low, high = (
            [getattr(names.METRICS[name], side) for name in table["metric"]] for side in ("low", "high")
        )
        table[end] = table[end].clip(low, high).where(own, table[end])
    return table.reset_index(drop=True)[["metric", "forecast", "value", "ci_low", "ci_high", "n"]]


def _refusal(n: int, rare: int, better: pd.Series) -> tuple[str, int | None]:
    """Why nothing is promised and how many answers are needed; an empty reason where something is."""
    least = max(LEAST_ANSWERS, math.ceil(n * LEAST_OF_EACH / rare))
    if n < LEAST_ANSWERS or rare < LEAST_OF_EACH:
        return (
            f"too few answers: about {least} are needed ({LEAST_OF_EACH} right and {LEAST_OF_EACH} wrong)",
            least,
        )
    if better["ci_low"] > 0:
        return "", None
    if better["value"] <= 0:
        return "the confidence does not tell right from wrong better than the base rate does", None
    # The width of an interval goes down with the root of n.
    needed = math.ceil(n * ((better["value"] - better["ci_low"]) / better["value"]) ** 2)
    return f"too few answers: the gain over the base rate may be chance; about {needed} are needed", needed


def _shown(value: float, low: float, high: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f} [{low:.3f}, {high:.3f}]"
