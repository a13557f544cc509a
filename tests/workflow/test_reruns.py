"""What runs again, and what does not, when something changes: read off dry runs of the real workflow."""

import json

import pytest

from ralc.dependencies import PACKAGE, dependencies
from tests.test_dependencies import declared

pytestmark = [pytest.mark.workflow, pytest.mark.model]

ANSWERS = {"render_samples", "parse_samples", "cluster_answers"}
#: A change of the configuration, the rules that run for it, and rules that do not.
CHANGES = {
    "retrieval: {shortlist: 12}": (
        {"retrieve_hedges", "plan_rewrites", "compute_metrics", "plot_figures"},
        ANSWERS | {"fit_maps", "fit_lexicon", "render_self_evaluation"},
    ),
    "run: {signals: [semantic_uncertainty, p_true]}": (
        {"render_self_evaluation", "complete", "compute_signals", "save_calibrators"},
        ANSWERS | {"grade_answers"},
    ),
    "roles: {test_evaluators: [cue_model_b, embedding_regression]}": (
        {"render_readings", "complete", "read_texts", "assemble_items", "compute_metrics"},
        {"compute_signals", "fit_maps", "fit_lexicon", "retrieve_hedges", "choose_rewrites"},
    ),
    "calibration: {map: isotonic}": (
        {"fit_maps", "retrieve_hedges"},
        ANSWERS | {"compute_signals", "fit_lexicon"},
    ),
    "protocol: paper": ({"compute_signals", "fit_maps", "compute_metrics"}, {"render_lexicon"}),
}
#: A file of the package, a line at its end, the rules that run again for it, and rules that do not.
EDITS = [
    (
        "prompts/guided_direct_beta.j2",
        "{# edited #}",
        {"render_rewrites", "choose_rewrites", "compute_metrics"},
        {"render_samples", "parse_samples", "fit_maps"},
    ),
    (
        "data/hedges.csv",
        "for all I know,mine,opener,,,",
        {"list_hedges"},
        ANSWERS | {"fit_maps", "compute_signals"},
    ),
    ("signals/token_probability.py", "# edited", {"compute_signals"}, ANSWERS | {"fit_lexicon"}),
]


def test_a_finished_run_has_nothing_to_do(smoke_run):
    assert "Nothing to be done" in smoke_run.snakemake().stdout


@pytest.mark.long
def test_how_answers_come_reruns_nothing(smoke_run):
    way = "threads: 1, parallel: 10, failures_allowed: 0.5, resources: {mem_mb: 3000, runtime: 9}"
    config = f"models: {{smollm2: {{{way}}}}}"
    assert "Nothing to be done" in smoke_run.snakemake("--dry-run", config=config).stdout


@pytest.mark.long
@pytest.mark.parametrize("config", CHANGES)
def test_a_change_of_the_configuration_reruns_its_step_and_what_follows(smoke_run, config):
    again, never = CHANGES[config]
    planned = smoke_run.planned(config=config)
    assert again <= planned
    assert not planned & never


@pytest.mark.long
@pytest.mark.parametrize(("file", "line", "again", "never"), EDITS)
def test_an_edit_in_the_package_reruns_the_rules_that_use_it(finished, file, line, again, never):
    edited = finished.folder / "ralc" / file
    edited.write_text(f"{edited.read_text()}\n{line}\n")
    planned = finished.planned()
    assert again <= planned
    assert not planned & never


@pytest.mark.long
def test_a_deleted_table_is_parsed_again_without_a_model(finished):
    table = "results/smoke/samples/smollm2.parquet"
    before = (finished.folder / table).read_bytes()
    (finished.folder / table).unlink()
    assert finished.planned(table) == {"parse_samples"}
    finished.snakemake(table)
    assert (finished.folder / table).read_bytes() == before


def test_the_rules_declare_what_their_jobs_really_used(smoke_run):
    used = smoke_run.used()
    # All load the package's own __init__ and its stub; a model's entry is checked by its engine, which changes no
    # request.
    engines = list(PACKAGE.glob("llm/engines/*.py"))
    exempt = {*PACKAGE.glob("__init__.py*"), *engines}.union(*map(dependencies, engines))
    undeclared = {}
    inputs = declared()
    free = {file.relative_to(PACKAGE).as_posix() for file in exempt}
    for rule in set(used) - {"complete"}:
        if unknown := used[rule] - inputs[rule] - free:
            undeclared[rule] = unknown
    assert {"render_samples", "grade_answers"} <= set(used)
    assert undeclared == {}


@pytest.mark.long
def test_a_new_dataset_costs_only_its_own_calls(finished):
    journal = finished.folder / "results/smoke/journal/sample/smollm2.jsonl"
    before = journal.read_bytes()
    towns = {"France": "Paris", "Italy": "Rome", "Spain": "Madrid", "Peru": "Lima"}
    rows = [
        {"question": f"What is the capital of {land}?", "accepted": [town]} for land, town in towns.items()
    ]
    (finished.folder / "mine.jsonl").write_text("\n".join(map(json.dumps, rows)))
    used = "worldfacts-qa, worldfacts-mc, mine"
    config = f"datasets: {{mine: {{path: mine.jsonl}}}}\nrun: {{datasets: [{used}]}}"
    finished.snakemake("results/smoke/samples/smollm2.parquet", config=config)
    after = journal.read_bytes()
    assert after.startswith(before)
    direct = 4
    hedged_on_test = 2
    assert len(after[len(before) :].splitlines()) == direct + hedged_on_test
