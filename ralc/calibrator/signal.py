"""The confidence that a calibrator starts from: scores, samples, or the words of the answer."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ralc.beta import Beta
from ralc.beta.validation import Floats, as_floats, as_vector, require, same_shape, shares
from ralc.clustering.lexical import lexical_clusters
from ralc.llm.reasoning import final_answer
from ralc.protocols import Protocol
from ralc.registry import SIGNALS
from ralc.signals import OF_SENTENCES, Answers, of_answers, of_sentences
from ralc.signals.token_probability import OF_A_SCORE


class Majority(NamedTuple):
    """The largest cluster of a question's answers: its first answer, which answers are in it, and all of them."""

    answer: str
    members: tuple[int, ...]
    samples: int
    answers: Answers


def as_confidence(confidence: Beta | ArrayLike, protocol: Protocol) -> Beta:
    """Return a vector of Betas: those given, or one of each score in [0, 1].

    Scores are kept within the protocol's ``platt_eps`` of the ends, or its ``parameter_floor`` where that is 0.

    Raises
    ------
    ValueError
        If a score is missing or outside [0, 1], naming the first, or they are no vector.
    """
    if isinstance(confidence, Beta):
        if len(confidence.shape) != 1:
            raise ValueError(f"confidence must be a vector of Betas: its shape is {confidence.shape}")
        return confidence
    scores = as_vector(as_floats(confidence, "confidence"))
    per_cent = "in [0, 1]" + (" (these look like per cent: divide by 100)" if in_per_cent(scores) else "")
    require(scores, lambda v: (v >= 0) & (v <= 1), "confidence", per_cent)
    if scores.ndim != 1:
        raise ValueError(f"confidence must be a vector: its shape is {scores.shape}")
    eps = protocol.platt_eps or protocol.parameter_floor
    return Beta.from_mean_concentration(np.clip(scores, eps, 1 - eps), OF_A_SCORE)


def in_per_cent(scores: ArrayLike) -> bool:
    """Whether scores are most likely of 0 to 100: most of them are above 1, and none is above 100 or below 0.

    >>> in_per_cent([85, 90, 0.5]), in_per_cent([0.85, 1.2, 0.5])
    (True, False)
    """
    known = np.asarray(scores, dtype=float).ravel()
    known = known[~np.isnan(known)]
    return bool(known.size and ((known >= 0) & (known <= 100)).all() and (known > 1).mean() > 0.5)


def majority(answers: Sequence[str], question: str = "", *, long: bool = False) -> Majority:
    """Return what most of the answers to one question say, by the lexical clusterer.

    The answer is the first of the largest cluster; of equal clusters the one whose first answer came first. Where they
    may be `long`, an answer of several sentences that claim something is compared with no other as a whole. Reasoning
    (``<think>...</think>``) is no part of an answer.

    Raises
    ------
    ValueError
        If there is no answer, or one is not a string.

    Examples
    --------
    >>> majority(["It is Paris.", "Lyon.", "Paris"]).members
    (0, 2)
    """
    if isinstance(answers, str) or not len(answers):
        raise ValueError("samples: each question needs a list of at least one answer")
    for place, answer in enumerate(answers):
        if not isinstance(answer, str):
            raise ValueError(f"samples: answer {place} is not a string but {type(answer).__name__}")
    answers = [final_answer(answer)[0] for answer in answers]
    alone = long and len(claims_of(answers[0])) > 1
    clusters = list(range(len(answers))) if alone else lexical_clusters(answers, question)
    found = Answers(answers, clusters, [None] * len(answers), question)
    members = found.members
    return Majority(answers[members[0]], members, len(answers), found)


