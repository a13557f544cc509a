"""The meaning check: reversals, additions and losses are found, hedges are not taken for them."""

import pytest

from ralc.english import changed_meaning, place_hedge
from ralc.lexicon import load_hedges

TEHRAN = "The capital of Iran is Tehran."


@pytest.mark.parametrize(
    ("answer", "rewrite", "found"),
    [
        (TEHRAN, "It is probably not the case that the capital of Iran is Tehran.", "reversed"),
        (TEHRAN, "The capital of Iran isn't Tehran.", "reversed"),
        ("The capital is not Lyon.", "The capital is Lyon.", "reversed"),
        ("The background does not say the time zone.", "The background indicates the time zone.", "reversed"),
        (TEHRAN, "I am sure that the capital of Iran is Tehran, with 9 million people.", "added"),
        ("It rains.", "It rains, since warm air rises over mountains and cools there.", "added"),
        (TEHRAN, "The capital of Iran is Isfahan.", "lost"),
        (TEHRAN, "The capital of Iran is uncertain.", "lost"),
        (TEHRAN, "", "lost"),
        (TEHRAN, "According to the background, the capital of Iran is Tehran.", ""),
        (TEHRAN, "Tehran may be the capital of Iran, but I'm not certain.", ""),
        (TEHRAN, "I am about 60 percent sure that the capital of Iran is Tehran.", ""),
        (TEHRAN, "It is more likely than not that the capital of Iran is Tehran.", ""),
        ("Sales rose by 60 percent.", "Perhaps sales rose by 60 percent.", ""),
        ("The capital is not Lyon.", "I doubt it, but the capital is not Lyon.", ""),
        ("", "", ""),
    ],
)
def test_what_a_rewrite_does_beside_hedging(answer, rewrite, found):
    assert changed_meaning(answer, rewrite) == found


@pytest.mark.parametrize("answer", [TEHRAN, "Mercury is not a planet of iron.", "1,290 km"])
def test_no_hedge_in_its_place_changes_a_claim_but_those_that_turn_it_round(answer):
    hedges = load_hedges()
    honest = hedges[(hedges["kind"] == "confidence") & (hedges["polarity"] != "reverses")]
    placed = {
        (hedge, text)
        for hedge, frame in zip(honest["expression"], honest["frame"], strict=True)
        for text in place_hedge(hedge, frame, answer)
    }
    assert {(hedge, change) for hedge, text in placed if (change := changed_meaning(answer, text))} == set()
