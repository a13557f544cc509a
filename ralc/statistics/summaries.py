"""Correction for many comparisons, and means over models."""

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ralc.beta.validation import Floats, as_floats, require


class MeanOverModels(NamedTuple):
    """Mean over models, their standard deviation, and an interval for the mean."""

    value: float
    sd: float
    ci_low: float
    ci_high: float
    n: int


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


def mean_over_models(values: ArrayLike, *, level: float = 0.95) -> MeanOverModels:
    """Return the mean of one value a model, the standard deviation between models, and a t interval.

    The SD is that of the models (ddof 1), not of their mean. The interval is for models like these; SD and
    interval are NaN with one model.

    >>> mean_over_models([1.0, 2.0, 3.0])._asdict()["sd"]
    1.0
    """
    v = require(as_floats(values, "values"), np.isfinite, "values", "a finite number")
    if v.ndim != 1 or not v.size:
        raise ValueError(f"values must be a vector of at least one model: its shape is {v.shape}")
    mean = float(v.mean())
    if v.size == 1:
        return MeanOverModels(mean, float("nan"), float("nan"), float("nan"), 1)
    sd = float(v.std(ddof=1))
    half = float(scipy.special.stdtrit(v.size - 1, (1 + level) / 2)) * sd / np.sqrt(v.size)
    return MeanOverModels(mean, sd, mean - half, mean + half, v.size)
