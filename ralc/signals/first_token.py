"""What the model's next token could have been: signals from the probabilities of a few alternatives.

Of a question answered by one letter, the letters; of a question whether an answer is true, True and False.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import entr, softmax

from ralc.beta import Beta
from ralc.beta.validation import Floats
from ralc.signals.likelihood import of_one_score, tokens


def first_token_entropy(alternatives: ArrayLike) -> Beta:
    """Confidence by the entropy of the answer's first token over its alternatives (Kadavath et al. 2022 of answer
    options): mean 1 - H / ln(alternatives); concentration 20, of a single score.

    Parameters
    ----------
    alternatives : array of shape (alternatives,)
        Log-probabilities in nats of the tokens that an answer may begin with, at least two; scaled to have 1 together.

    Raises
    ------
    ValueError
        If there are fewer than two alternatives, none has a probability, or a log-probability is above 0 or not a
        number.

    Examples
    --------
    >>> first_token_entropy(np.log([0.25, 0.25])).mean
    np.float64(1e-06)
    """
    p = _shares(alternatives)
    return of_one_score(1 - entr(p).sum() / np.log(p.size))


def first_token_margin(alternatives: ArrayLike) -> Beta:
    """Confidence by the probability of the likeliest first token less that of the next (best against second best,
    Scheffer et al. 2001); concentration 20, of a single score.

    Parameters and errors as of `first_token_entropy`.

    >>> first_token_margin(np.log([0.6, 0.1, 0.1])).mean.round(6)
    np.float64(0.625)
    """
    second, first = np.sort(_shares(alternatives))[-2:]
    return of_one_score(first - second)


def p_true(true: float, false: float) -> Beta:
    """Confidence by what the model says of its own answer (Kadavath et al. 2022: P(True)): the probability of the token
    that says that it is true, of the two; concentration 20, of a single score.

    Parameters
    ----------
    true, false : float
        Log-probabilities of the two tokens, nats.

    Raises
    ------
    ValueError
        As `first_token_entropy`.

    Examples
    --------
    >>> p_true(np.log(0.3), np.log(0.1)).mean.round(6)
    np.float64(0.75)
    """
    return of_one_score(_shares([true, false])[0])


def _shares(alternatives: ArrayLike) -> Floats:
    """Probabilities of alternatives that have 1 together."""
    logprobs = tokens(alternatives, "alternatives")
    if logprobs.size < 2 or np.isneginf(logprobs.max()):
        raise ValueError(f"alternatives: {logprobs} are not at least two, one with a probability")
    return softmax(logprobs)
