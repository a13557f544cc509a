"""Correction for many comparisons."""

import numpy as np
from numpy.typing import ArrayLike

from ralc.beta.validation import Floats, as_floats, require


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
