"""Logistic regression to machine precision, with soft targets and a normal prior, for many samples at once."""

from typing import NamedTuple

import numpy as np
import scipy

from ralc.beta.validation import Floats

_MOST_STEPS = 200
#: A step so small is the last: the error behind it is of the order of its square.
_LAST = 1e-8
#: A loss that is higher by such a share is not.
_ROUNDING = 1e-13


class Logistic(NamedTuple):
    """Fitted logistic regressions, one for each sample."""

    slopes: Floats
    """Of shape (..., p)."""
    intercept: Floats
    """Of shape (...)."""


def fit_logistic(
    features: Floats,
    targets: Floats,
    *,
    mean: float = 0.0,
    sd: float = np.inf,
    intercept_sd: float = np.inf,
) -> Logistic:
    """Return the slopes and intercepts of largest posterior density (of largest likelihood without a prior).

    Newton's method with step halving. scikit-learn's solvers take no soft targets and no prior that is centred
    elsewhere than at 0.

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
    # `back` turns weights of the standardised features into those of the features.
    back = np.zeros((*features.shape[:-2], count + 1, count + 1))
    back[..., range(count), range(count)] = 1 / scale[..., 0, :]
    back[..., count, :count] = -(shift / scale)[..., 0, :]
    back[..., count, count] = 1
    precision = np.diag([1 / sd**2] * count + [1 / intercept_sd**2])
    centre = np.linalg.solve(back, np.array([mean] * count + [0.0])[:, None])[..., 0]
    weights = _maximise(design, targets, centre, back.swapaxes(-1, -2) @ precision @ back)
    found = (back @ weights[..., None])[..., 0]
    return Logistic(found[..., :count], found[..., count])


def _maximise(design: Floats, targets: Floats, centre: Floats, precision: Floats) -> Floats:
    """Return the weights of largest posterior density."""

    def loss(weights: Floats) -> Floats:
        logits, apart = (design @ weights[..., None])[..., 0], (weights - centre)[..., None]
        penalty = (apart.swapaxes(-1, -2) @ precision @ apart)[..., 0, 0] / 2
        return (np.logaddexp(0, logits) - targets * logits).sum(axis=-1) + penalty

    weights = np.zeros(centre.shape)
    least = loss(weights)
    for _ in range(_MOST_STEPS):
        p = scipy.special.expit(design @ weights[..., None])
        turned = design.swapaxes(-1, -2)
        information = (turned * (p * (1 - p)).swapaxes(-1, -2)) @ design + precision
        gradient = turned @ (p - targets[..., None]) + precision @ (weights - centre)[..., None]
        step = (np.linalg.pinv(information) @ gradient)[..., 0]
        for _ in range(60):
            nearer = loss(weights - step)
            if not (worse := nearer > least + _ROUNDING * np.abs(least)).any():
                break
            step = np.where(worse[..., None], step / 2, step)
        weights, least = weights - step, nearer
        if (np.abs(step).max(axis=-1) <= _LAST * np.maximum(1.0, np.abs(weights).max(axis=-1))).all():
            break
    return weights
