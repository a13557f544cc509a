"""Answers of several sentences: each as sure as it deserves, hedges shared, none twice, nothing missed sent."""

from types import SimpleNamespace

import numpy as np
import pytest

from ralc import Beta, readers
from ralc.calibrator.vocabulary import built_in_lexicon
from ralc.english.kinds import sentences
from ralc.english.scopes import ALL
from ralc.rewriting.levels import WIDEST
from ralc.rewriting.passing import ABSTAINS, passes
from ralc.rewriting.reasons import ALREADY, MISSED, NO_CONFIDENCE
from ralc.rewriting.runs import SPREAD, Run, runs_of, split_run
from ralc.rewriting.whole import DROPPED, MARK, MARKED, PLAINLY, WholeRewriter

BIOGRAPHY = (
    "Ada Lima is a Peruvian engineer. She was born on 4 May 1951 in Cusco. She studied physics in Oslo and worked on"
    " bridges. Her first bridge was opened in 1979.\n\nShe has won two medals. Lima lives in Quito with her family."
)
LEVELS = np.arange(0.05, 1, 0.03)


@pytest.fixture(scope="module")
def whole():
    return WholeRewriter(built_in_lexicon(), readers.load("cues"))


def say(whole, answer, *means, **how):
    """One answer, rewritten towards these means."""
    targets = [None if mean is None else Beta.from_mean_concentration(mean, 10) for mean in means]
    ((read, said),) = whole.rewrite([answer], [targets], **how)
    return read, said


def runs(wanted, *, alone=(), paragraphs=None):
    """The runs of an answer whose sentences are to be read as these."""
    stretches = {name: SimpleNamespace(lone=name != "list") for name in set(paragraphs or "p")}
    claims = [
        SimpleNamespace(sentence=SimpleNamespace(stretch=stretches[name]))
        for name in paragraphs or "p" * len(wanted)
    ]
    own = [at in alone for at in range(len(wanted))]
    return runs_of(claims, range(len(wanted)), wanted, own, LEVELS)


def test_every_sentence_is_read_as_meant(whole):
    means = [0.95, 0.6, 0.62, 0.3, 0.75, 0.1]
    read, said = say(whole, BIOGRAPHY, *means)
    assert all(one.calibrated for one in said)
    assert [round(float(one.target.mean), 2) for one in said] == means
    claims = [one.confidence for one in read if one.confidence is not None]
    assert claims == [one.read for one in said]
    assert read.text[said[0].start : said[0].end] == "Ada Lima is a Peruvian engineer."


def test_neighbours_of_one_level_share_a_hedge_and_say_so(whole):
    read, said = say(whole, BIOGRAPHY, 0.95, 0.6, 0.62, 0.3, 0.3, 0.3)
    assert [bool(one.shared) for one in said] == [False, True, True, True, True, True]
    assert len({one.hedge for one in said if one.hedge}) == 2
    assert all(one.changed and not one.reason for one in said if one.shared)
    for one in said[1:]:
        assert read.text[one.start : one.end] == one.original


def test_one_hedge_speaks_for_all_but_what_says_otherwise(whole):
    read, said = say(whole, BIOGRAPHY, 0.6, 0.62, 0.2, 0.6, 0.59, 0.61)
    assert read.text.startswith("Except where I say otherwise, ")
    assert [bool(one.shared) for one in said] == [True, True, False, True, True, True]
    assert all(one.calibrated for one in said)


def test_what_is_sure_has_no_hedge(whole):
    read, said = say(whole, BIOGRAPHY, *[0.93] * 6)
    assert read.text == BIOGRAPHY
    assert {one.reason for one in said} == {ALREADY}
    read, said = say(whole, BIOGRAPHY, *[0.85] * 6, sure=0.8)
    assert read.text == BIOGRAPHY
    assert {one.reason for one in said} == {PLAINLY}
    assert not any(one.calibrated for one in said)


def test_bytes_beside_the_claims_stay(whole):
    answer = "Sure! Here:\n\n# Bonn\n\n- **Bonn** is an old city\n- It lies by the Rhine\n\n`x`  Want more?"
    read, said = say(whole, answer, 0.6, 0.3)
    left, text = answer, read.text
    for one in said:
        assert one.original in left
        left, text = left.replace(one.original, "", 1), text.replace(read.text[one.start : one.end], "", 1)
    assert left == text
    assert "- It is" in read.text or "- I " in read.text  # in the item, before its emphasis


