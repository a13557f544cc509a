"""Maps of a few parameters: identity, Platt scaling, temperature scaling, Beta calibration."""

from collections.abc import Mapping

import numpy as np
import scipy
from sklearn.utils.validation import check_is_fitted

from ralc.beta import Beta, require_beta
from ralc.beta.validation import Floats
from ralc.calibration.base import CalibrationMap, clipped_logit, one_class, separated, smoothed
from ralc.calibration.logistic import fit_logistic
from ralc.protocols import SlopePrior

#: A prior as a map takes it: ``mean``, ``sd`` of the slope, ``intercept_sd`` (None: no prior of the intercept).
Prior = Mapping[str, float | None] | None


class Identity(CalibrationMap):
    """The map that changes nothing.

    >>> Identity().fit(Beta([3, 1], [1, 1]), [1, 0]).transform(Beta(3, 1))
    Beta(alpha=3.0, beta=1.0)
    """

    name = "identity"

    def transform(self, confidence: Beta) -> Beta:
        """Return the confidences as they are."""
        check_is_fitted(self, "flags_")
        return require_beta(confidence)

    def _learn(self, mean: Floats, y: Floats) -> dict[str, bool]:
        return {}

    def _map(self, mean: Floats) -> Floats:
        return mean


class PlattScaling(CalibrationMap):
    """Platt scaling of the mean, sigmoid(slope logit(mean) + intercept), of largest posterior density.

    Paper eq. 1, by maximum likelihood where there is no prior. Where the likelihood has no maximum (the means separate
    right from wrong, or all outcomes are equal) it is then fitted to Platt's smoothed targets, and flagged.

    Parameters
    ----------
    smoothing : bool
        Whether to fit Platt's smoothed targets in any case.
    eps : float
        Means are clipped to [eps, 1-eps] before the logit.
    logit : bool
        Whether the sigmoid takes the logit of the mean (the paper) or the mean itself (the authors' code).
    slope_prior : mapping, optional
        ``mean`` and ``sd`` of the slope's normal prior, ``intercept_sd`` of the intercept's about 0 (None: none). Where
        the slope's is centred above 0, a slope that comes out negative is 0, flagged ``negative_slope`` and ``flat``.
        ``{"mean": 0, "sd": 1 / sqrt(l)}`` is an L2 penalty of l.
    bound : float
        Means that come out lie in [bound, 1-bound].

    Examples
    --------
    >>> confidence, outcome = Beta([9, 8, 2, 6, 1], [1, 2, 8, 4, 9]), [1, 0, 0, 1, 0]
    >>> platt = PlattScaling().fit(confidence, outcome)
    >>> round(platt.slope_, 3), round(platt.intercept_, 3), platt.flags_
    (1.023, -0.81, ('few_items',))
    >>> prior = {"mean": 0.8, "sd": 0.5, "intercept_sd": 1.5}
    >>> platt = PlattScaling(slope_prior=prior).fit(confidence, outcome)
    >>> round(platt.slope_, 3), round(platt.data_share_, 2), platt.flags_
    (0.838, 0.3, ('few_items', 'mostly_prior'))
    """

    name = "platt"

    def __init__(
        self,
        smoothing: bool = False,
        eps: float = 1e-6,
        logit: bool = True,
        slope_prior: Prior = None,
        bound: float = 1e-6,
    ) -> None:
        self.smoothing = smoothing
        self.eps = eps
        self.logit = logit
        self.slope_prior = slope_prior
        self.bound = bound

    def _learn(self, mean: Floats, y: Floats) -> dict[str, bool]:
        prior = _read(self.slope_prior)
        signed = prior is not None and prior.monotone
        x = self._feature(mean)
        slopes, self.intercept_, flags = _fit(
            x[:, None], smoothed(y) if self.smoothing else y, prior, drops=int(signed)
        )
        self.slope_ = float(slopes[0])
        self.data_share_ = _data_share(x, self._map(mean), prior)
        return flags | {"negative_slope": flags["negative_slope"] or self.slope_ < 0}

    def _map(self, mean: Floats) -> Floats:
        return scipy.special.expit(self.slope_ * self._feature(mean) + self.intercept_)

    def _feature(self, mean: Floats) -> Floats:
        return clipped_logit(mean, self.eps) if self.logit else mean


