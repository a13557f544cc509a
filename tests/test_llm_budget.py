"""What the calls of a model may spend: counted over runs and processes, kept through kills, never passed silently."""

import json
import threading

import pytest

from ralc.llm.budget import Budget, BudgetReachedError
from ralc.llm.errors import EngineError
from ralc.llm.models import ModelConfig
from tests.hostile import Handler, entry, good, run


def test_the_request_budget_holds_over_runs(server, tmp_path):
    model = entry(server, max_requests=7, ledger=str(tmp_path / "spent.json"), concurrency=2)
    for _ in range(2):
        with pytest.raises(BudgetReachedError, match=r"max_requests = 7, 7 spent"):
            run(server, [f"fine {i}" for i in range(10)], tmp_path, model=model)
    assert len(server.bodies) == 7
    answers = run(server, [f"fine {i}" for i in range(7)], tmp_path)
    assert len(answers) == 21
    assert len(server.bodies) == 7  # all seven answers were kept


def test_without_a_ledger_the_budget_is_that_of_the_process(server, tmp_path):
    model = entry(server, max_requests=3, concurrency=1)
    for journalled in (3, 6):
        with pytest.raises(BudgetReachedError, match="max_requests = 3, 3 spent; the journal"):
            run(server, [f"fine {i}" for i in range(10)], tmp_path, model=model)
        assert len(server.bodies) == journalled


def test_the_cost_budget_counts_tokens(server, tmp_path):
    price = {"prompt": 1000.0, "completion": 10_000.0}  # per million: 0.13 a request here
    model = entry(server, max_cost=0.5, price=price, ledger=str(tmp_path / "l" / "spent.json"), concurrency=1)
    with pytest.raises(BudgetReachedError, match=r"max_cost = 0\.5"):
        run(server, [f"fine {i}" for i in range(10)], tmp_path, model=model)
    assert len(server.bodies) == 4
    assert json.loads((tmp_path / "l" / "spent.json").read_text()) == {
        "requests": 4,
        "cost": pytest.approx(0.52),
    }


def test_a_ledger_is_whole_whenever_the_process_ends(tmp_path):
    model = {"engine": "openai", "model": "m", "base_url": "http://x", "ledger": str(tmp_path / "spent.json")}
    budget, seen = Budget(ModelConfig.model_validate(model)), []
    budget.take_request()
    taking = threading.Thread(target=lambda: [budget.take_request() for _ in range(2000)])
    taking.start()
    while taking.is_alive():
        seen.append(json.loads((tmp_path / "spent.json").read_bytes())["requests"])
    taking.join()
    assert seen == sorted(seen)
    assert seen[0] >= 1


@pytest.mark.parametrize("content", ["{", "[1]", "5"])
def test_a_ledger_that_cannot_be_read_is_left_as_it_is(tmp_path, content):
    (tmp_path / "spent.json").write_text(content)
    model = {"engine": "openai", "model": "m", "base_url": "http://x", "ledger": str(tmp_path / "spent.json")}
    with pytest.raises(EngineError, match="is not readable"):
        Budget(ModelConfig.model_validate(model)).take_request()
    assert (tmp_path / "spent.json").read_text() == content


def test_samples_that_were_paid_are_kept_when_the_budget_ends_in_their_midst(server, tmp_path):
    """A server that gives one answer a call: the budget is spent with the seventh of ten."""
    server.refuse = lambda body: "Unknown field 'n'" if "n" in body else None
    model = entry(server, max_requests=8, concurrency=1)
    with pytest.raises(BudgetReachedError, match="max_requests = 8, 8 spent"):
        run(server, ["fine"], tmp_path, model=model, n=10)
    answers = run(server, ["fine"], tmp_path, n=10)
    assert [a.text for a in answers] == [f"fine {i}" for i in range(10)]
    assert [b["seed"] for b in server.bodies if "n" not in b] == [*range(7), 0, 7, 8, 9]  # 0: it lacks `n`


def test_a_cost_that_is_not_told_cannot_be_kept(server, tmp_path, monkeypatch):
    monkeypatch.setattr(
        Handler, "fine", lambda self, body: self.reply(200, good(body, usage=None)), raising=False
    )
    model = entry(server, max_cost=5, price={"completion": 1.0})
    with pytest.raises(EngineError, match="does not count tokens, so max_cost cannot be kept"):
        run(server, ["fine"], tmp_path, model=model)
