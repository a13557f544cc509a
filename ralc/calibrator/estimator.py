"""The calibrator of words, after scikit-learn's manner: fit, transform, rewrite, evaluate, save, load."""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Self, get_args

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ralc import evaluators, io
from ralc.beta import Beta
from ralc.beta.validation import same_shape
from ralc.calibration import PlattScaling, from_protocol
from ralc.calibrator import serialization
from ralc.calibrator.confidence import (
    NO_DESIGN,
    SamplingDesign,
    answers_in,
    as_confidence,
    attempted,
    concatenated,
    in_a_row,
    of_each,
    of_samples,
    signal_of_samples,
)
from ralc.calibrator.default_lexicon import built_in_lexicon
from ralc.calibrator.drift import FreshTest, fresh_test
from ralc.calibrator.evaluation import Evaluation, cross_validate
from ralc.calibrator.policy import Policy
from ralc.lexicon import Lexicon
from ralc.original_answer import Majority
from ralc.protocols import Protocol, resolve
from ralc.registry import READ_SIGNAL, STARTS
from ralc.rewriting.rewriter import Below, Rewrite, Rewriter, Style, Writer
from ralc.rewriting.selection import OnMiss
from ralc.statistics import groups_of

#: What is said at `fit` of a map that can do little, by its flag.
_REMARKS = {
    "negative_slope": "the more confident an answer, the less often it is right: is the score the wrong way round?",
    "unidentified_slope": "the confidence is the same everywhere, or the answers are all right or all wrong",
    "flat": "the confidence does not tell right answers from wrong ones",
}


