"""A number for replies that get no words, what to do with a reply, and several calibrators."""

import json
import sys

import pytest

from ralc.calibrator import Policy
from ralc.cli.app import main
from tests.cases import cases
from tests.serving import QUESTION, Stub, ask, calibrator, served

JSON = [
    '{"days": 14, "plan": {"name": "basic", "prices": [9, 19]}}',
    '{"days":14,"plan":{"name":"pro"}}',
    '{"days": 21}',
]
TOOLS = {"tools": [{"type": "function", "function": {"name": "look_up"}}]}


@cases
def test_a_reply_without_words_has_a_number(change, answers, reason):
    stub = Stub(answers)
    with served(stub) as address:
        replies = [ask(address, change | more) for more in ({}, {"stream": True})]
        words = ask(address).json()["ralc"]
    (asked, _, _) = stub.asked
    assert asked["n"] == 3
    assert {name: asked.get(name) for name in change if name != "ralc"} == {
        name: value for name, value in change.items() if name != "ralc"
    }
    told = replies[0].json()["ralc"]
    assert told["calibrated"] is False
    assert told["reason"] == reason
    assert told["samples"] == 3
    assert told["target"] == words["target"]
    assert told["confidence"] == words["confidence"]
    assert replies[0].json()["choices"][0]["message"]["content"] == answers[0]
    assert replies[0].headers["x-ralc-confidence"] == f"{told['target']:g}"
    events = [json.loads(line[6:]) for line in replies[1].text.splitlines() if line.startswith("data: {")]
    assert "".join(event["choices"][0]["delta"].get("content") or "" for event in events) == answers[0]
    assert events[-1]["ralc"]["target"] == told["target"]


def test_of_json_each_field_has_the_agreement_of_the_samples():
    with served(Stub(JSON)) as address:
        told = ask(address, {"response_format": {"type": "json_object"}}).json()["ralc"]
    shares = {"days": 0.6667, "plan.name": 0.3333, "plan.prices.0": 0.3333, "plan.prices.1": 0.3333}
    assert told["fields"] == shares
    with served(Stub()) as address:
        assert "fields" not in ask(address, {"ralc": {"rewrite": False}}).json()["ralc"]


def test_words_that_stay_have_a_number_too():
    with served(Stub(["Das ist nicht Lima, glaube ich."])) as address:
        reply = ask(address)
    assert reply.json()["ralc"]["door"] == "no_prose"
    assert float(reply.headers["x-ralc-confidence"]) == reply.json()["ralc"]["target"]


def test_tools_cost_one_call_unless_the_client_asks_for_samples():
    stub = Stub()
    with served(stub) as address:
        assert ask(address, TOOLS).json()["ralc"]["reason"] == "it offers tools"
    assert stub.asked == [QUESTION | TOOLS]


@cases
def test_a_policy_says_what_to_do(answers, change, action, text):
    policy = Policy.of(wrong=5.0, ask=1.0, abstain="Ask us.")
    with served(Stub(answers), policy=policy) as address:
        reply = ask(address, change).json()
    assert reply["ralc"]["action"] == action, reply["ralc"]
    content = reply["choices"][0]["message"]["content"]
    assert content == text if text else "Lima" in content
    if text == "Ask us.":
        assert reply["ralc"]["original"] == "It is Lima."


def test_each_model_has_its_calibrator():
    stub = Stub()
    several = {"stub": calibrator(asked=3), "one": calibrator("linguistic_confidence")}
    with served(stub, several, samples=0) as address:
        told = [ask(address, {"model": model}).json()["ralc"] for model in ("stub", "one", "other")]
    assert [one.get("signal") for one in told] == ["semantic_uncertainty", "linguistic_confidence", None]
    assert told[2]["reason"] == "no calibrator is of this model"
    assert [body.get("n") for body in stub.asked] == [3, None, None]


def test_the_command_takes_calibrators_by_model(tmp_path, capsys, monkeypatch):
    import uvicorn

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(uvicorn, "run", lambda *_, **__: sys.exit(0))
    calibrator(asked=3).save("ab.json")
    calibrator("perplexity").save("p.json")
    command = ["serve", "--upstream", "http://127.0.0.1:1/v1", "--no-check", "--port", "18099"]
    for files, code, told in (
        (["ab.json", "m=p.json"], 0, "p.json promises nothing"),
        (["ab.json", "p.json"], 2, "--calibrator: two are of the same model"),
        (["m=nowhere.json"], 2, "nowhere.json"),
    ):
        with pytest.raises(SystemExit) as stopped:
            main([*command, *(part for file in files for part in ("--calibrator", file))])
        assert stopped.value.code == code
        assert told in capsys.readouterr().err
