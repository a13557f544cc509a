"""How well a calibrator can be expected to do on answers that it has not seen, and whether that can be said."""

import math
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike
from pydantic import BaseModel, ConfigDict, Field, PlainSerializer

from ralc import metrics, registry, statistics
from ralc.beta import Beta
from ralc.calibration import CalibrationMap
from ralc.statistics import Estimate
from ralc.statistics.reliability import reliability_curve

LEAST_ANSWERS = 50  # below it nothing is promised
LEAST_OF_EACH = 10  # right answers, and wrong ones
FEWEST_SAID = 5  # answers of a bin whose share of right ones is told
LARGEST_ERROR = 0.1  # expected calibration error that may show
FARTHEST = 100  # times the answers that there are: how far the number that is needed can be told
REPEATS = 4  # splits into folds that the figures are means over
PROMISE = (
    "a lower Brier score than the base rate's, beyond chance, and no detectable calibration error above 0.1"
)
#: What people ask of the table.
EXPLAINED = """\
base_rate says of every answer the share of right ones; improvement is its Brier score less the calibrated one's.
AUROC of calibrated compares the answers of one fold, since each fold has a map of its own.
faithfulness_divergence (FD, in nats, lower is better): how far the whole distribution is from what came."""
#: The statistics of a forecast, each from the outcomes and the confidence.
_STATISTICS: dict[str, Callable[[np.ndarray, Beta], statistics.Statistic]] = {
    "expected_calibration_error": lambda y, b: statistics.mean_gap(metrics.mean_gaps(y, b.mean)),
    "brier_score": lambda y, b: statistics.mean(metrics.squared_error(y, b.mean)),
    "auroc": lambda y, b: statistics.auroc(y, b.mean),
    "faithfulness_divergence": lambda y, b: statistics.mean(metrics.faithfulness_divergence(y, b)),
}

Fit = Callable[[Beta, np.ndarray], CalibrationMap]


Number = Annotated[float, Field(ge=-1e100, le=1e100, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, le=10**15)]
Share = Annotated[float, Field(ge=0, le=1)]
#: A text that cannot steer a terminal.
Text = Annotated[str, Field(max_length=2000, pattern=r"^[^\p{C}\p{Zl}\p{Zp}]*$")]
_Rounded = Annotated[Number | None, PlainSerializer(lambda value: None if value is None else round(value, 4))]


