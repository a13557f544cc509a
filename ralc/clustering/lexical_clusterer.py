"""Clusters of answers by what they mean, without a model."""

from collections.abc import Sequence

from ralc.english import meaning


def lexical_clusters(texts: Sequence[str], question: str, choices: Sequence[str] = ()) -> list[int]:
    """Return the cluster of each answer: one for all answers that claim the same.

    Clusters are numbered by first appearance. A claim joins the first cluster whose barest claim means the same by
    `same_answer`, or whose words hold all of its own.

    Parameters
    ----------
    texts
        Answers to one question.
    question
        What was asked.
    choices
        The question's choices; none for a question without.

    Returns
    -------
    list of int
        Of the length of `texts`, numbered from 0.

    Examples
    --------
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
