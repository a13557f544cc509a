"""Signals beside the words, by hand and at their limits."""

import numpy as np
import pytest

from ralc import Beta, metrics, signals
from ralc.registry import SIGNALS
from ralc.signals import (
    OF_ANSWERS,
    Answers,
    covered,
    discrete_semantic_entropy,
    minimum_token_probability,
    of_answers,
    of_own_tokens,
    perplexity,
    semantic_uncertainty,
    support,
    support_if_mentioned,
    token_probability,
)
from tests.cases import cases

#: Two say Oslo, one Bergen; the third is twice as likely as each of the others.
OSLO = Answers(["Oslo.", "It is Oslo", "Bergen!"], [0, 0, 1], [np.log([0.25]), np.log([0.25]), np.log([0.5])])
BIRTH = "He was born in Los Angeles on August 24, 1956."


def test_token_probability_is_the_geometric_mean_of_each_answer():
    answers = [np.log([0.9, 0.4]), np.log([0.6]), np.log([0.5, 0.5, 0.5])]
    expected = Beta.fit_moments([0.6, 0.6, 0.5], protocol="paper")
    found = token_probability(answers, protocol="paper")
    assert found.alpha == pytest.approx(expected.alpha)
    assert found.beta == pytest.approx(expected.beta)
    assert token_probability([[np.log(0.5)]]).concentration == 1
    assert token_probability([[0.0, 0.0]] * 20, protocol="paper").beta == 1e-6
    assert token_probability([[-np.inf]]).mean == pytest.approx(0.0125)


def test_the_least_token_of_each_answer_decides():
    logprobs = [np.log([0.9, 0.2, 0.8]), np.log([0.6, 1.0])]
    found = minimum_token_probability(logprobs)
    assert found.mean == pytest.approx(0.4)
    assert found.concentration == pytest.approx(Beta.fit_moments([0.2, 0.6]).concentration)
    longer = [np.append(logprobs[0], np.log([0.3, 0.9])), logprobs[1]]
    assert minimum_token_probability(longer).mean == found.mean
    one = [np.log([0.7])]
    assert minimum_token_probability(one).mean == pytest.approx(token_probability(one).mean)
    assert of_answers("minimum_token_probability", OSLO).mean <= of_answers("token_probability", OSLO).mean


def test_perplexity_by_hand_and_at_the_limits():
    found = perplexity(np.log([0.2, 0.8]))
    assert found.mean == pytest.approx(0.4)
    assert found.concentration == 20
    assert perplexity([0.0, 0.0]).mean == pytest.approx(1 - 1e-6, abs=1e-12)
    assert perplexity([-np.inf, 0.0]).mean == 1e-6
    assert perplexity([-2e-5]).mean < perplexity([-1e-5]).mean  # finer than an evaluator's steps


@cases
def test_a_unanimous_cluster_and_what_it_costs_where_it_is_wrong(protocol, beta, cost):
    found = semantic_uncertainty(20, 20, protocol=protocol)
    assert found.alpha == (20.5 if protocol == "ralc" else 20.0)
    assert found.beta == beta
    assert metrics.faithfulness_divergence(0, found) == pytest.approx(cost, rel=0.01)


def test_counts_broadcast_and_inside_all_but_ralc_agree():
    found = semantic_uncertainty([3, 7], 10, protocol="paper")
    np.testing.assert_array_equal(found.alpha, [3, 7])
    np.testing.assert_array_equal(found.beta, semantic_uncertainty([3, 7], 10, protocol="authors").beta)


def test_discrete_semantic_entropy_by_hand_and_whatever_clusters_are_called():
    # H = -(3/4 ln 3/4 + 1/4 ln 1/4) = 0.5623 of ln 4 = 1.3863
    found = discrete_semantic_entropy([5, 5, 7, 5])
    assert found.mean == pytest.approx(1 - 0.562335 / 1.386294, abs=1e-6)
    assert found.concentration == 4
    assert discrete_semantic_entropy([0, 0, 1, 0, 2]).mean == discrete_semantic_entropy([9, 4, 4, 1, 4]).mean
    assert discrete_semantic_entropy([3, 3]).mean == 1 - discrete_semantic_entropy([3, 4]).mean == 1 - 0.0125


def test_what_other_answers_say_of_a_sentence_by_hand():
    # born 1, Los, Angeles, August 2 each, 24 and 1956 3 each: 13 in all.
    said = covered(BIRTH, ["He was born in 1956.", "August in Los Angeles", "Nothing.", BIRTH])
    assert said == pytest.approx([4 / 13, 6 / 13, 0, 1])
    bio = "Tell me a bio of Doug Sheehan."
    assert covered("Doug Sheehan is an actor.", ["Doug Sheehan sings."], bio) == [0]
    assert covered("She directed documentaries.", ["a documentary, which she was directing"]) == [1]
    assert covered(BIRTH, []).shape == (0,)


def test_support_is_counted_with_half_an_answer_on_either_side():
    made = support([[1, 1, 0], [0.5, 0, 0], [0, 0, 0]])
    assert made.alpha.tolist() == [2.5, 1, 0.5]
    assert made.concentration.tolist() == [4, 4, 4]
    assert support(np.empty((1, 0))).mean.tolist() == [0.5]
    spoken = support_if_mentioned([[1, 0], [0, 0], [0.24, 0.25]])
    assert spoken.mean.tolist() == pytest.approx([0.75, 0.5, 0.375])
    assert spoken.concentration.tolist() == [2, 1, 2]


@cases
def test_what_is_impossible_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        eval(call, {"signals": signals, "np": np})


def test_every_signal_of_answers_is_declared_and_says_truly_what_it_needs():
    alone = {name for name, signal in SIGNALS.items() if signal.needs_extra_call}
    assert set(OF_ANSWERS) == set(SIGNALS) - alone - {"linguistic_confidence"}
    bare = OSLO._replace(token_logprobs=[None] * 3)
    alone = Answers(["Oslo."], [0], [np.log([0.25])])
    for name in OF_ANSWERS:
        assert 0 < of_answers(name, OSLO).mean < 1
        assert (of_answers(name, bare) is None) == bool(SIGNALS[name].logprobs)
        made = of_answers(name, alone)  # 3/4: one of one, whatever it says
        assert (made is None or made.mean == 0.75) == SIGNALS[name].needs_samples
    # Of the original, the first of the largest cluster.
    assert of_answers("perplexity", OSLO).mean == pytest.approx(0.25)
    assert OSLO._replace(clusters=[4, 2, 2]).members == (1, 2)
    assert Answers(OSLO.texts[:2], [4, 2], [None] * 2).members == (0,)


def test_a_token_that_reaches_into_two_sentences_is_of_both():
    answers = Answers(["He sings. In Oslo."], [0], [-np.arange(1.0, 5.0)], token_ends=[[2, 11, 16, 18]])
    first, second = (of_own_tokens("perplexity", answers, span) for span in [(0, 9), (10, 18)])
    assert first.mean == pytest.approx(np.exp(-1.5))
    assert second.mean == pytest.approx(np.exp(-3))
    unknown = answers._replace(token_ends=())
    assert of_own_tokens("perplexity", unknown, (0, 9)).mean == pytest.approx(np.exp(-2.5))
