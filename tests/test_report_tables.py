"""Tables: every number is that of the results, nothing is lost, text from the run is escaped."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.multitest import multipletests

from ralc import human_benchmark, registry, schemas
from ralc.conditions import averaged, having
from ralc.io import write_csv
from ralc.pipeline.fitted_maps import listed
from ralc.pipeline.measures import compute, pooled, with_means
from ralc.pipeline.metric_evaluation import Settings
from ralc.report import contents, rendering, tables
from ralc.report.tables.replication import cross_domain_rows
from ralc.report.tables.specs import SPECS
from ralc.results import in_domain, labels, one
from tests import synthetic
from tests.synthetic import NASTY

GOLDEN = Path(__file__).parent / "data" / "golden_tables"
#: Tables that a made-up run has: the others need long answers, the paper's names, or files of their own.
OF_RUN = [
    name
    for name, entry in contents.TABLES.items()
    if set(entry.results) <= {"items", "metrics", "averages"} and name != "sentences"
]


def results_of(items: pd.DataFrame, metrics: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The results tables of a run, by name."""
    whole = pd.concat([with_means(metrics), pooled(items, Settings({"default": 10}, resamples=60))])
    means = averaged(whole)
    return {"items": items, "metrics": whole[~means], "averages": whole[means]}


@pytest.fixture(scope="module")
def varied() -> dict[str, pd.DataFrame]:
    """Results of two models on two datasets, with variants and a second protocol."""
    items = synthetic.make_items(synthetic.make_questions(("worldfacts-qa", "worldfacts-rc"), 24), ("a", "b"))
    signals = having(items, space="signal")
    words = having(items, space="linguistic", method="ralc")
    parts = [
        items,
        having(signals, method="ralc").assign(variant="map=isotonic"),
        in_domain(words).assign(variant="hedges=3"),
        signals.assign(protocol="paper"),
    ]
    items = schemas.check(pd.concat(parts, ignore_index=True), "items")
    settings = Settings({"default": 10, "bins=100": 100}, resamples=40, null_repeats=10)
    return results_of(items, schemas.check(compute(items, settings), "metrics"))


def row_of(metrics: pd.DataFrame, **condition: str) -> pd.Series:
    """One row of the metrics."""
    defaults = {"evaluator": "cue_model_b", "subset": "all", "space": "linguistic", "versus": "none"}
    return one(metrics, **(defaults | {"variant": "default", "protocol": "ralc"} | condition))


@pytest.mark.parametrize("name", OF_RUN)
def test_a_table_is_made_of_any_run_and_written_three_ways(varied, name, tmp_path):
    table = tables.tabulate(name, varied)
    assert len(table) > 0
    assert table.index.is_unique
    assert table.columns.is_unique
    first = table.index.get_level_values(0)  # the rows of a name stand together
    assert (first[1:] != first[:-1]).sum() + 1 == first.nunique()
    assert table.attrs["title"] == contents.TABLES[name].title
    tables.save_table(table, tmp_path / name)
    flat = pd.read_csv(tmp_path / f"{name}.csv", keep_default_na=False, na_values=[""])
    numbers = flat.iloc[:, table.index.nlevels :].to_numpy(float)
    np.testing.assert_array_equal(numbers, table.to_numpy(float))
    assert (tmp_path / f"{name}.html").read_text().startswith("<!DOCTYPE html>")
    tex = re.sub(r"\\[{}]", "", (tmp_path / f"{name}.tex").read_text())
    assert tex.isascii()
    assert tex.count("{") == tex.count("}")


@pytest.mark.parametrize(
    "name",
    sorted(
        {*OF_RUN}
        - {"verdict", "words_lost", "map_ablation", "cross_domain", "signal_profile", "controlled_subsets"}
    ),
)
def test_every_number_of_a_table_is_a_row_of_the_metrics(varied, name):
    spec = SPECS[name]
    metrics = varied["metrics"]
    rows = spec.rows(metrics)
    rows = having(rows, metric=spec.quantities)
    table = tables.tabulate(name, varied)
    lead = [spec.columns] if spec.columns else []
    for row in rows.sample(min(60, len(rows)), random_state=0).itertuples():
        key = tuple(getattr(row, column) for column in spec.index)
        shown = table.loc[key, (*(getattr(row, column) for column in lead), row.metric, "value")]
        assert shown == pytest.approx(row.value, nan_ok=True)
    shown = table[[column for column in table if column[-1] == "value" and column[-2] != "n"]]
    assert shown.notna().to_numpy().sum() == rows["value"].notna().sum()
    known = metrics["value"].dropna().to_numpy()
    assert np.isin(rows["value"].dropna(), known).all()


