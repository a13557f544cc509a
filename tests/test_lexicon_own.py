"""A user's own hedges, on a medical list: own readings, broken sentences, words that no reader understands."""

from pathlib import Path

import pandas as pd
import pytest

from ralc import lexicon, rewriting
from ralc.lexicon.own import breaks, own_readings
from ralc.pipeline import text_readings

MEDICAL = Path(__file__).parent / "data/hedges_medical.csv"


@pytest.fixture(scope="module")
def hedges():
    return lexicon.load_hedges(MEDICAL)


@pytest.fixture(scope="module")
def fitted(hedges):
    sentences = rewriting.parse_lexicon(hedges, None, None, sentences=4, method="guided", seed=1)
    scores = text_readings.score(sentences, "cues", {"method": "cues"})
    return lexicon.fit_lexicon(hedges, scores).table.set_index("expression")


def test_own_readings_are_the_entries_and_the_others_are_read(fitted):
    mean = fitted["alpha"] / (fitted["alpha"] + fitted["beta"])
    assert mean["most likely"] == pytest.approx(0.80)
    # k = mean (1 - mean) / sd^2 - 1 = .16 / .01 - 1
    assert fitted.loc["most likely", ["alpha", "beta"]].sum() == pytest.approx(15)
    assert fitted["n"].drop("perhaps").eq(40).all()
    assert 0.2 < mean["perhaps"] < 0.6
    assert fitted.loc["perhaps", "n"] == 4


def test_what_breaks_a_sentence_is_left_out_and_shown(hedges, fitted):
    said = "\n".join(lexicon.remarks(lexicon.foreseen(hedges)))
    assert (
        "hedge 'consistent with' is left out: no reader finds in it how sure it sounds, and as adverb" in said
    )
    assert "it makes 'The patient consistent with has pneumonia.'" in said
    assert "'suggestive of' is left out" in said
    broken = fitted["flags"].str.contains("frame")
    assert set(fitted.index[broken]) == {"consistent with", "suggestive of"}


def test_what_no_reader_understands_is_said_at_once(hedges, fitted):
    (line,) = [line for line in lexicon.remarks(lexicon.foreseen(hedges)) if "pathognomonically" in line]
    assert "no reader finds in it how sure it sounds" in line
    assert "unread" in fitted.loc["pathognomonically", "flags"]


def test_the_committed_hedges_break_nothing():
    ours = lexicon.load_hedges()
    assert [row.expression for row in ours.itertuples() if breaks(row.expression, row.frame)] in (
        [],
        ["I'm sure"],
    )
    assert lexicon.remarks(lexicon.foreseen(ours)) == []


@pytest.mark.parametrize(
    ("cells", "alpha", "beta"),
    [
        ({"mean": "0.7", "sd": "0.1"}, 14.0, 6.0),
        ({"alpha": "3", "beta": "1.5", "n": "12"}, 3.0, 1.5),
    ],
)
def test_readings_are_a_pair(cells, alpha, beta):
    found = own_readings(cells, "here")
    assert (found["own_alpha"], found["own_beta"]) == pytest.approx((alpha, beta))


@pytest.mark.parametrize(
    "cells",
    [
        {"mean": "0.7"},
        {"mean": "1.2", "sd": "0.1"},
        {"mean": "0.5", "sd": "0.6"},
        {"mean": "high", "sd": "0.1"},
        {"alpha": "0", "beta": "1"},
        {"alpha": "inf", "beta": "1"},
        {"alpha": "1", "beta": "1e300"},
        {"alpha": "2", "beta": "1", "n": "2.5"},
        {"mean": "0.5", "sd": "0.1", "alpha": "2", "beta": "1"},
    ],
)
def test_half_a_pair_or_no_distribution_is_refused(cells):
    with pytest.raises(ValueError, match=r"hedges\.csv: line 3: .* is no reading"):
        own_readings(cells, "hedges.csv: line 3")


def test_own_hedges_go_over_ours_with_their_readings(tmp_path):
    both = lexicon.load_hedges(MEDICAL, extend=True).set_index("expression")
    assert len(both) > 300
    assert both["own_alpha"].notna().sum() == 9
    assert pd.isna(both.loc["perhaps", "own_alpha"])
