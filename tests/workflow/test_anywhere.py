"""The workflow from elsewhere: other folders, parts of a configuration, as a module of another workflow; dry runs."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ralc.config import read_config
from ralc.planning import plan, sizes
from tests.workflow.conftest import ROOT, SMOKE, copied

pytestmark = [pytest.mark.workflow, pytest.mark.long]

MODULE = """
module ralc:
    snakefile: {snakefile}
    config: {{"outdir": "there", "run": {{"datasets": ["worldfacts-qa"]}}}}
use rule * from ralc as ralc_*
rule mine:
    default_target: True
    input: "there/items.parquet"
"""


#: A module with a prefix, whose questions and samples are files of the run's folder.
PREFIXED = """
module {name}:
    snakefile: "{package}/Snakefile"
    prefix: "{name}"
    config:
        {{
            "outdir": "there",
            "run": {{"datasets": ["mine"], "targets": ["theirs"]}},
            "datasets": {{"mine": {{"path": "{questions}"}}}},
            "models": {{"theirs": {{"engine": "recorded", "path": "samples.jsonl"}}}},
        }}
use rule * from {name} as {name}_*
"""
BOTH = """
rule both:
    default_target: True
    input: "one/there/samples/theirs.parquet", "two/there/samples/theirs.parquet"
"""


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder with a space in its name, in which there is nothing."""
    (tmp_path / "else where").mkdir()
    return tmp_path / "else where"


def test_a_checkout_in_a_folder_of_any_name(tmp_path):
    checkout = copied(tmp_path / "it's a (test) folder" / "ralc")
    (checkout.folder / ".venv").symlink_to(sys.prefix)
    python = checkout.folder / ".venv" / Path(sys.executable).relative_to(sys.prefix)
    hedges = "results/smoke/lexicon/hedges.parquet"
    said(checkout.folder, "--configfile", SMOKE, "--", hedges, package=checkout.folder, python=python)
    assert (checkout.folder / hedges).exists()


def said(folder: Path, *arguments: str, package: Path = ROOT, python: str | Path = sys.executable) -> str:
    """What Snakemake says in a folder."""
    how = {"cwd": folder, "env": os.environ | {"PYTHONPATH": str(package)}, "text": True}
    command = [python, "-m", "snakemake", "--cores", "1", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **how)
    assert done.returncode == 0, done.stdout[-3000:]
    return done.stdout


def test_as_a_module_from_a_repository_as_snakedeploy_writes_it(elsewhere, monkeypatch):
    package = copied(elsewhere.parent / "source").folder
    git = ["git", "-C", str(package), "-c", "user.name=me", "-c", "user.email=me@localhost"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "All"], ["tag", "v1"]):
        subprocess.run([*git, *command], check=True)
    # Where Snakemake keeps what it has cloned; nothing is asked of GitHub.
    clones = elsewhere / "cache/snakemake/snakemake/source-cache/snakemake-git-cache/github.com"
    subprocess.run(["git", "clone", "-q", "--bare", str(package), str(clones / "me/ralc")], check=True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(elsewhere / "cache"))
    source = 'github("me/ralc", path="workflow/Snakefile", tag="v1")'
    (elsewhere / "Snakefile").write_text(MODULE.format(snakefile=source))
    (elsewhere / "config.yaml").write_text("- of another workflow")
    listing = said(elsewhere, "--dry-run")
    assert "ralc_compute_signals" in listing
    assert "there/questions/worldfacts-qa.parquet" in listing
    assert "worldfacts-mc" not in listing


def test_a_module_runs_and_an_edit_in_its_package_reruns_its_rules(elsewhere):
    package = copied(elsewhere.parent / "ralc checkout").folder
    (elsewhere / "Snakefile").write_text(MODULE.format(snakefile=f'"{package}/Snakefile"'))
    hedges = "there/lexicon/hedges.parquet"
    said(elsewhere, hedges, package=package)
    assert (elsewhere / hedges).exists()
    assert "Nothing to be done" in said(elsewhere, hedges, package=package)
    module = package / "ralc/lexicon/expressions.py"
    module.write_text(module.read_text() + "\n# edited\n")
    listing = said(elsewhere, "--dry-run", hedges, package=package)
    assert "Updated input files: ../ralc checkout/ralc/lexicon/expressions.py" in listing


def test_two_modules_with_a_prefix_run_side_by_side_and_write_below_it(elsewhere):
    questions = [{"question": f"Who is {i}?", "accepted": ["She"]} for i in range(40)]
    (elsewhere / "mine.jsonl").write_text("".join(json.dumps(one) + "\n" for one in questions))
    answers = [{"question": one["question"], "answers": ["She", "He"]} for one in questions]
    (elsewhere / "samples.jsonl").write_text("".join(json.dumps(one) + "\n" for one in answers))
    files = {"one": "mine.jsonl", "two": elsewhere / "mine.jsonl"}
    modules = [PREFIXED.format(name=name, package=ROOT, questions=file) for name, file in files.items()]
    (elsewhere / "Snakefile").write_text("".join(modules) + BOTH)
    said(elsewhere)
    made = {path.relative_to(elsewhere).as_posix() for path in elsewhere.rglob("*") if path.is_file()}
    made = {path for path in made if not path.startswith(".")}
    given = {"Snakefile", "mine.jsonl", "samples.jsonl"}
    assert all(path.startswith(("one/there/", "two/there/")) for path in made - given)
    for name in ("one", "two"):
        written = ("journal/sample/theirs.jsonl", "logs/complete/sample/theirs.log", "samples/theirs.parquet")
        assert {f"{name}/there/{path}" for path in written} <= made


def test_the_paper_is_tens_of_jobs_on_a_cluster(elsewhere):
    (elsewhere / "none.yaml").write_text("people: {data: null}")
    paper = [str(ROOT / "workflow/presets/paper.yaml"), "none.yaml"]
    profile = ["--workflow-profile", str(ROOT / "profiles/slurm")]
    listing = said(elsewhere, "--dry-run", "-s", str(ROOT / "Snakefile"), *profile, "--configfile", *paper)
    stats = listing.partition("Job stats:")[2].partition("\ntotal")[0]
    jobs = {rule: int(count) for rule, count in re.findall(r"^(\w+) +(\d+)$", stats, flags=re.M)}
    rules = "".join(file.read_text() for file in (ROOT / "workflow/rules").glob("*.smk"))
    here = {rule.split(":")[0] for rule in re.split(r"\n *rule ", rules) if "localrule: True" in rule}
    # 19 models of a stage; the longest are split.
    assert jobs["complete"] == 19 + 11 + 3 + 5 + 39 + 3
    config = read_config([Path(paper[0]), elsewhere / "none.yaml"], ROOT / "config.yaml")
    assert plan(config, sizes(config), 405)["jobs"].sum() == jobs["complete"]
    assert "Warning" not in listing
    assert sum(jobs[rule] for rule in jobs.keys() - here - {"all"}) < 160
    assert (
        "gpt-oss-20b answers stage rewrite: 1 GPU, 64000 MB, at most 1440 minutes, in partition gpu"
        in listing
    )
