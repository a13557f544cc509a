"""The bootstrap, paired differences, Holm, means over models."""

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import roc_auc_score
from statsmodels.stats.multitest import multipletests

from ralc import Beta, metrics
from ralc import statistics as rs
from ralc.statistics import bootstrap, holm


@pytest.fixture
def items(rng):
    """Outcomes and confidences of 300 items, with ties among the means."""
    mean = rng.integers(1, 20, 300) / 20
    outcome = (rng.random(300) < mean).astype(int)
    return outcome, Beta.from_mean_concentration(mean, rng.uniform(2, 40, 300))


def statistics_of(outcome, confidence):
    """Every built-in statistic beside the plain function that it must equal on any resample."""
    fd = metrics.faithfulness_divergence(outcome, confidence)
    other = confidence.mean**2 + 0.01 * np.sin(np.arange(outcome.size))
    ranked = confidence.mean.round(12)  # what differs by rounding alone is a tie
    return {
        "fd": (rs.mean(fd), lambda i: fd[i].mean()),
        "brier": (
            rs.brier_score(outcome, confidence.mean),
            lambda i: metrics.brier_score(outcome[i], confidence.mean[i]),
        ),
        "gece": (
            rs.mean_gap(metrics.bin_gaps(outcome, confidence)),
            lambda i: metrics.generalised_ece(outcome[i], confidence[i]),
        ),
        "ece": (
            rs.expected_calibration_error(outcome, confidence.mean),
            lambda i: metrics.expected_calibration_error(outcome[i], confidence.mean[i]),
        ),
        "auroc": (
            rs.auroc(outcome, confidence.mean),
            lambda i: roc_auc_score(outcome[i], ranked[i]),
        ),
        "spearman": (
            rs.spearman(confidence.mean, other),
            lambda i: stats.spearmanr(ranked[i], other[i].round(12)).statistic,
        ),
        "pearson": (
            rs.pearson(confidence.mean, other),
            lambda i: stats.pearsonr(confidence.mean[i], other[i]).statistic,
        ),
        "median": (rs.of_items(np.median, fd), lambda i: np.median(fd[i])),
    }


def test_every_statistic_equals_the_plain_function_on_resampled_items(items, rng):
    outcome, confidence = items
    draws = rng.integers(0, 300, (6, 300))
    weights = np.array([np.bincount(draw, minlength=300) for draw in draws], dtype=float)
    for name, (statistic, function) in statistics_of(outcome, confidence).items():
        expected = [function(np.sort(draw)) for draw in draws]
        np.testing.assert_allclose(statistic.evaluate(weights), expected, atol=1e-10, err_msg=name)
        assert statistic.value == pytest.approx(function(np.arange(300)), abs=1e-10), name


