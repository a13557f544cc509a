"""Maps of a few parameters: identity, Platt scaling, temperature scaling, Beta calibration."""

import numpy as np
import scipy

from ralc.beta import Beta, require_beta
from ralc.beta.validation import Floats
from ralc.calibration.base import (
    CalibrationMap,
    clipped_logit,
    one_class,
    separated,
    slope_is_unknown,
    smoothed,
)
from ralc.calibration.logistic import fit_logistic


class Identity(CalibrationMap):
    """The map that changes nothing.

    >>> Identity().fit(Beta([3, 1], [1, 1]), [1, 0]).transform(Beta(3, 1))
    Beta(alpha=3.0, beta=1.0)
    """

    name = "identity"

    def transform(self, confidence: Beta) -> Beta:
        """Return the confidences as they are."""
        self.require_fitted("flags_")
        return require_beta(confidence)

    def _learn(self, mean: Floats, y: Floats) -> dict[str, bool]:
        return {}

    def _map(self, mean: Floats) -> Floats:
        return mean


class PlattScaling(CalibrationMap):
    """Platt scaling of the mean, sigmoid(slope logit(mean) + intercept), by maximum likelihood.

    Paper eq. 1. Where the likelihood has no maximum (the means separate right from wrong, or all outcomes are
    equal) it is fitted to Platt's smoothed targets, which always has one, and flagged.

    Parameters
    ----------
    smoothing : bool
        Whether to fit Platt's smoothed targets in any case.
    eps : float
        Means are clipped to [eps, 1-eps] before the logit.
    logit : bool
        Whether the sigmoid takes the logit of the mean (the paper) or the mean itself (the authors' code).
    C : float
        Inverse strength of an L2 penalty on the slope, as in scikit-learn; infinite means none.
    bound : float
        Means that come out lie in [bound, 1-bound].
    cautious : bool
        Whether a map that would turn the order round, or whose slope the data do not tell, is the base rate instead.

    Examples
    --------
    >>> platt = PlattScaling().fit(Beta([9, 8, 2, 6, 1], [1, 2, 8, 4, 9]), [1, 0, 0, 1, 0])
    >>> round(platt.slope_, 3), round(platt.intercept_, 3), platt.flags_
    (1.023, -0.81, ('few_items',))
    """

    name = "platt"

    def __init__(
        self,
        smoothing: bool = False,
        eps: float = 1e-6,
        logit: bool = True,
        C: float = np.inf,  # noqa: N803 (scikit-learn's name)
        bound: float = 1e-6,
        cautious: bool = False,
    ) -> None:
        self.smoothing = smoothing
        self.eps = eps
        self.logit = logit
        self.C = C
        self.bound = bound
        self.cautious = cautious

    def _learn(self, mean: Floats, y: Floats) -> dict[str, bool]:
        x = self._feature(mean)
        separation, unanimous = separated(x, y), one_class(y)
        boundless = unanimous or (separation and np.isinf(self.C))
        targets = smoothed(y) if self.smoothing or boundless else y
        flat = unanimous or x.min() == x.max()
        if flat:
            self.slope_, self.intercept_ = 0.0, float(scipy.special.logit(targets.mean()))
        else:
            slopes, self.intercept_ = fit_logistic(x[:, None], targets, penalty=1 / self.C)
            self.slope_ = float(slopes[0])
        return {
            "separation": separation,
            "unidentified_slope": flat or slope_is_unknown(clipped_logit(mean, self.eps), y),
            "negative_slope": self.slope_ < 0,
        }

    def _map(self, mean: Floats) -> Floats:
        return scipy.special.expit(self.slope_ * self._feature(mean) + self.intercept_)

    def _feature(self, mean: Floats) -> Floats:
        return clipped_logit(mean, self.eps) if self.logit else mean


