"""What a run will ask: the paper's matrix to the digit, and what is beside it on lines of its own."""

import json
from pathlib import Path

import pytest
import yaml

from ralc.cli.app import main
from ralc.config import parse_config
from ralc.configfiles import merged
from ralc.llm import Response
from ralc.llm.journal import Journal
from ralc.planning import (
    ANSWER_TOKENS,
    HEDGED_TOKENS,
    PROMPT_TOKENS,
    SENTENCES,
    Size,
    answered,
    plan,
    sizes,
)
from ralc.stages import ROLES, Stage

ROOT = Path(__file__).parents[1]
PAPER, PLUS = (ROOT / f"workflow/presets/{name}.yaml" for name in ("paper", "paper_plus"))
PROBE = {"method": "embedding_regression", "models": ["smollm2"]}
MATRIX = {"ablations": {"hedges": []}, "people": {"data": None}}


def paper(overlay=None, plus=False):
    """The configuration of the paper's preset, with what is ours over it or not, and an overlay."""
    mapping = yaml.safe_load((ROOT / "config.yaml").read_text())
    for path in (PAPER, PLUS) if plus else (PAPER,):
        mapping = merged(mapping, yaml.safe_load(path.read_text()))
    return parse_config(merged(mapping, overlay or {}))


def calls(config, part=None):
    """Calls of a part of a run, or of all parts."""
    table = plan(config, sizes(config), 143)
    return table.groupby("part")["calls"].sum().to_dict() if part is None else sum_of(table, part)


def sum_of(table, part):
    return table.loc[table["part"] == part, "calls"].sum()


def test_the_papers_core_matrix_to_the_digit():
    config = paper()
    assert config.protocol == "paper"
    assert sizes(config) == {
        "mmlu": Size(4213, 9829, "multiple_choice"),
        "squad2": Size(3562, 8311, "reading_comprehension"),
        "truthfulqa": Size(246, 571, "short_answer"),
    }
    table = plan(config, sizes(config), 143)
    core = table[table["part"] == "core"].groupby("stage")["calls"].sum()
    assert core["sample"] == 2_673_200 + 93_555
    assert core["cluster"] == 133_660
    assert core["grade"] == 133_660 + 93_555
    assert core["rewrite"] == 841_995 + 280_665
    # The signal's readings, those of the held-out originals, of the hedged answers, and of the rewrites.
    assert core["read_answers"] == 9 * (133_660 + 93_555 + 93_555)
    assert core["read_rewrites"] == 9 * 1_122_660
    assert core.sum() == 17_241_160
    # SPEC counts hedged answers on the train questions, too, and one reading for signal and original.
    assert core.sum() == 16_840_320 - 441_155 + 9 * 93_555


def test_what_is_beside_the_matrix_has_lines_of_its_own():
    assert calls(paper(), "lexicon") == 28_600
    # Nine readings of each of the paper's 1,622 sentences.
    assert calls(paper(), "human benchmark") == 14_598
    only, core = calls(paper()), calls(paper(MATRIX))
    assert set(core) == {"core", "lexicon", "content preservation"}
    # Both directions of every rewrite, and of every hedged answer.
    assert core["content preservation"] == 2 * (841_995 + 280_665 + 93_555)
    # 571 held-out questions of one target, 3 signals: a rewrite and nine readings for each of three variants.
    assert only["ablations"] == 571 * 3 * 10 * 3 == 51_390
    plus = calls(paper(plus=True))
    assert plus["ablations"] == 18_711 * 5 * 3 * 10 * 3
    assert plus["constant hedge"] == 280_665 * 10
    assert plus["core"] == only["core"] == core["core"]


def test_protocol_ralc_asks_no_hedged_answers_of_train_questions():
    own = calls(paper({"protocol": "ralc"}, plus=True))
    core = 16_840_320 - 441_155
    # RALC's 841,995 rewrites are chosen from four drafts each, which three evaluators read three times.
    chosen = 841_995 * (3 + 4 * 9)
    assert own["core"] == core + chosen
    assert calls(paper({"protocol": "ralc", "choices": {"loop": "open"}}))["core"] == core
    assert own["constant hedge"] == 280_665 * (10 + 3 + 4 * 9)


def test_every_stage_has_its_tokens_and_its_lines():
    assert set(PROMPT_TOKENS) == {"read" if Stage(name, {}).batch else name for name in ROLES}
    everything = {"protocol": "ralc", "grading": {"rewrites": True}}
    config = paper(everything | {"lexicon": {"sources": ["qwen3-8b"]}})
    support = paper(
        {
            "run": {"signals": ["support", "p_true"]},
            "roles": {"support": {"method": "llm", "models": ["qwen3-8b"]}},
        }
    )
    asked = {stage for one in (config, support) for stage in plan(one, sizes(one), 143)["stage"]}
    assert asked == set(ROLES)


