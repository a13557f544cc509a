"""What runs again, and what does not, when something changes: read off dry runs of the real workflow."""

import pytest

from ralc.dependencies import PACKAGE, dependencies
from tests.workflow.conftest import ROOT

SCRIPTS = ROOT / "workflow/scripts"
pytestmark = [pytest.mark.workflow, pytest.mark.model]

ANSWERS = {"render_samples", "complete", "parse_samples", "cluster_answers", "grade_answers"}


def test_a_finished_run_has_nothing_to_do(smoke_run):
    assert "Nothing to be done" in smoke_run.snakemake().stdout


@pytest.mark.long
def test_how_answers_come_reruns_nothing(smoke_run):
    way = "threads: 1, parallel: 10, failures_allowed: 0.5, resources: {mem_mb: 3000, runtime: 9}"
    config = f"models: {{smollm2: {{{way}}}}}"
    assert "Nothing to be done" in smoke_run.snakemake("--dry-run", config=config).stdout


@pytest.mark.long
def test_the_shortlist_reruns_retrieval_and_what_follows(smoke_run):
    planned = smoke_run.planned(config="retrieval: {shortlist: 12}")
    assert {"retrieve_hedges", "plan_rewrites", "compute_metrics", "plot_figures"} <= planned
    assert not planned & {"render_samples", "parse_samples", "cluster_answers", "fit_maps", "fit_lexicon"}


@pytest.mark.long
def test_only_a_signal_that_asks_a_target_about_its_answers_asks_it(smoke_run):
    rules = {"render_self_evaluation"}
    assert not smoke_run.planned("--forceall") & rules
    planned = smoke_run.planned(config="run: {signals: [semantic_uncertainty, p_true]}")
    assert rules | {"complete", "compute_signals", "save_calibrators"} <= planned
    assert not planned & {"render_samples", "parse_samples", "cluster_answers", "grade_answers"}


@pytest.mark.long
def test_a_prompt_reruns_its_step_and_what_follows(finished):
    prompt = finished.folder / "ralc/prompts/guided_direct_beta.j2"
    prompt.write_text(prompt.read_text() + "\n{# edited #}\n")
    planned = finished.planned()
    assert {"render_rewrites", "choose_rewrites", "compute_metrics"} <= planned
    assert not planned & {"render_samples", "parse_samples", "fit_maps"}


@pytest.mark.long
def test_a_judge_more_reads_what_is_there(smoke_run):
    planned = smoke_run.planned(config="roles: {test_evaluators: [cue_model_b, embedding_regression]}")
    assert {"render_readings", "complete", "read_texts", "assemble_items", "compute_metrics"} <= planned
    assert not planned & {"compute_signals", "fit_maps", "fit_lexicon", "retrieve_hedges", "choose_rewrites"}


def test_a_deleted_table_is_parsed_again_without_a_model(finished):
    table = "results/smoke/samples/smollm2.parquet"
    before = (finished.folder / table).read_bytes()
    (finished.folder / table).unlink()
    assert finished.planned(table) == {"parse_samples"}
    finished.snakemake(table)
    assert (finished.folder / table).read_bytes() == before


@pytest.mark.long
def test_a_changed_map_reruns_calibration_and_no_model_before_the_rewrites(smoke_run):
    planned = smoke_run.planned(config="calibration: {map: isotonic}")
    assert {"fit_maps", "retrieve_hedges"} <= planned
    assert not planned & {"render_samples", "cluster_answers", "compute_signals", "fit_lexicon"}


@pytest.mark.long
def test_switching_protocol_reruns_what_it_changes(smoke_run):
    planned = smoke_run.planned(config="protocol: paper")
    assert {"compute_signals", "fit_maps", "compute_metrics"} <= planned
    assert "render_lexicon" not in planned


def test_the_rules_declare_what_their_jobs_really_used(smoke_run):
    used = smoke_run.used()
    # All load the package's own __init__; a model's entry is checked by its engine, which changes no request.
    engines = list(PACKAGE.glob("llm/engines/*.py"))
    exempt = {PACKAGE / "__init__.py", *engines}.union(*map(dependencies, engines))
    undeclared = {}
    for stub in set(used) - {"complete"}:
        declared = exempt.union(dependencies(SCRIPTS / f"{stub}.py"))
        if unknown := used[stub] - {file.relative_to(PACKAGE).as_posix() for file in declared}:
            undeclared[stub] = unknown
    assert "render_samples" in used
    assert undeclared == {}


@pytest.mark.long
def test_an_edit_of_a_list_reruns_the_rules_that_read_it(finished):
    hedges = finished.folder / "ralc/data/hedges.csv"
    hedges.write_text(hedges.read_text() + "for all I know,mine,opener,,,\n")
    planned = finished.planned()
    assert "list_hedges" in planned
    assert not planned & {"render_samples", "cluster_answers", "fit_maps", "compute_signals"}


@pytest.mark.long
def test_an_edit_in_the_package_reruns_the_rules_that_use_it(finished):
    module = finished.folder / "ralc/signals/token_probability.py"
    module.write_text(module.read_text() + "\n# edited\n")
    planned = finished.planned()
    assert "compute_signals" in planned
    assert not planned & {"render_samples", "parse_samples", "cluster_answers", "fit_lexicon"}


@pytest.mark.long
def test_a_new_dataset_costs_only_its_own_calls(finished):
    journal = finished.folder / "results/smoke/journal/sample/smollm2.jsonl"
    before = journal.read_bytes()
    (finished.folder / "mine.jsonl").write_text(
        "\n".join(
            f'{{"question": "What is the capital of {country}?", "accepted": ["{capital}"]}}'
            for country, capital in [
                ("France", "Paris"),
                ("Italy", "Rome"),
                ("Spain", "Madrid"),
                ("Peru", "Lima"),
            ]
        )
    )
    used = "worldfacts-qa, worldfacts-rc, mine"
    config = f"datasets: {{mine: {{path: mine.jsonl}}}}\nrun: {{datasets: [{used}]}}"
    finished.snakemake("results/smoke/samples/smollm2.parquet", config=config)
    after = journal.read_bytes()
    assert after.startswith(before)
    direct, hedged_on_test = 4, 2
    assert len(after[len(before) :].splitlines()) == direct + hedged_on_test