@pytest.mark.parametrize(
    "name", sorted({*OF_RUN} - {"verdict", "controlled_subsets"})
)  # these name no dataset
def test_names_from_the_run_are_escaped_everywhere(varied, name, tmp_path):
    hostile = {
        table: rows.replace({"worldfacts-qa": NASTY, "a": "<b>model_1</b>"}) for table, rows in varied.items()
    }
    tables.save_table(tables.tabulate(name, hostile), tmp_path / name)
    html = (tmp_path / f"{name}.html").read_text()
    assert html.count("<script") == 1  # the page's own
    assert "<b>model" not in html
    assert "&lt;script&gt;" in html
    tex = (tmp_path / f"{name}.tex").read_text()
    assert "\\textbf{_%" not in tex
    assert not re.search(r"(?<!\\)[#]", tex)


@pytest.mark.parametrize(
    "lacking",
    [
        "method not in ('direct_beta', 'hedged_qa') and signal != 'token_probability'",
        "dataset == 'worldfacts-qa' and versus == 'none'",
        "metric != 'auroc'",
    ],
)
def test_missing_conditions_leave_gaps_not_errors(metrics, lacking, tmp_path):
    for name in ("headline", "comparisons", "cross_domain", "evaluators"):
        tables.save_table(tables.tabulate(name, {"metrics": metrics.query(lacking)}), tmp_path / name)


@pytest.mark.parametrize("name", ["verdict", "headline", "comparisons", "cross_domain"])
def test_a_table_is_as_it_was(name):
    """Numbers, labels and marks of a small run; renewed by writing `shown` to the file."""
    _, items, metrics = synthetic.results(("m",), synthetic.DATASETS[:2], 24)
    kept = items["signal"].isin(["none", "semantic_uncertainty"]) & (items["method"] != "direct_beta")
    rows = metrics["signal"].isin(["none", "semantic_uncertainty"]) & (metrics["method"] != "direct_beta")
    table = tables.tabulate(name, results_of(items[kept], metrics[rows]))
    cut = table[table.index.get_level_values("subset") == "all"] if "subset" in table.index.names else table
    shown = rendering.to_csv(cut.round(4)).splitlines()
    expected = (GOLDEN / f"{name}.csv").read_text(encoding="utf-8").splitlines()
    assert shown == expected


def test_rows_that_give_one_number_twice_are_an_error(metrics):
    twice = pd.concat([metrics, having(metrics, method="hedged_qa")])
    with pytest.raises(ValueError, match=r"two rows for one number.*hedged_qa"):
        tables.tabulate("headline", {"metrics": twice})
    with pytest.raises(ValueError, match="no rows"):
        tables.tabulate("headline", {"metrics": metrics.iloc[:0]})


def test_halves_and_subjects_have_rows_of_their_own(metrics):
    large = metrics.replace({"subset": {"answerable": "history"}})
    table = tables.tabulate("headline", {"metrics": large}).loc["smollm2", "worldfacts-rc"]
    assert "unanswerable" in table.index.get_level_values("subset")
    words = table.xs("history", level="subset")
    assert set(words.index.get_level_values("method")) == {"original", "ralc"}
    assert set(words.index.get_level_values("signal")) == {"none", "semantic_uncertainty"}


def test_the_verdict_is_corrected_over_its_four_tests_alone(varied):
    table = tables.tabulate("verdict", varied)
    assert list(table.index.get_level_values("evaluator").unique()) == ["cue_model", "cue_model_b"]
    rows = varied["averages"].query("dataset == 'pooled' and versus != 'none' and evaluator == 'cue_model_b'")
    shown = table.loc["cue_model_b"].xs("p_value", axis=1, level="part").to_numpy(float)
    assert np.sort(shown.ravel()) == pytest.approx(np.sort(multipletests(rows["p_value"], method="holm")[1]))


