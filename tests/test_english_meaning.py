"""The meaning check: reversals, additions and losses are found, hedges are not taken for them."""

import pytest

from ralc.english import changed_meaning, place_hedge
from ralc.lexicon import load_hedges
from tests.cases import cases

TEHRAN = "The capital of Iran is Tehran."


@cases
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
