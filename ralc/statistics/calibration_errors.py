"""Calibration errors: sums over bins of the absolute mean gap, their bias, and what their draws are.

The absolute value of a mean gap lies above that of the true gap, by .80 standard errors where the true one is 0, and
the bias adds up over the bins. It is taken off bin by bin, as far as one can: no estimate of an absolute value is free
of bias at 0. What is subtracted falls off like a normal curve where the gap is clear of its noise; the bias of the
debiased estimate then lies within .25 standard errors a bin. An interval reaches from the plain estimate to one that
takes off as much as a gap of 0 is biased by: it covers, where an interval about a single estimate does not.

The draws hold the signs of the gaps, so that they are those of a mean. A gap below .75 standard errors may have either
sign; where two such errors are compared, turning them can widen the difference by much, so both are considered.
"""

import numpy as np

from ralc.beta.validation import Floats
from ralc.statistics.drawn import Drawn

#: What is taken off on average where the true gap is 0, in standard errors: for the debiased estimate, and for one that
#: is as low as it may be.
_DEBIASED, _OVERCORRECTED = 0.55, 0.8
#: Width of the correction, in standard errors.
_WIDTH = 0.7
#: A gap of fewer standard errors has a doubtful sign.
_DOUBTFUL = 0.75


def absolute_sum(gaps: Floats, *, units: int, size: int, null: float = 0.0) -> Drawn:
    """Return the sum over bins of absolute mean gaps, less `null`, with its draws.

    Parameters
    ----------
    gaps : array of shape (bins, 1 + resamples)
        Mean gap of each bin, of the items as they are and of each resample.
    units, size : int
        How many items or groups were drawn, and how many items there are.
    null : float
        What is taken off the sum: the excess over it is the number.

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
    value = float(np.abs(means).sum() - null)
    correction = float((_correction(standardised) * error).sum())
    other = turned @ draws - null
    held = sign @ draws - null
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
