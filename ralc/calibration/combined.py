"""A logistic regression on two confidences: what one tells beside the other."""

from collections.abc import Sequence

import numpy as np
import scipy

from ralc.beta import Beta
from ralc.beta.validation import Floats
from ralc.calibration.base import (
    CalibrationMap,
    clipped_logit,
    one_class,
    slope_is_unknown,
    smoothed,
)
from ralc.calibration.logistic import fit_logistic

_EPS = 1e-6  # means are clipped to [eps, 1-eps] before the logit


class LogisticOfTwo(CalibrationMap):
    """Probability of being right from two confidences: sigmoid(w1 logit(m1) + w2 logit(m2) + b).

    Platt scaling (paper eq. 1) of two means, with Platt's smoothed targets, so that it has a maximum whatever the
    data. It takes Betas of shape (n, 2) (`side_by_side`) and gives one of shape (n,). A mean that is the same
    everywhere has no weight. The concentration is the lesser of the two: together they are no more evidence than the
    weaker has.

    Parameters
    ----------
    C : float
        Inverse strength of an L2 penalty on the weights, as in scikit-learn.
    bound, cautious
        As for `PlattScaling`: a cautious one is the base rate where no weight is above 0, or no slope is told.

    Examples
    --------
    >>> both = side_by_side([Beta([9, 8, 2, 1], [1, 2, 8, 9]), Beta([3, 1, 3, 1], [1, 3, 1, 3])])
    >>> LogisticOfTwo().fit(both, [1, 1, 0, 0]).transform(both).mean.round(2)
    array([0.7 , 0.67, 0.33, 0.3 ])
    """

    name = "logistic_of_two"
    takes = 2

    def __init__(
        self,
        C: float = 1.0,  # noqa: N803 (scikit-learn's name)
        bound: float = 1e-6,
        cautious: bool = False,
    ) -> None:
        self.C = C
        self.bound = bound
        self.cautious = cautious

    def _learn(self, mean: Floats, y: Floats) -> dict[str, bool]:
        features, targets = clipped_logit(mean, _EPS), smoothed(y)
        varies = (features.min(axis=0) < features.max(axis=0)) & (not one_class(y))
        weights, self.intercept_ = np.zeros(self.takes), float(scipy.special.logit(targets.mean()))
        if varies.any():
            weights[varies], self.intercept_ = fit_logistic(features[:, varies], targets, penalty=1 / self.C)
        self.weights_ = tuple(weights.tolist())
        unknown = all(slope_is_unknown(feature, y) for feature in features.T)
        return {"unidentified_slope": unknown, "negative_slope": weights.max() <= 0 and weights.any()}

    def _map(self, mean: Floats) -> Floats:
        return scipy.special.expit(clipped_logit(mean, _EPS) @ np.array(self.weights_) + self.intercept_)


def side_by_side(confidences: Sequence[Beta]) -> Beta:
    """Return confidences of shape (n,) as one Beta of shape (n, as many).

    >>> side_by_side([Beta([1, 2], 1), Beta([3, 4], 1)]).alpha
    array([[1., 3.],
           [2., 4.]])
    """
    return Beta(*(np.column_stack([getattr(one, name) for one in confidences]) for name in ("alpha", "beta")))
