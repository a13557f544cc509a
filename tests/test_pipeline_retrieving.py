"""Hedges that are retrieved for answers, and the tasks of rewriting that come of them."""

import pandas as pd
import pytest

from ralc.conditions import UNIT
from ralc.pipeline import rewrite_plan
from tests.synthetic import questions

ASKED = pd.DataFrame({"question_id": ["q1", "q2", "a", "b"], "question": "Which?"})
LEXICON = pd.DataFrame(
    {
        "expression": ["certainly", "doubtfully", "perhaps", "probably"],
        "source": "paper",
        "frame": "adverb",
        "alpha": [9.0, 1.0, 5.0, 7.0],
        "beta": [1.0, 9.0, 5.0, 3.0],
        "n": 9,
        "flags": ["", "", "", "audit"],
    }
)


class TestRetrieval:
    calibrated = pd.DataFrame(
        {
            "protocol": "ralc",
            "variant": "default",
            "question_id": ["q3", "q4"],
            "sentence": 0,
            "dataset": "d",
            "train": ["d", "e"],
            "signal": "semantic_uncertainty",
            "alpha": [8.0, 2.0],
            "beta": [2.0, 8.0],
        }
    )
    grades = pd.DataFrame(
        {
            "question_id": [f"q{i}" for i in range(10)],
            "sentence": 0,
            "prompt": "direct",
            "grade": "CORRECT",
            "outcome": pd.array([1, 0, 0] + [1] * 7),
        }
    )

    def retrieved(self, k: int = 2) -> pd.DataFrame:
        return rewrite_plan.retrieve(
            questions(),
            self.calibrated,
            self.grades,
            LEXICON,
            methods=["ralc", "direct_beta", "constant_hedge"],
            variants={"default": {"k": k, "shortlist": 3, "size": None}},
        )

    def test_variants_are_those_of_ralc_with_the_own_map(self):
        how = {"k": 2, "shortlist": 3, "size": None}
        variants = {
            "default": how,
            "hedges=1": how | {"k": 1},
            "lexicon=2": how | {"size": 2},
            "loop=open": how,
            "lexicon=people": how | {"size": "people", "k": 1},
            "lexicon=unscreened": how | {"size": "unscreened", "k": 4, "shortlist": 4},
        }
        other = self.calibrated.assign(protocol="paper")
        table = rewrite_plan.retrieve(
            questions(),
            pd.concat([self.calibrated, self.calibrated.assign(variant="map=identity"), other]),
            self.grades,
            LEXICON,
            methods=["ralc", "direct_beta", "constant_hedge"],
            variants=variants,
        )
        pd.testing.assert_frame_equal(
            table[table.variant == "default"].reset_index(drop=True), self.retrieved()
        )
        rest = table[table.variant != "default"].set_index("variant")
        assert set(rest["method"]) == {"ralc"}
        assert rest.question_id.to_dict() == dict.fromkeys([*variants][1:], "q3")
        # Thinned to the lowest and the highest of the three that are not flagged; the nearest that people were asked.
        found = [
            ["certainly"],
            ["certainly", "doubtfully"],
            ["certainly", "perhaps"],
            ["there is a very good chance"],
            ["certainly", "perhaps", "doubtfully"],
        ]
        assert rest.hedges.tolist() == found

    def test_an_unscreened_lexicon_has_what_only_evaluators_apart_would_leave_out(self):
        def nearest(flags: str, size: str | None = "unscreened") -> list[str]:
            how = {"k": 1, "shortlist": 4, "size": size}
            lexicon = LEXICON.assign(alpha=[9.0, 1.0, 5.0, 8.0], beta=[1.0, 9.0, 5.0, 2.0])
            lexicon["flags"] = ["", "", "", flags]
            table = rewrite_plan.retrieve(
                questions(),
                self.calibrated,
                self.grades,
                lexicon,
                methods=["ralc"],
                variants={"lexicon=unscreened": how},
            )
            return table.hedges.iloc[0]

        assert nearest("evaluators") == ["probably"]
        assert (
            nearest("evaluators", size=None)
            == nearest("evaluators;wording")
            == nearest("wording")
            == ["certainly"]
        )

    def test_hedges_are_the_nearest_and_never_flagged(self):
        table = self.retrieved().query("method == 'ralc'").set_index("question_id")
        assert table.loc["q3", "hedges"] == ["certainly", "perhaps"]
        assert table.loc["q4", "hedges"] == ["doubtfully", "perhaps"]

    def test_direct_beta_is_in_domain_and_has_no_hedges(self):
        table = self.retrieved().query("method == 'direct_beta'")
        assert table.question_id.tolist() == ["q3"]
        assert table.hedges.tolist() == [[]]

    def test_the_constant_hedge_is_nearest_to_the_train_accuracy(self):
        table = self.retrieved().query("method == 'constant_hedge'")
        assert table.question_id.tolist() == [f"q{i}" for i in range(3, 10)]
        assert {tuple(hedges) for hedges in table.hedges} == {
            ("perhaps",)
        }  # train accuracy 1/3: 0.5 before 0.1

    def test_a_sampled_distance_finds_the_same_when_entries_lie_apart(self):
        table = rewrite_plan.retrieve(
            questions(),
            self.calibrated,
            self.grades,
            LEXICON,
            methods=["ralc"],
            variants={"default": {"k": 1, "shortlist": 3, "size": None}},
            samples=300,
        )
        assert table.hedges.tolist() == [["certainly"], ["doubtfully"]]

    def test_a_small_lexicon_gives_what_it_has(self):
        assert len(self.retrieved(k=9).hedges.iloc[0]) == 3


