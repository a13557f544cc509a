"""The language-model evaluator: prompt, whole-string parse, and how many valid scores a reading needs."""

import numpy as np
import pandas as pd
import pytest

from ralc.evaluators import Ensemble
from ralc.evaluators.ensemble import parse_score
from ralc.llm import from_table
from ralc.protocols import resolve

MODEL = {"engine": "openai", "model": "m", "base_url": "http://localhost:1/v1"}


def asked(*texts, **how):
    table = pd.DataFrame({"item": [f"i{place}" for place in range(len(texts))], "text": list(texts)})
    return Ensemble().ask(table, model=MODEL, seed=1, **how)


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
    both = asked("Maybe it is Rome.", "Maybe it is Rome.")
    assert len(set(both["key"])) == 1
    request, _ = from_table(both)
    content = request.messages[0]["content"]
    assert (request.n, request.constraint) == (3, {"regex": "100|[1-9]?[0-9]"})
    assert "Maybe it is Rome." in content
    assert '"almost certain": mean 94' in content
    assert asked("a", "a", protocol=resolve("ralc", letter=True))["key"].is_unique
    with pytest.raises(ValueError, match="passes"):
        Ensemble(passes=0)


@pytest.mark.parametrize(("valid", "scored"), [(9, True), (5, True), (4, False), (0, False)])
def test_readings_are_moments_of_five_of_nine_scores_at_least(valid, scored):
    said = ["80", "90"] * 5
    replies = pd.DataFrame({"item": "i", "text": "a", "reply": said[:valid] + ["3/10"] * (9 - valid)})
    (read,) = Ensemble("m").readings(None, replies, protocol="paper").itertuples()
    assert (read.readings, read.evaluator) == (valid, "m")
    assert np.isfinite(read.alpha) == scored
    if scored:
        assert read.alpha / (read.alpha + read.beta) == pytest.approx(
            np.mean([0.8, 0.9] * 4 + [0.8]) if valid == 9 else 0.84
        )
    scores = Ensemble("m").scored(None, replies)
    assert scores["score"].tolist() == [float(one) / 100 for one in said[:valid]]