class WordCalibrator(TransformerMixin, BaseEstimator):
    """Calibrates confidences, and rewrites answers in words that say them.

    Parameters
    ----------
    signal : str, optional
        ``score`` (your own, `fit`), ``linguistic_confidence`` (`fit_texts`), or one of `ralc.signals.OF_ANSWERS`
        (`fit_samples`), such as ``semantic_uncertainty``. By default the first of the method that fits.
    map, evaluator : str
        Names of the calibration map (`ralc.calibration`), and of the evaluator that chooses the words.
    lexicon : Lexicon, optional
        Hedges and how they are read; by default the built-in ones as `evaluator` reads them.
    protocol : str or Protocol
        Choices of the method: ``ralc``, ``paper`` or ``authors``.

    Attributes
    ----------
    map_, signal_, lexicon_, evaluation_
        The fitted map with its ``flags_``; the signal and the lexicon that are used; what `evaluate` returned.
    n_answers_, n_not_attempted_, base_rate_, design_
        Answers that it was fitted on, those left out since they do not answer, the share of right ones, and how many
        a question had, where that is known.
    """

    design_: SamplingDesign | None = None
    evaluation_: Evaluation | None = None

    def __init__(
        self,
        signal: str | None = None,
        map: str = "platt",
        evaluator: str = "cue_model",
        lexicon: Lexicon | None = None,
        protocol: str | Protocol = "ralc",
    ) -> None:
        self.signal = signal
        self.map = map
        self.evaluator = evaluator
        self.lexicon = lexicon
        self.protocol = protocol

    @property
    def lexicon_(self) -> Lexicon:
        """The lexicon as it is used."""
        return built_in_lexicon(self.evaluator) if self.lexicon is None else self.lexicon

    def fit(
        self,
        confidence: Beta | ArrayLike,
        correct: ArrayLike,
        *,
        groups: ArrayLike | None = None,
        design: SamplingDesign | None = None,
    ) -> Self:
        """Fit to confidences and whether the answers were right.

        An answer of grade ``NOT_ATTEMPTED`` is left out, and counted in ``n_not_attempted_``.

        Parameters
        ----------
        confidence : array_like or Beta of shape (n,)
            Raw confidences: scores in [0, 1], or Betas.
        correct : array_like of shape (n,)
            1 for a right answer, 0 for a wrong one, or their grades; of a sentence, the share of it that is right.
        groups : array_like of shape (n,), optional
            The answer that each sentence of long ones belongs to.
        design
            The samples that the confidences are of; others are then refused (`unlike`).

        Raises
        ------
        ValueError
            If the signal is unknown, the lengths differ, or a value is outside [0, 1].
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
        answers: Sequence[str] | None = None,
        token_logprobs: Sequence[Sequence[ArrayLike | None]] | None = None,
        questions: Sequence[str] | None = None,
        temperature: float | None = None,
        turns: Sequence[int] = (1,),
    ) -> Self:
        """Fit to several answers of each question, which are clustered here.

        Parameters
        ----------
        samples
            The answers to each question.
        correct
            One a question: whether the first answer in the largest cluster is right (0 or 1, or a grade). By a signal
            of sentences it has the share that is right, or None, for each of its sentences that claim something.
        answers
            One to each question beside its samples. Then `correct` is of those, and the samples' agreement with them is
            fitted.
        token_logprobs
            Of each answer the log-probabilities of its tokens, in nats, or None.
        questions
            What was asked: its words claim nothing in an answer.
        temperature
            At which the samples were drawn, where it is known.
        turns
            The turn of each question in its conversation, from 1, unless all are first ones. Nothing is promised of
            others (`beyond`).

        Raises
        ------
        ValueError
            If the signal is not one of samples, an answer lacks what it needs, or the lengths differ.
        """
        signal = signal_of_samples(self.signal, token_logprobs)
        protocol = resolve(self.protocol)
        _, confidence = of_samples(samples, questions, token_logprobs, signal, protocol, self.read, answers)
        groups = None
        if not isinstance(confidence, Beta):
            confidence, correct, groups = in_a_row(confidence, correct)
        counts = list(map(len, samples))
        how = {"temperature": temperature, "own_answer": answers is not None, "turns": turns}
        return self._fit(confidence, correct, signal, groups, SamplingDesign.of(counts, **how))

    def fit_texts(self, texts: Sequence[str], correct: ArrayLike) -> Self:
        """Fit to the confidence that the words of the answers convey."""
        if self.signal not in (None, READ_SIGNAL):
            raise ValueError(f"fit_texts fits {READ_SIGNAL}, not {self.signal}")
        return self._fit(self.read(texts), correct, READ_SIGNAL)

    def _fit(
        self, confidence: Beta, correct: Any, signal: str, groups: Any = None, design: Any = None
    ) -> Self:
        confidence, y, groups, known = self._attempted(confidence, correct, groups)
        self.n_not_attempted_ = int((~known).sum())
        self.map_ = from_protocol(self.map, resolve(self.protocol).of(signal)).fit(confidence, y)
        self.signal_ = signal
        self.design_ = design
        self.evaluation_ = None  # it was of another fit
        self.n_answers_ = y.size if groups is None else len(set(np.asarray(groups).tolist()))
        self.base_rate_ = float(y.mean())
        remarks = _REMARKS | {"mostly_prior": f"the map {self.map_.basis}"}
        for flag in set(remarks) & set(self.map_.flags_):
            warnings.warn(remarks[flag], stacklevel=3)
        return self

    def update(self, confidence: Beta | ArrayLike, correct: ArrayLike) -> Self:
        """Fit the map anew to fresh graded answers, with the map as it stands as the prior.

        It moves as far as they say, and never counts for more answers than these (`PlattScaling.updated`). Nothing is
        promised of it until it is evaluated on other answers. ValueError unless the map is Platt's.
        """
        check_is_fitted(self, "map_")
        if not isinstance(self.map_, PlattScaling):
            raise ValueError(f"map {self.map}: only platt is updated; fit another on old and fresh answers")
        raw, y, _, known = self._attempted(confidence, correct, None)
        self.map_ = self.map_.updated(raw, y)
        self.n_not_attempted_ = int((~known).sum())
        self.evaluation_ = None  # it was of another map
        self.n_answers_ = self.map_.n_items_
        self.base_rate_ = 1 - self.map_.n_wrong_ / self.map_.n_items_
        return self

    @property
    def caveat(self) -> str:
        """Why nothing is promised of the words that come out; "" where something is (see `evaluate`)."""
        return "it was not evaluated" if self.evaluation_ is None else self.evaluation_.reason

    def unlike(self, counts: Sequence[int], *, own_answer: bool = False) -> str:
        """Return why these numbers of answers to questions are not those that it was fitted on; "" where they are.

        `own_answer`: whether they stand beside a given answer to each question.
        """
        if self.design_ is None or not len(counts):
            return ""
        return self.design_.unlike(counts, own_answer=own_answer)

    def beyond(self, turn: int) -> str:
        """Return why nothing is promised in a turn of a conversation, from 1; "" where it was fitted on such turns."""
        return (self.design_ or NO_DESIGN).beyond(turn)

    def transform(self, confidence: Beta | ArrayLike) -> Beta:
        """Return calibrated confidences: the map's means, the same concentrations."""
        check_is_fitted(self, "map_")
        return self.map_.transform(as_confidence(confidence, resolve(self.protocol)))

    def predict_proba(self, confidence: Beta | ArrayLike) -> np.ndarray:
        """Return the probabilities of being wrong and of being right, of shape (n, 2), as scikit-learn has them."""
        right = self.transform(confidence).mean
        return np.column_stack([1 - right, right])

    def confidence_of(
        self,
        samples: Sequence[Sequence[str]],
        *,
        answers: Sequence[str] | None = None,
        token_logprobs: Sequence[Sequence[ArrayLike | None]] | None = None,
        questions: Sequence[str] | None = None,
    ) -> tuple[list[Majority], Beta | list[Beta]]:
        """Return the majority of each question's answers and its confidence, as `transform` and `rewrite` take it.

        Parameters
        ----------
        samples
            The answers to each question.
        answers
            One to each question, whose agreement with the samples is the confidence.
        token_logprobs
            Of each answer the log-probabilities of its tokens, in nats, or None.
        questions
            What was asked: its words claim nothing in an answer.

        Returns
        -------
        list of Majority
            One a question.
        Beta or list of Beta
            A vector, one a question; by a signal of sentences a vector for each.

        Raises
        ------
        ValueError
            If the answers are not as many as it was fitted on (`unlike`), or lack what the signal needs.
        """
        signal = signal_of_samples(getattr(self, "signal_", self.signal), token_logprobs)
        protocol = resolve(self.protocol)
        betas = of_samples(samples, questions, token_logprobs, signal, protocol, self.read, answers)
        if why := self.unlike(list(map(len, samples)), own_answer=answers is not None):
            raise ValueError(f"samples: {why}")
        return betas

    def evaluate(
        self,
        confidence: Beta | ArrayLike,
        correct: ArrayLike,
        *,
        groups: ArrayLike | None = None,
        folds: int = 5,
        seed: int = 0,
    ) -> Evaluation:
        """Refit the map on folds of these answers; return its figures beside the raw confidence and the base rate.

        They say what to expect of a fit to answers like these, and nothing of a map that was saved: `test` does.
        They are kept in ``evaluation_``, and so on the card.

        Parameters
        ----------
        confidence, correct, groups
            As for `fit`. Sentences of one answer are held out and resampled together.
        folds
            Parts of the answers, at least 2.
        seed
            Of the folds and the resamples.

        Raises
        ------
        ValueError
            If there are fewer than two answers or folds, or the lengths differ.
        """
        raw, y, groups, _ = self._attempted(confidence, correct, groups)
        how = resolve(self.protocol).of(getattr(self, "signal_", self.signal) or "score")
        fit = from_protocol(self.map, how).fit
        self.evaluation_ = cross_validate(fit, raw, y, groups=groups, folds=folds, seed=seed)
        return self.evaluation_

    def test(
        self,
        confidence: Beta | ArrayLike,
        correct: ArrayLike,
        *,
        groups: ArrayLike | None = None,
        answers: Sequence[str] | None = None,
        seed: int = 0,
    ) -> FreshTest:
        """Score the map as it stands on fresh graded answers, and say whether it still holds; nothing is fitted.

        The test allows for what the answers that it was fitted on leave open.

        Parameters
        ----------
        confidence, correct, groups
            As for `fit`.
        answers
            The answers themselves, of which the rewritten words are scored, too. One that has no reading counts as its
            calibrated confidence.
        seed
            Of the simulated outcomes and the resamples.

        Raises
        ------
        ValueError
            If no answer was attempted, or the lengths differ.
        """
        check_is_fitted(self, "map_")
        raw, y, groups, known = self._attempted(confidence, correct, groups)
        if not y.size:
            raise ValueError("correct: no answer was attempted")
        calibrated = self.map_.transform(raw)
        words = None
        if answers is not None:
            same_shape((len(answers),), known.shape, names="answers and correct")
            made = self.rewrite([answers[place] for place in np.flatnonzero(known)], raw)
            words = concatenated([one.read or calibrated[place] for place, one in enumerate(made)])
        return fresh_test(
            raw,
            calibrated,
            y,
            self.map_.n_items_,
            groups=None if groups is None else groups_of(groups, y.size),
            words=words,
            card=self.evaluation_.figures if self.evaluation_ else [],
            seed=seed,
        )

    def _attempted(
        self, confidence: Beta | ArrayLike, correct: Any, groups: Any
    ) -> tuple[Beta, np.ndarray, Any, np.ndarray]:
        """Confidences, outcomes and groups of the answers that were attempted, and which of all those are."""
        known, y = attempted(correct)
        raw = as_confidence(confidence, resolve(self.protocol))
        same_shape(known.shape, raw.shape, names="correct and confidence")
        if known.all():
            return raw, y, groups, known
        return raw[known], y, None if groups is None else np.asarray(groups)[known], known

    def read(self, texts: Sequence[str]) -> Beta:
        """Return the confidence that the words of some answers convey, by its evaluator."""
        return evaluators.load(self.evaluator).read(answers_in(texts, "texts"))

    def rewrite(
        self,
        texts: Sequence[str],
        confidence: Beta | ArrayLike | Sequence[Any],
        *,
        questions: Sequence[str] | None = None,
        style: Style = "words",
        rewriter: Writer | None = None,
        on_miss: OnMiss = "note",
        below: Below = "hedge",
    ) -> list[Rewrite]:
        """Return the answers in words that say their calibrated confidence.

        The answer's words are carried over, its own hedges taken out. What is already read as meant stays as it came.
        What claims nothing, abstentions, and answers without a confidence (NaN) pass as they are, with the reason.
        Reasoning (``<think>...</think>``) is no part of an answer, and not in the text that comes back.

        Parameters
        ----------
        texts
            The answers, as they came.
        confidence
            Raw, one an answer: it is calibrated here. Or a sequence for an answer, with one for each of its sentences
            that claim something; None leaves that sentence as it is.
        rewriter
            Writes freely: takes an answer, hedges (nearest first) and the target's mean, returns texts. One is
            taken if it keeps the answer's content and is read nearer to the target than the hedged answer.
        questions, style, on_miss, below
            As for `ralc.rewriting.Rewriter.rewrite`.
        """
        check_is_fitted(self, "map_")
        for value, allowed in ((style, Style), (on_miss, OnMiss), (below, Below)):
            if value not in get_args(allowed):
                raise ValueError(f"{value!r} is not one of {', '.join(get_args(allowed))}")
        answers = answers_in(texts, "texts")
        if questions is not None:
            same_shape((len(texts),), (len(questions),), names="texts and questions")
        protocol = resolve(self.protocol)
        confidences = of_each(answers, confidence, protocol)
        rewrites = _rewriter(self.lexicon_, self.evaluator, protocol.loop == "closed").rewrite(
            answers,
            list(map(self._target, confidences)),
            questions=questions,
            style=style,
            writer=rewriter,
            on_miss=on_miss,
            below=below,
        )
        return [
            replace(rewrite, original=text, changed=rewrite.text != text, confidence=_as_one(score))
            for rewrite, text, score in zip(rewrites, texts, confidences, strict=True)
        ]

    def policy(
        self,
        *,
        wrong: float,
        ask: float,
        abstain: str = "",
        guarantee: float | None = None,
        held_out: tuple[Any, Any] | None = None,
    ) -> Policy:
        """Return what to do with an answer by its calibrated confidence (`Policy.of`).

        With a `guarantee` at most that share of the answers that go out is wrong (`Policy.guaranteed`).

        Parameters
        ----------
        wrong, ask
            What it costs to rely on a wrong answer, and to ask elsewhere; in one unit, above 0.
        abstain
            What is said in place of an answer that is worth less than none; "" escalates.
        guarantee
            The share of the answers that go out of which at most are wrong, in (0, 1); it takes `held_out`.
        held_out
            Confidences and outcomes, as for `test`, of answers that the map was not fitted on.

        Raises
        ------
        ValueError
            If a cost is not above 0, `held_out` is missing, or no bound guarantees the share.
        """
        policy = Policy.of(wrong=wrong, ask=ask, abstain=abstain)
        if guarantee is None:
            return policy
        if held_out is None:
            raise ValueError("guarantee: it takes held_out, confidences and outcomes of other answers")
        raw, y, *_ = self._attempted(*held_out, None)
        return policy.guaranteed(self.map_.transform(raw).mean, y, guarantee)

    def _target(self, confidence: Beta | list[Beta | None] | None) -> Any:
        """The calibrated confidence of an answer, or of each of its claims; None where none came."""
        if isinstance(confidence, list):
            return list(map(self._target, confidence))
        return None if confidence is None else self.map_.transform(confidence)

    def to_dict(self, *, fitted_on: str = "answers of the user", left_out: int = 0) -> dict[str, Any]:
        """Return the fitted calibrator as the JSON that `save` writes."""
        check_is_fitted(self, "map_")
        return serialization.to_dict(self, fitted_on=fitted_on, left_out=left_out)

    def save(self, path: str | Path, *, fitted_on: str = "answers of the user", left_out: int = 0) -> None:
        """Write the calibrator and its card as one JSON file.

        Parameters
        ----------
        path
            The file; one that is there is written over.
        fitted_on
            What the answers were, for people.
        left_out
            Rows that could not be used.
        """
        io.write_json(self.to_dict(fitted_on=fitted_on, left_out=left_out), path)

    @classmethod
    def load(cls, path: str | Path) -> "WordCalibrator":
        """Return the calibrator that a file holds; the file can do nothing but fail, with a ValueError."""
        parameters, fitted = serialization.read(path).restored()
        loaded = cls(**parameters)
        vars(loaded).update(fitted)
        return loaded


@lru_cache(maxsize=8)
def _rewriter(lexicon: Lexicon, evaluator: str, keep: bool) -> Rewriter:
    """The Rewriter of a calibrator, with the shortlists that it found: it is the same for every answer."""
    return Rewriter(lexicon, evaluators.load(evaluator), keep=keep)


def _as_one(confidence: Beta | list[Beta | None] | None) -> Beta | None:
    """The confidence of an answer, or those of its claims that have one; None without any."""
    if not isinstance(confidence, list):
        return confidence
    present = [score for score in confidence if score is not None]
    return concatenated(present) if present else None
