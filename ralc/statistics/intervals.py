r"""Estimates with their bootstrap draws, their intervals and p-values, for many statistics at once.

**Intervals** are studentised, because percentiles are too narrow with few answers: at 63 they cover 0.89 of the
differences of gECE. They take the standard error of the draws and the t distribution of the number of items or groups.
Where the draws are skewed, Hall's transformation reaches further on one side (Hall 1992). The wider of the two counts,
because with few items skewness itself is uncertain.

**The AUROC** is skewed near its bound of 1 alone, and not at 0.5, which is tested. Hall's transformation takes the
skewness along, and is flat behind three over it. With 6 of 42 answers right and an AUROC of 0.85 it excludes 0.5 in
47 % of samples, the rank test in 93 %. So what is bounded has the transformation's first order (Johnson 1978): 79 %,
with 3 % false rejections at 0.5. It covers 0.91 at least.

**Calibration errors** sum absolute mean gaps over bins. The absolute value of a gap lies above that of the true gap, by
0.80 standard errors where the true one is 0. This bias adds up over the bins, and is taken off bin by bin. What is
subtracted falls off like a normal curve where the gap is clear of its noise. The rest of the bias lies within 0.25
standard errors a bin. An interval reaches from the plain estimate to an overcorrected one, which takes off as much as a
gap of 0 is biased by. Draws hold the signs of the gaps. A gap below 0.75 standard errors may have either sign, which
can widen a difference of two errors: both are considered.

``python -m tests.bench coverage`` measures how they cover (``tests/data/coverage_measured.csv``). Paired differences
cover at least 0.940, with at most 0.058 false rejections; pooled endpoints 0.948, with at most 0.052.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ralc.beta.validation import Floats, as_floats, require

if TYPE_CHECKING:  # who needs numbers alone does not wait for tables to load
    import pandas as pd

#: Fewest answers of which an interval says anything; how intervals cover was tried from 60 on.
FEWEST = 20
#: Fewest right, and fewest wrong, answers from which discrimination is judged.
FEWEST_OF_EACH = 10
#: An interval narrower than that is rounding: all resamples say the same, and know no doubt.
WIDTHLESS = 1e-9
#: What is taken off on average where the true gap is 0, in standard errors. First for the debiased estimate, then for
#: one that is as low as it may be.
_DEBIASED = 0.55
_OVERCORRECTED = 0.8
#: Width of that correction, and the size of a gap whose sign is doubtful, in standard errors.
_WIDTH = 0.7
_DOUBTFUL = 0.75
#: Hall's transformation is all but flat near three over the skewness, in standard errors. Where its slope has fallen to
#: this, it goes on as steeply, but not before 95 % are decided.
_SLOPE = 0.25
_DECIDED = 0.975
#: A standard error that is a smaller share of the value is rounding: nothing varies.
_ROUNDING = 1e-12
#: Draws a unit from which its slope is known well enough, and statistics whose draws are held beside each other.
_PER_UNIT = 4
_AT_A_TIME = 200


@dataclass(frozen=True)
class Estimate:
    """A number and its bootstrap draws; two of the same resamples are paired.

    Parameters
    ----------
    value : float
        The number of the items as they are.
    draws : array of shape (resamples,)
        The number of each resample; NaN where it is not defined.
    debiased : float
        The number without the upward bias of calibration errors; of others the number itself.
    overcorrected : float
        The number with more than that bias taken off, where its interval begins; of others the number itself.
    units : int
        How many items, or groups of them, were drawn.
    size : int
        How many items the number is made of.
    alternatives : tuple of arrays of shape (resamples,)
        Of calibration errors, other draws that might be the right ones. Doubtful signs are turned in what is added,
        in what is taken off, and in both.
    counts : array of shape (units, resamples), optional
        How often each unit was drawn in each resample; None where the draws are of several bootstraps.
    bounded : bool
        Whether it is skewed near a bound alone (`Statistic.bounded`).
    """

    value: float
    draws: Floats
    debiased: float
    overcorrected: float
    units: int
    size: int
    alternatives: tuple[Floats, ...] = ()
    counts: Floats | None = None
    bounded: bool = False

    @classmethod
    def exact(cls, value: float, draws: Floats, units: int, size: int) -> Self:
        """Return an estimate that has no bias to take off.

        Parameters
        ----------
        value : float
            The number.
        draws : array of shape (resamples,)
            The number on each resample.
        units, size
            Groups that are resampled together, and the items in them.
        """
        return cls(value, draws, debiased=value, overcorrected=value, units=units, size=size)

    def turned(self, side: int, *, by: float) -> Floats:
        """Return the draws of an alternative in a sum that has this estimate `by` a factor.

        What is taken off has its first two sides exchanged. An estimate without alternatives has its draws.
        """
        if not self.alternatives:
            return self.draws
        opposite = (1, 0, 2)[side]
        return self.alternatives[side if by > 0 else opposite]

    @classmethod
    def combine(cls, parts: Sequence[tuple[Self, float]]) -> Self:
        """Return a weighted sum: a paired difference, a mean over models."""
        if len(parts) == 1 and parts[0][1] == 1:
            return parts[0][0]
        alternatives: tuple[Floats, ...] = ()
        if any(estimate.alternatives for estimate, _ in parts):
            alternatives = tuple(
                sum(factor * one.turned(side, by=factor) for one, factor in parts) for side in range(3)
            )
        counts = parts[0][0].counts
        summed = ("value", "draws", "debiased", "overcorrected")
        return cls(
            **{name: sum(factor * getattr(estimate, name) for estimate, factor in parts) for name in summed},
            units=min(estimate.units for estimate, _ in parts),
            size=min(estimate.size for estimate, _ in parts),
            alternatives=alternatives,
            counts=counts if all(estimate.counts is counts for estimate, _ in parts) else None,
            bounded=all(estimate.bounded for estimate, _ in parts),
        )

    @classmethod
    def pool(cls, parts: Sequence[Self]) -> Self:
        """Return the mean of estimates of independent bootstraps, such as of several datasets.

        Each has weight one, as many draws, and no bias to take off. `units` are Welch and Satterthwaite's.
        """
        if any(np.isnan(estimate.draws).all() for estimate in parts):
            return cls.combine([(estimate, 1 / len(parts)) for estimate in parts])
        free = np.array([max(estimate.units - 1, 1) for estimate in parts], dtype=np.float64)
        # A bootstrap of u units varies by the share (u - 1) / u of what new units would.
        deviations = [
            (estimate.draws - np.nanmean(estimate.draws)) * np.sqrt((n + 1) / n)
            for estimate, n in zip(parts, free, strict=True)
        ]
        variance = np.array([np.nanvar(draws) for draws in deviations])
        degrees = variance.sum() ** 2 / (variance**2 / free).sum() if variance.any() else free.min()
        units = max(int(degrees) + 1, 2)
        draws = sum(deviations) / len(parts) * np.sqrt((units - 1) / units)
        value = sum(estimate.value for estimate in parts) / len(parts)
        pooled = cls.exact(value, value + draws, units, sum(estimate.size for estimate in parts))
        return replace(pooled, bounded=all(estimate.bounded for estimate in parts))


def absolute_sum(gaps: Floats, *, units: int, size: int) -> Estimate:
    """Return the sum over bins of absolute mean gaps with its draws: a calibration error.

    Parameters
    ----------
    gaps : array of shape (bins, 1 + resamples)
        Mean gap of each bin, of the items as they are and of each resample.
    units, size : int
        How many items or groups were drawn, and how many items there are.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> error = absolute_sum(0.01 * rng.normal(size=(10, 1001)), units=60, size=60)
    >>> error.debiased < error.value
    True
    """
    means = gaps[:, 0]
    draws = gaps[:, 1:]
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.nanstd(draws, axis=1) * np.sqrt(units / max(units - 1, 1))
        standardised = np.where(error > 0, means / np.where(error > 0, error, 1.0), np.inf)
    sign = np.where(means >= 0, 1.0, -1.0)
    signed = sign @ draws
    flipped = np.where(np.abs(standardised) < _DOUBTFUL, -sign, sign) @ draws
    value = float(np.abs(means).sum())
    # 1 on average where the true gap is 0. Under a true gap t it is exp(-t^2 / (2 (1 + _WIDTH^2))).
    share = np.sqrt(1 + _WIDTH**2) / _WIDTH * np.exp(-(standardised**2) / (2 * _WIDTH**2))
    correction = float((share * error).sum())
    return Estimate(
        value=value,
        draws=signed,
        debiased=value - _DEBIASED * correction,
        overcorrected=value - _OVERCORRECTED * correction,
        units=units,
        size=size,
        alternatives=(flipped, signed, flipped),
    )


def intervals(
    estimates: Sequence[Estimate] | Mapping[str, Estimate], *, level: float = 0.95, null: float | None = None
) -> pd.DataFrame:
    """Return value, debiased value, standard error, interval and n of each estimate; with `null` its p-value.

    The p-value is two-sided: below 0.05 just where the interval of 95 % leaves `null` out.

    Parameters
    ----------
    estimates : sequence of Estimate, or mapping of names to them
    level : float
        Of the interval, in (0, 1).
    null : float, optional
        What the p-value tests.

    Returns
    -------
    DataFrame with columns ``value, debiased, standard_error, ci_low, ci_high``, with `null` ``p_value``, and ``n``, by
    name if there are names. All but values and n are NaN where fewer than two draws are defined. Where no draw differs,
    the interval is the value, and there is no p-value unless the value is `null`.
    """
    import pandas as pd

    index = pd.Index(estimates) if isinstance(estimates, Mapping) else None
    listed = list(estimates.values()) if isinstance(estimates, Mapping) else estimates
    edges = np.array([(one.value, one.overcorrected) for one in listed], dtype=np.float64).reshape(-1, 2)
    degrees = np.array([max(one.units - 1, 1) for one in listed], dtype=np.float64)
    error = _errors(listed)
    skewness = _skewness(listed)
    nearest = edges.min(axis=1)
    farthest = edges.max(axis=1)
    reach = scipy.special.stdtrit(degrees, (1 + level) / 2)
    bounded = np.array([one.bounded for one in listed], dtype=bool)
    columns = {
        "value": edges[:, 0],
        "debiased": np.array([one.debiased for one in listed], dtype=np.float64),
        "standard_error": error,
        "ci_low": nearest - error * np.maximum(reach, _untransformed(reach, skewness, bounded)),
        "ci_high": farthest - error * np.minimum(-reach, _untransformed(-reach, skewness, bounded)),
    }
    if null is not None:
        gap = np.clip(null, nearest, farthest) - null
        columns["p_value"] = _p_value(gap, error, skewness, degrees, np.abs(edges[:, 0]), bounded)
    return pd.DataFrame(columns | {"n": [one.size for one in listed]}, index=index)


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


def _errors(estimates: Sequence[Estimate]) -> Floats:
    """Standard error of each estimate; NaN with fewer than two defined draws."""
    error = np.full(len(estimates), np.nan)
    for place, one in enumerate(estimates):
        defined = ~np.isnan(one.draws)
        draws = np.stack([one.draws, *one.alternatives])
        if one.units >= 2 and defined.sum() >= 2:
            spread = (draws if defined.all() else draws[:, defined]).std(axis=1).max()
            # A bootstrap of u items varies by the share (u-1)/u of what new items would.
            error[place] = spread * np.sqrt(one.units / (one.units - 1))
    return error


def _skewness(estimates: Sequence[Estimate]) -> Floats:
    """Skewness of the draws of each estimate; 0 where they do not vary.

    Of 2,000 draws it scatters by 0.05 to 0.1 from seed to seed, which turns p-values of 0.01 to 0.04. The part
    that is linear in how often each unit was drawn has moments that are known exactly. Only the rest is left to chance.
    """
    skewness = np.zeros(len(estimates))
    same: dict[int, list[int]] = {}  # estimates with known slopes, by their counts
    for place, one in enumerate(estimates):
        missing = np.isnan(one.draws)
        counts = one.counts
        if counts is not None and _PER_UNIT * counts.shape[0] <= counts.shape[1] and not missing.any():
            same.setdefault(id(counts), []).append(place)
        elif not missing.all():
            draws = one.draws[None, ~missing]
            skewness[place] = _exact_skewness(draws, np.zeros_like(draws), np.zeros((1, 1)))[0]
    for places in same.values():
        counts = estimates[places[0]].counts - 1
        inverse = np.linalg.pinv(counts @ counts.T, hermitian=True)
        for some in (places[start : start + _AT_A_TIME] for start in range(0, len(places), _AT_A_TIME)):
            skewness[some] = _exact_skewness(np.stack([estimates[i].draws for i in some]), counts, inverse)
    return skewness


def _exact_skewness(draws: Floats, counts: Floats, inverse: Floats) -> Floats:
    """Skewness of draws of shape (estimates, draws), by multinomial counts of units less their mean of 1.

    `inverse` is that of counts @ counts.T. Second and third cumulants of slopes of mean 0 are sums of their powers.
    """
    gaps = draws - draws.mean(axis=1, keepdims=True)
    slopes = gaps @ counts.T @ inverse
    slopes -= slopes.mean(axis=1, keepdims=True)
    linear = slopes @ counts
    linear -= linear.mean(axis=1, keepdims=True)
    (s2, s3), (g2, g3), (l2, l3) = (
        (np.einsum("ij,ij->i", x, x), np.einsum("ij,ij,ij->i", x, x, x)) for x in (slopes, gaps, linear)
    )
    second = s2 + (g2 - l2) / draws.shape[1]
    third = s3 + (g3 - l3) / draws.shape[1]
    varies = second > (_ROUNDING * np.abs(draws).max(axis=1)) ** 2
    return np.where(varies, third / np.where(varies, second, 1.0) ** 1.5, 0.0)


def _transformed(t: Floats, skewness: Floats) -> Floats:
    """Hall's cubic, monotone transformation of a studentised mean, which takes the skewness out."""
    return t + skewness / 3 * t**2 + skewness**2 / 27 * t**3 + skewness / 6


