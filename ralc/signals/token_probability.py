"""How likely the model finds its own answer: signals from log-probabilities of tokens.

Log-probabilities are nats (<= 0), of the answer's tokens under the model's own distribution, before temperature,
without the end-of-turn token. What is no log-probability, or no token at all, is a ValueError that names it.
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import softmax

from ralc.beta import Beta
from ralc.beta.validation import Floats, as_floats, require
from ralc.protocols import FINEST, Protocol
from ralc.signals.agreement import Answers, makes, of_answers

#: ASSUME a single score is worth as much as twenty answers (the paper's number of samples). It has no spread of its
#: own, and the distance to a hedge needs one. With a concentration of 1 the nearest hedges are the vaguest.
OF_A_SCORE = 20.0


def token_probability(token_logprobs: Sequence[ArrayLike], protocol: str | Protocol = "ralc") -> Beta:
    """Return the Beta of the length-normalised probabilities of the largest cluster's answers (paper section 4.3).

    Parameters
    ----------
    token_logprobs : list, one entry a sample, of arrays of shape (tokens,)
        Nats; at least one sample.
    protocol : str or Protocol
        Its choices are those of `Beta.fit_moments`.

    Examples
    --------
    >>> token_probability([np.log([0.9, 0.9]), np.log([0.8])], protocol="paper").mean.round(6)
    np.float64(0.85)
    """
    return _of_samples(token_logprobs, np.mean, protocol)


def minimum_token_probability(token_logprobs: Sequence[ArrayLike], protocol: str | Protocol = "ralc") -> Beta:
    """Return the Beta of the probabilities of each answer's least likely token (after Manakul et al. 2023).

    As `token_probability`, of the largest cluster's answers. Where one token is the answer, such as a letter, the
    others do not hide it.

    >>> minimum_token_probability([np.log([0.9, 0.4]), np.log([0.6])], protocol="paper").mean.round(6)
    np.float64(0.5)
    """
    return _of_samples(token_logprobs, np.min, protocol)


def _of_samples(
    token_logprobs: Sequence[ArrayLike], of_answer: Callable[[Floats], float], protocol: str | Protocol
) -> Beta:
    """The Beta of one probability an answer."""
    if not len(token_logprobs):
        raise ValueError("token_logprobs must have at least one sample")
    vectors = [_tokens(logprobs, f"token_logprobs[{index}]") for index, logprobs in enumerate(token_logprobs)]
    return Beta.fit_moments(np.array([np.exp(of_answer(values)) for values in vectors]), protocol=protocol)


def perplexity(token_logprobs: ArrayLike) -> Beta:
    """Return the confidence of one answer by its perplexity (Fomicheva et al. 2020); concentration `OF_A_SCORE`.

    The mean is 1/perplexity, the geometric mean of the tokens' probabilities; `token_logprobs` has shape (tokens,).

    >>> perplexity(np.log([0.9, 0.4])).mean.round(6)
    np.float64(0.6)
    """
    return of_one_score(np.exp(_tokens(token_logprobs).mean()))


def p_true(true: float, false: float) -> Beta:
    """Return P(True), what the model says of its own answer (Kadavath et al. 2022); concentration `OF_A_SCORE`.

    `true` and `false` are the log-probabilities of the two tokens that may answer; one is above minus infinity. The
    mean is the probability of the first, of the two.

    >>> p_true(np.log(0.3), np.log(0.1)).mean.round(6)
    np.float64(0.75)
    """
    logprobs = _tokens([true, false], "true and false")
    if np.isneginf(logprobs.max()):
        raise ValueError("true and false: neither has a probability")
    return of_one_score(softmax(logprobs)[0])


def of_one_score(score: float) -> Beta:
    """Return the Beta of one score in [0, 1]: that mean, `FINEST` off the ends, concentration `OF_A_SCORE`.

    Token probabilities have no steps, as evaluators' scores have, so the protocol's resolution has no part. Kept within
    it, 773 answers of GPT to MMLU lose 0.09 of their AUROC: most are above 0.99.
    """
    return Beta.from_mean_concentration(np.clip(score, FINEST, 1 - FINEST), OF_A_SCORE)


def _tokens(logprobs: ArrayLike, name: str = "token_logprobs") -> Floats:
    """The log-probabilities of one answer's tokens, checked."""
    values = as_floats(logprobs, name)
    if values.ndim != 1 or not values.size:
        raise ValueError(f"{name} must be a vector of at least one token")
    return require(values, lambda v: v <= 0, name, "a log-probability <= 0")


def _of_members(answers: Answers, protocol: Protocol, *, signal: Callable[..., Beta]) -> Beta | None:
    """A signal of the largest cluster's answers that have log-probabilities."""
    lists = [logprobs for place in answers.members if (logprobs := answers.logprobs(place)) is not None]
    return signal(lists, protocol) if lists else None


for _signal in (token_probability, minimum_token_probability):
    makes(_signal.__name__)(partial(_of_members, signal=_signal))


@makes("perplexity")
def _perplexity(answers: Answers, _: Protocol) -> Beta | None:
    logprobs = answers.logprobs(answers.members[0])
    return None if logprobs is None else perplexity(logprobs)


def of_own_tokens(
    signal: str, answers: Answers, sentence: tuple[int, int], protocol: str | Protocol = "ralc"
) -> Beta | None:
    """Return a signal of log-probabilities for a sentence of the original answer, over the tokens that reach into it.

    Where the ends of tokens are unknown, it has the answer's
    value. None without log-probabilities, or where no token stands in it.

    Parameters
    ----------
    signal
        A signal of log-probabilities in `OF_ANSWERS`.
    answers
        The answers to one question, with log-probabilities in nats and where each token ends.
    sentence
        Where it begins and ends in the original answer, in characters.
    protocol
        A protocol or its name.

    Examples
    --------
    >>> answers = Answers(["He sings. In Oslo."], [0], [np.log([0.9, 0.4, 0.8, 0.2])], token_ends=[[2, 9, 12, 18]])
    >>> of_own_tokens("perplexity", answers, (10, 18)).mean.round(2)
    np.float64(0.4)
    """
    original = answers.members[0]
    ends = answers.token_ends[original] if answers.token_ends else None
    logprobs = answers.logprobs(original)
    if not np.ndim(ends) or logprobs is None:
        return of_answers(signal, answers, protocol)
    high = np.asarray(ends, dtype=float)
    low = np.concatenate([[-np.inf], high[:-1]])
    chosen = np.asarray(logprobs, float)[(low < sentence[1]) & (high > sentence[0])]
    return of_answers(signal, Answers([answers.texts[original][slice(*sentence)]], [0], [chosen]), protocol)
