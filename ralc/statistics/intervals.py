"""Intervals and p-values from what a bootstrap drew, for many statistics at once."""

import numpy as np
import pandas as pd
from scipy import special

from ralc.beta.validation import Floats


def intervals(
    estimates: Floats, draws: Floats, *, level: float = 0.95, null: float | None = None
) -> pd.DataFrame:
    """Return value, standard error and interval of each statistic; with `null` its p-value, two-sided.

    Intervals are bias-corrected percentiles (Efron 1987): resampling pushes calibration errors up, and plain
    percentiles would count that bias twice. The p-value is the level at which the interval just reaches `null`,
    with one resample added on either side, so that it is never 0.

    Parameters
    ----------
    estimates : array of shape (statistics,)
        Each statistic of the items as they are.
    draws : array of shape (statistics, resamples)
        Each statistic of each resample; NaN where it is not defined: those are left out.
    level : float
        Of the interval, in (0, 1).
    null : float, optional
        What the p-value tests.

    Returns
    -------
    DataFrame with columns ``value, standard_error, ci_low, ci_high`` and, with `null`, ``p_value``; NaN where no
    draw is defined.
    """
    ordered = np.sort(draws, axis=1)  # NaN last
    kept = draws.shape[1] - np.isnan(draws).sum(axis=1)
    bias = _bias(estimates, ordered, kept)
    low, high = special.ndtri([(1 - level) / 2, (1 + level) / 2])
    with np.errstate(invalid="ignore", divide="ignore"):
        squares = np.nansum((draws - np.nansum(draws, axis=1, keepdims=True) / kept[:, None]) ** 2, axis=1)
        error = np.sqrt(squares / (kept - 1))
    table = pd.DataFrame(
        {
            "value": estimates,
            "standard_error": np.where(kept > 1, error, np.nan),
            "ci_low": _quantile(ordered, kept, special.ndtr(2 * bias + low)),
            "ci_high": _quantile(ordered, kept, special.ndtr(2 * bias + high)),
        }
    )
    return table if null is None else table.assign(p_value=_p_value(draws, kept, null, bias))


def _bias(estimates: Floats, ordered: Floats, kept: np.ndarray) -> Floats:
    """Normal quantile of the share of draws below the value; 0 where that says nothing."""
    largest = np.abs(np.nan_to_num(ordered)).max(axis=1)
    # A rounding of the statistic is a tie, which counts half.
    slack = (1e-12 * np.maximum(np.abs(np.nan_to_num(estimates)), largest))[:, None]
    values = estimates[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        below, up_to = (ordered < values - slack).sum(axis=1), (ordered <= values + slack).sum(axis=1)
        share = (below + up_to) / 2 / kept
        bias = special.ndtri(np.clip(share, 1 / (kept + 1), kept / (kept + 1)))
    return np.where((kept > 0) & ~np.isnan(estimates), bias, 0.0)


def _quantile(ordered: Floats, kept: np.ndarray, shares: Floats) -> Floats:
    """A quantile of the defined draws of each row, interpolated linearly; NaN where none is."""
    place = shares * np.maximum(kept - 1, 0)
    floor = np.floor(place).astype(np.intp)
    rows = np.arange(len(ordered))
    low, high = ordered[rows, floor], ordered[rows, np.minimum(floor + 1, np.maximum(kept - 1, 0))]
    return low + (high - low) * (place - floor)


def _p_value(draws: Floats, kept: np.ndarray, null: float, bias: Floats) -> Floats:
    """Two-sided p-value of each statistic being `null`."""
    smallest = 1 / (kept + 1)
    low, high = (
        special.ndtri(np.minimum((side.sum(axis=1) + 1) * smallest, 1.0))
        for side in (draws <= null, draws >= null)
    )
    # The bias correction of the interval, undone at `null`.
    corrected = np.minimum(special.ndtr(low - 2 * bias), special.ndtr(high + 2 * bias))
    return np.where(kept > 0, np.clip(2 * corrected, 2 * smallest, 1.0), np.nan)
