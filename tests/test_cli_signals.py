"""``ralc signals`` on the tables of a run."""

import json

import pandas as pd
import pytest

from ralc import io
from tests.test_cli_read import run
from tests.test_pipeline_signal_costs import made

CONFIG = """
outdir: {out}
run: {{targets: [smollm2], datasets: [worldfacts-qa]}}
roles: {{judges: [judge]}}
metrics: {{resamples: 50}}
"""


@pytest.fixture
def finished(tmp_path, monkeypatch):
    """A run that has come as far as its clusters."""
    given, out = made(20, 4), tmp_path / "out"
    empty = {"finish_reason": "stop", "fallback": False, "model": "m", "n": 4}
    questions = given["questions"].assign(
        dataset="worldfacts-qa", format="short_answer", context=None, title=None, subject="s"
    )
    responses = given["responses"].assign(
        text="",
        finish_reason="stop",
        token_logprobs=None,
        reasoning_tokens=0,
        error=None,
        attempt=1,
        valid=True,
    )
    tables = {
        "questions/worldfacts-qa": questions,
        "samples/smollm2": given["samples"].assign(finish_reason="stop"),
        "clusters/smollm2": given["clusters"].assign(fallback=False),
        "responses/sample/smollm2": responses.assign(alternatives=None, embedding=None, token_ends=None),
    }
    for name, table in tables.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        io.write_table(table, out / f"{name}.parquet", name.split("/")[0])
    (out / "requests/sample").mkdir(parents=True)
    given["requests"].assign(**empty).to_parquet(out / "requests/sample/smollm2.parquet")
    config = tmp_path / "run.yaml"
    config.write_text(CONFIG.format(out=out))
    monkeypatch.chdir(tmp_path)
    return config, out


def test_the_signals_of_a_run_and_their_costs(finished, capsys):
    config, _ = finished
    code, out, _ = run(capsys, "signals", "--configfile", str(config), "--csv", "signals.csv")
    assert code == 0
    assert "Semantic uncertainty" in out
    assert "Calls" in out
    table = pd.read_csv("signals.csv")
    assert set(table["target"]) == {"smollm2"}
    assert table.loc[table["asked"] == "4", "tokens"].unique().tolist() == [26]
    _, out, _ = run(capsys, "signals", "--configfile", str(config), "--json")
    assert len([json.loads(line) for line in out.splitlines()]) == len(table)


def test_a_run_that_was_not_started(finished, capsys):
    config, out = finished
    (out / "clusters/smollm2.parquet").unlink()
    code, _, err = run(capsys, "signals", "--configfile", str(config))
    assert code == 1
    assert "holds no clusters of smollm2's answers: run snakemake" in err


def test_a_grader_that_costs_calls_is_named(finished, capsys):
    config, out = finished
    config.write_text(
        CONFIG.format(out=out).replace("{judges", "{grader: {method: llm, models: [smollm2]}, judges")
    )
    code, _, err = run(capsys, "signals", "--configfile", str(config))
    assert code == 1
    assert "roles.grader: an llm graded one answer a question" in err
