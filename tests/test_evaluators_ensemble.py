"""The language-model evaluator: prompt, whole-string parse, and how many valid scores a reading needs."""

import numpy as np
import pandas as pd
import pytest

from ralc.evaluators.ensemble import fit_readings, parse_readings, parse_score, render_readings
from ralc.llm import Response, from_table
from ralc.llm.tables import responses_table
from ralc.protocols import resolve

MODEL = {"engine": "openai", "model": "m", "base_url": "http://localhost:1/v1"}


def texts(*read):
    return pd.DataFrame({"item": [f"i{place}" for place in range(len(read))], "text": list(read)})


@pytest.mark.parametrize(
    ("reply", "score"),
    [("85", 0.85), (" 0\n", 0.0), ("100", 1.0), ("7", 0.07)]
    + [
        (text, None)
        for text in ("", "3/10", "101", "-5", "85%", "about 80", "0.9", "007", "85 85", "٨٥", "1e2")
    ],
)
def test_only_a_whole_reply_is_a_score(reply, score):
    assert parse_score(reply) == score


def test_requests_hold_the_cues_and_the_sentence_and_equal_texts_are_one():
    both = render_readings(texts("Maybe it is Rome.", "Maybe it is Rome."), model=MODEL, seed=1)
    assert len(set(both["key"])) == 1
    request, _ = from_table(both)
    content = request.messages[0]["content"]
    assert (request.n, request.constraint) == (3, {"regex": "100|[1-9]?[0-9]"})
    assert "Maybe it is Rome." in content
    assert '"almost certain": mean 94' in content
    anew = resolve("ralc", letter=True)
    assert render_readings(texts("a", "a"), model=MODEL, seed=1, protocol=anew)["key"].is_unique
    with pytest.raises(ValueError, match="passes"):
        render_readings(texts("a"), model=MODEL, seed=1, passes=0)


def test_every_wanted_pass_is_a_row():
    requests = render_readings(texts("a", "b"), model=MODEL, seed=1, passes=3)
    a, b = requests["key"]
    said = [Response(a, text, "stop", sample=i) for i, text in enumerate(["80", "3/10", "90"])]
    lost = [Response(b, "", "error", sample=i, error="too long") for i in range(3)]
    table = parse_readings(requests, responses_table([*lost, *said]), evaluator="m")
    np.testing.assert_array_equal(table["score"].to_numpy(), [0.8, np.nan, 0.9] + [np.nan] * 3)
    with pytest.raises(ValueError, match="0 of 3 answers"):
        parse_readings(requests, responses_table(said), evaluator="m")


@pytest.mark.parametrize(("valid", "scored"), [(9, True), (5, True), (4, False), (0, False)])
def test_five_of_nine_scores_are_needed(valid, scored):
    table = pd.DataFrame({"item": "i", "text": "a", "score": [0.8] * valid + [np.nan] * (9 - valid)})
    reading = fit_readings(table).iloc[0]
    assert reading["readings"] == valid
    assert np.isfinite(reading["alpha"]) == scored


def test_readings_are_moments_of_all_evaluators():
    scores = [0.9] * 9 + [0.1, 0.3, 0.2] * 3
    readings = fit_readings(
        pd.DataFrame({"item": ["i"] * 9 + ["j"] * 9, "text": "a", "score": scores}), protocol="paper"
    )
    np.testing.assert_allclose(readings["alpha"] / (readings["alpha"] + readings["beta"]), [0.9, 0.2])
    assert readings["alpha"][0] + readings["beta"][0] == pytest.approx(9)
