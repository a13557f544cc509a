"""Tables: the numbers are those of the results, and nothing is lost silently."""

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.multitest import multipletests

from ralc import people, schemas
from ralc.pipeline.fitted_maps import listed
from ralc.report import tables
from ralc.report.tables import render
from ralc.report.tables.counts import lost_content
from ralc.results import select


def metric_row(metrics, **condition):
    defaults = {
        "reader": "judge",
        "subset": "all",
        "space": "linguistic",
        "versus": "none",
        "variant": "default",
    }
    return select.one(metrics, **(defaults | condition))


def test_headline_shows_the_numbers_of_the_metrics(metrics):
    table = tables.headline(metrics)
    row = metric_row(
        metrics,
        dataset="worldfacts-mc",
        train="worldfacts-mc",
        method="ralc",
        signal="token_probability",
        metric="generalised_ece",
    )
    cell = table.loc[("smollm2", "worldfacts-mc", "all", "ralc", "token_probability"), "generalised_ece"]
    assert cell.tolist() == [row["value"], row["ci_low"], row["ci_high"]]
    assert table.index.is_unique
    # 3 datasets x (all, answered, abstained) x (5 methods without a signal + 2 methods with 3 signals)
    assert len(table) == 3 * 3 * (5 + 2 * 3)
    assert table.index[0] == ("smollm2", "worldfacts-qa", "all", "original", "none")


def test_headline_takes_the_independent_judge_and_else_another_reader(metrics):
    without = tables.headline(metrics[metrics["reader"] != "judge"])
    assert not tables.headline(metrics).equals(without)
    assert "“cues”" in without.attrs["notes"][0]


def test_mean_over_models_comes_last_and_shows_its_sd(several):
    table = tables.headline(several[1])
    assert list(table.index.get_level_values("target").unique()) == ["a", "b_1", "mean"]
    assert table.loc["mean"][("auroc", "sd")].notna().all()
    assert table.loc["a"][("auroc", "sd")].isna().all()


def test_two_rows_for_one_number_are_an_error(metrics):
    twice = pd.concat([metrics, metrics[metrics["method"] == "hedged_qa"]])
    with pytest.raises(ValueError, match=r"two rows for one number.*hedged_qa"):
        tables.headline(twice)


def test_no_rows_at_all_is_an_error(metrics):
    with pytest.raises(ValueError, match="no rows"):
        tables.headline(metrics.iloc[:0])


def test_parts_of_the_change_add_up(metrics):
    table = tables.headline(metrics)
    at = ("smollm2", "worldfacts-qa", "all", "ralc", "semantic_uncertainty")
    parts = [
        table.loc[at, (f"faithfulness_divergence_{part}_part", "value")] for part in ("mean", "concentration")
    ]
    change = tables.comparisons(metrics).loc[
        (*at[:3], at[4], "original"), ("faithfulness_divergence", "value")
    ]
    assert sum(parts) == pytest.approx(change)
    original = table.loc[("smollm2", "worldfacts-qa", "all", "original", "none")]
    assert np.isnan(original["faithfulness_divergence_mean_part", "value"])
    signal = tables.signal_space(metrics).loc[at]
    assert np.isfinite(signal["faithfulness_divergence_mean_part", "value"])


def test_comparisons_are_in_domain_and_corrected_within_a_model(several):
    metrics = several[1]
    table = tables.comparisons(metrics)
    assert set(table.index.get_level_values("versus")) == {
        "original",
        "direct_beta",
        "hedged_qa",
        "constant_hedge",
        "near_hedges",
        "base_rate",
    }
    raw = metrics[(metrics["versus"] == "original") & (metrics["train"] == metrics["dataset"])]
    at = ("a", "worldfacts-qa", "all", "semantic_uncertainty", "original")
    one = metric_row(
        raw,
        method="ralc",
        target="a",
        dataset="worldfacts-qa",
        signal="semantic_uncertainty",
        metric="auroc",
        versus="original",
    )
    assert table.loc[at, ("auroc", "value")] == one["value"]
    # 2 datasets x 3 signals x 6 others x 4 metrics are tested for a model; Holm's first factor is their number.
    assert one["p_value"] < table.loc[at, ("auroc", "p_value")] <= min(1, 144 * one["p_value"])