class Part(BaseModel):
    """A part of a calibrator's file: no key is unknown."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Figure(Part):
    """A metric of a forecast and its 95 % interval; None where it is not defined."""

    metric: Text
    forecast: Text
    value: _Rounded
    ci_low: _Rounded
    ci_high: _Rounded
    n: Count

    @property
    def text(self) -> str:
        """For people."""
        ends = "" if self.ci_low is None else f" [{self.ci_low:.3f}, {self.ci_high:.3f}]"
        return "-" if self.value is None else f"{self.value:.3f}{ends}"


class Bin(Part):
    """A bin of a forecast (`ralc.statistics.reliability.reliability_curve`): its share of the answers is `mass`."""

    forecast: Text
    confidence: _Rounded
    accuracy: _Rounded
    low: _Rounded
    high: _Rounded
    mass: _Rounded


class Evaluation(Part):
    """Cross-validated figures of a calibrator.

    Attributes
    ----------
    n, base_rate
        Answers, and the share of right ones.
    promise, reason, needed
        Whether `PROMISE` holds, why it does not, and how many answers would be needed (None: no number would do).
    figures
        One a metric and forecast (``raw``, ``calibrated``, ``base_rate``); ``improvement`` is the base rate's Brier
        score less the calibrated one's. The AUROC of ``calibrated`` compares answers of one fold.
    bins
        Reliability before and after the map.
    """

    n: Count
    base_rate: Annotated[Share, PlainSerializer(lambda value: round(value, 4))]
    promise: bool
    needed: Count | None
    reason: Text
    figures: Annotated[list[Figure], Field(min_length=1)]
    bins: list[Bin] = Field(default_factory=list)

    def __str__(self) -> str:
        """A table for people, and the promise or the refusal."""
        items = max(figure.n for figure in self.figures)
        parts = f" or conversations of {items} parts" if items > self.n else ""
        promise = f"promised: {PROMISE}" if self.promise else f"no promise for the number: {self.reason}"
        return (
            f"{as_table(self.figures)}\n{most_said(self.bins, self.n)}{EXPLAINED}\n"
            f"{self.n} answers{parts}, {self.base_rate:.0%} right: {promise}"
        )


def most_said(bins: list[Bin], n: int) -> str:
    """Return what the calibrated bin of most answers says, as a line for people; "" where it has too few of the `n`."""
    said = [one for one in bins if one.forecast == "calibrated" and n * one.mass >= FEWEST_SAID]
    if not said:
        return ""
    top = max(said, key=lambda one: one.mass)
    sure, right, low, high = (round(100 * part) for part in (top.confidence, top.accuracy, top.low, top.high))
    return (
        f"Of {n * top.mass:.0f} answers called about {sure} % sure, {right} % were right ({low}-{high} %).\n"
    )


def as_table(figures: list[Figure]) -> str:
    """Return figures as a table for people: a row a metric, a column a forecast."""
    rows = pd.DataFrame([(figure.metric, figure.forecast, figure.text) for figure in figures])
    metrics = rows[0].unique()
    forecasts = rows[1].unique()
    table = rows.pivot_table(2, 0, 1, aggfunc="first").loc[metrics, forecasts].fillna("")
    return table.rename_axis(index=None, columns=None).to_string()


def cross_validate(
    fit: Fit,
    confidence: Beta,
    y: np.ndarray,
    *,
    groups: ArrayLike | None = None,
    folds: int = 5,
    resamples: int = 2000,
    seed: int = 0,
) -> Evaluation:
    """Return the figures of a map that is fitted on the other folds, means over `REPEATS` splits into folds.

    Parameters
    ----------
    fit
        Fits a map to confidences and outcomes.
    confidence : Beta of shape (n,)
        Raw confidences.
    y : array of shape (n,)
        Whether each answer was right, or the share of it that was, in [0, 1].
    groups : array_like of shape (n,), optional
        The answer of each sentence: those of one are held out and resampled together.
    folds
        Parts of the answers, at least 2; no more than there are answers.
    resamples
        Of the bootstrap.
    seed
        Of the folds and the resamples.

    Raises
    ------
    ValueError
        If there are fewer than two answers or folds.
    """
    if not isinstance(folds, int) or folds < 2:
        raise ValueError(f"folds must be a whole number of at least 2: folds = {folds!r}")
    answers = np.arange(y.size) if groups is None else statistics.groups_of(groups, y.size)
    n = int(answers.max(initial=-1)) + 1
    if n < 2:
        raise ValueError(f"{n} answers: at least 2 are needed, so that one can be held out")
    rng = np.random.default_rng(seed)
    held_out = [plain_folds(answers, min(folds, n), rng) for _ in range(REPEATS)]
    splits = [_out_of_fold(fit, confidence, y, fold) for fold in held_out]
    calibrated, base_rate = map(list, zip(*splits, strict=True))
    forecasts = {"raw": [confidence], "calibrated": calibrated, "base_rate": base_rate}
    grouped = answers if n < y.size else None
    figures = figures_of(forecasts, y, grouped, resamples, rng, strata={"calibrated": held_out})
    reason, needed = _refusal(n, y, fit(confidence, y), figures)
    return Evaluation(
        n=n,
        base_rate=y.mean(),
        promise=not reason,
        needed=needed,
        reason=reason,
        figures=figures,
        bins=bins_of({"raw": confidence, "calibrated": calibrated[0]}, y, grouped, rng),
    )


def bins_of(
    forecasts: dict[str, Beta], y: np.ndarray, groups: np.ndarray | None, rng: np.random.Generator
) -> list[Bin]:
    """Return the bins of the forecasts that hold any answer.

    Parameters
    ----------
    forecasts
        Confidences of shape (n,) by the name of their forecast.
    y : array of shape (n,)
        What came, in [0, 1].
    groups : array of shape (n,), optional
        The answer of each sentence.
    rng
        Of the resamples.
    """
    found = []
    for forecast, confidence in forecasts.items():
        curve = reliability_curve(y, confidence, groups=groups, rng=rng).drop(columns="expected")
        found += [Bin(forecast=forecast, **row) for row in curve.dropna().to_dict("records")]
    return found


def plain_folds(answers: np.ndarray, folds: int, rng: np.random.Generator) -> np.ndarray:
    """Return the fold of each item, items of an answer in one: stratified ones would share a base rate, too good.

    Parameters
    ----------
    answers : array of shape (n,)
        The answer of each item, in whole numbers from 0.
    folds
        How many there are, at most as many as answers.
    rng
        Deals the answers out.

    Returns
    -------
    array of shape (n,)
        From 0 to ``folds - 1``.
    """
    return rng.permutation(np.arange(answers.max() + 1) % folds)[answers]


def _out_of_fold(fit: Fit, confidence: Beta, y: np.ndarray, fold: np.ndarray) -> tuple[Beta, Beta]:
    """Each answer's calibrated confidence and base rate, by a fit that has not seen it."""
    mean = np.empty(y.size)
    base = np.empty(y.size)
    for held_out in np.unique(fold):
        test = fold == held_out
        train = fold != held_out
        mean[test] = fit(confidence[train], y[train]).transform(confidence[test]).mean
        base[test] = (y[train].sum() + 1) / (train.sum() + 2)  # Laplace: never 0 or 1
    k = confidence.concentration
    return Beta.from_mean_concentration(mean, k), Beta.from_mean_concentration(base, k)


