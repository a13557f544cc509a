"""A real SLURM on this machine's loopback interface: n1 and n2 (partition cpu), n3 with two fake GPUs (partition gpu).

    python -m tests.slurm.cluster

starts one by hand, prints what to export, and stops it when its input ends (Ctrl-D) or it is interrupted; what is
typed, such as ``end slurmctld``, ``start slurmctld`` or ``kill n1``, is done. Needs root and Debian's slurmctld,
slurmd, slurm-client and munge.
"""

import os
import secrets
import shutil
import signal
import socket
import string
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, Self

import psutil

HERE = Path(__file__).parent
NODES = ("n1", "n2", "n3")
PROGRAMS = ("slurmctld", "slurmd", "munged", "sbatch", "srun", "scontrol", "squeue", "scancel")
#: The order in which daemons start; they end in reverse.
DAEMONS = ("munged", "slurmctld", *NODES)


def missing() -> str | None:
    """Why no cluster can be had here, or None if one can."""
    if os.geteuid() != 0:
        return "SLURM's daemons need root"
    absent = [program for program in PROGRAMS if shutil.which(program, path=_path()) is None]
    if absent:
        return f"{', '.join(absent)} not found: apt-get install slurmctld slurmd slurm-client munge"
    return None


class Job(NamedTuple):
    """What SLURM remembers of a job."""

    number: int
    rule: str
    state: str
    node: str
    gpus: int
    memory_mb: int
    limit: str
    name: str
    folder: str


