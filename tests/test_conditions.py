"""What a condition is called, and what it is compared with."""

import pandas as pd

from ralc.conditions import COLUMNS, Condition, rewrite_items
from ralc.schemas import TABLES

WORDS = Condition("ralc", "m", "d", "e", "token_probability", "ralc", "linguistic", "cue_model_b")


def test_the_tables_of_results_have_a_column_for_each_field():
    for table in ("items", "metrics"):
        assert set(COLUMNS) <= set(TABLES[table])


def test_words_are_compared_with_everything_that_could_explain_them():
    others = dict(WORDS.counterparts())
    assert list(others) == [
        "original",
        "in_domain",
        *("direct_beta", "hedged_qa", "constant_hedge", "near_hedges", "base_rate"),
        "signal",
    ]
    assert others["base_rate"].evaluator == "none"  # a number that nobody reads
    assert others["original"] == WORDS._replace(method="original", train="none", signal="none")
    assert others["in_domain"].train == "d"
    assert others["constant_hedge"].train == "e"
    assert others["signal"] == WORDS._replace(space="signal", evaluator="none") == WORDS.aim


def test_the_own_map_has_no_other_map_and_the_original_nothing():
    assert "in_domain" not in dict(WORDS._replace(train="d").counterparts())
    assert list(WORDS._replace(method="original", train="none", signal="none").counterparts()) == []


def test_signal_space_is_compared_with_its_own_raw_signal():
    others = dict(WORDS.aim._replace(train="d").counterparts())
    assert list(others) == ["original"]
    assert others["original"].signal == "token_probability"


def test_a_variant_is_compared_with_the_default_and_with_baselines_that_it_did_not_touch():
    variant = WORDS._replace(variant="hedges=3")
    others = dict(variant.counterparts())
    assert others["default"] == WORDS
    baseline = others["hedged_qa"]
    assert baseline.among([baseline.plain]) == baseline.plain
    assert baseline.among([baseline.plain, baseline]) == baseline
    assert baseline.among([]) is None


def test_items_of_the_default_variant_keep_their_names():
    plan = pd.DataFrame(
        {
            "target": "m",
            "question_id": "q",
            "sentence": 0,
            "train": "d",
            "signal": "none",
            "method": "ralc",
            "variant": ["default", "loop=open"],
        }
    )
    assert rewrite_items(plan).tolist() == ["m/q/d/none/ralc", "m/q/d/none/ralc/loop=open"]
