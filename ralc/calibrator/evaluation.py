"""How well a calibrator can be expected to do on answers that it has not seen, and whether that can be said."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike

from ralc import metrics, registry, statistics
from ralc.beta import Beta
from ralc.beta.validation import as_vector, same_shape, shares
from ralc.calibration import CalibrationMap

#: What is promised where something is.
PROMISE = (
    "a lower Brier score than the base rate's, beyond chance, and no calibration error above .1 that shows"
)
LEAST_ANSWERS = 50  # below it nothing is promised
LEAST_OF_EACH = 10  # right answers, and wrong ones
LARGEST_ERROR = 0.1  # expected calibration error that may show
FARTHEST = 100  # times the answers that there are: how far the number that is needed can be told
REPEATS = 4  # splits into folds that the figures are means over
_INTERVAL = ("value", "ci_low", "ci_high")
METRICS = ("expected_calibration_error", "brier_score", "auroc", "faithfulness_divergence")


class Figure(NamedTuple):
    """A metric of a forecast and its interval; NaN where it is not defined."""

    metric: str
    forecast: str
    value: float
    ci_low: float
    ci_high: float
    n: int


@dataclass(frozen=True)
class Evaluation:
    """Cross-validated figures of a calibrator.

    Parameters
    ----------
    figures
        One a metric and forecast: ``raw``, ``calibrated``, ``base_rate``; ``improvement`` is the base rate's
        Brier score less the calibrated one's.
    n, base_rate
        Answers, and the share of right ones.
    promise
        Whether the calibrated confidence has a lower Brier score than saying the base rate of every answer, beyond
        chance, and no expected calibration error that is shown to be above .1.
    needed
        Answers that would be needed to say so, were the next ones like these; None where no number would do,
        or it is said already.
    reason
        Why nothing is promised; empty where something is.
    """

    figures: list[Figure]
    n: int
    base_rate: float
    promise: bool
    needed: int | None
    reason: str

    @property
    def table(self) -> pd.DataFrame:
        """The figures, a row each: ``metric, forecast, value, ci_low, ci_high, n``."""
        return pd.DataFrame(self.figures)

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain JSON."""
        return {
            "n": self.n,
            "base_rate": round(self.base_rate, 4),
            "promise": self.promise,
            "needed": self.needed,
            "reason": self.reason,
            "figures": [{name: _plain(cell) for name, cell in row._asdict().items()} for row in self.figures],
        }

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> Self:
        """Return the evaluation that `to_dict` described."""
        nan = dict.fromkeys(("value", "ci_low", "ci_high"), math.nan)
        told = ({name: cell for name, cell in row.items() if cell is not None} for row in saved["figures"])
        return cls(**saved | {"figures": [Figure(**nan | row) for row in told]})

    def __str__(self) -> str:
        """A table for people, and the promise or the refusal."""
        shown = {
            (row.metric, row.forecast): _shown(row.value, row.ci_low, row.ci_high) for row in self.figures
        }
        forecasts = list(dict.fromkeys(row.forecast for row in self.figures))
        lines = [["forecast", *forecasts], ["metric", *[""] * len(forecasts)]]
        for metric in dict.fromkeys(row.metric for row in self.figures):
            lines.append([metric, *(shown.get((metric, forecast), "") for forecast in forecasts)])
        first, *widths = (max(map(len, column)) for column in zip(*lines, strict=True))
        said = f"promised: {PROMISE}" if self.promise else f"no promise: {self.reason}"
        return "\n".join(
            ["  ".join([name.ljust(first), *map(str.rjust, cells, widths)]) for name, *cells in lines]
            + [f"{self.n} answers{self._sentences}, {self.base_rate:.0%} right: {said}"]
        )

    @property
    def _sentences(self) -> str:
        """How many sentences they have, where each is an item."""
        items = max(row.n for row in self.figures)
        return f" of {items} sentences" if items > self.n else ""