class Cluster:
    """The cluster; use as a context manager. All its state is in `folder`, whose path must be short."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = folder / "slurm.conf"
        self._daemons: dict[str, subprocess.Popen] = {}

    def __enter__(self) -> Self:
        for name in ("state", "log", "bin"):
            (self.folder / name).mkdir(parents=True)
        self._configure()
        try:
            for name in DAEMONS:
                self.start(name)
            wait_until(self._idle, 60, "nodes are not idle")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        if self._alive("slurmctld"):
            self.run("scancel", "--user=root")
            with suppress(TimeoutError):
                wait_until(lambda: not self.run("squeue", "-h"), 20, "jobs still run")
        for name in reversed(DAEMONS):
            self.end(name)
        for process in self._processes():
            _kill(process)

    @property
    def variables(self) -> dict[str, str]:
        """The variables with which SLURM's commands meet this cluster; `bin/srun` gives SLURM_CONF back inside jobs."""
        return {"SLURM_CONF": str(self.config), "PATH": f"{self.folder}/bin:{_path()}"}

    def run(self, *command: str) -> str:
        """The output of one of SLURM's commands."""
        done = subprocess.run(
            command, env=os.environ | self.variables, text=True, capture_output=True, timeout=60
        )
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
        return done.stdout

    def start(self, name: str) -> None:
        """Start a daemon: munged, slurmctld or a node's slurmd."""
        command = {
            "munged": (
                "munged --foreground --force --num-threads=2 --key-file=munge.key --socket=munge.sock "
                "--pid-file=munge.pid --log-file=log/munged.log --seed-file=munge.seed"
            ),
            "slurmctld": f"slurmctld -D -f {self.config}",
        }.get(name, f"slurmd -D -N {name} -f {self.config}")
        command = command.replace("=munge", f"={self.folder}/munge").replace("=log", f"={self.folder}/log")
        with open(self.folder / "log" / f"{name}.out", "ab") as log:
            self._daemons[name] = subprocess.Popen(
                command.split(),
                cwd=self.folder,
                env=os.environ | {"PATH": _path()},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        if name == "munged":
            wait_until((self.folder / "munge.sock").exists, 10, "munged did not start")

    def end(self, name: str) -> None:
        """End a daemon as an administrator would; after ten seconds, kill it."""
        daemon = self._daemons.pop(name, None)
        if daemon is None:
            return
        daemon.terminate()
        try:
            daemon.wait(10)
        except subprocess.TimeoutExpired:
            daemon.kill()
            daemon.wait()

    def kill_node(self, node: str) -> None:
        """What a power failure does to a node: its daemon and all that its jobs started are gone at once."""
        daemon = self._daemons.pop(node)
        daemon.kill()
        daemon.wait()
        for process in self._processes(node):
            _kill(process)

    def stop_processes(self, node: str) -> None:
        """Have all that jobs started on a node hang; SLURM sees it run."""
        for process in self._processes(node):
            if process.name() != "slurmstepd":
                process.suspend()

    def jobs(self) -> list[Job]:
        """All jobs that there were, in the order of their submission."""
        listing = self.run("scontrol", "--oneliner", "show", "job")
        jobs = [_job(line) for line in listing.splitlines() if line.startswith("JobId=")]
        return sorted(jobs, key=lambda job: job.number)

    def _configure(self) -> None:
        template = string.Template((HERE / "slurm.conf.in").read_text())
        ports = {f"port{i}": port for i, port in enumerate(_free_ports(1 + len(NODES)))}
        host = socket.gethostname().partition(".")[0]
        self.config.write_text(template.substitute(ports, root=self.folder, host=host))
        shutil.copy(HERE / "gres.conf", self.folder)
        key = self.folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(secrets.token_bytes(1024))
        # Snakemake removes SLURM_CONF from what it starts in a job; where it is in /etc/slurm that is no harm.
        srun = self.folder / "bin/srun"
        srun.write_text(f'#!/bin/sh\nSLURM_CONF={self.config} exec {shutil.which("srun")} "$@"\n')
        srun.chmod(0o755)

    def _alive(self, name: str) -> bool:
        return name in self._daemons and self._daemons[name].poll() is None

    def _idle(self) -> bool:
        with suppress(RuntimeError):
            nodes = self.run("sinfo", "--noheader", "--Node", "--format=%N %t").split("\n")
            return {line for line in nodes if line} == {f"{node} idle" for node in NODES}
        return False

    def _processes(self, node: str | None = None) -> Iterator[psutil.Process]:
        """What this cluster's jobs started (on a node), and the step daemons above it."""
        for process in psutil.process_iter():
            with suppress(psutil.Error, OSError):
                inside = process.environ()
                ours = inside.get("SLURM_CONF") == str(self.config) and "SLURM_JOB_ID" in inside
                if ours and node in (None, inside.get("SLURMD_NODENAME")):
                    parent = process.parent()
                    if parent is not None and parent.name() == "slurmstepd":
                        yield parent
                    yield process


def wait_until(holds: Callable[[], bool], seconds: float, otherwise: str) -> None:
    """Wait until something holds; TimeoutError if it does not within so many seconds."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError(f"{otherwise} after {seconds} s")
        time.sleep(0.1)


def _job(line: str) -> Job:
    """A line of ``scontrol --oneliner show job``."""
    fields = dict(part.split("=", 1) for part in line.split() if "=" in part)
    gpus = fields.get("TresPerJob", "0").rpartition(":")[2]
    memory = fields["MinMemoryNode"]
    scale = {"G": 1024, "M": 1}
    return Job(
        number=int(fields["JobId"]),
        rule=fields.get("Comment", "").removeprefix("rule_"),
        state=fields["JobState"],
        node=fields["NodeList"],
        gpus=int(gpus),
        memory_mb=int(float(memory.rstrip("GM")) * scale.get(memory[-1], 1)),
        limit=fields["TimeLimit"],
        name=fields["JobName"],
        folder=fields["WorkDir"],
    )


def _kill(process: psutil.Process) -> None:
    with suppress(psutil.NoSuchProcess):
        process.send_signal(signal.SIGKILL)


def _path() -> str:
    """Where programs are looked for: daemons are often in /usr/sbin."""
    return f"{os.environ['PATH']}:/usr/sbin"


def _free_ports(n: int) -> list[int]:
    """Ports of the loopback interface that are free now, below those that the system hands out."""
    ports: list[int] = []
    while len(ports) < n:
        port = 20000 + secrets.randbelow(10000)
        with socket.socket() as trial, suppress(OSError):
            trial.bind(("127.0.0.1", port))
            ports.append(port)
    return ports


@contextmanager
def a_cluster() -> Iterator[Cluster]:
    """A cluster in a folder of its own under /tmp, for unix sockets have short names; the folder goes with it."""
    with (
        tempfile.TemporaryDirectory(prefix="slurm-", dir="/tmp", ignore_cleanup_errors=True) as folder,
        Cluster(Path(folder) / "c") as cluster,
    ):
        yield cluster


def main() -> None:
    """Start a cluster, and do what is typed until there is no more."""
    if reason := missing():
        sys.exit(reason)
    with a_cluster() as cluster:
        print(f"export SLURM_CONF={cluster.config} PATH={cluster.folder}/bin:$PATH:/usr/sbin", flush=True)
        act = {"start": cluster.start, "end": cluster.end, "kill": cluster.kill_node}
        with suppress(KeyboardInterrupt):
            for line in sys.stdin:
                verb, _, name = line.strip().partition(" ")
                if verb in act and name in DAEMONS:
                    act[verb](name)
                else:
                    print(f"start, end or kill, then one of {', '.join(DAEMONS)}", file=sys.stderr)


if __name__ == "__main__":
    main()
