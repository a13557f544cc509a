"""No command of the Makefile and of envs/ selects no test."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MADE = re.findall(r"\$\(BIN\)/pytest ([^&\n]*)", (ROOT / "Makefile").read_text(encoding="utf-8"))
VLLM = re.findall(
    r"(?:^|\} \S*; |\s)check (.*tests/.*)", (ROOT / "envs/test-vllm.sh").read_text(encoding="utf-8"), re.M
)


def test_the_selections_are_found():
    assert len(MADE) >= 5
    assert any("test_roles" in line for line in VLLM)


@pytest.mark.long
@pytest.mark.parametrize("line", [*MADE, *VLLM])
def test_a_selection_is_not_empty(line):
    words = shlex.split(line.replace("$(CORES)", "0"))
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-500:]
