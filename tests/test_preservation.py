"""Content preservation: word overlap by hand, and what a model of entailment is asked and answers."""

import numpy as np
import pandas as pd
import pytest

from ralc.lexicon import load_hedges
from ralc.llm import Response, from_table
from ralc.llm.tables import responses_table
from ralc.preservation import Content, entailment_score, overlap, render, score

HEDGES = load_hedges()["expression"].tolist()


@pytest.mark.parametrize(
    ("original", "rewrite", "expected"),
    [
        ("The capital of France is Paris.", "Perhaps the capital of France is Paris.", 1.0),
        ("The capital of France is Paris.", "I am fairly certain that the capital of France is Paris.", 1.0),
        ("Paris", "My best guess is that the answer is Paris.", 1.0),
        ("Paris", "Perhaps it is Lyon.", 0.0),
        # {capital, france, paris} against {capital, france}: 2 * 2 / 5.
        ("The capital of France is Paris.", "Perhaps the capital of France.", 0.8),
        # One added word: 2 * 3 / 7.
        ("The capital of France is Paris.", "The capital of France is Paris, darling.", 6 / 7),
        # A lost negation is lost content.
        ("The report is not accurate.", "Perhaps the report is accurate.", 0.8),
        ("The CAPITAL is Yaoundé!", "the capital is yaounde", 1.0),
    ],
)
def test_overlap_by_hand(original, rewrite, expected):
    assert overlap([original], [rewrite], HEDGES)[0] == pytest.approx(expected)


def test_overlap_of_texts_without_content_words_is_full():
    assert overlap(["", "It is."], ["", "that was"], HEDGES).tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("original", "rewrite"),
    [
        ("The answer is Paris.", "It is Paris."),
        ("I think it is Paris.", "It is Paris, without a doubt."),
        ("It is Paris.", "I am not sure, but it is Paris."),
    ],
)
def test_hedges_come_and_go_without_loss(original, rewrite):
    assert overlap([original], [rewrite], HEDGES)[0] == 1.0


def test_score_keeps_each_pair_once_and_has_no_masses_by_overlap():
    pairs = pd.DataFrame({"original": ["Paris"] * 3, "rewrite": ["Perhaps Paris.", "Perhaps Paris.", "Rome"]})
    scored = score(pairs, hedges=HEDGES)
    assert scored["rewrite"].tolist() == ["Perhaps Paris.", "Rome"]
    assert scored["content_preservation"].tolist() == [1.0, 0.0]
    assert scored[["p_entail", "p_neutral", "p_contradict", "not_entailed"]].isna().all(axis=None)
    assert scored["meaning_changed"].tolist() == [0, 1]


def test_score_names_what_is_wrong():
    pairs = pd.DataFrame({"original": ["a", None], "rewrite": ["b", "c"]})
    with pytest.raises(ValueError, match="original is missing in row 1"):
        score(pairs, hedges=HEDGES)
    with pytest.raises(ValueError, match="rewrite is missing in row 0"):
        render(pairs.iloc[::-1].rename(columns={"original": "rewrite", "rewrite": "original"}), ENTRY)


def test_entailment_score_counts_half_of_neutral():
    masses = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.2, 0.6, 0.2]])
    assert entailment_score(masses).tolist() == pytest.approx([1.0, 0.5, 0.0, 0.5])


ENTRY = {"engine": "entailment", "model": "m"}


def answered(requests, masses):
    """Responses whose masses are a function of premise and hypothesis."""
    found = {}
    for request in from_table(requests):
        given = masses(*(turn["content"] for turn in request.messages))
        found[request.key] = Response(request.key, "neutral", "stop", alternatives=tuple(np.log(given)))
    return responses_table(list(found.values()))


def test_both_directions_are_asked_of_each_distinct_pair_the_longest_first():
    pairs = pd.DataFrame({"original": ["a", "a", "long text"], "rewrite": ["b", "b", "longer text"]})
    requests = render(pairs, ENTRY)
    assert requests[["original", "direction"]].to_numpy().tolist() == [
        ["long text", "forth"],
        ["long text", "back"],
        ["a", "forth"],
        ["a", "back"],
    ]
    assert [[turn["content"] for turn in request.messages] for request in from_table(requests)[2:]] == [
        ["a", "b"],
        ["b", "a"],
    ]
    assert len(render(pairs[:0], ENTRY)) == 0


def test_masses_of_both_directions_go_to_their_pair():
    pairs = pd.DataFrame({"original": ["a", "same", "a"], "rewrite": ["b", "same", "b"]})
    masses = {("a", "b"): (0.7, 0.2, 0.1), ("b", "a"): (0.1, 0.3, 0.6), ("same", "same"): (0.9, 0.1, 1e-9)}
    requests = render(pairs, ENTRY)
    responses = answered(requests, lambda *texts: masses[texts])
    scored = score(pairs, hedges=HEDGES, requests=requests, responses=responses)
    assert scored["original"].tolist() == ["a", "same"]
    np.testing.assert_allclose(scored["content_preservation"], [0.8, 0.95])
    np.testing.assert_allclose(scored["p_contradict"], [0.1, 1e-9])
    np.testing.assert_allclose(scored["p_contradict_back"], [0.6, 1e-9])
    # It follows, but the other way round it is a contradiction.
    assert scored["not_entailed"].tolist() == [1, 0]


def test_answers_that_are_lacking_or_of_other_pairs_are_refused():
    pairs = pd.DataFrame({"original": ["a", "c"], "rewrite": ["b", "d"]})
    requests = render(pairs, ENTRY)
    responses = answered(requests, lambda *texts: (0.5, 0.25, 0.25))
    with pytest.raises(ValueError, match="0 of 1 answers"):
        score(pairs, hedges=HEDGES, requests=requests, responses=responses[:3])
    with pytest.raises(ValueError, match="no answer to the pair 'a'"):
        score(
            pairs,
            hedges=HEDGES,
            requests=requests,
            responses=responses.assign(valid=responses["key"] != responses["key"][0]),
        )
    with pytest.raises(ValueError, match="other pairs"):
        score(pairs.assign(rewrite="e"), hedges=HEDGES, requests=requests, responses=responses)


def test_hedge_words_are_those_of_the_runs_lexicon():
    assert {"certain", "guess", "doubt"} <= Content(HEDGES).hedge_words
    # Not those of another lexicon: to a run without "perhaps" it is a word that was added.
    assert overlap(["It is Paris."], ["Perhaps it is Paris."], ["maybe"])[0] < 1
    assert overlap(["It is Paris."], ["By my lights it is Paris."], ["by my lights"])[0] == 1
