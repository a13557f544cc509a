"""Items: every held-out answer under every condition."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ralc import schemas
from ralc.conditions import having
from ralc.pipeline import items

HELD_OUT = [f"q{i}" for i in range(3, 10)]


@pytest.fixture(scope="module")
def made() -> pd.DataFrame:
    """Seven answers, the first unread, ungraded and written freely, and the phrases that people were asked about.

    The datasets of the configuration stand in its order, whatever their names.
    """
    columns = json.loads((Path(__file__).parent / "data" / "held_out.json").read_text())
    given = {name: pd.DataFrame(table) for name, table in columns.items()}
    for name in ("grades", "rewrite_grades"):
        given[name]["outcome"] = given[name]["outcome"].astype("Int8")
    given["calibrated"] = given["signals"].assign(train="d", dataset="d", variant="default")
    given["questions"] = given["questions"].assign(turn=range(1, 1 + len(given["questions"])))
    unasked = dict.fromkeys(["not_entailed", "p_entail", "p_neutral", "p_contradict"], np.nan)
    given["preservation"] = given["preservation"].assign(**unasked)
    table = items.assemble(**given, protocol="ralc", methods=["ralc", "hedged_qa"])
    return schemas.check(table, "items")


def test_every_condition_has_every_held_out_question(made):
    assert made.dataset.unique().tolist() == ["d", "a"]
    sizes = having(made, variant="default").groupby(["space", "method"]).size().to_dict()
    methods = [("linguistic", method) for method in ("hedged_qa", "original", "ralc")]
    assert sizes == dict.fromkeys([*methods, ("signal", "original"), ("signal", "ralc")], 7)


def test_an_item_has_the_turn_of_its_question(made):
    turns = made.groupby("question_id")["turn"].unique().map(list)
    columns = json.loads((Path(__file__).parent / "data" / "held_out.json").read_text())
    ids = list(columns["questions"]["question_id"])
    assert turns.to_dict() == {name: [ids.index(name) + 1] for name in turns.index}


def test_people_read_their_own_variant_alone_and_no_answer_that_is_not_hedged(made):
    people = having(made, evaluator="people")
    assert set(people.variant) == {"lexicon=people"}
    assert people[people.alpha.isna()].question_id.tolist() == HELD_OUT[:1]


def test_an_unread_text_and_an_ungraded_answer_stay(made):
    words = having(made, variant="default", space="linguistic")
    words = words.set_index(["question_id", "method"])
    assert pd.isna(words.alpha["q3", "original"])
    assert words.grade["q3", "original"] == "unparsed"
    rewritten = words.loc[("q3", "ralc")]
    assert rewritten.content_preservation == 0.5
    assert rewritten.meaning_changed == 1
    assert rewritten.hedges == ["perhaps"]
    # A text that was written freely has the outcome of what it says; the others keep the original's.
    assert rewritten.grade == "INCORRECT"
    assert rewritten.outcome == 0
    assert set(words.grade.xs("ralc", level="method").drop("q3")) == {"CORRECT"}
