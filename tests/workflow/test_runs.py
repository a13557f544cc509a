"""A run from the outside: its report, and its end after it was killed."""

import csv
import json
import random
import subprocess
import sys

import pandas as pd
import pytest

from ralc.io.files import inert
from ralc.registry import COUNTERPARTS, METHODS
from tests import browser
from tests.workflow.conftest import copied, smaller

pytestmark = [pytest.mark.workflow, pytest.mark.model]

SAMPLES = "results/smoke/samples/smollm2.parquet"


@pytest.mark.long
def test_the_report_is_one_page_that_opens_offline(finished):
    finished.snakemake("--report", "report.html", "--report-after-run")
    page = (finished.folder / "report.html").read_text()
    categories = ("Main results", "Reliability", "Across domains", "Lexicon and human readers", "Losses")
    assert [one for one in categories if one not in page] == []
    assert 'src="http' not in page
    assert "<link" not in page


needs_browser = pytest.mark.skipif(
    browser.MISSING is not None,
    reason=f"{browser.MISSING} is not there: apt-get install chromium chromium-driver",
)


@needs_browser
@pytest.mark.long
def test_the_report_opens_on_its_first_paragraph_and_the_verdict(finished):
    finished.snakemake("--report", "report.html")
    with browser.browser() as seen:
        for width, height in ((1280, 900), (1920, 1080), (390, 844)):
            seen.open(finished.folder / "report.html", width=width, height=height)
            seen.wait("return document.querySelector('.prose p') !== null")
            place = "const at = document.querySelector('.prose p').getBoundingClientRect();"
            left, top, right, wide = seen.run(
                place + "return [at.left, at.top, at.right, document.documentElement.scrollWidth]"
            )
            assert 0 <= left < right <= width == wide
            assert 0 <= top < height / 2
            hint = seen.run("return getComputedStyle(document.querySelector('.prose .hint')).display")
            assert hint == ("block" if width == 390 else "none")
        said = seen.run("return document.querySelector('.prose').innerText")
        seen.wait("return document.querySelector('#rulegraph svg, #rulegraph canvas') !== null")
        graph = "return document.querySelector('#rulegraph').getBoundingClientRect().height"
        heights = []
        for link in (".prose", ".pages a", ".pages .back"):
            seen.run(f"document.querySelector('{link}').click()")
            heights.append(seen.run(graph) > 0)
        assert heights == [False, True, False]
        assert said.startswith("A language model answered questions")
        assert "RALC against" in said or "hardly any accepted answer" in said


#: What stands in the report, by section, as the rules label it.
LABELLED = """
import json
from snakemake.api import ResourceSettings, SnakemakeApi
from snakemake.io import get_flag_value

with SnakemakeApi() as api:
    rules = api.workflow(ResourceSettings(cores=1))._workflow.rules
files = [get_flag_value(file, "report") for rule in rules for file in rule.output]
print(json.dumps([[one.category, one.labels] for one in files if one]))
"""


def test_what_stands_in_the_report_has_one_label_of_its_own(tmp_path):
    # Snakemake makes a switch of a second label with two values, and its page breaks where a value is missing.
    checkout = copied(tmp_path / "checkout")
    found = subprocess.run(
        [sys.executable, "-c", LABELLED],
        cwd=checkout.folder,
        env=checkout.environment,
        stdout=subprocess.PIPE,
    )
    files = json.loads(found.stdout.splitlines()[-1])
    assert len({section for section, _ in files}) > 5
    assert [labels for _, labels in files if list(labels) != ["shows"]] == []
    titles = [labels["shows"] for _, labels in files]
    assert sorted(set(titles)) == sorted(titles)


@needs_browser
@pytest.mark.long
@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844)])
def test_every_section_of_the_report_opens_and_shows_its_files(finished, width, height):
    finished.snakemake("--report", "report.html")
    entry = "[...document.querySelectorAll('nav a')].find(one => one.textContent.trim() === {}).click()"
    shown = "document.querySelector('.grow > iframe, .grow > .p-3 > img')"
    with browser.browser() as seen:
        seen.open(finished.folder / "report.html", width=width, height=height)
        sections = seen.run(
            "return Object.entries(categories).map(([name, files]) => [name, files.Other.length])"
        )
        assert len(sections) > 5
        for name, count in sections:
            seen.open(finished.folder / "report.html", width=width, height=height)
            seen.wait("return document.querySelector('nav') !== null")
            seen.run(entry.format(json.dumps(name)))
            seen.wait(f"return document.querySelectorAll('nav tbody tr').length === {count}")
            if name == "For an application":
                continue
            seen.run("document.querySelector('nav tbody a').click()")
            seen.wait(f"return {shown} !== null")
            seen.wait(f"return {shown}.complete !== false && {shown}.getBoundingClientRect().height > 100")
            assert 0 <= seen.run(f"return {shown}.getBoundingClientRect().top") < height / 2
            assert seen.run("return document.documentElement.scrollWidth") == width
            assert seen.complaints() == []


@needs_browser
@pytest.mark.long
def test_every_page_and_figure_of_a_run_loads(smoke_run):
    out = smoke_run.folder / "results/smoke"
    pages = sorted(out.rglob("*.html"))
    drawings = sorted(out.rglob("*.svg"))
    assert len(pages) > 15
    assert len(drawings) > 10
    with browser.browser() as seen:
        for file in pages + drawings:
            seen.open(file)
            assert seen.complaints() == [], file
            loaded = (
                "return [...document.images ?? []].every(image => image.complete && image.naturalWidth > 0)"
            )
            assert seen.run(loaded), file
            assert seen.run("return document.documentElement.getBoundingClientRect().width") > 0, file


def test_no_cell_of_a_csv_is_a_formula(smoke_run):
    files = list((smoke_run.folder / "results/smoke").rglob("*.csv"))
    assert len(files) > 10
    for file in files:
        with file.open(encoding="utf-8", newline="") as lines:
            risky = [cell for row in csv.reader(lines) for cell in row if inert(cell) != cell]
        assert risky == [], file


def test_items_and_metrics_cover_every_condition(smoke_run):
    items = pd.read_parquet(smoke_run.folder / "results/smoke/items.parquet")
    metrics = pd.read_parquet(smoke_run.folder / "results/smoke/metrics.parquet")
    assert set(items.method) == set(METHODS)
    assert set(items.evaluator) == {"none", "cue_model", "cue_model_b"}
    assert set(items.dataset) == set(items.train) - {"none"}
    sizes = items.groupby(["dataset", "train", "signal", "method", "space", "evaluator", "variant"]).size()
    assert len(set(sizes)) == 1
    assert set(metrics.versus) == {"none", *METHODS, *COUNTERPARTS} - {"ralc", "answer_support"}


@pytest.mark.long
def test_a_killed_run_started_again_ends_as_if_undisturbed(smoke_run, tmp_path):
    checkout = smaller(tmp_path / "checkout")
    journal = checkout.folder / "results/smoke/journal/sample/smollm2.jsonl"
    wait = random.Random(5)
    for kill in range(3):
        answers = 4 * (kill + 1) + wait.randint(0, 3)
        checkout.kill_when(
            checkout.command(SAMPLES),
            lambda _, least=answers: journal.exists() and journal.read_bytes().count(b"\n") >= least,
        )
        checkout.snakemake("--unlock")
    checkout.snakemake(SAMPLES)
    undisturbed = pd.read_parquet(smoke_run.folder / SAMPLES)
    pd.testing.assert_frame_equal(pd.read_parquet(checkout.folder / SAMPLES), undisturbed)
