"""Metrics: the rows of the results beside the plain functions."""

import numpy as np
import pandas as pd
import pytest

from ralc import Beta, metrics, schemas
from ralc.pipeline import measures as results
from ralc.pipeline import rewrite_plan
from ralc.pipeline.metric_evaluation import Settings
from ralc.registry import CONTROLLED
from tests import synthetic


@pytest.fixture(scope="module")
def made(items) -> pd.DataFrame:
    """Made-up items of three datasets."""
    return items


@pytest.fixture(scope="module")
def table(metrics) -> pd.DataFrame:
    """Their metrics."""
    return metrics.query("variant == 'default'")


def default_rows(items: pd.DataFrame, **how: int) -> pd.DataFrame:
    """The metrics of all answers, those not attempted among them."""
    return schemas.check(results.compute(items, Settings({"default": 10}, **how)), "metrics").query(
        "variant == 'default'"
    )


class TestMetrics:
    CONDITION = (
        "dataset == train == 'worldfacts-qa' and signal == 'semantic_uncertainty' and method == 'ralc'"
    )

    def test_values_are_those_of_the_metric_functions(self, made, table):
        rows = made.query(f"{self.CONDITION} and evaluator == 'cue_model_b'").dropna(
            subset=["outcome", "alpha"]
        )
        y, confidence = rows.outcome.to_numpy(float), Beta(rows.alpha.to_numpy(), rows.beta.to_numpy())
        value = table.query(
            f"{self.CONDITION} and evaluator == 'cue_model_b' and versus == 'none' and subset == 'all'"
        )
        value = value.set_index("metric").value
        assert value["faithfulness_divergence"] == pytest.approx(
            metrics.faithfulness_divergence(y, confidence).mean()
        )
        assert value["generalised_ece"] == pytest.approx(metrics.generalised_ece(y, confidence))
        assert value["auroc"] == pytest.approx(metrics.auroc(y, confidence.mean))
        assert value["generalised_ece_excess"] == pytest.approx(
            value["generalised_ece"] - value["generalised_ece_null"]
        )

    def test_a_protocol_may_draw_the_generalised_ece(self, made, table):
        some = made[made.dataset == "worldfacts-qa"]
        drawn = default_rows(some, resamples=20, null_repeats=5, samples=1000)
        keys = ["train", "signal", "method", "space", "evaluator", "subset", "versus", "metric", "dataset"]
        both = drawn.merge(table, on=keys, suffixes=("", "_exact"))
        error = (both["value"] - both["value_exact"]).abs().groupby(both["metric"]).max()
        # The worst of all conditions, each of which draws by its own name.
        assert 0 < error["generalised_ece"] < 0.03
        assert error["faithfulness_divergence"] == 0

    def test_differences_are_paired_and_add_up(self, table):
        chosen = table.query(f"{self.CONDITION} and evaluator == 'cue_model_b' and subset == 'all'")
        own = chosen.query("versus == 'none'").set_index("metric")
        against = chosen.query("versus == 'original'").set_index("metric")
        before = table.query(
            "dataset == 'worldfacts-qa' and method == 'original' and evaluator == 'cue_model_b' and versus == 'none'"
            " and subset == 'all'"
        ).set_index("metric")
        if own.n["auroc"] == before.n["auroc"] == against.n["auroc"]:
            gained = own.value["brier_score"] - before.value["brier_score"]
            assert against.value["brier_score"] == pytest.approx(gained)
        parts = [f"faithfulness_divergence_{part}_part" for part in ("mean", "concentration")]
        assert against.value[parts].sum() == pytest.approx(against.value["faithfulness_divergence"])
        # Rewrites have the outcome of what they rewrite; fewer than 20 answers, those that are wrong, have no test.
        assert against.p_value.drop(["accuracy", "accepted_wrong", "accepted_right"]).between(0, 1).all()
        assert own.p_value.isna().all()

    def test_ralc_is_compared_with_every_baseline_and_across_domains(self, table):
        assert set(table.query("method == 'ralc' and space == 'linguistic'").versus) == {
            "none",
            "original",
            "hedged_qa",
            "direct_beta",
            "constant_hedge",
            "near_hedges",
            "base_rate",
            "in_domain",
            "signal",
        }

    def test_halves_of_a_dataset_with_unanswerable_questions(self, table):
        parts = table[~table.subset.isin(CONTROLLED)]
        everywhere = {"all", "answered", "abstained"}
        halves = {"answerable", "unanswerable"}
        assert set(parts[parts.dataset == "worldfacts-rc"].subset) == everywhere | halves
        assert set(parts[parts.dataset == "worldfacts-qa"].subset) == everywhere

    def test_without_the_answers_not_attempted(self, made):
        some = made[made.dataset == "worldfacts-qa"].copy()
        some["grade"] = some["grade"].replace("NOT_ATTEMPTED", "INCORRECT")
        lost = some.question_id == some.question_id.iloc[0]
        some.loc[lost, ["grade", "outcome"]] = ["NOT_ATTEMPTED", 0]
        table = results.compute(some, Settings({"default": 10}, resamples=20, null_repeats=5)).query(
            "metric == 'not_attempted_rate'"
        )
        by_variant = table.query("method == 'original' and space == 'signal'").groupby("variant")
        assert by_variant.n.first().to_dict() == {"default": 24, "not_attempted=dropped": 23}
        assert by_variant.value.first().to_dict() == {
            "default": pytest.approx(1 / 24),
            "not_attempted=dropped": 0,
        }

    def test_the_same_seed_gives_the_same_table(self, made):
        some = made[made.dataset == "worldfacts-qa"]
        one, again = (default_rows(some, resamples=20, null_repeats=5) for _ in range(2))
        pd.testing.assert_frame_equal(one, again)

    def test_means_over_models_show_the_real_deviation(self):
        two = synthetic.make_items(synthetic.make_questions(n=20), targets=("a", "b"))
        table = default_rows(two[two.dataset == "worldfacts-qa"], resamples=50, null_repeats=5)
        rows = table.query("metric == 'faithfulness_divergence' and space == 'signal' and versus == 'none'")
        rows = rows.query("subset == 'all'")
        rows = rows.query("method == 'original' and signal == 'token_probability'").set_index("target")
        assert rows.value["mean"] == pytest.approx((rows.value["a"] + rows.value["b"]) / 2)
        assert rows.sd["mean"] == pytest.approx(abs(rows.value["a"] - rows.value["b"]) / np.sqrt(2))

    def test_a_condition_without_usable_answers_has_its_rates_alone(self, made):
        lost = made[made.dataset == "worldfacts-qa"].copy()
        lost.loc[lost.method == "hedged_qa", ["alpha", "beta"]] = np.nan
        table = default_rows(lost, resamples=20, null_repeats=5).query("method == 'hedged_qa'")
        rates = table.query("metric == 'unscored_rate'")
        assert set(zip(rates.subset, rates.evaluator, strict=True)) == {
            (subset, evaluator)
            for subset in ("all", "answered", "abstained")
            for evaluator in ("cue_model", "cue_model_b")
        }
        assert (rates.value == 1).all()
        assert "auroc" not in set(table.metric)


