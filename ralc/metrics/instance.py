"""Metrics of single items: what an evaluator's belief costs when the truth is revealed (paper section 3.2)."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from ralc.beta import Beta, require_beta
from ralc.beta.distances import digamma_difference, updating_cost
from ralc.beta.validation import Floats, same_shape, shares
from ralc.metrics.population import scored

__all__ = [
    "accuracy",
    "concentration",
    "expected_brier_score",
    "expected_log_loss",
    "faithfulness_divergence",
    "faithfulness_divergence_parts",
    "kl_divergence",
    "mean_confidence",
    "miscalibration_bias",
    "squared_error",
]


def faithfulness_divergence(outcome: ArrayLike, confidence: Beta) -> Floats:
    """Return an evaluator's surprise when the truth is revealed, one value an item, >= 0, in nats.

        FD = (alpha + beta) KL(Beta(alpha + y, beta + 1 - y) || Beta(alpha, beta))

    It rewards under-confidence, so show it beside others. Where a share p of the answers is right, its expectation is
    lowest at odds of sqrt(p / (1 - p)). For p = 0.9 and a concentration of 20 that is a mean of 0.754.

    Paper section 3.2; accurate to 1e-11 for parameters in [1e-6, 1e12].

    Parameters
    ----------
    outcome : array_like in [0, 1]
        1 for a right answer, 0 for a wrong one; of an answer whose parts are facts, the share that is right.
    confidence : Beta
        Of the same shape, unless one of the two is a single item.

    Raises
    ------
    ValueError
        If the shapes differ or an outcome is outside [0, 1].
    TypeError
        If the confidence is no Beta, or the outcome is one (swapped arguments).

    Examples
    --------
    >>> faithfulness_divergence([1, 0], Beta([20, 20], [1, 1])).round(6)
    array([0.024593, 8.382438])
    """
    cost = _over_facts(updating_cost, outcome, confidence)
    return (confidence.concentration * cost)[()]


def kl_divergence(outcome: ArrayLike, confidence: Beta) -> Floats:
    """Return the divergence of an evaluator's updated belief from the one before, one value an item, in nats: FD / k.

    >>> kl_divergence(1, Beta(20, 1)).round(6)
    np.float64(0.001171)
    """
    return _over_facts(updating_cost, outcome, confidence)[()]


def faithfulness_divergence_parts(outcome: ArrayLike, before: Beta, after: Beta) -> tuple[Floats, Floats]:
    """Return what the mean did and what the concentration did to FD, one value an item each.

    The first is FD(mean after, k before) - FD(before), the second FD(after) - FD(mean after, k before); they
    sum to the change. FD falls by itself when k does, so a fall of the second part is no gain in calibration.

    Parameters
    ----------
    outcome : array_like in [0, 1], shape (N,)
    before, after : Beta of shape (N,)
        Confidence of each item before and after the change.

    Examples
    --------
    >>> mean_part, concentration_part = faithfulness_divergence_parts(1, Beta(10, 10), Beta(4, 1))
    >>> mean_part.round(4), concentration_part.round(4)
    (np.float64(-0.3649), np.float64(-0.0069))
    """
    same_shape(
        require_beta(before, "before").shape, require_beta(after, "after").shape, names="before and after"
    )
    k = before.concentration / after.concentration
    between = faithfulness_divergence(outcome, Beta(after.alpha * k, after.beta * k))
    return (
        between - faithfulness_divergence(outcome, before),
        faithfulness_divergence(outcome, after) - between,
    )


def expected_brier_score(outcome: ArrayLike, confidence: Beta) -> Floats:
    """Return the expected squared error of a probability drawn from the confidence: Var + (mean - y)^2, in [0, 1].

    Paper appendix A.2.1; one value an item.

    >>> expected_brier_score([1, 0], Beta(1, 1)).round(6)
    array([0.333333, 0.333333])
    """
    y = shares(outcome)
    k = require_beta(confidence).concentration
    # E[(1-p)^2] for p ~ Beta(for, against): the product of two moments, nothing cancels.
    facts = _over_facts(lambda _, against: against / k * ((against + 1) / (k + 1)), y, confidence)
    return (facts - y * (1 - y))[()]


def expected_log_loss(outcome: ArrayLike, confidence: Beta) -> Floats:
    """Return the expected negative log likelihood of a probability drawn from the confidence, in nats, >= 0.

    psi(k) - psi(alpha) for a correct answer, else psi(k) - psi(beta) (paper appendix A.3); one value an item.

    >>> expected_log_loss(1, Beta(1, [1, 2])).round(6)
    array([1. , 1.5])
    """
    return _over_facts(digamma_difference, outcome, confidence)[()]


def squared_error(outcome: ArrayLike, mean: ArrayLike) -> Floats:
    """Return the squared error (mean - y)^2, one value an item, in [0, 1]; of a share, the distance to it.

    Its mean is the Brier score.

    >>> squared_error([1, 0], [0.75, 0.75])
    array([0.0625, 0.5625])
    """
    y, p = scored(outcome, mean)
    return ((p - y) ** 2)[()]


def accuracy(outcome: ArrayLike, confidence: Beta) -> Floats:
    """Return whether each answer is right, 1 or 0, whatever the confidence; its mean is the accuracy.

    >>> accuracy([1, 0], Beta([1, 1], [1, 1]))
    array([1., 0.])
    """
    return _of_shape(outcome, confidence)


def mean_confidence(outcome: ArrayLike, confidence: Beta) -> Floats:
    """Return the mean of each confidence, in [0, 1], whatever the outcome.

    >>> mean_confidence([1, 0], Beta([1, 3], [1, 1]))
    array([0.5 , 0.75])
    """
    _of_shape(outcome, confidence)
    return confidence.mean


def concentration(outcome: ArrayLike, confidence: Beta) -> Floats:
    """Return the concentration alpha + beta of each confidence, > 0, whatever the outcome.

    >>> concentration([1, 0], Beta([1, 3], [1, 1]))
    array([2., 4.])
    """
    _of_shape(outcome, confidence)
    return confidence.concentration


def miscalibration_bias(outcome: ArrayLike, confidence: Beta) -> Floats:
    """Return each mean minus its outcome, in [-1, 1]; on average above 0 where answers are too sure.

    Paper appendix, cross-domain investigation: mean confidence - accuracy.

    >>> miscalibration_bias([1, 0], Beta([1, 3], [1, 1]))
    array([-0.5 ,  0.75])
    """
    y = _of_shape(outcome, confidence)
    return confidence.mean - y


def _of_shape(outcome: ArrayLike, confidence: Beta) -> Floats:
    """Checked outcomes of the confidence's shape."""
    y = shares(outcome)
    same_shape(y.shape, require_beta(confidence).shape, names="outcome and confidence")
    return y


def _over_facts(cost: Callable[[Floats, Floats], Floats], outcome: ArrayLike, confidence: Beta) -> Floats:
    """A cost of the parameters for and against what turned out true; of a share, its expectation over facts."""
    y = shares(outcome)
    require_beta(confidence)
    if y.shape and confidence.shape:
        same_shape(y.shape, confidence.shape, names="outcome and confidence")
    a = confidence.alpha
    b = confidence.beta
    likelier = cost(np.where(y > 0.5, a, b), np.where(y > 0.5, b, a))
    if np.isin(y, (0, 1)).all():
        return likelier
    rest = np.minimum(y, 1 - y)
    return (1 - rest) * likelier + rest * cost(np.where(y > 0.5, b, a), np.where(y > 0.5, a, b))
