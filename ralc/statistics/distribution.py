"""What a bootstrap gives of one number: its value, its draws, and what a calibration error has besides.

A calibration error sums absolute mean gaps over bins. The absolute value of such a gap lies above that of the true
gap, by .80 standard errors where the true one is 0, and the bias adds up over the bins. It is taken off bin by bin,
as far as one can: no estimate of an absolute value is free of bias at 0. What is subtracted falls off like a normal
curve where the gap is clear of its noise; the bias of the debiased estimate then lies within .25 standard errors a
bin. An interval reaches from the plain estimate to one that takes off as much as a gap of 0 is biased by: it covers,
where an interval about a single estimate does not.

The draws hold the signs of the gaps, so that they are those of a mean. A gap below .75 standard errors may have
either sign; where two such errors are compared, turning them can widen the difference by much, so both are
considered.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from ralc.beta.validation import Floats

#: What is taken off on average where the true gap is 0, in standard errors: for the debiased estimate, and for one that
#: is as low as it may be.
_DEBIASED, _OVERCORRECTED = 0.55, 0.8
#: Width of the correction, in standard errors.
_WIDTH = 0.7
#: A gap of fewer standard errors has a doubtful sign.
_DOUBTFUL = 0.75


@dataclass(frozen=True)
class Drawn:
    """A number and its draws; two of one bootstrap saw the same resamples, so that their difference is paired.

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
    turned : tuple of arrays of shape (resamples,)
        Of calibration errors, other draws that might be the right ones: with the
        doubtful signs turned in what is added, in what is taken off, and in both.
    counts : array of shape (units, resamples), optional
        How often each unit was drawn in each resample; None where the draws are of several bootstraps.
    """

    value: float
    draws: Floats
    debiased: float
    overcorrected: float
    units: int
    size: int
    turned: tuple[Floats, ...] = ()
    counts: Floats | None = None

    @classmethod
    def exact(cls, value: float, draws: Floats, units: int, size: int) -> Self:
        """Return a number that has no bias to take off."""
        return cls(value, draws, debiased=value, overcorrected=value, units=units, size=size)

    @classmethod
    def combine(cls, parts: Sequence[tuple[Self, float]]) -> Self:
        """Return a weighted sum: a paired difference, a mean over models."""
        turned: tuple[Floats, ...] = ()
        if any(one.turned for one, _ in parts):
            turned = tuple(_sum_turned(parts, side) for side in range(3))
        counts = parts[0][0].counts
        return cls(
            value=sum(factor * one.value for one, factor in parts),
            draws=sum(factor * one.draws for one, factor in parts),
            debiased=sum(factor * one.debiased for one, factor in parts),
            overcorrected=sum(factor * one.overcorrected for one, factor in parts),
            units=min(one.units for one, _ in parts),
            size=min(one.size for one, _ in parts),
            turned=turned,
            counts=counts if all(one.counts is counts for one, _ in parts) else None,
        )

    @classmethod
    def pool(cls, parts: Sequence[Self]) -> Self:
        """Return the mean of numbers of independent bootstraps, such as of several datasets.

        Each has weight one, as many draws, and no bias to take off. `units` are Welch and Satterthwaite's.
        """
        if any(np.isnan(one.draws).all() for one in parts):
            return cls.combine([(one, 1 / len(parts)) for one in parts])
        free = np.array([max(one.units - 1, 1) for one in parts], dtype=np.float64)
        # A bootstrap of u units varies by the share (u - 1) / u of what new units would.
        away = [
            (one.draws - np.nanmean(one.draws)) * np.sqrt((n + 1) / n)
            for one, n in zip(parts, free, strict=True)
        ]
        variance = np.array([np.nanvar(draws) for draws in away])
        degrees = variance.sum() ** 2 / (variance**2 / free).sum() if variance.any() else free.min()
        units = max(int(degrees) + 1, 2)
        draws = sum(away) / len(parts) * np.sqrt((units - 1) / units)
        value = sum(one.value for one in parts) / len(parts)
        return cls.exact(value, value + draws, units, sum(one.size for one in parts))


def _sum_turned(parts: Sequence[tuple[Drawn, float]], side: int) -> Floats:
    """One of the three other draws of a sum: what is taken off has its sides exchanged."""
    total = np.zeros(len(parts[0][0].draws))
    for one, factor in parts:
        own = side if factor > 0 else (1, 0, 2)[side]
        total = total + factor * (one.turned[own] if one.turned else one.draws)
    return total


def absolute_sum(gaps: Floats, *, units: int, size: int) -> Drawn:
    """Return the sum over bins of absolute mean gaps with its draws.

    Parameters
    ----------
    gaps : array of shape (bins, 1 + resamples)
        Mean gap of each bin, of the items as they are and of each resample.
    units, size : int
        How many items or groups were drawn, and how many items there are.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> draws = absolute_sum(0.01 * rng.normal(size=(10, 1001)), units=60, size=60)
    >>> draws.debiased < draws.value
    True
    """
    means, draws = gaps[:, 0], gaps[:, 1:]
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.nanstd(draws, axis=1) * np.sqrt(units / max(units - 1, 1))
        standardised = np.where(error > 0, means / np.where(error > 0, error, 1.0), np.inf)
    sign = np.where(means >= 0, 1.0, -1.0)
    turned = np.where(np.abs(standardised) < _DOUBTFUL, -sign, sign)
    value = float(np.abs(means).sum())
    correction = float((_correction(standardised) * error).sum())
    other = turned @ draws
    held = sign @ draws
    return Drawn(
        value=value,
        draws=held,
        debiased=value - _DEBIASED * correction,
        overcorrected=value - _OVERCORRECTED * correction,
        units=units,
        size=size,
        turned=(other, held, other),
    )


def _correction(standardised: Floats) -> Floats:
    """What is taken off absolute mean gaps, in standard errors; 1 on average where the true gap is 0."""
    # Expected under a true gap t: exp(-t^2 / (2 (1 + _WIDTH^2))), beside a bias that falls from .80 to 0.
    return np.sqrt(1 + _WIDTH**2) / _WIDTH * np.exp(-(standardised**2) / (2 * _WIDTH**2))
