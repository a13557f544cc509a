"""What is done with an answer: answer, hedge, abstain or escalate."""

import contextlib

import numpy as np
import pytest

from ralc import Beta, WordCalibrator
from ralc.calibrator import Policy
from ralc.cli import tables
from tests.cases import cases
from tests.commands import run
from tests.test_cli import fitted, folder  # noqa: F401  (fixtures)


@cases
def test_an_answer_goes_out_where_it_costs_less_than_to_ask(wrong, ask, bounds):
    policy = Policy.of(wrong=wrong, ask=ask)
    assert bounds[0] <= policy.hedge_from <= bounds[1]
    assert policy.answer_from == pytest.approx(bounds[2])
    below = policy.hedge_from - 0.01
    between = (policy.hedge_from + policy.answer_from) / 2
    expected = {policy.answer_from: "answer"} | ({below: "escalate", between: "hedge"} if bounds[2] else {})
    assert {target: policy.action(target) for target in expected} == expected


def test_the_dearer_an_error_the_fewer_answers_go_out():
    policies = [Policy.of(wrong=wrong, ask=1) for wrong in np.geomspace(1, 1e6, 60)]
    for name in ("hedge_from", "answer_from"):
        bounds = [getattr(policy, name) for policy in policies]
        assert (np.diff(bounds) >= -1e-9).all()
    assert all(policy.hedge_from <= policy.answer_from < 1 for policy in policies)


@pytest.mark.parametrize(
    "costs", [{"wrong": 0, "ask": 1}, {"wrong": 5, "ask": -1}, {"wrong": float("nan"), "ask": 1}]
)
def test_what_is_no_cost_is_refused(costs):
    with pytest.raises(ValueError, match="is no cost above 0"):
        WordCalibrator().policy(**costs)


def test_of_several_claims_the_least_sure_decides():
    policy = Policy.of(wrong=5, ask=1, abstain="Ask us.")
    assert policy.action(Beta([9, 2], [1, 8])) == "abstain"
    assert policy.action(Beta([90, 85], [10, 15])) == "answer"


def test_error_rates_are_those_of_held_out_answers():
    target = [0.9] * 10 + [0.7] * 10 + [0.2] * 20
    correct = [1] * 8 + [0] * 2 + [1] * 6 + [0] * 4 + [1] * 5 + [0] * 15
    rates = Policy.of(wrong=5, ask=1).test(target, correct).set_index("rate")
    assert rates["value"].to_dict() == pytest.approx({"wrong_sent": 6 / 21, "right_held_back": 5 / 19})
    assert (rates["n"] == [21, 19]).all()
    assert (rates["ci_low"] < rates["value"]).all()
    assert (rates["value"] < rates["ci_high"]).all()
    assert Policy.of(wrong=5, ask=1).test([0.1], [1]).set_index("rate").loc["wrong_sent"].isna()["value"]


def drawn(rng, n, told=lambda p: p):
    """What a map says of answers, and whether they are right; it may say it wrongly."""
    p = rng.beta(2.5, 1.5, n)
    return told(p), (rng.random(n) < p).astype(int)


@pytest.mark.parametrize("told", [lambda p: p, np.sqrt], ids=["calibrated", "overconfident"])
def test_a_guaranteed_share_is_kept(told):
    pytest.importorskip("mapie")
    rng = np.random.default_rng(0)
    kept = []
    target, correct = drawn(rng, 200_000, told)
    for _ in range(40):
        with contextlib.suppress(ValueError):  # there need not be a bound
            policy = Policy.of(wrong=5, ask=1).guaranteed(*drawn(rng, 1000, told), 0.2)
            assert policy.hedge_from <= policy.answer_from
            kept.append(1 - correct[target >= policy.hedge_from].mean() <= 0.2)
    assert len(kept) >= 30
    assert np.mean(kept) >= 0.9


def test_a_guarantee_takes_held_out_answers_and_says_where_there_is_none():
    pytest.importorskip("mapie")
    rng = np.random.default_rng(1)
    calibrator = WordCalibrator().fit(*drawn(rng, 500))
    costs = {"wrong": 5, "ask": 1, "guarantee": 0.2}
    held_out = drawn(rng, 2000, np.sqrt)
    least = calibrator.policy(**costs, held_out=held_out).hedge_from
    assert least > calibrator.policy(wrong=5, ask=1).hedge_from
    score, correct = drawn(rng, 40)
    with pytest.raises(ValueError, match="40 answers guarantee it at no bound; grade more"):
        calibrator.policy(**costs, held_out=(score, correct))
    with pytest.raises(ValueError, match="it takes held_out"):
        calibrator.policy(**costs)
    with pytest.raises(ValueError, match="each outcome be 0 or 1"):
        calibrator.policy(**costs, held_out=(score, correct / 2))


def test_a_file_gets_actions(capsys, folder):  # noqa: F811
    rows = [{"answer": "It is Lima.", "confidence": c} for c in (0.99, 0.02, "")]
    tables.save(
        [*rows, {"answer": "Hello!", "confidence": 0.02}, {"answer": "I don't know.", "confidence": 0.9}],
        "a.csv",
    )
    command = "rewrite a.csv --calibrator scores.json --out out.csv"
    run(capsys, f"{command} --wrong 5 --ask 1 --abstain", "Ask us.")
    made = [(row.cells["action"], row.cells["text"]) for row in tables.load("out.csv").rows]
    assert [action for action, _ in made] == ["answer", "abstain", "", "answer", "abstain"]
    assert [text for _, text in made][1:] == ["Ask us.", "It is Lima.", "Hello!", "I don't know."]
    run(capsys, f"{command} --wrong 5 --ask 1")
    assert tables.load("out.csv").rows[1].cells["action"] == "escalate"
    assert "--wrong and --ask go together" in run(capsys, f"{command} --wrong 5")[2]


def test_a_guarantee_of_the_command_is_that_of_python(capsys, folder):  # noqa: F811
    pytest.importorskip("mapie")
    score, correct = drawn(np.random.default_rng(1), 2000, np.sqrt)
    rows = [{"confidence": float(p), "correct": int(y)} for p, y in zip(score, correct, strict=True)]
    tables.save(rows, "graded.csv")
    held_out = (score, correct)
    costs = "--wrong 5 --ask 1"
    policy = WordCalibrator.load("scores.json").policy(wrong=5, ask=1, guarantee=0.3, held_out=held_out)
    tables.save([{"answer": "It is Lima.", "confidence": p} for p in np.linspace(0.05, 0.95, 19)], "a.csv")
    command = "rewrite a.csv --calibrator scores.json --out out.csv"
    run(capsys, f"{command} {costs} --guarantee 0.3 --held-out graded.csv")
    made = [row.cells for row in tables.load("out.csv").rows]
    assert [one["action"] for one in made] == [policy.action(float(one["target"])) for one in made]
    assert len({one["action"] for one in made}) > 1
    for options in (f"{costs} --guarantee 0.3", "--guarantee 0.3 --held-out graded.csv"):
        assert "--guarantee and --held-out go together" in run(capsys, f"{command} {options}")[2]
    serve = "serve --calibrator a=scores.json --calibrator b=scores.json --upstream http://a/v1"
    several = run(capsys, f"{serve} {costs} --guarantee 0.3 --held-out graded.csv")
    assert "--guarantee is of one calibrator" in several[2]
