r"""Intervals and p-values from what a bootstrap drew, for many statistics at once.

Plain and bias-corrected percentiles are too narrow with few answers: at 63 they cover .89 of the differences of gECE
and .91 of those of FD. These intervals are studentised: the standard error of the draws, the t distribution of the
number of items or groups, and, where the draws are skewed, the reach of Hall's transformation as well (Hall 1992): the
wider of the two on each side, because with few items skewness itself is uncertain. An interval of calibration errors
reaches from the plain to an overcorrected one (`ralc.statistics.distribution`).

How they cover is measured by ``python -m tests.bench coverage``. Over its 108 cells, with 2,000 sets of questions
each (``tests/bench/coverage_measured.csv``), the least coverage of a paired difference was .940 and the most
rejections of nothing .058; with 5, 10, 15, 20 or 25 articles in place of SQuAD's 35 (600 questions) .943 and .049: no
number of articles was found at which they fail.

Of the primary endpoints, pooled over three datasets (``tests/bench/coverage_pooled.csv``, 24 cells), the least coverage
was .948 and the most rejections of nothing .052; after Holm's correction at least one of the four was rejected in .038.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ralc.beta.validation import Floats, as_floats, require
from ralc.statistics.distribution import Drawn

if TYPE_CHECKING:  # who needs numbers alone does not wait for tables to load
    import pandas as pd

#: Fewest answers of which an interval says anything; how intervals cover was tried from 60 on.
FEWEST = 20
#: An interval narrower than that is rounding: all resamples say the same, and know no doubt.
WIDTHLESS = 1e-9
#: Hall's transformation is all but flat near three over the skewness, in standard errors: it goes on this steeply from
#: where its slope has fallen to as much, but not before 95 % are decided.
_SLOPE, _DECIDED = 0.25, 0.975
#: A standard error that is a smaller share of the value is rounding: nothing varies.
_ROUNDING = 1e-12
#: Draws a unit from which its slope is known well enough, and statistics whose draws are held beside each other.
_PER_UNIT, _AT_A_TIME = 4, 200


def intervals(drawn: Sequence[Drawn], *, level: float = 0.95, null: float | None = None) -> pd.DataFrame:
    """Return value, debiased value, standard error and interval of each statistic; with `null` its p-value.

    The p-value is two-sided: below .05 just where the interval of 95 % leaves `null` out.

    Parameters
    ----------
    drawn : sequence of Drawn
    level : float
        Of the interval, in (0, 1).
    null : float, optional
        What the p-value tests.

    Returns
    -------
    DataFrame with columns ``value, debiased, standard_error, ci_low, ci_high`` and, with `null`, ``p_value``. All but
    the values are NaN where fewer than two draws are defined; where no draw differs, the interval is the value, and
    there is no p-value unless the value is `null`.
    """
    import pandas as pd

    return pd.DataFrame(interval_columns(drawn, level=level, null=null))


def interval_columns(
    drawn: Sequence[Drawn], *, level: float = 0.95, null: float | None = None
) -> dict[str, Floats]:
    """Return the columns of `intervals` by their names."""
    values = np.array([one.value for one in drawn], dtype=np.float64)
    debiased = np.array([one.debiased for one in drawn], dtype=np.float64)
    degrees = np.array([max(one.units - 1, 1) for one in drawn], dtype=np.float64)
    error, skewness = _errors(drawn), _skewness(drawn)
    edges = np.array([(one.value, one.overcorrected) for one in drawn], dtype=np.float64)
    nearest, farthest = edges.min(axis=1), edges.max(axis=1)
    reach = scipy.special.stdtrit(degrees, (1 + level) / 2)
    columns = {
        "value": values,
        "debiased": debiased,
        "standard_error": error,
        "ci_low": nearest - error * np.maximum(reach, _untransformed(reach, skewness)),
        "ci_high": farthest - error * np.minimum(-reach, _untransformed(-reach, skewness)),
    }
    if null is None:
        return columns
    away = np.clip(null, nearest, farthest) - null
    return columns | {"p_value": _p_value(away, error, skewness, degrees, np.abs(values))}


def holm(p_values: ArrayLike) -> Floats:
    """Return p-values corrected for their number by Holm's method; NaN (no test) stays and does not count.

    Not statsmodels' `multipletests`, which collects all garbage of the process at each call.

    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    p = as_floats(p_values, "p_values")
    if p.ndim != 1:
        raise ValueError(f"p_values must be a vector: its shape is {p.shape}")
    require(p, lambda v: np.isnan(v) | ((v >= 0) & (v <= 1)), "p_values", "in [0, 1], or NaN")
    corrected = np.full(p.shape, np.nan)
    order = np.argsort(p)[: np.count_nonzero(~np.isnan(p))]  # NaN comes last
    steps = np.arange(order.size, 0, -1) * p[order]
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return corrected


