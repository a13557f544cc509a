"""What is computed and compared, before anything is computed; and that the evaluation keeps to it."""

import numpy as np
import pandas as pd
import pytest

from ralc import Beta, metrics
from ralc.conditions import Condition
from ralc.pipeline import measures
from ralc.pipeline.metric_evaluation import Settings
from ralc.pipeline.metrics_plan import View, plan, views
from ralc.registry import CONTROLLED
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


def test_a_difference_has_two_terms_on_the_answers_of_both():
    rows = plan([WORDS, ORIGINAL], [ALL])
    row = next(row for row in rows if row.versus == "original" and row.metric == "auroc")
    (mine, plus), (theirs, minus) = row.terms
    assert (plus, minus) == (1.0, -1.0)
    assert (mine.condition, mine.shared) == (WORDS, ORIGINAL)
    assert (theirs.condition, theirs.shared) == (ORIGINAL, WORDS)


def test_what_cannot_apply_is_not_planned():
    rows = plan([WORDS, WORDS.aim, ORIGINAL, RAW], [ALL])
    assert "fallback_rate" in metrics_of(rows, "none")
    assert "fallback_rate" not in metrics_of(rows, "none", WORDS.aim)
    assert "fallback_rate" not in metrics_of(rows, "none", ORIGINAL)
    assert "spearman_mean" in metrics_of(rows, "none")
    assert "spearman_mean" not in metrics_of(rows, "none", ORIGINAL)
    assert "content_preservation" not in metrics_of(rows, "none", ORIGINAL)
    assert metrics_of(rows, "hedged_qa") == set()  # it did not run
    assert "auroc" in metrics_of(rows, "signal")


def test_finer_bins_are_asked_of_the_signals_alone():
    finer = plan(
        [WORDS, WORDS.aim, RAW], views({"default": 10, "bins=100": 100}, halves=False, attempted=False)
    )
    rows = [row for row in finer if row.view.variant == "bins=100"]
    assert {row.condition.space for row in rows} == {"signal"}
    assert {row.shown["variant"] for row in rows} == {"bins=100"}
    assert metrics_of(rows, "original", WORDS.aim) == {"generalised_ece", "expected_calibration_error"}


def test_a_variant_meets_the_default_and_the_untouched_baselines():
    variant = WORDS._replace(variant="hedges=3")
    rows = plan([WORDS, variant, ORIGINAL], [ALL])
    assert metrics_of(rows, "default", variant)
    assert metrics_of(rows, "original", variant)
    assert {row.shown["variant"] for row in rows if row.condition == variant} == {"hedges=3"}


def test_subjects_and_corners_are_brief():
    seen = views({"default": 10}, halves=True, attempted=True, subjects=["law"])
    rows = plan([WORDS, WORDS._replace(train="e"), ORIGINAL, RAW], seen)
    law = [row for row in rows if row.view.subset == "law"]
    assert {row.condition.train for row in law} == {"d", "none"}
    assert {row.versus for row in law} == {"none", "original"}
    corner = {row.condition for row in rows if row.view.subset == "high mean, high concentration, wrong"}
    assert corner == {RAW}


@pytest.fixture(scope="module")
def items() -> pd.DataFrame:
    """Made-up items of one dataset."""
    return synthetic.make_items(synthetic.make_questions(("worldfacts-qa",), 24))


def test_another_variant_moves_no_other_number(items):
    table = measures.compute(items, SETTINGS)
    words = items[(items["method"] == "ralc") & (items["space"] == "linguistic")]
    more = measures.compute(pd.concat([items, words.assign(variant="hedges=1")]), SETTINGS)
    kept = more[more["variant"] != "hedges=1"].reset_index(drop=True)
    pd.testing.assert_frame_equal(kept, table)


def test_targets_on_two_processes_give_the_same_table(items):
    two = pd.concat([items, items.assign(target="b")], ignore_index=True)
    pd.testing.assert_frame_equal(
        measures.compute(two, SETTINGS, processes=2), measures.compute(two, SETTINGS)
    )