def test_no_hedge_stands_twice(whole):
    answer = " ".join(
        f"Lima was seen in {place}." for place in ("Oslo", "Bonn", "Rome", "Kyiv", "Bern", "Riga")
    )
    _, said = say(whole, answer, 0.6, 0.3, 0.6, 0.3, 0.6, 0.3)
    own = [one.hedge for one in said if not one.shared]
    assert len(own) == len(set(own))
    assert all(one.calibrated for one in said)


def test_what_stays_for_a_reason_stays_as_it_came(whole):
    answer = "It may be large. It lies by the Rhine. Nobody knows who built it. It is old."
    read, said = say(whole, answer, 0.7, None, 0.6, 0.7)
    assert said[1].reason == NO_CONFIDENCE
    for one in said[:2]:
        assert not one.changed
        assert read.text[one.start : one.end] == one.original


@pytest.mark.parametrize("below", ["drop", "mark"])
def test_what_is_hardly_supported_is_left_out_or_marked(whole, below):
    read, said = say(whole, BIOGRAPHY, 0.95, 0.2, 0.95, 0.95, 0.95, 0.24, below=below)
    assert [one.reason for one in said] == [
        {"drop": DROPPED, "mark": MARKED}[below] if at in (1, 5) else ALREADY for at in range(6)
    ]
    gone = BIOGRAPHY.replace(" She was born on 4 May 1951 in Cusco.", "")
    gone = gone.replace(" Lima lives in Quito with her family.", "")
    marked = BIOGRAPHY.replace("Cusco.", f"Cusco {MARK}.").replace("family.", f"family {MARK}.")
    assert read.text == {"drop": gone, "mark": marked}[below]
    assert (said[1].start == said[1].end) == (below == "drop")


def test_where_all_is_left_out_nothing_is_left(whole):
    read, said = say(whole, "It is an old city. It lies by the Rhine.", 0.1, 0.1, below="drop")
    assert (read.text, read.confidence, [one.read for one in said]) == ("", None, [None, None])


def test_what_an_answer_writes_large_inside_a_sentence_is_a_name(whole):
    answer = "Rob Furlong is a sniper. Furlong joined the army. Diamond is hard. He saw Furlong in Rome."
    read, _ = say(whole, answer, 0.3, 0.72, 0.95, 0.1)
    assert "furlong" not in read.text
    read, _ = say(whole, "Gold is dense. Lead is soft. Rome is large.", 0.3, 0.72, 0.95)
    assert "gold" in read.text


def test_words_of_when_are_part_of_the_claim_and_those_of_regret_are_not(whole):
    read, _ = say(whole, "Today, Lima is a large city. Sadly, Ada left it.", 0.3, 0.6)
    assert "Today, " not in read.text
    assert "Sadly, " in read.text or "sadly" not in read.text


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("I'm sorry, I couldn't find information about a bridge of hers.", ABSTAINS),
        ('Additionally, a search for "Ada Lima" did not yield any relevant results.', ABSTAINS),
        ("I couldn't find Lima on the map.", ""),
        ("The search of the house did not find the weapon.", ""),
    ],
)
def test_what_a_model_did_not_find_is_no_guess(sentence, why):
    assert passes(sentence) == why


def test_own_doubts_of_an_answer_go(whole):
    read, said = say(whole, "I think it is an old city. It lies by the Rhine. I could be wrong.", 0.95, 0.3)
    assert read.text.startswith("It is an old city. ")
    assert "wrong" not in read.text
    assert all(one.calibrated for one in said)


def test_a_reader_who_hears_nothing_is_sent_nothing(whole):
    class Deaf(type(readers.load("cues"))):
        def read(self, texts):
            return Beta(np.full(len(texts), 19.0), np.full(len(texts), 1.0))

    deaf = WholeRewriter(built_in_lexicon(), Deaf("deaf", {}))
    read, said = say(deaf, BIOGRAPHY, *[0.5] * 6)
    assert read.text == BIOGRAPHY
    assert {one.reason for one in said} == {MISSED}


def test_targets_are_counted(whole):
    with pytest.raises(ValueError, match="has 6 claims, not 2"):
        say(whole, BIOGRAPHY, 0.5, 0.5)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ([0.6], [Run((0,))]),
        ([0.6, 0.9], [Run((0,)), Run((1,))]),
        ([0.6, 0.62], [Run((0, 1), ALL)]),
        ([0.6, 0.62, 0.9], [Run((0, 1), 2), Run((2,))]),
        ([0.9, 0.6, 0.62, 0.58], [Run((0,)), Run((1, 2, 3), ALL)]),
        ([0.6, 0.3, 0.6, 0.6], [Run((0, 2, 3), ALL, excepts=True), Run((1,))]),
        ([0.6, 0.2, 0.62, 0.9, 0.4, 0.2], [Run((at,)) for at in range(6)]),  # two hardly speak for four
        ([0.6, np.nan, 0.6], [Run((0,)), Run((2,))]),
        ([np.nan, np.nan], []),
        ([], []),
    ],
)
def test_runs_by_hand(wanted, expected):
    assert runs(wanted) == expected


