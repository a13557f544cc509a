"""What goes wrong on a cluster: the workflow finishes or says what to do, and no answer is asked for twice."""

import json
import os
import shutil
import signal
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from tests.slurm.cluster import Cluster, Job, wait_until
from tests.slurm.conftest import OUT, OVERLAY, Submitting
from tests.workflow.conftest import Checkout

pytestmark = [pytest.mark.slurm, pytest.mark.model]

SIGNALS, SAMPLES = str(OUT / "signals/smollm2.parquet"), str(OUT / "samples/smollm2.parquet")
JOURNAL = OUT / "journal/sample/smollm2.jsonl"
# Snakemake looks ever more seldom for the end of a job, up to every three minutes.
PATIENCE_S = 900


@pytest.fixture
def submitting(cluster: Cluster, asked: Checkout, tmp_path: Path) -> Submitting:
    """A run that has its requests, on the cluster; the answers it should get are beside it."""
    folder = tmp_path / "checkout"
    shutil.copytree(asked.folder, folder)
    shutil.copytree(asked.folder / OUT, folder / "expected")
    kept = {"lexicon", "questions", "requests"}
    for made in (folder / OUT).iterdir():
        if made.is_dir() and made.name not in kept:
            shutil.rmtree(made)
    return Submitting(replace(asked, folder=folder), cluster)


def test_a_job_cancelled_and_its_node_killed_in_one_run(submitting):
    cluster, before = submitting.cluster, len(submitting.cluster.jobs())
    running = submitting.start(SIGNALS)
    wait_until(lambda: answered(submitting) >= 4, PATIENCE_S, "no answers")
    cluster.run("scancel", str(asking(cluster)[-1].number))
    kept = answered(submitting)
    wait_until(lambda: answered(submitting) >= kept + 4, PATIENCE_S, "no answers after a cancelled job")
    cluster.kill_node("n3")
    lost = asking(cluster)[-1].number
    wait_until(lambda: state(cluster, lost) == "NODE_FAIL", PATIENCE_S, "SLURM did not see the node die")
    cluster.start("n3")

    assert running.wait(PATIENCE_S) == 0, said(submitting)
    jobs = cluster.jobs()[before:]
    assert states(jobs, "complete") == ["CANCELLED", "NODE_FAIL", "COMPLETED"]
    others = [job for job in jobs if not job.rule.startswith("complete")]
    assert {job.state for job in others} == {"COMPLETED"}
    assert set(Counter(job.rule for job in others).values()) == {1}
    as_undisturbed(submitting, "signals/smollm2.parquet")


def test_a_job_over_its_memory_gets_more(submitting):
    before = len(submitting.cluster.jobs())
    (submitting.folder / "overlay.yaml").write_text(OVERLAY.replace("gpu: 1", "gpu: 1, mem_mb: 300"))
    submitting.snakemake(SAMPLES)

    jobs = [job for job in submitting.cluster.jobs()[before:] if job.rule.startswith("complete")]
    assert [job.memory_mb for job in jobs] == [300, 600, 1200][: len(jobs)]
    assert len(jobs) > 1
    assert [job.state for job in jobs[:-1]] == ["FAILED"] * (len(jobs) - 1)
    assert jobs[-1].state == "COMPLETED"
    as_undisturbed(submitting, "samples/smollm2.parquet")


def test_snakemake_killed_and_started_again_beside_the_job_it_left(submitting):
    cluster = submitting.cluster
    killed = submitting.start(SAMPLES)
    wait_until(lambda: answered(submitting) >= 4, PATIENCE_S, "no answers")
    os.killpg(killed.pid, signal.SIGKILL)
    killed.wait()
    left = asking(cluster)[-1]
    assert left.state == "RUNNING"
    assert left.name.startswith("ralc_")  # by which profiles/README.md finds it

    assert submitting.start(SAMPLES).wait(PATIENCE_S) != 0
    assert "--unlock" in said(submitting)
    submitting.snakemake("--unlock")
    # Whoever does not cancel the job that was left meets it at the journal.
    second = submitting.start(SAMPLES)
    wait_until(lambda: asking(cluster)[-1].number != left.number, PATIENCE_S, "no second job")
    meanwhile = asking(cluster)[-1].number
    wait_until(lambda: state(cluster, meanwhile) not in ("PENDING", "RUNNING"), PATIENCE_S, "it waits")
    if state(cluster, left.number) == "RUNNING":
        assert "is in use by process" in said(submitting)
        cluster.run("scancel", str(left.number))
    assert second.wait(PATIENCE_S) == 0, said(submitting)
    as_undisturbed(submitting, "samples/smollm2.parquet")


def answered(submitting: Submitting) -> int:
    """How many requests the journal holds the answers to."""
    journal = submitting.folder / JOURNAL
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def asking(cluster: Cluster) -> list[Job]:
    """The jobs of rule `complete`, the oldest first."""
    return [job for job in cluster.jobs() if job.rule.startswith("complete")]


def state(cluster: Cluster, number: int) -> str:
    """The state of a job."""
    return next(job.state for job in cluster.jobs() if job.number == number)


def states(jobs: list[Job], rule: str) -> list[str]:
    """The states of a rule's jobs, the oldest first."""
    return [job.state for job in jobs if job.rule.startswith(rule)]


def said(submitting: Submitting) -> str:
    """What Snakemake said, and what the rules logged."""
    logs = [submitting.folder / "snakemake.log", *(submitting.folder / OUT / "logs/complete").rglob("*.log")]
    return "\n".join(log.read_text()[-6000:] for log in logs)


def as_undisturbed(submitting: Submitting, table: str) -> None:
    """Check that a table is that of an undisturbed run, and that no request was answered twice."""
    found, expected = (pd.read_parquet(submitting.folder / run / table) for run in (OUT, "expected"))
    pd.testing.assert_frame_equal(found, expected)
    records = [json.loads(line) for line in (submitting.folder / JOURNAL).read_text().splitlines()]
    assert set(Counter((record["key"], record["first"]) for record in records).values()) == {1}
