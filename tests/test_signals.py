"""Signals beside the words."""

import numpy as np
import pytest

from ralc import Beta, metrics
from ralc.signals import semantic_uncertainty, token_probability


def test_token_probability_is_the_geometric_mean_of_each_answer():
    answers = [np.log([0.9, 0.4]), np.log([0.6]), np.log([0.5, 0.5, 0.5])]
    expected = Beta.fit_moments([0.6, 0.6, 0.5], protocol="paper")
    found = token_probability(answers, protocol="paper")
    assert found.alpha == pytest.approx(expected.alpha, rel=1e-9)
    assert found.beta == pytest.approx(expected.beta, rel=1e-9)


def test_one_answer_and_certain_tokens():
    assert token_probability([[np.log(0.5)]]).concentration == 1
    assert token_probability([[0.0, 0.0]] * 20, protocol="paper").beta == 1e-6
    assert token_probability([[-np.inf]]).mean == pytest.approx(0.0125)


@pytest.mark.parametrize(
    ("logprobs", "message"),
    [
        ([], "at least one sample"),
        ([[-0.1], []], r"token_logprobs\[1\] must be a vector of at least one token"),
        ([[-0.1, 0.2]], r"token_logprobs\[0\]\[1\] = 0.2"),
        ([[-0.1], [np.nan]], r"token_logprobs\[1\]\[0\] = nan"),
    ],
)
def test_bad_logprobs_are_named(logprobs, message):
    with pytest.raises(ValueError, match=message):
        token_probability(logprobs)


@pytest.mark.parametrize(
    ("protocol", "alpha", "beta"),
    [("ralc", 20.5, 0.5), ("paper", 20.0, 1e-6), ("authors", 20.0, 1.0)],
)
def test_a_unanimous_cluster(protocol, alpha, beta):
    found = semantic_uncertainty(20, 20, protocol=protocol)
    assert (found.alpha, found.beta) == (alpha, beta)


def test_what_a_unanimous_wrong_answer_costs():
    cost = [
        metrics.faithfulness_divergence(0, semantic_uncertainty(20, 20, protocol=protocol))
        for protocol in ("paper", "authors", "ralc")
    ]
    assert cost[0] > 200
    assert cost[1] == pytest.approx(8.4, abs=0.05)
    assert cost[2] < 25


def test_counts_broadcast_and_inside_all_but_ralc_agree():
    found = semantic_uncertainty([3, 7], 10, protocol="paper")
    np.testing.assert_array_equal(found.alpha, [3, 7])
    np.testing.assert_array_equal(found.beta, semantic_uncertainty([3, 7], 10, protocol="authors").beta)


@pytest.mark.parametrize(
    ("support", "samples", "message"),
    [
        ([3, 11], 10, r"support must be at most samples: support\[1\] = 11.0"),
        (-1, 10, "support must be a count >= 0"),
        (2.5, 10, "support must be a count >= 0"),
        (0, 0, "samples must be a count >= 1"),
    ],
)
def test_impossible_counts_are_named(support, samples, message):
    with pytest.raises(ValueError, match=message):
        semantic_uncertainty(support, samples)
