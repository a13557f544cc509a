"""When enough answers to a question are known: adaptive consistency (Aggarwal et al. 2023).

Answers are asked for in rounds until it is improbable that more of them would change what most say. Of the two largest
clusters, of v1 and v2 answers, the share of the first follows Beta(v1 + 1, v2 + 1) if nothing was known before; that it
is below one half is the error that is allowed.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from scipy.special import betainc

#: The error that Aggarwal et al. allow.
ERROR = 0.05
#: What asking until then is called, in place of a number of answers.
SETTLED = "until settled"


def majority_error(clusters: Sequence[int]) -> float:
    """Return the probability, in (0, 1/2], that the largest cluster is not more frequent than the second.

    Parameters
    ----------
    clusters : sequence of int
        What each answer so far means.

    Examples
    --------
    >>> majority_error([0, 0, 0, 0])
    0.03125
    """
    first, second = [count for _, count in Counter(clusters).most_common(2)] + [0] * (2 - len(set(clusters)))
    return float(betainc(first + 1, second + 1, 0.5))


def answers_needed(clusters: Sequence[int], rounds: Sequence[int], error: float = ERROR) -> int:
    """Return how many of the answers to a question would have been asked for, round after round.

    Parameters
    ----------
    clusters : sequence of int
        What each of all answers means, in the order in which they came.
    rounds : sequence of int
        Answers that are there after each round, ascending; with the last it ends whatever is known.
    error : float
        Probability, in (0, 1/2), that the majority is another, at which it ends before.

    Raises
    ------
    ValueError
        If `error` is outside (0, 1/2), or the rounds do not ascend from at least one answer.

    Examples
    --------
    >>> answers_needed([0, 0, 0, 0, 1, 1], [2, 4, 6])
    4
    """
    if not 0 < error < 0.5:
        raise ValueError(f"error = {error} must lie between 0 and 1/2")
    if not rounds or rounds[0] < 1 or any(one >= other for one, other in pairwise(rounds)):
        raise ValueError(f"rounds = {list(rounds)} must ascend from at least one answer")
    ends = (n for n in rounds if majority_error(clusters[:n]) <= error)
    return min(next(ends, rounds[-1]), len(clusters))
