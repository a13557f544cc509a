"""What runs again, and what does not, when something changes: read off dry runs of the real workflow."""

import pytest

from ralc.config.unasked import unasked_prompts
from ralc.configfiles import read_config
from ralc.dependencies import PACKAGE, dependencies
from tests.workflow.conftest import ROOT, SMOKE

SCRIPTS = ROOT / "workflow/scripts"
pytestmark = [pytest.mark.workflow, pytest.mark.model]

#: What the smoke preset does not have of the readers, and modules that are loaded only where they are asked for.
ABSENT = ("Ensemble", "ProbeReader", "TableReader", "audiences.adapt_figures")
IF_ASKED = {
    *("conditions.py", "names.py", "parquetfiles.py", "protocols.py"),
    *("schemas/__init__.py", "schemas/columns.py", "schemas/declared.py"),
    *(
        "english/casing.py",
        "english/demonyms.py",
        "english/frames.py",
        "english/rooms.py",
        "english/units.py",
        "readers/grammar.py",
        "readers/by_sentence.py",
    ),
    *("rating/__init__.py", "rating/ratings.py", "reliance.py"),
}
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
    rules = {"render_p_true", "parse_p_true"}
    assert not smoke_run.planned("--forceall") & rules
    planned = smoke_run.planned(config="run: {signals: [semantic_uncertainty, p_true]}")
    assert rules | {"complete", "compute_signals", "measure_signals", "save_calibrators"} <= planned
    assert not planned & {"render_samples", "parse_samples", "cluster_answers", "grade_answers"}


@pytest.mark.long
def test_a_prompt_reruns_its_step_and_what_follows(finished):
    prompt = finished.folder / "ralc/prompts/guided_direct_beta.j2"
    prompt.write_text(prompt.read_text() + "\n{# edited #}\n")
    planned = finished.planned()
    assert {"render_rewrites", "choose_rewrites", "compute_metrics"} <= planned
    assert not planned & {"render_samples", "parse_samples", "fit_maps"}
    assert not planned & {"render_lexicon", "parse_lexicon", "fit_lexicon", "retrieve_hedges"}


@pytest.mark.long
def test_a_prompt_that_nobody_is_asked_with_reruns_nothing(finished):
    for name in ("direct_beta", "rewrite", "direct_qa_short_answer", "evaluator", "clusterer"):
        prompt = finished.folder / f"ralc/prompts/{name}.j2"
        prompt.write_text(prompt.read_text() + "\n{# edited #}\n")
    assert "Nothing to be done" in finished.snakemake("--dry-run").stdout


@pytest.mark.long
def test_a_judge_more_reads_what_is_there(smoke_run):
    planned = smoke_run.planned(config="roles: {judges: [judge, probe]}")
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
    assert {"fit_maps", "calibrate_signals", "retrieve_hedges"} <= planned
    assert not planned & {"render_samples", "cluster_answers", "compute_signals", "fit_lexicon"}


@pytest.mark.long
def test_switching_protocol_reruns_what_it_changes(smoke_run):
    planned = smoke_run.planned(config="protocol: paper")
    assert {"compute_signals", "fit_maps", "compute_metrics"} <= planned
    assert "render_lexicon" not in planned


def test_the_rules_declare_what_their_jobs_really_used(smoke_run):
    used = smoke_run.used()
    assert {"render_samples", "list_hedges", "choose_rewrites", "write_overview"} <= set(used)
    unasked = [f"prompts/{name}.j2" for name in unasked_prompts(read_config([ROOT / SMOKE]))]
    wrong = {}
    for stub in set(used) - {"complete"}:
        absent = [f"ralc.readers.{name}" for name in ABSENT]
        reached = dependencies(SCRIPTS / f"{stub}.py", absent, unasked)
        files = {file.relative_to(PACKAGE).as_posix() for file in reached}
        # A module is loaded or not (the schemas: where a table is checked; the protocols: where a choice of theirs is
        # asked for); which files of those that it names it opens depends on the data.
        idle = {file for file in files if file.endswith(".py")} - IF_ASKED - used[stub]
        if idle or used[stub] - files:
            wrong[stub] = {"undeclared": used[stub] - files, "declared, but not used": idle}
    assert wrong == {}


@pytest.mark.long
def test_an_edit_of_a_list_reruns_the_rules_that_read_it(finished):
    hedges = finished.folder / "ralc/data/hedges.csv"
    hedges.write_text(hedges.read_text() + "for all I know,mine,opener,,,\n")
    planned = finished.planned()
    assert "list_hedges" in planned
    assert not planned & {"render_samples", "cluster_answers", "fit_maps", "compute_signals"}


@pytest.mark.long
def test_an_edit_of_a_reader_that_the_run_does_not_have_reads_nothing_anew(finished):
    figures = finished.folder / "ralc/data/reader_probe.json"
    figures.write_text(figures.read_text() + "\n")
    assert not finished.planned() & {"render_readings", "read_texts", "fit_lexicon"}
    figures = finished.folder / "ralc/data/reader_judge.json"
    figures.write_text(figures.read_text() + "\n")
    assert {"read_texts", "fit_lexicon"} <= finished.planned()


@pytest.mark.long
def test_an_edit_in_the_package_reruns_the_rules_that_use_it(finished):
    module = finished.folder / "ralc/signals/likelihood.py"
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
