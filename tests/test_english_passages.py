"""Hedges in running text: each weighs as much as what it speaks of, and what speaks of the matter is none."""

import random
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ralc import readers
from ralc.english.passages import parts

#: Texts, and between what a careful person would take the speaker's confidence to be; written before the rules.
CASES = pd.read_csv(Path(__file__).parent / "data" / "running_text.csv")
#: How many of each part are still read otherwise. Of the first 57 and 28, 28 and 10 were before there were rules;
#: of the 45 and 45 that came later, 22 and 17 were before the rules that were made on the first 45, and 3 and 10 after.
#: The 60 of `others`, by a writer of their own and met by a second reader's value on 59, came last: 26 before
#: there were rules, 19 before those of modals and scope, 17 after them, at first sight. Since then all have been read;
#: the parse misses two more of the first two parts together than the rules before it, and four more of the last.
#: Six of them doubt an answer in the midst of plain sentences: without the question none tells it from an aside.
MISSED = {"tuned": 10, "aside": 9, "others": 19}

PEOPLE = ["Ada Lovelace", "Mansa Musa", "Grace Hopper", "Tu Youyou", "Jean de La Fontaine", "Wangari Maathai"]
DEEDS = [
    "wrote it",
    "was born in Lima",
    "lived near Oslo",
    "found the comet",
    "opened the school",
    "ruled for 25 years",
    "won",
]


@pytest.fixture(scope="module")
def cues():
    return readers.load("cues")


@pytest.mark.parametrize("part", MISSED)
def test_running_text_is_read_as_a_careful_person_would(cues, part):
    cases = CASES[CASES["part"] == part]
    read = [np.nan if cues.unread(text) else cues.read([text]).mean[0] for text in cases["text"]]
    missed = cases[~cases["low"].le(read) | ~cases["high"].ge(read)]  # what is refused is missed, too
    assert len(missed) <= MISSED[part], missed["text"].tolist()


@pytest.mark.parametrize(
    "hedged",
    [
        "I think that {}.",
        "Perhaps {}.",
        "I am not sure, but {}.",
        "It is likely that {}.",
        "{}. I could be wrong.",
        "I doubt that {}.",
        "There is about a 40 percent chance that {}.",
    ],
)
def test_content_is_not_read(cues, hedged):
    """One hedge, 42 contents: as many readings as there are contents must be one."""
    contents = [f"{person} {deed}" for person in PEOPLE for deed in DEEDS]
    random.Random(1).shuffle(contents)
    read = cues.read([hedged.format(content) for content in contents])
    assert np.ptp(read.mean) < 0.01
    assert np.ptp(np.log(read.concentration)) < 0.05


def test_a_hedge_weighs_what_it_speaks_of():
    """By hand: the first sentence carries half; of the rest, 4 and 6 words of 10."""
    found = parts("It is Bonn. It may be old. The Rhine flows north of it.")
    assert [part.share for part in found] == pytest.approx([0.5, 0.5 * 4 / 10, 0.5 * 6 / 10])
    assert [[cue.name for cue in part.cues] for part in found] == [[], ["may"], []]


def test_a_comment_speaks_of_all_and_of_itself_where_it_is_alone():
    found = parts("It is Bonn. It is on the Rhine. But I could be wrong.")
    assert [[cue.name for cue in part.cues] for part in found] == [["wrong"], ["wrong"]]
    assert [part.share for part in parts("I could be wrong. I am not sure.")] == [1.0]


@pytest.mark.parametrize("text", ["", " ", "...", "?!. .", "Well. Yes.", "It is 3.5. " * 50])
def test_shares_add_up(text):
    found = parts(text)
    assert sum(part.share for part in found) == pytest.approx(1)
    assert all(0 < part.share <= 1 for part in found)


def test_a_sentence_reads_as_it_did_alone(cues):
    one, twice = cues.read(["Perhaps it is Bonn.", "Perhaps it is Bonn. Perhaps it is old."])
    assert one.mean == pytest.approx(twice.mean)
    assert one.concentration == pytest.approx(twice.concentration)


def test_a_question_to_the_reader_says_nothing_of_the_answer(cues):
    answer, asked, doubted = cues.read(
        ["It is Bonn.", "It is Bonn. Shall I tell you more?", "Perhaps it is Bonn. Shall I tell you more?"]
    ).mean
    assert asked == pytest.approx(answer)
    assert doubted == pytest.approx(cues.read(["Perhaps it is Bonn."]).mean[0])


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Who built it, then? Perhaps the Romans.", "Perhaps the Romans."),
        ("Who might have built it? The Romans did.", "The Romans did."),
        ("It is Bonn. Could it be old?", "It is Bonn."),
        ("Maybe Paris? It is a large city.", "Maybe Paris. It is a large city."),
        (
            "Maybe it's lithium? It has three protons. Yes, it's lithium.",
            "It has three protons. Yes, it's lithium.",
        ),
    ],
)
def test_a_question_is_an_answer_only_where_nothing_else_is_or_it_guesses_first(cues, text, answer):
    asked, plain = cues.read([text, answer]).mean
    assert asked == pytest.approx(plain)


def test_a_doubt_that_is_asked_first_weighs_as_one_that_is_said(cues):
    asked, doubted, plain = cues.read(
        [
            f"{answer} It is long."
            for answer in ("Could it be the Nile?", "Might it be the Nile.", "It is the Nile.")
        ]
    ).mean
    assert asked == pytest.approx(doubted, abs=0.05)
    assert asked < plain - 0.2


@pytest.mark.parametrize(
    "comment", ["I'm 30% sure.", "I would say there is a 30% chance.", "Confidence: 3/10", "I'm 3/10 sure."]
)
@pytest.mark.parametrize("between", [" ", "\n"])
def test_a_stated_chance_after_the_answer_is_that_of_the_answer(cues, comment, between):
    assert cues.read([f"It is Bonn.{between}{comment}"]).mean[0] == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("Birds may be descended from dinosaurs.", 0.3, 0.6),
        ("Continents may drift apart.", 0.9, 1),
        ("Tumors may shrink.", 0.9, 1),
        ("A president may win.", 0.9, 1),
        ("Sugar may affect blood glucose.", 0.9, 1),
        ("People may die.", 0.9, 1),
        ("A tenant may leave.", 0.9, 1),
        ("Dogs may be brought on a lead.", 0.9, 1),
        ("The article says that Rome was possibly founded in 753 BC.", 0.3, 0.6),
        ("The passage says that the answer is probably 5.", 0.5, 0.85),
        ("Paris has a 70% chance.", 0.65, 0.75),
        ("There is a 30% chance of heavy rain.", 0.9, 1),
        ("Sorry, the last answer was wrong: it is Bonn.", 0.9, 1),
        ("Sorry for the confusion: it is Bonn.", 0.9, 1),
        ("Well, not known.", 0, 0.3),
        ("Hmm — not known.", 0, 0.3),
        ("Its author is not known.", 0.9, 1),
        ("Accidents may happen.", 0.9, 1),
    ],
)
def test_a_hedge_is_heard_unless_something_shows_that_it_speaks_of_the_matter(cues, text, low, high):
    assert low <= cues.read([text]).mean[0] <= high
