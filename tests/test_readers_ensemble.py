"""The language-model evaluator: prompt, whole-string parse, and how many valid scores a reading needs."""

import numpy as np
import pandas as pd
import pytest

from ralc.llm import Response, from_table
from ralc.llm.tables import responses_table
from ralc.protocols import resolve
from ralc.readers.ensemble import fit_readings, parse_readings, render_readings
from ralc.readers.scores import parse_score


def texts(*read, items=None):
    return pd.DataFrame({"item": items or [f"i{place}" for place in range(len(read))], "text": list(read)})


MODEL = {"engine": "openai", "model": "m", "base_url": "http://localhost:1/v1"}


@pytest.mark.parametrize(("reply", "score"), [("85", 0.85), (" 0\n", 0.0), ("100", 1.0), ("7", 0.07)])
def test_scores(reply, score):
    assert parse_score(reply) == score


@pytest.mark.parametrize(
    "reply", ["", "3/10", "101", "-5", "85%", "about 80", "0.9", "007", "85 85", "٨٥", "1e2"]
)
def test_replies_that_are_no_scores(reply):
    assert parse_score(reply) is None


def test_requests_hold_the_cues_and_the_sentence():
    table = render_readings(texts("Maybe it is Rome."), model=MODEL, seed=1)
    (request,) = from_table(table)
    content = request.messages[0]["content"]
    assert request.n == 3
    assert "Maybe it is Rome." in content
    assert '"almost certain": mean 94' in content
    assert request.constraint == {"regex": "100|[1-9]?[0-9]"}


def test_equal_texts_are_one_request_unless_items_are_read_anew():
    both = texts("Maybe.", "Maybe.")
    assert render_readings(both, model=MODEL, seed=1)["key"].duplicated().any()
    assert render_readings(both, model=MODEL, seed=1, protocol=resolve("ralc", fresh_readings=True))[
        "key"
    ].is_unique


def test_bad_requests_are_refused():
    with pytest.raises(ValueError, match="passes"):
        render_readings(texts("a"), model=MODEL, seed=1, passes=0)


def test_every_wanted_pass_is_a_row():
    requests = render_readings(texts("a", "b"), model=MODEL, seed=1, passes=3)
    a, b = requests["key"]
    said = [Response(a, text, "stop", sample=i) for i, text in enumerate(["80", "3/10", "90"])]
    lost = [Response(b, "", "error", sample=i, error="too long") for i in range(3)]
    table = parse_readings(requests, responses_table([*lost, *said]), reader="m")
    np.testing.assert_array_equal(table["score"].to_numpy(), [0.8, np.nan, 0.9] + [np.nan] * 3)
    with pytest.raises(ValueError, match="0 of 3 answers"):
        parse_readings(requests, responses_table(said), reader="m")


@pytest.mark.parametrize(("valid", "scored"), [(9, True), (5, True), (4, False), (0, False)])
def test_five_of_nine_scores_are_needed(valid, scored):
    table = pd.DataFrame({"item": "i", "text": "a", "score": [0.8] * valid + [np.nan] * (9 - valid)})
    reading = fit_readings(table).iloc[0]
    assert reading["readings"] == valid
    assert np.isfinite(reading["alpha"]) == scored


def test_readings_are_moments_of_all_evaluators():
    table = pd.DataFrame(
        {"item": ["i"] * 9 + ["j"] * 9, "text": "a", "score": [0.9] * 9 + [0.1, 0.3, 0.2] * 3}
    )
    readings = fit_readings(table, protocol="paper")
    mean = readings["alpha"] / (readings["alpha"] + readings["beta"])
    np.testing.assert_allclose(mean, [0.9, 0.2])
    assert readings["alpha"][0] + readings["beta"][0] == pytest.approx(9)
