"""What a run will ask: the paper's matrix to the digit, and what is beside it."""

import json
from pathlib import Path

import pytest
import yaml

from ralc.config import merged, parse_config, read_config
from ralc.datasets import OFFICIAL
from ralc.datasets.loading import PUBLISHED
from ralc.planning import (
    SENTENCES,
    STEPS,
    Size,
    overdue,
    plan,
    sizes,
)
from ralc.steps import ANSWER_TOKENS, HEDGED_TOKENS, ROLES, Stage
from tests.cases import cases
from tests.commands import run

ROOT = Path(__file__).parents[1]
PAPER, PLUS = (ROOT / f"workflow/presets/{name}.yaml" for name in ("paper", "paper_plus"))
#: Without what stands beside the paper's matrix.
MATRIX = {"ablations": {"hedges": []}, "people": {"data": None}}
NO_ABLATIONS = {"hedges": [], "targets": None, "datasets": None}


def paper(overlay=None, plus=False):
    """The configuration of the paper's preset, with what is ours over it or not, and an overlay."""
    mapping = yaml.safe_load((ROOT / "config.yaml").read_text())
    for path in (PAPER, PLUS) if plus else (PAPER,):
        mapping = merged(mapping, yaml.safe_load(path.read_text()))
    return parse_config(merged(mapping, overlay or {}))


def calls(config):
    """Calls of each stage of a run."""
    return plan(config, sizes(config), 143).groupby("stage")["calls"].sum()


def test_the_papers_matrix_to_the_digit():
    config = paper(MATRIX)
    assert config.protocol == "paper"
    assert sizes(config) == {
        "mmlu": Size(4213, 9829, "multiple_choice"),
        "squad2": Size(3562, 8311, "reading_comprehension"),
        "truthfulqa": Size(246, 571, "short_answer"),
    }
    asked = calls(config)
    assert asked.to_dict() == {
        "sample": 2_673_200 + 93_555,
        "cluster": 133_660,
        "grade": 133_660 + 93_555,
        "write_lexicon": 143 * 20,
        "read_lexicon": 143 * 20 * 9,
        # The signal's readings, those of the held-out originals, of the hedged answers, and of the rewrites.
        "read_answers": 9 * (133_660 + 93_555 + 93_555),
        "rewrite": 841_995 + 280_665,
        "read_rewrites": 9 * 1_122_660,
        # Both directions of every rewrite, and of every hedged answer.
        "preserve": 2 * (841_995 + 280_665 + 93_555),
    }
    # SPEC counts hedged answers on the train questions, too, and one reading for signal and original.
    core = asked.drop(["write_lexicon", "read_lexicon", "preserve"]).sum()
    assert core == 17_241_160 == 16_840_320 - 441_155 + 9 * 93_555


def test_what_is_beside_the_matrix():
    alone = calls(paper(MATRIX))
    only = calls(paper())
    plus = calls(paper(plus=True))
    # Nine readings of each of the paper's 1,622 sentences.
    assert only["read_people"] == 14_598
    # 571 held-out questions of one target, 3 signals: a rewrite and nine readings for each of three variants.
    assert only["rewrite"] - alone["rewrite"] == 571 * 3 * 3
    assert only["read_rewrites"] - alone["read_rewrites"] == 571 * 3 * 9 * 3
    assert plus["rewrite"] - alone["rewrite"] == 18_711 * 5 * 3 * 3 + 18_711 * 5  # a constant hedge an answer


def test_protocol_ralc_reads_drafts_and_leaves_the_letter():
    own = calls(paper(MATRIX | {"protocol": "ralc"}))
    letter = calls(paper(MATRIX))
    # RALC's 841,995 rewrites are chosen from four drafts each, which three evaluators read three times.
    assert own["rewrite"] - letter["rewrite"] == 841_995 * 3
    assert own["read_candidates"] == 841_995 * 4 * 9
    assert letter["read_answers"] - own["read_answers"] == 9 * 93_555
    assert "read_candidates" not in calls(paper(MATRIX | {"protocol": "ralc", "choices": {"loop": "open"}}))


