"""A logistic regression on two confidences: what one tells beside the other."""

from collections.abc import Sequence
from typing import Self

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ralc.beta import Beta
from ralc.beta.validation import Floats, same_shape, shares
from ralc.calibration.base import clipped_logit, smoothed
from ralc.calibration.logistic import fit_logistic
from ralc.calibration.parameters import Estimator

_EPS = 1e-6  # means are clipped to [eps, 1-eps], before the logit and after


class LogisticOfTwo(Estimator):
    """Probability of being right from two confidences: sigmoid(w1 logit(m1) + w2 logit(m2) + b).

    Platt scaling (paper eq. 1) of two means, with Platt's smoothed targets, so that it has a maximum whatever the
    data. A mean that is the same everywhere has no weight. The concentration is the lesser of the two: together they
    are no more evidence than the weaker has.

    Parameters
    ----------
    C : float
        Inverse strength of an L2 penalty on the weights, as in scikit-learn.

    Examples
    --------
    >>> one, other = Beta([9, 8, 2, 1], [1, 2, 8, 9]), Beta([3, 1, 3, 1], [1, 3, 1, 3])
    >>> LogisticOfTwo().fit([one, other], [1, 1, 0, 0]).transform([one, other]).mean.round(2)
    array([0.7 , 0.67, 0.33, 0.3 ])
    """

    def __init__(self, C: float = 1.0) -> None:  # noqa: N803 (scikit-learn's name)
        self.C = C

    def fit(self, confidences: Sequence[Beta], outcome: ArrayLike) -> Self:
        """Fit to two confidences of shape (n,) and outcomes of the same shape, 0, 1 or shares in between; return it.

        Raises
        ------
        ValueError
            If an outcome is outside [0, 1], or the shapes differ.
        """
        targets = smoothed(shares(outcome))
        features = self._features(confidences)
        same_shape(targets.shape, features[:, 0].shape, names="outcome and confidences")
        varies = features.min(axis=0) < features.max(axis=0)
        self.weights_ = np.zeros(features.shape[1])
        self.intercept_ = float(scipy.special.logit(targets.mean()))
        if varies.any():
            slopes, self.intercept_ = fit_logistic(features[:, varies], targets, penalty=1 / self.C)
            self.weights_[varies] = slopes
        return self

    def transform(self, confidences: Sequence[Beta]) -> Beta:
        """Return one confidence for each pair, a Beta of shape (n,), its means within 1e-6 of 0 and 1.

        Raises
        ------
        NotFittedError
            (A ValueError) if it has not been fitted.
        """
        self.require_fitted("weights_")
        mean = scipy.special.expit(self._features(confidences) @ self.weights_ + self.intercept_)
        weaker = np.minimum(*(one.concentration for one in confidences))
        return Beta.from_mean_concentration(np.clip(mean, _EPS, 1 - _EPS), weaker)

    def _features(self, confidences: Sequence[Beta]) -> Floats:
        one, other = confidences
        return np.column_stack([clipped_logit(each.mean, _EPS) for each in (one, other)])