def _errors(drawn: Sequence[Drawn]) -> Floats:
    """Standard error of each statistic; NaN with fewer than two defined draws."""
    error = np.full(len(drawn), np.nan)
    for place, one in enumerate(drawn):
        defined = ~np.isnan(one.draws)
        if one.units < 2 or defined.sum() < 2:
            continue
        spread = max(side[defined].std() for side in (one.draws, *one.turned))
        # A bootstrap of u items varies by the share (u-1)/u of what new items would.
        error[place] = spread * np.sqrt(one.units / (one.units - 1))
    return error


def _skewness(drawn: Sequence[Drawn]) -> Floats:
    """Skewness of the draws of each statistic; 0 where they do not vary.

    Of 2,000 draws it scatters by .05 to .1 from seed to seed, which turns p-values of .01 to .04. What of the draws is
    linear in how often each unit was drawn has moments that are known exactly, and only the rest is left to chance.
    """
    found = np.array([_of_draws(one.draws[~np.isnan(one.draws)]) for one in drawn])
    for counts in {id(one.counts): one.counts for one in drawn if one.counts is not None}.values():
        units, draws = counts.shape
        own = [i for i, one in enumerate(drawn) if one.counts is counts and not np.isnan(one.draws).any()]
        if _PER_UNIT * units <= draws:
            for start in range(0, len(own), _AT_A_TIME):
                places = own[start : start + _AT_A_TIME]
                found[places] = _of_linear(np.stack([drawn[i].draws for i in places]), counts - 1)
    return found


def _of_draws(draws: Floats) -> float:
    gap = draws - draws.mean() if len(draws) else draws
    spread = np.sqrt((gap**2).mean()) if len(draws) else 0.0
    return float((gap**3).mean() / spread**3) if spread > 0 else 0.0


def _of_linear(draws: Floats, counts: Floats) -> Floats:
    """Skewness of some statistics' draws, shape (statistics, draws), by counts of units less their mean of 1.

    Counts are multinomial: of slopes with mean 0 the second and third cumulants are the sums of their powers.
    """
    gaps = draws - draws.mean(axis=1, keepdims=True)
    slopes = gaps @ counts.T @ np.linalg.pinv(counts @ counts.T, hermitian=True)
    slopes -= slopes.mean(axis=1, keepdims=True)
    linear = slopes @ counts
    linear -= linear.mean(axis=1, keepdims=True)
    rest = gaps - linear
    second = (slopes**2).sum(axis=1) + (rest * (2 * linear + rest)).mean(axis=1)
    third = (slopes**3).sum(axis=1) + (rest * (3 * linear * (linear + rest) + rest**2)).mean(axis=1)
    varies = second > 0
    return np.where(varies, third / np.where(varies, second, 1.0) ** 1.5, 0.0)


def _transformed(t: Floats, skewness: Floats) -> Floats:
    """Hall's cubic, monotone transformation of a studentised mean, which takes the skewness out."""
    return t + skewness / 3 * t**2 + skewness**2 / 27 * t**3 + skewness / 6


def _untransformed(quantile: Floats, skewness: Floats) -> Floats:
    """The studentised mean that Hall's transformation takes to a quantile."""
    s = np.where(np.abs(skewness) < 1e-4, 1.0, skewness)
    found = 3 / s * (np.cbrt(1 + s * (quantile - s / 6)) - 1)
    return np.where(np.abs(skewness) < 1e-4, quantile, found)


def _continued(t: Floats, skewness: Floats, degrees: Floats) -> Floats:
    """Hall's transformation, going on where it is flat.

    By itself it gives eight standard errors the p-value of five: with a skewness of -.33 none is below .004.
    """
    s = np.where(np.abs(skewness) < 1e-4, 1e-4, skewness)
    side = -np.sign(s)
    decided = np.abs(_untransformed(side * scipy.special.stdtrit(degrees, _DECIDED), s))
    bend = np.maximum(3 * (1 - np.sqrt(_SLOPE)) / np.abs(s), decided)
    line = side * _transformed(side * bend, s) + _SLOPE * (np.abs(t) - bend)
    found = _transformed(t, skewness)
    beyond = (t * side > 0) & (np.abs(t) > bend)
    return np.where(beyond, side * np.maximum(side * found, line), found)


def _p_value(away: Floats, error: Floats, skewness: Floats, degrees: Floats, size: Floats) -> Floats:
    """Two-sided p-value of how far a statistic lies from what is tested."""
    varies = error > _ROUNDING * size
    t = away / np.where(varies, error, 1.0)
    p = np.maximum(
        *(2 * scipy.special.stdtr(degrees, -np.abs(v)) for v in (t, _continued(t, skewness, degrees)))
    )
    constant = np.where(np.abs(away) <= _ROUNDING * size, 1.0, np.nan)
    return np.where(np.isnan(error) | np.isnan(away), np.nan, np.where(varies, np.minimum(p, 1.0), constant))