def test_every_stage_has_its_tokens_and_its_lines():
    assert {*STEPS} == {name for name in ROLES if not Stage(name, {}).batch}
    everything = {"protocol": "ralc", "grading": {"rewrites": True}, "lexicon": {"sources": ["qwen3-8b"]}}
    asks = {"run": {"signals": ["support", "p_true"]}}
    asks["roles"] = {"support": {"method": "llm", "models": ["qwen3-8b"]}}
    configs = (paper(everything), paper(asks))
    asked = {stage for config in configs for stage in plan(config, sizes(config), 143)["stage"]}
    assert asked == set(ROLES)


@cases
def test_what_a_model_wrote_may_be_graded(rewriter, written):
    roles = {"rewriter": {"method": rewriter, "models": ["gpt-oss-20b"]}}
    config = paper(MATRIX | {"protocol": "ralc", "grading": {"rewrites": True}, "roles": roles}, plus=True)
    table = plan(config, sizes(config), 143)
    assert table.loc[table["stage"] == "grade_rewrites", "calls"].sum() == written


def test_an_evaluator_of_primary_rewrites_alone_is_asked_of_one_map_and_signal():
    def read(secondary):
        entry = {"method": "embedding_regression", "models": ["smollm2"], "secondary": secondary}
        config = parse_config({"evaluators": {"embedding_regression": entry}})
        return plan(config, sizes(config), 0).groupby("stage")["calls"].sum()

    # All but the primary one of three signals by three maps; two by direct_beta; three with people's phrases.
    more = read(secondary=True) - read(secondary=False)
    assert more[["read_answers", "read_rewrites"]].tolist() == [129, (8 + 2 + 3) * 300]


def test_an_embedding_takes_the_text_alone_and_nothing_is_written():
    config = paper({"roles": {"test_evaluators": ["embedding_regression"]}})
    embedded = plan(config, sizes(config), 143).set_index(["stage", "model"]).loc[("read_answers", "smollm2")]
    assert embedded["calls"] == 5 * 3 * 18_711
    assert embedded["prompt_tokens"] == embedded["calls"] * HEDGED_TOKENS
    assert embedded["completion_tokens"] == 0


def test_money_where_there_are_prices_hours_where_there_are_none_and_neither_for_what_is_recorded(tmp_path):
    server = {
        "engine": "openai",
        "model": "m",
        "base_url": "http://localhost/v1",
        "price": {"completion": 2.0},
    }
    recorded = {"engine": "recorded", "path": str(tmp_path / "answers.jsonl")}
    mine = {"models": {"mistral-7b": server, "mine": recorded}, "ablations": NO_ABLATIONS}
    mine["run"] = {"targets": ["mine", "mistral-7b", "qwen3-8b"]}
    config = paper(mine)
    table = plan(config, sizes(config), 143).set_index("model")
    assert table.loc["mistral-7b", "cost"].gt(0).all()
    assert table.loc["mistral-7b", "hours"].isna().all()
    assert table.loc["qwen3-8b", "cost"].isna().all()
    assert table.loc["qwen3-8b", "hours"].gt(0).all()
    assert "mine" not in table.index