@pytest.mark.parametrize("table", [tables.comparisons, tables.language_loss])
def test_answers_that_abstain_are_compared_apart_and_not_tested(several, table):
    found = table(several[1])
    subset = found.index.get_level_values("subset")
    assert set(subset) == {"all", "answered", "abstained"}
    tested = found[[column for column in found if column[1] == "p_value"]].notna().any(axis=1)
    assert (tested == (subset == "all")).all()
    assert found.loc[subset == "answered", ("brier_score", "value")].notna().all()


def test_cross_domain_percentages_are_ratios_of_means(metrics):
    table = tables.cross_domain(metrics)
    at = {"dataset": "worldfacts-rc", "metric": "faithfulness_divergence"}
    before = metric_row(metrics, method="original", **at)["value"]
    crossed = {"method": "ralc", "signal": "semantic_uncertainty", "train": "worldfacts-qa"}
    after = metric_row(metrics, **crossed, **at)["value"]
    row = table.loc[("faithfulness_divergence", "semantic_uncertainty", "worldfacts-qa"), "worldfacts-rc"]
    assert row["reduction_percent", "value"] == pytest.approx(100 * (before - after) / before)
    difference = metric_row(metrics, **crossed, **at, versus="original")
    assert row["reduction", "value"] == -difference["value"]
    assert row["reduction", "ci_low"] == -difference["ci_high"]
    assert row["reduction", "ci_high"] == -difference["ci_low"]
    assert row["n", "value"] == difference["n"]
    assert (
        row["beyond_in_domain", "value"] == metric_row(metrics, **crossed, **at, versus="in_domain")["value"]
    )
    own = table.loc[("faithfulness_divergence", "semantic_uncertainty", "worldfacts-rc"), "worldfacts-rc"]
    assert np.isnan(own["beyond_in_domain", "value"])


def test_cross_domain_sd_is_that_of_the_models_percentages(several):
    metrics = several[1]
    mean = tables.cross_domain(metrics)
    single = [
        tables.cross_domain(metrics, target=target).loc[:, ("worldfacts-qa", "reduction_percent", "value")]
        for target in ("a", "b_1")
    ]
    expected = pd.concat(single, axis=1).std(axis=1, ddof=1)
    assert mean[("worldfacts-qa", "reduction_percent", "sd")].to_numpy() == pytest.approx(expected.to_numpy())
    assert ("worldfacts-qa", "reduction_percent", "sd") not in tables.cross_domain(metrics, target="a")


def test_signal_profile_by_hand(items, metrics):
    own = items[(items["space"] == "signal") & (items["method"] == "original")]
    own = own[(own["signal"] == "semantic_uncertainty") & (own["dataset"] == "worldfacts-qa")].head(4).copy()
    # Two unanimous answers of 20, one of 10 to 10, one without a signal.
    own["alpha"], own["beta"] = [20.5, 20.5, 10.5, np.nan], [0.5, 0.5, 10.5, np.nan]
    table = tables.signal_profile(own, metrics)
    row = table.loc[("smollm2", "worldfacts-qa", "all", "semantic_uncertainty")].droplevel("part")
    assert row["n"] == 3
    assert row["edge_share"] == pytest.approx(2 / 3)
    assert row["concentration_p50"] == 21
    assert row["sd_of_means"] == pytest.approx(np.std([20.5 / 21, 20.5 / 21, 0.5], ddof=1))
    assert row["narrow_share"] == 0


def test_signal_profile_of_several_models_has_their_mean(several):
    table = tables.signal_profile(*several)
    a, b, mean = (
        table.loc[(target, "worldfacts-qa", "all", "token_probability")] for target in ("a", "b_1", "mean")
    )
    for quantity in ("accuracy", "auroc", "sd_of_means"):
        both = [one[(quantity, "value")] for one in (a, b)]
        assert mean[(quantity, "value")] == pytest.approx(np.mean(both))
        assert mean[(quantity, "sd")] == pytest.approx(np.std(both, ddof=1))
    assert table.index.get_level_values("target")[-1] == "mean"


