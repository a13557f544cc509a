"""The openai engine against a hostile server: every good answer kept, every bad one retried or counted."""

import socket
from itertools import pairwise

import pytest

from ralc.llm import complete, request_for
from ralc.llm.engines import build
from ralc.llm.engines import openai as engine_module
from ralc.llm.errors import EngineError
from ralc.llm.models import ModelConfig
from tests.hostile import FAULTS, KEY, TOKEN, Handler, Hostile, choice, entry, good, run

pytestmark = pytest.mark.usefixtures("short_waits")


def test_every_fault_is_outlived(server, tmp_path, capsys):
    texts = [f"{fault}*2 #{i}" for fault in FAULTS for i in range(2)]
    answers = run(server, texts, tmp_path)
    assert [a.text for a in answers] == [f"{text} {i}" for text in texts for i in range(3)]
    assert all(a.valid and a.prompt_tokens == 10 and a.completion_tokens > 0 for a in answers)
    assert len(FAULTS) >= 29
    assert all(
        server.seen[text] >= 2 for text in texts if not text.startswith(("too_many", "unordered", "vast*"))
    )
    said = capsys.readouterr()
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert KEY not in said.out + said.err
    assert KEY.encode() not in stored


def test_no_part_of_the_key_is_in_an_error(server, tmp_path, capsys):
    answers = run(server, ["text_with_key*99 a", "key_at_the_cut*99 b"], tmp_path, allowed=1.0)
    assert all("***" in a.error and KEY[:8] not in a.error for a in answers)
    assert KEY[:8] not in capsys.readouterr().err


@pytest.mark.long
def test_what_never_works_is_counted_and_costs_no_good_answer(server, tmp_path):
    texts = ["broken*99 a", "fine b", "hangs*99 c", "fine d", "no_choices*99 e"]
    with pytest.raises(EngineError, match=r"3 of 5 requests got no answer, 9 of 15 answers are missing"):
        run(server, texts, tmp_path)
    answers = run(server, texts, tmp_path, allowed=0.6)
    assert [a.text for a in answers if a.error is None] == [f"fine {x} {i}" for x in "bd" for i in range(3)]
    errors = {a.key: a.error for a in answers if a.error}
    assert len(errors) == 3
    assert "500: internal" in errors.values()
    assert server.seen["fine b"] == 1
    assert server.seen["broken*99 a"] == 2 * engine_module.TRIES


def test_good_samples_of_a_bad_reply_are_kept(server, tmp_path):
    answers = run(server, ["too_few*99 a"], tmp_path)
    assert [a.text for a in answers] == [f"too_few*99 a {i}" for i in range(3)]
    # As a whole once more, and then what never comes that way by itself.
    assert [(b["n"], b["seed"]) for b in server.bodies] == [(3, 0), (3, 0), (2, 1), (1, 2)]


@pytest.mark.parametrize("owner", ["somebody", "vllm", "llamacpp"])
def test_the_samples_do_not_depend_on_what_went_wrong(tmp_path, monkeypatch, owner):
    """vLLM and llama.cpp draw sample i with seed + i; others are taken to draw it by (seed, i) in their own way."""

    def by_seed(self, body):
        drawn = [f"{body['seed']},{i}" if owner == "somebody" else body["seed"] + i for i in range(body["n"])]
        given = [choice(str(text), i) for i, text in enumerate(drawn)]
        lost = self.server.seen["by_seed*99 a"] if self.server.disturbed else 0
        kept = {1: given[:1], 2: given[-2:], 3: []}.get(lost, given)
        self.reply(200, good(body, choices=kept) if kept else {"error": "overloaded"})

    monkeypatch.setattr(Handler, "by_seed", by_seed, raising=False)
    said = {}
    for disturbed in (False, True):
        server = Hostile(owner)
        server.disturbed = disturbed
        folder = tmp_path / str(disturbed)
        folder.mkdir()
        run(server, ["by_seed*99 a"], folder, n=2)  # a first run wanted fewer
        said[disturbed] = [a.text for a in run(server, ["by_seed*99 a"], folder, n=7)]
        server.shutdown()
        server.server_close()
    assert said[True] == said[False]
    assert len(set(said[True])) == 7