def figures_of(
    forecasts: dict[str, list[Beta]],
    y: np.ndarray,
    groups: np.ndarray | None,
    resamples: int,
    rng: np.random.Generator,
    *,
    strata: Mapping[str, list[np.ndarray]],
) -> list[Figure]:
    """Return the figures of the forecasts, each the mean over its splits; the improvement comes last.

    Of forecasts with strata the AUROC compares answers within one alone, split by split.

    Parameters
    ----------
    forecasts
        By its name the confidences of each forecast, shape (n,), one a split; ``calibrated`` and ``base_rate`` are
        among them.
    y : array of shape (n,)
        What came, in [0, 1].
    groups : array of shape (n,), optional
        The answer of each sentence: those of one are resampled together.
    resamples
        Of the bootstrap.
    rng
        Of the resamples.
    strata
        By the name of a forecast the fold of each item, one array a split.
    """
    # The constant of each fold differs by its fold alone: its discrimination is none, not what that makes of it.
    wanted = [(m, f) for m in _STATISTICS for f in forecasts if (m, f) != ("auroc", "base_rate")]
    single = {(m, f, i): _STATISTICS[m](y, b) for m, f in wanted for i, b in enumerate(forecasts[f])}
    for name, folds in strata.items():
        for i, (b, fold) in enumerate(zip(forecasts[name], folds, strict=True)):
            single["auroc", name, i] = statistics.auroc(y, b.mean, strata=fold)
    estimates = statistics.bootstrap(single, items=y.size, groups=groups, resamples=resamples, rng=rng)
    sums = {(m, f): {(m, f, i): 1 / len(forecasts[f]) for i in range(len(forecasts[f]))} for m, f in wanted}
    gain = {name: -weight for name, weight in sums["brier_score", "calibrated"].items()}
    sums["brier_score", "improvement"] = sums["brier_score", "base_rate"] | gain
    combined = [Estimate.combine([(estimates[k], w) for k, w in terms.items()]) for terms in sums.values()]
    rows = statistics.intervals(combined).itertuples()
    return [_figure(m, f, row, forecasts.get(f), y) for (m, f), row in zip(sums, rows, strict=True)]


def _figure(metric: str, forecast: str, row: Any, splits: list[Beta] | None, y: np.ndarray) -> Figure:
    """The figure of a row of intervals; `splits` are a forecast's confidences, None of the improvement."""
    ends = np.array([row.ci_low, row.ci_high])
    if splits is not None:
        if metric in ("brier_score", "auroc"):
            fewer, more = _of_few(metric, row.value, np.mean([b.mean for b in splits], axis=0), y)
            ends = np.array([np.fmin(row.ci_low, fewer), np.fmax(row.ci_high, more)])
        ends = ends.clip(registry.METRICS[metric].low, registry.METRICS[metric].high)
    value, low, high = (None if math.isnan(number) else float(number) for number in (row.value, *ends))
    return Figure(metric=metric, forecast=forecast, value=value, ci_low=low, ci_high=high, n=row.n)


def jeffreys(seen: float, of: float) -> tuple[float, float]:
    """Return Jeffreys' 95 % interval of a share, of what was seen of so many.

    >>> jeffreys(0, 10)[1] < 0.25
    True
    """
    low, high = scipy.special.betaincinv(seen + 0.5, of - seen + 0.5, [0.025, 0.975]).tolist()
    return low, high


def _of_few(metric: str, value: float, mean: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Limits of a Brier score or AUROC with few answers of one outcome (Jeffreys), unseen by a bootstrap; or NaN."""
    rare = float(y.sum() < y.size / 2)
    few = float(np.abs(y - 1 + rare).sum())
    if few >= LEAST_OF_EACH:
        return math.nan, math.nan
    if metric == "auroc":
        return jeffreys(few * (0.5 if math.isnan(value) else value), few)
    low, high = jeffreys(few, y.size)
    common, other = (((mean - one) ** 2).mean() for one in (1 - rare, rare))
    return common + low * (other - common), common + high * (other - common)


def _refusal(n: int, y: np.ndarray, fitted: CalibrationMap, figures: list[Figure]) -> tuple[str, int | None]:
    """Why nothing is promised and how many answers are needed; an empty reason where something is."""
    rare = float(min(y.sum(), y.size - y.sum()))
    if n < LEAST_ANSWERS or rare < LEAST_OF_EACH:
        least = max(LEAST_ANSWERS, math.ceil(n * LEAST_OF_EACH / max(rare, 1.0)))
        each = f"({LEAST_OF_EACH} right and {LEAST_OF_EACH} wrong)"
        return f"too few answers: about {least} are needed {each}", least
    by_name = {(figure.metric, figure.forecast): figure for figure in figures}
    better = by_name["brier_score", "improvement"]
    error = by_name["expected_calibration_error", "calibrated"]
    if (error.ci_low or 0.0) > LARGEST_ERROR:
        misfit = f"the map does not fit: the expected calibration error is {error.text}"
        return f"{misfit}; try another --map", None
    gain = better.value or 0.0
    low = better.ci_low or 0.0
    if low > 0:
        return (f"the map {fitted.basis}" if "mostly_prior" in fitted.flags_ else ""), None
    # The width of an interval goes down with the root of n.
    times = ((gain - low) / gain) ** 2 if gain > 0 else math.inf
    if times > FARTHEST:
        return "the confidence does not tell right from wrong better than the base rate does", None
    needed = math.ceil(n * times)
    return f"too few answers: the gain over the base rate may be chance; about {needed} are needed", needed
