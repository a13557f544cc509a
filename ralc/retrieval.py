"""Retrieval of the hedges nearest to a confidence (paper section 4.2, appendix D.1)."""

import numpy as np

from ralc.beta import Beta, require_beta
from ralc.beta.validation import Floats

_SLICE = 1024  # queries taken at once


def nearest_hedges(
    lexicon_confidence: Beta,
    confidence: Beta,
    *,
    k: int = 5,
    shortlist: int = 30,
    samples: int | None = None,
    rng: np.random.Generator | None = None,
) -> np.ndarray:
    """Return the indices of the `k` lexicon entries nearest to each query, nearest first; shape (n, k).

    The `shortlist` entries with the nearest means are ranked by 1-Wasserstein distance (paper section 4.2).
    Ties go to the lower index; equal queries are computed once.

    Parameters
    ----------
    lexicon_confidence : Beta of shape (entries,)
    confidence : Beta of shape (n,), or a single one, which gives indices of shape (k,)
    k, shortlist : int
        1 <= k <= shortlist; a lexicon shorter than the shortlist is ranked whole.
    samples : int, optional
        Estimate the distance from this many draws of each distribution by `rng` (the paper's way).

    Raises
    ------
    ValueError
        If `k` is below 1, above `shortlist` or above the number of entries.
    TypeError
        If one of the two confidences is no Beta.

    Examples
    --------
    >>> lexicon = Beta([1, 5, 9], [9, 5, 1])
    >>> nearest_hedges(lexicon, Beta([8, 2], [2, 8]), k=2)
    array([[2, 1],
           [0, 1]])
    """
    require_beta(confidence)
    if len(require_beta(lexicon_confidence, "lexicon_confidence").shape) != 1:
        raise ValueError(f"lexicon_confidence must be a vector: its shape is {lexicon_confidence.shape}")
    entries = len(lexicon_confidence)
    if not 1 <= k <= min(shortlist, entries):
        raise ValueError(
            f"k must be at least 1 and at most shortlist = {shortlist} and the {entries} entries: k = {k}"
        )
    if samples is not None and rng is None:
        raise ValueError("samples needs rng")
    pairs = np.column_stack([np.atleast_1d(confidence.alpha), np.atleast_1d(confidence.beta)])
    queries, query_of = np.unique(pairs, axis=0, return_inverse=True)
    nearest = np.empty((len(queries), k), dtype=np.intp)
    draws = None if samples is None else _sorted_draws(lexicon_confidence, samples, rng)
    for start in range(0, len(queries), _SLICE):
        part = Beta(*queries[start : start + _SLICE].T)
        gap = np.abs(part.mean[:, None] - lexicon_confidence.mean)
        # In index order, so that every later tie goes to the lower index.
        candidates = np.sort(np.argsort(gap, axis=1, kind="stable")[:, :shortlist], axis=1)
        if draws is None:
            distance = part[:, None].wasserstein_distance(lexicon_confidence[candidates])
        else:
            sample = _sorted_draws(part, samples, rng)
            distance = np.stack([np.abs(sample - draws[row]).mean(axis=1) for row in candidates.T], axis=1)
        order = np.argsort(distance, axis=1, kind="stable")[:, :k]
        nearest[start : start + _SLICE] = np.take_along_axis(candidates, order, axis=1)
    return nearest[query_of.ravel()].reshape(*confidence.shape, k)


def _sorted_draws(confidence: Beta, samples: int, rng: np.random.Generator) -> Floats:
    """Sorted draws of each distribution; (n, samples)."""
    draws = rng.beta(confidence.alpha[:, None], confidence.beta[:, None], size=(len(confidence), samples))
    return np.sort(draws, axis=1)
