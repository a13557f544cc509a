"""The vocabulary is declared once: a new metric, signal, method or evaluator is one definition and one declaration."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ralc import registry
from ralc.report.contents import FIGURES, TABLES

ROOT = Path(__file__).parents[1]
METRICS = "ralc.pipeline.metric_evaluation"
#: Modules that newcomers add, by their files in `tests/newcomers`, and the folders that they go to.
MODULES = {
    "coin.py": "signals",
    "capitals.py": "evaluators",
    "towns.py": "datasets/published",
    "echo.py": "llm/engines",
}
#: Lines that newcomers add to a file, each before the line that begins so (CONTRIBUTING.md, *To add*).
LINES = json.loads((ROOT / "tests/newcomers/lines.json").read_text(encoding="utf-8"))


def test_newcomers_are_taken_up_by_what_they_are_declared_with(tmp_path):
    """In a copy of the package, with what CONTRIBUTING.md says of each, `tests/newcomers/used.py` uses all of them."""
    package = shutil.copytree(ROOT / "ralc", tmp_path / "ralc", ignore=shutil.ignore_patterns("__pycache__"))
    for module, folder in MODULES.items():
        shutil.copy(ROOT / "tests/newcomers" / module, package / folder)
    for file, before, line in LINES:
        text = (package / file).read_text(encoding="utf-8")
        assert text.count(f"\n{before}") == 1, (file, before)
        (package / file).write_text(text.replace(f"\n{before}", f"\n{line}\n{before}"), encoding="utf-8")
    found = os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-m", "tests.newcomers.used"]
    done = subprocess.run(command, cwd=tmp_path, env=found, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("declared", "entry", "module", "place"),
    [
        (registry.SIGNALS, registry.Signal("Coin"), "ralc.signals", "ralc/signals/"),
        (
            registry.SIGNALS,
            registry.Signal("Coin", needs_extra_call=True),
            "ralc.pipeline.self_evaluation",
            "QUESTIONS",
        ),
        (registry.METRICS, registry.Metric("Coin"), "ralc.metrics", "ralc/metrics/"),
        (registry.METRICS, registry.Metric("Coin", computed="losses"), METRICS, "metric_evaluation.py"),
        (registry.METRICS, registry.Metric("Coin", computed="toss"), METRICS, "metric_evaluation.py"),
        (TABLES, TABLES["counts"], "ralc.report.tables.specs", "specs.py"),
        (FIGURES, FIGURES["theory"], "ralc.report.figures", "ralc/report/figures/"),
    ],
)
def test_what_is_declared_without_its_function_is_an_error_at_import(
    declared, entry, module, place, monkeypatch
):
    found = importlib.util.find_spec(module)
    monkeypatch.setitem(declared, "coin", entry)
    with pytest.raises(ImportError, match=rf"'(coin|toss)' has no function: .*{place}"):
        found.loader.exec_module(importlib.util.module_from_spec(found))
