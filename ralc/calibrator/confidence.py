"""Confidences of answers before calibration: scores, samples by a signal, or one for each claim of an answer."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ralc.beta import Beta
from ralc.beta.validation import PARAMETER_FLOOR, Floats, as_floats, as_vector, require, same_shape, shares
from ralc.clustering import lexical_clusters
from ralc.llm.chat import final_answer
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

    Scores are kept within the protocol's ``platt_eps`` of the ends, or 1e-6 where that is 0.
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
    eps = protocol.platt_eps or PARAMETER_FLOOR
    return Beta.from_mean_concentration(np.clip(scores, eps, 1 - eps), OF_A_SCORE)


def in_per_cent(scores: ArrayLike) -> bool:
    """Return whether scores are most likely of 0 to 100: most are above 1, and none is above 100 or below 0.

    >>> in_per_cent([85, 90, 0.5]), in_per_cent([0.85, 1.2, 0.5])
    (True, False)
    """
    numbers = np.asarray(scores, dtype=float).ravel()
    numbers = numbers[~np.isnan(numbers)]
    return bool(numbers.size and ((numbers >= 0) & (numbers <= 100)).all() and (numbers > 1).mean() > 0.5)


def together(confidences: Sequence[Beta]) -> Beta:
    """Return single Betas, or vectors of them, as one vector."""
    parameters = [(np.atleast_1d(one.alpha), np.atleast_1d(one.beta)) for one in confidences]
    return Beta(*map(np.concatenate, zip(*parameters, strict=True)))


def answers_in(texts: Sequence[str], name: str) -> list[str]:
    """Return texts without reasoning (``<think>...</think>``); ValueError where one is no string."""
    if isinstance(texts, str):
        raise ValueError(f"{name} must be a sequence of strings, got one string")
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            raise ValueError(f"{name}: text {place} is not a string but {type(text).__name__}")
    return [final_answer(text)[0] for text in texts]


def majority(answers: Sequence[str], question: str = "", *, long: bool = False) -> Majority:
    """Return what most of the answers to one question say, by the lexical clusterer.

    The answer is the first of the largest cluster; of equal clusters the one whose first answer came first. Where
    answers may be `long`, a first answer of several claims is compared with no other as a whole.

    >>> majority(["It is Paris.", "Lyon.", "Paris"]).members
    (0, 2)
    """
    answers = answers_in(answers, "samples")
    if not answers:
        raise ValueError("samples: each question needs at least one answer")
    alone = long and len(claims_in(answers[0])) > 1
    clusters = list(range(len(answers))) if alone else lexical_clusters(answers, question)
    grouped = Answers(answers, clusters, [None] * len(answers), question)
    return Majority(answers[grouped.members[0]], grouped.members, len(answers), grouped)


def of_samples(
    samples: Sequence[Sequence[str]],
    questions: Sequence[str] | None,
    logprobs: Sequence[Sequence[ArrayLike | None]] | None,
    signal: str,
    protocol: Protocol,
) -> tuple[list[Majority], Beta | list[Beta]]:
    """Return the majority of each question's answers, and its confidence by a signal of `ralc.signals.OF_ANSWERS`.

    By a signal of sentences (`ralc.signals.OF_SENTENCES`) that is a vector for each answer, one entry a claim. An
    answer may lack the log-probabilities that the signal takes (None); one that reasons has none.
    """
    asked = [""] * len(samples) if questions is None else questions
    same_shape((len(samples),), (len(asked),), names="samples and questions")
    groups = [majority(*one, long=signal in OF_SENTENCES) for one in zip(samples, asked, strict=True)]
    logprobs = [[None] * one.samples for one in groups] if logprobs is None else logprobs
    same_shape((len(groups),), (len(logprobs),), names="samples and token_logprobs")
    parts = []
    for texts, one, values in zip(samples, groups, logprobs, strict=True):
        same_shape((one.samples,), (len(values),), names="a question's samples and token_logprobs")
        values = [None if final_answer(text)[1] else value for text, value in zip(texts, values, strict=True)]
        if signal in OF_SENTENCES:
            claims = [one.answer[start:end] for start, end in claims_in(one.answer)]
            part = of_sentences(signal, one.answers, claims)
        else:
            part = of_answers(signal, one.answers._replace(token_logprobs=values), protocol)
        if part is None:
            several = "two answers a question" if SIGNALS[signal].compares else ""
            needs = " and ".join(filter(None, [several, SIGNALS[signal].logprobs]))
            raise ValueError(f"signal {signal} needs {needs}: {one.answer!r:.80}")
        parts.append(part)
    return groups, parts if signal in OF_SENTENCES else together(parts)


def claims_in(answer: str) -> list[tuple[int, int]]:
    """Return where the sentences of an answer that claim something begin and end, in characters."""
    from ralc.english import claiming_sentences

    return [(unit.start, unit.end) for unit in claiming_sentences(answer)]


def in_a_row(confidence: Sequence[Beta], correct: Sequence[Any]) -> tuple[Beta, Floats, np.ndarray]:
    """Return confidences and outcomes of the claims of all answers, and the number of the answer of each.

    >>> in_a_row([Beta([1, 2], 1), Beta([3], 1)], [[1, None], 0.5])
    (Beta(alpha=[1., 3.], beta=[1., 1.]), array([1. , 0.5]), array([0, 1]))
    """
    same_shape((len(confidence),), (len(correct),), names="samples and correct")
    outcomes = [as_floats(np.atleast_1d(one), "correct") for one in correct]
    for place, (betas, found) in enumerate(zip(confidence, outcomes, strict=True)):
        if betas.shape != found.shape:
            raise ValueError(
                f"correct: answer {place} has {found.size} outcomes for {betas.shape[0]} sentences that claim something"
            )
    y = np.concatenate(outcomes) if outcomes else np.empty(0)
    graded = ~np.isnan(y)
    if not graded.any():
        raise ValueError("correct: no sentence has an outcome")
    answer = np.repeat(np.arange(len(outcomes)), [one.size for one in outcomes])
    return together(confidence)[graded], shares(y[graded], "correct"), answer[graded]


def check_claims(text: str, confidence: Sequence[Any]) -> None:
    """Raise ValueError, with the claims of an answer, if there are not as many confidences as claims."""
    claims = [text[start:end] for start, end in claims_in(text)]
    if len(confidence) != len(claims):
        raise ValueError(
            f"{len(confidence)} confidences came for {len(claims)} sentences that claim something: "
            f"{'; '.join(map(repr, claims)) or 'none'}"
        )


def of_each(
    answers: Sequence[str], confidence: Any, protocol: Protocol
) -> list[Beta | list[Beta | None] | None]:
    """Return the confidence of each answer, or those of its claims; None where none came."""
    if not isinstance(confidence, Beta | Sequence) and str(getattr(confidence, "dtype", "")) != "object":
        confidence = as_vector(as_floats(confidence, "confidence"))
    length = confidence.shape if isinstance(confidence, Beta) else (len(confidence),)
    same_shape((len(answers),), length, names="texts and confidence")
    betas = []
    for number, (text, score) in enumerate(zip(answers, confidence, strict=True)):
        several = isinstance(score, list | tuple | np.ndarray) and np.ndim(score) == 1
        if not (several or (isinstance(score, Beta) and score.shape)):
            betas.append(_one(score, protocol))
            continue
        try:
            check_claims(text, score)
        except ValueError as error:
            raise ValueError(f"answer {number}: {error}") from None
        betas.append([_one(one, protocol) for one in score])
    return betas


def _one(confidence: Any, protocol: Protocol) -> Beta | None:
    """One confidence as a Beta; None where it is missing."""
    if isinstance(confidence, Beta):
        return confidence
    scores = as_floats([confidence], "confidence")
    return None if np.isnan(scores[0]) else as_confidence(scores, protocol)[0]
