"""Metrics of many items: calibration errors."""

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ralc.beta import Beta, require_beta
from ralc.beta.distances import power_term
from ralc.beta.validation import Floats, probabilities, same_shape, shares

__all__ = [
    "bin_gaps",
    "bin_masses",
    "calibration_bin",
    "expected_calibration_error",
    "generalised_ece",
    "generalised_ece_null",
    "is_constant",
    "mean_gaps",
    "null_of_masses",
]

#: Elements of a temporary array; items are taken in slices so that memory stays flat.
_SLICE = 2_000_000


def generalised_ece(outcome: ArrayLike, confidence: Beta, *, bins: int = 10) -> float:
    """Return the generalised expected calibration error (Wang et al. 2025), in [0, 1]; exact.

        (1/N) sum over bins m of |sum over items i of (p_im y_i - e_im)|

    Bins have equal width; p is the mass of item i's confidence inside bin m, e the integral of the probability
    over it. Its floor depends on the concentrations (`generalised_ece_null`). It does not see discrimination, so
    show it beside AUROC.

    Parameters
    ----------
    outcome : array_like in [0, 1], shape (N,)
    confidence : Beta of shape (N,)
    bins : int
        Number of bins, M.

    Raises
    ------
    ValueError
        If there is no item, the shapes differ or an outcome is outside [0, 1].
    TypeError
        If the confidence is no Beta, or the outcome is one (swapped arguments).

    Examples
    --------
    >>> round(generalised_ece([1, 0], Beta([9, 1], [1, 9])), 6)
    0.097852
    """
    return _error(bin_gaps(outcome, confidence, bins=bins))


def generalised_ece_null(
    confidence: Beta, *, bins: int = 10, repeats: int = 200, rng: np.random.Generator
) -> float:
    """Return the generalised ECE to expect of perfectly calibrated confidences: the floor of the metric.

    The mean over `repeats` simulations of outcomes y ~ Bernoulli(mean); where outcomes are shares, at most that.

    Parameters
    ----------
    confidence : Beta of shape (N,)
    bins : int
        Number of bins of equal width, at least 1.
    repeats : int
        Simulations, at least 1.
    rng : numpy.random.Generator
        What draws the outcomes.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> round(generalised_ece_null(Beta.from_mean_concentration(np.full(2000, 0.5), 20), rng=rng), 2)
    0.09
    """
    masses = bin_masses(_vector(confidence), bins=bins)
    return null_of_masses(*masses, confidence.mean, repeats=repeats, rng=rng)


