"""How likely the model finds its own answer: signals from log-probabilities of tokens.

Log-probabilities are nats (<= 0), of the answer's tokens under the model's own distribution, before temperature,
without the end-of-turn token.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import softmax

from ralc.beta import Beta
from ralc.beta.validation import Floats, as_floats, require
from ralc.protocols import FINEST, Protocol
from ralc.signals.answers import Answers

#: ASSUME a single score is worth as much as twenty answers (the paper's number of samples): it says nothing of its own
#: spread, and the distance to a hedge needs one. With a concentration of 1 the nearest hedges are the vaguest.
OF_A_SCORE = 20.0


def token_probability(token_logprobs: Sequence[ArrayLike], protocol: str | Protocol = "ralc") -> Beta:
    """Beta of the length-normalised probabilities of the answers in the largest cluster (paper section 4.3).

    Parameters
    ----------
    token_logprobs : list, one entry a sample, of arrays of shape (tokens,)
        Nats.
    protocol : str or Protocol
        Its choices are those of `Beta.fit_moments`.

    Raises
    ------
    ValueError
        If there is no sample, a sample has no token, or a log-probability is above 0 or not a number.

    Examples
    --------
    >>> token_probability([np.log([0.9, 0.9]), np.log([0.8])], protocol="paper").mean.round(6)
    np.float64(0.85)
    """
    if not len(token_logprobs):
        raise ValueError("token_logprobs must have at least one sample")
    vectors = [_tokens(logprobs, f"token_logprobs[{index}]") for index, logprobs in enumerate(token_logprobs)]
    return Beta.fit_moments(np.array([np.exp(values.mean()) for values in vectors]), protocol=protocol)


def perplexity(token_logprobs: ArrayLike) -> Beta:
    """Confidence of one answer by its perplexity (Fomicheva et al. 2020); concentration `OF_A_SCORE`.

    The mean is 1/perplexity, the geometric mean of the tokens' probabilities.

    Parameters
    ----------
    token_logprobs : array of shape (tokens,)
        Nats.

    Raises
    ------
    ValueError
        If there is no token, or a log-probability is above 0 or not a number.

    Examples
    --------
    >>> perplexity(np.log([0.9, 0.4])).mean.round(6)
    np.float64(0.6)
    """
    return _of_one_score(np.exp(_tokens(token_logprobs).mean()))


def p_true(true: float, false: float) -> Beta:
    """Confidence by what the model says of its own answer (Kadavath et al. 2022: P(True)); concentration `OF_A_SCORE`.

    The mean is the probability of the token that says that the answer is true, of the two.

    Parameters
    ----------
    true, false : float
        Log-probabilities of the two tokens, nats.

    Raises
    ------
    ValueError
        If neither has a probability, or a log-probability is above 0 or not a number.

    Examples
    --------
    >>> p_true(np.log(0.3), np.log(0.1)).mean.round(6)
    np.float64(0.75)
    """
    logprobs = _tokens([true, false], "true and false")
    if np.isneginf(logprobs.max()):
        raise ValueError("true and false: neither has a probability")
    return _of_one_score(softmax(logprobs)[0])


def within(token_logprobs: Floats, ends: ArrayLike, span: tuple[int, int]) -> Floats:
    """Return the log-probabilities of the tokens that reach into a span, from where tokens end.

    >>> within(np.array([-1.0, -2.0, -3.0]), [2, 5, 9], (0, 4))
    array([-1., -2.])
    """
    high = np.asarray(ends, dtype=float)
    low = np.concatenate([[-np.inf], high[:-1]])
    return token_logprobs[(low < span[1]) & (high > span[0])]


def _of_one_score(score: float) -> Beta:
    """Return the Beta of one score in [0, 1]: that mean, `FINEST` off the ends, concentration `OF_A_SCORE`.

    Token probabilities have no steps as evaluators' scores have, so the protocol's resolution has no part: kept within
    it, 773 answers of GPT to MMLU, most of them above 0.99, lose 0.09 of their AUROC.
    """
    return Beta.from_mean_concentration(np.clip(score, FINEST, 1 - FINEST), OF_A_SCORE)


def _tokens(logprobs: ArrayLike, name: str = "token_logprobs") -> Floats:
    """Return the log-probabilities of one answer's tokens, checked."""
    values = as_floats(logprobs, name)
    if values.ndim != 1 or not values.size:
        raise ValueError(f"{name} must be a vector of at least one token")
    return require(values, lambda v: v <= 0, name, "a log-probability <= 0")


def _token_probability(answers: Answers, protocol: Protocol) -> Beta | None:
    known = [logprobs for place in answers.members if (logprobs := answers.logprobs(place)) is not None]
    return token_probability(known, protocol) if known else None


def _perplexity(answers: Answers, _: Protocol) -> Beta | None:
    logprobs = answers.logprobs(answers.members[0])
    return None if logprobs is None else perplexity(logprobs)


OF_ANSWERS = {"token_probability": _token_probability, "perplexity": _perplexity}
