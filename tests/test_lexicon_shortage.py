"""What is said of a lexicon that comes out thin or empty, before anything is spent on it."""

import pandas as pd
import pytest

from ralc.lexicon import foreseen, load_hedges, remarks
from ralc.lexicon.auditing import DISHONEST
from ralc.lexicon.shortage import _WHY, ENOUGH


def listed(*expressions, source="model"):
    rows = [{"expression": one, "frame": frame, "source": source} for one, frame in expressions]
    return load_hedges(sourced=pd.DataFrame(rows))


USELESS = [
    ("theoretically", "adverb"),
    ("research suggests", "clause"),
    ("green", "adverb"),
    ("of course", "adverb"),
]


def test_an_empty_lexicon_says_why_each_went_and_what_to_do():
    with pytest.raises(ValueError, match="none of its 4 expressions can be used") as told:
        remarks(foreseen(listed(*USELESS)))
    said = str(told.value)
    for part in (
        "'research suggests': it claims evidence",
        "'theoretically': it says what could be",
        "'green': no reader finds in it",
        "'of course': it says what others think",
        "more lists (lexicon.lists) or other models (lexicon.sources)",
        "choices: {hedges: all}",
    ):
        assert part in said
    assert "add ours" not in said  # what models propose stands in place of ours, which cannot be added to it
    with pytest.raises(ValueError, match=r"add ours to your own \(lexicon.extend: true\)"):
        remarks(foreseen(listed(*USELESS, source="user")))


def test_a_thin_lexicon_says_what_is_left_and_what_went():
    thin = foreseen(listed(*USELESS, ("probably", "adverb"), ("I doubt", "clause")))
    *lost, few = remarks(thin)
    assert len(lost) == 4
    assert few.startswith("lexicon: 2 of 6 expressions can be used")
    assert remarks(thin, "used") == []
    assert len(remarks(thin.assign(source="ours"))) == 5  # of few, each that went is told, whoever wrote it


def test_what_readings_show_is_said_too():
    read = foreseen(load_hedges()).assign(flags="").head(30)
    read.loc[read.index[0], ["source", "flags"]] = ["user", "wording;readers"]
    (line,) = remarks(read)
    assert "other side of the middle" in line
    assert "another reader" in line


def test_our_own_lexicon_is_neither_thin_nor_remarked_on():
    ours = foreseen(load_hedges())
    assert (ours["flags"] == "").sum() > ENOUGH
    assert remarks(ours) == []


def test_every_flag_has_its_words():
    assert set(_WHY) >= DISHONEST
