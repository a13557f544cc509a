"""RALC inside other tools: a module each, which needs that tool's package and is imported by its own name.

What they share: an answer and samples of the same model in, calibrated words out.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ralc.calibrator import WordCalibrator
from ralc.calibrator.confidence import draws
from ralc.registry import SIGNALS
from ralc.rewriting import skip_reason

#: A fitted calibrator, or its file.
Fitted = WordCalibrator | str | Path


class Reply(NamedTuple):
    """The text that goes out, and the object ``ralc`` as replies of `ralc serve` have it."""

    text: str
    ralc: dict[str, Any]


class AnswerCalibrator:
    """Puts what most samples of a model say into words that are as sure as the samples agree.

    Parameters
    ----------
    calibrator
        A fitted calibrator, or its file.
    samples
        Samples a reply; 0: as many as the calibrator was fitted on, or 10.

    Attributes
    ----------
    temperature
        Of the samples: that on the calibrator's card, or 1.

    Raises
    ------
    ValueError
        If the file holds no calibrator, or one of a signal that texts do not give, or of another number of samples.
    """

    def __init__(self, calibrator: Fitted, samples: int = 0) -> None:
        fitted = calibrator if isinstance(calibrator, WordCalibrator) else WordCalibrator.load(calibrator)
        entry = SIGNALS.get(fitted.signal_)
        if entry is None or entry.needs_extra_call or entry.logprobs:
            remedy = "fit on samples (a column samples) or on words (a column answer)"
            raise ValueError(f"the calibrator was fitted on {fitted.signal_}, which no text gives: {remedy}")
        self._wanted, self.temperature = draws(fitted.signal_, fitted.design_, samples)
        if why := fitted.unlike([self._wanted]):
            raise ValueError(f"samples = {self._wanted}: {why}")
        self._fitted = fitted

    def wanted(self, answer: str, question: str = "") -> int:
        """Return how many samples to draw beside an answer: none where it claims nothing, or its words are enough."""
        return self._wanted if self._wanted > 1 and not skip_reason(answer, question) else 0

    def reply(self, answer: str, samples: Sequence[str] = (), question: str = "", turn: int = 1) -> Reply:
        """Return what to say in place of an answer; the answer stays where too few samples are left.

        Parameters
        ----------
        answer
            What the model said.
        samples
            What it said when it was asked again, as many as are `wanted`; "" where one failed, which does not count.
        question
            What was asked.
        turn
            Its turn in the conversation, from 1; nothing is promised where the calibrator was fitted on no such turns.
        """
        texts = [text for text in samples if text.strip()] if self._wanted > 1 else [answer]
        try:
            (most,), confidence = self._fitted.confidence_of([texts], questions=[question])
        except ValueError as error:
            return Reply(
                answer, {"calibrated": False, "reason": skip_reason(answer, question).text or str(error)}
            )
        (rewrite,) = self._fitted.rewrite([most.answer], confidence, questions=[question])
        told = {"signal": self._fitted.signal_, "samples": len(texts)} | rewrite.to_dict()
        if told["calibrated"] and (why := self._fitted.beyond(turn)):
            told |= {"calibrated": False, "reason": why}
        return Reply(rewrite.text, told)
