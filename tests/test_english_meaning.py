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
        (TEHRAN, "The capital of Iran is Isfahan.", "added"),
        (TEHRAN, "I am sure that the capital of Iran is Tehran, with 9 million people.", "added"),
        ("It rains.", "It rains, since warm air rises over mountains and cools there.", "added"),
        (TEHRAN, "The capital of Iran is Tehran, according to a recent survey.", "added"),
        (TEHRAN, "Studies show that the capital of Iran is Tehran.", "added"),
        (TEHRAN, "The capital of Iran is reportedly Tehran.", "added"),
        (TEHRAN, "According to the background, the capital of Iran is Tehran.", ""),
        ("Reportedly, it rains.", "It reportedly rains, I think.", ""),
        (TEHRAN, "I am not sure.", "lost"),
        (TEHRAN, "The capital of Iran is uncertain.", "lost"),
        ("Brasília is in Brazil.", "Brasília seems plausible.", "lost"),
        ("Paris is the capital of France.", "It is probably Paris.", ""),
        ("The capital is Rome, but I am not sure.", "The capital is perhaps Rome.", ""),
        ("Tehran is in Iran, Asia.", "Tehran may be in Asia.", ""),
        (TEHRAN, "", "lost"),
        (TEHRAN, "Tehran may be the capital of Iran, but I'm not certain.", ""),
        (TEHRAN, "I am about 60 percent sure that the capital of Iran is Tehran.", ""),
        (TEHRAN, "It is more likely than not that the capital of Iran is Tehran.", ""),
        ("Sales rose by 60 percent.", "Perhaps sales rose by 60 percent.", ""),
        ("3.3 percent.", "I think that it is 3.3 percent.", ""),
        ("The capital is not Lyon.", "I doubt it, but the capital is not Lyon.", ""),
        ("", "", ""),
    ],
)
def test_what_a_rewrite_does_beside_hedging(answer, rewrite, found):
    assert changed_meaning(answer, rewrite) == found


def test_hearsay_that_was_to_be_used_is_no_claim_of_the_rewrite():
    assert changed_meaning(TEHRAN, "The capital of Iran is reportedly Tehran.", ["reportedly"]) == ""
    assert changed_meaning(TEHRAN, "Studies show that the capital of Iran is Tehran.", ["I think"]) == "added"


@pytest.mark.parametrize(
    "answer", [TEHRAN, "Mercury is not a planet of iron.", "1,290 km", "When We Were Kings"]
)
def test_no_hedge_in_its_place_changes_a_claim_but_those_that_turn_it_round(answer):
    hedges = load_hedges()
    honest = hedges[(hedges["kind"] == "confidence") & (hedges["polarity"] != "reverses")]
    found = {
        (one[0], change)
        for one in zip(honest["expression"], honest["frame"], strict=True)
        for text in place_hedge(*one, answer)
        if (change := changed_meaning(answer, text))
    }
    assert not found
