"""The readers: interface, the hand-written pairs, independence of content, odd input."""

import csv
from pathlib import Path

import numpy as np
import pytest

from ralc import Beta
from ralc.readers import CueReader, load

SUITE = Path(__file__).parent / "data" / "reader_suite.csv"
SENTENCES = [
    "It is {x}.",
    "It is definitely {x}.",
    "I think it is {x}.",
    "Perhaps it is {x}.",
    "I'm not sure, but it might be {x}.",
    "I have no idea, but I would guess {x}.",
    "To the best of my knowledge, it is {x}.",
    "{x} seems to be the answer.",
]
CONTENT = ["Paris", "potassium", "the mitochondria", "1905", "Albert Einstein", "a 12-foot wall", "Ōsaka"]


@pytest.fixture(params=["cues", "judge"])
def reader(request):
    return load(request.param)


def test_reads_one_beta_a_text(reader):
    confidence = reader.read(["It is Oslo.", "Perhaps it is Oslo.", "I have no idea."])
    assert isinstance(confidence, Beta)
    assert confidence.shape == (3,)
    assert confidence.mean[0] > 0.9 > confidence.mean[1] > confidence.mean[2]
    assert confidence.mean[2] < 0.06


def test_no_texts_give_no_readings(reader):
    assert reader.read([]).shape == (0,)
    assert reader.scores([], 3, np.random.default_rng(0)).shape == (0, 3)


def test_virtual_readers_follow_the_reading(reader, rng):
    texts = ["It is Oslo.", "I think it is Oslo.", "There is a slight chance that it is Oslo."]
    scores = reader.scores(texts, 20_000, rng)
    assert scores.shape == (3, 20_000)
    assert scores.min() >= 0
    assert scores.max() <= 1
    confidence = reader.read(texts)
    np.testing.assert_allclose(scores.mean(axis=1), confidence.mean, atol=0.006)
    np.testing.assert_allclose(scores.std(axis=1), np.sqrt(confidence.variance), atol=0.006)


def test_scores_are_drawn_from_the_generator(reader):
    one, two, other = (reader.scores(["Maybe."], 5, np.random.default_rng(seed)) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, two)
    assert not np.array_equal(one, other)


def test_at_least_95_percent_of_the_pairs_are_ordered_rightly(reader):
    with SUITE.open(encoding="utf-8") as file:
        pairs = list(csv.DictReader(file))
    assert len(pairs) >= 120
    higher = reader.read([pair["higher"] for pair in pairs]).mean
    lower = reader.read([pair["lower"] for pair in pairs]).mean
    wrong = [
        (pair["higher"], pair["lower"]) for pair, up in zip(pairs, higher > lower, strict=True) if not up
    ]
    assert len(wrong) <= 0.05 * len(pairs), wrong


#: Openers from the most confident down, neighbours perhaps as one; most say their degree by a word or a number that no
#: study has.
DESCENDING = [
    "Without a shred of doubt",
    "Nine times out of ten",
    "I am tolerably sure",
    "I am slightly confident",
    "With some hesitation, I would say",
    "I am none too sure",
    "I'm completely baffled",
]


def test_openers_that_no_study_has_are_ranked(reader):
    mean = reader.read([f"{opener}, it rains." for opener in DESCENDING]).mean
    assert (np.diff(mean) < 0.01).all(), dict(zip(DESCENDING, mean.round(2), strict=True))


@pytest.mark.parametrize("sentence", SENTENCES)
def test_content_hardly_moves_a_reading(reader, sentence):
    confidence = reader.read([sentence.format(x=content) for content in CONTENT])
    assert np.ptp(confidence.mean) < 0.05


def test_equal_texts_are_read_alike_wherever_they_stand(reader):
    texts = ["Maybe it is Rome.", "It is Rome.", "Maybe it is Rome."]
    confidence = reader.read(texts)
    assert confidence.mean[0] == confidence.mean[2] == reader.read(texts[:1]).mean[0]


def test_stated_numbers_are_read_as_they_are(reader):
    mean = reader.read(["I am 60% sure it is Rome.", "There is a 30 percent chance that it is Rome."]).mean
    np.testing.assert_allclose(mean, [0.6, 0.3], atol=0.1)


@pytest.mark.parametrize("text", ["MAYBE", "a" * 5_000, "i " * 3_000, "7", "x = 1?"])
def test_odd_texts_are_read(reader, text):
    confidence = reader.read([text])
    assert 0 < confidence.mean[0] < 1
    assert np.isfinite(confidence.concentration[0])


@pytest.mark.parametrize("text", ["", " \n\t", "?", "...", "\x00\x01", "💯🤷", "может быть", "“", '"' * 50])
def test_texts_without_english_words_are_refused(reader, text):
    with pytest.raises(ValueError, match="text 0 cannot be read: it is"):
        reader.read([text])


@pytest.mark.long
@pytest.mark.parametrize("piece", ["maybe ", "x", '"a ', "50% ", "very ", "first was sure ", "I am Rome. "])
def test_a_megabyte_is_read(piece):
    confidence = load("cues").read([piece * (1_000_000 // len(piece))])
    assert 0 < confidence.mean[0] < 1


@pytest.mark.parametrize(
    ("texts", "message"), [(["a", None], "text 1"), ("Maybe.", "sequence"), ([3], "text 0")]
)
def test_what_is_no_text_is_refused(reader, texts, message):
    with pytest.raises(ValueError, match=message):
        reader.read(texts)


def test_at_least_one_virtual_reader(reader, rng):
    with pytest.raises(ValueError, match="n must be at least 1"):
        reader.scores(["a"], 0, rng)


def test_unknown_readers_are_refused():
    with pytest.raises(ValueError, match="cues, judge"):
        load("jury")
    with pytest.raises(ValueError, match="no audiences"):
        load("judge", audience={"age_band": "18-24"})


def test_the_two_readers_come_from_different_sources_and_differ():
    cues, judge = (load(name).figures for name in ("cues", "judge"))
    assert set(cues["provenance"]) == {"capphrase", "tao2025"}
    assert set(judge["provenance"]) == {"wadefagen", "zonination", "yardsticks", "tao2025_levels"}
    texts = [
        "I think so.",
        "I suspect so.",
        "It might be so.",
        "We doubt it.",
        "Reportedly so.",
        "In my view, so.",
    ]
    assert np.abs(CueReader.load().read(texts).mean - load("judge").read(texts).mean).max() > 0.05


@pytest.mark.parametrize(
    "hedge", ["I think that {}", "Perhaps {}", "It is possible that {}", "{}, probably."]
)
def test_equal_hedges_are_read_alike_whatever_is_said(reader, hedge):
    # A term of word sequences read answers with one hedge as .48 to .56 by their place names.
    contents = [
        "the capital of France is Paris",
        "iron melts at 1538 degrees",
        "the city of Casablanca is in Morocco",
        "Shakespeare wrote Hamlet in 1601",
        "she won the race by a mile",
        "the number of people living in Fuyang is 1.8 million",
    ]
    assert reader.read([hedge.format(content) for content in contents]).mean.std() < 0.01


@pytest.mark.parametrize("reader", ["cues", "judge"])
def test_people_agree_on_a_stated_chance_and_not_on_a_chance(reader):
    texts = ["There is a 40% chance that it rains.", "There is a chance that it rains.", "Perhaps it rains."]
    stated, bare, perhaps = load(reader).read(texts).concentration
    assert stated > 5 * bare
    assert bare == pytest.approx(perhaps, rel=0.35)
