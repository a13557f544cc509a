"""Calibration maps: they act on the mean, keep the concentration, and flag what went wrong.

Here are what all maps share, the identity, and the maps without a formula; `ralc.calibration.logistic` has the others.
"""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.isotonic import IsotonicRegression, isotonic_regression
from sklearn.utils.validation import check_is_fitted

from ralc.beta import Beta, require_beta
from ralc.beta.validation import PARAMETER_FLOOR, Floats, same_shape, shares

#: Share of a slope's precision below which a map says that it rests mostly on its prior.
MOSTLY_PRIOR = 0.5


class CalibrationMap(TransformerMixin, BaseEstimator, ABC):
    """A map of the mean of a confidence that keeps its concentration (paper section 4.1).

    It is a scikit-learn estimator. Means that come out lie in [bound, 1-bound]; with a bound of 0 they are as they
    come, and the parameters are at least `PARAMETER_FLOOR`.

    Attributes
    ----------
    flags_ : tuple of str
        ``few_items``: fewer than `needs`. ``one_class``: all correct or all wrong. ``separation``: without a prior, the
        means separate right from wrong and no slope is steep enough. ``unidentified_slope``: without a prior, the means
        are equal or there is one class. ``mostly_prior``: the prior has more of the slope's precision than the data.
        ``negative_slope``: the more confident, the less often right. ``flat``: the map is constant.
    data_share_ : float or None
        Share of the slope's posterior precision that is the data's, in [0, 1]; 1 without a prior, None without a slope.
    n_items_, n_wrong_ : int, float
        Number of items it was fitted on, and of wrong ones (shares count as such).
    """

    #: Name of the map in the config and in JSON.
    name: ClassVar[str]
    #: Items below which the map is flagged.
    needs: ClassVar[int] = 50

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
        self.n_wrong_ = round(float((1 - y).sum()), 6)
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
        bound = getattr(self, "bound", 0.0)
        k = confidence.concentration
        mapped = self._map(np.asarray(confidence.mean))
        if bound:
            return Beta.from_mean_concentration(np.clip(mapped, bound, 1 - bound), k)
        # PAPER appendix A.1.1: the parameters are clipped, not the means.
        return Beta(*(np.maximum(part * k, PARAMETER_FLOOR) for part in (mapped, 1 - mapped)))

    @property
    def basis(self) -> str:
        """What its slope rests on, in words; empty of a map without one."""
        if self.data_share_ is None:
            return ""
        prior = "mostly_prior" in self.flags_
        mostly = "what such signals are usually worth" if prior else "the graded answers"
        return (
            f"rests mostly on {mostly}: {self.n_items_} answers, {self.n_wrong_:.4g} wrong "
            f"({100 * self.data_share_:.0f} % of the slope's precision is from them)"
        )

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
                    f"{part} is missing: a fitted map has map, parameters and learned (`to_dict`)"
                )
        fitted = find(data["map"])(**data["parameters"])
        for key, value in data["learned"].items():
            setattr(fitted, key, tuple(value) if isinstance(value, list) else value)
        return fitted


def find(name: str) -> type[CalibrationMap]:
    """Return the class of the map of this name."""
    maps = {kind.name: kind for kind in CalibrationMap.__subclasses__()}
    if name not in maps:
        raise ValueError(f"unknown map {name!r}; maps are {', '.join(sorted(maps))}")
    return maps[name]


def one_class(y: Floats) -> bool:
    """Return whether all outcomes are 0, or all are 1."""
    return bool(y.max() == 0 or y.min() == 1)


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


class IsotonicMap(CalibrationMap):
    """The non-decreasing map of the mean that fits best, linear between its points (Zadrozny and Elkan 2002).

    Parameters
    ----------
    bound : float
        Means that come out lie in [bound, 1-bound].

    Examples
    --------
    >>> isotonic = IsotonicMap().fit(Beta([1, 2, 3, 4], [4, 3, 2, 1]), [0, 1, 0, 1])
    >>> isotonic.values_
    (0.0, 0.5, 0.5, 1.0)
    """

    name = "isotonic"
    #: From so many answers on it costs less than 0.005 in Brier score more than Platt scaling (`studies.slope_prior`).
    needs = 100

    def __init__(self, bound: float = 1e-6) -> None:
        self.bound = bound

    def _learn(self, mean: Floats, y: Floats) -> dict[str, bool]:
        fitted = IsotonicRegression(y_min=0, y_max=1, increasing=True).fit(mean, y)
        self.thresholds_ = tuple(float(v) for v in fitted.X_thresholds_)
        self.values_ = tuple(float(v) for v in fitted.y_thresholds_)
        return {"flat": self.values_[0] == self.values_[-1]}

    def _map(self, mean: Floats) -> Floats:
        return np.interp(mean, self.thresholds_, self.values_)


class HistogramBinning(CalibrationMap):
    """The share of correct answers in bins of equal mass of the mean (Zadrozny and Elkan 2001).

    Parameters
    ----------
    bins : int
        Number of bins; there are fewer where means are equal, because equal means share a bin.
    bound : float
        Means that come out lie in [bound, 1-bound].
    monotone : bool
        Whether neighbouring bins are pooled where the more confident one is less often right.

    Examples
    --------
    >>> histogram = HistogramBinning(bins=2).fit(Beta([1, 2, 3, 4], [4, 3, 2, 1]), [0, 1, 0, 1])
    >>> histogram.edges_, histogram.values_
    ((0.6,), (0.5, 0.5))
    """

    name = "histogram"

    def __init__(self, bins: int = 10, bound: float = 1e-6, monotone: bool = False) -> None:
        self.bins = bins
        self.bound = bound
        self.monotone = monotone

    def _learn(self, mean: Floats, y: Floats) -> dict[str, bool]:
        if self.bins < 1:
            raise ValueError(f"bins must be at least 1: bins = {self.bins}")
        # Edges are means that occur and begin their bin, so only an edge at the least mean leaves one empty.
        edges = np.unique(np.quantile(mean, np.arange(1, self.bins) / self.bins, method="higher"))
        self.edges_ = tuple(float(v) for v in edges[edges > mean.min()])
        cell = np.searchsorted(self.edges_, mean, side="right")
        items = np.bincount(cell)
        right = np.bincount(cell, weights=y) / items
        if self.monotone:
            right = isotonic_regression(right, sample_weight=items)
        self.values_ = tuple(float(v) for v in right)
        return {"flat": len(set(self.values_)) == 1}

    def _map(self, mean: Floats) -> Floats:
        return np.array(self.values_)[np.searchsorted(self.edges_, mean, side="right")]
