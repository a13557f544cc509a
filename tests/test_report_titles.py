"""What figures and tables are called: every one that the workflow shows, in its index and in its files."""

import re
from pathlib import Path

from matplotlib.figure import Figure

from ralc.report import figures
from ralc.report.titles import TITLES

ROOT = Path(__file__).resolve().parents[1]


def test_everything_that_has_a_caption_has_a_title():
    rules = (ROOT / "workflow/rules/report.smk").read_text(encoding="utf-8")
    shown = set(re.findall(r'^    "(\w+)": \(|\["(\w+)"\] = \(', rules, re.MULTILINE))
    assert {one or other for one, other in shown} == set(TITLES)
    assert set(TITLES) <= {path.stem for path in (ROOT / "report").glob("*.rst")}
    assert all(len(shows) < 90 for _, shows in TITLES.values())


def test_a_figure_says_what_it_shows(tmp_path):
    figures.save_figure(Figure(), tmp_path / "prepost")
    drawn = (tmp_path / "prepost.svg").read_text(encoding="utf-8")
    name, shows = TITLES["prepost"]
    assert f"<title>{name}</title>" in drawn
    assert f"<desc>{shows}</desc>" in drawn
