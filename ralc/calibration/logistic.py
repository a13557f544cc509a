"""Maps that are logistic regressions of the mean: Platt scaling, temperature scaling, Beta calibration."""

from collections.abc import Mapping
from typing import Self

import numpy as np
import scipy
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from ralc.beta import Beta
from ralc.beta.validation import Floats, shares
from ralc.calibration.maps import CalibrationMap, one_class
from ralc.protocols import SlopePrior

#: A prior as a map takes it: ``mean``, ``sd`` of the slope, ``intercept_sd`` (None: no prior of the intercept).
Prior = Mapping[str, float | None] | None
#: Newton steps at most. The size of the last step; its error is of the order of its square. Share of a loss that
#: is rounding.
_MOST_STEPS = 200
_LAST = 1e-8
_ROUNDING = 1e-13


class _OfLogits:
    """What the maps share that are fitted to logits of the mean, with a prior of their slopes."""

    def __init__(self, eps: float = 1e-6, slope_prior: Prior = None, bound: float = 1e-6) -> None:
        self.eps = eps
        self.slope_prior = slope_prior
        self.bound = bound

    @property
    def _prior(self) -> SlopePrior | None:
        """The prior with its numbers checked."""
        return None if self.slope_prior is None else SlopePrior.model_validate(dict(self.slope_prior))

    def _clipped(self, mean: Floats) -> Floats:
        """Means in [eps, 1-eps]; with an eps of 0 only what a float cannot tell from 0 or 1 moves."""
        eps = max(self.eps, float(np.finfo(float).epsneg))
        return np.clip(mean, eps, 1 - eps)

    def _logits(self, mean: Floats) -> Floats:
        return scipy.special.logit(self._clipped(mean))