def test_runs_stay_in_their_paragraphs_and_begin_in_none_of_a_list():
    assert runs([0.6, 0.6, 0.3, 0.9], paragraphs="ppqq")[0] == Run((0, 1), 2)
    assert runs([0.6, 0.6, 0.3], paragraphs="pqq")[0] == Run((0, 1), ALL, excepts=True)  # told in no number
    assert all(not run.is_shared for run in runs([0.6, 0.6, 0.6], paragraphs=["list"] * 3))
    assert runs([0.6, 0.6, 0.6], alone=(1,)) == [Run((0, 2), ALL, excepts=True), Run((1,))]


def test_runs_cover_all_that_wants_a_hedge_once(rng):
    for _ in range(50):
        wanted = np.where(rng.random(9) < 0.15, np.nan, rng.uniform(0.1, 0.9, 9))
        found = runs(wanted)
        assert sorted(at for run in found for at in run.claims) == np.flatnonzero(~np.isnan(wanted)).tolist()
        for run in found:
            assert np.ptp(wanted[list(run.claims)]) <= 2 * SPREAD


def test_a_run_that_no_hedge_is_left_for_is_split_into_neighbours_and_then_halves():
    stretch = SimpleNamespace(lone=True)
    claims = [SimpleNamespace(sentence=SimpleNamespace(stretch=stretch))] * 6
    parts = split_run(Run((0, 2, 3, 4, 5), ALL, True), claims, range(6))
    assert parts == [Run((0,)), Run((2, 3, 4, 5), 4)]
    assert split_run(parts[1], claims, range(6)) == [Run((2, 3), 2), Run((4, 5), 2)]


def test_a_hedge_that_is_heard_as_another_is_not_taken_beside_it(whole):
    _, said = say(whole, BIOGRAPHY, 0.86, 0.3, 0.86, 0.3, 0.86, 0.3)
    heard = [one.hedge.removeprefix("it is ") for one in said if one.hedge and not one.shared]
    assert len(heard) == len(set(heard)) > 2


def test_a_colon_in_a_title_parts_no_sentence():
    title = "His second album Early Days: Friends and Family followed in 2012."
    assert [one.words.text for one in sentences(title)] == [title]
    for labelled in ("Cost: The trip costs 5 euros.", "Full name: Ada Lima was an engineer."):
        assert len(sentences(labelled)) == 2


def test_ten_sentences_that_all_differ_do_not_carry_ten_hedges(whole):
    answer = " ".join(
        f"Ada Lima won the {name} prize in {year}."
        for year, name in enumerate(
            ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"],
            1980,
        )
    )
    means = [0.82, 0.74, 0.65, 0.3, 0.42, 0.36, 0.2, 0.48, 0.55, 0.62]
    _, said = say(whole, answer, *means)
    hedges = {one.hedge for one in said if one.hedge}
    assert 2 <= len(hedges) <= 5
    assert all(one.calibrated for one in said if one.hedge)
    assert all(abs(one.target.mean - mean) < WIDEST for one, mean in zip(said, means, strict=True))


def test_no_shared_hedge_stands_before_what_answers_the_claim_before_it(whole):
    """It was "It is likely that the rest is right. However, ...", which answered the hedge."""
    answer = (
        "Ada Lima lives in Quito. However, her family lives in Cusco. Her first bridge was opened in 1979."
    )
    read, _ = say(whole, answer, 0.95, 0.7, 0.7)
    assert ". However, " in read.text
    assert "right. However" not in read.text


def test_what_is_told_is_doubted_in_the_first_person(whole):
    """It was "It is unlikely that the rest is right.", which says the contrary of what is told after it."""
    read, said = say(whole, BIOGRAPHY, 0.95, 0.2, 0.2, 0.2, 0.2, 0.2)
    hedges = {one.hedge for one in said if one.hedge}
    assert hedges
    assert all(hedge.startswith("I ") or "certain" in hedge for hedge in hedges), read.text


@pytest.mark.parametrize("answer", ["Ada Lima lives in Quito.", "As of April 2021, Ada Lima lives in Quito."])
def test_no_rough_guess_where_nothing_is_estimated(whole, answer):
    """It was "As a rough guess, as of April 2021, ...", with the year for a number."""
    read, said = say(whole, answer, 0.27)
    assert said[0].hedge
    assert "rough" not in read.text
    assert "first guess" not in read.text
