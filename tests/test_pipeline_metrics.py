"""Metrics: what is planned and compared, and that the evaluation keeps to it (`test_results`: what any run fulfils)."""

import numpy as np
import pandas as pd
import pytest

from ralc import Beta, metrics
from ralc.conditions import Condition, having
from ralc.pipeline import measures
from ralc.pipeline.metric_evaluation import Settings
from ralc.pipeline.metrics_plan import View, plan
from ralc.registry import CONTROLLED, METHODS
from ralc.schemas import check
from tests import synthetic

WORDS = Condition("ralc", "m", "d", "d", "token_probability", "ralc", "linguistic", "cue_model_b")
ORIGINAL = WORDS._replace(train="none", signal="none", method="original")
RAW = WORDS._replace(train="none", method="original", space="signal", evaluator="none")
ALL = View("all", "default", 10)
SETTINGS = Settings({"default": 10}, resamples=30, null_repeats=5)


def metrics_of(rows: list, versus: str, condition: Condition = WORDS) -> set[str]:
    """The metrics of a condition's rows."""
    return {row.metric for row in rows if row.versus == versus and row.condition == condition}


def test_what_cannot_apply_is_not_planned():
    rows = plan([WORDS, WORDS.calibrated_signal, ORIGINAL, RAW], [ALL])
    of_words = metrics_of(rows, "none")
    of_originals = metrics_of(rows, "none", ORIGINAL)
    assert {"fallback_rate", "spearman_mean"} <= of_words
    assert "fallback_rate" not in metrics_of(rows, "none", WORDS.calibrated_signal)
    assert not {"fallback_rate", "spearman_mean", "content_preservation"} & of_originals
    assert metrics_of(rows, "hedged_qa") == set()  # it did not run
    assert "auroc" in metrics_of(rows, "signal")


def test_subjects_and_corners_are_brief():
    brief = [ALL._replace(subset=subset, brief=True) for subset in ("law", *CONTROLLED)]
    rows = plan([WORDS, WORDS._replace(train="e"), ORIGINAL, RAW], [ALL, *brief])
    law = [row for row in rows if row.view.subset == "law"]
    assert {row.condition.train for row in law} == {"d", "none"}
    assert {row.versus for row in law} == {"none", "original"}
    corner = {row.condition for row in rows if row.view.subset == "high mean, high concentration, wrong"}
    assert corner == {RAW}


@pytest.fixture(scope="module")
def one_set() -> pd.DataFrame:
    """Made-up items of one dataset and two signals, read by one evaluator."""
    items = synthetic.make_items(synthetic.make_questions(("worldfacts-qa",), 24))
    few = items["signal"].isin(["none", "token_probability", "semantic_uncertainty"])
    return having(items[few], evaluator=["none", "cue_model_b"]).reset_index(drop=True)


@pytest.fixture(scope="module")
def table(one_set) -> pd.DataFrame:
    """Their metrics."""
    return check(measures.compute(one_set, SETTINGS), "metrics")


@pytest.mark.long
def test_another_variant_moves_no_other_number_and_processes_none(one_set, table):
    words = having(one_set, method="ralc", space="linguistic")
    more = measures.compute(pd.concat([one_set, words.assign(variant="hedges=1")]), SETTINGS)
    kept = more[more["variant"] != "hedges=1"].reset_index(drop=True)
    pd.testing.assert_frame_equal(check(kept, "metrics"), table)
    two = pd.concat([one_set, one_set.assign(target="b")], ignore_index=True)
    apart, together = (measures.compute(two, SETTINGS, processes=number) for number in (2, 1))
    pd.testing.assert_frame_equal(apart, together)
    versus = {"none", "signal", *METHODS} - {"ralc"}
    assert set(table.query("method == 'ralc' and space == 'linguistic'")["versus"]) == versus


