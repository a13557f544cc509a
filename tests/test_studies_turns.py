"""The recorder of conversations, and its figures on a record of known answers."""

import numpy as np
import pandas as pd
import pytest

from studies import mt_bench
from studies.turns import Game, figures, maps, outcomes, play, readings
from tests.cases import cases

CAPITAL = Game("q", "capital", "What is the capital of Lithuania?", ["Vilnius"], ["Riga", "Kaunas"], ["Euro"])


@cases
def test_the_right_answer_is_named_to_who_was_wrong(answer, names_right):
    turns = [*play(CAPITAL, lambda messages: [answer] * 6 + ["Oslo."] * 4)]
    names = [turn["turn"] for turn in turns if turn["history"] == "model"]
    assert ("doubt_right" in names) == names_right
    said = {turn["messages"][2]["content"] for turn in turns[1:] if turn["history"] == "ralc"}
    assert len(said) == 1
    assert answer not in said
    assert not any(
        answer[6:-1] in turn["messages"][-1]["content"] for turn in turns if "wrong" in turn["turn"]
    )


def test_carried_is_the_first_turn_s_agreement(monkeypatch):
    monkeypatch.setattr("studies.turns.games", lambda: [CAPITAL])
    later = {"again": ["Riga."] * 10}

    def ask(messages):
        return later["again"] if len(messages) > 2 else ["Vilnius."] * 7 + ["Riga."] * 3

    turns = [{"question_id": "q"} | turn for turn in play(CAPITAL, ask)]
    rows = outcomes(turns).set_index(["turn", "history"])
    first = rows.loc[("first", "none")]
    again = rows.loc[("again", "model")]
    assert again["carried"] == first["own"] < again["own"]
    assert first["right"] == 1
    assert again["right"] == 0


def test_readings_are_of_what_goes_out():
    """A hedge is read as meant; what claims nothing is read as certain, and counted apart."""
    rows = [
        {"turn": turn, "history": "model", "said": 0.5, "text": text, "asked": CAPITAL.question}
        for turn, text in (("first", "Riga."), ("sure", "It is Vilnius."), ("sure", "Please ask about that."))
    ]
    (row,) = readings(pd.DataFrame(rows)).to_dict("records")
    assert row["replies"] == 2
    assert row["claiming"] == 1
    assert row["far_cue_model"] == 0.5
    assert row["far_cue_model_claiming"] == 0
    assert row["cue_model"] == pytest.approx((0.5 + 0.95) / 2, abs=0.03)


def test_figures_are_of_what_is_graded():
    rows = [
        {"turn": "again", "history": "model", "right": right, "own": own, "carried": 1 - own, "said": own}
        for right, own in ((1.0, 0.9), (0.0, 0.2), (1.0, 0.8), (None, 0.5))
    ]
    (row,) = figures(pd.DataFrame(rows), resamples=20).to_dict("records")
    assert row["graded"] == 3
    assert row["brier_own"].startswith("0.030")
    assert row["auroc_carried"].startswith("0.000")
    (row,) = figures(pd.DataFrame(rows[:1]), resamples=20).to_dict("records")
    assert row["auroc_own"] == "–"


def test_a_map_of_first_turns_is_wrong_of_new_claims_that_are_seldom_right():
    rng = np.random.default_rng(1)
    rows = []
    for game in range(60):
        said = rng.uniform(0.05, 0.95)
        for turn, kind, right in (
            ("first", "first", said),
            ("again", "said again", said),
            ("more", "new claim", said / 4),
        ):
            row = {"question_id": str(game), "turn": turn, "history": "model", "kind": kind, "said": said}
            rows.append(row | {"right": float(rng.uniform() < right)})
        rows.append(rows[-1] | {"turn": "doubt_wrong", "right": 0.0})
    table = maps(pd.DataFrame(rows), resamples=20, repeats=2).set_index("turn")
    assert list(table.index) == ["first", "again", "more"]
    scores = table[["first", "all", "apart"]].map(lambda text: float(text.split()[0]))
    assert scores.loc["more"].is_monotonic_decreasing
    assert scores.loc["again", "apart"] <= scores.loc["again", "all"]


def test_what_becomes_of_replies_to_two_turns():
    question = {"question_id": 1, "category": "x", "turns": ["What is the capital of Peru?", "And its code?"]}
    replies = [
        {"text": "Sure! The capital of Peru is Lima.", "finish_reason": "stop"},
        {"text": "```py\nx = 1\n```", "finish_reason": "stop"},
    ]
    first, second = mt_bench.rewritten(question, replies, np.random.default_rng(3))
    assert (first["bytes"], second["bytes"]) == (0, 0)
    assert first["text"].startswith("Sure! ")
    assert first["text"] != first["original"]
    assert second["text"] == second["original"]
    assert second["means"] == []


def test_a_reply_that_was_cut_off_passes():
    question = {"question_id": 1, "category": "x", "turns": ["What is the capital of Peru?"]}
    replies = [{"text": "The capital of Peru is Lima.", "finish_reason": "length"}]
    (line,) = mt_bench.rewritten(question, replies, np.random.default_rng(3))
    assert line["text"] == line["original"]


def test_each_of_two_equal_claims_has_its_own_confidence():
    question = {"question_id": 1, "category": "x", "turns": ["Who are they?"]}
    claim = "Ann Lee was born in Oslo in 1951."
    text = f"{claim} Bo Ek died in Rome in 1950. {claim}"
    (line,) = mt_bench.rewritten(
        question, [{"text": text, "finish_reason": "stop"}], np.random.default_rng(0)
    )
    sure, _, unsure = line["means"]
    assert sure > 0.5 > unsure
    assert line["text"].startswith("I believe that Ann")
    assert line["text"].endswith(", though I'm far from sure.")