def test_cross_domain_percentages_are_ratios_of_means(varied):
    table = tables.tabulate("cross_domain", varied)
    metrics = varied["metrics"]
    at = {"target": "mean", "dataset": "worldfacts-rc", "metric": "faithfulness_divergence"}
    crossed = {"method": "ralc", "signal": "semantic_uncertainty", "train": "worldfacts-qa"}
    before, after = (row_of(metrics, **at, **how)["value"] for how in ({"method": "original"}, crossed))
    row = table.loc[("faithfulness_divergence", "semantic_uncertainty", "worldfacts-qa"), "worldfacts-rc"]
    assert row["reduction_percent", "value"] == pytest.approx(100 * (before - after) / before)
    change = row_of(metrics, **crossed, **at, versus="original")
    assert row["reduction", "value"] == -change["value"]
    assert row["reduction", "ci_low"] == -change["ci_high"]
    foreign = row_of(metrics, **crossed, **at, versus="in_domain")
    assert row["beyond_in_domain", "value"] == foreign["value"]
    single = [
        cross_domain_rows(having(metrics, target=name))
        .query("metric == 'reduction_percent' and dataset == 'worldfacts-rc'")
        .set_index(["measure", "signal", "train"])["value"]
        for name in ("a", "b")
    ]
    single = [one.reindex(table.index) for one in single]
    spread = table["worldfacts-rc", "reduction_percent", "sd"].to_numpy()
    assert spread == pytest.approx(pd.concat(single, axis=1).std(axis=1, ddof=1).to_numpy())


def test_maps_are_pooled_over_datasets_and_models(varied):
    table = tables.tabulate("map_ablation", varied)
    assert list(table.loc["worldfacts-qa"].index) == ["uncalibrated", "default", "isotonic"]
    own = varied["metrics"].query(
        "method == 'original' and space == 'signal' and metric == 'generalised_ece' and versus == 'none' and "
        "subset == 'all' and target != 'mean' and protocol == 'ralc' and variant == 'default'"
    )
    values = having(own, signal="token_probability")["value"]
    whole = table.loc[("all datasets", "uncalibrated"), ("token_probability", "generalised_ece")]
    assert whole["value"] == pytest.approx(values.mean())
    assert whole["sd"] == pytest.approx(values.std(ddof=1))


def test_controlled_subsets_are_the_corners(varied):
    metrics = varied["metrics"].assign(
        n=varied["metrics"]["n"].clip(lower=20).where(varied["metrics"]["n"] > 0, 0)
    )
    table = tables.tabulate("controlled_subsets", {"metrics": metrics})
    corner = ("b", "worldfacts-qa", "token_probability", "high mean, high concentration, wrong")
    items = varied["items"].query(
        "target == 'b' and dataset == 'worldfacts-qa' and signal == 'token_probability' and space == 'signal' "
        "and method == 'original' and protocol == 'ralc'"
    )
    items = items.dropna(subset=["outcome", "alpha"])
    k = items["alpha"] + items["beta"]
    mean = items["alpha"] / k
    within = (mean >= mean.quantile(0.75)) & (k >= k.quantile(0.75)) & (items["outcome"] == 0)
    assert table.loc[corner, ("mean_confidence", "value")] == pytest.approx(mean[within].mean())


def test_controlled_subsets_of_few_answers_are_pooled_over_the_datasets_of_a_model(varied):
    table = tables.tabulate("controlled_subsets", varied)
    assert set(table.index.get_level_values("dataset")) == {"all datasets"}
    subset = "high mean, high concentration, wrong"
    rows = varied["metrics"].query(
        "target == 'b' and signal == 'token_probability' and subset == @subset and protocol == 'ralc' and "
        "metric == 'faithfulness_divergence' and versus == 'none' and variant == 'default' and n > 0"
    )
    cell = table.loc[("b", "all datasets", "token_probability", subset)]
    assert cell[("n", "value")] == rows["n"].sum()
    assert cell[("faithfulness_divergence", "value")] == pytest.approx(
        np.average(rows["value"], weights=rows["n"])
    )
    assert re.search(r"most surprising by .* in \d of \d", " ".join(table.attrs["notes"]))


def test_table_1_without_an_answer_says_why(varied):
    metrics = varied["metrics"]
    ends = metrics["subset"].str.contains(" concentration,")
    table = tables.tabulate("controlled_subsets", varied | {"metrics": metrics[~ends]})
    assert table.empty
    assert "no cell has an answer" in " ".join(table.attrs["notes"])


def test_only_signals_with_firm_wrong_answers_count_in_the_note_of_table_1(varied):
    metrics = varied["metrics"]
    firm_wrong = metrics["subset"] == "high mean, high concentration, wrong"
    without = metrics[~(firm_wrong & (metrics["target"] == "b"))]
    signals = []
    for part in (metrics, without):
        notes = tables.tabulate("controlled_subsets", varied | {"metrics": part}).attrs["notes"]
        signals.append(int(re.search(r"in \d+ of (\d+)", " ".join(notes))[1]))
    assert signals[0] - signals[1] == metrics.loc[firm_wrong & (metrics["target"] == "b"), "signal"].nunique()


