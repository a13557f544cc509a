"""The original answer to a question: the first of the largest lexical cluster of its samples (paper section 5.2.1)."""

from collections.abc import Sequence
from typing import NamedTuple

from ralc.clustering.lexical_clusterer import lexical_clusters
from ralc.english import sentences
from ralc.signals import Answers


class Majority(NamedTuple):
    """The largest cluster of a question's answers: its first answer, which answers are in it, and all of them."""

    answer: str
    members: tuple[int, ...]
    samples: int
    answers: Answers


def majority(answers: Sequence[str], question: str = "", *, long: bool = False) -> Majority:
    """Return what most of the answers to one question say, by the lexical clusterer: the first of the largest cluster.

    Where answers may be `long`, a first answer of several claims is compared with no other as a whole.
    """
    if not answers:
        raise ValueError("samples: each question needs at least one answer")
    alone = long and len(claims_of(answers[0])) > 1
    clusters = list(range(len(answers))) if alone else lexical_clusters(answers, question)
    grouped = Answers(answers, clusters, [None] * len(answers), question)
    return Majority(answers[grouped.members[0]], grouped.members, len(answers), grouped)


def claims_of(text: str) -> list[str]:
    """Return the sentences of an answer that claim something."""
    return [text[one.start : one.end] for one in sentences(text) if one.claims]
