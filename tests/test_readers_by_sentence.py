"""Texts read sentence by sentence: places, kinds, shared hedges, and the whole."""

import numpy as np
import pytest

from ralc import readers
from ralc.calibrator.vocabulary import built_in_lexicon
from ralc.english.frames import places
from ralc.english.passages import only_hedges
from ralc.english.scopes import ALL, claim, scope_of
from ralc.english.units import claim_units
from ralc.readers.by_sentence import read_sentences

ANSWER = (
    "Certainly! Here it is:\n\n**Bonn** is a city. It may lie by the Rhine. I doubt that the rest is right. It is "
    "_old_.\n\n- It has 300,000 people.\n- It is probably large.\n\nDo you want more?"
)


@pytest.fixture(scope="module", params=["cues", "judge"])
def reader(request):
    return readers.load(request.param)


def test_each_sentence_has_its_place_kind_and_reading(reader):
    read = reader.read_sentences(ANSWER)
    assert [ANSWER[one.start : one.end] for one in read][3:6] == [
        "It may lie by the Rhine.",
        "I doubt that the rest is right.",
        "It is _old_.",
    ]
    kinds = ["talk", "talk", "claim", "claim", "hedge", "claim", "claim", "claim", "question"]
    assert [one.kind for one in read] == kinds
    assert [one.confidence is not None for one in read] == [kind == "claim" for kind in kinds]
    assert [one.under for one in read] == [None] * 5 + [4, 4, None, None]
    assert read.confidence == reader.read([ANSWER])[0]


def test_under_a_shared_hedge_a_sentence_without_words_of_its_own_has_its_reading(reader):
    alone = reader.read(["I doubt that the rest is right.", "It is probably large.", "It is old."])
    read = reader.read_sentences(ANSWER)
    assert [read[at].confidence for at in (5, 6, 7)] == [alone[0], alone[0], alone[1]]
    few = reader.read_sentences(
        "I doubt that the next two sentences are right. It is old. It is big. It is new."
    )
    assert [one.under for one in few] == [None, 0, 0, None]
    assert few[3].confidence == alone[2]


def test_the_whole_hears_a_shared_hedge_where_it_speaks(reader):
    before, behind = (
        "It is old. I doubt that the rest is right. It is big.",
        "It is old. It is big. I doubt that the rest is right.",
    )
    low, high = (float(one.mean) for one in reader.read([before, behind]))
    assert low < high - 0.2


@pytest.mark.parametrize(
    "text", ["Paris", "Paris.", "I think it might be Paris.", "Perhaps.", "It may be 40 km."]
)
def test_a_short_answer_is_the_case_of_one(reader, text):
    (one,) = reader.read_sentences(text)
    assert (one.start, one.end) == (0, len(text))
    assert one.confidence == reader.read([text])[0]


def test_what_speaks_of_all_is_heard_in_each_sentence(reader):
    read = reader.read_sentences("It is old. It is big. I could be wrong.")
    alone = reader.read(["It is old. I could be wrong."])[0]
    assert [one.confidence for one in read] == [alone, alone, None]


def test_many_texts_at_once_are_read_as_each_alone(reader):
    texts = [ANSWER, "Paris", "It is old. It is big."]
    assert read_sentences(reader, texts) == [reader.read_sentences(text) for text in texts]


def test_what_cannot_be_read_says_so(reader):
    with pytest.raises(ValueError, match="cannot be read: it is empty"):
        reader.read_sentences(" ")


@pytest.mark.parametrize("reach", [2, 3, 10, 17, ALL])
def test_every_hedge_can_be_shared_and_is_read_as_by_itself(reach):
    lexicon, cues = built_in_lexicon().usable(), readers.load("cues")
    columns = zip(lexicon.columns["expression"], lexicon.columns["frame"], strict=True)
    said = [places(*one, claim(reach, first=reach % 2 == 0))[0].text for one in columns]
    assert all(map(only_hedges, said))
    assert np.abs(cues.read(said).mean - lexicon.confidence.mean).max() < 0.03
    assert {scope_of(one.lower().rstrip(".").split()).reach for one in said if "," not in one} == {reach}


def test_a_claim_about_the_rest_of_something_is_no_hedge():
    text = "The Rhine is long. The rest of the army probably fled. What follows is history."
    assert len(claim_units(text)) == 3