def test_signal_profile_by_hand(items, metrics, several):
    own = having(items, space="signal", method="original")
    own = having(own, signal="semantic_uncertainty", dataset="worldfacts-qa").head(4).copy()
    # Two unanimous answers of 20, one of 10 to 10, one without a signal.
    own["alpha"] = [20.5, 20.5, 10.5, np.nan]
    own["beta"] = [0.5, 0.5, 10.5, np.nan]
    table = tables.tabulate("signal_profile", {"items": own, "metrics": metrics})
    row = table.loc[("smollm2", "worldfacts-qa", "all", "semantic_uncertainty")].droplevel("part")
    assert row["n"] == 3
    assert row["edge_share"] == pytest.approx(2 / 3)
    assert row["concentration_p50"] == 21
    assert row["sd_of_means"] == pytest.approx(np.std([20.5 / 21, 20.5 / 21, 0.5], ddof=1))
    # Mean 0.9 with the variance of rounding to steps of 0.05: nine equal scores; and a wide one.
    k = 0.9 * 0.1 / (0.05**2 / 12) - 1
    pair = own.head(2).assign(alpha=[0.9 * k, 2.0], beta=[0.1 * k, 2.0])
    narrow = tables.tabulate("signal_profile", {"items": pair, "metrics": metrics})
    assert narrow[("narrow_share", "value")].tolist() == [0.5, 0.0, 1.0]  # all, answered, abstained
    table = tables.tabulate("signal_profile", dict(zip(("items", "metrics"), several, strict=True)))
    at = [(target, "worldfacts-qa", "all", "token_probability") for target in ("a", "b_1", "mean")]
    for quantity in ("accuracy", "miscalibration_bias", "sd_of_means"):
        *both, mean = (table.loc[place, (quantity, "value")] for place in at)
        assert mean == pytest.approx(np.mean(both))
        assert table.loc[at[2], (quantity, "sd")] == pytest.approx(np.std(both, ddof=1))


def test_words_lost_by_hand(items):
    """Meant .8 and read .6 loses .12 where it is right, and gains .28 where it is wrong."""
    alike = in_domain(having(items, method="ralc"))
    alike = having(alike, signal="semantic_uncertainty", dataset="worldfacts-qa")
    number = having(alike, space="signal").head(3).assign(alpha=8.0, beta=2.0, outcome=[1.0, 0.0, 1.0])
    words = having(alike, space="linguistic", evaluator="cue_model")
    words = having(words, question_id=number["question_id"]).sort_values("question_id")
    number = number.sort_values("question_id")
    words = words.assign(outcome=number["outcome"].to_numpy(), alpha=[6.0, 6.0, 8.0], beta=[4.0, 4.0, 2.0])
    words = words.assign(origin=["grammar", "grammar", "note"])
    table = tables.tabulate("words_lost", {"items": pd.concat([number, words])})
    (shown,) = table.xs("brier_score", axis=1, level="quantity").xs("value", axis=1, level="part").to_numpy()
    by_outcome = {1.0: 0.4**2 - 0.2**2, 0.0: 0.6**2 - 0.8**2}
    lost = [by_outcome[outcome] for outcome in words["outcome"]][:2]
    assert shown == pytest.approx([sum(lost) / 3, sum(lost) / 2, 0.0])


def test_counts_by_hand(items, metrics):
    table = tables.tabulate("counts", {"metrics": metrics})
    row = table.loc[("smollm2", "worldfacts-qa", "ralc", "semantic_uncertainty")].xs("value", level="part")
    own = items.query("dataset == train == 'worldfacts-qa' and method == 'ralc' and space == 'linguistic'")
    own = having(own, signal="semantic_uncertainty", evaluator="cue_model_b")
    assert row["n"] == len(own) == 24
    assert row["unscored_rate"] == row["unparsed_rate"] == row["not_attempted_rate"] == 1 / 24
    assert row["fallback_rate"] == (own["origin"] != "model").mean()
    assert row["content_preservation"] == pytest.approx(own["content_preservation"].mean())


def test_sentences_by_their_own_confidence_and_by_their_answer_s(items):
    named = {"token_probability": "support", "semantic_uncertainty": "answer_support"}
    long = having(items, dataset="worldfacts-qa").replace({"signal": named})
    metrics = compute(long, Settings({"default": 10}, resamples=20, null_repeats=5))
    row = tables.tabulate("sentences", {"metrics": metrics}).loc[
        ("smollm2", "worldfacts-qa", "linguistic", "cue_model_b", "ralc", "support")
    ]
    own = having(long, method="ralc", evaluator="cue_model_b")
    own = having(own, train="worldfacts-qa").dropna(subset=["outcome", "alpha"])
    own = own.assign(error=(own["alpha"] / (own["alpha"] + own["beta"]) - own["outcome"].astype(float)) ** 2)
    errors = own.groupby("signal")["error"].mean()
    assert row["brier_score", "value"] == pytest.approx(errors["support"])
    assert row["brier_minus_answer", "value"] == pytest.approx(errors["support"] - errors["answer_support"])
    assert np.isfinite(row["brier_minus_base_rate"]).all()


