"""Every role by a language model: one that fills them badly, so that every odd answer is met and counted."""

import pandas as pd
import pytest

from ralc.conditions import having

pytestmark = [pytest.mark.workflow, pytest.mark.model, pytest.mark.long]

OUT = "results/llm_roles"


def test_every_role_asks_its_model(roles_run):
    calls = pd.read_parquet(roles_run.folder / OUT / "calls.parquet").set_index("stage")
    stages = (
        "sample cluster grade write_lexicon read_lexicon read_answers read_candidates rewrite correct "
        "read_corrections read_rewrites"
    )
    assert set(calls.index) == set(stages.split())
    assert (calls["requests"] > 0).all()
    assert (calls["errors"] == 0).all()
    assert calls.loc["read_lexicon", "answers"] == 3 * calls.loc["read_lexicon", "requests"]


def test_the_ensemble_reads_every_answer_or_it_is_counted_as_unscored(roles_run):
    items = pd.read_parquet(roles_run.folder / OUT / "items.parquet")
    read = having(items, space="linguistic", evaluator="ensemble")
    assert len(read) > 0
    assert read["alpha"].notna().mean() > 0.5
    assert set(read["origin"]) <= {"model", "template", "none", "passed", "left", "unhedged", "note"}
    metrics = pd.read_parquet(roles_run.folder / OUT / "metrics.parquet")
    assert {"ensemble", "cue_model_b"} <= set(metrics["evaluator"])


def test_a_second_run_has_nothing_to_do(roles_run):
    assert "Nothing to be done" in roles_run.snakemake().stdout
