"""Every preset to its report, on little that is made up, with everything given that a run may be given.

So people's data, a list of hedges, a record, files in place of what is fetched. Models that need a GPU or a server are
made up; the embedded one is real. The paper's preset also runs on a share of the real files in $RALC_SHARED_DATA. With
$RALC_PAPER_SHARE, in (0, 1], its share is that, its lexicon is whole, and its jobs are measured.
"""

import csv
import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path

import pandas as pd
import pytest
import yaml

from ralc import precomputed
from ralc.conditions import having
from ralc.config import read_config
from ralc.datasets import OFFICIAL
from ralc.datasets.published.factscore import MODELS
from ralc.human_benchmark.studies import FILES
from ralc.lexicon import load_hedges
from ralc.planning import plan, sizes
from studies import published
from tests.conftest import ROOT
from tests.workflow.conftest import ROLES, SMOKE, WithoutModels, copied

pytestmark = [pytest.mark.workflow, pytest.mark.long]

DATA = ROOT / "tests/data"
TINY = {
    "mmlu": {"path": str(DATA / "mmlu_tiny"), "questions": 5},
    "squad2": {"path": str(DATA / "squad2_tiny.json"), "questions": 3},
    "truthfulqa": {"path": str(DATA / "truthfulqa_tiny.csv"), "questions": 2},
}
WORLDFACTS = [f"worldfacts-{form}" for form in ("qa", "mc", "rc")]
PAPER, PLUS = (f"workflow/presets/{name}.yaml" for name in ("paper", "paper_plus"))
#: Other tests bring these to their ends: `smoke_run`, `roles_run`, and that of the paper below.
ELSEWHERE = {SMOKE, ROLES, PAPER, PLUS}
SHARE = float(os.environ.get("RALC_PAPER_SHARE", "0"))
QUICK = {"metrics": {"resamples": 20, "null_repeats": 5}, "report": {"examples": 4}}
#: What every run is given; `give` writes it.
GIVEN = QUICK | {"people": {"data": "people"}, "lexicon": {"path": "hedges.csv", "sentences": 1}}
HEDGES = {
    "certainly": "adverb",
    "probably": "adverb",
    "I think": "clause",
    "perhaps": "opener",
    "I doubt that": "clause",
}


def give(folder: Path) -> None:
    """Write people's readings of five sentences, and a list of hedges."""
    columns = ("uncertainty_expression", "llm_confidence_level", "annotation_mean")
    read = [(f"{hedge.capitalize()}, it is Lima.", "low", 90 - 15 * i) for i, hedge in enumerate(HEDGES)]
    write_csv(folder / "people" / FILES["tao_benchmark"][0], columns, read)
    write_csv(folder / "hedges.csv", ("expression", "frame"), HEDGES.items())


def write_csv(file: Path, columns: tuple[str, ...], rows: Iterable[tuple]) -> None:
    """Write a CSV."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", newline="", encoding="utf-8") as text:
        csv.writer(text).writerows([columns, *rows])


def write_lines(file: Path, rows: Iterable[dict]) -> None:
    """Write a file of JSON lines."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def give_samples(folder: Path, questions: str, targets: Iterable[str], answers: tuple[str, ...]) -> None:
    """Write recorded, graded answers to twelve questions; a third of them is wrong."""
    asked = [{"question": f"What is the capital of Land {i}?", "accepted": [f"Town {i}"]} for i in range(12)]
    write_lines(folder / f"examples/{questions}.jsonl", asked)
    for target in targets:
        rows = []
        for i, row in enumerate(asked):
            correct = [int((i + place) % 3 > 0) for place in range(len(answers))]
            towns = [f"Town {i}" if right else "Rome" for right in correct]
            texts = [answer.format(town) for answer, town in zip(answers, towns, strict=True)]
            tokens = [[-0.1 * (i % 4), -0.2 * place] for place in range(len(answers))]
            rows.append(row | {"answers": texts, "correct": correct, "token_logprobs": tokens})
        write_lines(folder / f"examples/{target}.jsonl", rows)


def give_recorded_models(folder: Path) -> None:
    """Write what preset dlm_uncertainty reads."""
    give_samples(folder, "mmlu-mini", ("llama3-8b", "llada-8b"), ("{}", "It is {}.", "{}!"))


def give_certainty_phrases(folder: Path) -> None:
    """Write what preset wang2025 reads."""
    give_samples(folder, "truthfulqa", ("gpt-4o",), ("{} (probably)",))


