"""Cues in running text: longest match, negation, degree, numbers, whose doubt, and how much each weighs."""

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ralc import evaluators
from ralc.english import read_cues
from ralc.english.hedges.cues import tokenise
from ralc.english.wordlists import cue_classes, matches, patterns
from ralc.evaluators.cue_model import weighted_sentences
from tests.cases import cases

DATA = Path(__file__).parent / "data"
#: Sentences, each with the speaker's cues: class, degree, ``not``, number; and those that were made to trip a reader.
CUES = pd.read_csv(DATA / "cues_read.csv", keep_default_na=False)
WHOSE_DOUBT = pd.read_csv(DATA / "whose_doubt.csv", keep_default_na=False)
#: Texts, and between what a careful person would take the speaker's confidence to be; written before the rules.
RUNNING = pd.read_csv(DATA / "running_text.csv")
#: How many of each part are read otherwise. The 60 of `others` are by a writer of their own.
MISSED = {"tuned": 14, "aside": 10, "others": 21}


@pytest.fixture(scope="module")
def cues():
    return evaluators.load("cue_model")


@pytest.mark.parametrize(("text", "expected"), [*CUES.itertuples(index=False)])
def test_cues_of_a_sentence(text, expected):
    read = (
        f"{cue.name} {cue.degree} {'not' * cue.negated} {'' if cue.number is None else f'{cue.number:.3g}'}"
        for cue in read_cues(text)
    )
    assert "; ".join(" ".join(one.split()) for one in read) == expected


def test_spans_are_places_in_the_text_and_do_not_overlap():
    text = "I'm not sure, but without a shadow of a doubt it could be Rome, although I have my doubts."
    read = read_cues(text)
    assert text[slice(*read[1].span)] == "without a shadow of a doubt"
    assert all(0 <= cue.start < cue.end <= len(tokenise(text)) for cue in read)
    assert all(one.end <= two.start and one.span[1] <= two.span[0] for one, two in pairwise(read))


def test_every_pattern_is_of_a_known_class_and_has_a_required_word():
    for listed in patterns().values():
        for name, pattern in listed:
            assert name in cue_classes()
            assert not re.fullmatch(pattern, "")
    found = [name for _, _, name in matches(["for", "sure", "it", "is", "a", "bit", "likely"])]
    assert found == ["certain", "likely"]


def test_whose_doubt_a_cue_is_is_told_by_the_parse():
    """All but some of the sentences: no rule is made for a wording that was made to trip the rules."""
    read = [";".join(cue.name for cue in read_cues(text)) for text in WHOSE_DOUBT["text"]]
    missed = WHOSE_DOUBT["text"][WHOSE_DOUBT["cues"] != read]
    assert len(missed) <= 12, missed.tolist()


def test_a_remark_in_brackets_is_the_speakers(cues):
    """As in recorded answers of GPT-4o: a phrase without a verb, and how sure the model is."""
    read = cues.read(["Eye strain", "Eye strain (likely)", "Eel (unlikely)", "Garlic (highly unlikely)"])
    assert (np.diff(read.mean) < -0.05).all()


@pytest.mark.parametrize("part", MISSED)
def test_running_text_is_read_as_a_careful_person_would(cues, part):
    cases = RUNNING[RUNNING["part"] == part]
    read = [np.nan if cues.unread(text) else cues.read([text]).mean[0] for text in cases["text"]]
    missed = cases[~cases["low"].le(read) | ~cases["high"].ge(read)]  # what is refused is missed, too
    assert len(missed) <= MISSED[part], missed["text"].tolist()


@pytest.mark.parametrize(
    "hedged", ["I think that {}.", "{}. I could be wrong.", "There is about a 40 percent chance that {}."]
)
def test_content_is_not_read(cues, hedged):
    people = ["Ada Lovelace", "Mansa Musa", "Tu Youyou", "Jean de La Fontaine", "Wangari Maathai"]
    deeds = ["wrote it", "was born in Lima", "lived near Oslo", "ruled for 25 years", "won"]
    read = cues.read([hedged.format(f"{person} {deed}") for person in people for deed in deeds])
    assert np.ptp(read.mean) < 0.01
    assert np.ptp(np.log(read.concentration)) < 0.05


@cases
def test_a_hedge_weighs_what_it_speaks_of(text, weighted):
    read = weighted_sentences(text)
    names = [" ".join(cue.name for cue in one.cues if cue.name != "question") for one in read]
    assert names == [name for _, name in weighted]
    assert [one.share for one in read] == pytest.approx([share for share, _ in weighted], abs=0.1)