class TemperatureScaling(CalibrationMap):
    """Temperature scaling of the mean, sigmoid(slope logit(mean)), by maximum likelihood (Guo et al. 2017).

    The slope is 1/temperature and not negative: where the data ask for less than 0 it is 0, flagged.

    Parameters
    ----------
    eps, bound, cautious
        As for `PlattScaling`.

    Examples
    --------
    >>> temperature = TemperatureScaling().fit(Beta([9, 9, 9, 9], [1, 1, 1, 1]), [1, 1, 1, 0])
    >>> temperature.transform(Beta(9, 1)).mean.round(6)
    np.float64(0.75)
    """

    name = "temperature"

    def __init__(self, eps: float = 1e-6, bound: float = 1e-6, cautious: bool = False) -> None:
        self.eps = eps
        self.bound = bound
        self.cautious = cautious

    def _learn(self, mean: Floats, y: Floats) -> dict[str, bool]:
        x = clipped_logit(mean, self.eps)
        if not x.any():
            self.slope_ = 1.0
            return {"unidentified_slope": True}
        agreement = np.append(x[y > 0], -x[y < 1])
        boundless = agreement.min() >= 0 or agreement.max() <= 0
        slopes, _ = fit_logistic(x[:, None], smoothed(y) if boundless else y, intercept=False)
        self.slope_ = max(float(slopes[0]), 0.0)
        # The information on the slope at slope 0, where every answer has probability 1/2.
        unknown = (x**2).sum() / 4 < 1
        return {"separation": boundless, "unidentified_slope": unknown, "negative_slope": slopes[0] < 0}

    def _map(self, mean: Floats) -> Floats:
        return scipy.special.expit(self.slope_ * clipped_logit(mean, self.eps))


class BetaCalibration(CalibrationMap):
    """Beta calibration, sigmoid(a ln(mean) - b ln(1-mean) + c), by maximum likelihood (Kull et al. 2017).

    As in the method's own package, a coefficient that comes out negative is set to 0 and the others are
    fitted again. Without a maximum it is fitted to Platt's smoothed targets, flagged.

    Parameters
    ----------
    eps, bound, cautious
        As for `PlattScaling`.

    Examples
    --------
    >>> beta = BetaCalibration().fit(Beta([9, 8, 2, 6, 1, 4], [1, 2, 8, 4, 9, 6]), [1, 1, 0, 0, 1, 0])
    >>> beta.coefficients_[0] >= 0 and beta.coefficients_[1] >= 0
    True
    """

    name = "beta"

    def __init__(self, eps: float = 1e-6, bound: float = 1e-6, cautious: bool = False) -> None:
        self.eps = eps
        self.bound = bound
        self.cautious = cautious

    def _learn(self, mean: Floats, y: Floats) -> dict[str, bool]:
        features = self._features(mean)
        separation, unanimous = separated(features[:, 0], y), one_class(y)
        targets = smoothed(y) if unanimous or separation else y
        flat = unanimous or np.ptp(features[:, 0]) == 0
        if flat:
            slopes, self.intercept_ = np.zeros(2), float(scipy.special.logit(targets.mean()))
        else:
            slopes, self.intercept_ = _fit_signed(features, targets)
        self.coefficients_ = tuple(float(v) for v in slopes)
        return {
            "separation": separation,
            "unidentified_slope": flat or slope_is_unknown(clipped_logit(mean, self.eps), y),
            "negative_slope": slopes.min() < 0,
        }

    def _map(self, mean: Floats) -> Floats:
        return scipy.special.expit(self._features(mean) @ np.array(self.coefficients_) + self.intercept_)

    def _features(self, mean: Floats) -> Floats:
        eps = max(self.eps, float(np.finfo(float).epsneg))
        p = np.clip(mean, eps, 1 - eps)
        return np.stack([np.log(p), -np.log1p(-p)], axis=-1)


def _fit_signed(features: Floats, targets: Floats) -> tuple[Floats, float]:
    """Fit two coefficients; where one is negative, set it to 0 and fit the other alone."""
    # PAPER Kull et al. 2017, section 4; the other may then come out negative, as in their package.
    slopes, intercept = fit_logistic(features, targets)
    if slopes.min() < 0:
        kept = 1 if slopes[0] < 0 else 0
        alone, intercept = fit_logistic(features[:, [kept]], targets)
        slopes = np.zeros(2)
        slopes[kept] = alone[0]
    return slopes, intercept
