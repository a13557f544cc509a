"""The three promises under random hostility: kills, a misbehaving server, damage to any file of a run.

Every draw comes from $RALC_HOSTILE_SEED (default 1), so a failure can be repeated; each test goes on for
$RALC_HOSTILE_SECONDS (default 150).
"""

import contextlib
import json
import os
import random
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import psutil
import pytest

from tests.hostile import FAULTS, Hostile, entry, run
from tests.workflow.conftest import Checkout
from tests.workflow.test_recorded import dlm

pytestmark = [pytest.mark.hostile, pytest.mark.workflow]

SEED = int(os.environ.get("RALC_HOSTILE_SEED", "1"))
SECONDS = float(os.environ.get("RALC_HOSTILE_SECONDS", "150"))
OUT = Path("results/dlm_uncertainty")
TABLES = [OUT / table / "llama3-8b.parquet" for table in ("signals", "grades", "answers")]


def rounds(name: str, least: int = 2) -> Iterator[random.Random]:
    """A die a round, until the time is over; what was done is printed."""
    start = time.monotonic()
    count = 0
    while count < least or time.monotonic() - start < SECONDS:
        yield random.Random(f"{SEED} {name} {count}")
        count += 1
    print(f"{name}: {count} rounds in {time.monotonic() - start:.0f} s (seed {SEED})")


def test_a_server_with_every_misbehaviour_loses_and_invents_nothing(short_waits, tmp_path):
    for place, die in enumerate(rounds("server", least=3)):
        server = Hostile(die.choice(["somebody", "vllm", "llamacpp"]))
        texts = [f"{die.choice(FAULTS)}*{die.randint(0, 3)} #{i}" for i in range(die.randint(5, 40))]
        n = die.randint(1, 5)
        folder = tmp_path / str(place)
        folder.mkdir()
        model = entry(server, concurrency=die.randint(1, 12))
        answers = run(server, texts, folder, n=n, model=model)
        server.shutdown()
        server.server_close()
        assert [a.text for a in answers] == [f"{text} {i}" for text in texts for i in range(n)]


@pytest.fixture(scope="module")
def calm(tmp_path_factory) -> Checkout:
    """A run that nothing disturbed."""
    checkout = dlm(tmp_path_factory.mktemp("hostile") / "checkout")
    (checkout.folder / "overlay.yaml").write_text(json.dumps({"split": {"train": 0.5}}))
    finished = again(checkout)
    assert finished.returncode == 0, finished.stderr[-3000:]
    return checkout


def again(checkout: Checkout) -> subprocess.CompletedProcess:
    """Run it to its end, or to its error."""
    how = {"cwd": checkout.folder, "env": checkout.environment, "capture_output": True, "text": True}
    return subprocess.run(command(checkout), **how)


def command(checkout: Checkout) -> list[str]:
    """What runs it, over whatever a killed run left."""
    options = ("--nolock", "--rerun-incomplete", *map(str, TABLES))
    return checkout.command(*options, overlays=("overlay.yaml",))


def tables(checkout: Checkout) -> list[pd.DataFrame]:
    """What must not change."""
    return [pd.read_parquet(checkout.folder / table) for table in TABLES]


def assert_same(checkout: Checkout, expected: list[pd.DataFrame]) -> None:
    """The tables are those of the undisturbed run."""
    for found, table in zip(tables(checkout), expected, strict=True):
        pd.testing.assert_frame_equal(found, table)


def test_kills_at_any_moment_change_no_table(calm, tmp_path):
    expected = tables(calm)
    checkout = dlm(tmp_path / "checkout")
    (checkout.folder / "overlay.yaml").write_text((calm.folder / "overlay.yaml").read_text())
    for die in rounds("kills"):
        running = checkout.start(command(checkout))
        try:
            running.wait(die.uniform(1, 15))
        except subprocess.TimeoutExpired:
            kill(running, die)
    finished = again(checkout)
    assert finished.returncode == 0, finished.stderr[-3000:]
    assert_same(checkout, expected)
    left = [path for path in (checkout.folder / OUT).rglob(".*") if path.is_file()]
    assert len(left) <= 1  # of a file whose rule had nothing to write again


def kill(running: subprocess.Popen, die: random.Random) -> None:
    """Kill all of a run, or one of its processes: the main one, a job, a worker; then what does not end by itself."""
    main = psutil.Process(running.pid)
    victims = [main, *main.children(recursive=True)]
    if die.random() < 0.5:
        os.killpg(running.pid, signal.SIGKILL)
    else:
        with contextlib.suppress(psutil.NoSuchProcess):
            die.choice(victims).kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            running.wait(15)
    # The jobs of a main process that was killed go on beside the next run, for as long as they would.
    if running.poll() is None:
        os.killpg(running.pid, signal.SIGKILL)
    running.wait()


def test_damage_to_any_file_is_named_or_made_good(calm):
    expected = tables(calm)
    for die in rounds("damage"):
        files = sorted(
            path for path in (calm.folder / OUT).rglob("*") if path.is_file() and path.stat().st_size
        )
        hurt = die.choice([path for path in files if "logs" not in path.parts])
        content = bytearray(hurt.read_bytes())
        for at in die.sample(range(len(content)), min(3, len(content))):
            content[at] ^= 1 << die.randrange(8)
        hurt.write_bytes(content[: die.choice([len(content), len(content), len(content) // 2])])
        for _ in range(4):  # one damaged table may have spoilt another before it was named
            finished = again(calm)
            if finished.returncode == 0 and same(calm, expected):
                break
            # One clear line names a file and says what to do, and doing so is enough.
            text = finished.stderr + finished.stdout
            assert finished.returncode == 0 or hurt.name in text
            named = set(re.findall(r"(results/\S+?): is damaged", text))
            for path in named or {str(hurt.relative_to(calm.folder))}:
                (calm.folder / path).unlink(missing_ok=True)
        assert_same(calm, expected)


def same(checkout: Checkout, expected: list[pd.DataFrame]) -> bool:
    """Whether the tables are there and those of the undisturbed run."""
    try:
        assert_same(checkout, expected)
    except (AssertionError, OSError, ValueError, KeyError):
        return False
    return True
