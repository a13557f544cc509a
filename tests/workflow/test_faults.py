"""What a user sees when something is wrong: one clear line, no traceback, before any job."""

import pytest

from tests.workflow.conftest import copied

pytestmark = pytest.mark.workflow


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A checkout in which nothing has run."""
    return copied(tmp_path_factory.mktemp("faults") / "checkout")


def test_a_bad_configuration_stops_before_any_job(checkout):
    done = checkout.snakemake("--dry-run", config="retrieval: {kk: 3}", check=False)
    assert done.returncode != 0
    assert "config: unknown key 'retrieval.kk'; allowed here: k, shortlist" in done.stdout
    assert "Traceback" not in done.stdout
    assert "Job stats" not in done.stdout


@pytest.mark.long
def test_a_bad_row_of_a_questions_file_is_named(checkout):
    (checkout.folder / "mine.jsonl").write_text(
        '{"question": "Who?", "accepted": ["She"]}\n{"question": "Where?"}\n'
    )
    config = "datasets: {mine: {path: mine.jsonl}}\nrun: {datasets: [mine]}"
    done = checkout.snakemake("results/smoke/questions/mine.parquet", config=config, check=False)
    assert done.returncode != 0
    assert "ralc: mine.jsonl, line 2, column 'accepted': is missing" in done.stdout
    assert "Traceback" not in done.stdout
