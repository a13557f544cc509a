"""Content preservation: word overlap by hand, and what a model of entailment is asked and answers."""

import numpy as np
import pandas as pd
import pytest

from ralc.lexicon import load_hedges
from ralc.llm import Response, from_table
from ralc.llm.tables import join, responses_table
from ralc.preservation import Content, EntailmentPreservation, OverlapPreservation, entailment_score, overlap
from tests.cases import cases

LISTED = load_hedges()
HEDGES = LISTED["expression"].tolist()
ENTRY = {"engine": "entailment", "model": "m"}


def tables(*pairs: tuple[str, str]) -> tuple[pd.DataFrame, ...]:
    """Answers (none), plan and rewrites with these pairs (original, rewrite)."""
    tasks = [str(number) for number in range(len(pairs))]
    plan = pd.DataFrame({"task": tasks, "text": [original for original, _ in pairs]})
    rewrites = pd.DataFrame({"task": tasks, "text": [rewrite for _, rewrite in pairs]})
    return pd.DataFrame(columns=["target", "question_id", "sentence", "prompt", "text"]), plan, rewrites


@cases
def test_overlap_by_hand(original, rewrite, expected):
    assert overlap([original], [rewrite], HEDGES)[0] == pytest.approx(expected)


def test_hedge_words_are_those_of_the_runs_lexicon():
    assert {"certain", "guess", "doubt"} <= Content(HEDGES).hedge_words
    # Not those of another lexicon: to a run without "perhaps" it is a word that was added.
    assert overlap(["It is Paris."], ["Perhaps it is Paris."], ["maybe"])[0] < 1


def test_score_keeps_each_pair_once_and_has_no_masses_by_overlap():
    pairs = [("Paris", rewrite) for rewrite in ("Perhaps Paris.", "Perhaps Paris.", "Rome")]
    scored = OverlapPreservation().result(*tables(*pairs), LISTED)
    assert scored["rewrite"].tolist() == ["Perhaps Paris.", "Rome"]
    assert scored["content_preservation"].tolist() == [1.0, 0.0]
    assert scored[["p_entail", "p_neutral", "p_contradict", "not_entailed"]].isna().all(axis=None)
    assert scored["meaning_changed"].tolist() == [0, 1]


def test_entailment_score_counts_half_of_neutral():
    masses = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.2, 0.6, 0.2]])
    assert entailment_score(masses).tolist() == pytest.approx([1.0, 0.5, 0.0, 0.5])


def test_both_directions_are_asked_and_masses_go_to_their_pair_the_longest_first():
    pairs = [("a", "b"), ("a", "b"), ("long", "long text")]
    judge = EntailmentPreservation()
    masses = {("a", "b"): (0.7, 0.2, 0.1), ("b", "a"): (0.1, 0.3, 0.6)}
    requests = judge.ask(*tables(*pairs), model=ENTRY)
    assert requests[["original", "direction"]].to_numpy().tolist() == [
        [text, way] for text in ("long", "a") for way in ("forth", "back")
    ]
    said = [
        Response(one.key, "neutral", "stop", alternatives=tuple(np.log(masses.get(turns, (0.9, 0.1, 1e-9)))))
        for one in from_table(requests)
        if (turns := tuple(turn["content"] for turn in one.messages))
    ]
    replies = join(requests, responses_table(said))
    scored = judge.result(*tables(*pairs), LISTED, replies)
    assert scored["original"].tolist() == ["a", "long"]
    np.testing.assert_allclose(scored["content_preservation"], [0.8, 0.95])
    np.testing.assert_allclose(scored["p_contradict_back"], [0.6, 1e-9])
    # It follows, but the other way round it is a contradiction.
    assert scored["not_entailed"].tolist() == [1, 0]
    lost = replies.assign(valid=replies.index > 0)
    with pytest.raises(ValueError, match="no answer to the pair 'long'"):
        judge.result(*tables(*pairs), LISTED, lost)
    with pytest.raises(ValueError, match="other pairs"):
        judge.result(*tables(("a", "e")), LISTED, replies)
    with pytest.raises(ValueError, match="there are no replies"):
        judge.result(*tables(*pairs), LISTED)
