"""Probabilities that are calibrated by construction, by a kept library (extra ``guarantees``)."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ralc.beta import Beta
from ralc.beta.validation import Floats, outcomes, same_shape

if TYPE_CHECKING:
    from ralc.calibrator.estimator import WordCalibrator


def venn_abers(
    calibrator: "WordCalibrator",
    confidence: Beta | ArrayLike,
    correct: ArrayLike,
    asked: Beta | ArrayLike,
) -> tuple[Floats, Floats]:
    """Return for each asked confidence the two probabilities of a Venn-Abers predictor, the lower first.

    For answers from the same source, one of the two is the right conditional frequency (Vovk & Petej 2014), whatever
    the map; their distance says how little is known there.

    Parameters
    ----------
    calibrator
        Fitted; its map orders the confidences.
    confidence, correct
        A split of its own: answers that the calibrator was **not** fitted on, and whether they were right.
    asked
        Confidences to be answered for.

    Raises
    ------
    ValueError
        If the extra is not installed, the split has one class only, or a value is not allowed.
    """
    try:
        from venn_abers import VennAbers
    except ModuleNotFoundError:
        raise ValueError("venn-abers is not installed: pip install 'ralc[guarantees]'") from None
    y = outcomes(correct, "correct")
    known, new = (np.asarray(calibrator.transform(one).mean) for one in (confidence, asked))
    same_shape(y.shape, known.shape, names="correct and confidence")
    if not 0 < y.sum() < y.size:
        raise ValueError(
            f"correct: {int(y.sum())} of {y.size} are right; a guarantee needs right and wrong ones"
        )
    predictor = VennAbers()
    predictor.fit(np.column_stack([1 - known, known]), y)
    _, pair = predictor.predict_proba(np.column_stack([1 - new, new]))
    return pair.min(axis=1), pair.max(axis=1)
