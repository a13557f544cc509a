"""Whether a saved map still holds: fresh graded answers scored by the map as it stands, all at once or as they come.

The null hypothesis is the map's own predictive. On the logit scale the truth differs from what the map says by
``intercept + slope * logit``, as far as the answers that the map was fitted on leave open, and no further.
"""

import numpy as np
import scipy
from numpy.typing import ArrayLike
from pydantic import Field

from ralc.beta import Beta
from ralc.beta.validation import Floats, as_floats, same_shape
from ralc.calibrator.evaluation import (
    Bin,
    Count,
    Figure,
    Part,
    Share,
    Text,
    as_table,
    bins_of,
    figures_of,
    jeffreys,
)

#: A map no longer holds where what was seen is less likely than this. Stable ones are then rarely accused.
LEVEL = 0.02
#: Confidences lie within [_LEAST, 1 - _LEAST]: what is said to be certain has no logit.
_LEAST = 1e-6
#: Simulated sets of outcomes.
_SETS = 4999
#: Numbers that are simulated at once.
_AT_ONCE = 2_000_000
#: Shifts, in logits, on which who bets against a map lays most.
_SHIFT = 1.0
#: Inner edges of the confidences that a sentence is said of.
_EDGES = (0.2, 0.4, 0.6, 0.8)


class FreshTest(Part):
    """How a map does on answers that it was not fitted on.

    Attributes
    ----------
    n, said, right, right_low, right_high
        Answers (of long ones, sentences), the calibrated confidence on average, the share of right ones and its 95 %
        interval.
    p_value, holds, sentence
        The probability of outcomes as far off as these where the map holds; whether it is at least `LEVEL`; both in a
        sentence.
    figures, bins, card
        Figures of the map (``calibrated``), of the ``raw`` confidence, of the ``words`` where answers were given, and
        of these answers' own ``base_rate``; reliability of the first two; the figures that the map had on its card.
    """

    n: Count
    said: Share
    right: Share
    right_low: Share
    right_high: Share
    p_value: Share
    holds: bool
    sentence: Text
    figures: list[Figure]
    bins: list[Bin]
    card: list[Figure] = Field(default_factory=list)

    def __str__(self) -> str:
        """A table for people, what was said and what was right, and the sentence."""
        card = [
            one.model_copy(update={"forecast": "card"}) for one in self.card if one.forecast == "calibrated"
        ]
        shown = as_table([one for one in self.figures if one.forecast != "improvement"] + card)
        interval = f"{self.right:.3f} [{self.right_low:.3f}, {self.right_high:.3f}]"
        return (
            f"the map as it stands, on {self.n} fresh outcomes\n{shown}\n"
            f"said {self.said:.3f} on average, right {interval}, p = {self.p_value:.4f}\n{self.sentence}"
        )


def fresh_test(
    raw: Beta,
    calibrated: Beta,
    y: Floats,
    fitted_on: int,
    *,
    groups: np.ndarray | None = None,
    words: Beta | None = None,
    card: list[Figure],
    seed: int = 0,
) -> FreshTest:
    """Return how a map does on answers that it was not fitted on.

    Parameters
    ----------
    raw, calibrated : Beta of shape (n,)
        Confidences before and after the map.
    y : array of shape (n,)
        What came: whether each answer was right, or the share of it that was, in [0, 1].
    fitted_on
        Outcomes that the map was fitted on.
    groups : array of shape (n,), optional
        The answer of each sentence, in whole numbers from 0.
    words : Beta of shape (n,), optional
        How the rewritten answers are read.
    card
        The figures that the map had when it was saved.
    seed
        Of the simulated outcomes and the resamples.
    """
    mean = np.clip(calibrated.mean, _LEAST, 1 - _LEAST)
    rng = np.random.default_rng(seed)
    p_value, spread = _p_value(mean, y, fitted_on, groups, rng)
    low, high = jeffreys(float(y.sum()) / spread, y.size / spread)
    holds = p_value >= LEVEL
    base = Beta.from_mean_concentration(np.full(y.size, (y.sum() + 1) / (y.size + 2)), raw.concentration)
    forecasts = {"calibrated": [calibrated], "raw": [raw], "base_rate": [base]}
    forecasts |= {} if words is None else {"words": [words]}
    said = float(mean.mean())
    right = float(y.mean())
    unseen = f"a shift of less than {50 * (high - low):.0f} points would not show"
    sentence = (
        f"It said {_percent(said)} on average, {_percent(right)} were right: nothing speaks against it; {unseen}."
        if holds
        else "Of answers called about {} sure, {} were right: it no longer holds.".format(*_farthest(mean, y))
    )
    return FreshTest(
        n=y.size,
        said=said,
        right=right,
        right_low=low,
        right_high=high,
        p_value=p_value,
        holds=holds,
        sentence=sentence,
        figures=figures_of(forecasts, y, groups, 2000, rng, strata={}),
        bins=bins_of({"raw": raw, "calibrated": calibrated}, y, groups, rng),
        card=card,
    )


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _farthest(mean: Floats, y: Floats) -> tuple[str, str]:
    """What was said and what was right, where the two differ most in standard errors."""
    cells = np.digitize(mean, _EDGES)
    parts = [cells == one for one in np.unique(cells)]
    worst = max(
        parts, key=lambda part: abs((y - mean)[part].sum()) / np.sqrt((mean * (1 - mean))[part].sum())
    )
    return _percent(mean[worst].mean()), _percent(y[worst].mean())


