"""Recorded samples through the real workflow: the worked examples, on the studies' files or on their stand-ins."""

import os
import re
import subprocess
import sys

import pandas as pd
import pytest

from ralc import precomputed
from ralc.conditions import averaged
from ralc.io import read_json
from studies import published
from tests import stranger
from tests.imported import files_of
from tests.workflow.conftest import ROOT, Checkout, copied

pytestmark = [pytest.mark.workflow, pytest.mark.long]

DLM = "workflow/presets/dlm_uncertainty.yaml"


def dlm(folder) -> Checkout:
    """A checkout with the recorded answers of two models."""
    checkout = copied(folder, (DLM,))
    for model, name in (("llada", "llada-8b"), ("llama", "llama3-8b")):
        source = files_of(model)
        rows = published.read("dlm_uncertainty", source)
        precomputed.write(precomputed.samples_of(rows, source), checkout.folder / f"examples/{name}.jsonl")
    asked = precomputed.questions_of(rows, source)
    precomputed.write(asked, checkout.folder / "examples/mmlu-mini.jsonl")
    return checkout


def test_two_models_recorded_answers_have_the_signals_that_they_have(tmp_path, capsys):
    checkout = dlm(tmp_path / "checkout")
    assert "placeholders, all left out" in capsys.readouterr().err
    out = "results/dlm_uncertainty"
    maps = [f"{out}/maps/{name}.json" for name in ("llama3-8b", "llada-8b")]
    checkout.snakemake(*maps, config="split: {train: 0.5}")
    fitted = [{fit["signal"] for fit in read_json(checkout.folder / path)} for path in maps]
    assert fitted == [{"token_probability", "semantic_uncertainty"}, {"semantic_uncertainty"}]
    log = (checkout.folder / out / "logs/fit_maps/llada-8b.log").read_text()
    assert "train answers has the signal token_probability: it is left out" in log
    log = (checkout.folder / out / "logs/render_samples/llada-8b.log").read_text()
    assert "no token_logprobs: no signal token_probability" in log


def test_a_stranger_s_files_become_a_report(tmp_path):
    """Two files and ten lines of configuration, in a folder of one's own."""
    stranger.write(tmp_path, questions=70, samples=6)
    command = [sys.executable, "-m", "snakemake", "-s", str(ROOT / "Snakefile"), "--cores", "2"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    results = tmp_path / "results"
    metrics = pd.read_parquet(results / "metrics.parquet")
    metrics = metrics[~averaged(metrics)]
    after = metrics.query(
        "method == 'ralc' and space == 'linguistic' and versus == 'none' and metric == 'auroc'"
    )
    assert set(after["signal"]) == {"linguistic_confidence", "token_probability", "semantic_uncertainty"}
    (support,) = after.query(
        "signal == 'semantic_uncertainty' and evaluator == 'cue_model_b' and subset == 'all' and variant == 'default'"
    )["value"]
    assert support > 0.75
    assert (after["n"] <= 49).all()
    for page in ("overview", "examples", "index"):
        assert (results / f"{page}.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    index = (results / "index.html").read_text(encoding="utf-8")
    overview = (results / "overview.html").read_text(encoding="utf-8")
    assert "as many as recorded" in overview
    linked = re.findall(r'href="([^"]+)"', index)
    # One dataset: nothing crosses domains.
    assert "tables/cross_domain.html" not in linked
    assert "overview.html" in linked
    assert [address for address in linked if not (results / address).is_file()] == []
