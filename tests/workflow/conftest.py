"""Checkouts of their own with finished runs, for the tests of the workflow."""

import atexit
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: An engine that takes the place of a real one: it is no module of tests.
collect_ignore = ["fake"]
PARTS = ("Snakefile", "config.yaml", "workflow", "ralc", "report", "profiles", "envs", "pyproject.toml")
#: A `sitecustomize` that notes what a job uses.
TRACING = ROOT / "tests/workflow/tracing"
#: Engines that make answers up, and a Python that has loaded what jobs load.
FAKE = ROOT / "tests/workflow/fake"
SMOKE = "workflow/presets/smoke.yaml"
ROLES = "workflow/presets/llm_roles.yaml"


@dataclass(frozen=True)
class Checkout:
    """A folder with the workflow in it, and the presets that are run there."""

    folder: Path
    presets: tuple[str, ...] = (SMOKE,)

    def command(self, *arguments: str, overlays: tuple[str, ...] = ()) -> list[str]:
        """The command that runs snakemake on the presets."""
        snakemake = [sys.executable, "-m", "snakemake", "--cores", "2"]
        return [*snakemake, *arguments, "--configfile", *self.presets, *overlays]

    def start(self, command: list[str]) -> subprocess.Popen:
        """Start a command that says nothing, as the leader of its processes."""
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        how = {"cwd": self.folder, "env": self.environment, "start_new_session": True}
        return subprocess.Popen(command, **how, **silent)

    def kill_when(self, command: list[str], ready: Callable[[float], bool], seconds: float = 300) -> None:
        """Run a command, and kill it with all its jobs when it is `ready` after so many seconds."""
        running = self.start(command)
        start = time.monotonic()
        while running.poll() is None and (after := time.monotonic() - start) < seconds and not ready(after):
            time.sleep(0.02)
        assert running.poll() is None, "the run ended before it was killed"
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()

    def snakemake(
        self, *arguments: str, config: str | None = None, check: bool = True
    ) -> subprocess.CompletedProcess:
        """Run snakemake, with a further overlay as YAML text; output and errors come as one text."""
        overlays = ()
        if config is not None:
            (self.folder / "overlay.yaml").write_text(config)
            overlays = ("overlay.yaml",)
        how = {"cwd": self.folder, "env": self.environment, "text": True}
        command = self.command(*arguments, overlays=overlays)
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **how)
        assert not check or done.returncode == 0, done.stdout[-6000:]
        return done

    @property
    def environment(self) -> dict[str, str]:
        """This checkout's package goes before an installed one; bytecode is written, as on most machines."""
        inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        path = os.pathsep.join([str(self.folder), str(TRACING)])
        return inherited | {"PYTHONPATH": path, "PYTHONUNBUFFERED": "1", "RALC_TEST_TRACE": str(self.traces)}

    @property
    def traces(self) -> Path:
        """Where each job notes what it used of the package."""
        return self.folder / ".traces"

    def used(self) -> dict[str, set[str]]:
        """The files of the package that the jobs of each rule really used so far."""
        used: dict[str, set[str]] = {}
        for trace in self.traces.iterdir():
            used.setdefault(trace.name.partition(".")[0], set()).update(trace.read_text().splitlines())
        return used

    def planned(self, *arguments: str, config: str | None = None) -> set[str]:
        """The rules that a dry run would run, from its table of jobs."""
        listing = self.snakemake("--dry-run", *arguments, config=config).stdout
        table = listing.partition("Job stats:")[2].partition("total")[0]
        return set(re.findall(r"^(\w+) +\d+$", table, flags=re.M)) - {"all"}


@dataclass(frozen=True)
class WithoutModels(Checkout):
    """A checkout whose models are made up (`fake/fake_engine.py`); its jobs are forks, where none is measured."""

    measured: bool = False

    def command(self, *arguments: str, overlays: tuple[str, ...] = ()) -> list[str]:
        """The command that runs snakemake on the presets; a job is a fork of a loaded Python (`fake/forked.py`)."""
        plain = super().command(*arguments, overlays=overlays)
        if self.measured:
            return plain
        program = (
            f"import sys; sys.executable = {str(loaded_python())!r}; from snakemake.cli import main; main()"
        )
        return [sys.executable, "-c", program, *plain[3:]]

    @property
    def environment(self) -> dict[str, str]:
        """The fake engine in place of those that need a GPU or a server."""
        return super().environment | {"PYTHONPATH": os.pathsep.join([str(self.folder), str(FAKE)])}


@cache
def loaded_python() -> Path:
    """The command of a Python that has loaded what jobs load; it serves until the tests end."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(FAKE)]),
        "OPENBLAS_NUM_THREADS": "1",
    }
    served = subprocess.Popen([sys.executable, FAKE / "forked.py", folder / "socket"], env=environment)
    atexit.register(served.kill)
    while not (folder / "socket").exists():
        assert served.poll() is None
        time.sleep(0.05)
    (folder / "python").write_text(f"#!{sys.executable} -IS\n{(FAKE / 'client.py').read_text()}")
    (folder / "python").chmod(0o755)
    return folder / "python"


def copied(folder: Path, presets: tuple[str, ...] = (SMOKE,)) -> Checkout:
    """A copy of the parts of the repository that a run needs."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, folder / part)
        else:
            shutil.copy(ROOT / part, folder / part)
    checkout = Checkout(folder, presets)
    checkout.traces.mkdir(exist_ok=True)
    return checkout


@pytest.fixture(scope="session")
def roles_run(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A checkout in which the preset of LLM roles has run; tests must not change it.

    All roles are asked of the embedded model, unless the overlay in $RALC_TEST_ROLES (as YAML) names another.
    It runs on two of the datasets and one signal: most of the preset's time is rewriting.
    """
    checkout = copied(tmp_path_factory.mktemp("roles") / "checkout", (SMOKE, ROLES, "engine.yaml"))
    less = "run: {datasets: [worldfacts-qa, worldfacts-rc], signals: [linguistic_confidence]}"
    (checkout.folder / "engine.yaml").write_text(os.environ.get("RALC_TEST_ROLES", less))
    checkout.snakemake()
    return checkout


def smaller(folder: Path) -> Checkout:
    """A checkout of the smoke preset, with two of its datasets, four questions of each and three answers a question."""
    checkout = copied(folder, (SMOKE, "smaller.yaml"))
    less = "run: {datasets: [worldfacts-qa, worldfacts-mc]}\nsampling: {answers: 3}\n"
    less += "datasets: {worldfacts-qa: {questions: 4}, worldfacts-mc: {questions: 4}}\n"
    (folder / "smaller.yaml").write_text(less + "metrics: {resamples: 50, null_repeats: 5}\n")
    return checkout


@pytest.fixture(scope="session")
def smoke_run(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A checkout in which a smaller smoke preset has run; tests must not change it."""
    checkout = smaller(tmp_path_factory.mktemp("smoke") / "checkout")
    checkout.snakemake()
    return checkout


@pytest.fixture
def finished(smoke_run: Checkout, tmp_path: Path) -> Checkout:
    """A copy of the finished checkout that a test may change; files keep their times."""
    shutil.copytree(smoke_run.folder, tmp_path / "checkout", symlinks=True)
    return Checkout(tmp_path / "checkout", smoke_run.presets)
