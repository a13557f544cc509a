"""The confidence that a calibrator starts from: scores, samples, or the words of the answer."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ralc.beta import Beta
from ralc.beta.validation import as_floats, as_vector, require, same_shape
from ralc.clustering.lexical import lexical_clusters
from ralc.names import SIGNALS
from ralc.protocols import Protocol
from ralc.signals import Answers, of_answers
from ralc.signals.likelihood import OF_A_SCORE


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


def majority(answers: Sequence[str], question: str = "") -> Majority:
    """Return what most of the answers to one question say, by the lexical clusterer.

    The answer is the first of the largest cluster; of equal clusters the one whose first answer came first.

    Raises
    ------
    ValueError
        If there is no answer, or one is not a string.

    >>> majority(["It is Paris.", "Lyon.", "Paris"]).members
    (0, 2)
    """
    if isinstance(answers, str) or not len(answers):
        raise ValueError("samples: each question needs a list of at least one answer")
    for place, answer in enumerate(answers):
        if not isinstance(answer, str):
            raise ValueError(f"samples: answer {place} is not a string but {type(answer).__name__}")
    found = Answers(list(answers), lexical_clusters(list(answers), question), [None] * len(answers))
    members = found.members
    return Majority(answers[members[0]], members, len(answers), found)


def of_samples(
    majorities: Sequence[Majority],
    token_logprobs: Sequence[Sequence[ArrayLike | None]] | None,
    signal: str,
    protocol: Protocol,
) -> Beta:
    """Return each question's confidence by a signal of `ralc.signals.OF_ANSWERS`.

    An answer may lack log-probabilities (None).

    Raises
    ------
    ValueError
        If there is not one entry of log-probabilities an answer, or a question's answers lack what the signal needs.
    """
    logprobs = [[None] * one.samples for one in majorities] if token_logprobs is None else token_logprobs
    same_shape((len(majorities),), (len(logprobs),), names="samples and token_logprobs")
    parts = []
    for one, known in zip(majorities, logprobs, strict=True):
        same_shape((one.samples,), (len(known),), names="a question's samples and token_logprobs")
        part = of_answers(signal, one.answers._replace(token_logprobs=known), protocol)
        if part is None:
            raise ValueError(f"signal {signal} needs {_needs(signal)}: {one.answer!r:.80}")
        parts.append(part)
    return Beta([float(part.alpha) for part in parts], [float(part.beta) for part in parts])


def _needs(signal: str) -> str:
    """What a signal cannot be made without."""
    several = "two answers a question" if SIGNALS[signal].compares else ""
    return " and ".join(filter(None, [several, "token_logprobs" if SIGNALS[signal].logprobs else ""]))