def test_answers_without_a_hedged_one_have_the_pairs_of_their_rewrites():
    answers = pd.DataFrame(
        {"target": ["t"], "question_id": "q", "sentence": 0, "prompt": "direct", "text": "Lima."}
    )
    plan = pd.DataFrame({"task": ["a"], "text": ["Lima."]})
    pairs = rewrite_plan.pairs(answers, plan, pd.DataFrame({"task": ["a"], "text": ["Perhaps Lima."]}))
    assert pairs.to_numpy().tolist() == [["Lima.", "Perhaps Lima."]]


def test_intervals_stay_within_the_range_of_their_metric():
    from ralc.registry import METRICS
    from tests import synthetic

    table = synthetic.results()[2]
    low, high = (
        table["metric"].map(lambda m, side=side: getattr(METRICS[m], side)) for side in ("low", "high")
    )
    plain = table["versus"] == "none"
    assert (table[plain]["ci_low"].fillna(0) >= low[plain] - 1e-12).all()
    assert (table[plain]["ci_high"].fillna(0) <= high[plain] + 1e-12).all()
    brier = table[~plain & (table["metric"] == "brier_score")]
    assert brier["ci_low"].min() >= -1
    assert brier["ci_high"].max() <= 1
    errors = table[plain & table["metric"].isin(["generalised_ece", "generalised_ece_debiased"])]
    wide = errors.pivot_table(
        index=["target", "dataset", "train", "signal", "method", "space", "evaluator", "variant", "subset"],
        columns="metric",
        values="value",
    )
    assert (wide["generalised_ece_debiased"] <= wide["generalised_ece"]).all()
