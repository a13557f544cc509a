"""The calibrator of words, after scikit-learn's manner: fit, transform, rewrite, evaluate, save, load."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self, get_args

from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from ralc import evaluators, io
from ralc.beta import Beta
from ralc.beta.validation import same_shape
from ralc.calibrator import serialization
from ralc.calibrator.confidences import known_confidences
from ralc.calibrator.fitting import ConfidenceCalibrator
from ralc.calibrator.vocabulary import built_in_lexicon
from ralc.lexicon import Lexicon
from ralc.llm.reasoning import final_answer
from ralc.protocols import UNSUPPORTED, Below, Protocol, resolve
from ralc.rewriting.rewriter import OnMiss, Rewrite, Rewriter, Style, Writer


class WordCalibrator(ConfidenceCalibrator):
    """Turns a confidence into a calibrated one, and an answer into words that say it.

    Parameters
    ----------
    signal : str, optional
        ``score`` (your own, `fit`), ``linguistic_confidence`` (`fit_texts`), or one of `ralc.signals.OF_ANSWERS`
        (`fit_samples`), such as ``semantic_uncertainty``, or of one answer a question ``perplexity``. By default the
        first of the method that fits.
    map : str
        The calibration map, by its name in `ralc.calibration`.
    evaluator : str
        The evaluator in the loop, by its name in `ralc.evaluators`.
    lexicon : Lexicon, optional
        Hedges and how they are read; by default the committed ones as `evaluator` reads them.
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

    Examples
    --------
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

    def fit_texts(self, texts: Sequence[str], correct: ArrayLike) -> Self:
        """Fit to the confidence that the words of the answers convey."""
        if self.signal not in (None, "linguistic_confidence"):
            raise ValueError(f"fit_texts fits linguistic_confidence, not {self.signal}")
        return self._fit(self.read(texts), correct, "linguistic_confidence")

    def read(self, texts: Sequence[str]) -> Beta:
        """Return the confidence that the words of some answers convey, by the evaluator in the loop."""
        return evaluators.load(self.evaluator).read(_answers(texts))

    def rewrite(
        self,
        texts: Sequence[str],
        confidence: Beta | ArrayLike | Sequence[Any],
        *,
        questions: Sequence[str] | None = None,
        style: Style = "words",
        rewriter: Writer | None = None,
        on_miss: OnMiss = "leave",
        below: Below = "hedge",
        unsupported: float = UNSUPPORTED,
    ) -> list[Rewrite]:
        """Return the answers in words that say their calibrated confidence.

        Reasoning (``<think>...</think>``) is no part of an answer, and not in the text that comes back. What is already
        read as meant stays as it came. Else the answer's words are carried over, its own hedges taken out. What claims
        nothing (questions, requests, thanks,
        code), abstentions, and answers without a confidence (NaN) pass as they are, with the reason.

        Parameters
        ----------
        texts
            The answers, as they came.
        confidence
            Of each, as for `transform`: it is calibrated here. Or a sequence for an answer: one for each of its
            sentences that claim something (None: that one is left), and each says its own.
        questions
            What was asked, where it is known: a piece of writing that was ordered passes.
        style
            ``words``, or ``range``: the range of the calibrated confidence in brackets beside the hedge.
        rewriter
            Writes freely: takes an answer, hedges (nearest first) and the target's mean, returns texts. One is
            taken if it keeps the answer's content and is read nearer to the target than the hedged answer.
        on_miss
            What becomes of an answer, or a claim, no wording of which is read as meant: ``leave`` it as it came;
            ``best``, the nearest wording.
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
        check_is_fitted(self, "map_")
        for name, given, known in (
            ("style", style, Style),
            ("on_miss", on_miss, OnMiss),
            ("below", below, Below),
        ):
            if given not in get_args(known):
                raise ValueError(f"{name} {given!r} is not one of {', '.join(get_args(known))}")
        given, texts = texts, _answers(texts)
        asked = None if questions is None else _strings(questions)
        same_shape((len(texts),), (len(texts if asked is None else asked),), names="texts and questions")
        protocol = resolve(self.protocol)
        known, places = known_confidences(texts, confidence, protocol)
        target = None if known is None else self.map_.transform(known)
        words = Rewriter(self.lexicon_, evaluators.load(self.evaluator), keep=protocol.loop == "closed")
        made = words.rewrite(
            texts,
            [_of(target, place) for place in places],
            questions=asked,
            style=style,
            writer=rewriter,
            on_miss=on_miss,
            below=below,
            unsupported=unsupported,
        )
        return [
            replace(one, original=text, changed=one.text != text, confidence=_known(known, place))
            for one, text, place in zip(made, given, places, strict=True)
        ]

    def to_dict(self, *, fitted_on: str = "answers of the user", left_out: int = 0) -> dict[str, Any]:
        """The fitted calibrator as the JSON that `save` writes."""
        check_is_fitted(self, "map_")
        return serialization.to_dict(self, fitted_on=fitted_on, left_out=left_out)

    def save(self, path: str | Path, *, fitted_on: str = "answers of the user", left_out: int = 0) -> None:
        """Write the calibrator and its card as one JSON file; `fitted_on` says what the answers were."""
        io.write_json(self.to_dict(fitted_on=fitted_on, left_out=left_out), path)

    @classmethod
    def load(cls, path: str | Path) -> "WordCalibrator":
        """Return the calibrator that a file holds; the file can do nothing but fail.

        Raises
        ------
        ValueError
            If the file is no sound calibrator or its format is newer (see `ralc.calibrator.serialization.read`).
        """
        parameters, fitted = serialization.load(path)
        loaded = cls(**parameters)
        vars(loaded).update(fitted)
        return loaded


def _strings(texts: Sequence[str]) -> list[str]:
    if isinstance(texts, str):
        raise ValueError("texts must be a sequence of strings, got one string")
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            raise ValueError(f"text {place} is not a string but {type(text).__name__}")
    return list(texts)


def _answers(texts: Sequence[str]) -> list[str]:
    """The answers in some texts, without reasoning."""
    return [final_answer(text)[0] for text in _strings(texts)]


def _of(target: Beta | None, place: int | list[int | None] | None) -> Any:
    """The target of an answer, or those of its claims."""
    if isinstance(place, list):
        return [None if one is None else target[one] for one in place]
    return None if place is None else target[place]


def _known(confidence: Beta | None, place: int | list[int | None] | None) -> Beta | None:
    """The confidence of an answer, or those of its claims that have one; None without any."""
    places = [one for one in place if one is not None] if isinstance(place, list) else place
    return None if places is None or places == [] else confidence[places]
