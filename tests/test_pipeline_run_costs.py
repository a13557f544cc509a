"""What the models were asked: counted by hand, and shown."""

import json

import numpy as np
import pandas as pd
import pytest

from ralc import io, schemas
from ralc.llm.requests import Response
from ralc.llm.tables import responses_table
from ralc.pipeline.run_costs import JOB_COLUMNS, count_calls, job_usage

PRICES = {"small": {}, "paid": {"prompt": 2.0, "completion": 10.0}}


@pytest.fixture
def answers():
    """Two answers to one request, one of them cut; one of no use after two attempts; one that was not to be had."""
    return responses_table(
        [
            Response("a", "yes", "stop", prompt_tokens=100, completion_tokens=3),
            Response("a", "well, as", "length", prompt_tokens=100, completion_tokens=5, sample=1),
            Response("b", "no score", "stop", prompt_tokens=50, completion_tokens=2, attempt=2, valid=False),
            Response("c", "", "error", error="prompt too long", valid=False),
        ]
    )


def test_counts_by_hand(answers):
    table = schemas.check(count_calls([("grade", "small")], PRICES, [answers]), "calls")
    (row,) = table.drop(columns="cost").to_dict("records")
    assert row == {
        "stage": "grade",
        "model": "small",
        "requests": 3,
        "answers": 4,
        "prompt_tokens": 150,
        "completion_tokens": 10,
        "reasoning_tokens": 0,
        "cut": 1,
        "second_attempts": 1,
        "invalid": 1,
        "errors": 1,
    }
    assert table["cost"].isna().all()


def test_cost_is_that_of_the_tokens(answers):
    (cost,) = count_calls([("grade", "paid")], PRICES, [answers])["cost"]
    assert cost == pytest.approx((150 * 2.0 + 10 * 10.0) / 1e6)


def test_nothing_asked_is_counted_as_nothing():
    table = schemas.check(count_calls([("sample", "small")], PRICES, [responses_table([])]), "calls")
    assert table[["requests", "answers", "invalid"]].to_numpy().sum() == 0


def test_a_table_without_prices_has_no_cost(answers):
    counted = count_calls([("sample", "small"), ("grade", "paid")], PRICES, [answers, answers])
    assert np.isnan(counted["cost"][0])
    assert counted["cost"][1] > 0


def test_shards_of_a_table_are_counted_together(answers):
    whole = count_calls([("sample", "small")], PRICES, [answers])
    first = answers["key"] == answers["key"].iloc[0]
    shards = count_calls([("sample", "small")] * 2, PRICES, [answers[first], answers[~first]])
    pd.testing.assert_frame_equal(shards, whole)


def benchmark(seconds, memory, asked=None, **wildcards):
    """A benchmark as Snakemake writes it."""
    resources = {} if asked is None else {"mem_mb": asked, "runtime": 60}
    sizes = {"a.parquet": memory / 100, "ralc/registry.py": 0.5}
    return {
        "s": seconds,
        "max_rss": memory,
        "resources": resources,
        "input_size_mb": sizes,
        "wildcards": wildcards,
    }


def test_a_rule_is_told_by_its_largest_job():
    jobs = [
        benchmark(5.0, 300.0, 1000, model="small"),
        benchmark(2.0, 900.0, 4000, stage="read", model="large"),
    ]
    row = job_usage([("complete", job) for job in jobs]).iloc[0]
    assert row.to_dict() == {
        "rule": "complete",
        "jobs": 2,
        "seconds": 7.0,
        "longest_s": 5.0,
        "memory_mb": 900.0,
        "asked_mb": 4000.0,
        "share": 0.3,
        "input_mb": 9.5,
        "asked_minutes": 60.0,
        "largest": "read large",
    }


def test_what_was_not_measured_or_asked_is_null_and_stands_last():
    short, bare = {"s": 0.1, "max_rss": "NA"}, {"s": 1.0, "max_rss": 80.0}
    found = job_usage([("a", short), ("b", bare), ("c", benchmark(1.0, 100.0, 200))])
    assert found["rule"].tolist() == ["c", "b", "a"]
    assert found["share"].isna().tolist() == [False, True, True]
    assert list(job_usage([]).columns) == JOB_COLUMNS


def test_benchmarks_are_known_by_the_first_part_of_their_path(tmp_path):
    for name in ("compute_metrics.jsonl", "complete/read/m.jsonl"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(benchmark(1.0, 10.0)) + "\n")
    assert sorted(rule for rule, _ in io.read_benchmarks(tmp_path)) == ["complete", "compute_metrics"]
    assert isinstance(job_usage(io.read_benchmarks(tmp_path)), pd.DataFrame)


@pytest.mark.parametrize("content", ["", "\n", '{"s": 1.0, "max'])
def test_a_benchmark_that_was_cut_is_named(tmp_path, content):
    (tmp_path / "cut.jsonl").write_text(content)
    with pytest.raises(ValueError, match=r"cut\.jsonl(: is empty|, line 1: not JSON)"):
        io.read_benchmarks(tmp_path)
