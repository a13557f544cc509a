"""Confidences of answers before calibration: scores, samples by a signal, or one for each claim of an answer."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from ralc.beta import Beta
from ralc.beta.validation import PARAMETER_FLOOR, Floats, as_floats, as_vector, require, same_shape, shares
from ralc.calibrator.evaluation import Part
from ralc.llm.chat import final_answer
from ralc.original_answer import Majority, agreement, claims_of, majority
from ralc.protocols import Protocol
from ralc.registry import CORRECT, INCORRECT, NOT_ATTEMPTED, READ_SIGNAL, SIGNALS
from ralc.signals import OF_ANSWERS, OF_SENTENCES, of_answers, of_sentences
from ralc.signals.token_probability import OF_A_SCORE

#: Two numbers of answers are alike where one is at most so many times the other. By a map of
#: ten, eight answers lose at most 0.002 of Brier score, six up to 0.016, five up to 0.027 (docs/signals.md).
ALIKE = 1.25
_Turn = Annotated[int, Field(ge=1, le=10**6)]
_OUTCOMES = {CORRECT: 1, INCORRECT: 0}


class SamplingDesign(Part):
    """Answers that a question was asked for, but for a twentieth at either end.

    The `temperature` at which they were drawn is None where it is unknown. With an `own_answer` each question had a
    given answer beside its samples, and what they say of it was fitted; else the samples' majority was. `turns` are the
    first and the last turn of conversations, from 1, in which they were asked, but for a twentieth at either end.
    """

    fewest: Annotated[int, Field(ge=1, le=10**6)]
    most: Annotated[int, Field(ge=1, le=10**6)]
    temperature: Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)] | None = None
    own_answer: bool = False
    turns: tuple[_Turn, _Turn] = (1, 1)

    @classmethod
    def of(
        cls,
        counts: Sequence[int],
        *,
        temperature: float | None = None,
        own_answer: bool = False,
        turns: Sequence[int] = (1,),
    ) -> Self:
        """Return what was asked, from the number of answers to each question, and the turn of each.

        Parameters
        ----------
        counts
            Answers to each question, at least one question.
        temperature
            At which they were drawn; None where it is unknown.
        own_answer
            Whether each question had a given answer beside its samples.
        turns
            The turn of each question in its conversation, from 1.

        Raises
        ------
        ValueError
            If a number is below 1 or above a million.
        """
        fewest, most = _spread(counts)
        ends = _spread(turns)
        return cls(fewest=fewest, most=most, temperature=temperature, own_answer=own_answer, turns=ends)

    @property
    def text(self) -> str:
        """For people, such as ``5 to 20 answers a question``."""
        fewest = "" if self.fewest == self.most else f"{self.fewest} to "
        answers = f"{fewest}{self.most} answer{'s' if self.most > 1 else ''} a question"
        answers += " beside one that was given" if self.own_answer else ""
        return answers if self.temperature is None else f"{answers}, at temperature {self.temperature:g}"

    @property
    def of_turns(self) -> str:
        """For people, such as ``turns 1 to 3``."""
        first, last = self.turns
        return f"turn {first}" if first == last else f"turns {first} to {last}"

    def beyond(self, turn: int) -> str:
        """Return why nothing is promised in a turn; "" where such turns were fitted."""
        first, last = self.turns
        return (
            ""
            if first <= turn <= last
            else f"the calibrator was fitted on {self.of_turns}, not on turn {turn}"
        )

    def unlike(self, counts: Sequence[int], *, own_answer: bool = False) -> str:
        """Return why answers to some questions are more or fewer, or of another kind; "" where they are alike."""
        design = type(self).of(counts, own_answer=own_answer)
        near = self.fewest <= ALIKE * design.fewest and design.most <= ALIKE * self.most
        alike = near and self.own_answer == own_answer
        return "" if alike else f"the calibrator was fitted on {self.text}, not on {design.text}"


def _spread(numbers: Sequence[int]) -> tuple[int, int]:
    """The least and the largest of some numbers, but for a twentieth at either end."""
    ordered = sorted(numbers)
    fewest, most = (ordered[round(share * (len(ordered) - 1))] for share in (0.05, 0.95))
    return fewest, most


#: What is taken for the design of a calibrator that has none: ten answers, and questions by themselves.
NO_DESIGN = SamplingDesign(fewest=10, most=10)


def in_one(signal: str, design: SamplingDesign | None) -> bool:
    """Return whether a signal is read in one answer: in its words, unless they were a majority's among several."""
    return signal == READ_SIGNAL and (design is None or design.most == 1)


