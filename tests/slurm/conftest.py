"""One cluster for all tests, checkouts that run on it, and the table of what ran."""

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.slurm.cluster import Cluster, Job, a_cluster, missing
from tests.workflow.conftest import ROOT, Checkout, copied

# The embedded model asks for a GPU, so that it is seen who does and who does not.
OVERLAY = "models: {smollm2: {threads: 1, resources: {gpu: 1}}}"
OUT = Path("results/smoke")
IMPATIENT = ("--slurm-init-seconds-before-status-checks", "2", "--latency-wait", "5")

#: Every Snakemake that was started, to be ended at the latest with the cluster.
STARTED: list[subprocess.Popen] = []


@dataclass(frozen=True)
class Submitting:
    """A checkout whose jobs go to a cluster, by the profile for SLURM."""

    checkout: Checkout
    cluster: Cluster

    @property
    def folder(self) -> Path:
        """Where the checkout is."""
        return self.checkout.folder

    def command(self, *arguments: str) -> list[str]:
        """The command that runs snakemake on the presets, and then on the overlay."""
        presets = (*self.checkout.presets, "overlay.yaml")
        threads = ("--set-threads", "compute_metrics=2")  # this cluster's node may have no more
        return [*profiled(ROOT / "profiles/slurm"), *arguments, *threads, "--configfile", *presets]

    def start(self, *arguments: str) -> subprocess.Popen:
        """Snakemake, started; what it says is in snakemake.log."""
        with open(self.folder / "snakemake.log", "ab") as log:
            process = subprocess.Popen(
                self.command(*arguments),
                cwd=self.folder,
                env=self.checkout.environment | self.cluster.variables,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        STARTED.append(process)
        return process

    def snakemake(self, *arguments: str) -> None:
        """Run snakemake to its end, which must be a good one."""
        assert self.start(*arguments).wait() == 0, self.said()

    def said(self) -> str:
        """What Snakemake said here, and what the jobs that ask a model logged."""
        logs = [self.folder / "snakemake.log", *(self.folder / OUT / "logs/complete").rglob("*.log")]
        return "\n".join(log.read_text()[-6000:] for log in logs)

    def jobs(self, rule: str = "") -> list[Job]:
        """This checkout's jobs, of all rules or of one, the oldest first."""
        ours = [job for job in self.cluster.jobs() if Path(job.folder) == self.folder]
        return [job for job in ours if job.rule.startswith(rule)]


def kill(process: subprocess.Popen) -> None:
    """Kill a Snakemake and what it started here; its jobs run on."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def end_all() -> None:
    """Kill every Snakemake that still runs."""
    for process in STARTED:
        kill(process)


def profiled(profile: Path) -> list[str]:
    """Snakemake with a profile, impatient."""
    impatient = str(ROOT / "tests/slurm/impatient.py")
    return [sys.executable, impatient, "--workflow-profile", str(profile), *IMPATIENT]


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A cluster; the tests are skipped where there can be none. At its end, the table of all that ran on it."""
    if reason := missing():
        pytest.skip(f"no SLURM here: {reason}")
    # Whoever ends the tests from outside ends the cluster, too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with a_cluster() as running:
        yield running
        end_all()
        print(f"\n\n{table(running.jobs())}")


@pytest.fixture(scope="session")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A checkout in which the answers of the smoke preset were asked for and measured, on this machine alone."""
    checkout = copied(tmp_path_factory.mktemp("asked") / "checkout")
    checkout.snakemake(f"{OUT}/signals/smollm2.parquet", config=OVERLAY)
    return checkout


def table(jobs: list[Job]) -> str:
    """Jobs as a table, each with the how manieth of its rule in its folder it is; and what there was, in a line."""
    tries: Counter[tuple[str, str]] = Counter()
    rows = [("job", "rule", "try", "state", "node", "gres", "MB")]
    for job in jobs:
        tries[job.folder, job.rule] += 1
        gres = f"gpu:{job.gpus}" if job.gpus else ""
        rows.append(
            (job.number, job.rule, tries[job.folder, job.rule], job.state, job.node, gres, job.memory_mb)
        )
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]
    lines = [
        "  ".join(str(cell).ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows
    ]
    last = {(job.folder, job.rule): job for job in jobs}
    survived = sum(tries[task] - 1 for task, job in last.items() if job.state == "COMPLETED")
    states = ", ".join(f"{n} {state}" for state, n in Counter(job.state for job in jobs).most_common())
    return "\n".join([*lines, f"{len(jobs)} jobs: {states}; {survived} restarts survived"])