def null_of_masses(
    mass: Floats, expected: Floats, mean: Floats, *, repeats: int = 200, rng: np.random.Generator
) -> float:
    """Return the generalised ECE to expect of calibrated confidences with these `bin_masses` and means.

    Parameters
    ----------
    mass, expected : arrays of shape (N, bins)
        Of `bin_masses`: the mass in each bin, and the integral of the probability over it.
    mean : array of shape (N,)
        Means, in [0, 1].
    repeats : int
        Simulations of outcomes, at least 1.
    rng : numpy.random.Generator
        What draws the outcomes.
    """
    target = expected.sum(axis=0)
    total = 0.0
    step = max(_SLICE // len(mean), 1)
    for start in range(0, repeats, step):
        y = rng.random((min(step, repeats - start), len(mean))) < mean
        total += np.abs(y @ mass - target).sum()
    return float(total / (repeats * len(mean)))


def bin_gaps(
    outcome: ArrayLike,
    confidence: Beta,
    *,
    bins: int = 10,
    samples: int | None = None,
    rng: np.random.Generator | None = None,
) -> Floats:
    """Return what each item adds to each bin of the generalised ECE, p_im y_i - e_im; shape (N, bins).

    Parameters
    ----------
    outcome : array_like in [0, 1], shape (N,)
    confidence : Beta of shape (N,)
    bins : int
        Number of bins of equal width, at least 1.
    samples : int, optional
        Draws an item, from which the gaps are estimated as in the authors' code; without it they are exact.
    rng : numpy.random.Generator, optional
        What draws them.

    Examples
    --------
    >>> bin_gaps([1], Beta([1], [1]), bins=2)
    array([[0.375, 0.125]])
    """
    y = shares(outcome)
    same_shape(y.shape, _vector(confidence).shape, names="outcome and confidence")
    if samples is None:
        mass, expected = bin_masses(confidence, bins=bins)
    elif rng is None:
        raise ValueError("samples needs rng: pass rng=numpy.random.default_rng(seed)")
    else:
        mass, expected = _sampled_masses(confidence, bins, samples, rng)
    return mass * y[:, None] - expected


def bin_masses(confidence: Beta, *, bins: int = 10) -> tuple[Floats, Floats]:
    """Return each confidence's mass inside each equal-width bin, and the integral of p over it; (N, bins) each."""
    edges = _bin_edges(bins)
    mass = np.empty((len(confidence), bins))
    expected = np.empty((len(confidence), bins))
    step = max(_SLICE // (bins + 1), 1)
    for start in range(0, len(confidence), step):
        part = slice(start, start + step)
        a = confidence.alpha[part, None]
        b = confidence.beta[part, None]
        cdf = scipy.special.betainc(a, b, edges)
        mass[part] = np.diff(cdf, axis=1)
        expected[part] = np.diff(_partial_means(a, b, edges, cdf), axis=1)
    return mass, expected


def expected_calibration_error(outcome: ArrayLike, mean: ArrayLike, *, bins: int = 10) -> float:
    """Return the expected calibration error of the means, in [0, 1]: the mean gap of accuracy and confidence over bins.

    Equal-width bins (lo, hi]; a mean of 0 is in the first.

    Parameters
    ----------
    outcome : array_like in [0, 1], shape (N,)
    mean : array_like in [0, 1], shape (N,)
    bins : int
        Number of bins of equal width, at least 1.

    Examples
    --------
    >>> expected_calibration_error([1, 0, 1, 1], [0.9, 0.9, 0.3, 0.3])
    0.55
    """
    return _error(mean_gaps(outcome, mean, bins=bins))


def mean_gaps(outcome: ArrayLike, mean: ArrayLike, *, bins: int = 10) -> Floats:
    """Return what each item adds to each bin of the ECE: outcome - mean in its own bin; shape (N, bins).

    Parameters
    ----------
    outcome : array_like in [0, 1], shape (N,)
    mean : array_like in [0, 1], shape (N,)
    bins : int
        Number of bins of equal width, at least 1.

    Examples
    --------
    >>> mean_gaps([1, 0], [0.2, 0.9], bins=2)
    array([[ 0.8,  0. ],
           [ 0. , -0.9]])
    """
    y, p = scored(outcome, mean)
    gaps = np.zeros((y.size, bins))
    gaps[np.arange(y.size), calibration_bin(p, bins=bins)] = y - p
    return gaps


def calibration_bin(mean: ArrayLike, *, bins: int = 10) -> np.ndarray:
    """Return the index of the equal-width bin (lo, hi] that each mean is in; 0 is in the first.

    >>> calibration_bin([0, 0.1, 0.11, 1])
    array([0, 0, 1, 9])
    """
    return np.searchsorted(_bin_edges(bins)[1:-1], probabilities(mean, "mean"), side="left")


def is_constant(values: Floats) -> bool:
    """Return whether values differ by no more than rounding: their ranks would be those of the rounding.

    >>> is_constant(np.array([21.0, 21.000000000000004])), is_constant(np.array([0.2, 0.21]))
    (True, False)
    """
    return bool(np.ptp(values) <= 1e-9 * np.abs(values).max())


def scored(outcome: ArrayLike, mean: ArrayLike) -> tuple[Floats, Floats]:
    """Return outcomes and means, checked: of one shape, at least one."""
    y = shares(outcome)
    p = probabilities(mean, "mean")
    same_shape(y.shape, p.shape, names="outcome and mean")
    if not y.size:
        raise ValueError("outcome must have at least one item")
    _not_swapped(y, p)
    return y, p


def _not_swapped(outcome: Floats, score: Floats) -> None:
    """Raise ValueError where outcomes are shares and forecasts 0s and 1s alone."""
    if not np.isin(outcome, (0, 1)).all() and np.isin(score, (0, 1)).all():
        raise ValueError("outcome has shares, and the forecast 0s and 1s alone: are the arguments swapped?")


def _error(gaps: Floats) -> float:
    """The sum over bins of the absolute mean gap, from what each item adds; (N, bins)."""
    return float(np.abs(gaps.sum(axis=0)).sum() / len(gaps))


def _bin_edges(bins: int) -> Floats:
    """Edges of equal-width bins."""
    if bins < 1:
        raise ValueError(f"bins must be at least 1: bins = {bins}")
    return np.linspace(0, 1, bins + 1)


def _partial_means(a: Floats, b: Floats, x: Floats, cdf: Floats) -> Floats:
    """Integral of p over [0, x] under Beta(a, b), mu I_x(a+1, b), for parameters of shape (n, 1)."""
    # mu I_x(a+1, b) = mu I_x(a, b) - x^a (1-x)^b / (k B(a, b)): one incomplete beta does for both.
    with np.errstate(divide="ignore"):
        partial = (a * cdf - power_term(a, b, x)) / (a + b)
    # The logarithm of B loses the digits of the density where the concentration is very high.
    firm = (a + b)[:, 0] > 1e7
    if firm.any():
        partial[firm] = (a / (a + b))[firm] * scipy.special.betainc(a[firm] + 1, b[firm], x)
    return partial


def _sampled_masses(
    confidence: Beta, bins: int, samples: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Masses and partial means of the bins, estimated from draws."""
    draws = rng.beta(confidence.alpha[:, None], confidence.beta[:, None], size=(len(confidence), samples))
    cell = calibration_bin(draws, bins=bins) + bins * np.arange(len(confidence))[:, None]
    count, total = (
        np.bincount(cell.ravel(), weights=weights, minlength=bins * len(confidence)).reshape(-1, bins)
        for weights in (None, draws.ravel())
    )
    return count / samples, total / samples


def _vector(confidence: Beta) -> Beta:
    """A vector of at least one confidence."""
    if len(require_beta(confidence).shape) != 1 or confidence.shape[0] == 0:
        raise ValueError(f"confidence must be a vector of at least one item: its shape is {confidence.shape}")
    return confidence
