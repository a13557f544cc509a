"""How sure the claims of an answer are said to be where most would have a hedge of their own: at fewer levels.

Nobody hears eight degrees of doubt in ten sentences. Where confidence is calibrated, so is its mean over some claims:
they are said at that, and what is lost is only how they differ.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

#: Hedges that an answer may have, however few its claims; more may stand in at most half of them.
FEW = 4
#: How far apart claims that are said at one level may be, in [0, 1].
WIDEST = 0.2


def is_crowded(hedges: int, claims: int) -> bool:
    """Return whether an answer has more hedges than its claims bear.

    >>> is_crowded(4, 4), is_crowded(5, 10), is_crowded(6, 10)
    (False, False, True)
    """
    return hedges > max(FEW, claims / 2)


def levelled(known: Sequence[float], crowded: Callable[[NDArray[np.float64]], bool]) -> NDArray[np.float64]:
    """Return how sure claims are said to be: the two nearest levels become one for as long as the answer is crowded.

    Parameters
    ----------
    known
        Calibrated means of the claims that want a hedge, in [0, 1].
    crowded
        Whether an answer whose claims are said at such levels has too many hedges.

    Returns
    -------
    numpy.ndarray
        Of the shape of `known`; each level is the mean of its claims, none of which are further apart than `WIDEST`.

    Examples
    --------
    >>> levelled([0.9, 0.3, 0.38, 0.6], lambda level: len(set(level)) > 3)
    array([0.9 , 0.34, 0.34, 0.6 ])
    """
    own = np.asarray(known, float)
    level = own.copy()
    while crowded(level):
        steps = np.unique(level)
        pairs = [(level == low) | (level == high) for low, high in pairwise(steps)]
        near = [at for at, both in enumerate(pairs) if np.ptp(own[both]) <= WIDEST]
        if not near:
            break
        both = pairs[min(near, key=lambda at: steps[at + 1] - steps[at])]
        level[both] = own[both].mean()
    return level