def cross_validate(
    fit: Callable[[Beta, np.ndarray], CalibrationMap],
    confidence: Beta,
    correct: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    folds: int = 5,
    resamples: int = 2000,
    seed: int = 0,
) -> Evaluation:
    """Return the figures of a map that is fitted on the other folds, with 95 % bootstrap intervals over answers.

    They are means over `REPEATS` splits into folds, each drawn anew.

    Parameters
    ----------
    fit
        Fits a map to confidences and outcomes.
    confidence, correct
        Confidences, and whether the answers were right (0 or 1, or the share of each that is right).
    groups
        The answer that each item belongs to, where items are sentences: an answer is held out, and drawn, as a whole.
    folds
        Folds (`plain_folds`); the base rate, too, is that of the other folds.
    resamples
        Of the bootstrap.
    seed
        Of the folds and the bootstrap.

    Raises
    ------
    ValueError
        If there are fewer than two folds, or fewer than two answers: then nothing can be held out.
    """
    if not isinstance(folds, int) or folds < 2:
        raise ValueError(f"folds must be a whole number of at least 2: folds = {folds!r}")
    y = as_vector(shares(correct, "correct"))
    same_shape(y.shape, confidence.shape, names="correct and confidence")
    answers = np.arange(y.size) if groups is None else statistics.groups_of(groups, y.size)
    number = int(answers.max(initial=-1)) + 1
    if number < 2:
        raise ValueError(f"answers: {number}: at least 2 are needed, or nothing can be held out")
    rng = np.random.default_rng(seed)
    folds = min(folds, number)
    splits = [_out_of_fold(fit, confidence, y, answers, folds, rng) for _ in range(REPEATS)]
    forecasts = {
        "raw": [confidence],
        "calibrated": [one for one, _ in splits],
        "base_rate": [one for _, one in splits],
    }
    figures = _figures(forecasts, y, answers, resamples, rng)
    by_name = {(one.metric, one.forecast): one for one in figures}
    reason, needed = _refusal(number, y, fit(confidence, y), by_name)
    return Evaluation(figures, number, float(y.mean()), not reason, needed, reason)


def _out_of_fold(
    fit: Callable[[Beta, np.ndarray], CalibrationMap],
    confidence: Beta,
    y: np.ndarray,
    answers: np.ndarray,
    folds: int,
    rng: np.random.Generator,
) -> tuple[Beta, Beta]:
    """Each answer's calibrated confidence and base rate, by a fit that has not seen it."""
    mean, base = np.empty(y.size), np.empty(y.size)
    fold = plain_folds(answers, folds, rng)
    for number in range(folds):
        test, train = fold == number, fold != number
        mean[test] = fit(confidence[train], y[train]).transform(confidence[test]).mean
        base[test] = (y[train].sum() + 1) / (train.sum() + 2)  # Laplace: never 0 or 1
    k = confidence.concentration
    return Beta.from_mean_concentration(mean, k), Beta.from_mean_concentration(base, k)


def plain_folds(answers: np.ndarray, folds: int, rng: np.random.Generator) -> np.ndarray:
    """Return the fold of each item, drawn without a look at the outcomes; items of an answer are in one fold.

    Folds that are stratified by outcome share a base rate, which new answers do not: their Brier scores are too low.
    """
    return rng.permutation(np.arange(answers.max() + 1) % folds)[answers]