def test_a_dead_address_is_named_at_once_with_its_model(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(engine_module, "TRIES", 2)
    engine = build({"engine": "openai", "model": "qwen3", "base_url": "http://127.0.0.1:9/v1"})
    request = request_for(engine.entry, [{"role": "user", "content": "x"}])
    with pytest.raises(
        EngineError, match=r"no server at http://127\.0\.0\.1:9/v1 \(model qwen3\): ConnectError"
    ):
        complete([request], engine, tmp_path / "j.jsonl")
    engine.close()
    assert "http://127.0.0.1:9/v1 (qwen3): ConnectError" in capsys.readouterr().err


def test_a_wrong_key_is_found_by_the_list_of_models(server, tmp_path, monkeypatch):
    monkeypatch.setattr(Handler, "do_GET", lambda self: self.reply(401, {"error": f"bad key {KEY}"}))
    with pytest.raises(EngineError, match=r"refuses: 401: bad key \*\*\*"):
        run(server, ["fine"], tmp_path)
    assert not server.bodies


def test_progress_counts_answers_and_names_what_failed(server, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("ralc.io.console.EVERY_S", 0.0)
    model = entry(server, concurrency=1)
    run(server, ["fine a", "broken*99 b", "fine c", "broken*99 d"], tmp_path, allowed=1.0, model=model)
    last = [line for line in capsys.readouterr().err.splitlines() if "answered (" in line][-1]
    assert "2/4 answered (50 %), 2 failed (last: 500: internal)" in last


def test_retry_after_is_honoured(server, tmp_path):
    run(server, ["busy_told*2 a", "busy*2 b"], tmp_path)
    times = {name: [t for prompt, t in server.times if prompt == name] for name in server.seen}
    told, untold = (times[name] for name in ("busy_told*2 a", "busy*2 b"))
    assert all(later - sooner >= 0.3 for sooner, later in pairwise(told))
    assert untold[2] - untold[0] < 0.3


def test_a_wrong_key_ends_the_run_and_is_not_repeated_to_anyone(server, tmp_path, capsys):
    with pytest.raises(EngineError, match=r"401: Incorrect API key provided: \*\*\*") as caught:
        run(server, ["unauthorised*99 a", "fine b"], tmp_path)
    assert KEY not in str(caught.value) + capsys.readouterr().err
    assert server.seen["unauthorised*99 a"] == 1


def test_a_missing_key_is_named_before_anything_is_sent(server, monkeypatch):
    monkeypatch.setenv("RALC_TEST_KEY", " ")
    with pytest.raises(EngineError, match="environment variable RALC_TEST_KEY is empty"):
        build(entry(server))


@pytest.mark.parametrize("key", ["sk-secret\n4711", "sk-secret 4711", "sk-secret\u20194711"])
def test_what_cannot_be_a_key_is_not_sent_and_not_shown(server, monkeypatch, key):
    monkeypatch.setenv("RALC_TEST_KEY", key)
    with pytest.raises(EngineError, match="RALC_TEST_KEY holds is no key") as caught:
        build(entry(server))
    assert "secret" not in str(caught.value)


def test_a_server_that_is_gone_ends_the_run(server, tmp_path, monkeypatch):
    monkeypatch.setattr(engine_module, "GONE_AFTER_S", -0.6)  # a tenth of a second, with the time-out
    texts = ["fine", *(f"broken*99 {i}" for i in range(100))]
    with pytest.raises(EngineError, match=r"has answered nothing for .*500: internal.*run again"):
        run(server, texts, tmp_path, allowed=1.0, model=entry(server, concurrency=2))
    assert 2 <= len(server.seen) < 50


def test_a_server_that_is_still_starting_is_waited_for_and_known(tmp_path, monkeypatch):
    server, early = Hostile("vllm"), [500, 503]
    ready = Handler.do_GET
    monkeypatch.setattr(
        Handler, "do_GET", lambda self: self.reply(early.pop(), b"") if early else ready(self)
    )
    run(server, ["fine"], tmp_path, constraint={"choice": ["a"]}, n=1)
    assert server.bodies[0]["structured_outputs"] == {"choice": ["a"]}
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    "models", [b"[" * 200_000, b'{"data": 5}', b'{"data": [5]}', b"\xff", b" " * 10_000_000]
)
def test_any_list_of_models_is_outlived(server, tmp_path, monkeypatch, models):
    monkeypatch.setattr(Handler, "do_GET", lambda self: self.reply(200, models))
    assert len(run(server, ["fine"], tmp_path)) == 3


def test_an_over_long_prompt_and_a_filtered_one_are_errors_of_their_rows(server, tmp_path):
    answers = run(server, ["too_long*99 a", "filtered*99 b", "fine c"], tmp_path, n=1, allowed=0.7)
    assert [a.finish_reason for a in answers] == ["error", "error", "stop"]
    assert "5031" in answers[0].error
    run(server, ["too_long*99 a", "filtered*99 b", "fine c"], tmp_path, n=1)
    assert set(server.seen.values()) == {1}  # errors for good are not asked again


def test_broken_characters_are_replaced(server, tmp_path):
    (answer,) = run(server, ["surrogates a"], tmp_path, n=1)
    assert answer.text == "half \ufffd pair"


def test_a_server_that_refuses_everything_ends_the_run(server, tmp_path):
    server.refuse = lambda body: "model 'm' has no temperature"
    with pytest.raises(EngineError, match=r"refuses every request: 400: model 'm' has no temperature"):
        run(server, [f"fine {i}" for i in range(30)], tmp_path)
    assert sum(server.seen.values()) < 30


def test_reasoning_has_room_beside_the_answer(server, tmp_path):
    model = entry(server, thinking="strip", reasoning_tokens=500)
    run(server, ["fine"], tmp_path, model=model, n=1, max_tokens=8)
    assert server.bodies[0]["max_tokens"] == 508
    with pytest.raises(
        ValueError, match="reasoning_tokens = 0: the room for reasoning that thinking: strip needs"
    ):
        ModelConfig.model_validate(entry(server, thinking="strip"))


def test_concurrency_is_limited(server, tmp_path):
    run(
        server,
        [f"hangs #{i}" for i in range(4)],
        tmp_path,
        model=entry(server, concurrency=2, timeout_s=5),
        n=1,
    )
    starts = sorted(t for _, t in server.times)
    assert starts[2] - starts[0] > 1


def test_a_reply_without_logprobs_is_a_bad_one_of_a_server_that_gives_them(
    server, tmp_path, monkeypatch, capsys
):
    def told(self, body):
        said = {} if self.server.seen["told*9 b"] == 1 else {"logprobs": {"content": [TOKEN]}}
        self.reply(200, good(body, choices=[choice("yes", **said)]))

    monkeypatch.setattr(Handler, "told", told, raising=False)
    model, texts = entry(server, concurrency=1), [f"told*9 {x}" for x in "abc"]
    answers = run(server, texts, tmp_path, model=model, logprobs=True, n=1)
    assert [a.token_logprobs for a in answers] == [(-0.5,)] * 3
    assert [server.seen[text] for text in texts] == [1, 2, 1]
    assert "unavailable" not in capsys.readouterr().err


def test_budgets_and_addresses_that_cannot_be_kept_are_refused(server):
    with pytest.raises(ValueError, match="max_cost needs price"):
        ModelConfig.model_validate(entry(server, max_cost=5))
    with pytest.raises(ValueError, match="no user name, password or query"):
        ModelConfig.model_validate(entry(server, base_url="https://me:word@example.org/v1"))


def test_an_unreachable_server_fails_clearly(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    engine = build({"engine": "openai", "model": "m", "base_url": address})
    request = request_for(engine.entry, [{"role": "user", "content": "x"}])
    with pytest.raises(EngineError, match="ConnectError"):
        complete([request], engine, tmp_path / "j.jsonl")
    engine.close()
