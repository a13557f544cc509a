"""The pages of the report: the verdict first, examples in a few lines, model text escaped."""

import re

import pandas as pd
import pytest

from ralc.conditions import POOLED, having
from ralc.report.examples import examples
from ralc.report.overview import in_words, most_changed, opening, overview, verdict
from ralc.results import labels
from ralc.results.holm_families import endpoints
from ralc.schemas import ORIGINS
from ralc.statistics import holm
from tests.cases import cases
from tests.conftest import ROOT
from tests.synthetic import results
from tests.test_report_tables import results_of


@pytest.fixture(scope="module")
def run(items, metrics) -> dict[str, pd.DataFrame]:
    """The results of a made-up run."""
    maps = pd.DataFrame({"flags": ["few_items", "", "flat"], "variant": ["default", "default", "map=beta"]})
    return results_of(items, metrics) | {"maps": maps.assign(protocol="ralc")}


@pytest.fixture(scope="module")
def page(run, questions, tmp_path_factory) -> str:
    """Its overview, with a figure."""
    figure = tmp_path_factory.mktemp("figures") / "grid.svg"
    figure.write_text("<svg/>")
    return overview(run, questions, [figure], [("Seed", "7")])


def turned(averages: pd.DataFrame, **numbers: float) -> pd.DataFrame:
    """The averages with other numbers of the Brier score against the original, by the headline evaluator."""
    own = (averages["dataset"] == POOLED) & (averages["evaluator"] == "cue_model_b")
    own &= (averages["metric"] == "brier_score") & (averages["versus"] == "original")
    changed = averages.copy()
    changed.loc[own, list(numbers)] = list(numbers.values())
    return changed


def test_the_first_screen_has_the_four_endpoints(run, page):
    rows = endpoints(run["averages"], "cue_model_b")
    at = 0
    assert list(zip(rows["versus"], rows["metric"], strict=True)) == [
        ("original", "brier_score"),
        ("original", "auroc"),
        ("constant_hedge", "brier_score"),
        ("constant_hedge", "auroc"),
    ]
    for row in rows.itertuples():
        value, *ends = (labels.number(one, row.metric) for one in (row.value, row.ci_low, row.ci_high))
        for text in (labels.label(row.versus), value, f"[{', '.join(ends)}]", f">{row.side}</span>"):
            at = page.index(text, at)
    assert "By the other evaluators (cue model) every sign is the same." in " ".join(page.split())


def test_the_first_screen_has_few_words(page):
    first = re.search(r'<div class="opening">(.*?)<h2>How it works', page, re.DOTALL).group(1)
    beside = re.sub(r"<table.*?</table>", " ", first, flags=re.DOTALL)
    words = re.sub(r"<[^>]*>", " ", beside).split()
    assert len(words) <= 120


@cases
def test_an_endpoint_is_better_worse_or_not_shown(run, numbers, side):
    averages = turned(run["averages"], **numbers)
    others = (averages["evaluator"] == "cue_model_b") & (averages["p_value"] != numbers["p_value"])
    averages["p_value"] = averages["p_value"].mask(others, 0.9)
    assert opening(run["metrics"], averages)["endpoints"][0]["side"] == side
    fragment = verdict(run["metrics"], averages)
    assert f">{side}</span>" in fragment


@cases
def test_the_verdict_is_said_in_words(run, sides, words):
    rows = endpoints(run["averages"], "cue_model_b").assign(side=sides)
    assert in_words(rows, (6, 36)) == words


def test_auroc_of_hardly_any_right_answer_is_not_judged(run):
    averages = run["averages"]
    rows = endpoints(averages, "cue_model_b", (6, 36)).set_index("metric")
    assert (rows.loc["auroc", "side"] == "too few").all()
    assert rows.loc["auroc", ["ci_low", "ci_high", "p_value"]].isna().all(axis=None)
    # The others are corrected for two tests.
    own = having(averages, evaluator="cue_model_b", metric="brier_score")
    own = having(own[own["versus"] != "none"], dataset=POOLED)
    assert sorted(rows.loc["brier_score", "p_value"]) == sorted(holm(own["p_value"]))
    right, wrong = opening(run["metrics"], averages)["answers"]
    assert right + wrong == sum(
        run["metrics"].query(
            "method == 'original' and metric == 'accuracy' and space == 'linguistic' and "
            "subset == 'all' and variant == 'default' and evaluator == 'cue_model_b'"
        )["n"]
    )


@cases
def test_the_verdict_says_what_the_words_lose_or_gain(run, value, said):
    metrics = run["metrics"]
    lost = (metrics["versus"] == "signal") & (metrics["metric"] == "brier_score")
    assert said in verdict(metrics.assign(value=metrics["value"].mask(lost, value)), run["averages"])


def test_the_verdict_says_whose_sign_turns(run):
    averages = turned(run["averages"], value=0.2, ci_low=0.1, ci_high=0.3, p_value=0.001)
    said = "reversed is Brier of means against original answer, by cue model."
    assert said in verdict(run["metrics"], averages)
    assert "reversed" not in verdict(run["metrics"], run["averages"])


def test_a_run_without_an_opponent_says_so(run):
    alone = run["averages"][run["averages"]["versus"] == "none"]
    assert "lacks one of the two opponents" in verdict(run["metrics"], alone)


