"""Retrieval of hedges: the lexicon entries whose confidence is nearest to a signal (paper section 4.2)."""

from functools import lru_cache

import numpy as np
import scipy

from ralc.beta import Beta, require_beta
from ralc.beta.validation import Floats
from ralc.beta.wasserstein import cdf_and_integral

#: Nodes where distribution functions are compared before any distance is computed exactly.
_NODES = np.linspace(0, 1, 65)
#: Distances closer than this are compared by the exact formula.
_ROUNDING = 1e-12
#: Queries taken at once.
_SLICE = 1024


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
    The ranking is that of the exact distance: bounds on a grid decide where they can, the exact formula where
    they leave the order open. Ties go to the lower index; equal queries are computed once.

    Parameters
    ----------
    lexicon_confidence : Beta of shape (entries,)
    confidence : Beta of shape (n,), or a single one, which gives indices of shape (k,)
    k, shortlist : int
        1 <= k <= shortlist; a lexicon shorter than the shortlist is ranked whole.
    samples : int, optional
        Estimate the distance from this many draws of each distribution (the paper's way); needs `rng`.
    rng : numpy Generator, optional
        What the draws are made by.

    Raises
    ------
    ValueError
        If `k` is below 1, above `shortlist` or above the number of entries.
    TypeError
        If one of the two confidences is no Beta.

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
    cells = None if samples is None else _sorted_draws(lexicon_confidence, samples, rng)
    lexicon_nodes = _remembered(lexicon_confidence.alpha.tobytes(), lexicon_confidence.beta.tobytes())
    for start in range(0, len(queries), _SLICE):
        part = Beta(*queries[start : start + _SLICE].T)
        candidates = _nearest_means(lexicon_confidence.mean, part.mean, shortlist)
        if cells is None:
            order = _exact_order(lexicon_confidence, lexicon_nodes, part, candidates, k)
        else:
            order = _sampled_order(cells, _sorted_draws(part, samples, rng), candidates)[:, :k]
        found[start : start + _SLICE] = np.take_along_axis(candidates, order, axis=1)
    return found[back.ravel()].reshape(*confidence.shape, k)


def _nearest_means(lexicon_mean: Floats, mean: Floats, shortlist: int) -> np.ndarray:
    """The entries with the nearest means, in the order of their indices; (n, shortlist)."""
    gap = np.abs(mean[:, None] - lexicon_mean)
    # In index order, so that every later tie goes to the lower index.
    return np.sort(np.argsort(gap, axis=1, kind="stable")[:, :shortlist], axis=1)


def _exact_order(
    lexicon: Beta, nodes: tuple[Floats, Floats], queries: Beta, candidates: np.ndarray, k: int
) -> np.ndarray:
    """Positions of the k nearest of each row of candidates, by the exact distance."""
    low, high = _bounds(lexicon, nodes, queries, candidates)
    # Whatever cannot be among the first k is settled; so is what lies apart from all that could be beside it.
    contends = low <= np.partition(high, k - 1, axis=1)[:, k - 1 : k]
    by_low = np.argsort(low, axis=1, kind="stable")
    lows, highs = np.take_along_axis(low, by_low, 1), np.take_along_axis(high, by_low, 1)
    reach = np.maximum.accumulate(highs, axis=1)
    overlaps = np.zeros(low.shape, dtype=bool)
    overlaps[:, 1:] = lows[:, 1:] <= reach[:, :-1]
    overlaps[:, :-1] |= lows[:, 1:] <= highs[:, :-1]
    open_order = np.empty_like(overlaps)
    np.put_along_axis(open_order, by_low, overlaps, axis=1)
    row, column = np.nonzero(open_order & contends)
    distance = low
    distance[row, column] = queries[row].wasserstein_distance(lexicon[candidates[row, column]])
    return np.argsort(distance, axis=1, kind="stable")[:, :k]


def _bounds(
    lexicon: Beta, nodes: tuple[Floats, Floats], queries: Beta, candidates: np.ndarray
) -> tuple[Floats, Floats]:
    """Lower and upper bounds on the distance of each query to each of its candidates; (n, shortlist) each."""
    means = queries.mean[:, None] - lexicon.mean[candidates]
    low, high = np.abs(means), np.abs(means)
    wider = lexicon.alpha[candidates] - queries.alpha[:, None]
    crossing = wider * (lexicon.beta[candidates] - queries.beta[:, None]) > 0
    row, column = np.nonzero(crossing)
    if row.size:
        entry = candidates[row, column]
        # The less concentrated one's integrated distribution function less the other's rises, then falls.
        sign = np.where(wider[row, column] > 0, 1.0, -1.0)
        floor, peak = _hump(lexicon, nodes, queries, row, entry, sign)
        towards = sign * means[row, column]
        low[row, column] = np.maximum(low[row, column], 2 * floor + towards)
        high[row, column] = np.maximum(low[row, column], 2 * peak + towards)
    return low - _ROUNDING, high + _ROUNDING


def _hump(
    lexicon: Beta,
    nodes: tuple[Floats, Floats],
    queries: Beta,
    row: np.ndarray,
    entry: np.ndarray,
    sign: Floats,
) -> tuple[Floats, Floats]:
    """Bounds on the top of U = sign (A_query - A_entry), A an integrated distribution function; one a pair.

    The distance of a pair is 2 max U + sign (mu_query - mu_entry), so any node bounds it from below. The top
    lies in the cell on whose side U rises at the best node. Where U is concave in that cell (the density of
    the more concentrated one is the greater at both ends, hence between them) it lies under both tangents.
    """
    query_cdf, query_area = _at_nodes(queries)
    entry_cdf, entry_area = nodes
    best = (sign[:, None] * (query_area[row] - entry_area[entry])).argmax(axis=1)
    rising = sign * (query_cdf[row, best] - entry_cdf[entry, best]) > 0
    left = np.clip(np.where(rising, best, best - 1), 0, len(_NODES) - 2)
    width = _NODES[left + 1] - _NODES[left]
    height = [sign * (query_area[row, j] - entry_area[entry, j]) for j in (left, left + 1)]
    slope = [sign * (query_cdf[row, j] - entry_cdf[entry, j]) for j in (left, left + 1)]
    floor = np.maximum(*height)
    a, b = queries.alpha[row] - lexicon.alpha[entry], queries.beta[row] - lexicon.beta[entry]
    constant = _log_constant(lexicon)[entry] - _log_constant(queries)[row]
    concave = (slope[0] > 0) & (slope[1] < 0)
    for x in (_NODES[left], _NODES[left + 1]):
        # The logarithm of the ratio of the densities, query to entry.
        concave &= sign * (scipy.special.xlogy(a, x) + scipy.special.xlog1py(b, -x) + constant) < 0
    fall = np.where(concave, slope[0] - slope[1], 1.0)
    tangents = height[0] + slope[0] * (height[1] - height[0] - slope[1] * width) / fall
    # A distribution function lies in [0, 1], so U rises by the width of the cell at most.
    return floor, np.where(concave, np.maximum(tangents, floor), floor + width)


def _log_constant(confidence: Beta) -> Floats:
    """Logarithm of the normalising constant of each density."""
    return scipy.special.betaln(confidence.alpha, confidence.beta)


@lru_cache(maxsize=8)
def _remembered(alpha: bytes, beta: bytes) -> tuple[Floats, Floats]:
    """A lexicon at the nodes: a server asks of the same one again and again."""
    return _at_nodes(Beta(np.frombuffer(alpha), np.frombuffer(beta)))


def _at_nodes(confidence: Beta) -> tuple[Floats, Floats]:
    """Distribution functions and their integrals at the nodes; (n, nodes) each."""
    return cdf_and_integral(confidence.alpha[:, None], confidence.beta[:, None], _NODES)


def _sorted_draws(confidence: Beta, samples: int, rng: np.random.Generator) -> Floats:
    """Sorted draws of each distribution; (n, samples)."""
    drawn = rng.beta(confidence.alpha[:, None], confidence.beta[:, None], size=(len(confidence), samples))
    return np.sort(drawn, axis=1)


def _sampled_order(lexicon_draws: Floats, query_draws: Floats, candidates: np.ndarray) -> np.ndarray:
    """Positions of the candidates by the distance of the draws, nearest first."""
    distance = np.stack(
        [np.abs(query_draws - lexicon_draws[column]).mean(axis=1) for column in candidates.T], axis=1
    )
    return np.argsort(distance, axis=1, kind="stable")
