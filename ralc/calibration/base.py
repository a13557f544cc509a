"""What all calibration maps share: they act on the mean, keep the concentration, and tell what went wrong."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
import scipy
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from ralc.beta import Beta, require_beta
from ralc.beta.validation import PARAMETER_FLOOR, Floats, same_shape, shares

#: Share of a slope's precision below which a map says that it rests mostly on its prior.
MOSTLY_PRIOR = 0.5


class CalibrationMap(BaseEstimator, ABC):
    """A map of the mean of a confidence that keeps its concentration (paper section 4.1).

    In scikit-learn's manner: parameters are set at construction, ``fit`` returns the map, what it learned
    ends in an underscore. Means that come out are kept within [bound, 1-bound]; with a bound of 0 they are as they
    come, and the parameters at least `PARAMETER_FLOOR`.

    Attributes
    ----------
    flags_ : tuple of str
        What a reader of the result should know: ``few_items`` (fewer than `needs`), ``one_class`` (all correct or
        all wrong), ``separation`` (the means separate right from wrong, and without a prior no slope is steep
        enough), ``unidentified_slope`` (without a prior the data do not tell it: equal means, or one class),
        ``mostly_prior`` (more of the slope's precision is the prior's than the data's), ``negative_slope`` (the more
        confident, the less often right), ``flat`` (the map is constant).
    data_share_ : float or None
        Share of the slope's posterior precision that is the data's, in [0, 1]; 1 without a prior, None of a map that
        has no slope.
    n_items_, n_wrong_ : int, float
        Number of items it was fitted on, and of wrong ones (shares count as such).
    """

    #: Name of the map in the config and in JSON; every map registers itself under it.
    name: ClassVar[str]
    #: Items below which it says so.
    needs: ClassVar[int] = 50
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
        self.n_items_, self.n_wrong_ = int(y.size), round(float((1 - y).sum()), 6)
        self.data_share_: float | None = None
        flags = {"few_items": y.size < self.needs, "one_class": one_class(y)}
        flags |= self._learn(np.asarray(confidence.mean), y)
        flags["mostly_prior"] = self.data_share_ is not None and self.data_share_ < MOSTLY_PRIOR
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
        check_is_fitted(self, "flags_")
        require_beta(confidence)
        bound, k = getattr(self, "bound", 0.0), confidence.concentration
        mapped = self._map(np.asarray(confidence.mean))
        if bound:
            return Beta.from_mean_concentration(np.clip(mapped, bound, 1 - bound), k)
        # PAPER appendix A.1.1: the parameters are clipped, not the means.
        parameters = (mapped * k, (1 - mapped) * k)
        return Beta(*(np.maximum(parameter, PARAMETER_FLOOR) for parameter in parameters))

    @property
    def basis(self) -> str:
        """What its slope rests on, in words; empty of a map without one."""
        if self.data_share_ is None:
            return ""
        mostly = (
            "what such signals are usually worth" if "mostly_prior" in self.flags_ else "the graded answers"
        )
        return (
            f"rests mostly on {mostly}: {self.n_items_} answers, {self.n_wrong_:.4g} wrong "
            f"({100 * self.data_share_:.0f} % of the slope's precision is from them)"
        )

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
        check_is_fitted(self, "flags_")
        learned = {key: value for key, value in vars(self).items() if key.endswith("_")}
        return {
            "map": self.name,
            "parameters": self.get_params(),
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
        fitted = kind(**data["parameters"])
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


def separated(x: Floats, y: Floats) -> bool:
    """Return whether a threshold on `x` tells right from wrong without error, in either direction."""
    right, wrong = x[y > 0], x[y < 1]
    if not (right.size and wrong.size) or x.min() == x.max():
        return False
    return bool(wrong.max() <= right.min() or right.max() <= wrong.min())
