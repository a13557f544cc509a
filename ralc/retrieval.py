"""Retrieval of hedges: the lexicon entries whose confidence is nearest to a signal (paper section 4.2)."""

import numpy as np

from ralc.beta import Beta, require_beta
from ralc.beta.validation import Floats

#: Queries taken at once.
_SLICE = 1024
_FINE = 0.005  # means closer than that say the same


def as_said(confidence: Beta) -> Beta:
    """Return confidences told apart as finely as hedges can say: by half a per cent of the mean, a tenth of log k.

    >>> as_said(Beta([70.1, 70.0], [29.9, 30.0])).mean
    array([0.7, 0.7])
    """
    mean = np.clip(np.round(confidence.mean / _FINE), 0.5, 1 / _FINE - 0.5) * _FINE
    return Beta.from_mean_concentration(mean, np.exp(np.round(np.log(confidence.concentration), 1)))


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
    queries, back = np.unique(
        np.column_stack([np.atleast_1d(confidence.alpha), np.atleast_1d(confidence.beta)]),
        axis=0,
        return_inverse=True,
    )
    shortlist = min(shortlist, entries)
    found = np.empty((len(queries), k), dtype=np.intp)
    drawn = None if samples is None else _sorted_draws(lexicon_confidence, samples, rng)
    for start in range(0, len(queries), _SLICE):
        part = Beta(*queries[start : start + _SLICE].T)
        candidates = _nearest_means(lexicon_confidence.mean, part.mean, shortlist)
        if drawn is None:
            distance = part[:, None].wasserstein_distance(lexicon_confidence[candidates])
        else:
            distance = _drawn_distance(drawn, _sorted_draws(part, samples, rng), candidates)
        order = np.argsort(distance, axis=1, kind="stable")[:, :k]
        found[start : start + _SLICE] = np.take_along_axis(candidates, order, axis=1)
    return found[back.ravel()].reshape(*confidence.shape, k)


def _nearest_means(lexicon_mean: Floats, mean: Floats, shortlist: int) -> np.ndarray:
    """The entries with the nearest means, in the order of their indices; (n, shortlist)."""
    gap = np.abs(mean[:, None] - lexicon_mean)
    # In index order, so that every later tie goes to the lower index.
    return np.sort(np.argsort(gap, axis=1, kind="stable")[:, :shortlist], axis=1)


def _sorted_draws(confidence: Beta, samples: int, rng: np.random.Generator) -> Floats:
    """Sorted draws of each distribution; (n, samples)."""
    drawn = rng.beta(confidence.alpha[:, None], confidence.beta[:, None], size=(len(confidence), samples))
    return np.sort(drawn, axis=1)


def _drawn_distance(lexicon_draws: Floats, query_draws: Floats, candidates: np.ndarray) -> Floats:
    """The distance of the draws of each query to those of each of its candidates; (n, shortlist)."""
    return np.stack(
        [np.abs(query_draws - lexicon_draws[column]).mean(axis=1) for column in candidates.T], axis=1
    )
