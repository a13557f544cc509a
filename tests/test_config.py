"""The configuration: every fault is one line naming the key, the value and what is allowed."""

import copy
from contextlib import nullcontext
from pathlib import Path
from typing import get_args

import pytest
import yaml

from ralc import calibration, config
from ralc.config import ConfigError, parse_config
from ralc.config.sections import Map
from tests.cases import cases

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def mapping() -> dict:
    """The default configuration."""
    return yaml.safe_load((ROOT / "config.yaml").read_text())


def changed(mapping: dict, key: str, value: object) -> dict:
    """A copy of the mapping with one (dotted) key set."""
    result = section = copy.deepcopy(mapping)
    *parents, last = key.split(".")
    for parent in parents:
        section = section[parent]
    section[last] = value
    return result


def test_choices_written_out_are_those_that_the_package_has() -> None:
    # What has them takes too long to import where a configuration is read.
    assert set(get_args(Map)) == {kind.name for kind in calibration.CalibrationMap.__subclasses__()}


#: A key, what it is set to, and the fault.
FAULTS = """
retrieval.kk -> 5 -> unknown key 'retrieval.kk'; allowed here: k, shortlist
seeed -> 5 -> unknown key 'seeed'; allowed here: protocol
models.smollm2.treads -> 5 -> unknown key 'models.smollm2.treads'; allowed here: engine
people -> {folder: x} -> unknown key 'people.folder'; allowed here: data
split.train -> 1.5 -> split.train = 1.5: Input should be less than 1
split.train -> 0 -> split.train = 0: Input should be greater than 0
run.targets -> [gpt] -> run.targets: 'gpt' is not in `models` (smollm2)
run.datasets -> [mmlu] -> run.datasets: 'mmlu' is not in `datasets` (worldfacts-qa
run.datasets -> [worldfacts-qa, worldfacts-qa] -> names something twice
run.signals -> [entropy] -> run.signals.0 = 'entropy': Input should be 'linguistic_confidence'
roles.grader.method -> magic -> grader.method = 'magic' is not one of reference, llm
roles.grader.method -> llm -> method 'llm' needs `models`
roles.rewriter.models -> [nobody] -> roles.rewriter.models: 'nobody' is not in `models`
roles.preservation.method -> entailment -> method 'entailment' needs `models`
roles.preservation -> {method: entailment, models: [smollm2]} -> models.smollm2.engine = 'embedded': method 'entailment'
protocol -> mine -> protocol = 'mine'
retrieval.k -> 31 -> shortlist = 30 must be at least k = 31
choices -> {ddof: 3} -> ddof
choices -> {slope_prior: {mean: 1, sd: 0}} -> slope_prior = {'mean': 1, 'sd': 0}
evaluators.cue_model.method -> magic -> evaluators.cue_model.method = 'magic': Input should be 'cue_model'
evaluators.cue_model.models -> [nobody] -> takes no `models`
evaluators.cue_model_b -> {method: embedding_regression} -> method 'embedding_regression' takes one model
evaluators.cue_model_b -> {method: llm} -> method 'llm' needs `models`
evaluators.cue_model_b -> {method: cue_model_b, passes: 2} -> has no passes
evaluators.cue_model_b -> {method: llm, models: [smollm2]} -> 'cue_model_b' names the packaged evaluator of that method
evaluators.none -> {method: cue_model} -> evaluators: 'none' is a word of the results tables
evaluators.people -> {method: cue_model} -> evaluators: 'people' is a word of the results tables
roles.evaluator -> nobody -> roles.evaluator: 'nobody' is not in `evaluators` (cue_model, cue_model_b
roles.test_evaluators -> [cue_model, cue_model] -> names something twice
roles.test_evaluators -> [cue_model_b, cue_model] -> 'cue_model' chooses the words, so it cannot test them
lexicon.extend -> true -> extend = true needs path
lexicon.sources -> [gpt] -> lexicon.sources: 'gpt' is not in `models` (smollm2)
lexicon -> {sources: [smollm2], path: x.csv} -> path = 'x.csv' replaces what sources propose
models.smollm2.sampling.temperature -> .inf -> temperature = inf: Input should be
models.smollm2.sampling.temperature -> .nan -> temperature = nan: Input should be
models.mean -> {engine: embedded, model: m} -> models: 'mean' is a word of the results tables
datasets.none -> {path: x.csv} -> datasets: 'none' is a word of the results tables
metrics.resamples -> 1000000000000 -> metrics.resamples = 1000000000000: Input should be less than
sampling.answers -> 1000000000 -> sampling.answers = 1000000000: Input should be less than
sampling.answers -> 1 -> sampling.answers = 1: run.signals 'semantic_uncertainty' compares
outdir -> results/{run} -> outdir = 'results/{run}': must be the path of a folder, without { } * ?
outdir -> ~/results -> must be the path of a folder
outdir -> "a\\0b" -> must be the path of a folder
"""


