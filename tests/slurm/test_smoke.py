"""The smoke preset on a real SLURM: each job ran once, with a GPU where it needs one, to the results of a local run."""

from collections import Counter
from pathlib import Path

import pandas as pd
import pytest

from tests.slurm.conftest import OUT, OVERLAY

pytestmark = [pytest.mark.slurm, pytest.mark.model]


def test_the_smoke_preset_runs_on_the_cluster_as_it_does_here(submitting, here):
    before = len(submitting.cluster.jobs())
    submitting.snakemake()

    jobs = submitting.cluster.jobs()[before:]
    assert {job.state for job in jobs} == {"COMPLETED"}
    assert set(Counter(job.rule for job in jobs).values()) == {1}
    asked = {job.rule.partition("_wildcards_")[0] for job in jobs if job.gpus}
    assert asked == {"complete"}
    assert {job.gpus for job in jobs if job.rule.startswith("complete")} == {1}
    assert {job.node for job in jobs if job.gpus} == {"n3"}
    assert same_tables(submitting.folder / OUT, here.folder / OUT) > 20


def test_three_shards_give_the_tables_of_one(submitting, asked):
    before = len(submitting.cluster.jobs())
    sharded = OVERLAY.replace("threads: 1", "threads: 1, shards: {sample: 3}")
    (submitting.folder / "overlay.yaml").write_text(sharded)
    signals = "signals/smollm2.parquet"
    submitting.snakemake(f"{OUT}/{signals}")

    jobs = submitting.cluster.jobs()[before:]
    assert [job.gpus for job in jobs if job.rule.startswith("complete")] == [1, 1, 1]
    assert {job.state for job in jobs} == {"COMPLETED"}
    for table in ("samples/smollm2.parquet", signals):
        found, expected = (pd.read_parquet(run.folder / OUT / table) for run in (submitting, asked))
        pd.testing.assert_frame_equal(found, expected)


def same_tables(folder: Path, other: Path) -> int:
    """Check that the tables of two runs are the same; how many there are."""
    tables = sorted(path.relative_to(folder) for path in folder.rglob("*.parquet"))
    assert tables == sorted(path.relative_to(other) for path in other.rglob("*.parquet"))
    for table in tables:
        pd.testing.assert_frame_equal(pd.read_parquet(folder / table), pd.read_parquet(other / table))
    return len(tables)