def _design(mean: Floats) -> tuple[Floats, Floats, Floats]:
    """The logit of each answer, shape (n,); with an intercept, shape (n, 2); the inverse of their information."""
    logits = scipy.special.logit(mean)
    features = np.stack([np.ones_like(logits), logits - logits.mean()], axis=1)
    information = features.T @ (features * (mean * (1 - mean))[:, None])
    return logits, features, np.linalg.pinv(information, rcond=1e-9, hermitian=True)


def _p_value(
    mean: Floats, y: Floats, fitted_on: int, groups: np.ndarray | None, rng: np.random.Generator
) -> tuple[float, float]:
    """The Monte-Carlo p-value of the score test, and how many times wider than independent outcomes these are."""
    logits, features, inverse = _design(mean)
    scores = (y - mean)[:, None] * features
    spread = 1.0
    if groups is not None:
        by_answer = np.zeros((int(groups.max()) + 1, 2))
        np.add.at(by_answer, groups, scores)
        by_answer -= by_answer.mean(axis=0)
        spread = max(1.0, float(np.trace(inverse @ by_answer.T @ by_answer)) / np.linalg.matrix_rank(inverse))
    seen = scores.sum(axis=0)
    statistic = seen @ inverse @ seen / spread
    open_ = inverse * y.size / fitted_on  # what the answers that it was fitted on leave open
    shifts = rng.multivariate_normal(np.zeros(2), open_, size=_SETS, method="svd")
    beyond = 0
    for part in np.array_split(shifts, -(-_SETS * y.size // _AT_ONCE)):
        right = rng.random((len(part), y.size)) < scipy.special.expit(logits + part @ features.T)
        summed = (right - mean) @ features
        beyond += int(((summed @ inverse * summed).sum(axis=1) >= statistic * (1 - 1e-9)).sum())
    return (1 + beyond) / (1 + _SETS), spread


def wealth(mean: ArrayLike, correct: ArrayLike, fitted_on: int) -> Floats:
    """Return the evidence against a map after each outcome, shape (n,): what who bets against it has made of 1.

    Where the map holds, it reaches ``1 / LEVEL`` at any time with a probability of at most `LEVEL`, however often one
    looks. It is the likelihood of shifts in level and slope of about `_SHIFT` over that of the map's own predictive.

    Parameters
    ----------
    mean, correct : array of shape (n,)
        The calibrated confidences in the order in which outcomes came, and whether the answers were right (0 or 1).
    fitted_on : int
        Outcomes that the map was fitted on.

    >>> evidence = wealth([0.7] * 120, [1, 0] * 60, fitted_on=400)
    >>> bool(evidence[5] < 2), bool(evidence[-1] > 50)
    (True, True)
    """
    y = as_floats(correct, "correct")
    mean = np.clip(as_floats(mean, "mean"), _LEAST, 1 - _LEAST)
    same_shape(y.shape, mean.shape, names="correct and mean")
    logits, features, inverse = _design(mean)
    left_open = inverse * y.size / fitted_on
    steps = np.linspace(-3.5, 3.5, 21)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    weights = scipy.special.log_softmax(-(grid**2).sum(axis=1) / 2)

    def likelihood(covariance: Floats) -> Floats:
        """Return the log-likelihood of the first outcomes, over shifts of a normal distribution."""
        variances, axes = np.linalg.eigh(covariance)
        shifted = logits[:, None] + features @ (axes * np.sqrt(variances.clip(0))) @ grid.T
        each = y[:, None] * shifted - np.logaddexp(0, shifted)
        return scipy.special.logsumexp(np.cumsum(each, axis=0) + weights, axis=1)

    return np.exp(likelihood(left_open + _SHIFT**2 * np.eye(2)) - likelihood(left_open))
