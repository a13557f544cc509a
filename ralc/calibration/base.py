"""What all calibration maps share: they act on the mean, keep the concentration, and tell what went wrong."""

import math
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ralc.beta import Beta, require_beta
from ralc.beta.validation import Floats, same_shape, shares
from ralc.calibration.parameters import Estimator

#: A map fitted on fewer items than this says so.
FEW_ITEMS = 50
#: Least alpha and beta where means are not bounded (paper appendix A.1.1).
PARAMETER_FLOOR = 1e-6
#: What makes a cautious map the base rate: it would turn the order round, or the data do not tell it.
UNUSABLE = ("negative_slope", "unidentified_slope", "flat")


class CalibrationMap(Estimator, ABC):
    """A map of the mean of a confidence that keeps its concentration (paper section 4.1).

    In scikit-learn's manner: parameters are set at construction, ``fit`` returns the map, what it learned
    ends in an underscore. Means that come out are kept within [bound, 1-bound]; with a bound of 0 they are as they
    come, and the parameters at least `PARAMETER_FLOOR`.

    Attributes
    ----------
    flags_ : tuple of str
        What a reader of the result should know: ``few_items`` (fewer than 50), ``one_class`` (all correct or
        all wrong), ``separation`` (the means separate right from wrong: no slope is steep enough),
        ``unidentified_slope`` (the data do not tell the slope: equal means, one class, or a standard error above
        1), ``negative_slope`` (the more confident, the less often right), ``flat`` (the map is constant),
        ``base_rate`` (a cautious map that for one of the last three is the base rate).
    base_rate_ : float or None
        The smoothed share of correct items that a cautious map is, where it is.
    n_items_ : int
        Number of items it was fitted on.
    """

    #: Name of the map in the config and in JSON; every map registers itself under it.
    name: ClassVar[str]
    registry: ClassVar[dict[str, type["CalibrationMap"]]] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        CalibrationMap.registry[cls.name] = cls

    def fit(self, confidence: Beta, outcome: ArrayLike) -> Self:
        """Fit the map to confidences of shape (n,) and outcomes, 0, 1 or shares in between; return it.

        Raises
        ------
        ValueError
            If there is no item, the shapes differ or an outcome is outside [0, 1].
        TypeError
            If the confidence is no Beta, or the outcome is one (swapped arguments).
        """
        require_beta(confidence)
        y = shares(outcome)
        if y.ndim != 1 or not y.size:
            raise ValueError(f"outcome must be a vector of at least one item: its shape is {y.shape}")
        same_shape(y.shape, confidence.shape, names="outcome and confidence")
        self.n_items_ = int(y.size)
        flags = {"few_items": y.size < FEW_ITEMS, "one_class": one_class(y)}
        flags |= self._learn(np.asarray(confidence.mean), y)
        flags["base_rate"] = getattr(self, "cautious", False) and any(flags.get(name) for name in UNUSABLE)
        self.base_rate_ = float(smoothed(y).mean()) if flags["base_rate"] else None
        self.flags_ = tuple(name for name, raised in flags.items() if raised)
        return self

    def transform(self, confidence: Beta) -> Beta:
        """Return confidences with the mapped means and the same concentrations, of any shape.

        Raises
        ------
        NotFittedError
            (A ValueError) if the map has not been fitted.
        TypeError
            If the confidence is no Beta.
        """
        self.require_fitted("flags_")
        require_beta(confidence)
        bound, mean, k = getattr(self, "bound", 0.0), np.asarray(confidence.mean), confidence.concentration
        mapped = self._map(mean) if self.base_rate_ is None else np.full(k.shape, self.base_rate_)
        if bound:
            return Beta.from_mean_concentration(np.clip(mapped, bound, 1 - bound), k)
        # PAPER appendix A.1.1: the parameters are clipped, not the means.
        parameters = (mapped * k, (1 - mapped) * k)
        return Beta(*(np.maximum(parameter, PARAMETER_FLOOR) for parameter in parameters))

    def fit_transform(self, confidence: Beta, outcome: ArrayLike) -> Beta:
        """Fit, and return the mapped confidences of the same items."""
        return self.fit(confidence, outcome).transform(confidence)

    @abstractmethod
    def _learn(self, mean: Floats, y: Floats) -> dict[str, bool]:
        """Set the learned attributes; return which flags to raise."""

    @abstractmethod
    def _map(self, mean: Floats) -> Floats:
        """Return the calibrated means."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fitted map as small plain JSON; `from_dict` gives back exactly this map."""
        self.require_fitted("flags_")
        learned = {key: value for key, value in vars(self).items() if key.endswith("_")}
        return {
            "map": self.name,
            # JSON has no infinity.
            "parameters": {k: None if v == math.inf else v for k, v in self.get_params().items()},
            "learned": {k: list(v) if isinstance(v, list | tuple) else v for k, v in learned.items()},
        }

    @staticmethod
    def from_dict(data: dict[str, Any]) -> "CalibrationMap":
        """Return the fitted map that `to_dict` described.

        Raises
        ------
        ValueError
            If there is no such map, or the description lacks a part.
        """
        for part in ("map", "parameters", "learned"):
            if part not in data:
                raise ValueError(
                    f"a fitted map has map, parameters and learned (`to_dict`): {part} is missing"
                )
        kind = find(data["map"])
        fitted = kind(**{k: math.inf if v is None else v for k, v in data["parameters"].items()})
        for key, value in data["learned"].items():
            setattr(fitted, key, tuple(value) if isinstance(value, list) else value)
        return fitted


def find(name: str) -> type[CalibrationMap]:
    """Return the class of the map of this name."""
    if name not in CalibrationMap.registry:
        raise ValueError(f"unknown map {name!r}; maps are {', '.join(sorted(CalibrationMap.registry))}")
    return CalibrationMap.registry[name]


def clipped_logit(mean: Floats, eps: float) -> Floats:
    """Return the logit of the means, clipped to [eps, 1-eps]; at 0 only what a float cannot tell from 0 or 1."""
    eps = max(eps, float(np.finfo(float).epsneg))
    return scipy.special.logit(np.clip(mean, eps, 1 - eps))


def smoothed(y: Floats) -> Floats:
    """Return Platt's targets: (n1+1)/(n1+2) for the n1 correct, 1/(n0+2) for the n0 wrong (Platt 1999).

    A share lies in between as it does between 0 and 1.
    """
    right = y.sum()
    return y * (right + 1) / (right + 2) + (1 - y) / (y.size - right + 2)


def one_class(y: Floats) -> bool:
    """Return whether all outcomes are 0, or all are 1."""
    return bool(y.max() == 0 or y.min() == 1)


def slope_is_unknown(x: Floats, y: Floats) -> bool:
    """Return whether outcomes leave the slope on `x` open: its standard error at the base rate is above 1.

    The information on a logistic slope at slope 0 is p (1-p) times the sum of squares of `x` about its mean. Signals
    have slopes between 0 and 1 on the logit: with an error above 1 the data do not tell one of them from none.
    """
    rate = y.mean()
    return bool(rate * (1 - rate) * ((x - x.mean()) ** 2).sum() < 1)


def separated(x: Floats, y: Floats) -> bool:
    """Return whether a threshold on `x` tells right from wrong without error, in either direction."""
    right, wrong = x[y > 0], x[y < 1]
    if not (right.size and wrong.size) or x.min() == x.max():
        return False
    return bool(wrong.max() <= right.min() or right.max() <= wrong.min())
