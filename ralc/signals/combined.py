"""Two signals as one, before graded answers have told what each is worth."""

import numpy as np
import scipy

from ralc.beta import Beta


def equal_weights(one: Beta, other: Beta) -> Beta:
    """Confidence by two signals of equal weight: their logarithmic opinion pool (Genest and Zidek 1986).

    The mean is sigmoid of the mean of the two logits; the concentration the lesser of the two: together they are no
    more evidence than the weaker has. What weights grades would give them is `ralc.calibration.LogisticOfTwo`'s to say.

    Parameters
    ----------
    one, other : Beta of the same shape
        The signals.

    Examples
    --------
    >>> equal_weights(Beta(16, 4), Beta(4, 1))  # who says the same twice says it once
    Beta(alpha=4.0, beta=1.0)
    """
    logit = (np.log(one.alpha / one.beta) + np.log(other.alpha / other.beta)) / 2
    weaker = np.minimum(one.concentration, other.concentration)
    return Beta(weaker * scipy.special.expit(logit), weaker * scipy.special.expit(-logit))