def test_the_command_prints_the_lines_and_the_sums_and_finds_what_a_run_would(monkeypatch, capsys, tmp_path):
    def told(*options, code=0):
        found, out, err = run(capsys, "plan", *options)
        assert found == code
        return out.splitlines(), err

    monkeypatch.chdir(tmp_path)
    lines, fault = told("--configfile", PAPER, code=1)
    assert "people.data = 'human_studies': there is no such file or folder" in fault
    assert lines[0] == "protocol paper"
    assert lines[-2].split()[0] == "all"
    away = told()
    assert "human benchmark: not asked (people.data is not set)" in away[0]
    monkeypatch.chdir(PAPER.parents[2])
    assert told() == away  # the checkout's config.yaml stands below, wherever one is
    monkeypatch.chdir(tmp_path)
    rows = map(json.loads, told("--configfile", PAPER, "--json", code=1)[0])
    assert sum(row["calls"] for row in rows if row["stage"] == "sample") == 2_766_755
    # Every file that is not there, by its key; without questions there is nothing to count.
    (tmp_path / "lost.yaml").write_text(
        "datasets: {mine: {path: q.csv}, more: {path: r.parquet}}\nmodels: {said: {engine: recorded, path: s.jsonl}}\n"
        "run: {datasets: [mine, more], targets: [said]}\nlexicon: {path: lex.csv}\npeople: {data: lost}\n"
    )
    lines, fault = told("lost.yaml", code=1)
    assert lines == []
    files = [
        "datasets.mine.path = 'q.csv'",
        "datasets.more.path = 'r.parquet'",
        "models.said.path = 's.jsonl'",
    ]
    files += ["lexicon.path = 'lex.csv'", "people.data = 'lost'"]
    assert [line.split(": ")[1] for line in fault.splitlines()] == files
    # Several files behind one option, as snakemake takes them; a job that ends after its limit is named.
    (tmp_path / "one.yaml").write_text("people: {data: null}\nmodels: {gpt-oss-20b: {shards: {rewrite: 1}}}")
    lines, warning = told("--configfile", PAPER, "one.yaml")
    assert "gpt-oss-20b: 343 h of rewrite in 1 job of at most 24 h; shards: {rewrite: 16}" in warning


@pytest.mark.parametrize("plus", [False, True])
def test_every_job_of_the_paper_ends_within_its_limit(plus):
    config = paper(plus=plus)
    table = plan(config, sizes(config), 405)
    assert overdue(table) == []
    assert table["job_hours"].max() < 24
    assert table.set_index("model").loc["gemma-4-31b", "gpus"] == 2


@pytest.mark.parametrize(
    "preset", sorted((ROOT / "workflow/presets").glob("*.yaml")), ids=lambda file: file.stem
)
def test_a_plan_has_the_jobs_that_a_dry_run_has(preset):
    below = [PAPER] if preset == PLUS else []
    config = read_config([*below, preset], ROOT / "config.yaml")
    few = dict.fromkeys(config.run.datasets, Size(3, 7, "short_answer"))
    # A dry run's jobs of `complete` are made of the stages; recorded samples are copied, not asked for.
    jobs = {
        (stage.name, model): shards
        for stage in config.stages().values()
        for model, shards in stage.models.items()
        if not config.models[model].samples_file
    }
    assert plan(config, few, 143).set_index(["stage", "model"])["jobs"].to_dict() == jobs


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_dataset_is_planned_without_fetching_it(name, monkeypatch):
    monkeypatch.setattr("ralc.datasets.loading.fetch", None)
    config = parse_config({"run": {"datasets": [name]}, "datasets": {name: {}}})
    size = sizes(config)[name]
    assert size.train + size.test == OFFICIAL[name][0]


def test_long_answers_are_asked_once_and_graded_by_the_sentence(tmp_path):
    row = {"question": "Tell me a bio of Ann.", "format": "long_answer", "context": "Ann sang."}
    (tmp_path / "lives.jsonl").write_text(f"{json.dumps(row)}\n" * 2)
    overlay = MATRIX | {"run": {"targets": ["llama-3.1-8b"], "datasets": ["lives"]}}
    overlay |= {"datasets": {"lives": {"path": str(tmp_path / "lives.jsonl")}}, "ablations": NO_ABLATIONS}
    config = paper(overlay)
    table = plan(config, sizes(config), 143).groupby("stage")[["calls", "completion_tokens"]].sum()
    calls = table["calls"]
    assert table["completion_tokens"]["sample"] == calls["sample"] * SENTENCES * ANSWER_TOKENS
    assert calls["sample"] == 2 * config.sampling.answers
    assert calls["grade"] == 2 * SENTENCES
