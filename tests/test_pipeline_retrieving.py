"""Hedges that are retrieved for answers, and the tasks of rewriting that come of them."""

import pandas as pd
import pytest

from ralc import rewriting
from ralc.conditions import UNIT, having
from ralc.pipeline.rewrite_plan import Retrieval, RewritePlan
from ralc.preservation import pairs
from ralc.protocols import resolve
from tests.cases import cases
from tests.synthetic import questions

ASKED = pd.DataFrame({"question_id": ["q1", "q2", "a", "b"], "question": "Which?"})
ASKED["choices"] = [()] * len(ASKED)
LEXICON = pd.DataFrame({"expression": ["certainly", "doubtfully", "perhaps", "probably"], "source": "paper"})
LEXICON = LEXICON.assign(frame="adverb", alpha=[9.0, 1.0, 5.0, 7.0], beta=[1.0, 9.0, 5.0, 3.0], n=9)
LEXICON["flags"] = ["", "", "", "audit"]
CALIBRATED = pd.DataFrame({"question_id": ["q3", "q4"], "sentence": 0, "dataset": "d", "train": ["d", "e"]})
CALIBRATED = CALIBRATED.assign(protocol="ralc", variant="default", signal="semantic_uncertainty")
CALIBRATED = CALIBRATED.assign(alpha=[8.0, 2.0], beta=[2.0, 8.0])
GRADES = pd.DataFrame({"question_id": [f"q{i}" for i in range(10)], "sentence": 0, "prompt": "direct"})
GRADES = GRADES.assign(grade="CORRECT", outcome=[1, 0, 0] + [1] * 7)
METHODS = ["ralc", "direct_beta", "constant_hedge"]
HOW = {"k": 2, "shortlist": 3, "size": None}


def retrieved(calibrated=CALIBRATED, lexicon=LEXICON, *, methods=METHODS, samples=None, **variants):
    """What is retrieved by some variants, the default where none is named."""
    given = questions(), calibrated, GRADES, lexicon
    variants = variants or {"default": HOW}
    protocol = resolve(wasserstein_samples=samples)
    return Retrieval(methods=methods, variants=variants, protocol=protocol).result(*given)


def test_variants_are_those_of_ralc_with_the_own_map():
    variants = {
        "default": HOW,
        "hedges=1": HOW | {"k": 1},
        "lexicon=2": HOW | {"size": 2},
        "loop=open": HOW,
        "lexicon=people": HOW | {"size": "people", "k": 1},
    }
    others = [CALIBRATED.assign(variant="map=identity"), CALIBRATED.assign(protocol="paper")]
    table = retrieved(pd.concat([CALIBRATED, *others]), **variants)
    default = having(table, variant="default").reset_index(drop=True)
    pd.testing.assert_frame_equal(default, retrieved())
    rest = table[table.variant != "default"].set_index("variant")
    assert set(rest["method"]) == {"ralc"}
    assert rest.question_id.to_dict() == dict.fromkeys([*variants][1:], "q3")
    # Thinned to the lowest and the highest of the three that are not flagged; the nearest that people were asked.
    found = [["certainly"], ["certainly", "doubtfully"], ["certainly", "perhaps"]]
    found += [["there is a very good chance"]]
    assert rest.hedges.tolist() == found


def test_each_method_has_its_hedges():
    table = retrieved()
    nearest = having(table, method="ralc").set_index("question_id").hedges.to_dict()
    assert nearest == {"q3": ["certainly", "perhaps"], "q4": ["doubtfully", "perhaps"]}  # none is flagged
    direct = having(table, method="direct_beta")  # in-domain
    assert direct[["question_id", "hedges"]].to_numpy().tolist() == [["q3", []]]
    constant = having(table, method="constant_hedge")
    assert constant.question_id.tolist() == [f"q{i}" for i in range(3, 10)]
    assert set(map(tuple, constant.hedges)) == {("perhaps",)}  # train accuracy 1/3: 0.5 before 0.1
    sampled = retrieved(methods=["ralc"], samples=300, default=HOW | {"k": 1})
    assert sampled.hedges.tolist() == [["certainly"], ["doubtfully"]]
    assert len(retrieved(default=HOW | {"k": 9}).hedges.iloc[0]) == 3  # a small lexicon gives what it has


def test_equal_tasks_are_planned_once():
    answers = pd.DataFrame({"target": "m", "sentence": 0, "question_id": ["q1", "q2"], "prompt": "direct"})
    answers = answers.assign(text="Paris", parent_answer=None)
    rows = pd.DataFrame({"target": "m", "question_id": ["q1", "q2"] * 2, "sentence": 0, "train": "d"})
    rows = rows.assign(signal="semantic_uncertainty", method=["ralc"] * 2 + ["direct_beta"] * 2)
    rows = rows.assign(variant="default", alpha=[8.0, 6.0, 8.0, 8.001], beta=2.0)
    rows["hedges"] = [["certainly", "perhaps"]] * 2 + [[], []]
    plan = RewritePlan().result(ASKED, answers, rows, LEXICON)
    tasks = rewriting.tasks(plan)
    assert len(plan) == 4
    assert tasks.method.tolist() == ["ralc", "direct_beta"]
    assert tasks.alpha.tolist() == [7.0, pytest.approx(8.0005)]
    assert tasks.frames.tolist()[0] == ["adverb", "adverb"]
    other = RewritePlan().result(ASKED, answers.assign(text=["Paris", "Rome"]), rows, LEXICON)
    assert other.task.nunique() == 4
    opened = pd.concat([rows, rows.iloc[:1].assign(variant="loop=open")], ignore_index=True)
    plan = RewritePlan().result(ASKED, answers, opened, LEXICON)
    assert plan.loop.tolist() == ["closed"] * 4 + ["open"]
    assert plan.task.nunique() == 3  # the open loop is a task of its own, although the hedges are equal
    asked = rows.iloc[:1].assign(variant="lexicon=people", hedges=[["it is likely"]])
    (row,) = RewritePlan().result(ASKED, answers, asked, LEXICON).itertuples()
    assert row.loop == "open"
    assert row.frames == ["clause"]
    mean = row.hedge_alpha[0] / (row.hedge_alpha[0] + row.hedge_beta[0])
    assert mean == pytest.approx(0.726)  # CAPphrase's


@cases
def test_what_the_background_lacks_is_a_claim_and_hedged(abstentions, unhedged):
    """Passed as they were, 33 flat abstentions, of which 10 were right, were read 0.92."""
    answers = pd.DataFrame({"target": "m", "sentence": 0, "question_id": ["a", "b"], "prompt": "direct"})
    answers = answers.assign(
        parent_answer=None, text=["I don't know.", "The background does not say who built it."]
    )
    rows = answers[["target", *UNIT]].assign(train="d", signal="none", method="ralc", variant="default")
    rows = rows.assign(alpha=3.0, beta=7.0, hedges=[["perhaps"]] * 2)
    plan = RewritePlan(protocol=resolve(abstentions=abstentions)).result(ASKED, answers, rows, LEXICON)
    assert plan.skip_reason.tolist() == unhedged


def test_answers_without_a_hedged_one_have_the_pairs_of_their_rewrites():
    answers = pd.DataFrame({"target": ["t"], "question_id": "q", "sentence": 0, "prompt": "direct"})
    plan = pd.DataFrame({"task": ["a"], "text": ["Lima."]})
    rewrites = pd.DataFrame({"task": ["a"], "text": ["Perhaps Lima."]})
    found = pairs(answers.assign(text="Lima."), plan, rewrites)
    assert found.to_numpy().tolist() == [["Lima.", "Perhaps Lima."]]