@pytest.mark.parametrize("fault", FAULTS.strip().splitlines())
def test_faults_are_one_line_each(mapping, fault):
    key, value, message = fault.split(" -> ")
    with pytest.raises(ConfigError) as caught:
        parse_config(changed(mapping, key, yaml.safe_load(value)))
    assert message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_a_classifier_judges_preservation_and_nothing_else(mapping):
    mapping["models"]["nli"] = {"engine": "entailment", "model": "m"}
    mapping["roles"]["preservation"] = {"method": "entailment", "models": ["nli"]}
    assert parse_config(mapping).models_of("preservation") == ["nli"]
    grades = changed(mapping, "roles.grader", {"method": "llm", "models": ["nli"]})
    grades["roles"]["preservation"] = {"method": "overlap"}
    with pytest.raises(ConfigError, match=r"models.nli.engine = 'entailment'.*all others ask others"):
        parse_config(grades)
    with pytest.raises(ConfigError, match="takes one model"):
        parse_config(changed(mapping, "roles.preservation.models", ["nli", "smollm2"]))


def test_an_ensemble_may_test_another_and_direct_beta_needs_a_writer(mapping):
    mapping["models"]["other"] = mapping["models"]["smollm2"]
    for name, model in (("small", "smollm2"), ("large", "other")):
        mapping["evaluators"][name] = {"method": "llm", "models": [model]}
    two = changed(
        changed(mapping, "roles.evaluator", "small"), "roles.test_evaluators", ["large", "cue_model"]
    )
    settings = parse_config(two)
    assert settings.roles.evaluators == ["small", "large", "cue_model"]
    assert [settings.models_of(role) for role in ("evaluator", "test_evaluators")] == [["smollm2"], ["other"]]
    assert settings.independent_evaluators() == ["cue_model"]
    silent = changed(mapping, "roles.rewriter", {"method": "guided"})
    with pytest.raises(ConfigError, match="direct_beta is written by a model"):
        parse_config(changed(silent, "run.methods", ["ralc", "direct_beta"]))
    assert parse_config(silent)


def test_people_s_phrases_are_a_variant_only_where_grammar_puts_them_into_their_places(mapping):
    assert "lexicon=people" in parse_config(mapping).retrievals()
    written = changed(mapping, "roles.rewriter", {"method": "llm", "models": ["smollm2"]})
    assert "lexicon=people" not in parse_config(written).retrievals()


def test_who_reads_by_embeddings_asks_an_engine_that_serves_them(mapping):
    served = changed(mapping, "models.big", {"engine": "vllm", "model": "m"})
    reads = {"method": "embedding_regression", "models": ["big"]}
    served = changed(served, "evaluators.embedding_regression", reads)
    assert parse_config(changed(served, "roles.test_evaluators", ["cue_model_b"]))  # it does not read here
    with pytest.raises(ConfigError, match=r"'big' asks for embeddings, which engines embedded"):
        parse_config(served)