@pytest.mark.parametrize(("rewriter", "written"), [("llm", 841_995 + 2 * 280_665), ("guided", 280_665)])
def test_what_a_model_wrote_may_be_graded(rewriter, written):
    roles = {"rewriter": {"method": rewriter, "models": ["gpt-oss-20b"]}}
    config = paper(MATRIX | {"protocol": "ralc", "grading": {"rewrites": True}, "roles": roles}, plus=True)
    table = plan(config, sizes(config), 143)
    assert table.loc[table["stage"] == "grade_rewrites", "calls"].sum() == written


def test_a_evaluator_that_does_not_cross_is_asked_of_one_map_a_dataset():
    def read(crossing):
        config = parse_config({"evaluators": {"embedding_regression": PROBE | {"crossing": crossing}}})
        table = plan(config, sizes(config), 0)
        return table.loc[table["stage"] == "read_rewrites", "calls"].sum()

    signals, answers, others = 3, 300, 2  # other datasets; each has a constant hedge of its own, too
    assert read(crossing=True) - read(crossing=False) == (signals + 1) * answers * others


def test_evaluators_that_are_asked_otherwise():
    config = paper({"roles": {"test_evaluators": ["embedding_regression"]}})
    table = plan(config, sizes(config), 143).set_index(["stage", "model"])
    embedded = table.loc[("read_answers", "smollm2")]
    assert embedded["calls"] == 5 * (26_732 + 2 * 18_711)
    assert (
        embedded["prompt_tokens"] == embedded["calls"] * HEDGED_TOKENS
    )  # the text alone, and nothing is written
    assert embedded["completion_tokens"] == 0


def test_what_the_journal_has_is_taken_off(tmp_path):
    config = paper({"outdir": str(tmp_path), "run": {"datasets": ["truthfulqa"]}})
    for name in ("qwen3-8b.1of2", "qwen3-8b.2of2"):
        with Journal(tmp_path / "journal" / "sample" / f"{name}.jsonl") as journal:
            journal.append(f"key of {name}", [Response("", "yes", "stop")] * 10_000)
    assert answered(config) == {("sample", "qwen3-8b"): 20_000}
    table = plan(config, sizes(config), 143, answered(config))
    rows = table[(table["stage"] == "sample") & (table["model"] == "qwen3-8b")]
    assert rows["answered"].tolist() == [20 * 817, 571]
    assert rows["requests"].tolist() == [0, 0]
    assert rows[["hours", "prompt_tokens"]].to_numpy().sum() == 0
    assert table["answered"].sum() == 20 * 817 + 571


def test_money_where_there_are_prices_and_hours_where_there_are_none():
    server = {
        "engine": "openai",
        "model": "m",
        "base_url": "http://localhost/v1",
        "price": {"completion": 2.0},
    }
    config = paper({"models": {"mistral-7b": server}})
    table = plan(config, sizes(config), 143).set_index("model")
    assert table.loc["mistral-7b", "cost"].gt(0).all()
    assert table.loc["mistral-7b", "hours"].isna().all()
    assert table.loc["qwen3-8b", "cost"].isna().all()
    assert table.loc["qwen3-8b", "hours"].gt(0).all()


def test_recorded_answers_are_not_asked(tmp_path):
    recorded = {"engine": "recorded", "path": str(tmp_path / "answers.jsonl")}
    config = parse_config(
        {"run": {"targets": ["mine"], "datasets": ["worldfacts-qa"]}, "models": {"mine": recorded}}
    )
    assert "mine" not in set(plan(config, {"worldfacts-qa": Size(3, 7, "short_answer")}, 10)["model"])


def test_the_command_prints_the_lines_and_the_sums(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as done:
        main(["plan", "--configfile", str(PAPER)])
    assert done.value.code == 0
    printed = capsys.readouterr().out
    assert "protocol paper" in printed
    assert "17,241,160" in printed
    assert [line.split()[:2] for line in printed.splitlines()].count(["sample", "2,766,755"]) == 1
    with pytest.raises(SystemExit):
        main(["plan"])
    assert "human benchmark: not asked" in capsys.readouterr().out


def test_the_plan_as_json(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(["plan", "--configfile", str(PAPER), "--json"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert sum(line["calls"] for line in lines if line["part"] == "core") == 17_241_160


def test_long_answers_are_asked_once_and_graded_by_the_sentence(tmp_path):
    row = {"question": "Tell me a bio of Ann.", "format": "long_answer", "context": "Ann sang."}
    (tmp_path / "lives.jsonl").write_text(json.dumps(row) + "\n" + json.dumps(row) + "\n")
    overlay = {"run": {"targets": ["llama-3.1-8b"], "datasets": ["lives"]}}
    overlay |= {"ablations": {"hedges": [], "datasets": None}, "people": {"data": None}}
    overlay["datasets"] = {"lives": {"path": str(tmp_path / "lives.jsonl")}}
    config = paper(overlay)
    table = plan(config, sizes(config), 143).groupby("stage")[["calls", "completion_tokens"]].sum()
    assert table["completion_tokens"]["sample"] == table["calls"]["sample"] * SENTENCES * ANSWER_TOKENS
    table = table["calls"]
    assert table["sample"] == 2 * config.sampling.answers
    assert table["grade"] == 2 * SENTENCES
