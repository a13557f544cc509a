"""The generalised expected calibration error (Wang et al. 2025), exact, and its floor."""

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ralc.beta import Beta, require_beta
from ralc.beta.validation import Floats, same_shape, shares
from ralc.metrics.population import bin_edges, calibration_bin

__all__ = ["bin_gaps", "bin_masses", "generalised_ece", "generalised_ece_null", "null_of_masses"]

#: Elements of a temporary array; items are taken in slices so that memory stays flat.
_SLICE = 2_000_000


def generalised_ece(
    outcome: ArrayLike,
    confidence: Beta,
    *,
    bins: int = 10,
    samples: int | None = None,
    rng: np.random.Generator | None = None,
) -> float:
    r"""Generalised expected calibration error (Wang et al. 2025), in [0, 1]; exact.

    .. math:: (1/N) \sum_m | \sum_i p_{im} y_i - \sum_i e_{im} |

    over equal-width bins, where p is the mass of item i's confidence inside bin m and e the integral of the
    probability over it. It has a floor that depends on the concentrations (`generalised_ece_null`), and it
    does not see discrimination: show it beside AUROC.

    Parameters
    ----------
    outcome : array_like in [0, 1], shape (N,)
    confidence : Beta of shape (N,)
    bins : int
        Number of bins, M.
    samples : int, optional
        Estimate by this many draws an item, as the authors' code does; needs `rng`.
    rng : numpy Generator, optional
        What the draws are made by.

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
    gaps = bin_gaps(outcome, confidence, bins=bins, samples=samples, rng=rng)
    return float(np.abs(gaps.sum(axis=0)).sum() / len(gaps))


def generalised_ece_null(
    confidence: Beta, *, bins: int = 10, repeats: int = 200, rng: np.random.Generator
) -> float:
    """Generalised ECE to expect if the confidences were perfectly calibrated: the floor of the metric.

    The mean over `repeats` simulations of outcomes y ~ Bernoulli(mean); where outcomes are shares, at most that.

    >>> rng = np.random.default_rng(0)
    >>> round(generalised_ece_null(Beta.from_mean_concentration(np.full(2000, 0.5), 20), rng=rng), 2)
    0.09
    """
    mass, expected = bin_masses(_checked(confidence), bins=bins)
    return null_of_masses(mass, expected, confidence.mean, repeats=repeats, rng=rng)


def null_of_masses(
    mass: Floats, expected: Floats, mean: Floats, *, repeats: int = 200, rng: np.random.Generator
) -> float:
    """The same, of confidences whose `bin_masses` and means are known."""
    if repeats < 1:
        raise ValueError(f"repeats must be at least 1: repeats = {repeats}")
    target = expected.sum(axis=0)
    total, step = 0.0, max(_SLICE // len(mean), 1)
    for start in range(0, repeats, step):
        drawn = rng.random((min(step, repeats - start), len(mean))) < mean
        total += np.abs(drawn @ mass - target).sum()
    return float(total / (repeats * len(mean)))


def bin_gaps(
    outcome: ArrayLike,
    confidence: Beta,
    *,
    bins: int = 10,
    samples: int | None = None,
    rng: np.random.Generator | None = None,
) -> Floats:
    """What each item adds to each bin of the generalised ECE, p_im y_i - e_im; shape (N, bins).

    >>> bin_gaps([1], Beta([1], [1]), bins=2)
    array([[0.375, 0.125]])
    """
    y = shares(outcome)
    same_shape(y.shape, _checked(confidence).shape, names="outcome and confidence")
    mass, expected = bin_masses(confidence, bins=bins, samples=samples, rng=rng)
    return mass * y[:, None] - expected


def bin_masses(
    confidence: Beta, *, bins: int = 10, samples: int | None = None, rng: np.random.Generator | None = None
) -> tuple[Floats, Floats]:
    """Mass of each confidence inside each equal-width bin, and the integral of p over it; (N, bins) each."""
    edges = bin_edges(bins)
    if samples is not None:
        return _sampled_masses(confidence, bins, samples, rng)
    mass, expected = np.empty((len(confidence), bins)), np.empty((len(confidence), bins))
    step = max(_SLICE // (bins + 1), 1)
    for start in range(0, len(confidence), step):
        part = slice(start, start + step)
        a, b = confidence.alpha[part, None], confidence.beta[part, None]
        cdf = scipy.special.betainc(a, b, edges)
        mass[part] = np.diff(cdf, axis=1)
        expected[part] = np.diff(_partial_means(a, b, edges, cdf), axis=1)
    return mass, expected


def _partial_means(a: Floats, b: Floats, x: Floats, cdf: Floats) -> Floats:
    """Integral of p over [0, x] under Beta(a, b), mu I_x(a+1, b), for parameters of shape (n, 1)."""
    # mu I_x(a+1, b) = mu I_x(a, b) - x^a (1-x)^b / (k B(a, b)): one incomplete beta does for both.
    with np.errstate(divide="ignore"):
        density = np.exp(
            scipy.special.xlogy(a, x) + scipy.special.xlog1py(b, -x) - scipy.special.betaln(a, b)
        )
    partial = (a * cdf - density) / (a + b)
    # The logarithm of B loses the digits of the density where the concentration is very high.
    firm = (a + b)[:, 0] > 1e7
    if firm.any():
        partial[firm] = (a / (a + b))[firm] * scipy.special.betainc(a[firm] + 1, b[firm], x)
    return partial


def _sampled_masses(
    confidence: Beta, bins: int, samples: int, rng: np.random.Generator | None
) -> tuple[Floats, Floats]:
    """Masses and partial means of the bins from draws."""
    if rng is None:
        raise ValueError("samples needs rng")
    drawn = rng.beta(confidence.alpha[:, None], confidence.beta[:, None], size=(len(confidence), samples))
    cell = calibration_bin(drawn, bins=bins) + bins * np.arange(len(confidence))[:, None]
    count, total = (
        np.bincount(cell.ravel(), weights=weights, minlength=bins * len(confidence)).reshape(-1, bins)
        for weights in (None, drawn.ravel())
    )
    return count / samples, total / samples


def _checked(confidence: Beta) -> Beta:
    """A vector of at least one confidence."""
    if len(require_beta(confidence).shape) != 1 or confidence.shape[0] == 0:
        raise ValueError(f"confidence must be a vector of at least one item: its shape is {confidence.shape}")
    return confidence
