"""The evaluators: interface, the hand-written pairs, independence of content, odd input, sentences of long answers."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ralc import Beta
from ralc.evaluators import load

SUITE = Path(__file__).parent / "data" / "evaluator_suite.csv"
CONTENTS = [
    "the capital of France is Paris",
    "iron melts at 1538 degrees",
    "Shakespeare wrote Hamlet in 1601",
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


@pytest.fixture(scope="module", params=["cue_model", "cue_model_b"])
def evaluator(request):
    return load(request.param)


def test_reads_one_beta_a_text_wherever_it_stands(evaluator):
    texts = ["It is Oslo.", "Perhaps it is Oslo.", "I have no idea.", "Perhaps it is Oslo."]
    confidence = evaluator.read(texts)
    assert isinstance(confidence, Beta)
    assert confidence.shape == (4,)
    assert confidence.mean[0] > 0.9 > confidence.mean[1] > confidence.mean[2]
    assert confidence.mean[1] == confidence.mean[3] == evaluator.read(texts[1:2]).mean[0]
    assert evaluator.read([]).shape == (0,)


def test_at_least_95_percent_of_the_pairs_are_ordered_rightly(evaluator):
    pairs = pd.read_csv(SUITE)
    assert len(pairs) >= 120
    wrong = pairs[
        evaluator.read(pairs["higher"].tolist()).mean <= evaluator.read(pairs["lower"].tolist()).mean
    ]
    assert len(wrong) <= 0.05 * len(pairs), wrong


def test_openers_that_no_study_has_are_ranked(evaluator):
    mean = evaluator.read([f"{opener}, it rains." for opener in DESCENDING]).mean
    assert (np.diff(mean) < 0.01).all(), dict(zip(DESCENDING, mean.round(2), strict=True))


@pytest.mark.parametrize(
    "hedge", ["I think that {}", "Perhaps {}", "It is possible that {}", "{}, probably."]
)
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


@pytest.mark.parametrize("text", ["MAYBE", "a" * 5_000, "i " * 3_000, "7", "x = 1?"])
def test_odd_texts_are_read(evaluator, text):
    confidence = evaluator.read([text])
    assert 0 < confidence.mean[0] < 1
    assert np.isfinite(confidence.concentration[0])


@pytest.mark.parametrize("text", ["", " \n\t", "?", "\x00\x01", "💯🤷", "может быть", '"' * 50])
def test_texts_without_english_words_are_refused(evaluator, text):
    with pytest.raises(ValueError, match="text 0 cannot be read: it is"):
        evaluator.read([text])


@pytest.mark.long
@pytest.mark.parametrize("piece", ["maybe ", "x", '"a ', "50% ", "very ", "first was sure ", "I am Rome. "])
def test_a_megabyte_is_read(piece):
    confidence = load("cue_model").read([piece * (1_000_000 // len(piece))])
    assert 0 < confidence.mean[0] < 1


@pytest.mark.parametrize(
    ("texts", "message"), [(["a", None], "text 1"), ("Maybe.", "sequence"), ([3], "text 0")]
)
def test_what_is_no_text_is_refused(evaluator, texts, message):
    with pytest.raises(ValueError, match=message):
        evaluator.read(texts)


def test_the_two_evaluators_come_from_different_sources_and_differ():
    cues, judge = load("cue_model"), load("cue_model_b")
    assert set(cues.figures["provenance"]).isdisjoint({"wadefagen", "zonination", "yardsticks"})
    assert set(judge.figures["provenance"]).isdisjoint({"capphrase", "tao2025"})
    texts = ["I think so.", "I suspect so.", "It might be so.", "We doubt it.", "In my view, so."]
    assert np.abs(cues.read(texts).mean - judge.read(texts).mean).max() > 0.05
    with pytest.raises(ValueError, match="no evaluator 'jury': choose one of cue_model, cue_model_b"):
        load("jury")


ANSWER = (
    "Certainly! Here it is:\n\n**Bonn** is a city. It may lie by the Rhine. I could be wrong. It is "
    "_old_.\n\n- It has 300,000 people.\n- It is probably large.\n\nDo you want more?"
)


def test_each_sentence_has_its_place_kind_and_reading(evaluator):
    read = evaluator.read_sentences(ANSWER)
    assert [ANSWER[one.start : one.end] for one in read][3:6] == [
        "It may lie by the Rhine.",
        "I could be wrong.",
        "It is _old_.",
    ]
    kinds = ["talk", "talk", "claim", "claim", "hedge", "claim", "claim", "claim", "question"]
    assert [one.kind for one in read] == kinds
    assert [one.confidence is not None for one in read] == [kind == "claim" for kind in kinds]
    assert read.confidence == evaluator.read([ANSWER])[0]
    texts = [ANSWER, "Paris", "It is old. It is big."]
    assert evaluator.read_texts(texts) == [evaluator.read_sentences(text) for text in texts]


@pytest.mark.parametrize("text", ["Paris", "I think it might be Paris.", "Perhaps.", "It may be 40 km."])
def test_a_short_answer_is_the_case_of_one(evaluator, text):
    (one,) = evaluator.read_sentences(text)
    assert (one.start, one.end, one.confidence) == (0, len(text), evaluator.read([text])[0])


def test_a_comment_speaks_of_each_sentence(evaluator):
    read = evaluator.read_sentences("It is old. It is big. I could be wrong.")
    alone = evaluator.read(["It is old. I could be wrong."])[0]
    assert [one.confidence for one in read] == [alone, alone, None]
