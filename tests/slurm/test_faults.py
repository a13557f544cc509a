"""What goes wrong on a cluster: the workflow finishes or says what to do, and no answer is asked for twice."""

import json
import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from tests.slurm.cluster import Cluster, wait_until
from tests.slurm.conftest import OUT, OVERLAY, Submitting, end_all, kill
from tests.workflow.conftest import ROOT, Checkout

pytestmark = [pytest.mark.slurm, pytest.mark.model]

SIGNALS = str(OUT / "signals/smollm2.parquet")
SAMPLES = str(OUT / "samples/smollm2.parquet")
JOURNAL = OUT / "journal/sample/smollm2.jsonl"
PATIENCE_S = 900


@pytest.fixture
def submitting(cluster: Cluster, asked: Checkout, tmp_path: Path) -> Iterator[Submitting]:
    """A run that has its requests, on the cluster; the answers it should get are beside it."""
    folder = tmp_path / "checkout"
    shutil.copytree(asked.folder, folder)
    shutil.copytree(asked.folder / OUT, folder / "expected")
    kept = {"lexicon", "questions", "requests"}
    for made in (folder / OUT).iterdir():
        if made.is_dir() and made.name not in kept:
            shutil.rmtree(made)
    yield Submitting(replace(asked, folder=folder), cluster)
    end_all()
    cluster.run("scancel", "--user=root")


def test_a_job_cancelled_and_its_node_killed_in_one_run(submitting):
    cluster = submitting.cluster
    running = submitting.start(SIGNALS)
    wait_until(lambda: answered(submitting) >= 4, PATIENCE_S, "no answers")
    cluster.run("scancel", str(submitting.jobs("complete")[-1].number))
    kept = answered(submitting)
    wait_until(lambda: answered(submitting) >= kept + 4, PATIENCE_S, "no answers after a cancelled job")
    cluster.kill_node("n3")
    lost = submitting.jobs("complete")[-1].number
    wait_until(lambda: state(submitting, lost) == "NODE_FAIL", PATIENCE_S, "SLURM did not see the node die")
    cluster.start("n3")

    assert running.wait(PATIENCE_S) == 0, submitting.said()
    jobs = submitting.jobs()
    asking = [job.state for job in jobs if job.rule.startswith("complete")]
    assert asking == ["CANCELLED", "NODE_FAIL", "COMPLETED"]
    others = [job for job in jobs if not job.rule.startswith("complete")]
    assert {job.state for job in others} == {"COMPLETED"}
    assert set(Counter(job.rule for job in others).values()) == {1}
    as_undisturbed(submitting, "signals/smollm2.parquet")


def test_a_job_at_its_time_limit_goes_on_where_it_was(submitting):
    (submitting.folder / "overlay.yaml").write_text(OVERLAY.replace("gpu: 1", "gpu: 1, runtime: 1"))
    running = submitting.start(SAMPLES)
    wait_until(lambda: answered(submitting) >= 4, PATIENCE_S, "no answers")
    # What hangs meets its limit on the fastest machine, too.
    submitting.cluster.stop_processes("n3")

    assert running.wait(PATIENCE_S) == 0, submitting.said()
    first, *_, last = submitting.jobs("complete")
    assert first.limit == "00:01:00"
    assert first.state == "TIMEOUT"
    assert last.state == "COMPLETED"
    as_undisturbed(submitting, "samples/smollm2.parquet")


def test_a_job_over_its_memory_gets_more(submitting):
    (submitting.folder / "overlay.yaml").write_text(OVERLAY.replace("gpu: 1", "gpu: 1, mem_mb: 500"))
    submitting.snakemake(SAMPLES)

    *failed, last = submitting.jobs("complete")
    assert [job.memory_mb for job in (*failed, last)] == [500, 1000, 2000][: len(failed) + 1]
    assert failed
    assert {job.state for job in failed} == {"FAILED"}
    assert last.state == "COMPLETED"
    as_undisturbed(submitting, "samples/smollm2.parquet")


def test_snakemake_killed_and_started_again_beside_the_job_it_left(submitting):
    killed = submitting.start(SAMPLES)
    wait_until(lambda: answered(submitting) >= 4, PATIENCE_S, "no answers")
    kill(killed)
    left = submitting.jobs("complete")[-1]
    assert left.state == "RUNNING"
    assert readme_finds(submitting) == [left.number]

    assert submitting.start(SAMPLES).wait(PATIENCE_S) != 0
    assert "--unlock" in submitting.said()
    submitting.snakemake("--unlock")
    # Whoever does not cancel the job that was left meets it at the journal.
    second = submitting.start(SAMPLES)
    wait_until(lambda: len(submitting.jobs("complete")) > 1, PATIENCE_S, "no second job")
    meanwhile = submitting.jobs("complete")[-1].number
    waits = ("PENDING", "RUNNING")
    wait_until(lambda: state(submitting, meanwhile) not in waits, PATIENCE_S, "it waits")
    if state(submitting, left.number) == "RUNNING":
        assert "is in use by process" in submitting.said()
        submitting.cluster.run("scancel", str(left.number))
    assert second.wait(PATIENCE_S) == 0, submitting.said()
    as_undisturbed(submitting, "samples/smollm2.parquet")


def readme_finds(submitting: Submitting) -> list[int]:
    """The jobs that the command of profiles/README.md would cancel."""
    (line,) = re.findall("^squeue .*$", (ROOT / "profiles/README.md").read_text(), flags=re.M)
    listing, _, _ = line.partition(" | xargs")
    where = {"cwd": submitting.folder, "env": os.environ | submitting.cluster.variables}
    return [
        int(number) for number in subprocess.check_output(listing, shell=True, text=True, **where).split()
    ]


def answered(submitting: Submitting) -> int:
    """How many requests the journal holds the answers to."""
    journal = submitting.folder / JOURNAL
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def state(submitting: Submitting, number: int) -> str:
    """The state of a job."""
    return next(job.state for job in submitting.jobs() if job.number == number)


def as_undisturbed(submitting: Submitting, table: str) -> None:
    """Check that a table is that of an undisturbed run, and that no request was answered twice."""
    found, expected = (pd.read_parquet(submitting.folder / run / table) for run in (OUT, "expected"))
    pd.testing.assert_frame_equal(found, expected)
    records = [json.loads(line) for line in (submitting.folder / JOURNAL).read_text().splitlines()]
    assert set(Counter((record["key"], record["first"]) for record in records).values()) == {1}
