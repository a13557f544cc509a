"""What jobs used beside what they asked for."""

import json

import pandas as pd
import pytest

from ralc import io
from ralc.pipeline.jobs import COLUMNS, usage


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
    row = usage([("complete", job) for job in jobs]).iloc[0]
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
    found = usage([("a", short), ("b", bare), ("c", benchmark(1.0, 100.0, 200))])
    assert found["rule"].tolist() == ["c", "b", "a"]
    assert found["share"].isna().tolist() == [False, True, True]
    assert list(usage([]).columns) == COLUMNS


def test_benchmarks_are_known_by_the_first_part_of_their_path(tmp_path):
    for name in ("compute_metrics.jsonl", "complete/read/m.jsonl"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(benchmark(1.0, 10.0)) + "\n")
    assert sorted(rule for rule, _ in io.read_benchmarks(tmp_path)) == ["complete", "compute_metrics"]
    assert isinstance(usage(io.read_benchmarks(tmp_path)), pd.DataFrame)


@pytest.mark.parametrize("content", ["", "\n", '{"s": 1.0, "max'])
def test_a_benchmark_that_was_cut_is_named(tmp_path, content):
    (tmp_path / "cut.jsonl").write_text(content)
    with pytest.raises(ValueError, match=r"cut\.jsonl(: is empty|, line 1: not JSON)"):
        io.read_benchmarks(tmp_path)
