"""A user's own hedges, on a medical list: own readings, broken sentences, words that no evaluator understands."""

from pathlib import Path

import pandas as pd
import pytest

from ralc import lexicon, rewriting
from ralc.lexicon.flags import ENOUGH
from ralc.pipeline import text_readings

MEDICAL = Path(__file__).parent / "data/hedges_medical.csv"


@pytest.fixture(scope="module")
def hedges():
    return lexicon.load_hedges(MEDICAL)


@pytest.fixture(scope="module")
def fitted(hedges):
    sentences = rewriting.parse_lexicon(hedges, None, None, sentences=4, method="guided", seed=1)
    scores = text_readings.score(sentences, "cue_model", {"method": "cue_model"})
    return lexicon.fit_lexicon(hedges, scores).table.set_index("expression")


def test_own_readings_are_the_entries_and_the_others_are_read(fitted):
    mean = fitted["alpha"] / (fitted["alpha"] + fitted["beta"])
    assert mean["most likely"] == pytest.approx(0.80)
    # k = mean (1 - mean) / sd^2 - 1 = .16 / .01 - 1
    assert fitted.loc["most likely", ["alpha", "beta"]].sum() == pytest.approx(15)
    assert fitted["n"].drop("perhaps").eq(40).all()
    assert 0.2 < mean["perhaps"] < 0.6
    assert fitted.loc["perhaps", "n"] == 4


def test_what_cannot_be_used_is_said_before_anything_is_spent(hedges, fitted):
    told = lexicon.remarks(lexicon.foreseen(hedges))
    said = "\n".join(told)
    assert (
        "'consistent with' is left out: no evaluator finds in it how sure it sounds, and it waits for a noun"
        in said
    )
    assert "'pathognomonically' is left out: no evaluator finds in it" in said
    assert told[-1].startswith(
        f"lexicon: {len(hedges) - len(told) + 1} of {len(hedges)} expressions can be used"
    )
    assert set(fitted.index[fitted["flags"].str.contains("frame")]) == {"consistent with", "suggestive of"}
    assert lexicon.remarks(lexicon.foreseen(hedges), "used") == []
    ours = lexicon.foreseen(lexicon.load_hedges())
    assert (ours["flags"] == "").sum() > ENOUGH
    assert lexicon.remarks(ours) == []
    assert not ours["flags"].str.contains("frame").any()


def test_an_empty_lexicon_says_why_each_went():
    useless = {
        "theoretically": "adverb",
        "research suggests": "clause",
        "green": "adverb",
        "of course": "adverb",
    }
    table = pd.DataFrame({"expression": [*useless], "frame": [*useless.values()], "source": "model"})
    with pytest.raises(ValueError, match="none of its 4 expressions can be used") as told:
        lexicon.remarks(lexicon.foreseen(lexicon.load_hedges(sourced=table)))
    for part in (
        "'research suggests': it claims evidence",
        "'theoretically': it says what could",
        "lexicon.lists",
    ):
        assert part in str(told.value)