def give_biographies(folder: Path) -> None:
    """Write what preset long reads: what three models say of eight people, and which of it is right."""
    for place, model in enumerate(MODELS):
        rows = []
        for i in range(8):
            said = (f"Ann Lee {i} was born in Oslo.", f"She moved to Lima in {1970 + (i + place) % 3}.")
            facts = (
                {"text": text, "human-atomic-facts": [{"text": text, "label": "S" if i % 2 else "NS"}]}
                for text in said
            )
            row = {
                "input": f"Question: Tell me a bio of Ann Lee {i}.",
                "output": " ".join(said),
                "topic": f"Ann Lee {i}",
            }
            rows.append(row | {"cat": ["rare", "Europe"], "annotations": list(facts)})
        write_lines(folder / f"factscore/{model}.jsonl", rows)
    for model in MODELS:
        source = folder / f"factscore/{model}.jsonl"
        samples = precomputed.samples_of(published.read("factscore", source), source)
        precomputed.write(samples, folder / f"examples/{model}.jsonl")


def give_questions(folder: Path) -> None:
    """Write what preset server reads."""
    rows = [(f"What is town {i} of Peru?", "Lima") for i in range(8)]
    write_csv(folder / "questions.csv", ("question", "accepted"), rows)


def few_of(*datasets: str) -> dict:
    """Eight questions of some datasets in place of all, and of the methods those that need no hedged answers."""
    run = {"datasets": [*datasets], "methods": ["ralc", "constant_hedge"]}
    return {"run": run, "datasets": {name: {"questions": 8} for name in datasets}}


FEW = {"answers": 3, "max_tokens": 8}
#: How little each preset runs on, and what writes its files.
PRESETS: dict[str, tuple[dict, Callable[[Path], None]]] = {
    "benchmarks": ({"datasets": TINY, "sampling": FEW}, give),
    "confirming": ({"datasets": {name: {"questions": 3} for name in WORLDFACTS}, "sampling": FEW}, give),
    "dlm_uncertainty": ({}, give_recorded_models),
    "long": ({"datasets": {"factscore": {"path": "factscore"}}}, give_biographies),
    # The questions of the other datasets are fetched.
    "record": (few_of("worldfacts-qa", "worldfacts-rc"), give),
    "recorded": (few_of("worldfacts-qa", "worldfacts-rc"), give),
    "server": ({"sampling": {"answers": 3}}, give_questions),
    "wang2025": ({}, give_certainty_phrases),
}


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_comes_to_its_report(preset, tmp_path):
    overlay, give_files = PRESETS[preset]
    folder = copied(tmp_path / "checkout").folder
    give(folder)
    give_files(folder)
    checkout = WithoutModels(folder, (f"workflow/presets/{preset}.yaml",))
    checkout.snakemake(config=yaml.safe_dump(GIVEN | overlay))
    is_reported(folder / f"results/{preset}")


def is_reported(results: Path) -> None:
    """A run's folder has its report and pages, with the hedges and the people that it was given."""
    for page in ("report", "overview", "examples", "index"):
        assert "</html>" in (results / f"{page}.html").read_text(encoding="utf-8")
    assert set(pd.read_csv(results / "tables/lexicon.csv")["expression"]) == set(HEDGES)
    people = pd.read_parquet(results / "people/human_benchmark.parquet").query("measured == 'this run'")
    assert set(people["dataset"]) == {"tao_benchmark"}
    assert pd.read_parquet(results / "items.parquet", columns=["outcome"])["outcome"].notna().any()


def test_no_preset_is_left_out():
    named = {f"workflow/presets/{name}.yaml" for name in PRESETS} | ELSEWHERE
    assert named == {path.relative_to(ROOT).as_posix() for path in (ROOT / "workflow/presets").glob("*.yaml")}


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
    ours = having(items, method="ralc", evaluator="cue_model_b")
    # 6 people, 2 of them for the map.
    assert ours.groupby("question_id")["sentence"].nunique().tolist() == [4] * 4
    assert ours["outcome"].isin((0, 1)).all()
    assert ours["text"].str.contains(r"\d{4}").all()
    signals = pd.read_parquet(checkout.folder / "results/signals/mine.parquet")
    assert signals["alpha"].between(0.5, 2.5).all()  # two other answers


