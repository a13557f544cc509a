"""Beta distributions over confidence: the distribution, its fits, and distances between two."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ralc.beta import distances, estimation
from ralc.beta.validation import LARGEST, SMALLEST, Floats, as_floats, probabilities, require

if TYPE_CHECKING:
    from ralc.protocols import Protocol


_RULE = f"positive, within [{SMALLEST:g}, {LARGEST:g}]"


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Beta:
    """Beta distributions over confidence in [0, 1]; one, or an array of them.

    Parameters
    ----------
    alpha, beta : array_like
        In [1e-100, 1e15], beyond which double precision gives no distribution back. They are broadcast against each
        other; scalars give scalars back.

    Raises
    ------
    ValueError
        If a parameter is out of range, naming the first such entry, or the two do not broadcast.

    Examples
    --------
    >>> Beta(3, [1, 9]).mean
    array([0.75, 0.25])
    """

    alpha: Floats
    beta: Floats

    def __init__(self, alpha: ArrayLike, beta: ArrayLike) -> None:
        pair = as_floats(alpha, "alpha"), as_floats(beta, "beta")
        for name, values in zip(("alpha", "beta"), pair, strict=True):
            require(values, lambda v: (v >= SMALLEST) & (v <= LARGEST), name, _RULE)
        shapes = [values.shape for values in pair]
        try:
            if shapes[0] != shapes[1]:
                pair = np.broadcast_arrays(*pair)
        except ValueError:
            told = ", ".join(map(str, shapes))
            raise ValueError(f"alpha and beta must broadcast: they have shapes {told}") from None
        for name, values in zip(("alpha", "beta"), pair, strict=True):
            copy = values.copy()
            copy.setflags(write=False)
            object.__setattr__(self, name, copy[()])

    @classmethod
    def from_table(cls, table: Mapping[str, ArrayLike]) -> Self:
        """Return the distributions in the columns ``alpha`` and ``beta`` of a table.

        >>> Beta.from_table({"alpha": [1, 3], "beta": [1, 1]}).mean
        array([0.5 , 0.75])
        """
        return cls(table["alpha"], table["beta"])

    @classmethod
    def from_mean_concentration(cls, mean: ArrayLike, concentration: ArrayLike) -> Self:
        """Return the Betas with these means, in (0, 1), and concentrations, above 0.

        >>> Beta.from_mean_concentration(0.75, 20)
        Beta(alpha=15.0, beta=5.0)
        """
        mean = require(as_floats(mean, "mean"), lambda v: (v > 0) & (v < 1), "mean", "in (0, 1)")
        concentration = as_floats(concentration, "concentration")
        require(concentration, lambda v: np.isfinite(v) & (v > 0), "concentration", "positive and finite")
        return cls(mean * concentration, (1 - mean) * concentration)

    @classmethod
    def fit_moments(cls, scores: ArrayLike, protocol: "str | Protocol" = "ralc") -> Self:
        """Fit by the method of moments (paper appendix A.1.1), many sets of scores at once.

        Parameters
        ----------
        scores : array_like of shape (T,) or (..., T)
            Scores in [0, 1], a set in each row; NaN is a missing score, so ragged sets fit.
        protocol : str or Protocol
            Its choices ``moments_*``, ``resolution`` and the floors.

        Raises
        ------
        ValueError
            If a score lies outside [0, 1] or a set has no score, naming the first.

        Examples
        --------
        >>> Beta.fit_moments([0.9] * 9, protocol="paper")
        Beta(alpha=8.1, beta=0.8999999999999998)
        """
        return cls(*estimation.fit_moments(_scores(scores), _resolved(protocol)))

    @classmethod
    def from_mean_variance(
        cls, mean: ArrayLike, variance: ArrayLike, *, count: ArrayLike, protocol: "str | Protocol" = "ralc"
    ) -> Self:
        """Fit by moments where mean and variance are known, not estimated from scores.

        Parameters
        ----------
        mean, variance : array_like
            In [0, 1], and at least 0; of one shape.
        count : array_like
            At least 1: how many scores a degenerate one (variance zero, or too large for a Beta) counts for where
            the protocol's rule is ``count``.
        protocol : str or Protocol
            Its choices ``moments_degenerate``, ``resolution`` and the floors.

        Raises
        ------
        ValueError
            If a mean, a variance or a count is out of range, naming the first.

        Examples
        --------
        >>> Beta.from_mean_variance(0.75, 3 / 16 / 21, count=9)
        Beta(alpha=15.0, beta=5.0)
        """
        mean = probabilities(as_floats(mean, "mean"), "mean")
        variance = require(as_floats(variance, "variance"), lambda v: v >= 0, "variance", "at least 0")
        counts = require(
            as_floats(count, "count"), lambda v: np.isfinite(v) & (v >= 1), "count", "at least 1"
        )
        return cls(*estimation.from_mean_variance(mean, variance, counts, _resolved(protocol)))

    @classmethod
    def fit_mle(cls, scores: ArrayLike, protocol: "str | Protocol" = "ralc") -> Self:
        """Fit by maximum likelihood, many sets of scores at once.

        Parameters
        ----------
        scores : array_like of shape (T,) or (..., T)
            Scores in [0, 1], a set in each row; NaN is a missing score. A constant set gets its moments fit, because
            its likelihood has no maximum.
        protocol : str or Protocol
            Its ``letter`` says how scores of 0 and 1 are moved inside; ``moments_*`` are for constant sets.

        Raises
        ------
        ValueError
            If a score lies outside [0, 1] or a set has no score, naming the first.

        Examples
        --------
        >>> Beta.fit_mle([0.2, 0.4, 0.5, 0.7, 0.9], protocol="paper").mean.round(4)
        np.float64(0.5468)
        """
        return cls(*estimation.fit_likelihood(_scores(scores), _resolved(protocol)))

    @property
    def mean(self) -> Floats:
        """alpha / (alpha + beta)."""
        return self.alpha / self.concentration

    @property
    def concentration(self) -> Floats:
        """alpha + beta: how strongly evaluators agree."""
        return self.alpha + self.beta

    @property
    def variance(self) -> Floats:
        """mean (1 - mean) / (concentration + 1)."""
        k = self.concentration
        return (self.alpha / k) * (self.beta / k) / (k + 1)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array of distributions; ``()`` for a single one."""
        return np.shape(self.alpha)

    def __repr__(self) -> str:
        """Return the parameters as plain numbers; of many distributions the first and last."""
        alpha, beta = (
            np.array2string(np.asarray(one), separator=", ", threshold=20) if self.shape else repr(float(one))
            for one in (self.alpha, self.beta)
        )
        return f"Beta(alpha={alpha}, beta={beta})"

    def __eq__(self, other: object) -> bool:
        """Return whether the other has the same distributions, in the same shape."""
        if not isinstance(other, Beta):
            return NotImplemented
        return np.array_equal(self.alpha, other.alpha) and np.array_equal(self.beta, other.beta)

    def __hash__(self) -> int:
        """Return a number that equal ones share."""
        return hash((self.shape, np.asarray(self.alpha).tobytes(), np.asarray(self.beta).tobytes()))

    def __len__(self) -> int:
        """Return the length of the first axis; a single Beta has none."""
        if not self.shape:
            raise TypeError("a single Beta has no length")
        return self.shape[0]

    def __bool__(self) -> bool:
        """Return whether there is a distribution; a single one is one."""
        return not self.shape or self.shape[0] > 0

    def __getitem__(self, index: object) -> Self:
        """Return some of the distributions, by any index that numpy takes."""
        # What was checked once is not checked again: answers are taken one by one.
        some = object.__new__(type(self))
        for name in ("alpha", "beta"):
            values = getattr(self, name)[index]
            if isinstance(values, np.ndarray):
                values.setflags(write=False)
            object.__setattr__(some, name, values)
        return some

    def quantile(self, q: ArrayLike) -> Floats:
        """Return the value below which a share `q` in [0, 1] lies; `q` broadcasts against the parameters.

        >>> Beta(1, 1).quantile([0.025, 0.975])
        array([0.025, 0.975])
        """
        return scipy.special.betaincinv(self.alpha, self.beta, probabilities(q, "q"))[()]

    def kl_divergence(self, other: "Beta") -> Floats:
        """Return the Kullback-Leibler divergence KL(self || other), in nats, >= 0; broadcasts.

        Accurate to 1e-9 (relative).

        Raises
        ------
        TypeError
            If `other` is no Beta.
        ValueError
            If a parameter lies outside [1e-6, 1e12], where double precision loses the divergence.

        Examples
        --------
        >>> round(float(Beta(3, 1).kl_divergence(Beta(2, 1))), 6)
        0.072132
        """
        require_beta(other, "other")
        for prefix, one in (("", self), ("other.", other)):
            for name in ("alpha", "beta"):
                require(getattr(one, name), _in_reach, prefix + name, "within [1e-6, 1e12]")
        return distances.kullback_leibler(self.alpha, self.beta, other.alpha, other.beta)

    def wasserstein_distance(self, other: "Beta") -> Floats:
        """Return the 1-Wasserstein distance to `other`, exact, in [0, 1]; broadcasts.

        Raises
        ------
        TypeError
            If `other` is no Beta.

        Examples
        --------
        >>> round(float(Beta(2, 2).wasserstein_distance(Beta(1, 1))), 12)
        0.0625
        """
        require_beta(other, "other")
        return distances.wasserstein(self.alpha, self.beta, other.alpha, other.beta)