def _figures(
    forecasts: dict[str, list[Beta]],
    y: np.ndarray,
    answers: np.ndarray,
    resamples: int,
    rng: np.random.Generator,
) -> list[Figure]:
    """The figures of the forecasts, each the mean over its splits; the improvement comes last."""
    makers = {
        "expected_calibration_error": lambda b: statistics.expected_calibration_error(y, b.mean),
        "brier_score": lambda b: statistics.brier_score(y, b.mean),
        "auroc": lambda b: statistics.auroc(y, b.mean),
        "faithfulness_divergence": lambda b: statistics.mean(metrics.faithfulness_divergence(y, b)),
    }
    # The constant of each fold differs by its fold alone: its discrimination is none, not what that makes of it.
    wanted = [(m, f) for m in METRICS for f in forecasts if (m, f) != ("auroc", "base_rate")]
    single = {f"{m}/{f}/{i}": makers[m](one) for m, f in wanted for i, one in enumerate(forecasts[f])}
    groups = answers if answers.max() + 1 < y.size else None
    drawn = statistics.bootstrap(single, items=y.size, groups=groups, resamples=resamples, rng=rng)
    means = {
        f"{m}/{f}": dict.fromkeys((f"{m}/{f}/{i}" for i in range(len(forecasts[f]))), 1 / len(forecasts[f]))
        for m, f in wanted
    }
    gain = dict(means["brier_score/base_rate"])
    gain |= {name: -weight for name, weight in means["brier_score/calibrated"].items()}
    drawn = drawn.combine(means | {"brier_score/improvement": gain})
    found = statistics.interval_columns(drawn.drawn)
    figures = []
    for name, one, *cells in zip(drawn.names, drawn.drawn, *map(found.get, _INTERVAL), strict=True):
        metric, forecast = name.split("/")
        value, *ends = map(float, cells)
        if metric in ("brier_score", "auroc") and forecast in forecasts:
            low, high = _of_few(metric, value, np.mean([b.mean for b in forecasts[forecast]], axis=0), y)
            ends = [np.fmin(ends[0], low), np.fmax(ends[1], high)]
        if forecast != "improvement":
            known = registry.METRICS[metric]
            ends = [float(np.clip(end, known.low, known.high)) for end in ends]
        figures.append(Figure(metric, forecast, value, *ends, one.size))
    return figures


def _of_few(metric: str, value: float, mean: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Return limits of a Brier score or AUROC with few answers of one outcome, which a bootstrap cannot see.

    New answers may have that outcome more often (Jeffreys' interval), or at other ranks; NaN where it is not few.
    """
    rare = float(y.sum() < y.size / 2)
    few, n = float(np.abs(y - 1 + rare).sum()), y.size
    if few >= LEAST_OF_EACH:
        return math.nan, math.nan
    ranks = metric == "auroc"
    seen, of = (few * (0.5 if math.isnan(value) else value), few) if ranks else (few, n)
    low, high = scipy.special.betaincinv(seen + 0.5, of - seen + 0.5, [0.025, 0.975])
    common, other = (0.0, 1.0) if ranks else (((mean - one) ** 2).mean() for one in (1 - rare, rare))
    return common + low * (other - common), common + high * (other - common)


def _refusal(
    n: int, y: np.ndarray, fitted: CalibrationMap, figures: dict[tuple[str, str], Figure]
) -> tuple[str, int | None]:
    """Why nothing is promised and how many answers are needed; an empty reason where something is."""
    rare = float(min(y.sum(), y.size - y.sum()))
    if n < LEAST_ANSWERS or rare < LEAST_OF_EACH:
        least = max(LEAST_ANSWERS, math.ceil(n * LEAST_OF_EACH / max(rare, 1.0)))
        each = f"({LEAST_OF_EACH} right and {LEAST_OF_EACH} wrong)"
        return f"too few answers: about {least} are needed {each}", least
    better, error = figures["brier_score", "improvement"], figures["expected_calibration_error", "calibrated"]
    if error.ci_low > LARGEST_ERROR:
        told = _shown(error.value, error.ci_low, error.ci_high)
        return f"the map does not fit: the expected calibration error is {told}; try another --map", None
    if better.ci_low > 0:
        return (f"the map {fitted.basis}" if "mostly_prior" in fitted.flags_ else ""), None
    # The width of an interval goes down with the root of n.
    times = ((better.value - better.ci_low) / better.value) ** 2 if better.value > 0 else math.inf
    if times > FARTHEST:
        return "the confidence does not tell right from wrong better than the base rate does", None
    needed = math.ceil(n * times)
    return f"too few answers: the gain over the base rate may be chance; about {needed} are needed", needed


def _shown(value: float, low: float, high: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f} [{low:.3f}, {high:.3f}]"


def _plain(cell: str | float) -> str | float | None:
    """A cell as JSON holds it: numbers to four digits, and none where one is not defined."""
    if not isinstance(cell, float):
        return cell
    return None if math.isnan(cell) else float(np.round(cell, 4))
