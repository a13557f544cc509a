"""What a condition is compared with, and what its items are called."""

import pandas as pd

from ralc.conditions import COLUMNS, Condition, rewrite_items
from ralc.schemas import TABLES

WORDS = Condition("ralc", "m", "d", "e", "token_probability", "ralc", "linguistic", "cue_model_b")


def test_words_are_compared_with_everything_that_could_explain_them():
    assert all(set(COLUMNS) <= set(TABLES[table]) for table in ("items", "metrics"))
    others = dict(WORDS.counterparts())
    baselines = ("direct_beta", "hedged_qa", "constant_hedge", "random_near_hedge", "base_rate")
    assert list(others) == ["original", "in_domain", *baselines, "signal"]
    assert others["base_rate"].evaluator == "none"  # a number that nobody reads
    assert others["original"] == WORDS._replace(method="original", train="none", signal="none")
    assert (others["in_domain"].train, others["constant_hedge"].train) == ("d", "e")
    assert others["signal"] == WORDS._replace(space="signal", evaluator="none") == WORDS.aim
    assert list(others["original"].counterparts()) == []
    own = dict(WORDS.aim._replace(train="d").counterparts())
    assert {name: one.signal for name, one in own.items()} == {"original": "token_probability"}


def test_a_variant_is_compared_with_the_default_and_with_baselines_that_it_did_not_touch():
    others = dict(WORDS._replace(variant="hedges=3").counterparts())
    assert others["default"] == WORDS
    baseline = others["hedged_qa"]
    assert baseline.among([baseline.plain]) == baseline.plain
    assert baseline.among([baseline.plain, baseline]) == baseline
    assert baseline.among([]) is None


def test_items_of_the_default_variant_keep_their_names():
    ids = {"target": "m", "question_id": "q", "sentence": 0, "train": "d", "signal": "none", "method": "ralc"}
    plan = pd.DataFrame({**ids, "variant": ["default", "loop=open"]})
    assert rewrite_items(plan).tolist() == ["m/q/d/none/ralc", "m/q/d/none/ralc/loop=open"]
