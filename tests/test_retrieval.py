"""Retrieval of hedges."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ralc import Beta
from ralc.retrieval import nearest_hedges


def by_brute_force(lexicon: Beta, confidence: Beta, k: int, shortlist: int) -> np.ndarray:
    """Every distance exactly, ties by index."""
    candidates = np.argsort(np.abs(confidence.mean[:, None] - lexicon.mean), axis=1, kind="stable")
    candidates = np.sort(candidates[:, :shortlist], axis=1)
    queries = Beta(confidence.alpha[:, None], confidence.beta[:, None])
    order = np.argsort(queries.wasserstein_distance(lexicon[candidates]), axis=1, kind="stable")
    return np.take_along_axis(candidates, order[:, :k], axis=1)


@pytest.fixture
def lexicon(rng):
    return Beta.from_mean_concentration(
        np.sort(rng.uniform(0.01, 0.99, 160)), 10 ** rng.uniform(0.3, 1.6, 160)
    )


@pytest.mark.parametrize("kind", ["ordinary", "firm", "vague", "wild", "same_concentration"])
def test_the_ranking_is_that_of_the_exact_distance(kind, lexicon, rng):
    n = 300 if kind == "firm" else 1500
    mean = rng.uniform(0.013, 0.987, n)
    confidence = {
        "ordinary": lambda: Beta.from_mean_concentration(mean, 10 ** rng.uniform(-1, 2.7, n)),
        "firm": lambda: Beta.from_mean_concentration(mean, 10 ** rng.uniform(3, 9, n)),
        "vague": lambda: Beta.from_mean_concentration(mean, 10 ** rng.uniform(-6, -1, n)),
        "wild": lambda: Beta(*10 ** rng.uniform(-6, 6, (2, n))),
        "same_concentration": lambda: Beta.from_mean_concentration(mean, 21),
    }[kind]()
    expected = by_brute_force(lexicon, confidence, 5, 30)
    np.testing.assert_array_equal(nearest_hedges(lexicon, confidence), expected)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_small_lexicons_with_ties(data):
    parameters = st.integers(1, 4).map(float)
    pairs = st.tuples(parameters, parameters)
    entries = np.array(data.draw(st.lists(pairs, min_size=1, max_size=9)))
    queries = np.array(data.draw(st.lists(pairs, min_size=1, max_size=6)))
    lexicon, confidence = Beta(*entries.T), Beta(*queries.T)
    k = data.draw(st.integers(1, len(lexicon)))
    shortlist = data.draw(st.integers(k, 12))
    expected = by_brute_force(lexicon, confidence, k, shortlist)
    np.testing.assert_array_equal(nearest_hedges(lexicon, confidence, k=k, shortlist=shortlist), expected)


def test_equal_entries_come_in_the_order_of_the_lexicon():
    lexicon = Beta([2, 5, 5, 5], [2, 3, 3, 3])
    assert nearest_hedges(lexicon, Beta(50, 30), k=3).tolist() == [1, 2, 3]


def test_equal_queries_get_equal_hedges_and_the_order_does_not_matter(lexicon, rng):
    few = Beta(*rng.uniform(0.5, 30, (2, 7)))
    picks = rng.integers(0, 7, 5000)
    many = nearest_hedges(lexicon, few[picks])
    np.testing.assert_array_equal(many, nearest_hedges(lexicon, few)[picks])


def test_a_single_query_gives_a_vector(lexicon):
    assert nearest_hedges(lexicon, Beta(3, 1), k=2).shape == (2,)


def test_the_shortlist_is_by_the_mean():
    # The third is nearest by distance, but not among the two nearest means.
    lexicon = Beta.from_mean_concentration([0.5, 0.52, 0.55], [0.01, 0.01, 20])
    confidence = Beta.from_mean_concentration([0.5], [20])
    assert nearest_hedges(lexicon, confidence, k=1, shortlist=3).tolist() == [[2]]
    assert nearest_hedges(lexicon, confidence, k=1, shortlist=2).tolist() == [[0]]


def test_sampled_distances_rank_well_apart_entries_alike(rng):
    lexicon = Beta.from_mean_concentration([0.1, 0.3, 0.5, 0.7, 0.9], 20)
    confidence = Beta.from_mean_concentration([0.12, 0.66], 10)
    exact = nearest_hedges(lexicon, confidence, k=2)
    sampled = nearest_hedges(lexicon, confidence, k=2, samples=1000, rng=rng)
    np.testing.assert_array_equal(sampled, exact)


def test_bad_requests_are_refused(lexicon, rng):
    with pytest.raises(ValueError, match="k must be at least 1"):
        nearest_hedges(lexicon, Beta(1, 1), k=0)
    with pytest.raises(ValueError, match="shortlist = 4"):
        nearest_hedges(lexicon, Beta(1, 1), k=5, shortlist=4)
    with pytest.raises(ValueError, match="the 2 entries: k = 3"):
        nearest_hedges(lexicon[:2], Beta(1, 1), k=3)
    with pytest.raises(ValueError, match="samples needs rng"):
        nearest_hedges(lexicon, Beta(1, 1), samples=100)
    with pytest.raises(ValueError, match="must be a vector"):
        nearest_hedges(Beta(1, 1), Beta(1, 1))