class TemperatureScaling(CalibrationMap):
    """Temperature scaling of the mean, sigmoid(slope logit(mean)), of largest posterior density (Guo et al. 2017).

    The slope is 1/temperature and not negative. Its logarithm has a normal prior: the slope's median is the prior's
    mean, the standard deviation of the logarithm is the prior's coefficient of variation. Without a prior, data that
    ask for a slope below 0 get 0, flagged.

    Parameters
    ----------
    eps, slope_prior, bound
        As for `PlattScaling`; a prior centred at 0 says nothing of a logarithm, and is none.

    Examples
    --------
    >>> temperature = TemperatureScaling().fit(Beta([9, 9, 9, 9], [1, 1, 1, 1]), [1, 1, 1, 0])
    >>> temperature.transform(Beta(9, 1)).mean.round(6)
    np.float64(0.75)
    """

    name = "temperature"

    def __init__(self, eps: float = 1e-6, slope_prior: Prior = None, bound: float = 1e-6) -> None:
        self.eps = eps
        self.slope_prior = slope_prior
        self.bound = bound

    def _learn(self, mean: Floats, y: Floats) -> dict[str, bool]:
        x = clipped_logit(mean, self.eps)
        prior = _read(self.slope_prior)
        centre, sd = (prior.mean, prior.sd / prior.mean) if prior and prior.monotone else (1.0, np.inf)
        agreement = np.append(x[y > 0], -x[y < 1])
        boundless = np.isinf(sd) and bool(agreement.min() >= 0 or agreement.max() <= 0)
        targets = smoothed(y) if boundless else y

        def uphill(log_slope: float) -> float:
            """Return the derivative of the negative log posterior by the logarithm of the slope."""
            slope = np.exp(log_slope)
            return (
                slope * x @ (scipy.special.expit(slope * x) - targets) + (log_slope - np.log(centre)) / sd**2
            )

        negative = bool(x @ (0.5 - targets) > 0)
        if np.isinf(sd) and (negative or not x.any()):
            self.slope_ = 0.0 if negative else 1.0
        else:
            self.slope_ = float(np.exp(scipy.optimize.brentq(uphill, -20, 20, xtol=1e-14)))
        p = scipy.special.expit(self.slope_ * x)
        information = float((p * (1 - p) * (self.slope_ * x) ** 2).sum())
        self.data_share_ = 1.0 if np.isinf(sd) else information / (information + 1 / sd**2)
        return {
            "separation": boundless,
            "unidentified_slope": np.isinf(sd) and not x.any(),
            "negative_slope": negative,
            "flat": self.slope_ == 0,
        }

    def _map(self, mean: Floats) -> Floats:
        return scipy.special.expit(self.slope_ * clipped_logit(mean, self.eps))


class BetaCalibration(CalibrationMap):
    """Beta calibration, sigmoid(a ln(mean) - b ln(1-mean) + c), of largest posterior density (Kull et al. 2017).

    As in the method's own package, a coefficient that comes out negative is set to 0 and the others are fitted again.
    Without a prior and a maximum it is fitted to Platt's smoothed targets, flagged.

    Parameters
    ----------
    eps, slope_prior, bound
        As for `PlattScaling`; a and b have the prior of the slope each.

    Examples
    --------
    >>> beta = BetaCalibration().fit(Beta([9, 8, 2, 6, 1, 4], [1, 2, 8, 4, 9, 6]), [1, 1, 0, 0, 1, 0])
    >>> beta.coefficients_[0] >= 0 and beta.coefficients_[1] >= 0
    True
    """

    name = "beta"

    def __init__(self, eps: float = 1e-6, slope_prior: Prior = None, bound: float = 1e-6) -> None:
        self.eps = eps
        self.slope_prior = slope_prior
        self.bound = bound

    def _learn(self, mean: Floats, y: Floats) -> dict[str, bool]:
        prior = _read(self.slope_prior)
        # PAPER Kull et al. 2017, section 4: one coefficient is dropped; the other may then come out negative, as in
        # their package. A prior that rules negative slopes out drops it too.
        drops = 2 if prior is not None and prior.monotone else 1
        slopes, self.intercept_, flags = _fit(self._features(mean), y, prior, drops=drops)
        self.coefficients_ = tuple(float(v) for v in slopes)
        self.data_share_ = _data_share(clipped_logit(mean, self.eps), self._map(mean), prior)
        return flags | {
            "negative_slope": bool(slopes.min() < 0) or (flags["flat"] and flags["negative_slope"])
        }

    def _map(self, mean: Floats) -> Floats:
        return scipy.special.expit(self._features(mean) @ np.array(self.coefficients_) + self.intercept_)

    def _features(self, mean: Floats) -> Floats:
        eps = max(self.eps, float(np.finfo(float).epsneg))
        p = np.clip(mean, eps, 1 - eps)
        return np.stack([np.log(p), -np.log1p(-p)], axis=-1)


def _read(prior: Prior) -> SlopePrior | None:
    """Return a prior with its numbers checked."""
    return None if prior is None else SlopePrior.model_validate(dict(prior))


def _data_share(x: Floats, p: Floats, prior: SlopePrior | None) -> float:
    """Return the share of a slope's precision that is the data's, whatever the intercept; 1 without a prior."""
    if prior is None:
        return 1.0
    weights = p * (1 - p)
    information = float(weights @ (x - np.average(x, weights=weights)) ** 2)
    return information / (information + 1 / prior.sd**2)


def _fit(
    features: Floats, y: Floats, prior: SlopePrior | None, *, drops: int
) -> tuple[Floats, float, dict[str, bool]]:
    """Return slopes, intercept and flags of a logistic regression; a negative slope is 0, up to `drops` times."""
    told = prior.model_dump(exclude_none=True) if prior else {}
    boundless = one_class(y) and "intercept_sd" not in told
    separation = prior is None and separated(features[:, 0], y)
    unidentified = boundless or (prior is None and bool(np.ptp(features[:, 0]) == 0))
    targets = smoothed(y) if boundless or separation else y
    kept = np.full(features.shape[1], not unidentified)
    fitted, negative = fit_logistic(features[:, kept], targets, **told), False
    while drops and (fitted.slopes < 0).any():
        kept[np.flatnonzero(kept)[np.argmax(fitted.slopes < 0)]] = False
        fitted, drops, negative = fit_logistic(features[:, kept], targets, **told), drops - 1, True
    slopes = np.zeros(features.shape[1])
    slopes[kept] = fitted.slopes
    flags = {"separation": separation, "unidentified_slope": unidentified, "negative_slope": negative}
    return slopes, float(fitted.intercept), flags | {"flat": not unidentified and not slopes.any()}
