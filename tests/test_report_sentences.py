"""The table of long answers: one confidence a sentence beside one an answer."""

import pandas as pd
import pytest

from ralc.report.tables import save_table, sentences


@pytest.fixture(scope="module")
def items() -> pd.DataFrame:
    """Two long answers of two sentences, one of which is right each; the signals know it, or know the mean."""
    rows = []
    for question in ("a", "b"):
        for sentence, outcome in enumerate((1.0, 0.5)):
            about = {"question_id": question, "group": question, "sentence": sentence, "outcome": outcome}
            for signal, mean in (("support", outcome - 0.1), ("answer_support", 0.75)):
                at = about | {"method": "ralc", "signal": signal, "train": "d"}
                rows.append(at | {"space": "signal", "reader": "none", "alpha": 10 * mean, "origin": "none"})
                origin = "passed" if sentence else "grammar"
                said = {
                    "space": "linguistic",
                    "reader": "judge",
                    "alpha": 10 * (mean - 0.04),
                    "origin": origin,
                }
                rows.append(at | said)
            rows.append(
                about | {"method": "base_rate", "signal": "none", "train": "d", "reader": "none", "alpha": 7}
            )
    made = pd.DataFrame([{"space": "linguistic", "origin": "none"} | one for one in rows])
    return made.assign(
        shared=None, beta=10 - made["alpha"], target="m", dataset="d", variant="default", protocol="ralc"
    )


def test_by_hand(items):
    table = sentences(items)
    own = table.loc[("m", "d", "support", "judge")]
    assert own["n", "value"] == 4
    assert own["brier_score", "value"] == pytest.approx(0.14**2)
    assert own["brier_minus_base_rate", "value"] == pytest.approx(0.14**2 - (0.3**2 + 0.2**2) / 2)
    assert own["brier_minus_answer", "value"] == pytest.approx(0.14**2 - (0.29**2 + 0.21**2) / 2)
    assert own["read_as_meant", "value"] == 1
    assert own["hedges", "value"] == own["hedges_of_median", "value"] == 0.5
    assert own["with_shared_hedge", "value"] == 0
    number = table.loc[("m", "d", "support", "none")]
    assert number["brier_score", "value"] == pytest.approx(0.01)
    assert pd.isna(number["hedges", "value"])


def test_a_hedge_that_speaks_for_several_is_one(items):
    said = items["space"] == "linguistic"
    shared = items.assign(
        shared=items["shared"].mask(said, "What follows is probably right."), origin="grammar"
    )
    own = sentences(shared).loc[("m", "d", "support", "judge")]
    assert own["with_shared_hedge", "value"] == 1
    assert own["hedges", "value"] == own["hedges_of_median", "value"] == 0.5


def test_hedges_are_those_of_all_sentences_and_not_of_the_graded_ones_alone(items):
    own = sentences(items.assign(outcome=items["outcome"].mask(items["sentence"] == 1)))
    assert own.loc[("m", "d", "support", "judge")]["n", "value"] == 2
    assert own.loc[("m", "d", "support", "judge")]["hedges_of_median", "value"] == 0.5


def test_it_is_written(items, tmp_path):
    save_table(sentences(items), tmp_path / "sentences")
    assert "minus one an answer" in (tmp_path / "sentences.html").read_text()