def test_equal_tasks_are_planned_once():
    answers = pd.DataFrame(
        {
            "target": "m",
            "sentence": 0,
            "question_id": ["q1", "q2"],
            "prompt": "direct",
            "text": ["Paris", "Paris"],
            "whole": None,
        }
    )
    retrieved = pd.DataFrame(
        {
            "target": "m",
            "question_id": ["q1", "q2", "q1", "q2"],
            "sentence": 0,
            "train": "d",
            "signal": "semantic_uncertainty",
            "method": ["ralc", "ralc", "direct_beta", "direct_beta"],
            "variant": "default",
            "alpha": [8.0, 6.0, 8.0, 8.001],
            "beta": 2.0,
            "hedges": [["certainly", "perhaps"], ["certainly", "perhaps"], [], []],
        }
    )
    plan = rewrite_plan.plan(ASKED, answers, retrieved, LEXICON)
    tasks = rewrite_plan.tasks(plan)
    assert len(plan) == 4
    assert tasks.method.tolist() == ["ralc", "direct_beta"]
    assert tasks.alpha.tolist() == [7.0, pytest.approx(8.0005)]
    assert tasks.frames.tolist()[0] == ["adverb", "adverb"]
    other = rewrite_plan.plan(ASKED, answers.assign(text=["Paris", "Rome"]), retrieved, LEXICON)
    assert other.task.nunique() == 4
    opened = pd.concat([retrieved, retrieved.iloc[:1].assign(variant="loop=open")], ignore_index=True)
    plan = rewrite_plan.plan(ASKED, answers, opened, LEXICON)
    assert plan.loop.tolist() == ["closed"] * 4 + ["open"]
    assert plan.task.nunique() == 3  # the open loop is a task of its own, although the hedges are equal
    asked = retrieved.iloc[:1].assign(variant="lexicon=people", hedges=[["it is likely"]])
    (row,) = rewrite_plan.plan(ASKED, answers, asked, LEXICON).itertuples()
    assert (row.loop, row.frames) == ("open", ["clause"])
    assert row.hedge_alpha[0] / (row.hedge_alpha[0] + row.hedge_beta[0]) == pytest.approx(
        0.726
    )  # CAPphrase's


@pytest.mark.parametrize(
    ("abstentions", "unhedged"),
    [("claims", ["it abstains", ""]), ("passed", ["it abstains"] * 2), ("hedged", ["", ""])],
)
def test_what_the_background_lacks_is_a_claim_and_hedged(abstentions, unhedged):
    """Passed as they were, 33 flat abstentions, of which 10 were right, were read 0.92."""
    answers = pd.DataFrame({"target": "m", "sentence": 0, "question_id": ["a", "b"], "prompt": "direct"})
    answers["whole"] = None
    answers["text"] = ["I don't know.", "The background does not say who built it."]
    retrieved = answers[["target", *UNIT]].assign(
        train="d", signal="none", method="ralc", variant="default", alpha=3.0, beta=7.0
    )
    retrieved["hedges"] = [["perhaps"]] * 2
    assert (
        rewrite_plan.plan(ASKED, answers, retrieved, LEXICON, abstentions=abstentions).passes.tolist()
        == unhedged
    )
