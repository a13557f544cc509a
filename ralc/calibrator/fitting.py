"""The half of a calibrator that deals in numbers: what a confidence is worth, fitted, applied, evaluated."""

import warnings
from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from ralc import metrics
from ralc.beta import Beta
from ralc.beta.validation import as_vector, same_shape, shares
from ralc.calibration import from_protocol
from ralc.calibrator.evaluation import Evaluation, cross_validate
from ralc.calibrator.sampling_design import Design
from ralc.calibrator.signal import Majority, as_confidence, in_a_row, of_samples
from ralc.protocols import Protocol, resolve
from ralc.registry import STARTS
from ralc.signals import OF_ANSWERS
from ralc.statistics import groups_of

#: What is said at `fit` of a map that can do little, by its flag.
_REMARKS = {
    "negative_slope": "the more confident an answer, the less often it is right: is the score the wrong way round?",
    "unidentified_slope": "the confidence is the same everywhere, or the answers are all right or all wrong",
    "flat": "the confidence does not tell right answers from wrong ones",
}


class ConfidenceCalibrator(BaseEstimator):
    """Turns a confidence into a calibrated one; `ralc.WordCalibrator` is one that says it, and tells what each is."""

    signal: str | None
    map: str
    protocol: str | Protocol

    def fit(
        self,
        confidence: Beta | ArrayLike,
        correct: ArrayLike,
        *,
        groups: ArrayLike | None = None,
        design: Design | None = None,
    ) -> Self:
        """Fit to confidences (scores in [0, 1], or Betas) and whether the answers were right (0 or 1).

        Of the sentences of long answers, `correct` may be the share of each that is right, and `groups` names the
        answer that each belongs to. `design` says how many answers were asked for of each question: samples that were
        asked for otherwise are then refused.

        Raises
        ------
        ValueError
            If a score or an outcome is not allowed (the first is named), or there is none.
        """
        signal = self.signal or "score"
        if signal not in STARTS:
            raise ValueError(f"signal {signal!r} is not one of {', '.join(STARTS)}")
        return self._fit(as_confidence(confidence, resolve(self.protocol)), correct, signal, groups, design)

    def fit_samples(
        self,
        samples: Sequence[Sequence[str]],
        correct: ArrayLike,
        *,
        token_logprobs: Sequence[Sequence[ArrayLike | None]] | None = None,
        questions: Sequence[str] | None = None,
    ) -> Self:
        """Fit to several answers of each question; `correct` is of the first in the largest cluster.

        Parameters
        ----------
        samples
            One list of answers a question; they are clustered here (`confidence_of` shows what came out).
        correct
            Whether the first answer in the largest cluster is right (0 or 1), of each question. By a signal of
            sentences (`ralc.signals.OF_SENTENCES`) of each of its sentences that claim something, the share of it that
            is right, or None; an answer of several such is the first of its question.
        token_logprobs
            Of each answer the log-probabilities of its tokens, in nats, or None; where there are any and no signal is
            named, it is ``token_probability``.
        questions
            The questions: words that an answer repeats from its question claim nothing.
        """
        signal = _sampled(self.signal, token_logprobs)
        _, confidence = of_samples(samples, questions, token_logprobs, signal, resolve(self.protocol))
        groups, design = None, Design.of([len(one) for one in samples]) if len(samples) else None
        if not isinstance(confidence, Beta):
            confidence, correct, groups = in_a_row(confidence, correct)
        return self._fit(confidence, correct, signal, groups, design)

    def _fit(
        self,
        confidence: Beta,
        correct: ArrayLike,
        signal: str,
        groups: ArrayLike | None = None,
        design: Design | None = None,
    ) -> Self:
        y = as_vector(shares(correct, "correct"))
        same_shape(y.shape, confidence.shape, names="correct and confidence")
        self.map_ = from_protocol(self.map, resolve(self.protocol).of(signal)).fit(confidence, y)
        self.signal_ = signal
        self.design_ = design
        vars(self).pop("evaluation_", None)  # it was of another fit
        self.n_answers_ = y.size if groups is None else int(groups_of(groups, y.size).max()) + 1
        self.base_rate_ = float(y.mean())
        remarks = _REMARKS | {"mostly_prior": f"the map {self.map_.basis}"}
        for flag in set(remarks) & set(self.map_.flags_):
            warnings.warn(remarks[flag], stacklevel=3)
        return self

    @property
    def caveat(self) -> str:
        """Why nothing is promised of the words that come out; empty where something is (see `evaluate`)."""
        evaluation = getattr(self, "evaluation_", None)
        return "it was not evaluated" if evaluation is None else evaluation.reason

    def unlike(self, counts: Sequence[int]) -> str:
        """Why answers to some questions, so many to each, are not of the kind that it was fitted on; else empty."""
        design = getattr(self, "design_", None)
        return "" if design is None or not len(counts) else design.unlike(counts)

    def transform(self, confidence: Beta | ArrayLike) -> Beta:
        """Return calibrated confidences: the map's means, the same concentrations."""
        check_is_fitted(self, "map_")
        return self.map_.transform(as_confidence(confidence, resolve(self.protocol)))

    def fit_transform(self, confidence: Beta | ArrayLike, correct: ArrayLike) -> Beta:
        """Fit, and return the calibrated confidences of the same answers (which no evaluation may use)."""
        return self.fit(confidence, correct).transform(confidence)

    def predict_proba(self, confidence: Beta | ArrayLike) -> np.ndarray:
        """Return the probabilities of being wrong and of being right, of shape (n, 2), as scikit-learn has them."""
        right = self.transform(confidence).mean
        return np.column_stack([1 - right, right])

    def score(self, confidence: Beta | ArrayLike, correct: ArrayLike) -> float:
        """Return the negative Brier score on some answers: the higher the better, at most 0."""
        y = as_vector(shares(correct, "correct"))
        return -metrics.brier_score(y, self.transform(confidence).mean)

    def confidence_of(
        self,
        samples: Sequence[Sequence[str]],
        *,
        token_logprobs: Sequence[Sequence[ArrayLike | None]] | None = None,
        questions: Sequence[str] | None = None,
    ) -> tuple[list[Majority], Beta | list[Beta]]:
        """Return the majority of each question's answers and its confidence, as `transform` and `rewrite` take it.

        By a signal of sentences it is a vector for each answer, as `rewrite` takes it.

        Raises
        ------
        ValueError
            If the calibrator was fitted on answers that were asked for otherwise: another number of them, or until
            their majority was settled (`unlike`).
        """
        signal = _sampled(getattr(self, "signal_", self.signal), token_logprobs)
        found = of_samples(samples, questions, token_logprobs, signal, resolve(self.protocol))
        if why := self.unlike([len(one) for one in samples]):
            raise ValueError(f"samples: {why}")
        return found

    def evaluate(
        self,
        confidence: Beta | ArrayLike,
        correct: ArrayLike,
        *,
        groups: ArrayLike | None = None,
        folds: int = 5,
        seed: int = 0,
    ) -> Evaluation:
        """Return cross-validated figures of the map, beside the raw confidence and the base rate.

        They are kept in ``evaluation_``, and so on the card. Each has a 95 % bootstrap interval over answers;
        where the answers are too few to tell the calibrated confidence from the base rate, nothing is promised
        and the number that would be needed is said. Sentences of one answer (`groups`, as for `fit`) are held out and
        resampled together.
        """
        raw = as_confidence(confidence, resolve(self.protocol))
        how = resolve(self.protocol).of(getattr(self, "signal_", self.signal) or "score")
        self.evaluation_ = cross_validate(
            lambda b, y: from_protocol(self.map, how).fit(b, y),
            raw,
            correct,
            groups=groups,
            folds=folds,
            seed=seed,
        )
        return self.evaluation_


def _sampled(signal: str | None, token_logprobs: object) -> str:
    """The signal of samples: the one that is named, else the best that they have."""
    signal = signal or ("semantic_uncertainty" if token_logprobs is None else "token_probability")
    if signal not in OF_ANSWERS:
        raise ValueError(
            f"signal {signal} is not of samples; {', '.join(OF_ANSWERS)} are; values of any other go to fit()"
        )
    return signal
