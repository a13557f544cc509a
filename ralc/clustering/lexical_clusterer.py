"""Clusters of answers by what they mean, without a model, and the first answer of the largest one."""

from collections.abc import Sequence
from typing import NamedTuple

from ralc.english import meaning, sentences
from ralc.signals import Answers


def lexical_clusters(texts: Sequence[str], question: str, choices: Sequence[str] = ()) -> list[int]:
    """Return the cluster of each answer: one for all answers that claim the same.

    Clusters are numbered by first appearance. A claim joins the first cluster whose barest claim means the same by
    `same_answer`, or whose words hold all of its own.

    >>> lexical_clusters(["It is Paris.", "Paris, of course.", "Lyon."], "What is the capital of France?")
    [0, 0, 1]
    """
    clusters: dict[str, int] = {}
    claims = []
    for text in dict.fromkeys(texts):
        claim = meaning(text, question, tuple(choices))
        nearest = next((place for place, other in enumerate(claims) if claim.same_as(other)), None)
        clusters[text] = len(claims) if nearest is None else nearest
        if nearest is None:
            claims.append(claim)
        # The barest claim speaks for a cluster: "Lviv, Ukraine" and "Kyiv, Ukraine" meet in "Ukraine".
        elif 0 < len(claim.names) < len(claims[nearest].names):
            claims[nearest] = claim
    return [clusters[text] for text in texts]


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