def test_weights_may_leave_one_class_or_one_value():
    weights = np.array([[2.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    assert np.isnan(rs.auroc([1, 0, 1], [0.1, 0.2, 0.3]).evaluate(weights)).all()
    assert np.isnan(rs.spearman([1, 2, 3], [3, 1, 2]).evaluate(weights)).all()
    assert np.isnan(rs.mean([1, 2, 3]).evaluate(weights)[1])


def test_intervals_of_a_mean_agree_with_the_normal_theory(rng):
    values = rng.normal(3, 2, 400)
    table = bootstrap({"mean": rs.mean(values)}, items=400, resamples=4000, rng=rng).table(null=3.0)
    row = table.loc["mean"]
    error = values.std(ddof=1) / 20
    assert row.value == pytest.approx(values.mean())
    assert row.standard_error == pytest.approx(error, rel=0.08)
    assert row.ci_low == pytest.approx(values.mean() - 1.96 * error, abs=0.2 * error)
    assert row.ci_high == pytest.approx(values.mean() + 1.96 * error, abs=0.2 * error)
    assert row.p_value == pytest.approx(2 * stats.norm.sf(abs(values.mean() - 3) / error), abs=0.05)
    assert row.n == 400


@pytest.mark.long
def test_intervals_of_gece_cover_what_repeated_samples_give(rng):
    # Plain percentiles sit above the truth here: resampling adds noise to every bin, and gECE counts noise as error.
    def draw(n):
        mean = rng.uniform(0.05, 0.95, n)
        outcome = rng.random(n) < np.clip(mean + 0.1, 0, 1)
        return outcome.astype(int), Beta.from_mean_concentration(mean, 20)

    truth = metrics.generalised_ece(*draw(200_000))
    covered = 0
    for _ in range(100):
        statistic = rs.mean_gap(metrics.bin_gaps(*draw(300)))
        table = bootstrap({"gece": statistic}, items=300, resamples=300, rng=rng).table()
        covered += table.ci_low["gece"] <= truth <= table.ci_high["gece"]
    assert covered >= 86


def test_paired_differences_are_tighter_than_unpaired_ones(items, rng):
    outcome, confidence = items
    better = Beta.from_mean_concentration(0.9 * confidence.mean + 0.05, confidence.concentration)
    fds = {
        name: rs.mean(metrics.faithfulness_divergence(outcome, c))
        for name, c in (("before", confidence), ("after", better))
    }
    drawn = bootstrap(fds, items=300, rng=rng)
    row = drawn.combine({"change": {"after": 1, "before": -1}}).table(null=0.0).loc["change"]
    assert row.value == pytest.approx(fds["after"].value - fds["before"].value)
    assert row.standard_error < drawn.table().standard_error["before"]
    assert row.ci_low < row.value < row.ci_high


@pytest.mark.long
def test_p_values_are_uniform_under_no_difference(rng):
    p = []
    for _ in range(200):
        values = rng.normal(0, 1, 40)
        p.append(
            bootstrap({"d": rs.mean(values)}, items=40, resamples=200, rng=rng).table(null=0.0).p_value["d"]
        )
    assert stats.kstest(p, "uniform").pvalue > 1e-3
    assert np.mean(np.array(p) < 0.05) < 0.12


def test_intervals_exclude_the_null_just_when_p_is_below_005(rng):
    for shift in np.linspace(-0.4, 0.4, 21):
        values = rng.gamma(1, 1, 60) - 1 + shift
        row = bootstrap({"d": rs.mean(values)}, items=60, resamples=1999, rng=rng).table(null=0.0).loc["d"]
        if abs(row.p_value - 0.05) > 0.005:
            assert (row.p_value < 0.05) == (row.ci_low > 0 or row.ci_high < 0)


def test_three_items_have_two_degrees_of_freedom(rng):
    drawn = bootstrap({"d": rs.mean([5.0, 6.0, 7.0])}, items=3, resamples=20_000, rng=rng)
    row = drawn.table(null=0.0).loc["d"]
    expected = stats.ttest_1samp([5.0, 6.0, 7.0], 0.0)
    assert row.standard_error == pytest.approx(1 / np.sqrt(3), rel=0.02)
    assert row.p_value == pytest.approx(expected.pvalue, rel=0.05)
    assert [row.ci_low, row.ci_high] == pytest.approx(expected.confidence_interval(), rel=0.05)


def test_groups_are_drawn_together(rng):
    groups = np.repeat(np.arange(30), 10)
    values = np.repeat(rng.normal(0, 1, 30), 10)
    alone = bootstrap({"mean": rs.mean(values)}, items=300, rng=rng).table()
    together = bootstrap({"mean": rs.mean(values)}, items=300, groups=groups, rng=rng).table()
    assert together.standard_error["mean"] == pytest.approx(values.std() / np.sqrt(30), rel=0.1)
    assert alone.standard_error["mean"] < together.standard_error["mean"] / 2


def test_one_item_or_one_group_has_no_interval(rng):
    for size, groups in ((1, None), (4, ["a"] * 4)):
        table = bootstrap({"m": rs.mean(np.arange(size))}, items=size, groups=groups, rng=rng).table(null=0.0)
        row = table.loc["m"]
        assert row.value == (size - 1) / 2
        assert np.isnan([row.ci_low, row.ci_high, row.p_value, row.standard_error]).all()


def test_all_correct_items_have_no_auroc_but_all_else(rng):
    statistics = {
        "auroc": rs.auroc([1] * 20, np.linspace(0, 1, 20)),
        "accuracy": rs.mean([1.0] * 20),
    }
    table = bootstrap(statistics, items=20, rng=rng).table()
    assert np.isnan(table.value["auroc"])
    assert np.isnan(table.ci_low["auroc"])
    assert table.loc["accuracy", ["value", "ci_low", "ci_high"]].tolist() == [1, 1, 1]


def test_equal_generators_draw_equally(items):
    outcome, confidence = items
    statistic = {"fd": rs.mean(metrics.faithfulness_divergence(outcome, confidence))}
    one, two = (bootstrap(statistic, items=300, rng=np.random.default_rng(5)) for _ in range(2))
    np.testing.assert_array_equal(one.drawn[0].draws, two.drawn[0].draws)


def test_statistics_of_some_items_are_paired_with_those_of_all(rng):
    values = rng.normal(size=50)
    some = values > 0
    drawn = bootstrap(
        {"all": rs.mean(values), "some": rs.mean(values[some]).at(some)}, items=50, resamples=50, rng=rng
    )
    assert drawn.table().n.tolist() == [50, some.sum()]
    positions = bootstrap(
        {"some": rs.mean(values[some]).at(np.flatnonzero(some))},
        items=50,
        resamples=50,
        rng=np.random.default_rng(1),
    )
    masks = bootstrap(
        {"some": rs.mean(values[some]).at(some)}, items=50, resamples=50, rng=np.random.default_rng(1)
    )
    np.testing.assert_array_equal(positions.drawn[0].draws, masks.drawn[0].draws)


def test_items_may_be_named_in_any_order(rng):
    right, score = rng.integers(0, 2, 40), rng.integers(0, 9, 40)
    turned = rng.permutation(40)
    for statistic, moved in (
        (rs.auroc(right, score), rs.auroc(right[turned], score[turned])),
        (rs.spearman(right, score), rs.spearman(right[turned], score[turned])),
    ):
        drawn = rs.bootstrap({"a": statistic, "b": moved.at(turned)}, items=40, resamples=30, rng=rng).drawn
        np.testing.assert_allclose(drawn[0].draws, drawn[1].draws, rtol=1e-12)


def test_a_mean_over_models_is_a_combination(rng):
    models = {name: rs.mean(rng.normal(size=80)) for name in "abc"}
    drawn = bootstrap(models, items=80, rng=rng)
    mean = drawn.combine({"mean": dict.fromkeys("abc", 1 / 3)})
    assert mean.drawn[0].value == pytest.approx(np.mean([m.value for m in models.values()]))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda rng: bootstrap({"a": rs.mean([1, 2])}, items=3, rng=rng), "statistic 'a' has 2 items"),
        (lambda rng: bootstrap({"a": rs.mean([1]).at([7])}, items=3, rng=rng), "statistic 'a' has 8 items"),
        (
            lambda rng: bootstrap({"a": rs.mean([1, 2])}, items=2, groups=["x"], rng=rng),
            "each of the 2 items",
        ),
        (lambda rng: bootstrap({"a": rs.mean([1, 2])}, items=2, groups=["x", None], rng=rng), r"groups\[1\]"),
        (lambda rng: bootstrap({"a": rs.mean([1, 2])}, items=2, resamples=0, rng=rng), "resamples"),
        (lambda rng: rs.mean([1, np.nan]), r"values\[1\] = nan"),
        (lambda rng: rs.mean([]), "at least one item"),
        (lambda rng: rs.mean([1, 2]).at([0]), "must name the statistic's 2 items"),
        (
            lambda rng: bootstrap({"a": rs.mean([1, 2])}, items=2, rng=rng).combine({"d": {"b": 1}}),
            "combination 'd': no statistic 'b'",
        ),
    ],
)
def test_bad_requests_are_named(call, message, rng):
    with pytest.raises(ValueError, match=message):
        call(rng)


def test_holm_agrees_with_statsmodels_and_leaves_nan_alone(rng):
    p = rng.random(12) ** 3
    np.testing.assert_allclose(holm(p), multipletests(p, method="holm")[1])
    with_gap = holm([0.01, np.nan, 0.04])
    np.testing.assert_allclose(with_gap, [0.02, np.nan, 0.04])
    assert holm([]).size == 0
    with pytest.raises(ValueError, match=r"p_values\[0\] = 1.5"):
        holm([1.5])
