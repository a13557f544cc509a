"""The table, figure and sentence of what people would accept and believe."""

import numpy as np
import pytest

from ralc import reliance
from ralc.beta import Beta
from ralc.report import figures, tables
from ralc.report.figures.reliance import COSTS, accepted
from ralc.report.tables.reliance import decided
from tests.test_report_figures import drawn

ROW = ("smollm2", "worldfacts-qa", "all", "default", "ralc", "semantic_uncertainty", "linguistic")


@pytest.fixture(scope="module")
def words(items):
    """RALC's words on one dataset, as the judge reads them."""
    rows = items.query(
        "dataset == train == 'worldfacts-qa' and method == 'ralc' and signal == 'semantic_uncertainty' and "
        "space == 'linguistic' and reader == 'judge' and variant == 'default'"
    )
    return rows.dropna(subset=["outcome", "alpha"])


def test_the_table_has_the_shares_of_the_items(words, metrics):
    table = tables.reliance(metrics)
    found = reliance.measures(words["outcome"].to_numpy(float), reliance.shown(Beta.from_table(words)))
    for name, (value, weight) in found.items():
        assert table.loc[ROW, ("by itself", name, "value")] == pytest.approx(value @ weight / weight.sum())
    plain = table.loc[(*ROW[:4], "original", "none", "linguistic"), ("by itself", "accepted_wrong", "value")]
    gap = table.loc[ROW, ("by itself", "accepted_wrong", "value")] - plain
    assert table.loc[ROW, ("minus original answer", "accepted_wrong", "value")] == pytest.approx(
        gap, abs=0.02
    )


def test_every_situation_and_the_assumption_stand_in_the_table(metrics):
    table = tables.reliance(metrics)
    assert set(table.index.get_level_values("variant")) >= set(reliance.SITUATIONS)
    assert any("acts as the number that people give it" in note for note in table.attrs["notes"])
    column = table[("by itself", "accepted_wrong", "value")]
    shown = {name: column[(*ROW[:3], name, *ROW[4:])] for name in reliance.SITUATIONS}
    assert shown["bridge=lower"] < shown["default"] < shown["bridge=higher"]
    assert shown["threshold=0.75"] < shown["default"] < shown["threshold=0.25"]


def test_the_figure_draws_each_way_of_speaking(items, metrics):
    from tests.synthetic import make_items, make_questions

    many = make_items(make_questions(("worldfacts-qa",), 150))
    text = drawn(figures.plot_reliance(many, metrics), n_axes=1)
    for said in (
        "Original answer",
        "Constant hedge",
        "RALC's calibrated number, shown",
        "a wrong one costs 0.5",
    ):
        assert said in text
    few = drawn(figures.plot_reliance(items, metrics), n_axes=3)
    assert "fewer than 20 right or wrong answers" in few


def test_sentences_that_are_right_in_part_count_with_their_shares(metrics):
    from tests.synthetic import make_items, make_questions

    many = make_items(make_questions(("worldfacts-qa",), 150))
    parts = many.assign(outcome=many["outcome"].where(many["outcome"].isna(), np.arange(len(many)) % 97 / 96))
    assert "fewer than" not in drawn(figures.plot_reliance(parts, metrics), n_axes=1)


def test_the_dearer_a_wrong_answer_the_fewer_are_accepted(words):
    curve = accepted(words)
    assert curve.shape == (len(COSTS), 2)
    assert (np.diff(curve, axis=0) < 0).all()


def test_the_sentence_says_its_assumption_and_nothing_of_few_answers(metrics):
    many = metrics.assign(n=60)
    said = decided(many, "semantic_uncertainty")
    assert said.startswith("If a word acts as the number that people give it")
    assert "as they came, with a constant hedge and in RALC's words: on worldfacts-qa " in said
    assert said in tables.overview(many).replace("&#39;", "'")
    assert decided(metrics.assign(n=19), "semantic_uncertainty") == ""
    assert decided(many[many["metric"] != "accepted_wrong"], "semantic_uncertainty") == ""
