"""How likely the model finds its own answer: signals from the log-probabilities of the answer's tokens.

Log-probabilities are nats (<= 0), of the answer's tokens under the model's own distribution, before temperature,
without the end-of-turn token.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ralc.beta import Beta
from ralc.beta.validation import Floats, as_floats, require, same_shape
from ralc.protocols import FINEST, Protocol

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
    vectors = [tokens(logprobs, f"token_logprobs[{index}]") for index, logprobs in enumerate(token_logprobs)]
    return Beta.fit_moments(np.array([np.exp(values.mean()) for values in vectors]), protocol=protocol)


def perplexity(token_logprobs: ArrayLike) -> Beta:
    """Confidence of one answer by its perplexity (Fomicheva et al. 2020): mean 1/perplexity, the geometric mean of
    its tokens' probabilities; concentration `OF_A_SCORE`.

    The mean token log-probability is the same signal on another scale. Parameters and errors as of
    `minimum_token_probability`.

    >>> perplexity(np.log([0.9, 0.4])).mean.round(6)
    np.float64(0.6)
    """
    return of_one_score(np.exp(tokens(token_logprobs).mean()))


def minimum_token_probability(token_logprobs: ArrayLike) -> Beta:
    """Confidence of one answer by its least likely token (Manakul et al. 2023, *SelfCheckGPT*: the maximum of
    -log p); concentration `OF_A_SCORE`.

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
    >>> minimum_token_probability(np.log([0.9, 0.4])).mean.round(6)
    np.float64(0.4)
    """
    return of_one_score(np.exp(tokens(token_logprobs).min()))


def sequence_probability(token_logprobs: ArrayLike) -> Beta:
    """Confidence of one answer by the probability of its whole text (Fadeeva et al. 2023, *LM-Polygraph*: maximum
    sequence probability, there of the greedy answer); concentration `OF_A_SCORE`.

    Long answers have small ones. Parameters and errors as of `minimum_token_probability`.

    >>> sequence_probability(np.log([0.9, 0.4])).mean.round(6)
    np.float64(0.36)
    """
    return of_one_score(np.exp(tokens(token_logprobs).sum()))


def by_sentence(
    answer: str,
    texts: Sequence[str | bytes],
    token_logprobs: ArrayLike,
    sentences: Sequence[tuple[int, int]],
) -> list[Floats]:
    """Return the log-probabilities of each sentence's own tokens, from which any signal of one answer is made.

    A token that reaches into two sentences is of both; what stands around the answer (white space, the end of the
    turn) is of none.

    Parameters
    ----------
    answer : str
        The answer.
    texts : list of str or bytes
        Its tokens as they are written (bytes where one may be a part of a letter).
    token_logprobs : array of shape (tokens,)
        Nats.
    sentences : list of (int, int)
        Where each begins and ends, in characters of the answer (`ralc.english.units.claim_units`).

    Raises
    ------
    ValueError
        If there are not as many log-probabilities as tokens, the tokens do not make the answer, a sentence has none,
        or a log-probability is above 0 or not a number.

    Examples
    --------
    >>> said = by_sentence("He sings. In Oslo.", ["He", " sings", ".", " In", " Oslo", "."],
    ...                    np.log([0.9, 0.4, 1, 0.8, 0.2, 1]), [(0, 9), (10, 18)])
    >>> [perplexity(own).mean.round(3) for own in said], [minimum_token_probability(own).mean.round(3) for own in said]
    ([np.float64(0.711), np.float64(0.543)], [np.float64(0.4), np.float64(0.2)])
    """
    values = tokens(token_logprobs)
    written = [text.encode() if isinstance(text, str) else text for text in texts]
    same_shape(values.shape, (len(written),), names="token_logprobs and texts")
    before = b"".join(written).find(answer.encode())
    if before < 0:
        raise ValueError(f"the tokens do not make the answer {answer!r:.80}")
    ends = np.cumsum([len(text) for text in written]) - before
    spans = [(len(answer[:start].encode()), len(answer[:end].encode())) for start, end in sentences]
    found = within(values, ends, spans)
    for (start, end), own in zip(sentences, found, strict=True):
        if not own.size:
            raise ValueError(f"no token stands in {answer[start:end]!r:.80}")
    return found


def within(token_logprobs: Floats, ends: ArrayLike, spans: Sequence[tuple[int, int]]) -> list[Floats]:
    """The log-probabilities of the tokens that reach into each span, from where tokens end.

    >>> within(np.array([-1.0, -2.0, -3.0]), [2, 5, 9], [(0, 4), (5, 9)])
    [array([-1., -2.]), array([-3.])]
    """
    high = np.asarray(ends, dtype=float)
    low = np.concatenate([[-np.inf], high[:-1]])
    return [token_logprobs[(low < end) & (high > start)] for start, end in spans]


def of_one_score(score: float) -> Beta:
    """The Beta of one score in [0, 1] of one answer: that mean, `FINEST` off the ends, concentration `OF_A_SCORE`.

    Token probabilities have no steps as readers' scores have, so the protocol's resolution has no part: kept within it,
    773 answers of GPT to MMLU, most of them above .99, lose .09 of their AUROC.
    """
    return Beta.from_mean_concentration(np.clip(score, FINEST, 1 - FINEST), OF_A_SCORE)


def tokens(logprobs: ArrayLike, name: str = "token_logprobs") -> Floats:
    """The log-probabilities of one answer's tokens, checked."""
    values = as_floats(logprobs, name)
    if values.ndim != 1 or not values.size:
        raise ValueError(f"{name} must be a vector of at least one token")
    return require(values, lambda v: v <= 0, name, "a log-probability <= 0")
