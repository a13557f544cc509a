"""The calibrator of words, after scikit-learn's manner: fit, transform, rewrite, evaluate, save, load."""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ralc import io, metrics, readers
from ralc.beta import Beta
from ralc.beta.validation import as_floats, as_vector, same_shape, shares
from ralc.calibration import from_protocol
from ralc.calibration.estimator import Estimator
from ralc.calibrator import saving
from ralc.calibrator.design import Design
from ralc.calibrator.evaluation import Evaluation, cross_validate
from ralc.calibrator.long import has_several, is_several, rewrite_long
from ralc.calibrator.signal import Majority, as_confidence, in_a_row, of_samples
from ralc.calibrator.vocabulary import built_in_lexicon
from ralc.calibrator.words import (
    FreeWriter,
    OnMiss,
    Rewritten,
    Style,
    WordChooser,
    with_range,
)
from ralc.english.beside import orders_writing
from ralc.lexicon import Lexicon
from ralc.names import STARTS
from ralc.protocols import UNSUPPORTED, Below, Protocol, resolve
from ralc.reliance import aimed
from ralc.rewriting.passing import passes
from ralc.rewriting.reasons import NO_CONFIDENCE, NO_PLACE, outcome_of
from ralc.rewriting.whole import WholeRewriter
from ralc.signals import OF_ANSWERS
from ralc.statistics import groups_of

#: What is said at `fit` of a map that can do little, by its flag.
_REMARKS = {
    "negative_slope": "the more confident an answer, the less often it is right: is the score the wrong way round?",
    "unidentified_slope": "the confidence hardly varies, or the answers are too few to tell what it is worth",
    "flat": "the confidence does not tell right answers from wrong ones",
}