def test_the_page_says_who_read_what_was_lost_and_what_was_run(run, page, questions):
    assert "0.91" in page  # errors shared with the cue model
    assert "1 of 2 calibration maps: few training answers" in page
    assert "<li>The calibration map: few" in overview(run | {"maps": run["maps"][:1]}, questions, [])
    assert "the same for every answer" not in page  # of a map that no table shows
    assert "<tr><th>Seed</th><td>7</td></tr>" in page
    assert (ROOT / "docs/images/pipeline.svg").read_text(encoding="utf-8").strip() in page
    assert "Never answered" not in page
    lost = (run["metrics"]["metric"] == "unanswered_rate") & (run["metrics"]["dataset"] == "worldfacts-qa")
    failed = run | {"metrics": run["metrics"].assign(value=run["metrics"]["value"].mask(lost, 0.25))}
    assert "Never answered: 6 of the questions." in overview(failed, questions, [])


def test_the_answer_that_is_shown_is_the_one_whose_reading_changed_most():
    asked, items, _ = results()
    found = most_changed(items, asked)
    read = items.query("space == 'linguistic' and evaluator == 'cue_model_b' and variant == 'default'")
    mean = read.assign(mean=read["alpha"] / (read["alpha"] + read["beta"]))
    before = having(mean, method="original").set_index("question_id")["mean"]
    ours = mean.query("method == 'ralc' and signal == 'semantic_uncertainty' and train == dataset")
    after = ours.set_index("question_id")["mean"]
    most = (before - after).abs().idxmax()
    assert found["question"] == asked.set_index("question_id").loc[most, "question"]
    assert found["read"][0] == f"{100 * before[most]:.0f} %"
    assert most_changed(items.assign(text="It is Paris."), asked) is None


def test_examples_are_spread_and_folded(items, questions, tmp_path):
    page = examples(items, questions, count=20)
    assert page.count('<article class="example"') == 20
    for dataset in ("worldfacts-qa", "worldfacts-mc", "worldfacts-rc"):
        assert page.count(f"<summary>{dataset} ·") in (6, 7)
    card = page.partition('<article class="example"')[2]
    before_fold = card.partition("<details>")[0]
    assert "Before <small>read as" in before_fold
    assert "Truth" not in before_fold
    shuffled = items.groupby(["evaluator", "dataset"], sort=False).sample(frac=1, random_state=0)
    assert page == examples(shuffled, questions, count=20)
    for name, frame in (("items", items), ("questions", questions)):
        frame.to_parquet(tmp_path / name)
    assert page == examples(*(pd.read_parquet(tmp_path / name) for name in ("items", "questions")), count=20)


def test_examples_show_truth_and_readings(items, questions):
    page = examples(items, questions, count=48)
    assert page.count("<script") == 1  # the page's own
    assert "&lt;script&gt;alert(&#34;x&#34;)&lt;/script&gt;" in page
    assert "The background does not contain the answer." in page
    assert "<dd>A. Aville</dd>" in page  # an answer may be a letter
    assert "<td>–</td>" in page  # not read
    assert "<th>cue model, after</th>" in page
    for origin in ORIGINS:
        assert "origin not recorded" not in examples(items.assign(origin=origin), questions, count=1)


def test_without_a_rewrite_there_is_no_example(items, questions):
    with pytest.raises(ValueError, match="no rows of method 'ralc'"):
        examples(items[items["method"] != "ralc"], questions)


def test_a_long_answer_is_one_example_whose_sentences_are_shaded_and_escaped(items, questions):
    own = having(items, dataset="worldfacts-qa", train=["worldfacts-qa", "none"])
    own = having(own, question_id="worldfacts-qa-000")
    texts = {0: "It is <b>Rome</b>.", 1: "It is old."}
    parts = [own.assign(sentence=at, text=text, outcome=1.0 - at) for at, text in texts.items()]
    made = pd.concat(parts, ignore_index=True)
    made["parent_answer"] = "Yes. It is <b>Rome</b>. It is old. Ask me more."
    page = examples(made, questions, count=5)
    assert page.count('<article class="example"') == 1
    assert page.count('">It is &lt;b&gt;Rome&lt;/b&gt;.<sup>') == 2  # before and after
    assert "50 % of what a sentence says is right" in page
    assert "partly correct" in page
    assert "80–100 %</span>" in page
    assert "– of what a sentence says" in examples(made.assign(outcome=float("nan")), questions, count=5)
    assert "shaded by confidence" not in examples(items, questions, count=5)


def test_one_dataset_has_one_interval(items, metrics):
    """The pooled answers of one dataset are its own: both tables show the same interval."""
    one = metrics["dataset"].unique()[0]
    names = {"evaluator": {"cue_model_b": "embedding_regression"}}
    rows = [having(table, dataset=one).replace(names) for table in (items, metrics)]
    run = results_of(*rows)
    shown = opening(run["metrics"], run["averages"])["beside"][one]
    pooled = run["averages"].query("evaluator == 'embedding_regression' and metric == 'brier_score'")
    ends = pooled.set_index("versus")[["ci_low", "ci_high"]]
    assert shown
    for row in shown:
        assert [row["ci_low"], row["ci_high"]] == ends.loc[row["versus"]].tolist()
