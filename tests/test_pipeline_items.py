"""Items: every held-out answer under every condition."""

import numpy as np
import pandas as pd
import pytest

from ralc import schemas
from ralc.conditions import answer_items, rewrite_items
from ralc.pipeline import items
from tests.synthetic import questions

HELD_OUT = [f"q{i}" for i in range(3, 10)]


@pytest.fixture(scope="module")
def made() -> pd.DataFrame:
    """Seven answers, the first unread, ungraded and written freely, and the phrases that people were asked about."""
    rows = [(q, p) for q in HELD_OUT for p in ("direct", "hedged")]
    answers = pd.DataFrame(rows, columns=["question_id", "prompt"]).assign(target="m", sentence=0)
    answers = answers.assign(text=answers.prompt + answers.question_id, parent_answer=None)
    grades = answers.drop(columns=["text", "parent_answer"]).assign(grade="CORRECT")
    grades["outcome"] = pd.array([1] * len(answers), "Int8")
    grades.loc[0, ["grade", "outcome"]] = ["unparsed", pd.NA]
    signal = pd.DataFrame({"target": "m", "question_id": HELD_OUT, "signal": "semantic_uncertainty"})
    signal = signal.assign(alpha=1.0, beta=1.0, protocol="ralc", sentence=0)
    plan = signal[["target", "question_id", "sentence", "signal"]].assign(train="d", method="ralc")
    plan = plan.assign(variant="default", task="t" + plan.question_id, hedges=[["perhaps"]] * 7)
    plan = plan.assign(skip_reason="", hedge_alpha=[[3.0]] * 7, hedge_beta=[[1.0]] * 7)
    asked = plan.assign(variant="lexicon=people", skip_reason=["abstains"] + [""] * 6)
    rewrites = pd.DataFrame({"task": plan.task, "text": "Perhaps " + plan.question_id, "origin": "model"})
    readings = pd.DataFrame({"item": [*answer_items(answers), *rewrite_items(plan)][1:]})
    own = pd.DataFrame({"question_id": ["q3"], "task": ["tq3"], "grade": ["INCORRECT"], "sentence": 0})
    # The datasets of the configuration stand in its order, whatever their names.
    asked_of = questions().iloc[::-1]
    asked_of["dataset"] = asked_of.question_id.map(lambda name: "d" if name > "q3" else "a")
    kept = pd.DataFrame({"original": ["directq3", "directq4"], "rewrite": ["Perhaps q3", "Perhaps q4"]})
    kept = kept.assign(content_preservation=0.5, meaning_changed=[1.0, 0.0], not_entailed=np.nan)
    table = items.assemble(
        questions=asked_of,
        answers=answers,
        grades=grades,
        signals=signal,
        calibrated=signal.assign(train="d", dataset="d", variant="default"),
        plan=pd.concat([plan, asked], ignore_index=True),
        rewrites=rewrites.assign(hedge=None, shared=None, parent_answer=None),
        rewrite_grades=own.assign(outcome=pd.array([0], "Int8")),
        readings=readings.assign(evaluator="cue_model", alpha=1.0, beta=1.0),
        preservation=kept.assign(p_entail=np.nan, p_neutral=np.nan, p_contradict=np.nan),
        protocol="ralc",
        methods=["ralc", "hedged_qa"],
    )
    return schemas.check(table, "items")


def test_every_condition_has_every_held_out_question(made):
    assert made.dataset.unique().tolist() == ["d", "a"]
    sizes = made[made.variant == "default"].groupby(["space", "method"]).size().to_dict()
    methods = [("linguistic", method) for method in ("hedged_qa", "original", "ralc")]
    assert sizes == dict.fromkeys([*methods, ("signal", "original"), ("signal", "ralc")], 7)


def test_people_read_their_own_variant_alone_and_no_answer_that_is_not_hedged(made):
    people = made[made.evaluator == "people"]
    assert set(people.variant) == {"lexicon=people"}
    assert people[people.alpha.isna()].question_id.tolist() == HELD_OUT[:1]


def test_an_unread_text_and_an_ungraded_answer_stay(made):
    words = made[(made.variant == "default") & (made.space == "linguistic")]
    words = words.set_index(["question_id", "method"])
    assert pd.isna(words.alpha["q3", "original"])
    assert words.grade["q3", "original"] == "unparsed"
    rewritten = words.loc[("q3", "ralc")]
    assert (rewritten.content_preservation, rewritten.meaning_changed) == (0.5, 1)
    assert rewritten.hedges == ["perhaps"]
    # A text that was written freely has the outcome of what it says; the others keep the original's.
    assert (rewritten.grade, rewritten.outcome) == ("INCORRECT", 0)
    assert set(words.grade.xs("ralc", level="method").drop("q3")) == {"CORRECT"}
