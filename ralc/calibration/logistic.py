"""Logistic regression to machine precision on few features, with targets that may lie between 0 and 1."""

import numpy as np
import scipy

from ralc.beta.validation import Floats

_MOST_STEPS = 200


def fit_logistic(
    features: Floats, targets: Floats, *, penalty: float = 0.0, intercept: bool = True
) -> tuple[Floats, float]:
    """Return the slopes and the intercept of largest (penalised) likelihood.

    scikit-learn's solvers take no soft targets and stop at a gradient of 1e-4; this one, Newton's method with
    step halving, reaches the last digits.

    Parameters
    ----------
    features : array of shape (n, p)
        Finite; the caller sees to it that a maximum exists.
    targets : array of shape (n,)
        Probabilities in [0, 1].
    penalty : float
        L2 penalty on the slopes: penalty/2 times their sum of squares, 1/C in scikit-learn's terms.
    intercept : bool
        Whether there is an intercept; without one it is 0.
    """
    centre = features.mean(axis=0) if intercept else np.zeros(features.shape[1])
    scale = np.sqrt(((features - centre) ** 2).mean(axis=0))
    design = (features - centre) / scale
    ridge = penalty / scale**2
    if intercept:
        design, ridge = np.column_stack([design, np.ones(len(design))]), np.append(ridge, 0.0)
    weights = _maximise(design, targets, ridge)
    slopes = weights[: features.shape[1]] / scale
    return slopes, float(weights[-1] - slopes @ centre) if intercept else 0.0


def _maximise(design: Floats, targets: Floats, ridge: Floats) -> Floats:
    """Newton's method with step halving."""
    weights = np.zeros(design.shape[1])
    loss = _loss(weights, design, targets, ridge)
    for _ in range(_MOST_STEPS):
        p = scipy.special.expit(design @ weights)
        gradient = design.T @ (p - targets) + ridge * weights
        hessian = (design * (p * (1 - p))[:, None]).T @ design + np.diag(ridge)
        step = np.linalg.lstsq(hessian, gradient, rcond=None)[0]
        for _ in range(60):
            nearer = _loss(weights - step, design, targets, ridge)
            if nearer <= loss:
                break
            step = step / 2
        else:
            return weights
        weights, loss = weights - step, nearer
        if np.abs(step).max() <= 1e-14 * max(1.0, np.abs(weights).max()):
            break
    return weights


def _loss(weights: Floats, design: Floats, targets: Floats, ridge: Floats) -> float:
    """Negative penalised log likelihood."""
    logits = design @ weights
    return float((np.logaddexp(0, logits) - targets * logits).sum() + (ridge * weights**2).sum() / 2)
