"""The paper's preset and the preset of its datasets on tiny official files; the first without a model.

The whole of both is for `make test-paper`. $RALC_PAPER_SHARE, in (0, 1], asks besides for such a share of the real
files in $RALC_SHARED_DATA under the paper's preset, for one target, and prints what each job used.
"""

import os
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest
import yaml

from ralc.config import read_config
from ralc.datasets import OFFICIAL
from ralc.lexicon import load_hedges
from ralc.planning import plan, sizes
from tests.conftest import ROOT
from tests.workflow.conftest import Checkout, copied

pytestmark = pytest.mark.workflow

DATA = ROOT / "tests/data"
TINY = {
    "mmlu": {"path": str(DATA / "mmlu_tiny"), "questions": 5},
    "squad2": {"path": str(DATA / "squad2_tiny.json"), "questions": 3},
    "truthfulqa": {"path": str(DATA / "truthfulqa_tiny.csv"), "questions": 2},
}
DATASETS, PAPER = (f"workflow/presets/{name}.yaml" for name in ("benchmarks", "paper"))
SHARE = float(os.environ.get("RALC_PAPER_SHARE", "0"))
QUICK = {"metrics": {"resamples": 20, "null_repeats": 5}}


@dataclass(frozen=True)
class WithoutModels(Checkout):
    """A checkout whose models are made up (`fake/fake_engine.py`)."""

    @property
    def environment(self) -> dict[str, str]:
        """The fake engine in place of those that need a GPU."""
        inherited = super().environment
        fake = str(ROOT / "tests/workflow/fake")
        return inherited | {"PYTHONPATH": os.pathsep.join([str(self.folder), fake])}


def without_models(folder: Path) -> WithoutModels:
    """A checkout with the paper's preset."""
    return WithoutModels(copied(folder, (PAPER,)).folder, (PAPER,))


@pytest.mark.long
def test_the_datasets_are_asked_and_graded(tmp_path):
    checkout = copied(tmp_path / "checkout", (DATASETS,))
    few = {"datasets": TINY, "sampling": {"answers": 2, "max_tokens": 8}}
    checkout.snakemake("results/benchmarks/grades/smollm2.parquet", config=yaml.safe_dump(few))
    grades = pd.read_parquet(checkout.folder / "results/benchmarks/grades/smollm2.parquet")
    # 5 + 3 + 2 questions; hedged answers on the held-out ones alone.
    assert (grades["prompt"] == "direct").sum() == 10
    assert set(grades["question_id"].str.partition("-")[0]) == set(TINY)


@pytest.mark.long
def test_questions_are_answered_at_length(tmp_path):
    checkout = WithoutModels(copied(tmp_path / "checkout", ()).folder, ())
    people = ["Ada Lima", "Bea Ruiz", "Cleo Paz", "Dora Vega", "Eva Soto", "Flor Rey"]
    rows = [f"Tell me a bio of {name}.,long_answer,{name} was born in 1931." for name in people]
    (checkout.folder / "lives.csv").write_text("\n".join(["question,format,context", *rows]))
    asked = {
        "run": {"targets": ["mine"], "datasets": ["lives"], "signals": ["support"], "methods": ["ralc"]},
        "models": {"mine": {"engine": "vllm", "model": "some/model"}},
        "datasets": {"lives": {"path": "lives.csv"}},
        "sampling": {"answers": 3, "max_tokens": 512, "prompts": "paper"},
        "roles": {
            **{role: {"method": "llm", "models": ["mine"]} for role in ("grader", "support")},
            "test_evaluators": ["cue_model_b"],
        },
        "ablations": {"map": [], "lexicon": []},
    }
    checkout.snakemake("results/items.parquet", config=yaml.safe_dump({"outdir": "results", **asked}))
    items = pd.read_parquet(checkout.folder / "results/items.parquet")
    ours = items[(items["method"] == "ralc") & (items["evaluator"] == "cue_model_b")]
    # 6 people, 2 of them for the map.
    assert ours.groupby("question_id")["sentence"].nunique().tolist() == [4] * 4
    assert ours["outcome"].isin((0, 1)).all()
    assert ours["text"].str.contains(r"\d{4}").all()
    signals = pd.read_parquet(checkout.folder / "results/signals/mine.parquet")
    assert signals["alpha"].between(0.5, 2.5).all()  # two other answers


