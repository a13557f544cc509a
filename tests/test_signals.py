"""Signals beside the words."""

import numpy as np
import pytest

from ralc import Beta, metrics
from ralc.names import SIGNALS
from ralc.signals import (
    OF_ANSWERS,
    Answers,
    by_sentence,
    cluster_count,
    degree,
    discrete_semantic_entropy,
    eccentricity,
    first_token_entropy,
    first_token_margin,
    jaccard,
    minimum_token_probability,
    of_answers,
    p_true,
    perplexity,
    semantic_entropy,
    semantic_uncertainty,
    sequence_probability,
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


ONE_ANSWER = [perplexity, minimum_token_probability, sequence_probability]
#: Two say Oslo, one Bergen; the third is twice as likely as each of the others.
OSLO = Answers(
    ["Oslo.", "It is Oslo", "Bergen!"],
    [0, 0, 1],
    [np.log([0.25]), np.log([0.25]), np.log([0.5])],
    alternatives=[np.log([0.25, 0.125, 0.125]), None, np.log([0.5])],
)


@pytest.mark.parametrize(
    ("signal", "mean"), [(perplexity, 0.4), (minimum_token_probability, 0.2), (sequence_probability, 0.16)]
)
def test_one_answer_by_its_tokens(signal, mean):
    found = signal(np.log([0.2, 0.8]))
    assert found.mean == pytest.approx(mean)
    assert found.concentration == 20


@pytest.mark.parametrize("signal", ONE_ANSWER)
def test_one_answer_of_certain_and_of_impossible_tokens_stays_inside(signal):
    assert signal([0.0, 0.0]).mean == pytest.approx(1 - 1e-6, abs=1e-12)
    assert signal([-np.inf, 0.0]).mean == 1e-6
    assert signal([-2e-5]).mean < signal([-1e-5]).mean  # finer than a reader's steps
    with pytest.raises(ValueError, match="token_logprobs must be a vector of at least one token"):
        signal([])
    with pytest.raises(ValueError, match=r"token_logprobs\[1\] = 0.1"):
        signal([0.0, 0.1])


def test_agreement_by_hand():
    assert cluster_count([0, 0, 1, 2]).mean == pytest.approx(1 / 3)
    # H = -(3/4 ln 3/4 + 1/4 ln 1/4) = .5623 of ln 4 = 1.3863
    assert discrete_semantic_entropy([5, 5, 7, 5]).mean == pytest.approx(1 - 0.562335 / 1.386294, abs=1e-6)
    # Each meaning has half of the probability, of three answers: H = ln 2 of ln 3.
    assert semantic_entropy(OSLO.clusters, OSLO.token_logprobs).mean == pytest.approx(
        1 - np.log(2) / np.log(3)
    )
    assert {signal([0] * 4).concentration for signal in (cluster_count, discrete_semantic_entropy)} == {4}


def test_semantic_entropy_of_equal_probabilities_is_the_discrete_one():
    clusters = [0, 1, 1, 2, 2, 2]
    assert semantic_entropy(clusters, [np.log([0.3, 0.3])] * 6).mean == pytest.approx(
        discrete_semantic_entropy(clusters).mean
    )
    assert semantic_entropy([0, 1], [[-np.inf]] * 2).mean == 0.0125


@pytest.mark.parametrize("signal", [cluster_count, discrete_semantic_entropy])
def test_agreement_does_not_know_the_names_of_clusters_and_needs_two_answers(signal):
    assert signal([0, 0, 1, 0, 2]).mean == signal([9, 4, 4, 1, 4]).mean
    assert (signal([3, 3]).mean, signal([3, 4]).mean) == (1 - 0.0125, 0.0125)
    with pytest.raises(ValueError, match="1 answers; agreement needs at least two"):
        signal([0])


def test_similar_answers_by_hand():
    similarity = jaccard(OSLO.texts)
    np.testing.assert_allclose(similarity, [[1, 1 / 3, 0], [1 / 3, 1, 0], [0, 0, 1]])
    assert degree(similarity).mean == pytest.approx(4 / 9)
    assert degree(similarity, 2).mean == pytest.approx(1 / 3)
    # The Laplacian has two eigenvectors of value 0: (1, 1, 0) / sqrt 2 and (0, 0, 1); its third value is .5, with
    # (1, -1, 0) / sqrt 2. All three are kept, so the rows are those of a rotation: each sqrt(2/3) from their centre.
    assert eccentricity(similarity).mean == pytest.approx(1 - np.sqrt(2 / 3))


def test_the_odd_one_out_is_farther_from_the_centre():
    similarity = jaccard(["in Oslo"] * 6 + ["Bergen"])
    assert eccentricity(similarity, 6).mean < eccentricity(similarity, 0).mean
    assert eccentricity(similarity, 0).mean == pytest.approx(eccentricity(similarity[::-1, ::-1], 1).mean)


@pytest.mark.parametrize(
    ("similarity", "message"),
    [
        (np.ones((1, 1)), "at least two answers"),
        ([[1, 0.2], [0.3, 1]], "symmetric"),
        ([[1, 2], [2, 1]], r"similarity\[0, 1\] = 2.0"),
        ([[0.5, 0], [0, 1]], "1 of an answer with itself"),
    ],
)
def test_no_matrix_of_similarities(similarity, message):
    with pytest.raises(ValueError, match=message):
        degree(np.asarray(similarity))


def test_alternatives_by_hand():
    # H = 1.5 ln 2 of ln 4 = 2 ln 2
    assert first_token_entropy(np.log([0.25, 0.125, 0.125, 1e-300])).mean == pytest.approx(0.25)
    assert first_token_margin(np.log([0.25, 0.125, 0.125])).mean == pytest.approx(0.25)
    assert p_true(np.log(0.06), np.log(0.02)).mean == pytest.approx(0.75)
    assert p_true(0.0, -np.inf).mean == pytest.approx(1 - 1e-6, abs=1e-12)
    with pytest.raises(ValueError, match="at least two, one with a probability"):
        first_token_entropy([-np.inf, -np.inf])
    with pytest.raises(ValueError, match=r"alternatives\[1\] = 0.5"):
        first_token_margin([-1.0, 0.5])


def test_every_signal_of_answers_is_declared_and_says_truly_what_it_needs():
    assert set(OF_ANSWERS) == set(SIGNALS) - {"linguistic_confidence", "p_true"}
    bare = OSLO._replace(token_logprobs=[None] * 3, alternatives=())
    for name in OF_ANSWERS:
        assert 0 < of_answers(name, OSLO).mean < 1
        assert (of_answers(name, bare) is None) == bool(SIGNALS[name].logprobs)
        alone = of_answers(name, OSLO.first(1))
        assert (alone is None or alone.mean == 0.75) == SIGNALS[
            name
        ].compares  # 3/4: one of one, whatever it says
    assert of_answers("perplexity", OSLO).mean == pytest.approx(
        0.25
    )  # of the original, the first of the largest


def test_of_equal_clusters_the_first_to_come_is_the_original():
    assert OSLO._replace(clusters=[4, 2, 2]).members == (1, 2)
    assert OSLO.first(2)._replace(clusters=[4, 2]).members == (0,)


def test_the_tokens_of_a_sentence_are_its_own_by_hand():
    # Read as bytes: "ø" is of two tokens; " born" leads into the second sentence, "?\n\nHe" is of the second and third.
    answer = "Bjørn sings. Was he born in 1956?\n\nHe was."
    texts = [
        b" ",
        "Bj",
        b"\xc3",
        b"\xb8",
        "rn",
        " sings",
        ".",
        " Was he",
        " born",
        " in 1956",
        "?\n\nHe",
        " was",
        ".",
        "<end>",
    ]
    logprobs = -np.arange(14.0)
    sentences = [(0, 12), (13, 33), (35, 42)]
    assert [answer[start:end] for start, end in sentences] == [
        "Bjørn sings.",
        "Was he born in 1956?",
        "He was.",
    ]
    found = by_sentence(answer, texts, logprobs, sentences)
    assert [own.tolist() for own in found] == [[-1, -2, -3, -4, -5, -6], [-7, -8, -9, -10], [-10, -11, -12]]
    assert [perplexity(own).mean for own in found[1:]] == pytest.approx(np.exp([-8.5, -11]))
    whole = by_sentence(answer, texts, logprobs, [(0, len(answer))])
    assert whole[0].tolist() == logprobs[1:13].tolist()


@pytest.mark.parametrize(
    ("texts", "logprobs", "sentences", "message"),
    [
        (["It is", " Oslo"], [-1.0], [(0, 5)], "token_logprobs and texts"),
        (["It is", " Rome"], [-1.0, -1.0], [(0, 5)], "do not make the answer 'It is Oslo'"),
        (["It is", " Oslo"], [-1.0, -1.0], [(5, 5)], "no token stands in ''"),
        (["It is", " Oslo"], [-1.0, 0.5], [(0, 5)], r"token_logprobs\[1\] = 0.5"),
    ],
)
def test_tokens_that_are_not_those_of_the_answer_are_refused(texts, logprobs, sentences, message):
    with pytest.raises(ValueError, match=message):
        by_sentence("It is Oslo", texts, logprobs, sentences)