def draws(signal: str, design: SamplingDesign | None, samples: int = 0) -> tuple[int, float]:
    """Return how many answers to draw to a question, and at which temperature, as a calibrator was fitted.

    Parameters
    ----------
    signal, design
        The calibrator's.
    samples
        Answers a question, unless one is enough; 0: as many as the calibrator was fitted on, or ten.
    """
    known = design or NO_DESIGN
    most = 1 if in_one(signal, design) else samples or known.most
    return most, 1.0 if known.temperature is None else known.temperature


def as_confidence(confidence: Beta | ArrayLike, protocol: Protocol) -> Beta:
    """Return Betas: those given, or one of each score in [0, 1], kept off the ends by ``platt_eps``."""
    if isinstance(confidence, Beta):
        return confidence
    scores = as_vector(as_floats(confidence, "confidence"))
    require(scores, lambda v: (v >= 0) & (v <= 1), "confidence", "in [0, 1] (divide per cent by 100)")
    eps = protocol.platt_eps or PARAMETER_FLOOR
    return Beta.from_mean_concentration(np.clip(scores, eps, 1 - eps), OF_A_SCORE)


def concatenated(confidences: Sequence[Beta]) -> Beta:
    """Return single Betas, or vectors of them, as one vector."""
    parameters = [(np.atleast_1d(beta.alpha), np.atleast_1d(beta.beta)) for beta in confidences]
    return Beta(*map(np.concatenate, zip(*parameters, strict=True)))


def answers_in(texts: Sequence[str], name: str) -> list[str]:
    """Return texts without reasoning (``<think>...</think>``); ValueError where one is no string."""
    if isinstance(texts, str):
        raise ValueError(f"{name} must be a sequence of strings, got one string")
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            raise ValueError(f"{name}: text {place} is not a string but {type(text).__name__}")
    return [final_answer(text)[0] for text in texts]


def signal_of_samples(signal: str | None, token_logprobs: object) -> str:
    """Return the signal of samples: the one that is named, else the best that they have."""
    signal = signal or ("semantic_uncertainty" if token_logprobs is None else "token_probability")
    if signal not in (READ_SIGNAL, *OF_ANSWERS):
        raise ValueError(
            f"signal {signal} is not of samples; {', '.join(OF_ANSWERS)} are; values of any other go to fit()"
        )
    return signal


def of_samples(
    samples: Sequence[Sequence[str]],
    questions: Sequence[str] | None,
    logprobs: Sequence[Sequence[ArrayLike | None]] | None,
    signal: str,
    protocol: Protocol,
    read: Callable[[Sequence[str]], Beta],
    given: Sequence[str] | None = None,
) -> tuple[list[Majority], Beta | list[Beta]]:
    """Return the majority of each question's answers and its confidence; by a signal of sentences, one of each claim.

    Parameters
    ----------
    samples
        The answers to each question.
    questions
        What was asked; None where it is not known.
    logprobs
        Of each answer the log-probabilities of its tokens, in nats; None of one that has none, as one that reasons.
    signal
        One of `ralc.signals.OF_ANSWERS` or `ralc.signals.OF_SENTENCES`, or the words of the majority.
    protocol
        Choices of the method.
    read
        Reads the words of a majority, where they are the signal.
    given
        An answer to each question, which stands in the majority's place.

    Returns
    -------
    list of Majority
        One a question.
    Beta or list of Beta
        A vector, one a question; by a signal of sentences a vector for each.

    Raises
    ------
    ValueError
        If no question came, the lengths differ, a text is no string, or an answer lacks what the signal needs.
    """
    query = [""] * len(samples) if questions is None else questions
    logprobs = [[None] * len(answers) for answers in samples] if logprobs is None else logprobs
    own = [None] * len(samples) if given is None else answers_in(given, "answers")
    names = "samples, questions, token_logprobs and answers"
    same_shape((len(samples),), (len(query),), (len(logprobs),), (len(own),), names=names)
    if not len(samples):
        raise ValueError("samples: at least one question is needed")
    majorities = []
    parts = []
    long = signal in OF_SENTENCES
    for texts, question, values, answer in zip(samples, query, logprobs, own, strict=True):
        most = _most_said(texts, question, values, answer, long=long)
        if long:
            part = of_sentences(signal, most.answers, claims_of(most.answer))
        elif signal == READ_SIGNAL:
            part = read([most.answer])
        else:
            part = of_answers(signal, most.answers, protocol)
        if part is None:
            several = "two answers a question" if SIGNALS[signal].needs_samples else ""
            needs = " and ".join(filter(None, [several, SIGNALS[signal].logprobs]))
            raise ValueError(f"signal {signal} needs {needs}: {most.answer!r:.80}")
        majorities.append(most)
        parts.append(part)
    return majorities, parts if long else concatenated(parts)