def test_what_is_left_out_has_its_default(mapping):
    settings = parse_config({})
    default = parse_config(mapping)
    assert settings.run.targets == ["smollm2"]
    assert settings.roles == default.roles
    assert settings.models["smollm2"].request_params() == default.models["smollm2"].request_params()
    mine = parse_config({"run": {"targets": ["mine"]}, "models": {"mine": {"engine": "vllm", "model": "m"}}})
    assert mine.run.datasets == list(mapping["run"]["datasets"])
    assert set(mine.models) == {"mine", "smollm2"}


def test_paths_lead_from_the_folder_of_the_run_or_of_the_configuration(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "presets").mkdir()
    (tmp_path / "presets" / "mine.csv").touch()
    asked = {"lexicon": {"path": "mine.csv"}}
    assert parse_config(asked, ["presets"]).lexicon.path == "presets/mine.csv"
    (tmp_path / "mine.csv").touch()
    assert parse_config(asked, ["presets"]).lexicon.path == "mine.csv"


@cases
def test_what_is_read_must_be_there_and_nothing_else(tmp_path, monkeypatch, given, fault):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    (tmp_path / "empty").mkdir()
    there = {"datasets": {"mine": {"path": "mine.jsonl"}}}
    parse_config(there).check_files()
    with pytest.raises(ConfigError, match=fault):
        parse_config(there | given).check_files()


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"run: {targets: [a\n b: ]\n", "one.yaml, line 2, column 3: not YAML"),
        (b"\tseed: 3", "one.yaml, line 1, column 1: not YAML"),
        pytest.param(b"seed: " + b"[" * 10_000, "one.yaml: not YAML", id="nested"),
        (b"seed: 2026-99-99", "one.yaml: not YAML"),
        (b"seed: 1\nrun: {}\nseed: 2", "one.yaml, line 3, column 1: not YAML (the key 'seed' stands twice)"),
        (b"outdir: results/{x}", "config: outdir = 'results/{x}': must be"),
        (
            b"run: {targets: [a, smollm2], datasets: [b]}",
            "config: run.targets: 'a' is not in `models` (smollm2)\nconfig: run.datasets: 'b' is not in `datasets`",
        ),
        (b"", "one.yaml: is empty"),
        (b"- a\n- b\n", "one.yaml: has no keys"),
        (b"outdir: r\xe9s\n", "one.yaml, line 1: is not UTF-8"),
        (None, "one.yaml: no such file"),
    ],
)
def test_a_file_that_says_nothing_is_named(tmp_path, content, fault):
    if content is not None:
        (tmp_path / "one.yaml").write_bytes(content)
    with pytest.raises(SystemExit) as ended:
        config.main([str(tmp_path / "one.yaml")])
    assert fault in str(ended.value)


@cases
def test_a_limit_that_a_partition_cannot_have_is_named(tmp_path, content, fault):
    file = tmp_path / "partitions.yaml"
    file.write_text(content)
    with pytest.raises(ValueError, match=fault) if fault else nullcontext():
        config.check_partitions(file, ["max_threads", "max_gpu"])


def test_a_merged_configuration_stands_for_its_files(tmp_path):
    overlay = tmp_path / "mine.yaml"
    overlay.write_text("seed: 4")
    assert config.read_config([overlay], None).seed == 2026
    assert config.read_config([overlay], overlay, {"seed": 5}).seed == 5
    overlay.write_text("- a list")  # of another workflow, whose module this one is: not read
    assert config.read_config([overlay], None, {"seed": 5}).seed == 5


def test_the_embedded_default_asks_its_one_model_and_shards_are_by_stage(mapping):
    asked = {name: list(one.models) for name, one in parse_config(mapping).stages().items() if one.models}
    reads = ("read_answers", "read_rewrites")  # the embedding regression does; guided rewriting asks nobody
    assert asked == {name: ["smollm2"] for name in ("sample", *reads)}
    sharded = changed(mapping, "models.smollm2.shards", {"sample": 3})
    found = parse_config(changed(sharded, "people.data", "studies")).stages()
    assert "read_people" in found.keys() - parse_config(mapping).stages().keys()
    assert found["sample"].models == {"smollm2": 3}
    assert found["read_rewrites"].models == {"smollm2": 1}
    assert len(found["sample"].responses("smollm2")) == 3
