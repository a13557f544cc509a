"""Bootstrap, intervals, p-values, Holm: plain functions, normal theory, limits, and worlds whose truth is known."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import roc_auc_score
from statsmodels.stats.multitest import multipletests

from ralc import Beta, metrics
from ralc import statistics as rs
from ralc.statistics import Estimate, absolute_sum, bootstrap, holm, intervals, resample
from ralc.statistics.intervals import _skewness
from tests.cases import cases
from tests.coverage import METRICS, WORLDS, answers, calibrated, placements, simulate, tables, truth


def measured(estimates, **options):
    """The only row of a table of intervals."""
    return intervals(estimates, **options).iloc[0]


def normal_draws(value: float, error: float, rng: np.random.Generator, units: int = 10**6) -> Estimate:
    """A number with symmetric draws of this standard deviation."""
    draws = rng.normal(size=5000)
    return Estimate.exact(value, value + error * np.concatenate([draws, -draws]) / draws.std(), units, units)


# --- statistics and their draws ---------------------------------------------------------------------------


def test_every_statistic_equals_the_plain_function_on_resampled_items(rng):
    mean = rng.integers(1, 20, 300) / 20  # with ties
    outcome = rng.random(300) < mean
    confidence = Beta.from_mean_concentration(mean, rng.uniform(2, 40, 300))
    fd = metrics.faithfulness_divergence(outcome, confidence)
    y = outcome.astype(float)
    mean = confidence.mean
    other = confidence.mean**2 + 0.01 * np.sin(np.arange(300))
    ranked = mean.round(12)  # what differs by rounding alone is a tie
    cases = {
        "mean": (rs.mean(fd), lambda i: fd[i].mean()),
        "weighted": (rs.mean(fd, weights=mean), lambda i: np.average(fd[i], weights=mean[i])),
        "gece": (
            rs.mean_gap(metrics.bin_gaps(y, confidence)),
            lambda i: metrics.generalised_ece(y[i], confidence[i]),
        ),
        "ece": (
            rs.mean_gap(metrics.mean_gaps(y, mean)),
            lambda i: metrics.expected_calibration_error(y[i], mean[i]),
        ),
        "auroc": (rs.auroc(y, mean), lambda i: roc_auc_score(y[i], ranked[i])),
        "spearman": (
            rs.spearman(mean, other),
            lambda i: stats.spearmanr(ranked[i], other[i].round(12)).statistic,
        ),
        "pearson": (rs.pearson(mean, other), lambda i: stats.pearsonr(mean[i], other[i]).statistic),
        "median": (rs.of_items(np.median, fd), lambda i: np.median(fd[i])),
    }
    draws = np.sort(rng.integers(0, 300, (6, 300)))
    weights = np.array([np.bincount(draw, minlength=300) for draw in draws], dtype=float)
    for name, (statistic, function) in cases.items():
        expected = [function(draw) for draw in draws]
        np.testing.assert_allclose(statistic.evaluate(weights), expected, atol=1e-10, err_msg=name)
        assert statistic.value == pytest.approx(function(np.arange(300)), abs=1e-10), name
        nothing = statistic.evaluate(np.zeros((1, 300)))
        assert name == "median" or np.isnan(nothing).all(), name


def test_statistics_of_some_items_are_paired_with_those_of_all_in_any_order(rng):
    right = rng.integers(0, 2, 40)
    score = rng.integers(0, 9, 40)
    turned = rng.permutation(40)
    some = score > 3
    statistics = {
        "auroc": rs.auroc(right, score),
        "auroc, turned": rs.auroc(right[turned], score[turned]).at(turned),
        "mean": rs.mean(score[some]).at(some),
        "mean, places": rs.mean(score[some]).at(np.flatnonzero(some)),
    }
    estimates = bootstrap(statistics, items=40, resamples=30, rng=rng)
    for name, other in (("auroc", "auroc, turned"), ("mean", "mean, places")):
        np.testing.assert_allclose(estimates[name].draws, estimates[other].draws, rtol=1e-12)
    assert intervals(estimates).n.tolist() == [40, 40, some.sum(), some.sum()]


def test_equal_generators_draw_equally_and_groups_together(rng):
    values = np.repeat(rng.normal(0, 1, 30), 10)
    groups = np.repeat(np.arange(30), 10)
    draws = [
        bootstrap({"m": rs.mean(values)}, items=300, groups=of, rng=np.random.default_rng(5))["m"]
        for of in (None, None, groups)
    ]
    np.testing.assert_array_equal(draws[0].draws, draws[1].draws)
    alone, _, together = intervals(draws).standard_error
    assert together == pytest.approx(values.std() / np.sqrt(30), rel=0.1)
    assert alone < together / 2


def test_paired_differences_are_tighter_than_unpaired_ones(rng):
    before = rng.normal(size=300)
    estimates = bootstrap({"a": rs.mean(before), "b": rs.mean(0.9 * before + 0.05)}, items=300, rng=rng)
    change = measured([Estimate.combine([(estimates["b"], 1), (estimates["a"], -1)])], null=0.0)
    assert change.value == pytest.approx(estimates["b"].value - estimates["a"].value)
    assert change.standard_error < measured([estimates["a"]]).standard_error / 5
    assert change.ci_low < change.value < change.ci_high


@cases
def test_bad_requests_are_named(call, message, rng):
    with pytest.raises(ValueError, match=message):
        eval(call)


# --- intervals and p-values -------------------------------------------------------------------------------


def test_symmetric_draws_of_many_items_give_the_normal_interval(rng):
    row = measured([normal_draws(2.0, 0.5, rng)], null=1.0)
    assert [row.ci_low, row.ci_high] == pytest.approx([2 - 1.96 * 0.5, 2 + 1.96 * 0.5], abs=1e-3)
    assert row.p_value == pytest.approx(2 * stats.norm.sf(2), rel=1e-3)
    assert row.debiased == row.value
    few = measured([normal_draws(2.0, 0.5, rng, units=5)])
    expected = stats.t.ppf(0.975, 4) * np.sqrt(5 / 4) / 1.96
    assert (few.ci_high - few.ci_low) / (row.ci_high - row.ci_low) == pytest.approx(expected, rel=1e-3)


def test_three_items_have_two_degrees_of_freedom(rng):
    row = measured(bootstrap({"d": rs.mean([5.0, 6.0, 7.0])}, items=3, resamples=20_000, rng=rng), null=0.0)
    expected = stats.ttest_1samp([5.0, 6.0, 7.0], 0.0)
    assert row.standard_error == pytest.approx(1 / np.sqrt(3), rel=0.02)
    assert row.p_value == pytest.approx(expected.pvalue, rel=0.05)
    assert [row.ci_low, row.ci_high] == pytest.approx(expected.confidence_interval(), rel=0.05)


@pytest.mark.parametrize("shape", [12.0, 36.0, 150.0])
def test_a_p_value_falls_with_distance_and_agrees_with_the_interval(rng, shape):
    """Eight standard errors from 0 once had the p-value of five, since the transformation is flat between them."""
    draws = (shape - rng.gamma(shape, 1, 20_000)) / np.sqrt(shape)
    values = np.linspace(1, 12, 221)
    table = intervals([Estimate.exact(value, value + draws, 100, 100) for value in values], null=0.0)
    assert (np.diff(table.p_value) <= 0).all()
    assert ((table.ci_low > 0) == (table.p_value < 0.05)).all()
    assert (table.ci_high - table.value < table.value - table.ci_low).all()  # reaches to the side of the tail
    assert shape < 36 or (table.p_value[values >= 8] < 0.001).all()


def test_the_auroc_of_few_right_answers_agrees_with_the_rank_test(rng):
    """Hall's transformation took the skewness of a high AUROC to 0.5: [-0.205, 0.599], beside a rank test's 0.003."""
    wrong = np.arange(36.0)
    right = np.array([16.5, 31.5, 34.5, 35.5, 36.5, 37.5])
    outcome = np.repeat([0, 1], [36, 6])
    score = np.append(wrong, right)
    compared = {"auroc": rs.auroc(outcome, score), "tied": rs.auroc(outcome, np.zeros(42))}
    draws = bootstrap(compared, items=42, resamples=2000, rng=rng)
    difference = Estimate.combine([(draws["auroc"], 1), (draws["tied"], -1)])
    assert stats.mannwhitneyu(right, wrong).pvalue < 0.003
    row = measured([difference], null=0.0)
    assert row["ci_low"] > 0
    assert row["p_value"] < 0.05
    unbounded = measured([replace(difference, bounded=False)], null=0.0)
    assert unbounded["ci_low"] < 0
    assert Estimate.pool([difference, difference]).bounded


@pytest.mark.parametrize("side", [1, -1])
def test_a_bounded_estimate_s_p_value_agrees_with_its_interval(rng, side):
    draws = side * (3 - rng.gamma(3, 1, 5000)) / 10
    values = np.linspace(-1, 1, 401)
    estimates = [replace(Estimate.exact(value, value + draws, 42, 42), bounded=True) for value in values]
    table = intervals(estimates, null=0.0)
    outside = (table["ci_low"] > 0) | (table["ci_high"] < 0)
    assert (outside == (table["p_value"] < 0.05)).all()
    assert 0 < outside.sum() < 401


def test_what_does_not_vary_has_no_test(rng):
    same = Estimate.exact(0.5, np.full(99, 0.5), 4, 4)
    nothing = Estimate.exact(0.0, np.zeros(99), 4, 4)
    one, undefined = (Estimate.exact(v, np.full(99, np.nan), n, n) for v, n in ((0.5, 1), (np.nan, 4)))
    grouped = bootstrap({"m": rs.mean(np.arange(4))}, items=4, groups=["a"] * 4, rng=rng)["m"]
    all_right = bootstrap({"auroc": rs.auroc([1] * 20, np.linspace(0, 1, 20))}, items=20, rng=rng)["auroc"]
    table = intervals([same, nothing, one, undefined, grouped, all_right], null=0.0)
    assert table.p_value.fillna(-1).tolist() == [-1, 1, -1, -1, -1, -1]
    assert table.loc[0, ["ci_low", "ci_high"]].tolist() == [0.5, 0.5]
    assert table.loc[2:, ["ci_low", "ci_high", "standard_error"]].isna().all(axis=None)
    assert grouped.value == 1.5
    assert np.isnan(all_right.value)


def test_the_skewness_of_a_mean_or_a_difference_is_exact_whatever_is_drawn():
    values = np.r_[np.zeros(56), 1.0, 2.0, 3.0, 9.0]
    others = np.linspace(0, 1, 60)
    for seed in range(3):
        drawn = resample(60, rng=np.random.default_rng(seed))
        one, other = (drawn.evaluate([rs.mean(of)])[0] for of in (values, others))
        change = Estimate.combine([(one, 1), (other, -1)])
        for estimate, items in ((one, values), (change, values - others)):
            exact = stats.skew(items) / np.sqrt(items.size)
            assert _skewness([estimate])[0] == pytest.approx(exact, abs=1e-3)
        again = bootstrap({"b": rs.mean(others)}, items=60, rng=np.random.default_rng(9))["b"]
        assert Estimate.combine([(one, 1), (again, -1)]).counts is None
    gaps = np.array([[0.3], [-0.3]]) + 0.01 * np.random.default_rng(1).normal(size=2001)
    assert _skewness([absolute_sum(gaps, units=60, size=60)])[0] == 0  # draws that differ by rounding alone


def test_holm_agrees_with_statsmodels_and_leaves_nan_alone(rng):
    p = rng.random(12) ** 3
    np.testing.assert_allclose(holm(p), multipletests(p, method="holm")[1])
    np.testing.assert_allclose(holm([0.01, np.nan, 0.04]), [0.02, np.nan, 0.04])
    assert holm([]).size == 0


# --- calibration errors -----------------------------------------------------------------------------------


def test_clear_gaps_have_no_bias_and_gaps_of_noise_do(rng):
    noise = 0.01 * rng.normal(size=(3, 4001))
    noise[:, 0] = [0.3, -0.2, 0.5]
    noise[:, 1:] += noise[:, :1]
    clear = absolute_sum(noise, units=100, size=100)
    assert clear.debiased == clear.overcorrected == clear.value == pytest.approx(1.0)
    assert clear.draws.mean() == pytest.approx(1.0, abs=0.01)
    sums = []
    for _ in range(400):
        gaps = rng.normal(size=(10, 1)) + np.column_stack([np.zeros(10), rng.normal(size=(10, 200))])
        estimate = absolute_sum(gaps, units=10**6, size=60)
        sums.append([estimate.value, estimate.debiased, estimate.overcorrected])
    assert (np.diff(sums, axis=1) <= 0).all()
    # Ten true gaps of 0: the plain sum is 8, the debiased one a third of it, the lowest none.
    assert np.mean(sums, axis=0) == pytest.approx([8.0, 2.5, 0.0], abs=0.4)


def test_a_difference_considers_the_signs_that_are_in_doubt(rng):
    # Two errors that move together, one of them hardly off 0: with its sign the other way they move apart.
    draws = rng.normal(size=4000)
    one, two = (absolute_sum(np.concatenate([[v], v + draws])[None], units=100, size=100) for v in (0.5, 3.0))
    change = Estimate.combine([(two, 1.0), (one, -1.0)])
    error = measured([change]).standard_error
    assert error == pytest.approx(2.0, rel=0.05)
    assert measured([Estimate.combine([(change, 0.5)] * 2)]).standard_error == pytest.approx(error)


# --- coverage ---------------------------------------------------------------------------------------------


def test_the_truth_of_a_world_is_what_many_questions_give(rng):
    (centre,), (method, _) = world = WORLDS["small"]
    outcome, (place, _) = answers(*(centre, world.methods, 1), np.arange(200_000), rng)
    values = truth(centre, method, 20.0)
    for metric in METRICS[:-1]:
        added = tables(20.0)[metric][outcome[0], place[0]].reshape(200_000, -1)
        assert np.abs(added.mean(axis=0)).sum() == pytest.approx(values[metric], abs=0.01), metric
    assert placements(outcome, place)[0][0] == pytest.approx(values["auroc"], abs=0.005)
    assert truth(0.3, calibrated(0.3), 20.0)["expected_calibration_error"] < 0.01


@pytest.mark.long
@cases
def test_intervals_cover_and_p_values_keep_their_level(world, questions, concentration, articles):
    # `python -m tests.bench coverage` does this for every cell, with 2,000 sets of questions: the worst is above 0.93.
    size = {"repeats": 400, "resamples": 400}
    for row in simulate(WORLDS[world], questions, concentration, number=articles, **size):
        assert row.covered >= (0.91 if row.kind == "difference" else 0.90), row
        assert row.kind == "alone" or row.rejected <= 0.09 or not world.startswith("null"), row
