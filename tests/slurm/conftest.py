"""One cluster for all tests, checkouts that run on it, and the table of what ran."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.slurm.cluster import Cluster, Job, a_cluster, missing
from tests.workflow.conftest import ROOT, Checkout, copied

# The embedded model asks for a GPU, so that it is seen who does and who does not.
OVERLAY = "models: {smollm2: {threads: 1, resources: {gpu: 1}}}"
OUT = Path("results/smoke")
# A cluster of one's own is asked more often than one that others share.
IMPATIENT = ("--slurm-init-seconds-before-status-checks", "2", "--latency-wait", "5")


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
        return [*profiled(ROOT / "profiles/slurm"), *arguments, "--configfile", *presets]

    def start(self, *arguments: str) -> subprocess.Popen:
        """Snakemake, started; what it says is in snakemake.log."""
        with open(self.folder / "snakemake.log", "ab") as log:
            return subprocess.Popen(
                self.command(*arguments),
                cwd=self.folder,
                env=self.checkout.environment | self.cluster.variables,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def snakemake(self, *arguments: str) -> str:
        """Run snakemake to its end, which must be a good one; return all that it ever said here."""
        returned = self.start(*arguments).wait()
        said = (self.folder / "snakemake.log").read_text()
        assert returned == 0, said[-6000:]
        return said


def profiled(profile: Path) -> list[str]:
    """Snakemake with a profile, impatient."""
    return [sys.executable, "-m", "snakemake", "--workflow-profile", str(profile), *IMPATIENT]


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A cluster; the tests are skipped where there can be none. At its end, the table of all that ran on it."""
    if reason := missing():
        pytest.skip(f"no SLURM here: {reason}")
    with a_cluster() as running:
        yield running
        print(f"\n\n{table(running.jobs())}")


@pytest.fixture(scope="session")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A checkout in which the answers of the smoke preset were asked for and measured, on this machine alone."""
    checkout = copied(tmp_path_factory.mktemp("asked") / "checkout")
    (checkout.folder / "overlay.yaml").write_text(OVERLAY)
    checkout.snakemake(f"{OUT}/signals/smollm2.parquet")
    return checkout


@pytest.fixture(scope="session")
def here(asked: Checkout, tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A checkout in which the smoke preset ran to its end on this machine alone; tests must not change it."""
    folder = tmp_path_factory.mktemp("here") / "checkout"
    shutil.copytree(asked.folder, folder)
    checkout = replace(asked, folder=folder)
    checkout.snakemake()
    return checkout


@pytest.fixture
def submitting(cluster: Cluster, asked: Checkout, tmp_path: Path) -> Submitting:
    """The same code on the cluster, where nothing ran yet, and whose model asks for a GPU."""
    folder = tmp_path / "checkout"
    shutil.copytree(asked.folder, folder, ignore=shutil.ignore_patterns("results", ".snakemake"))
    return Submitting(replace(asked, folder=folder), cluster)


def table(jobs: list[Job]) -> str:
    """Jobs as a table."""
    rows = [("job", "rule", "state", "node", "gpus", "MB")]
    rows += [(job.number, job.rule, job.state, job.node, job.gpus, job.memory_mb) for job in jobs]
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(str(cell).ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows
    )
