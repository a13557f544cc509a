"""What can be guaranteed: by kept libraries (extra ``guarantees``) calibrated probabilities, and when to abstain.

And, by a conformal cut, that few long answers keep a false sentence.
"""

import math
import warnings
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ralc.beta import Beta
from ralc.beta.validation import Floats, outcomes, same_shape, shares
from ralc.statistics import groups_of

if TYPE_CHECKING:
    from ralc.calibrator.estimator import WordCalibrator

#: Answers above the strictest threshold that is tried: fewer tell nothing of their precision.
LEAST_GIVEN = 30


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
        raise ValueError("venn-abers is not installed: pip install 'pyralc[guarantees]'") from None
    known, y = _split(calibrator, confidence, correct)
    new = np.asarray(calibrator.transform(asked).mean)
    predictor = VennAbers()
    predictor.fit(np.column_stack([1 - known, known]), y)
    _, pair = predictor.predict_proba(np.column_stack([1 - new, new]))
    return pair.min(axis=1), pair.max(axis=1)


def answer_from(
    calibrator: "WordCalibrator",
    confidence: Beta | ArrayLike,
    correct: ArrayLike,
    *,
    precision: float,
    level: float = 0.9,
) -> float | None:
    """Return the least calibrated probability from which answers are right as often as stated; abstain below it.

    With probability `level` over the split, of the answers at or above it at least `precision` are right, for answers
    from the same source (Angelopoulos et al. 2021, by `mapie`). None where no threshold can be held to that.

    Parameters
    ----------
    calibrator, confidence, correct
        As for `venn_abers`: a split of its own.
    precision
        In (0, 1): the share of given answers that must be right.
    level
        In (0, 1): how sure that is.

    Raises
    ------
    ValueError
        If the extra is not installed, the split has one class only, or a value is not allowed.
    """
    for name, value in (("precision", precision), ("level", level)):
        if not 0 < value < 1:
            raise ValueError(f"{name} = {value} must be in (0, 1)")
    try:
        from mapie.risk_control import BinaryClassificationController
        from mapie.risk_control import precision as share_of_right
    except ModuleNotFoundError:
        raise ValueError("mapie is not installed: pip install 'pyralc[guarantees]'") from None
    known, y = _split(calibrator, confidence, correct)
    controller = BinaryClassificationController(
        lambda means: np.column_stack([1 - means, means]),
        risk=share_of_right,
        target_level=precision,
        confidence_level=level,
        list_predict_params=_thresholds(known),
        fwer_method="fixed_sequence",
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of thresholds that cannot be held: None says it
        controller.calibrate(known, y.astype(int))
    found = controller.best_predict_param
    return None if found is None else float(found)


def told_from(
    calibrator: "WordCalibrator",
    confidence: Beta | ArrayLike,
    correct: ArrayLike,
    groups: ArrayLike,
    *,
    epsilon: float,
) -> float:
    """Return the calibrated probability from which on sentences are told, so that few answers keep a false one.

    Where all others are left out or marked (``rewrite(..., below="drop", unsupported=...)``), the share of answers that
    keep a false sentence is at most `epsilon` in expectation over calibration and new answers, if these are
    exchangeable: asked and answered alike, in any order (Mohri & Hashimoto 2024; sentences of one answer may depend on
    one another). Infinite where the answers are too few to hold that.

    Parameters
    ----------
    calibrator, confidence
        As for `venn_abers`: sentences of a split of its own.
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
    known = np.asarray(calibrator.transform(confidence).mean)
    same_shape(y.shape, known.shape, names="correct and confidence")
    answers = groups_of(groups, y.size)
    # The most confident false sentence of each answer: it is kept unless only what is above it is told.
    falsest = np.full(answers.max() + 1, -np.inf)
    np.maximum.at(falsest, answers, np.where(y < 1, known, -np.inf))
    place = math.ceil((falsest.size + 1) * (1 - epsilon) - 1e-9)
    if place > falsest.size:
        return math.inf
    return max(float(np.nextafter(np.sort(falsest)[place - 1], math.inf)), 0.0)


def _thresholds(known: Floats) -> Floats:
    """Thresholds from the strictest that leaves enough answers to tell, down to all of them; by no outcome."""
    first = min(max(LEAST_GIVEN, known.size // 5), known.size)
    return np.unique(np.sort(known)[::-1][first - 1 :: 5])[::-1]


def _split(
    calibrator: "WordCalibrator", confidence: Beta | ArrayLike, correct: ArrayLike
) -> tuple[Floats, Floats]:
    """The calibrated means and the outcomes of a split that has right and wrong answers."""
    y = outcomes(correct, "correct")
    known = np.asarray(calibrator.transform(confidence).mean)
    same_shape(y.shape, known.shape, names="correct and confidence")
    if not 0 < y.sum() < y.size:
        raise ValueError(
            f"correct: {int(y.sum())} of {y.size} are right; a guarantee needs right and wrong ones"
        )
    return known, y