class WordCalibrator(Estimator):
    """Turns a confidence into a calibrated one, and an answer into words that say it.

    Parameters
    ----------
    signal : str, optional
        ``score`` (your own, `fit`), ``linguistic_confidence`` (`fit_texts`), or one of `ralc.signals.OF_ANSWERS`
        (`fit_samples`), such as ``semantic_uncertainty``, or of one answer a question ``perplexity``. By default the
        first of the method that fits.
    map : str
        The calibration map, by its name in `ralc.calibration`.
    reader : str
        The reader in the loop, by its name in `ralc.readers`.
    lexicon : Lexicon, optional
        Hedges and how they are read; by default the committed ones as `reader` reads them.
    protocol : str or Protocol
        Choices of the method.

    Attributes
    ----------
    map_ : CalibrationMap
        The fitted map, with its ``flags_``.
    signal_, lexicon_
        As they are used.
    n_answers_, base_rate_ : int, float
        Answers that it was fitted on, and the share of right ones.
    design_ : Design or None
        How many answers were asked for of each question, where that is known.
    evaluation_ : Evaluation
        After `evaluate`.

    >>> import numpy as np
    >>> confidence = np.linspace(0.05, 0.95, 100)
    >>> correct = np.random.default_rng(0).random(100) < confidence**2
    >>> calibrator = WordCalibrator().fit(confidence, correct)
    >>> calibrator.rewrite(["The capital is Paris."], [0.5])[0].changed
    True
    """

    def __init__(
        self,
        signal: str | None = None,
        map: str = "platt",
        reader: str = "cues",
        lexicon: Lexicon | None = None,
        protocol: str | Protocol = "ralc",
    ) -> None:
        self.signal = signal
        self.map = map
        self.reader = reader
        self.lexicon = lexicon
        self.protocol = protocol

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

    def fit_texts(self, texts: Sequence[str], correct: ArrayLike) -> Self:
        """Fit to the confidence that the words of the answers convey."""
        if self.signal not in (None, "linguistic_confidence"):
            raise ValueError(f"fit_texts fits linguistic_confidence, not {self.signal}")
        return self._fit(self.read(texts), correct, "linguistic_confidence")

    def read(self, texts: Sequence[str]) -> Beta:
        """Return the confidence that the words of some texts convey, by the reader in the loop."""
        return readers.load(self.reader).read(_strings(texts))

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
        self.lexicon_ = built_in_lexicon(self.reader) if self.lexicon is None else self.lexicon
        self._chooser = None
        vars(self).pop("evaluation_", None)  # it was of another fit
        self.n_answers_ = y.size if groups is None else int(groups_of(groups, y.size).max()) + 1
        self.base_rate_ = float(y.mean())
        for flag in set(_REMARKS) & set(self.map_.flags_):
            warnings.warn(_REMARKS[flag], stacklevel=3)
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
        self.require_fitted("map_")
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

    def rewrite(
        self,
        texts: Sequence[str],
        confidence: Beta | ArrayLike | Sequence[Any],
        *,
        questions: Sequence[str] | None = None,
        style: Style = "words",
        rewriter: FreeWriter | None = None,
        on_miss: OnMiss = "leave",
        below: Below = "hedge",
        unsupported: float = UNSUPPORTED,
    ) -> list[Rewritten]:
        """Return the answers in words that say their calibrated confidence.

        The answer's words are carried over, its own hedges taken out. What claims nothing (questions, requests, thanks,
        code), abstentions, and answers without a confidence (NaN) pass as they are, with the reason.

        Parameters
        ----------
        texts
            The answers, as they came.
        confidence
            Of each, as for `transform`: it is calibrated here. Or a sequence for an answer: one for each of its
            sentences that claim something (None: that one is left), and each says its own.
        questions
            What was asked, where it is known: an answer that says something of the thing asked about, but nothing of
            what was asked, passes, and so does a piece of writing that was ordered.
        style
            ``words``, or ``range``: the range of the calibrated confidence in brackets beside the hedge.
        rewriter
            Writes freely: takes an answer, hedges (nearest first) and the target's mean, returns texts. One is
            taken if it keeps the answer's content and is read nearer to the target than the hedged answer.
        on_miss
            What becomes of an answer no wording of which is read as meant: ``leave`` it as it came; ``note``, a
            sentence behind it that speaks of all of it, where that is read as meant; ``best``, the nearest wording.
        below
            Of a sentence with a confidence of its own that is calibrated to less than `unsupported`: ``hedge`` it,
            ``drop`` it, or ``mark`` it as in need of a source.
        unsupported
            See `below`; `ralc.calibrator.guarantees.told_from` gives one with a guarantee.

        Raises
        ------
        ValueError
            If a text is not a string, the lengths differ, a score is outside [0, 1], or there is no such style.
        """
        self.require_fitted("map_")
        if style not in ("words", "range"):
            raise ValueError(f"style {style!r} is not one of words, range")
        if on_miss not in ("leave", "note", "best"):
            raise ValueError(f"on_miss {on_miss!r} is not one of leave, note, best")
        if below not in ("hedge", "drop", "mark"):
            raise ValueError(f"below {below!r} is not one of hedge, drop, mark")
        texts = _strings(texts)
        asked = [""] * len(texts) if questions is None else _strings(questions)
        same_shape((len(texts),), (len(asked),), names="texts and questions")
        if has_several(confidence):
            if (style, rewriter, on_miss) != ("words", None, "leave"):
                raise ValueError("style, rewriter and on_miss are for answers that have one confidence each")
            how = {"below": below, "unsupported": unsupported}
            return self._rewrite_several(texts, list(confidence), asked, how)
        known, given = self._known(confidence, len(texts))
        where = {at: place for place, at in enumerate(np.flatnonzero(known).tolist())}
        target = self.map_.transform(given) if where else None
        said = aimed(target, resolve(self.protocol).aim) if where else None
        reasons = list(map(passes, texts, asked))
        reasons = [why or ("" if at in where else NO_CONFIDENCE) for at, why in enumerate(reasons)]
        hedged = [at for at, why in enumerate(reasons) if not why]
        chosen = self._choose([texts[at] for at in hedged], said, [where[at] for at in hedged], rewriter)
        written = {}
        for at, one in zip(hedged, chosen, strict=True):
            missed = NO_PLACE if one is None else outcome_of(True, said[where[at]], one[2])
            if one is not None and (on_miss == "best" or not missed):
                written[at] = one
            else:
                noted = self._chooser.note(texts[at], said[where[at]]) if on_miss == "note" else None
                written |= {at: noted} if noted else {}
                reasons[at] = "" if noted else missed
        reader = readers.load(self.reader)
        left = [at for at in range(len(texts)) if at not in written and not reader.unread(texts[at])]
        as_read = dict(zip(left, reader.read([texts[at] for at in left]), strict=True)) if left else {}
        made = []
        for at, original in enumerate(texts):
            text, hedge, read = written.get(at) or (original, "", as_read.get(at))
            one_target = target[where[at]] if at in where else None
            if style == "range" and at in written:
                text = with_range(text, hedge, one_target)
            before = given[where[at]] if at in where else None
            changed = text != original
            reason = reasons[at] or outcome_of(changed, said[where[at]], read)
            made.append(Rewritten(text, before, one_target, read, hedge, original, changed, reason))
        return made

    def _rewrite_several(
        self, texts: list[str], confidence: list[Any], questions: list[str], how: dict[str, Any]
    ) -> list[Rewritten]:
        """Answers some of which have a confidence for each claim; the others as if they came alone."""
        same_shape((len(texts),), (len(confidence),), names="texts and confidence")
        ordered = [orders_writing(question) for question in questions]
        several = [at for at, one in enumerate(confidence) if is_several(one) and not ordered[at]]
        protocol = resolve(self.protocol)

        def calibrate(given: Beta | ArrayLike) -> tuple[Beta, Beta, Beta]:
            before = as_confidence(given, protocol)
            target = self.map_.transform(before)
            return before, target, aimed(target, protocol.aim)

        writer = WholeRewriter(self.lexicon_, readers.load(self.reader))
        asked = [(at, texts[at], confidence[at]) for at in several]
        made = dict(zip(several, rewrite_long(asked, calibrate, writer, how), strict=True))
        for at, one in enumerate(confidence):
            if at not in made:
                alone = (
                    one[None] if isinstance(one, Beta) else [np.nan if ordered[at] or one is None else one]
                )
                made |= {at: self.rewrite([texts[at]], alone, questions=[questions[at]])[0]}
        return [made[at] for at in range(len(texts))]

    def _choose(
        self, texts: list[str], target: Beta | None, which: list[int], rewriter: FreeWriter | None
    ) -> list[tuple[str, str, Beta] | None]:
        if not texts:
            return []
        if getattr(self, "_chooser", None) is None:
            self._chooser = WordChooser(self.lexicon_, readers.load(self.reader))
        return self._chooser.choose(texts, target[which], free=rewriter)

    def _known(self, confidence: Beta | ArrayLike, n: int) -> tuple[np.ndarray, Beta | None]:
        """Which answers have a confidence, and the confidences of those."""
        if isinstance(confidence, Beta):
            same_shape((n,), confidence.shape, names="texts and confidence")
            return np.ones(n, dtype=bool), confidence
        scores = as_vector(as_floats(confidence, "confidence"))
        same_shape((n,), scores.shape, names="texts and confidence")
        known = ~np.isnan(scores)
        return known, as_confidence(scores[known], resolve(self.protocol)) if known.any() else None

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

    def to_dict(self, *, fitted_on: str = "answers of the user", left_out: int = 0) -> dict[str, Any]:
        """The fitted calibrator as the JSON that `save` writes."""
        self.require_fitted("map_")
        return saving.to_dict(self, fitted_on=fitted_on, left_out=left_out)

    def save(self, path: str | Path, *, fitted_on: str = "answers of the user", left_out: int = 0) -> None:
        """Write the calibrator and its card as one JSON file; `fitted_on` says what the answers were."""
        io.write_json(self.to_dict(fitted_on=fitted_on, left_out=left_out), path)

    @classmethod
    def load(cls, path: str | Path) -> "WordCalibrator":
        """Return the calibrator that a file holds; the file can do nothing but fail.

        Raises
        ------
        ValueError
            If the file is no sound calibrator or its format is newer (see `ralc.calibrator.card.read`).
        """
        parameters, fitted = saving.read(path)
        loaded = cls(**parameters)
        vars(loaded).update(fitted)
        return loaded


def _sampled(signal: str | None, token_logprobs: object) -> str:
    """The signal of samples: the one that is named, else the best that they have."""
    signal = signal or ("semantic_uncertainty" if token_logprobs is None else "token_probability")
    if signal not in OF_ANSWERS:
        raise ValueError(f"signal {signal} is not of samples; {', '.join(OF_ANSWERS)} are")
    return signal


def _strings(texts: Sequence[str]) -> list[str]:
    if isinstance(texts, str):
        raise ValueError("texts must be a sequence of strings, got one string")
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            raise ValueError(f"text {place} is not a string but {type(text).__name__}")
    return list(texts)
