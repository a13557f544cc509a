"""The original answer to a question: the first of the largest lexical cluster of its samples (paper section 5.2.1).

Or an answer that was given, such as the one that a client is told, and the samples that say the same.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ralc.clustering.clusterer import lexical_clusters
from ralc.english import sentences
from ralc.signals import Answers


class Majority(NamedTuple):
    """The original answer to a question, which of the samples say the same, how many there are, and all answers.

    Of the largest cluster it is the first; a given answer (`agreement`) may have no members.
    """

    answer: str
    members: tuple[int, ...]
    samples: int
    answers: Answers


def majority(answers: Sequence[str], question: str = "", *, long: bool = False) -> Majority:
    """Return what most of the answers to one question say, by the lexical clusterer: the first of the largest cluster.

    Where answers may be long, a first answer of several claims is compared with no other as a whole.

    Parameters
    ----------
    answers
        Answers to one question, at least one.
    question
        What was asked.
    long
        Whether answers may have several claims.
    """
    if not answers:
        raise ValueError("samples: each question needs at least one answer")
    grouped = _grouped(answers, question, long)
    return Majority(answers[grouped.members[0]], grouped.members, len(answers), grouped)


def agreement(answer: str, samples: Sequence[str], question: str = "", *, long: bool = False) -> Majority:
    """Return which of the samples of a question say what a given answer says, by the lexical clusterer.

    The answer is no sample, and none need agree with it.

    Parameters
    ----------
    answer
        The answer that is given.
    samples
        Answers to the same question, at least one.
    question, long
        As for `majority`.

    Examples
    --------
    >>> agreement("Lima.", ["It is Lima.", "Cusco.", "Lima"], "What is the capital of Peru?").members
    (0, 2)
    """
    if not samples:
        raise ValueError("samples: each answer needs at least one sample beside it")
    grouped = _grouped([answer, *samples], question, long)._replace(given=True)
    return Majority(answer, tuple(place - 1 for place in grouped.members[1:]), len(samples), grouped)


def _grouped(answers: Sequence[str], question: str, long: bool) -> Answers:
    alone = long and len(claims_of(answers[0])) > 1
    clusters = list(range(len(answers))) if alone else lexical_clusters(answers, question)
    return Answers(answers, clusters, [None] * len(answers), question)


def claims_of(text: str) -> list[str]:
    """Return the sentences of an answer that claim something."""
    return [text[one.start : one.end] for one in sentences(text) if one.claims]