class PlattScaling(_OfLogits, CalibrationMap):
    """Platt scaling of the mean, sigmoid(slope logit(mean) + intercept), of largest posterior density (paper eq. 1).

    Without a prior it is of maximum likelihood. That has no maximum where the means separate right from wrong, or all
    outcomes are equal. Then the map is fitted to Platt's smoothed targets, and flagged.

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
    >>> from ralc import Beta
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
        super().__init__(eps, slope_prior, bound)
        self.smoothing = smoothing
        self.logit = logit

    def updated(self, confidence: Beta, outcome: ArrayLike) -> Self:
        """Return the map of largest posterior density on fresh answers, with this one as the prior.

        The prior of slope and intercept is normal: this map's, with the precision that so many answers give. It is a
        power prior in Laplace's approximation. How many of the answers that this map was fitted on still count is what
        makes the fresh ones most likely (empirical Bayes; Gravestock and Held 2017, Pharmaceutical Statistics 16,
        349-360): all of them where it holds, few where it drifted. A negative slope is 0.

        Raises
        ------
        ValueError
            If there is no answer, the shapes differ or an outcome is outside [0, 1].

        Examples
        --------
        >>> old = PlattScaling().fit(Beta([9, 8, 2, 6, 1] * 20, [1, 2, 8, 4, 9] * 20), [1, 1, 0, 1, 0] * 20)
        >>> old.updated(Beta([9, 1], [1, 9]), [1, 0]).n_items_
        102
        >>> old.updated(Beta([9, 1] * 9, [1, 9] * 9), [0, 1] * 9).n_items_
        18
        """
        check_is_fitted(self, "flags_")
        fresh = type(self)(**self.get_params()).fit(confidence, outcome)
        y = shares(outcome)
        x = self._feature(np.asarray(confidence.mean))
        design = np.stack([x, np.ones_like(x)], axis=-1)
        p = scipy.special.expit(self.slope_ * x + self.intercept_)
        information = design.T @ (design * (p * (1 - p))[:, None])
        score = design.T @ (y - p)
        # The score statistic has so many times the variance that it would have, were this map the truth.
        spread = max(float(score @ np.linalg.pinv(information) @ score) / 2, 1 + y.size / self.n_items_)
        precision = information / (spread - 1)
        kept = round(y.size / (spread - 1))
        centre = np.array([self.slope_, self.intercept_])
        fresh.slope_, fresh.intercept_ = map(float, _maximise(design, y, centre, precision))
        negative = fresh.slope_ < 0
        if negative:
            fresh.slope_ = 0.0
            fresh.intercept_ = float(_maximise(design[:, 1:], y, centre[1:], precision[1:, 1:])[0])
        fresh.data_share_ = self.data_share_
        fresh.n_wrong_ = round(fresh.n_wrong_ + self.n_wrong_ * kept / self.n_items_, 6)
        fresh.n_items_ = y.size + kept
        flags = {
            "few_items": fresh.n_items_ < self.needs,
            "negative_slope": negative,
            "flat": fresh.slope_ == 0,
        }
        flags["mostly_prior"] = "mostly_prior" in self.flags_
        fresh.flags_ = tuple(name for name, raised in flags.items() if raised)
        return fresh

    def _learn(self, mean: Floats, y: Floats) -> dict[str, bool]:
        prior = self._prior
        x = self._feature(mean)
        drops = int(prior is not None and prior.monotone)
        slopes, self.intercept_, flags = _fit(
            x[:, None], smoothed(y) if self.smoothing else y, prior, drops=drops
        )
        self.slope_ = float(slopes[0])
        self.data_share_ = _data_share(x, self._map(mean), prior)
        return flags | {"negative_slope": flags["negative_slope"] or self.slope_ < 0}

    def _map(self, mean: Floats) -> Floats:
        return scipy.special.expit(self.slope_ * self._feature(mean) + self.intercept_)

    def _feature(self, mean: Floats) -> Floats:
        return self._logits(mean) if self.logit else mean


class TemperatureScaling(_OfLogits, CalibrationMap):
    """Temperature scaling of the mean, sigmoid(slope logit(mean)), of largest posterior density (Guo et al. 2017).

    The slope is 1/temperature. Its logarithm has a normal prior: its median is that of the slope's prior, its standard
    deviation the coefficient of variation. Without a prior, data that ask for a slope below 0 get 0, flagged.

    Parameters
    ----------
    eps, slope_prior, bound
        As for `PlattScaling`. A prior centred at 0 says nothing of a logarithm, and is ignored.

    Examples
    --------
    >>> from ralc import Beta
    >>> temperature = TemperatureScaling().fit(Beta([9, 9, 9, 9], [1, 1, 1, 1]), [1, 1, 1, 0])
    >>> temperature.transform(Beta(9, 1)).mean.round(6)
    np.float64(0.75)
    """

    name = "temperature"

    def _learn(self, mean: Floats, y: Floats) -> dict[str, bool]:
        x = self._logits(mean)
        prior = self._prior
        centre, sd = (prior.mean, prior.sd / prior.mean) if prior and prior.monotone else (1.0, np.inf)
        agreement = np.append(x[y > 0], -x[y < 1])
        boundless = np.isinf(sd) and bool(agreement.min() >= 0 or agreement.max() <= 0)
        targets = smoothed(y) if boundless else y

        def uphill(log_slope: float) -> float:
            """Return the derivative of the negative log posterior by the logarithm of the slope."""
            slope = np.exp(log_slope)
            likelihood = slope * x @ (scipy.special.expit(slope * x) - targets)
            return likelihood + (log_slope - np.log(centre)) / sd**2

        negative = bool(x @ (0.5 - targets) > 0)
        if not x.any() or uphill(-20) >= 0:
            self.slope_ = 0.0 if x.any() else centre
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
        return scipy.special.expit(self.slope_ * self._logits(mean))


class BetaCalibration(_OfLogits, CalibrationMap):
    """Beta calibration, sigmoid(a ln(mean) - b ln(1-mean) + c), of largest posterior density (Kull et al. 2017).

    As in the method's own package, a coefficient that comes out negative is set to 0 and the others are fitted again.
    Without a prior and a maximum it is fitted to Platt's smoothed targets, flagged.

    Parameters
    ----------
    eps, slope_prior, bound
        As for `PlattScaling`; a and b have the prior of the slope each.

    Examples
    --------
    >>> from ralc import Beta
    >>> beta = BetaCalibration().fit(Beta([9, 8, 2, 6, 1, 4], [1, 2, 8, 4, 9, 6]), [1, 1, 0, 0, 1, 0])
    >>> beta.coefficients_[0] >= 0 and beta.coefficients_[1] >= 0
    True
    """

    name = "beta"

    def _learn(self, mean: Floats, y: Floats) -> dict[str, bool]:
        prior = self._prior
        # PAPER Kull et al. 2017, section 4: one coefficient is dropped; the other may then come out negative, as in
        # their package. A prior that rules negative slopes out drops it too.
        drops = 2 if prior is not None and prior.monotone else 1
        slopes, self.intercept_, flags = _fit(self._features(mean), y, prior, drops=drops)
        self.coefficients_ = tuple(float(v) for v in slopes)
        self.data_share_ = _data_share(self._logits(mean), self._map(mean), prior)
        negative = bool(slopes.min() < 0) or (flags["flat"] and flags["negative_slope"])
        return flags | {"negative_slope": negative}

    def _map(self, mean: Floats) -> Floats:
        return scipy.special.expit(self._features(mean) @ np.array(self.coefficients_) + self.intercept_)

    def _features(self, mean: Floats) -> Floats:
        p = self._clipped(mean)
        return np.stack([np.log(p), -np.log1p(-p)], axis=-1)


def smoothed(y: Floats) -> Floats:
    """Return Platt's targets: (n1+1)/(n1+2) for the n1 correct, 1/(n0+2) for the n0 wrong (Platt 1999).

    A share lies in between as it does between 0 and 1.
    """
    right = y.sum()
    return y * (right + 1) / (right + 2) + (1 - y) / (y.size - right + 2)


def fit_logistic(
    features: Floats, targets: Floats, *, mean: float = 0.0, sd: float = np.inf, intercept_sd: float = np.inf
) -> tuple[Floats, Floats]:
    """Return slopes (..., p) and intercepts (...) of largest posterior density; without a prior of largest likelihood.

    scikit-learn's solvers take no soft targets and no prior that is centred elsewhere than at 0.

    Parameters
    ----------
    features : array of shape (..., n, p)
        Finite. Without a prior the caller ensures that a maximum exists.
    targets : array of shape (..., n)
        Probabilities in [0, 1].
    mean, sd : float
        Normal prior of each slope; an infinite sd means none.
    intercept_sd : float
        Standard deviation of the intercept's normal prior about 0; infinite means none.
    """
    count = features.shape[-1]
    shift = features.mean(axis=-2, keepdims=True)
    scale = features.std(axis=-2, keepdims=True)
    scale = np.where(scale > 1e-9 * np.maximum(np.abs(shift), 1.0), scale, 1.0)  # less is rounding
    design = np.concatenate([(features - shift) / scale, np.ones((*features.shape[:-1], 1))], axis=-1)
    # `unscaling` turns weights of the standardised features into those of the features.
    unscaling = np.zeros((*features.shape[:-2], count + 1, count + 1))
    unscaling[..., range(count), range(count)] = 1 / scale[..., 0, :]
    unscaling[..., count, :count] = -(shift / scale)[..., 0, :]
    unscaling[..., count, count] = 1
    precision = np.diag([1 / sd**2] * count + [1 / intercept_sd**2])
    centre = np.linalg.solve(unscaling, np.array([mean] * count + [0.0])[:, None])[..., 0]
    weights = _maximise(design, targets, centre, unscaling.swapaxes(-1, -2) @ precision @ unscaling)
    coefficients = (unscaling @ weights[..., None])[..., 0]
    return coefficients[..., :count], coefficients[..., count]


def _maximise(design: Floats, targets: Floats, centre: Floats, precision: Floats) -> Floats:
    """The weights of largest posterior density, by Newton's method with step halving."""

    def loss(weights: Floats) -> Floats:
        logits = (design @ weights[..., None])[..., 0]
        shift = (weights - centre)[..., None]
        penalty = (shift.swapaxes(-1, -2) @ precision @ shift)[..., 0, 0] / 2
        return (np.logaddexp(0, logits) - targets * logits).sum(axis=-1) + penalty

    weights = np.zeros(centre.shape)
    transposed = design.swapaxes(-1, -2)
    least = loss(weights)
    for _ in range(_MOST_STEPS):
        p = scipy.special.expit(design @ weights[..., None])
        information = (transposed * (p * (1 - p)).swapaxes(-1, -2)) @ design + precision
        gradient = transposed @ (p - targets[..., None]) + precision @ (weights - centre)[..., None]
        step = (np.linalg.pinv(information) @ gradient)[..., 0]
        for _ in range(60):
            nearer = loss(weights - step)
            if not (worse := nearer > least + _ROUNDING * np.abs(least)).any():
                break
            step = np.where(worse[..., None], step / 2, step)
        weights = weights - step
        least = nearer
        if (np.abs(step).max(axis=-1) <= _LAST * np.maximum(1.0, np.abs(weights).max(axis=-1))).all():
            break
    return weights


