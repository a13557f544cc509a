"""The evaluators: interface, the hand-written pairs, independence of content, odd input, sentences of long answers."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ralc import Beta
from ralc.english import sentences
from ralc.evaluators import Ensemble, load
from ralc.evaluators.ensemble import parse_score
from ralc.llm import from_table
from ralc.protocols import resolve
from tests.cases import cases

SUITE = Path(__file__).parent / "data" / "evaluator_suite.csv"
CONTENTS = [
    "the capital of France is Paris",
    "iron melts at 1538 degrees",
    "the number of people living in Fuyang is 1.8 million",
    "Ōsaka is large",
]
#: Openers from the most confident down, neighbours perhaps as one; no study has most of them.
DESCENDING = [
    "Without a shred of doubt",
    "Nine times out of ten",
    "I am tolerably sure",
    "I am slightly confident",
    "With some hesitation, I would say",
    "I am none too sure",
    "I'm completely baffled",
]
ANSWER = (
    "Certainly! Here it is:\n\n**Bonn** is a city. It may lie by the Rhine. I could be wrong. It is "
    "_old_.\n\n- It has 300,000 people.\n- It is probably large.\n\nDo you want more?"
)


@pytest.fixture(scope="module", params=["cue_model", "cue_model_b"])
def evaluator(request):
    return load(request.param)


def test_reads_one_beta_a_text_wherever_it_stands(evaluator):
    texts = ["It is Oslo.", "Perhaps it is Oslo.", "I have no idea.", "Perhaps it is Oslo."]
    confidence = evaluator.read(texts)
    assert isinstance(confidence, Beta)
    assert confidence.mean[0] > 0.9 > confidence.mean[1] > confidence.mean[2]
    assert confidence.mean[1] == confidence.mean[3] == evaluator.read(texts[1:2]).mean[0]
    assert evaluator.read([]).shape == (0,)


def test_at_least_95_percent_of_the_pairs_are_ordered_rightly(evaluator):
    pairs = pd.read_csv(SUITE)
    higher, lower = (evaluator.read(pairs[name].tolist()).mean for name in ("higher", "lower"))
    assert len(pairs) >= 120
    assert (higher <= lower).sum() <= 0.05 * len(pairs), pairs[higher <= lower]


def test_openers_that_no_study_has_are_ranked(evaluator):
    mean = evaluator.read([f"{opener}, it rains." for opener in DESCENDING]).mean
    assert (np.diff(mean) < 0.01).all(), dict(zip(DESCENDING, mean.round(2), strict=True))


@pytest.mark.parametrize("hedge", ["I think that {}", "It is possible that {}", "{}, probably."])
def test_equal_hedges_are_read_alike_whatever_is_said(evaluator, hedge):
    assert evaluator.read([hedge.format(content) for content in CONTENTS]).mean.std() < 0.01


def test_stated_numbers_are_read_as_they_are_and_people_agree_on_them(evaluator):
    texts = [
        "I am 60% sure it is Rome.",
        "There is a 30% chance that it rains.",
        "There is a chance it rains.",
    ]
    read = evaluator.read(texts)
    np.testing.assert_allclose(read.mean[:2], [0.6, 0.3], atol=0.1)
    assert read.concentration[1] > 5 * read.concentration[2]


@pytest.mark.parametrize("text", ["MAYBE", "a" * 5_000, "i " * 3_000, "7", "x = 1"])
def test_odd_texts_are_read(evaluator, text):
    confidence = evaluator.read([text])
    assert 0 < confidence.mean[0] < 1
    assert np.isfinite(confidence.concentration[0])


@cases
def test_what_is_no_text_or_not_english_is_refused(evaluator, texts, message):
    with pytest.raises(ValueError, match=message):
        evaluator.read(texts)


def test_the_two_evaluators_come_from_different_sources_and_differ():
    one = load("cue_model")
    two = load("cue_model_b")
    assert set(one.figures["provenance"]).isdisjoint({"wadefagen", "zonination", "yardsticks"})
    assert set(two.figures["provenance"]).isdisjoint({"capphrase", "tao2025"})
    texts = ["I think so.", "I suspect so.", "It might be so.", "We doubt it.", "In my view, so."]
    assert np.abs(one.read(texts).mean - two.read(texts).mean).max() > 0.05
    with pytest.raises(ValueError, match="no evaluator 'jury': choose one of cue_model, cue_model_b"):
        load("jury")


def test_each_sentence_has_its_place_kind_and_reading(evaluator):
    read = evaluator.read_sentences(ANSWER)
    places = ["It may lie by the Rhine.", "I could be wrong.", "It is _old_."]
    assert [ANSWER[one.start : one.end] for one in read][3:6] == places
    kinds = ["talk", "talk", "claim", "claim", "hedge", "claim", "claim", "claim", "question"]
    assert [one.kind for one in read] == kinds
    assert [one.confidence is not None for one in read] == [kind == "claim" for kind in kinds]
    assert read.confidence == evaluator.read([ANSWER])[0]
    texts = [ANSWER, "Paris", "It is old. It is big."]
    assert evaluator.read_texts(texts) == [evaluator.read_sentences(text) for text in texts]


@pytest.mark.parametrize("text", ["Paris", "I think it might be Paris.", "Perhaps.", "It may be 40 km."])
def test_a_short_answer_is_the_case_of_one(evaluator, text):
    (one,) = evaluator.read_sentences(text)
    assert one.start == 0
    assert one.end == len(text)
    assert one.confidence == evaluator.read([text])[0]


def test_a_comment_speaks_of_each_sentence(evaluator):
    read = evaluator.read_sentences("It is old. It is big. I could be wrong.")
    alone = evaluator.read(["It is old. I could be wrong."])[0]
    assert [one.confidence for one in read] == [alone, alone, None]


@cases
def test_only_a_whole_reply_is_a_score(reply, score):
    assert parse_score(reply) == score


def test_a_model_is_shown_cues_and_sentence_and_equal_texts_are_one():
    how = {"model": {"engine": "openai", "model": "m", "base_url": "http://localhost:1/v1"}, "seed": 1}
    texts = pd.DataFrame({"item": ["a", "b"], "text": "Maybe it is Rome."})
    both = Ensemble().ask(texts, **how)
    assert len(set(both["key"])) == 1
    request, _ = from_table(both)
    content = request.messages[0]["content"]
    assert request.n == 3
    assert request.constraint == {"regex": "100|[1-9]?[0-9]"}
    assert "Maybe it is Rome." in content
    assert '"almost certain": mean 94' in content
    assert Ensemble().ask(texts, **how, protocol=resolve("ralc", letter=True))["key"].is_unique


@pytest.mark.parametrize(("valid", "mean"), [(9, 7.6 / 9), (5, 0.84), (4, None), (0, None)])
def test_readings_are_moments_of_five_of_nine_scores_at_least(valid, mean):
    replies = ["80", "90"] * 5
    table = pd.DataFrame({"item": "i", "text": "a", "reply": replies[:valid] + ["3/10"] * (9 - valid)})
    (read,) = Ensemble("m").readings(None, table, protocol="paper").itertuples()
    assert read.readings == valid
    assert read.evaluator == "m"
    assert np.isfinite(read.alpha) == (mean is not None)
    if mean is not None:
        assert read.alpha / (read.alpha + read.beta) == pytest.approx(mean)
    assert Ensemble("m").scored(None, table)["score"].tolist() == [int(one) / 100 for one in replies[:valid]]


#: Two claims, and a sentence about them.
_CLAIMS = "Ada Lima was born in 1951. She is certainly an engineer."


@cases
def test_a_note_of_the_whole_is_the_level_of_claims_that_say_nothing_themselves(sentence, of_whole):
    text = f"{sentence} {_CLAIMS}"
    note, *_ = sentences(text)
    assert note.of_whole == of_whole
    if of_whole:
        born, engineer = (one.confidence for one in load("cue_model").read_sentences(text) if one.confidence)
        alone = load("cue_model").read(["It is so. " + sentence, "She is certainly an engineer."])
        assert born.mean == pytest.approx(alone[0].mean)
        assert engineer.mean == pytest.approx(alone[1].mean)