def _untransformed(quantile: Floats, skewness: Floats, bounded: ArrayLike = False) -> Floats:
    """The studentised mean that Hall's transformation takes to a quantile; of what is `bounded`, its first order."""
    s = np.where(np.abs(skewness) < 1e-4, 1.0, skewness)
    mean = 3 / s * (np.cbrt(1 + s * (quantile - s / 6)) - 1)
    first = quantile - skewness * (2 * quantile**2 + 1) / 6
    return np.where(np.abs(skewness) < 1e-4, quantile, np.where(bounded, first, mean))


def _first_order(t: Floats, skewness: Floats) -> Floats:
    """The quantile whose first order (`_untransformed`) is a studentised mean, where that lies farther out."""
    s = np.maximum(-skewness * np.sign(t), 1e-4) / 3
    root = np.sqrt(np.maximum(1 + 4 * s * (np.abs(t) - s / 2), 0))
    return np.sign(t) * np.maximum((root - 1) / (2 * s), 0)


def _continued(t: Floats, skewness: Floats, degrees: Floats) -> Floats:
    """Hall's transformation, going on where it is flat.

    By itself it gives eight standard errors the p-value of five: with a skewness of -0.33 none is below 0.004.
    """
    s = np.where(np.abs(skewness) < 1e-4, 1e-4, skewness)
    side = -np.sign(s)
    decided = np.abs(_untransformed(side * scipy.special.stdtrit(degrees, _DECIDED), s))
    bend = np.maximum(3 * (1 - np.sqrt(_SLOPE)) / np.abs(s), decided)
    line = side * _transformed(side * bend, s) + _SLOPE * (np.abs(t) - bend)
    transformed = _transformed(t, skewness)
    beyond = (t * side > 0) & (np.abs(t) > bend)
    return np.where(beyond, side * np.maximum(side * transformed, line), transformed)


def _p_value(
    gap: Floats, error: Floats, skewness: Floats, degrees: Floats, size: Floats, bounded: np.ndarray
) -> Floats:
    """Two-sided p-value of how far an estimate lies from what is tested."""
    varies = error > _ROUNDING * size
    t = gap / np.where(varies, error, 1.0)
    both = t, np.where(bounded, _first_order(t, skewness), _continued(t, skewness, degrees))
    p = np.maximum(*(2 * scipy.special.stdtr(degrees, -np.abs(v)) for v in both))
    constant = np.where(np.abs(gap) <= _ROUNDING * size, 1.0, np.nan)
    return np.where(np.isnan(error) | np.isnan(gap), np.nan, np.where(varies, np.minimum(p, 1.0), constant))
