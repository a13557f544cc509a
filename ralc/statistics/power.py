"""What a number of questions can show: the smallest difference that would mostly be found."""

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ralc.beta.validation import Floats, as_floats, require

#: Fewest answers of which an interval says anything; how intervals cover was tried from 60 on.
FEWEST = 20
#: An interval narrower than that is rounding: all resamples say the same, and know no doubt.
WIDTHLESS = 1e-9


def smallest_difference(half_width: ArrayLike, *, power: float = 0.8, level: float = 0.95) -> Floats:
    """Return the difference that an interval of this half width excludes 0 for, with this probability.

    Half the width of an interval is 1.96 standard errors; a true difference of 2.8 is found in 80 % of studies of the
    same size, one of 1.96 in half of them.

    Parameters
    ----------
    half_width : array_like
        Half the width of the interval of a paired difference, at least 0; NaN stays.
    power : float
        Share of studies that find the difference, in (0, 1).
    level : float
        Of the interval, in (0, 1).

    Raises
    ------
    ValueError
        If a half width is negative, or a share out of range.

    Examples
    --------
    >>> smallest_difference([0.07, 0.14]).round(3)
    array([0.1, 0.2])
    """
    half = require(
        as_floats(half_width, "half_width"), lambda v: np.isnan(v) | (v >= 0), "half_width", "at least 0"
    )
    for name, share in (("power", power), ("level", level)):
        if not 0 < share < 1:
            raise ValueError(f"{name} must be in (0, 1): {name} = {share}")
    reach = scipy.special.ndtri((1 + level) / 2)
    return (half * (reach + scipy.special.ndtri(power)) / reach)[()]