def test_a_constant_side_has_no_rank_correlation(items):
    table = measures.compute(items, SETTINGS)
    rows = table[(table["metric"] == "spearman_concentration") & (table["subset"] == "all")].set_index(
        "signal"
    )[["value", "ci_low", "ci_high"]]
    # Semantic uncertainty has concentration 21 for every answer, up to rounding.
    assert rows.loc["semantic_uncertainty"].isna().all(axis=None)
    assert rows.loc["token_probability"].notna().all(axis=None)
    noise = 21 + 1e-14 * np.arange(9)
    assert np.isnan(metrics.spearman(noise, np.arange(9)))


def test_changed_meanings_are_a_rate_of_the_texts_that_were_compared(items):
    rows = items["method"].eq("ralc") & items["space"].eq("linguistic")
    changed = items.assign(
        meaning_changed=items["meaning_changed"].mask(rows, items["question_id"] < "worldfacts-qa-006")
    )
    table = measures.compute(changed.astype({"meaning_changed": float}), SETTINGS)
    found = table[table["metric"].isin(["meaning_changed", "not_entailed"]) & (table["subset"] == "all")]
    assert set(found["metric"]) == {"meaning_changed"}  # no model of entailment was asked
    by_method = found.groupby("method")["value"].first()
    assert by_method.to_dict() == {"ralc": 0.25, "direct_beta": 0.0}


def test_words_are_read_as_meant_or_not_where_there_are_words(items):
    words = items.query("method == 'ralc' and space == 'linguistic' and signal == 'token_probability'")
    words = words[words["evaluator"] == "cue_model_b"].dropna(subset=["outcome", "alpha"])
    passed = items.index.isin(words.index[words["alpha"].rank() > 8])
    table = measures.compute(items.assign(origin=items["origin"].mask(passed, "passed")), SETTINGS)
    about = "method == 'ralc' and signal == 'token_probability' and evaluator == 'cue_model_b' and subset == 'all'"
    found = table.query(f"{about} and variant == 'default' and versus == 'none'").set_index("metric")
    aims = items.query("method == 'ralc' and space == 'signal' and signal == 'token_probability'")
    aims, hedged = aims.set_index("question_id"), words[~words.index.isin(items.index[passed])]
    meant = Beta.from_table(aims.loc[hedged["question_id"]]).mean
    expected = metrics.spearman(meant, Beta.from_table(hedged).mean)
    assert found.loc["spearman_mean_hedged", ["value", "n"]].tolist() == [pytest.approx(expected), 8]
    assert found.loc["spearman_mean", "n"] == len(words)


def test_without_two_concentrations_there_are_no_firm_and_loose_answers(items):
    table = measures.compute(items, SETTINGS)
    corners = table[table["subset"].isin(list(CONTROLLED))]
    assert "semantic_uncertainty" not in set(corners["signal"])
    assert "token_probability" in set(corners["signal"])


def test_numbers_of_a_subject_are_of_its_answers(items):
    subjects = items.assign(subject=np.where(items["question_id"] < "worldfacts-qa-012", "law", "art"))
    table = check(_with_subjects(subjects), "metrics")
    rows = subjects.query(
        "subject == 'law' and space == 'signal' and method == 'original' and signal == 'token_probability'"
    ).dropna(subset=["outcome", "alpha"])
    expected = metrics.faithfulness_divergence(rows["outcome"].to_numpy(float), Beta.from_table(rows)).mean()
    found = table.query(
        "subset == 'law' and space == 'signal' and method == 'original' and signal == 'token_probability' and "
        "metric == 'faithfulness_divergence'"
    )
    assert found["value"].tolist() == [pytest.approx(expected)]
    assert found["n"].tolist() == [len(rows)]


def _with_subjects(items: pd.DataFrame) -> pd.DataFrame:
    """The metrics where twelve questions make a subject."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measures, "SUBJECT", 12)
        return measures.compute(items, SETTINGS)