@pytest.mark.paper
def test_the_datasets_come_to_their_report(tmp_path):
    checkout = copied(tmp_path / "checkout", (DATASETS,))
    few = {"datasets": TINY, "sampling": {"answers": 3, "max_tokens": 8}}
    checkout.snakemake(config=yaml.safe_dump(few | QUICK))
    metrics = pd.read_parquet(checkout.folder / "results/benchmarks/metrics.parquet")
    assert set(metrics["dataset"]) == {*TINY, "mean", "pooled"}
    assert {"answerable", "unanswerable"} <= set(metrics.loc[metrics["dataset"] == "squad2", "subset"])


@pytest.mark.paper
def test_the_papers_preset_comes_to_its_report(tmp_path):
    checkout = without_models(tmp_path / "checkout")
    few = {"run": {"targets": ["llama-3.1-8b", "qwen3-8b"]}, "datasets": TINY, "lexicon": {"sentences": 2}}
    few |= QUICK | {"people": {"data": None}}
    checkout.snakemake(config=yaml.safe_dump(few))
    results = checkout.folder / "results/paper"
    items = pd.read_parquet(results / "items.parquet")
    assert set(items["evaluator"]) == {"none", "ensemble"}
    assert set(items["protocol"]) == {"paper"}
    # The base rate costs no call, and stands beside in every run.
    assert set(items["method"]) == {"original", "ralc", "direct_beta", "hedged_qa", "base_rate"}
    assert items.loc[items["method"] == "ralc", "p_entail"].notna().any()
    varied = items[items["variant"].str.startswith("hedges=")]
    assert set(zip(varied["target"], varied["dataset"], strict=True)) == {("llama-3.1-8b", "truthfulqa")}
    asks_what_the_plan_names(checkout, results)
    checkout.snakemake("record", config=yaml.safe_dump(few))
    is_made_again_from(results / "record", results, tmp_path / "again")
    config = yaml.safe_dump(few | {"people": {"data": "none_such"}})
    assert "people: {data: null} runs without" in checkout.snakemake(config=config, check=False).stdout


def asks_what_the_plan_names(checkout: WithoutModels, results: Path) -> None:
    """Every stage has asked for as many answers as the plan says; only pairs of equal texts are compared once."""
    config = read_config([checkout.folder / name for name in (*checkout.presets, "overlay.yaml")])
    planned = plan(config, sizes(config), len(load_hedges(config.lexicon.path, extend=config.lexicon.extend)))
    asked = {
        path.name: sum(pd.read_parquet(table, columns=["n"])["n"].sum() for table in path.glob("*.parquet"))
        for path in (results / "requests").iterdir()
    }
    assert asked.pop("preserve") <= planned.loc[planned["stage"] == "preserve", "calls"].sum()
    named = planned[planned["stage"] != "preserve"].groupby("stage")["calls"].sum().to_dict()
    assert {stage: answers for stage, answers in asked.items() if answers} == named


def is_made_again_from(record: Path, results: Path, folder: Path) -> None:
    """Where no model can be asked, the record makes the same tables."""
    again = copied(folder, (str(record / "config.json"),))
    again.snakemake()
    made = folder / "results/paper_from_record"
    assert "no model was asked" in (made / "overview.html").read_text()
    for table in ("items", "metrics", "calls", "lexicon/lexicon"):
        pd.testing.assert_frame_equal(*(pd.read_parquet(at / f"{table}.parquet") for at in (results, made)))
    for table in (results / "tables").glob("*.csv"):
        assert (made / "tables" / table.name).read_text() == table.read_text(), table.name


@pytest.mark.paper
@pytest.mark.shared
@pytest.mark.skipif(not SHARE, reason="RALC_PAPER_SHARE is not set: a share of the real files in (0, 1]")
def test_a_share_of_the_real_files(tmp_path, shared_data):
    checkout = without_models(tmp_path / "checkout")
    places = ("mmlu/test", "squad2/dev-v2.0.json.gz", "truthfulqa/TruthfulQA.csv")
    real = {
        name: {"path": str(shared_data / place), "questions": round(SHARE * OFFICIAL[name][0])}
        for name, place in ((place.partition("/")[0], place) for place in places)
    }
    people = {"data": str(shared_data)}
    overlay = {"run": {"targets": ["llama-3.1-8b"]}, "datasets": real, "people": people}
    checkout.snakemake(config=yaml.safe_dump(overlay))
    asks_what_the_plan_names(checkout, checkout.folder / "results/paper")
    assert "ensemble" in (checkout.folder / "results/paper/tables/human_benchmark.csv").read_text()
    jobs = pd.read_csv(checkout.folder / "results/paper/jobs.csv")
    print(jobs.to_string())
    assert jobs["memory_mb"].max() < 6 * 1024
