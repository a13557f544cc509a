"""Signals beside the words."""

import numpy as np
import pytest

from ralc import Beta, metrics
from ralc.registry import SIGNALS
from ralc.signals import (
    OF_ANSWERS,
    Answers,
    discrete_semantic_entropy,
    of_answers,
    of_own_tokens,
    p_true,
    perplexity,
    semantic_uncertainty,
    token_probability,
)


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


#: Two say Oslo, one Bergen; the third is twice as likely as each of the others.
OSLO = Answers(["Oslo.", "It is Oslo", "Bergen!"], [0, 0, 1], [np.log([0.25]), np.log([0.25]), np.log([0.5])])


def test_perplexity_by_hand_and_at_the_limits():
    found = perplexity(np.log([0.2, 0.8]))
    assert (found.mean, found.concentration) == (pytest.approx(0.4), 20)
    assert perplexity([0.0, 0.0]).mean == pytest.approx(1 - 1e-6, abs=1e-12)
    assert perplexity([-np.inf, 0.0]).mean == 1e-6
    assert perplexity([-2e-5]).mean < perplexity([-1e-5]).mean  # finer than an evaluator's steps
    with pytest.raises(ValueError, match="token_logprobs must be a vector of at least one token"):
        perplexity([])
    with pytest.raises(ValueError, match=r"token_logprobs\[1\] = 0.1"):
        perplexity([0.0, 0.1])


def test_discrete_semantic_entropy_by_hand_and_whatever_clusters_are_called():
    # H = -(3/4 ln 3/4 + 1/4 ln 1/4) = .5623 of ln 4 = 1.3863
    found = discrete_semantic_entropy([5, 5, 7, 5])
    assert (found.mean, found.concentration) == (pytest.approx(1 - 0.562335 / 1.386294, abs=1e-6), 4)
    assert discrete_semantic_entropy([0, 0, 1, 0, 2]).mean == discrete_semantic_entropy([9, 4, 4, 1, 4]).mean
    assert discrete_semantic_entropy([3, 3]).mean == 1 - discrete_semantic_entropy([3, 4]).mean == 1 - 0.0125
    with pytest.raises(ValueError, match="1 answers; agreement needs at least two"):
        discrete_semantic_entropy([0])


def test_p_true_by_hand():
    assert p_true(np.log(0.06), np.log(0.02)).mean == pytest.approx(0.75)
    assert p_true(0.0, -np.inf).mean == pytest.approx(1 - 1e-6, abs=1e-12)
    with pytest.raises(ValueError, match="neither has a probability"):
        p_true(-np.inf, -np.inf)
    with pytest.raises(ValueError, match=r"true and false\[1\] = 0.5"):
        p_true(-1.0, 0.5)


def test_every_signal_of_answers_is_declared_and_says_truly_what_it_needs():
    assert set(OF_ANSWERS) == set(SIGNALS) - {"linguistic_confidence", "p_true"}
    bare = OSLO._replace(token_logprobs=[None] * 3)
    alone = Answers(["Oslo."], [0], [np.log([0.25])])
    for name in OF_ANSWERS:
        assert 0 < of_answers(name, OSLO).mean < 1
        assert (of_answers(name, bare) is None) == bool(SIGNALS[name].logprobs)
        made = of_answers(name, alone)  # 3/4: one of one, whatever it says
        assert (made is None or made.mean == 0.75) == SIGNALS[name].compares
    # Of the original, the first of the largest cluster.
    assert of_answers("perplexity", OSLO).mean == pytest.approx(0.25)


def test_of_equal_clusters_the_first_to_come_is_the_original():
    assert OSLO._replace(clusters=[4, 2, 2]).members == (1, 2)
    assert Answers(OSLO.texts[:2], [4, 2], [None] * 2).members == (0,)


def test_a_token_that_reaches_into_two_sentences_is_of_both():
    answers = Answers(["He sings. In Oslo."], [0], [-np.arange(1.0, 5.0)], token_ends=[[2, 11, 16, 18]])
    first, second = (of_own_tokens("perplexity", answers, span) for span in [(0, 9), (10, 18)])
    assert (first.mean, second.mean) == (pytest.approx(np.exp(-1.5)), pytest.approx(np.exp(-3)))
    unknown = answers._replace(token_ends=())
    assert of_own_tokens("perplexity", unknown, (0, 9)).mean == pytest.approx(np.exp(-2.5))