def of_samples(
    samples: Sequence[Sequence[str]],
    questions: Sequence[str] | None,
    logprobs: Sequence[Sequence[ArrayLike | None]] | None,
    signal: str,
    protocol: Protocol,
) -> tuple[list[Majority], Beta | list[Beta]]:
    """Return the majority of each question's answers, and its confidence by a signal of `ralc.signals.OF_ANSWERS`.

    By one of a sentence (`ralc.signals.OF_SENTENCES`) that is a vector for each answer, of its sentences that claim
    something. An answer may lack the log-probabilities that the signal takes (None); one that reasons has none.

    Raises
    ------
    ValueError
        If there is not one entry of log-probabilities an answer, or a question's answers lack what the signal needs.
    """
    asked = [""] * len(samples) if questions is None else questions
    same_shape((len(samples),), (len(asked),), names="samples and questions")
    found = [majority(*one, long=signal in OF_SENTENCES) for one in zip(samples, asked, strict=True)]
    taken = SIGNALS[signal].logprobs or "token_logprobs"
    logprobs = [[None] * one.samples for one in found] if logprobs is None else logprobs
    same_shape((len(found),), (len(logprobs),), names=f"samples and {taken}")
    parts = []
    for answers, one, known in zip(samples, found, logprobs, strict=True):
        same_shape((one.samples,), (len(known),), names=f"a question's samples and {taken}")
        known = [None if final_answer(text)[1] else own for text, own in zip(answers, known, strict=True)]
        if signal in OF_SENTENCES:
            part = of_sentences(signal, one.answers, claims_of(one.answer))
        else:
            part = of_answers(signal, one.answers._replace(**{taken: known}), protocol)
        if part is None:
            raise ValueError(f"signal {signal} needs {_needs(signal)}: {one.answer!r:.80}")
        parts.append(part)
    if signal in OF_SENTENCES:
        return found, parts
    return found, Beta([float(part.alpha) for part in parts], [float(part.beta) for part in parts])


def claims_of(answer: str) -> list[str]:
    """The sentences of an answer that claim something, as they stand in it."""
    return [answer[start:end] for start, end in claims_in(answer)]


def claims_in(answer: str) -> list[tuple[int, int]]:
    """Where they begin and end, in characters."""
    from ralc.english.claim_sentences import claim_units

    return [(unit.sentence.start, unit.sentence.end) for unit in claim_units(answer)]


def in_a_row(confidence: Sequence[Beta], correct: Sequence[Any]) -> tuple[Beta, Floats, np.ndarray]:
    """Return confidences and outcomes of the sentences of all answers, and the number of the answer of each.

    Parameters
    ----------
    confidence
        Of each answer a vector.
    correct
        Of each answer an outcome for each of its sentences, or None for one without, which is left out; of one
        sentence the outcome alone will do.

    Raises
    ------
    ValueError
        If an answer has not as many outcomes as confidences, or no sentence has any; or one is not in [0, 1].

    Examples
    --------
    >>> in_a_row([Beta([1, 2], 1), Beta([3], 1)], [[1, None], 0.5])
    (Beta(alpha=[1., 3.], beta=[1., 1.]), array([1. , 0.5]), array([0, 1]))
    """
    same_shape((len(confidence),), (len(correct),), names="samples and correct")
    outcomes = [as_floats(np.atleast_1d(one), "correct") for one in correct]
    for place, (own, found) in enumerate(zip(confidence, outcomes, strict=True)):
        if own.shape != found.shape:
            raise ValueError(
                f"correct: answer {place} has {found.size} outcomes for {own.shape[0]} sentences that claim something"
            )
    y = np.concatenate(outcomes) if outcomes else np.empty(0)
    known = ~np.isnan(y)
    if not known.any():
        raise ValueError("correct: no sentence has an outcome")
    alpha, beta = (np.concatenate([getattr(one, name) for one in confidence]) for name in ("alpha", "beta"))
    answer = np.repeat(np.arange(len(outcomes)), [one.size for one in outcomes])
    return Beta(alpha[known], beta[known]), shares(y[known], "correct"), answer[known]


def _needs(signal: str) -> str:
    """What a signal cannot be made without."""
    several = "two answers a question" if SIGNALS[signal].compares else ""
    return " and ".join(filter(None, [several, SIGNALS[signal].logprobs]))