def _fit(
    features: Floats, y: Floats, prior: SlopePrior | None, *, drops: int
) -> tuple[Floats, float, dict[str, bool]]:
    """Slopes, intercept and flags of a logistic regression; a negative slope is 0, up to `drops` times."""
    normal = prior.model_dump(exclude_none=True) if prior else {}
    boundless = one_class(y) and "intercept_sd" not in normal
    separation = prior is None and _separated(features[:, 0], y)
    unidentified = boundless or (prior is None and bool(np.ptp(features[:, 0]) == 0))
    targets = smoothed(y) if boundless or separation else y
    active = np.full(features.shape[1], not unidentified)
    fitted, intercept = fit_logistic(features[:, active], targets, **normal)
    negative = False
    while drops and (fitted < 0).any():
        active[np.flatnonzero(active)[np.argmax(fitted < 0)]] = False
        fitted, intercept = fit_logistic(features[:, active], targets, **normal)
        negative = True
        drops -= 1
    slopes = np.zeros(features.shape[1])
    slopes[active] = fitted
    flags = {"separation": separation, "unidentified_slope": unidentified, "negative_slope": negative}
    return slopes, float(intercept), flags | {"flat": not unidentified and not slopes.any()}


def _separated(x: Floats, y: Floats) -> bool:
    """Whether a threshold on `x` tells right from wrong without error, in either direction."""
    right = x[y > 0]
    wrong = x[y < 1]
    if not (right.size and wrong.size) or x.min() == x.max():
        return False
    return bool(wrong.max() <= right.min() or right.max() <= wrong.min())


def _data_share(x: Floats, p: Floats, prior: SlopePrior | None) -> float:
    """The share of a slope's precision that is the data's, whatever the intercept; 1 without a prior."""
    if prior is None:
        return 1.0
    weights = p * (1 - p)
    information = float(weights @ (x - np.average(x, weights=weights)) ** 2)
    return information / (information + 1 / prior.sd**2)