def test_signal_profile_counts_readings_that_all_agree(items, metrics):
    own = items[(items["space"] == "signal") & (items["method"] == "original")].head(2).copy()
    # Mean 0.9 with the variance of rounding to steps of 0.05: nine equal scores; and a wide one.
    k = 0.9 * 0.1 / (0.05**2 / 12) - 1
    own["alpha"], own["beta"] = [0.9 * k, 2.0], [0.1 * k, 2.0]
    # Of all, of the one that answers (spread) and of the one that abstains (all agree).
    assert own["abstained"].tolist() == [True, False]
    assert tables.signal_profile(own, metrics)[("narrow_share", "value")].tolist() == [0.5, 0.0, 1.0]


def test_counts_by_hand(items, metrics):
    table = tables.counts(items, metrics)
    row = table.loc[("smollm2", "worldfacts-qa", "ralc", "semantic_uncertainty")].droplevel("part")
    own = items.query("dataset == train == 'worldfacts-qa' and method == 'ralc' and space == 'linguistic'")
    own = own[(own["signal"] == "semantic_uncertainty") & (own["reader"] == "judge")]
    assert row["n"] == len(own) == 24
    assert row["unscored_rate"] == row["unparsed_rate"] == row["not_attempted_rate"] == 1 / 24
    assert row["fallback_rate"] == (own["origin"] != "model").mean()
    assert row["lost_content_share"] == (own["content_preservation"] < 1).mean()
    original = table.loc[("smollm2", "worldfacts-qa", "original", "none")].droplevel("part")
    assert np.isnan(original["fallback_rate"])
    assert np.isnan(original["lost_content_share"])


def test_lost_content_by_words_and_by_entailment():
    rows = pd.DataFrame(
        {
            "content_preservation": [1.0, 0.8, 0.9, 0.2, None],
            "p_entail": [None, None, 0.8, 0.1, None],
            "p_neutral": [None, None, 0.2, 0.2, None],
            "p_contradict": [None, None, 0.0, 0.7, None],
        },
        dtype="float64",
    )
    assert lost_content(rows).tolist() == pytest.approx([0, 1, 0, 1, np.nan], nan_ok=True)


def test_maps_are_listed_with_their_flags_counted():
    fits = {
        "m": [
            {"protocol": "ralc", "dataset": "d", "signal": signal, "variant": variant, "map": "platt"}
            | {"n": 27, "left_out": 1, "learned": {"slope_": 0.0, "intercept_": 0.5, "flags_": flags}}
            for signal, variant, flags in (
                ("token_probability", "default", ["few_items", "base_rate"]),
                ("semantic_uncertainty", "default", []),
                ("semantic_uncertainty", "map=identity", ["few_items"]),
            )
        ]
    }
    table = tables.maps(schemas.check(listed(fits), "maps"))
    assert [row[-1] for row in table.index] == [
        "fewer than 50 train answers; not used: the train base rate stands in",
        "none",
    ]
    assert table[("slope", "value")].tolist() == [0.0, 0.0]
    assert "stands in: 1 of 2" in table.attrs["notes"][0]


def test_human_benchmark_shows_ceilings_as_scorers_and_where_it_was_measured():
    rows = people.load_committed("human_benchmark")
    table = tables.human_benchmark(rows.assign(measured="beforehand"))
    assert table.index[0] == ("tao_raw", "probe")
    ceiling = rows.loc[rows["metric"] == "noise_ceiling", "value"].item()
    assert table.loc[("tao_raw", "noise_ceiling"), ("pearson", "value")] == ceiling
    assert len(table) == len(rows[["dataset", "reader"]].drop_duplicates()) + 1  # `humans` are two scorers
    raw = rows["p_value"].dropna()
    assert any(f"every correlation of this table: {len(raw)} tests" in note for note in table.attrs["notes"])
    shown = table[[column for column in table if column[1] == "p_value"]].to_numpy(float)
    expected = multipletests(raw, method="holm")[1]
    assert np.sort(shown[np.isfinite(shown)]) == pytest.approx(np.sort(expected))
    assert "not measured in this run" in render.to_html(table)
    here = tables.human_benchmark(rows.assign(measured="this run"))
    assert "Measured in this run" in here.attrs["notes"][0]


