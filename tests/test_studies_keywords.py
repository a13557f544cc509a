"""Our evaluators beside lists of keywords: what an entry says, errors by study, and the tables that the docs show."""

import pytest

from ralc.english import PHRASE_SENTENCES
from studies import keywords
from tests.test_docs import ROOT


def test_the_documentation_shows_what_the_command_prints():
    page = (ROOT / "docs/trust.md").read_text(encoding="utf-8")
    of_errors = keywords.tables().split("\n\n")[1]
    assert of_errors in page
    for by, figure in (
        ("RLMF's list", ".050"),
        ("`cue_model`, fitted without the phrase", ".062"),
        ("`cue_model_b`", ".036"),
    ):
        (line,) = (line for line in of_errors.splitlines() if line.startswith(f"| {by} |"))
        assert figure in line.split("|")[2]


def test_an_entry_in_two_ranges_is_the_mean_of_their_middles():
    said = keywords.listed().set_index(["list", "phrase"])["mean"]
    assert said["rlmf", "highly likely"] == pytest.approx((0.775 + 0.875) / 2)
    assert said["icd203", "likely"] == pytest.approx(0.675)
    assert set(said.index.get_level_values("phrase").dropna()) <= set(PHRASE_SENTENCES)


def test_a_range_that_is_none_is_refused(tmp_path):
    (tmp_path / "lists.csv").write_text("list,phrase,entry,low,high\nmine,likely,likely,0.8,0.7\n")
    with pytest.raises(ValueError, match="low must be below high"):
        keywords.listed(tmp_path / "lists.csv")
