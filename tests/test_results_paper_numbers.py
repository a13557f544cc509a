"""The paper's numbers beside a run's: which are the same quantity, what lies within, what is said of it."""

import pandas as pd
import pytest

from ralc.conditions import averaged, having
from ralc.human_benchmark import load_committed, with_committed
from ralc.pipeline.measures import with_means
from ralc.registry import CONTROLLED, METRICS, PAPER_SIGNALS
from ralc.report.contents import PAPER_DATASETS, PAPER_TARGETS
from ralc.report.tables import tabulate
from ralc.report.tables.replication import printed
from ralc.results import in_domain
from tests import synthetic


@pytest.fixture(scope="module")
def run() -> dict[str, pd.DataFrame]:
    """Results of two of the paper's targets on two of its datasets."""
    items = synthetic.make_items(
        synthetic.make_questions(("mmlu", "squad2"), 24), ("llama-3.1-8b", "qwen3-8b")
    )
    metrics = with_means(synthetic.make_metrics(items))
    means = averaged(metrics)
    benchmark = with_committed(load_committed("human_benchmark"), "this run")
    return {"metrics": metrics[~means], "averages": metrics[means], "human_benchmark": benchmark}


def test_the_papers_numbers_are_named_as_the_results_are():
    table = printed()
    assert table["item"].value_counts().to_dict() == {
        "detailed table": 150,
        "table 2": 54,
        "table of value changes": 54,
        "table of calibration maps": 30,
        "table 1": 28,
        "table of signal profiles": 21,
        "table of linguistic AUROC": 15,
        "table of biases": 9,
        "table of the human benchmark": 3,
    }
    of_models = having(table, quantity="value")
    assert set(of_models["target"]) == {*PAPER_TARGETS, "mean"}
    assert set(of_models["dataset"]) == {*PAPER_DATASETS, "mean"}
    assert set(table["metric"]) <= set(METRICS)
    assert set(table["signal"]) == {*PAPER_SIGNALS, "none"}
    assert set(table["subset"]) == {"all", *CONTROLLED}
    assert not table.duplicated(["item", *table.columns[2:-3]]).any()
    # SPEC section 6, and the abstract's 66 and 58 %.
    platt = table.query("item == 'table of calibration maps' and method == 'ralc' and variant == 'default'")
    assert platt.query("metric == 'generalised_ece'")["paper"].tolist() == [0.109, 0.085, 0.060]
    own = in_domain(having(table, item="table 2"))
    assert own.groupby("metric")["paper"].max().to_dict() == {
        "faithfulness_divergence": 66.1,
        "generalised_ece": 58.7,
    }


def test_percentages_and_values_of_the_paper_contradict_each_other_where_it_is_marked():
    table = printed().query("train == dataset != 'mean' and signal == 'semantic_uncertainty'")
    table = having(table, metric="faithfulness_divergence")
    detailed = printed().query("item == 'detailed table' and metric == 'faithfulness_divergence'")
    before = having(detailed, method="original").groupby("dataset")["paper"].mean()
    after = having(table, item="detailed table").groupby("dataset")["paper"].mean()
    percent = having(table, item="table 2").set_index("dataset")["paper"]
    apart = 100 * (1 - after / before) - percent
    assert apart.round(0).to_dict() == {"mmlu": 23, "squad2": 8, "truthfulqa": 8}
    assert (table["contradiction"] != "").all()


def test_what_is_the_same_quantity_stands_side_by_side(run):
    table = tabulate("replication", run)
    assert table.attrs["notes"][0].startswith("Replicated: ")
    about = table.index.to_frame(index=False)
    # Neither five targets nor three datasets: no mean is the paper's.
    assert not about["of"].str.contains("mean of").any()
    assert set(about["item"]) == {"detailed table, E.4", "table of the human benchmark, C.2.2"}
    row = table.xs("llama-3.1-8b, MMLU, Original answer, Linguistic space", level="of").iloc[0]
    metrics = run["metrics"].query(
        "target == 'llama-3.1-8b' and dataset == 'mmlu' and method == 'original' and space == 'linguistic' and "
        "evaluator == 'cue_model_b' and subset == 'all' and versus == 'none' and variant == 'default' and "
        "metric == 'faithfulness_divergence'"
    )
    assert row[("printed", "value")] == 0.925
    assert row[("this_run", "value")] == metrics["value"].item()
    assert row[("printed_difference", "value")] == pytest.approx(metrics["value"].item() - 0.925)
    inside = table[("printed", "value")].between(
        table[("this_run", "ci_low")], table[("this_run", "ci_high")]
    )
    assert (about["within"].eq("yes") == inside.to_numpy()).all()
    assert f"{inside.sum()} of {len(inside)}" in table.attrs["notes"][0]