def test_maps_are_listed_with_their_flags_counted():
    fits = {
        "m": [
            {"protocol": "ralc", "dataset": "d", "signal": signal, "variant": variant, "map": "platt"}
            | {"n": 27, "left_out": 1, "learned": {"slope_": 0.0, "intercept_": 0.5, "flags_": flags}}
            for signal, variant, flags in (
                ("token_probability", "default", ["few_items", "mostly_prior"]),
                ("semantic_uncertainty", "default", []),
                ("semantic_uncertainty", "map=identity", ["few_items"]),
            )
        ]
    }
    table = tables.tabulate("maps", {"maps": schemas.check(listed(fits), "maps")})
    assert [row[-1] for row in table.index] == [
        "few training answers for a map of its kind, so its numbers are rough; "
        "rests mostly on what such signals are usually worth, not on these answers",
        "none",
    ]
    assert "not on these answers: 1 of 2" in table.attrs["notes"][0]


def test_human_benchmark_shows_ceilings_as_scorers_and_where_it_was_measured():
    rows = human_benchmark.load_committed("human_benchmark")
    table = tables.tabulate("human_benchmark", {"human_benchmark": rows.assign(measured="beforehand")})
    ceiling = rows.loc[rows["metric"] == "noise_ceiling", "value"].item()
    assert table.loc[("tao_raw", "noise_ceiling"), ("pearson", "value")] == ceiling
    raw = rows["p_value"].dropna()
    shown = table[[column for column in table if column[1] == "p_value"]].to_numpy(float)
    assert np.sort(shown[np.isfinite(shown)]) == pytest.approx(np.sort(multipletests(raw, method="holm")[1]))
    assert "not measured in this run" in rendering.to_html(table)
    here = tables.tabulate("human_benchmark", {"human_benchmark": rows.assign(measured="this run")})
    assert "Measured in this run" in here.attrs["notes"][0]


def test_html_marks_the_best_and_shades_the_diagonal(metrics):
    table = tables.tabulate("headline", {"metrics": metrics})
    words = table.xs("linguistic", level="space")[("brier_score", "value")]
    html = rendering.to_html(table)
    for value in words.groupby(level=["dataset", "subset"]).min():
        assert f"<b>{labels.number(value, 'brier_score')}</b>" in html
    assert "AUROC of means\u00a0↑" in html
    crossed = rendering.to_html(tables.tabulate("cross_domain", {"metrics": metrics}))
    assert crossed.count('data-shaded="1"') == 2 * 3 * 3 * 4  # metrics, signals, datasets, quantities


def test_numbers_and_text_as_evaluators_see_them(tmp_path):
    assert labels.number(-0.0001, "reduction") == "0.000"
    assert labels.number(-0.25, "reduction") == "−0.250"
    assert labels.number(12.345, "faithfulness_divergence") == "12.35"
    table = pd.DataFrame(
        {("n", "value"): [1.0, -2.0]}, index=pd.Index(["=cmd", "perhaps"], name="expression")
    )
    assert rendering.to_csv(table).splitlines() == ["expression,n", "'=cmd,1.0", "perhaps,-2.0"]
    write_csv(table.rename(columns={"n": "@note"}).reset_index().droplevel(1, axis=1), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text().splitlines()[0] == "expression,'@note"
    names_of = pd.MultiIndex.from_tuples([("MMLU", "<b>" + 40 * "x")], names=["dataset", "of"])
    long = pd.DataFrame({("auroc", "value"): [0.5]}, index=names_of)
    long.columns.names = ["quantity", "part"]
    long.attrs = {"title": "Long names"}
    assert f'<span class="long">&lt;b&gt;{40 * "x"}</span>' in rendering.to_html(long)
    modules = [Path(one.__file__) for one in (rendering, labels, registry, contents)]
    modules += Path(tables.__file__).parent.glob("*.py")
    written = set("".join(path.read_text(encoding="utf-8") for path in modules))
    assert rendering.LATEX.escape("".join(sorted(written))).isascii()
    assert rendering.LATEX.escape("ρ ≥ −1") == "$\\rho$ $\\geq$ $-$1"
