"""Retrieval of hedges."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ralc import Beta
from ralc.retrieval import nearest_hedges
from tests.cases import cases


def one_by_one(lexicon: Beta, query: Beta, k: int, shortlist: int) -> list[int]:
    """The nearest to one query, each distance by itself, ties by index."""
    near = sorted(range(len(lexicon)), key=lambda entry: (abs(query.mean - lexicon[entry].mean), entry))
    distance = {entry: query.wasserstein_distance(lexicon[entry]) for entry in near[:shortlist]}
    return sorted(distance, key=lambda entry: (distance[entry], entry))[:k]


@pytest.fixture
def lexicon(rng):
    mean = np.sort(rng.uniform(0.01, 0.99, 160))
    return Beta.from_mean_concentration(mean, 10 ** rng.uniform(0.3, 1.6, 160))


def test_the_nearest_are_those_of_the_area_between_the_distribution_functions(lexicon, rng):
    confidence = Beta.from_mean_concentration(rng.uniform(0.013, 0.987, 40), 10 ** rng.uniform(0.3, 2.7, 40))
    x = np.linspace(0, 1, 4001)
    of_lexicon, of_queries = (
        stats.beta.cdf(x, some.alpha[:, None], some.beta[:, None]) for some in (lexicon, confidence)
    )
    found = nearest_hedges(lexicon, confidence)
    for nearest, query, mean in zip(found, of_queries, confidence.mean, strict=True):
        shortlist = np.argsort(np.abs(mean - lexicon.mean), kind="stable")[:30]
        area = np.abs(of_lexicon[shortlist] - query).mean(axis=1)
        own = np.abs(of_lexicon[nearest] - query).mean(axis=1)
        np.testing.assert_allclose(own, np.sort(area)[:5], atol=1e-4)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_small_lexicons_with_ties(data):
    pairs = st.tuples(*[st.integers(1, 4).map(float)] * 2)
    entries = np.array(data.draw(st.lists(pairs, min_size=1, max_size=9)))
    queries = np.array(data.draw(st.lists(pairs, min_size=1, max_size=6)))
    lexicon = Beta(*entries.T)
    confidence = Beta(*queries.T)
    k = data.draw(st.integers(1, len(lexicon)))
    shortlist = data.draw(st.integers(k, 12))
    expected = [one_by_one(lexicon, query, k, shortlist) for query in confidence]
    np.testing.assert_array_equal(nearest_hedges(lexicon, confidence, k=k, shortlist=shortlist), expected)


def test_equal_queries_get_equal_hedges_and_the_order_does_not_matter(lexicon, rng):
    few = Beta(*rng.uniform(0.5, 30, (2, 7)))
    picks = rng.integers(0, 7, 5000)
    many = nearest_hedges(lexicon, few[picks])
    np.testing.assert_array_equal(many, nearest_hedges(lexicon, few)[picks])


def test_the_shortlist_is_by_the_mean_and_draws_rank_well_apart_entries_alike(rng):
    # The third is nearest by distance, but not among the two nearest means.
    lexicon = Beta.from_mean_concentration([0.5, 0.52, 0.55], [0.01, 0.01, 20])
    confidence = Beta.from_mean_concentration([0.5], [20])
    assert nearest_hedges(lexicon, confidence, k=1, shortlist=3).tolist() == [[2]]
    assert nearest_hedges(lexicon, confidence, k=1, shortlist=2).tolist() == [[0]]
    lexicon = Beta.from_mean_concentration([0.1, 0.3, 0.5, 0.7, 0.9], 20)
    confidence = Beta.from_mean_concentration([0.12, 0.66], 10)
    drawn = nearest_hedges(lexicon, confidence, k=2, samples=1000, rng=rng)
    np.testing.assert_array_equal(drawn, nearest_hedges(lexicon, confidence, k=2))


@cases
def test_bad_requests_are_refused(lexicon, how, message):
    with pytest.raises(ValueError, match=message):
        nearest_hedges(lexicon, Beta(1, 1), **{"shortlist": 200} | how)
