"""GPUs by the profile: two jobs with one each run at once, and a job with two runs once, with both."""

import os
import subprocess

import pytest

from tests.slurm.cluster import HERE
from tests.slurm.conftest import ROOT, profiled

pytestmark = pytest.mark.slurm


def test_two_jobs_with_a_gpu_each_run_at_once_and_one_gets_two(cluster, tmp_path):
    before = len(cluster.jobs())
    command = [*profiled(ROOT / "profiles/slurm"), "--snakefile", str(HERE / "gpus.smk")]
    subprocess.run(command, cwd=tmp_path, env=os.environ | cluster.variables, check=True)

    jobs = {job.rule: job for job in cluster.jobs()[before:]}
    assert {rule: job.gpus for rule, job in jobs.items()} == {
        "one_wildcards_a": 1,
        "one_wildcards_b": 1,
        "two": 2,
    }
    assert {job.state for job in jobs.values()} == {"COMPLETED"}
    first, second = ((tmp_path / f"one_{name}").read_text().split("\n") for name in "ab")
    assert {first[1].split()[1], second[1].split()[1]} == {"0", "1"}
    assert max(float(first[0]), float(second[0])) < min(float(first[2]), float(second[2]))
    assert (tmp_path / "runs").read_text().split() == [str(jobs["two"].number), "0,1"]
