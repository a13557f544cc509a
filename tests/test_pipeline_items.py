"""Items: every held-out answer under every condition."""

import numpy as np
import pandas as pd

from ralc import schemas
from ralc.pipeline import items
from ralc.pipeline import text_readings as listed
from tests import synthetic
from tests.synthetic import questions


class TestItems:
    def test_every_condition_has_every_held_out_question(self):
        made = synthetic.make_items(synthetic.make_questions(n=8))
        assert set(made.groupby(["dataset", "train", "signal", "method", "space", "evaluator"]).size()) == {8}

    def test_an_unread_text_and_an_ungraded_answer_stay(self):
        test = questions().query("split == 'test'").question_id.tolist()
        rows = [(q, p) for q in test for p in ("direct", "hedged")]
        answers = pd.DataFrame(rows, columns=["question_id", "prompt"]).assign(target="m", sentence=0)
        answers["text"], answers["whole"] = answers.prompt + answers.question_id, None
        grades = answers.drop(columns=["text", "whole"]).assign(
            grade="CORRECT", outcome=pd.array([1] * len(answers), "Int8")
        )
        grades.loc[0, ["grade", "outcome"]] = ["unparsed", pd.NA]
        signal = pd.DataFrame(
            {"target": "m", "question_id": test, "signal": "semantic_uncertainty", "alpha": 1.0, "beta": 1.0}
        ).assign(protocol="ralc", sentence=0)
        plan = pd.DataFrame(
            {"target": "m", "question_id": test, "train": "d", "signal": "semantic_uncertainty"}
        )
        plan = plan.assign(
            sentence=0,
            method="ralc",
            variant="default",
            hedges=[["perhaps"]] * len(test),
            task=[f"t{q}" for q in test],
        )
        plan = plan.assign(hedge_alpha=[[3.0]] * len(test), hedge_beta=[[1.0]] * len(test), passes="")
        asked = plan.assign(variant="lexicon=people", passes=["abstains"] + [""] * (len(test) - 1))
        rewrites = pd.DataFrame({"task": plan.task, "text": "Perhaps " + plan.question_id, "origin": "model"})
        rewrites = rewrites.assign(hedge=None, shared=None, whole=None)
        readings = pd.DataFrame(
            {
                "item": [*listed.answer_items(answers), *listed.rewrite_items(plan)][1:],
                "evaluator": "cue_model",
            }
        ).assign(alpha=1.0, beta=1.0)
        own = pd.DataFrame({"question_id": ["q3"], "task": ["tq3"], "grade": ["INCORRECT"]})
        own = own.assign(sentence=0, outcome=pd.array([0], "Int8"))
        # The datasets of the configuration stand in its order, whatever their names.
        asked_of = questions().iloc[::-1]
        asked_of["dataset"] = asked_of.question_id.map(lambda name: "d" if name > "q3" else "a")
        kept = pd.DataFrame(
            {
                "original": ["directq3", "directq4"],
                "rewrite": ["Perhaps q3", "Perhaps q4"],
                "content_preservation": [0.5, 0.5],
            }
        ).assign(meaning_changed=[1.0, 0.0], not_entailed=np.nan)
        made = items.assemble(
            questions=asked_of,
            answers=answers,
            grades=grades,
            signals=signal,
            calibrated=signal.assign(train="d", dataset="d", variant="default"),
            plan=pd.concat([plan, asked], ignore_index=True),
            rewrites=rewrites,
            rewrite_grades=own,
            readings=readings,
            preservation=kept.assign(p_entail=np.nan, p_neutral=np.nan, p_contradict=np.nan),
            protocol="ralc",
            methods=["ralc", "hedged_qa"],
        )
        made = schemas.check(made, "items")
        assert made.dataset.unique().tolist() == ["d", "a"]
        people = made[
            made.evaluator == "people"
        ]  # of their own variant alone, and of no answer that is not hedged
        assert set(people.variant) == {"lexicon=people"}
        assert people[people.alpha.isna()].question_id.tolist() == test[:1]
        made = made[made.variant == "default"]
        assert made.groupby(["space", "method"]).size().to_dict() == {
            ("linguistic", "hedged_qa"): 7,
            ("linguistic", "original"): 7,
            ("linguistic", "ralc"): 7,
            ("signal", "original"): 7,
            ("signal", "ralc"): 7,
        }
        first = made[
            (made.question_id == "q3") & (made.method == "original") & (made.space == "linguistic")
        ].iloc[0]
        assert pd.isna(first.alpha)
        assert first.grade == "unparsed"
        rewritten = made[
            (made.question_id == "q3") & (made.method == "ralc") & (made.space == "linguistic")
        ].iloc[0]
        assert rewritten.content_preservation == 0.5
        assert rewritten.meaning_changed == 1
        assert rewritten.hedges == ["perhaps"]
        # A text that was written freely has the outcome of what it says; the others keep the original's.
        assert (rewritten.grade, rewritten.outcome) == ("INCORRECT", 0)
        others = made[(made.question_id != "q3") & (made.method == "ralc")]
        assert set(others.grade) == {"CORRECT"}
