"""Reliability: how often answers are right, by how sure they are said to be."""

from typing import TYPE_CHECKING

import numpy as np

from ralc.beta import Beta
from ralc.metrics import bin_masses
from ralc.statistics.resampling import resample

if TYPE_CHECKING:
    import pandas as pd

#: Mass of a bin, in answers, from which it is shown.
FAINT = 0.25
#: Bootstrap resamples of the band.
RESAMPLES = 500


def reliability_curve(
    outcome: np.ndarray,
    confidence: Beta,
    *,
    groups: np.ndarray | None = None,
    bins: int = 10,
    rng: np.random.Generator,
) -> "pd.DataFrame":
    """Return a row a bin, with the bins and masses of the generalised ECE (Wang et al. 2025); NaN below `FAINT`.

    ``confidence`` and ``accuracy`` are mass-weighted. ``expected`` is the accuracy if every answer were right with its
    mean as probability. ``low, high`` is the 95 % band of accuracy. ``mass`` sums to 1.

    Parameters
    ----------
    outcome : array in [0, 1], shape (n,)
        Whether each answer is right, or the share of it that is.
    confidence : Beta of shape (n,)
    groups : array of shape (n,), optional
        Answers of one group are resampled together for the band.
    bins : int
        Number of bins of equal width.
    rng
        Draws the band's bootstrap resamples, `RESAMPLES` of them.
    """
    import pandas as pd

    mass, first = bin_masses(confidence, bins=bins)
    right = mass * outcome[:, None]
    total = mass.sum(axis=0)
    filled = np.where(total >= FAINT, total, np.nan)
    weights = resample(len(outcome), groups=groups, resamples=RESAMPLES, rng=rng).weights[:, 1:].T
    with np.errstate(invalid="ignore"):
        accuracy = np.where(np.isfinite(filled), (weights @ right) / (weights @ mass), np.nan)
    low, high = pd.DataFrame(accuracy).quantile([0.025, 0.975]).to_numpy()
    sums = {"confidence": first, "accuracy": right, "expected": mass * confidence.mean[:, None]}
    curve = {name: of.sum(axis=0) / filled for name, of in sums.items()}
    return pd.DataFrame(curve | {"low": low, "high": high, "mass": total / len(outcome)})
