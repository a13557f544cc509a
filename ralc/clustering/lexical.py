"""Clusters without a model: answers that mean the same (`ralc.english.same_answer`)."""

from collections.abc import Sequence

from ralc.english.answer_meaning import Meaning, meaning, same_meaning
from ralc.english.relevance import without_background


def lexical_clusters(texts: Sequence[str], question: str, choices: Sequence[str] = ()) -> list[int]:
    """Return the cluster of each answer: one for all answers that claim the same.

    Clusters are numbered by first appearance; a claim joins the first cluster whose barest claim it resembles: one that
    means the same by `ralc.english.same_answer`, or whose words hold all of its own.

    >>> lexical_clusters(["It is Paris.", "Paris, of course.", "Lyon."], "What is the capital of France?")
    [0, 0, 1]
    """
    question = without_background(question)
    clusters: dict[str, int] = {}
    claims: list[Meaning] = []
    for text in dict.fromkeys(texts):
        made = meaning(text, question, tuple(choices))
        nearest = next((place for place, claim in enumerate(claims) if same_meaning(made, claim)), None)
        if nearest is None:
            clusters[text] = len(claims)
            claims.append(made)
            continue
        clusters[text] = nearest
        # The barest claim speaks for a cluster: "Lviv, Ukraine" and "Kyiv, Ukraine" meet in "Ukraine".
        if 0 < len(made.names) < len(claims[nearest].names):
            claims[nearest] = made
    return [clusters[text] for text in texts]
