"""A conformal cut: few long answers keep a false sentence."""

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ralc.beta import Beta
from ralc.beta.validation import same_shape, shares
from ralc.statistics import groups_of

if TYPE_CHECKING:
    from ralc.calibrator.estimator import WordCalibrator


def told_from(
    calibrator: "WordCalibrator",
    confidence: Beta | ArrayLike,
    correct: ArrayLike,
    groups: ArrayLike,
    *,
    epsilon: float,
) -> float:
    """Return the calibrated probability from which on sentences are told, so that few answers keep a false one.

    All others are left out or marked (``rewrite(..., below="drop", unsupported=...)``). Then at most a share `epsilon`
    of answers keeps a false sentence, in expectation over calibration and new answers, if these are exchangeable (Mohri
    & Hashimoto 2024). Sentences of one answer may depend on one another. Infinite where the answers are too few.

    Parameters
    ----------
    calibrator
        Fitted on other answers; its map orders the sentences.
    confidence
        Of each sentence of a split of its own.
    correct
        Of each sentence, whether it is right, or the share of it that is: any below 1 is false.
    groups
        The answer that each sentence belongs to.
    epsilon
        In (0, 1): the share of answers that may keep a false sentence.

    Raises
    ------
    ValueError
        If a value is not allowed, or the lengths differ.
    """
    if not 0 < epsilon < 1:
        raise ValueError(f"epsilon = {epsilon} must be in (0, 1)")
    y = shares(correct, "correct")
    means = np.asarray(calibrator.transform(confidence).mean)
    same_shape(y.shape, means.shape, names="correct and confidence")
    answers = groups_of(groups, y.size)
    # The most confident false sentence of each answer: it is kept unless only what is above it is told.
    falsest = np.full(answers.max() + 1, -np.inf)
    np.maximum.at(falsest, answers, np.where(y < 1, means, -np.inf))
    place = math.ceil((falsest.size + 1) * (1 - epsilon) - 1e-9)
    if place > falsest.size:
        return math.inf
    return max(float(np.nextafter(np.sort(falsest)[place - 1], math.inf)), 0.0)