def test_people_s_own_numbers_stand_last_as_a_ceiling(metrics):
    alone = tables.by_reader(metrics)
    assert "people" not in alone.columns.get_level_values("reader")
    own = (metrics["method"] == "ralc") & (metrics["versus"] == "none") & (metrics["subset"] == "all")
    own &= (metrics["reader"] == "judge") & (metrics["train"] == metrics["dataset"])
    asked = metrics[own & (metrics["variant"] == "default")].assign(reader="people", variant="lexicon=people")
    table = tables.by_reader(pd.concat([metrics, asked], ignore_index=True))
    pd.testing.assert_frame_equal(table[alone.columns], alone, check_names=False)
    ralc = table.xs(("all", "ralc"), level=("subset", "method"))
    assert (ralc["people"]["auroc", "value"] == ralc["judge"]["auroc", "value"]).all()
    assert table["people"].notna().any(axis=1).sum() == len(ralc)
    assert "in no verdict" in table.attrs["notes"][-1]


def test_lexicon_entries_name_flags_gaps_and_people():
    known = {"alpha": [9.0, 1.0, 5.0], "beta": [1.0, 9.0, 5.0], "n": 4, "flags": ["", "", "wording"]}
    human = {"human_mean": [0.8, np.nan, np.nan], "human_sd": [0.1, np.nan, np.nan]}
    lexicon = pd.DataFrame(
        {"expression": ["surely", "hardly", "perhaps"], "source": "user", **known, **human}
    )
    lexicon = lexicon.assign(frame="adverb", human_n=pd.array([7, None, None], dtype="Int64"))
    table = tables.lexicon_entries(lexicon)
    assert table.index.get_level_values("expression").tolist() == ["surely", "perhaps", "hardly"]
    assert set(table.index.get_level_values("source")) == {"user"}
    flagged, gaps, people = table.attrs["notes"]
    assert "1 of 3 entries (33.3%)" in flagged
    assert "0.000 to 0.100, 0.100 to 0.900, 0.900 to 1.000" in gaps
    assert "a study has 1 of the expressions; there the reading differs from people's mean by 0.100" in people
    assert "surely" in render.to_latex(table)
    unusable = tables.lexicon_entries(lexicon.assign(flags="fit"))
    assert "nothing can be retrieved" in unusable.attrs["notes"][1]
    flagged, gaps, _ = tables.lexicon_entries(lexicon, flagged_hedges="used").attrs["notes"]
    assert "they are used like the others" in flagged
    assert "0.100 to 0.500, 0.500 to 0.900" in gaps


def test_the_profile_of_answers_that_abstain_stands_apart(items, metrics):
    table = tables.signal_profile(items, metrics)
    at = ("smollm2", "worldfacts-qa")
    for subset, n in (("all", 24), ("answered", 20), ("abstained", 4)):  # every sixth abstains
        row = table.loc[(*at, subset, "token_probability")].droplevel("part")
        condition = {"dataset": at[1], "signal": "token_probability", "space": "signal", "method": "original"}
        auroc = metric_row(metrics, **condition, reader="none", subset=subset, metric="auroc")
        assert (row["n"], row["auroc"].iloc[0]) == (n, auroc["value"])
    whole = tables.signal_profile(items.assign(abstained=False), metrics)
    assert set(whole.index.get_level_values("subset")) == {"all"}


@pytest.mark.parametrize("table", [tables.headline, tables.detailed, tables.linguistic_auroc])
def test_answers_that_abstain_are_shown_apart(metrics, table):
    assert set(table(metrics).index.get_level_values("subset")) == {"all", "answered", "abstained"}
