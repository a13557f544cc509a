"""The bench of signals: what is replayed, and what is measured of it."""

import numpy as np
import pandas as pd
import pytest

from ralc import schemas
from ralc.names import SIGNALS
from ralc.pipeline import call_counts, replay, signal_costs
from ralc.pipeline.settings import Settings
from ralc.protocols import resolve
from ralc.report import figures, tables
from ralc.signals.stopping import SETTLED
from tests import synthetic

READER = {"cues": {"method": "cues"}}
GRADING = {"method": "reference", "not_attempted": "wrong"}


def made(n: int = 40, answers: int = 5) -> dict[str, pd.DataFrame]:
    """Questions of which a share of the answers names the right city; each costs 10 tokens and 4 an answer."""
    rng = np.random.default_rng(7)
    ids = [f"q{i}" for i in range(n)]
    questions = pd.DataFrame(
        {
            "question_id": ids,
            "dataset": "d",
            "split": ["train", "test"] * (n // 2),
            "group": ids,
            "question": "What is the capital?",
            "choices": [[] for _ in ids],
            "accepted": [["Oslo"] for _ in ids],
            "wrong": [[] for _ in ids],
            "correct_choice": None,
            "answerable": True,
        }
    )
    right = rng.random((n, answers)) < rng.random((n, 1))
    samples = pd.DataFrame(
        {
            "question_id": np.repeat(ids, answers),
            "prompt": "direct",
            "sample": np.tile(range(answers), n),
            "text": np.where(right, "Oslo.", "Bergen.").ravel(),
            "token_logprobs": [[np.log(0.3 + 0.6 * one)] for one in right.ravel()],
            "token_ends": None,
            "alternatives": [[np.log(0.3 + 0.6 * one), np.log(0.1)] for one in right.ravel()],
        }
    )
    labels = (right != right[:, :1]).astype(int).ravel()  # by first appearance
    return {
        "questions": questions,
        "samples": samples,
        "clusters": samples[["question_id", "sample"]].assign(cluster=labels),
        "requests": pd.DataFrame({"question_id": ids, "prompt": "direct", "key": ids}),
        "responses": samples.rename(columns={"question_id": "key"})[["key", "sample"]].assign(
            prompt_tokens=10, completion_tokens=4
        ),
    }


def replayed(given: dict[str, pd.DataFrame], p_true: pd.DataFrame | None = None) -> pd.DataFrame:
    outcomes = replay.outcomes_of(given["samples"], given["questions"], **GRADING)
    spent = call_counts.spent_on(given["requests"], given["responses"])
    return replay.replayed(
        given["samples"], given["clusters"], outcomes, spent, p_true, protocol=resolve(), reader=READER
    )


@pytest.fixture(scope="module")
def measured() -> pd.DataFrame:
    how = {"protocol": resolve(), "method": "platt", "settings": Settings({"default": 10}, resamples=100)}
    told = {
        "question_id": [f"q{i}" for i in range(40)],
        "sentence": 0,
        "alpha": 15.0,
        "beta": 5.0,
        "tokens": 31,
    }
    found = signal_costs.compute(**made(), p_true=pd.DataFrame(told), grading=GRADING, reader=READER, **how)
    return schemas.check(found.assign(target="m"), "signal_costs")


def test_each_budget_has_its_own_answer_with_its_own_grade_and_cost():
    given = made(2)
    given["samples"]["text"] = ["Bergen.", "Oslo.", "Oslo.", "Bergen.", "Oslo."] * 2
    given["clusters"]["cluster"] = [0, 1, 1, 0, 1] * 2
    rows = replayed(given)
    rows = rows[(rows["question_id"] == "q0") & (rows["signal"] == "semantic_uncertainty")].set_index("asked")
    # Of one and of two answers it is Bergen, which came first; then Oslo. It is not settled before the last.
    assert rows["outcome"].to_dict() == {"1": 0, "2": 0, "3": 1, "5": 1, SETTLED: 1}
    assert rows["calls"].tolist() == [1, 2, 3, 5, 5]
    assert rows["tokens"].tolist() == [14, 18, 22, 30, 30]
    assert rows.loc["3", ["alpha", "beta"]].tolist() == [2.5, 1.5]


def test_more_answers_than_came_are_not_looked_at():
    given = made(4)
    few = (given["samples"]["question_id"] == "q0") & (given["samples"]["sample"] > 1)
    given["samples"] = given["samples"][~few]
    rows = replayed(given)
    assert set(rows.loc[(rows["question_id"] == "q0") & (rows["asked"] == "5"), "calls"]) == {2}


def test_a_sample_that_failed_is_no_answer_and_moves_no_other():
    given = made(2)
    given["samples"]["text"] = ["", "Oslo.", "Bergen.", "Oslo.", "Oslo."] * 2
    given["clusters"] = given["clusters"].assign(cluster=[0, 0, 1, 0, 0] * 2)[given["clusters"]["sample"] > 0]
    rows = replayed(given)
    rows = rows[(rows["question_id"] == "q0") & (rows["signal"] == "semantic_uncertainty")].set_index("asked")
    assert rows["outcome"].to_dict() == {"1": 1, "2": 1, "3": 1, "4": 1, SETTLED: 1}
    assert rows.loc["4", ["alpha", "beta", "tokens"]].tolist() == [3.5, 1.5, 26]


def test_what_a_target_says_of_its_answers_is_of_all_of_them_and_costs_a_call_more():
    given = made(2)
    own = pd.DataFrame({"question_id": ["q0", "q1", "q1"], "sentence": [0, 0, 1], "alpha": 15.0, "beta": 5.0})
    rows = replayed(given, own.assign(tokens=31))
    rows = rows[
        rows["signal"] == "p_true"
    ]  # q1 is of two sentences: what is said of each is not of the answer
    assert rows[["question_id", "asked", "calls", "tokens"]].to_numpy().tolist() == [["q0", "5", 6, 30 + 31]]
    assert rows[["alpha", "beta"]].to_numpy().tolist() == [[15.0, 5.0]]


def test_every_signal_is_measured_under_every_budget(measured):
    plain = measured[measured["versus"] == "none"]
    assert set(plain["signal"]) == set(SIGNALS)
    assert set(plain["asked"]) == {"1", "2", "3", "5", SETTLED}
    auroc = plain[plain["metric"] == "auroc"].set_index(["signal", "asked"])
    assert auroc.loc[("semantic_uncertainty", "1"), "value"] == 0.5  # one answer agrees with itself
    assert auroc.loc[("semantic_uncertainty", "1"), ["ci_low", "ci_high"]].isna().all()  # in every resample
    assert auroc.loc[("semantic_uncertainty", "5"), "calls"] == 5
    assert 3 <= auroc.loc[("semantic_uncertainty", SETTLED), "calls"] < 5
    assert ("degree", "1") not in auroc.index
    # Right answers have the likelier tokens here, so one answer tells them apart without error.
    assert auroc.loc[("perplexity", "1"), "value"] == 1.0


def test_of_one_answer_there_is_one_budget():
    how = {"protocol": resolve(), "method": "platt", "settings": Settings({"default": 10}, resamples=50)}
    found = signal_costs.compute(**made(answers=1), grading=GRADING, reader=READER, **how).assign(target="m")
    assert set(found["asked"]) == {"1"}
    assert set(found["versus"]) == {"none"}
    assert tables.signal_costs(found)[("calls", "value")].eq(1).all()
    assert figures.plot_signal_costs(found).axes


def test_datasets_stand_in_the_order_of_the_questions():
    given = made(n=8)
    given["questions"] = given["questions"].iloc[::-1].assign(dataset=["z"] * 4 + ["a"] * 4)
    how = {"protocol": resolve(), "method": "platt", "settings": Settings({"default": 10}, resamples=20)}
    found = signal_costs.compute(**given, grading=GRADING, reader=READER, **how)
    assert found["dataset"].unique().tolist() == ["z", "a"]


def test_differences_from_all_answers_are_those_of_the_values(measured):
    own = measured[(measured["signal"] == "semantic_uncertainty") & (measured["metric"] == "brier_score")]
    value = own[own["versus"] == "none"].set_index("asked")["value"]
    change = own[own["versus"] == "all"].set_index("asked")["value"]
    np.testing.assert_allclose(change, value[change.index] - value["5"], atol=1e-12)
    assert "5" not in change


def test_equal_texts_are_graded_once_and_a_language_model_is_not_asked(monkeypatch):
    given, seen = made(4), []
    with pytest.raises(ValueError, match="llm"):
        replay.outcomes_of(given["samples"], given["questions"], method="llm", not_attempted="wrong")
    monkeypatch.setattr(
        replay, "grade", lambda answers, *_, **__: seen.append(len(answers)) or answers.assign(outcome=1)
    )
    assert replay.outcomes_of(given["samples"], given["questions"], **GRADING).eq(1).all()
    assert seen == [given["samples"].groupby("question_id")["text"].nunique().sum()]


def test_the_table_and_the_figure_show_it(measured):
    shown = tables.signal_costs(measured)
    cell = shown.loc[("m", "d", "semantic_uncertainty", "5")]
    assert cell[[("calls", "value"), ("tokens", "value")]].tolist() == [5, 30]
    assert np.isnan(cell[("auroc_change", "value")])
    assert np.isfinite(shown.loc[("m", "d", "semantic_uncertainty", "2"), ("brier_change", "value")])
    told = tables.signal_costs(measured, synthetic.results()[2]).attrs["notes"]
    assert told[:-1] == shown.attrs["notes"]
    assert "4 of 22 on worldfacts-qa" in told[-1]
    figure = figures.plot_signal_costs(measured)
    assert figure.axes[0].get_title(loc="left") == "m, d (n = 20)"
    lines = [line.get_xdata().tolist() for line in figure.axes[0].lines]
    assert lines[0] == [1, 2, 3, 5]
    assert len(figure.legends[0].get_texts()) == len(SIGNALS)