def test_a_constant_side_has_no_rank_correlation(table):
    rows = having(table, metric="spearman_concentration", subset="all")
    rows = rows.set_index("signal")[["value", "ci_low", "ci_high"]]
    # Semantic uncertainty has concentration 21 for every answer, up to rounding.
    assert rows.loc["semantic_uncertainty"].isna().all(axis=None)
    assert rows.loc["token_probability"].notna().all(axis=None)
    corners = having(table, subset=list(CONTROLLED))
    assert "semantic_uncertainty" not in set(corners["signal"])
    assert "token_probability" in set(corners["signal"])


def test_changed_meanings_are_a_rate_of_the_texts_that_were_compared(one_set):
    rows = one_set["method"].eq("ralc") & one_set["space"].eq("linguistic")
    changed = one_set["meaning_changed"].mask(rows, one_set["question_id"] < "worldfacts-qa-006")
    table = measures.compute(one_set.assign(meaning_changed=changed.astype(float)), SETTINGS)
    found = having(table, metric=["meaning_changed", "not_entailed"], subset="all")
    assert set(found["metric"]) == {"meaning_changed"}  # no model of entailment was asked
    assert found.groupby("method")["value"].first().to_dict() == {"ralc": 0.25, "direct_beta": 0.0}


def test_numbers_of_a_subject_are_of_its_answers(one_set, monkeypatch):
    monkeypatch.setattr(measures, "SUBJECT", 12)
    subjects = one_set.assign(subject=np.where(one_set["question_id"] < "worldfacts-qa-012", "law", "art"))
    raw = "subject == 'law' and space == 'signal' and method == 'original' and signal == 'token_probability'"
    rows = subjects.query(raw).dropna(subset=["outcome", "alpha"])
    expected = metrics.faithfulness_divergence(rows["outcome"].to_numpy(float), Beta.from_table(rows)).mean()
    found = check(measures.compute(subjects, SETTINGS), "metrics").query(raw.replace("subject", "subset"))
    found = having(found, metric="faithfulness_divergence")
    assert found[["value", "n"]].to_numpy().tolist() == [[pytest.approx(expected), len(rows)]]


def test_a_protocol_may_draw_the_generalised_ece(one_set, table):
    drawn = measures.compute(one_set, Settings({"default": 10}, resamples=20, null_repeats=5, samples=1000))
    keys = [*Condition._fields, "subset", "versus", "metric"]
    both = drawn.merge(table, on=keys, suffixes=("", "_exact"))
    error = (both["value"] - both["value_exact"]).abs().groupby(both["metric"]).max()
    # The worst of all conditions, each of which draws by its own name.
    assert 0 < error["generalised_ece"] < 0.03
    assert error["faithfulness_divergence"] == 0


def test_without_the_answers_not_attempted(one_set):
    some = one_set.replace({"grade": {"NOT_ATTEMPTED": "INCORRECT"}})
    some.loc[some["question_id"] == some["question_id"].iloc[0], ["grade", "outcome"]] = ["NOT_ATTEMPTED", 0]
    rows = measures.compute(some, SETTINGS).query("metric == 'not_attempted_rate' and subset == 'all'")
    rows = rows.query("method == 'original' and space == 'signal'").groupby("variant")
    assert rows["n"].first().to_dict() == {"default": 24, "not_attempted=dropped": 23}
    rates = {"default": pytest.approx(1 / 24), "not_attempted=dropped": 0}
    assert rows["value"].first().to_dict() == rates


def test_a_condition_without_usable_answers_has_its_rates_alone(one_set):
    lost = one_set.copy()
    lost.loc[lost["method"] == "hedged_qa", ["alpha", "beta"]] = np.nan
    table = measures.compute(lost, SETTINGS).query("method == 'hedged_qa' and variant == 'default'")
    rates = having(table, metric="unscored_rate")
    assert set(rates["subset"]) == {"all", "answered", "abstained"}
    assert (rates["value"] == 1).all()
    assert "auroc" not in set(table["metric"])