def test_the_papers_presets_come_to_their_reports_and_are_made_again_of_a_record(tmp_path, monkeypatch):
    checkout = WithoutModels(copied(tmp_path / "checkout").folder, (PAPER,))
    give(checkout.folder)
    few = yaml.safe_dump(GIVEN | {"run": {"targets": ["llama-3.1-8b", "qwen3-8b"]}, "datasets": TINY})
    checkout.snakemake(config=few)
    results = checkout.folder / "results/paper"
    is_reported(results)
    items = pd.read_parquet(results / "items.parquet")
    assert set(items["evaluator"]) == {"none", "ensemble"}
    assert set(items["protocol"]) == {"paper"}
    # The base rate costs no call, and stands beside in every run.
    assert set(items["method"]) == {"original", "ralc", "direct_beta", "hedged_qa", "base_rate"}
    assert items.loc[items["method"] == "ralc", "p_entail"].notna().any()
    varied = items[items["variant"].str.startswith("hedges=")]
    assert set(zip(varied["target"], varied["dataset"], strict=True)) == {("llama-3.1-8b", "truthfulqa")}
    monkeypatch.chdir(checkout.folder)
    asks_what_the_plan_names(checkout, results)
    checkout.snakemake("record", config=few)
    is_made_again_from(results / "record", results, tmp_path / "again")
    absent = checkout.snakemake("-n", config=few.replace("data: people", "data: none_such"), check=False)
    assert "people: {data: null} runs without" in absent.stdout
    WithoutModels(checkout.folder, (PAPER, PLUS)).snakemake(config=few)
    is_reported(results)
    methods = pd.read_parquet(results / "items.parquet", columns=["method"])["method"]
    assert "constant_hedge" in set(methods)


def asks_what_the_plan_names(checkout: WithoutModels, results: Path) -> None:
    """Every stage has asked for as many answers as the plan says; only pairs of equal texts are compared once."""
    config = read_config([checkout.folder / name for name in (*checkout.presets, "overlay.yaml")])
    planned = plan(
        config,
        sizes(config),
        len(load_hedges(config.lexicon.path, extend=config.lexicon.extend, voice=config.voice())),
    )
    asked = {
        path.name: sum(pd.read_parquet(table, columns=["n"])["n"].sum() for table in path.glob("*.parquet"))
        for path in (results / "requests").iterdir()
    }
    assert asked.pop("preserve") <= planned.loc[planned["stage"] == "preserve", "calls"].sum()
    named = planned[planned["stage"] != "preserve"].groupby("stage")["calls"].sum().to_dict()
    assert {stage: answers for stage, answers in asked.items() if answers} == named


def is_made_again_from(record: Path, results: Path, folder: Path) -> None:
    """Where no model can be asked, the record makes the same tables."""
    again = WithoutModels(copied(folder).folder, (str(record / "config.json"),))
    give(folder)
    (folder / "no_models").touch()
    again.snakemake()
    made = folder / "results/paper_from_record"
    assert "no model was asked" in (made / "overview.html").read_text()
    for table in ("items", "metrics", "calls", "lexicon/lexicon"):
        pd.testing.assert_frame_equal(*(pd.read_parquet(at / f"{table}.parquet") for at in (results, made)))
    for table in (results / "tables").glob("*.csv"):
        assert (made / "tables" / table.name).read_text() == table.read_text(), table.name


@pytest.mark.shared
def test_the_papers_preset_on_a_share_of_the_real_files(tmp_path, shared_data):
    checkout = WithoutModels(copied(tmp_path / "checkout").folder, (PAPER,), measured=bool(SHARE))
    places = ("mmlu/test", "squad2/dev-v2.0.json.gz", "truthfulqa/TruthfulQA.csv")
    real = {}
    for place in places:
        name = place.partition("/")[0]
        questions = max(4, round((SHARE or 0.002) * OFFICIAL[name][0]))
        real[name] = {"path": str(shared_data / place), "questions": questions}
    overlay = {"run": {"targets": ["llama-3.1-8b"]}, "datasets": real, "people": {"data": str(shared_data)}}
    overlay |= {} if SHARE else QUICK | {"lexicon": {"sentences": 1}}
    checkout.snakemake(config=yaml.safe_dump(overlay))
    results = checkout.folder / "results/paper"
    asks_what_the_plan_names(checkout, results)
    assert "ensemble" in (results / "tables/human_benchmark.csv").read_text()
    if SHARE:
        jobs = pd.read_csv(results / "jobs.csv")
        print(jobs.to_string())
        assert jobs["memory_mb"].max() < 6 * 1024