def _most_said(
    texts: Sequence[str],
    question: str,
    logprobs: Sequence[ArrayLike | None],
    given: str | None,
    *,
    long: bool,
) -> Majority:
    """What most answers to a question say, or a given answer; with the log-probabilities of those that only answer."""
    drawn = answers_in(texts, "samples")
    how = {"question": question, "long": long}
    most = majority(drawn, **how) if given is None else agreement(given, drawn, **how)
    same_shape((most.samples,), (len(logprobs),), names="a question's samples and token_logprobs")
    values = [None if final_answer(text)[1] else value for text, value in zip(texts, logprobs, strict=True)]
    values = values if given is None else [None, *values]  # of a given answer none came
    return most._replace(answers=most.answers._replace(token_logprobs=values))


def in_a_row(confidence: Sequence[Beta], correct: Sequence[Any]) -> tuple[Beta, Floats, np.ndarray]:
    """Return confidences and outcomes of the claims of all answers, and the number of the answer of each."""
    same_shape((len(confidence),), (len(correct),), names="samples and correct")
    outcomes = [as_floats(np.atleast_1d(outcome), "correct") for outcome in correct]
    for place, (betas, truth) in enumerate(zip(confidence, outcomes, strict=True)):
        if betas.shape != truth.shape:
            counts = f"{truth.size} outcomes for {betas.shape[0]} sentences that claim something"
            raise ValueError(f"correct: answer {place} has {counts}")
    y = np.concatenate(outcomes) if outcomes else np.empty(0)
    graded = ~np.isnan(y)
    if not graded.any():
        raise ValueError("correct: no sentence has an outcome")
    answer = np.repeat(np.arange(len(outcomes)), [outcome.size for outcome in outcomes])
    return concatenated(confidence)[graded], shares(y[graded], "correct"), answer[graded]


def attempted(correct: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return which answers were attempted, and whether each of those is right (or what share of it), in [0, 1].

    Grades may stand in place of numbers. An answer beside the question is NOT_ATTEMPTED: that it is not the accepted
    one says nothing of whether its sentence is true.

    >>> attempted(["CORRECT", "NOT_ATTEMPTED", 0])[0].tolist()
    [True, False, True]
    """
    entries = [correct] if isinstance(correct, str) else correct
    if not any(isinstance(one, str) for one in entries):
        y = as_vector(shares(correct, "correct"))
        return np.ones(y.shape[:1], dtype=bool), y
    known = np.array([one != NOT_ATTEMPTED for one in entries])
    graded = [_OUTCOMES.get(one, one) if isinstance(one, str) else one for one in entries]
    return known, as_vector(shares(np.array(graded, dtype=object)[known], "correct"))


def of_each(
    answers: Sequence[str], confidence: Any, protocol: Protocol
) -> list[Beta | list[Beta | None] | None]:
    """Return the confidence of each answer, or those of its claims; None where none came.

    Parameters
    ----------
    answers
        The texts.
    confidence
        One an answer, of the same length: a score in [0, 1], a single Beta, or one for each sentence that claims
        something. NaN and None: none came.
    protocol
        Choices of the method.

    Raises
    ------
    ValueError
        If the lengths differ, or an answer has another number of claims than of confidences.
    """
    if not isinstance(confidence, Beta | Sequence) and str(getattr(confidence, "dtype", "")) != "object":
        confidence = as_vector(as_floats(confidence, "confidence"))
    length = confidence.shape if isinstance(confidence, Beta) else (len(confidence),)
    same_shape((len(answers),), length, names="texts and confidence")
    betas: list[Any] = []
    for number, (text, score) in enumerate(zip(answers, confidence, strict=True)):
        if np.shape(score) and len(score) != len(claims := claims_of(text)):
            mismatch = f"{len(score)} confidences came for {len(claims)} sentences that claim something"
            raise ValueError(f"answer {number}: {mismatch}: {'; '.join(map(repr, claims)) or 'none'}")
        betas.append([_one(part, protocol) for part in score] if np.shape(score) else _one(score, protocol))
    return betas


def _one(confidence: Any, protocol: Protocol) -> Beta | None:
    """One confidence as a Beta; None where it is missing."""
    if isinstance(confidence, Beta):
        return confidence
    scores = as_floats([confidence], "confidence")
    return None if np.isnan(scores[0]) else as_confidence(scores, protocol)[0]
