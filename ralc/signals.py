"""Confidence signals beside the words: token probability and semantic uncertainty (paper section 4.3)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ralc.beta import Beta
from ralc.beta.validation import Floats, as_floats, require
from ralc.protocols import Protocol, resolve


def token_probability(token_logprobs: Sequence[ArrayLike], protocol: str | Protocol = "ralc") -> Beta:
    """Beta of the length-normalised probabilities of the answers in the largest cluster (paper section 4.3).

    Parameters
    ----------
    token_logprobs : list, one entry a sample, of arrays of shape (tokens,)
        Log-probabilities in nats (<= 0) of the answer's tokens under the model's own distribution, before
        temperature, without the end-of-turn token.
    protocol : str or Protocol
        Its choices are those of `Beta.fit_moments`.

    Raises
    ------
    ValueError
        If there is no sample, a sample has no token, or a log-probability is above 0 or not a number.

    >>> token_probability([np.log([0.9, 0.9]), np.log([0.8])], protocol="paper").mean.round(6)
    np.float64(0.85)
    """
    if not len(token_logprobs):
        raise ValueError("token_logprobs must have at least one sample")
    scores = [_normalised(logprobs, index) for index, logprobs in enumerate(token_logprobs)]
    return Beta.fit_moments(np.array(scores), protocol=protocol)


def semantic_uncertainty(support: ArrayLike, samples: ArrayLike, protocol: str | Protocol = "ralc") -> Beta:
    """Beta of how many samples support the answer (paper section 4.3); broadcasts.

    Parameters
    ----------
    support : array_like of int
        Size m of the largest cluster, 0 <= m <= `samples`.
    samples : array_like of int
        Number N of samples, at least 1.
    protocol : str or Protocol
        Its choice ``semantic_uncertainty`` and the floor.

    Raises
    ------
    ValueError
        If a count is impossible, naming the first.

    >>> semantic_uncertainty(20, 20, protocol="paper")
    Beta(alpha=np.float64(20.0), beta=np.float64(1e-06))
    """
    protocol = resolve(protocol)
    n = require(
        as_floats(samples, "samples"), lambda v: (v >= 1) & (v == np.floor(v)), "samples", "a count >= 1"
    )
    m = require(
        as_floats(support, "support"), lambda v: (v >= 0) & (v == np.floor(v)), "support", "a count >= 0"
    )
    m, n = np.broadcast_arrays(m, n)
    require(m, lambda v: v <= n, "support", "at most samples")
    if protocol.semantic_uncertainty == "jeffreys":
        # DEVIATES from the paper's floor of 1e-6, where a unanimous wrong answer of 20 samples costs FD 264.
        return Beta(m + 0.5, n - m + 0.5)
    floor = 1.0 if protocol.semantic_uncertainty == "clamp" else protocol.parameter_floor
    return Beta(np.maximum(m, floor), np.maximum(n - m, floor))


def _normalised(logprobs: ArrayLike, index: int) -> Floats:
    """exp of the mean log-probability of one answer."""
    name = f"token_logprobs[{index}]"
    values = as_floats(logprobs, name)
    if values.ndim != 1 or not values.size:
        raise ValueError(f"{name} must be a vector of at least one token")
    require(values, lambda v: v <= 0, name, "a log-probability <= 0")
    return np.exp(values.mean())
