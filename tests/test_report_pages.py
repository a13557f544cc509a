"""The report in a real browser: pages load without a complaint, sort and search, and hostile text stays text."""

import base64
import re

import pandas as pd
import pytest

from ralc.report import figures, tables
from ralc.report.examples import examples
from ralc.report.overview import overview
from tests import browser
from tests.synthetic import NASTY, results
from tests.test_report_tables import results_of

pytestmark = pytest.mark.skipif(
    browser.MISSING is not None,
    reason=f"{browser.MISSING} is not there: apt-get install chromium chromium-driver",
)
PAGES = ("overview", "examples", "headline", "comparisons", "cross_domain", "verdict", "controlled_subsets")
ROWS = "[...document.querySelectorAll('table.sorted tbody tr')].filter(row => !row.hidden)"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The pages of a made-up run whose texts are hostile."""
    folder = tmp_path_factory.mktemp("pages")
    questions, items, metrics = results()
    maps = pd.DataFrame({"flags": [""], "variant": ["default"], "protocol": ["ralc"]})
    run = results_of(items, metrics) | {"maps": maps}
    for name in PAGES[2:]:
        tables.save_table(tables.tabulate(name, run), folder / name)
    drawings = [folder / f"{name}.svg" for name in ("grid", "prepost")]
    for file in drawings:
        figures.save_figure(figures.draw(file.stem, run), file.with_suffix(""))
    (folder / "overview.html").write_text(overview(run, questions, drawings, links={"All": "index.html"}))
    (folder / "examples.html").write_text(examples(items, questions, count=12))
    return folder


@pytest.fixture(scope="module")
def seen():
    """A browser."""
    with browser.browser() as session:
        yield session


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [1280, 390])
def test_every_page_loads_without_a_complaint_and_fits(pages, seen, name, width):
    seen.open(pages / f"{name}.html", width=width)
    assert seen.complaints() == []
    assert seen.run("return document.querySelectorAll('script').length") == 1
    assert seen.run("return [...document.images].every(image => image.complete && image.naturalWidth > 0)")
    # Wide tables scroll inside the page; the page itself does not.
    assert seen.run("return document.documentElement.scrollWidth") <= width


def test_the_overview_opens_on_its_verdict_a_pair_and_a_figure(pages, seen):
    kinds = "['table.verdict', '.opening table:not(.verdict)', '.opening img']"
    places = f"return {kinds}.map(one => document.querySelector(one)"
    seen.open(pages / "overview.html")
    *bottoms, _ = seen.run(f"{places}.getBoundingClientRect().bottom)")
    assert max(bottoms) <= 900
    image = (
        "const image = document.querySelector('.opening img'); return [image.getBoundingClientRect().top, "
    )
    top, shown, drawn = seen.run(image + "image.clientWidth, image.naturalWidth]")
    assert top <= 900
    # Its smallest text has 8 points, of which a pixel of the file has three quarters.
    assert shown / drawn * 8 * 4 / 3 >= 11
    seen.open(pages / "overview.html", width=390, height=844)
    tops = seen.run(f"{places}.getBoundingClientRect().top)")
    assert tops == sorted(tops)
    assert tops[0] < 300
    assert seen.run("return document.querySelector('table.verdict').getBoundingClientRect().right") <= 390


def test_the_overview_inside_another_page_links_nothing_beside_it(pages, seen):
    page = pages / "overview.html"
    links = "return document.querySelectorAll('.links a').length"
    seen.open(page)
    assert seen.run(links) == 1
    seen.open("data:text/html;base64," + base64.b64encode(page.read_bytes()).decode())
    assert seen.run(links) == 0
    assert seen.complaints() == []


def test_hostile_text_is_text(pages, seen):
    seen.open(pages / "examples.html")
    assert NASTY[:8] in seen.run("return document.body.textContent")
    assert seen.run("return document.querySelectorAll('article script').length") == 0


def test_a_table_is_sorted_by_a_click_and_searched(pages, seen):
    seen.open(pages / "headline.html")
    click = "const th = document.querySelector('thead th.col_heading'); th.click(); return th.ariaSort"
    values = f"return {ROWS}.map(row => row.querySelector('td').textContent)"
    before = seen.run(values)
    for direction, falling in (("ascending", False), ("descending", True)):
        assert seen.run(click) == direction
        found = [float(re.match(r"[\d.]+", text.strip()).group()) for text in seen.run(values)]
        assert found == sorted(found, reverse=falling)
        assert len(found) == len(before)
    search = (
        "const box = document.querySelector('input[type=search]'); box.value = 'hedged worldfacts-mc';"
        f"box.dispatchEvent(new Event('input')); return {ROWS}.map(row => row.textContent)"
    )
    rows = seen.run(search)
    assert rows
    assert all("Hedged QA" in row and "worldfacts-mc" in row for row in rows)
    shown = seen.run("return document.querySelector('[role=status]').textContent")
    assert re.match(r"\d+ of \d+ rows", shown)


def test_examples_are_filtered(pages, seen):
    seen.open(pages / "examples.html")
    shown = "return [...document.querySelectorAll('article')].filter(card => !card.hidden).map(card => card.dataset)"
    every = seen.run(shown)
    pick = (
        "const select = document.querySelector('select[aria-label=\"Filter by grade\"]'); select.value = 'correct';"
        "select.dispatchEvent(new Event('input'));" + shown
    )
    right = seen.run(pick)
    assert 0 < len(right) < len(every)
    assert {card["grade"] for card in right} == {"correct"}


def test_on_a_phone_a_row_is_a_card_with_its_numbers(pages, seen):
    seen.open(pages / "headline.html", width=390, height=844)
    cell = "document.querySelector('table.sorted tbody td')"
    assert seen.run(f"return {cell}.getBoundingClientRect().right") <= 390
    assert seen.run(f"return {cell}.getBoundingClientRect().bottom") <= 844
    assert seen.run(f"return {cell}.dataset.label")
    assert seen.run("return getComputedStyle(document.querySelector('thead')).display") == "none"
    assert seen.run("return document.querySelectorAll('.hint').length") == 0


def test_table_1_has_its_n_on_a_screen(pages, seen):
    seen.open(pages / "controlled_subsets.html", width=1280)
    assert seen.run("return document.querySelector('thead').textContent").split()[-5:].count("n") == 1
    assert seen.run("return document.querySelectorAll('.hint').length") == 0


def test_the_names_that_tell_rows_apart_stay_beside_their_numbers(pages, seen):
    seen.open(pages / "headline.html", width=700)
    scrolled = "const box = document.querySelector('.scroll'); box.scrollLeft = 400; return box.scrollLeft"
    assert seen.run(scrolled) > 100
    name = "document.querySelector('tbody tr:last-child th:last-of-type').getBoundingClientRect().left"
    assert seen.run(f"return {name}") >= 0


def test_what_scrolls_sideways_says_so(pages, seen):
    seen.open(pages / "overview.html", width=390)
    assert seen.run("return document.querySelector('.hint').textContent") == "Scrolls sideways →"
    assert seen.run("return document.querySelector('.hint + .scroll').tabIndex") == 0