def require_beta(confidence: object, name: str = "confidence") -> Beta:
    """Return `confidence`, or raise a TypeError that says what was expected where it is no Beta."""
    if not isinstance(confidence, Beta):
        raise TypeError(f"{name} must be a Beta, not {type(confidence).__name__}: use ralc.Beta(alpha, beta)")
    return confidence


def _in_reach(parameter: Floats) -> np.ndarray:
    return (parameter >= 1e-6 * (1 - 1e-9)) & (parameter <= 1e12 * (1 + 1e-9))


def _resolved(protocol: "str | Protocol") -> "Protocol":
    """The protocol; loaded where one is needed, because its checks take longer to load than all else here."""
    from ralc.protocols import resolve

    return resolve(protocol)


def _scores(scores: ArrayLike) -> Floats:
    """Check scores: in [0, 1] or missing, at least one a set."""
    values = as_floats(scores, "scores")
    if values.ndim == 0 or values.shape[-1] == 0:
        raise ValueError(f"scores must have a last axis of at least one score: their shape is {values.shape}")
    require(
        values, lambda v: np.isnan(v) | ((v >= 0) & (v <= 1)), "scores", "in [0, 1], or NaN where missing"
    )
    counts = (~np.isnan(values)).sum(axis=-1)
    require(counts.astype(np.float64), lambda v: v > 0, "the number of scores of a set", "at least 1")
    return values
