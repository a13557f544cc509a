"""The openai engine and what servers do: faults, refused fields, copies, odd ends, waits, keys and bills."""

import time
from email.utils import formatdate
from itertools import pairwise

import pytest

from ralc.llm import complete, request_for
from ralc.llm.engines import EngineError, build
from ralc.llm.engines import openai as engine_module
from ralc.llm.server_capabilities import Capabilities, Trial
from tests.cases import cases
from tests.hostile import FAULTS, KEY, TOKEN, Handler, choice, entry, good, run

pytestmark = pytest.mark.usefixtures("short_waits")


@pytest.fixture
def case(monkeypatch):
    """Let the server answer prompts that begin with ``case`` by a function of its handler and the request."""

    def answered_by(reply):
        monkeypatch.setattr(Handler, "case", reply, raising=False)

    return answered_by


def of(server, owner):
    """The server, as one of another kind."""
    server.owner = owner
    return server


# ---- faults


def test_every_fault_is_outlived(server, tmp_path, capsys):
    texts = [f"{fault}*2 #{i}" for fault in FAULTS for i in range(2)]
    answers = run(server, texts, tmp_path)
    assert [a.text for a in answers] == [f"{text} {i}" for text in texts for i in range(3)]
    assert all(a.valid and a.prompt_tokens == 10 and a.completion_tokens > 0 for a in answers)
    assert len(FAULTS) >= 29
    passes = ("too_many", "unordered", "vast*", "drips", "many_headers")
    assert all(server.seen[text] >= 2 for text in texts if not text.startswith(passes))
    said = capsys.readouterr()
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert KEY not in said.out + said.err
    assert KEY.encode() not in stored


@pytest.mark.parametrize("owner", ["vllm", "llamacpp"])
def test_the_samples_do_not_depend_on_what_went_wrong(server, tmp_path, case, owner):
    """vLLM and llama.cpp draw sample i with seed + i."""

    def by_seed(handler, body):
        given = [choice(str(body["seed"] + i), i) for i in range(body["n"])]
        lost = server.seen["case*99"]
        kept = {1: given[:1], 2: given[-2:], 3: []}.get(lost, given)
        handler.reply(200, good(body, choices=kept) if kept else {"error": "overloaded"})

    case(by_seed)
    of(server, owner)
    run(server, ["case*99"], tmp_path, n=2)  # a first run wanted fewer
    assert [a.text for a in run(server, ["case*99"], tmp_path, n=7)] == list("0123456")


@cases
def test_a_request_that_is_refused_for_good_is_an_error_of_its_row(server, tmp_path, fault, reason, error):
    texts = [f"{fault}*99 a", "fine b"]
    for allowed in (0.5, 0.0):  # from the journal, it is no failure of the run
        answers = run(server, texts, tmp_path, n=1, allowed=allowed)
        assert [a.finish_reason for a in answers] == [reason, "stop"]
        assert error in answers[0].error
    assert set(server.seen.values()) == {1}


@pytest.mark.parametrize("owner", ["somebody", "vllm"])
def test_a_reply_without_logprobs_is_a_bad_one_of_a_server_that_gives_them(
    server, tmp_path, case, capsys, owner
):
    def told(handler, body):
        said = {} if server.seen["case*9 b"] == 1 else {"logprobs": {"content": [TOKEN]}}
        handler.reply(200, good(body, choices=[choice("yes", **said)]))

    case(told)
    model = entry(of(server, owner), concurrency=1)
    texts = [f"case*9 {x}" for x in "abc"]
    answers = run(server, texts, tmp_path, model=model, logprobs=True, n=1)
    assert [a.token_logprobs for a in answers] == [(-0.5,)] * 3
    assert [server.seen[text] for text in texts] == [1, 2, 1]
    assert "unavailable" not in capsys.readouterr().err


# ---- the server is not there, gone, or refuses all


def test_a_dead_address_is_named_with_its_model(monkeypatch):
    monkeypatch.setattr(engine_module, "RETRIES", 1)
    with pytest.raises(EngineError, match=r"no server at http://127\.0\.0\.1:9/v1 \(qwen3\): .*refused"):
        build({"engine": "openai", "model": "qwen3", "base_url": "http://127.0.0.1:9/v1"})


def test_a_server_that_is_gone_ends_the_run(server, tmp_path):
    texts = ["fine", *(f"broken*99 {i}" for i in range(100))]
    with pytest.raises(EngineError, match=r"gives no answers: 500: internal.*run again"):
        run(server, texts, tmp_path, allowed=1.0, model=entry(server, concurrency=8))
    assert engine_module.SILENT <= len(server.seen) < 50


# ---- Retry-After


@pytest.mark.parametrize(
    ("status", "told", "least"),
    [
        (429, lambda: ("Retry-After", "0.4"), 0.35),
        (503, lambda: ("Retry-After", formatdate(time.time() + 2, usegmt=True)), 0.9),
        (429, lambda: ("retry-after-ms", "400"), 0.35),
    ],
    ids=["seconds", "date", "milliseconds"],
)
def test_retry_after_is_honoured(server, tmp_path, case, status, told, least):
    case(lambda handler, body: handler.reply(status, {"error": "later"}, [told()]))
    run(server, ["case*1"], tmp_path, n=1, model=entry(server, concurrency=1))
    times = {prompt: [t for said, t in server.times if said == prompt] for prompt in server.seen}
    assert all(later - sooner >= least for sooner, later in pairwise(times["case*1"]))


# ---- one sample once


@cases
def test_copies_are_no_samples_and_equal_words_alone_no_copies(
    server, tmp_path, case, words, ident, headers, kept
):
    """The server takes neither n nor a seed, and may answer equal requests from a cache."""
    count = 0

    def reply(handler, body):
        nonlocal count
        if refused := "seed" if "seed" in body else "n" if body.get("n", 1) > 1 else None:
            told = {"error": {"message": f"Unknown parameter: '{refused}'.", "param": refused}}
            return handler.reply(400, told)
        count += 1
        given = good(body, choices=[choice(words[count % len(words)])], id=ident or f"x-{count}")
        return handler.reply(200, given, headers if count > 1 else ())

    case(reply)
    answers = run(server, ["case*99"], tmp_path, n=4, allowed=1.0, model=entry(server, concurrency=1))
    assert [answer.text for answer in answers] == kept
    assert all("copies" in answer.error for answer in answers if not answer.text)


# ---- a reply with text is a reply


@cases
def test_a_reply_with_text_is_a_reply(server, tmp_path, case, content, reason, text, kept, raw):
    case(lambda handler, body: handler.reply(200, good(body, choices=[choice(content, 0, reason)])))
    (answer,) = run(server, ["case*99"], tmp_path, n=1)
    assert answer.text == text
    assert answer.finish_reason == kept
    assert answer.raw == raw
    assert answer.error is None
    assert run(server, ["case*99"], tmp_path, n=1) == [answer]  # from the journal
    assert server.seen["case*99"] == 1


# ---- refused fields


BOTH = "`temperature` and `top_p` cannot both be specified for this model. Please use only one."


@cases
def test_a_field_that_is_refused_is_left_out_and_said_once(
    server, tmp_path, case, capsys, field, status, message, fields
):
    def has(body):
        pair = {"temperature", "top_p"} <= set(body) if message == BOTH else True
        return pair and (body.get("n", 1) > 1 if field == "n" else field in body)

    def reply(handler, body):
        said = {"detail" if isinstance(message, list) else "error": message}
        handler.reply(status, said) if has(body) else handler.reply(200, good(body))

    case(reply)
    model = entry(server, concurrency=1)
    answers = run(server, ["case*99 a", "case*99 b"], tmp_path, model=model, **{"n": 2} | fields)
    assert all(answer.error is None for answer in answers)
    assert sum(map(has, server.bodies)) == 1
    assert capsys.readouterr().err.count(f"({model['model']}): it ") == 1
    if field == "max_tokens":
        assert all(body["max_completion_tokens"] == 64 for body in server.bodies[1:])


def test_what_the_distribution_depends_on_is_not_left_out(server, tmp_path):
    server.refuse = lambda body: BOTH if {"temperature", "top_p"} <= set(body) else None
    with pytest.raises(EngineError, match="cannot both be specified"):
        run(server, ["fine"], tmp_path, top_p=0.9, temperature=0.7)


@pytest.mark.parametrize("n", [None, "x", [], 1])
def test_an_odd_number_of_answers_is_outlived(n):
    known = Capabilities("upstream (m)")
    assert not Trial(known, {"model": "m", "n": n, "messages": []}, ["n"]).answered()
    assert "n" not in known.takes


def test_a_client_s_own_fields_are_its_own(capsys):
    """As `ralc serve` has it: what a client sent is neither left out nor learnt from."""
    known = Capabilities("upstream (m)")
    body = {"seed": 5, "logprobs": True, "top_logprobs": 20}
    trial = Trial(known, body, keep={"seed"})
    assert not trial.refused(400, "Unknown parameter: 'seed'", final=False)
    assert trial.refused(400, "top_logprobs must be at most 5")
    assert trial.fields == {"seed": 5, "logprobs": True, "top_logprobs": 5}
    assert trial.refused(403, "logprobs are forbidden")
    assert trial.fields == {"seed": 5}
    assert not Trial(known, body).refused(429, "too many requests with 'seed'")
    for refusal in ("temperature must be below 1", "the content is not allowed: n words"):
        assert not Trial(known, {"temperature": 2, "n": 3}).refused(400, refusal, final=False)
    assert len(capsys.readouterr().err.splitlines()) == 2


# ---- what kinds of servers are sent


@cases
def test_constraints_are_sent_in_the_servers_terms(server, tmp_path, owner, constraint, sent):
    run(of(server, owner), ["fine"], tmp_path, constraint=constraint, n=1)
    body = server.bodies[0]
    assert sent.items() <= body.items()
    local = {"top_k", "min_p", "grammar", "structured_outputs", "chat_template_kwargs"}
    assert (owner == "somebody") == (not local & set(body))


# ---- keys and bills


def test_no_part_of_the_key_is_in_an_error(server, tmp_path, capsys):
    answers = run(server, ["text_with_key*99 a", "key_at_the_cut*99 b"], tmp_path, allowed=1.0)
    assert all("***" in a.error and KEY[:8] not in a.error for a in answers)
    with pytest.raises(EngineError, match=r"401: Incorrect API key provided: \*\*\*"):
        run(server, ["unauthorised*99 a"], tmp_path)
    assert server.seen["unauthorised*99 a"] == 1
    assert KEY[:8] not in capsys.readouterr().err


def test_what_the_journals_of_all_stages_hold_counts_as_sent(server, tmp_path):
    model = entry(server, concurrency=1, max_requests=7)
    for stage, count, wanted in (("sample", 3, 3), ("grade", 10, 4)):
        journal = tmp_path / "journal" / stage / "m.jsonl"
        engine = build(model, journal)
        requests = [
            request_for(model, [{"role": "user", "content": f"{stage} {i}"}], n=3) for i in range(count)
        ]
        try:
            complete(requests, engine, journal)
        except EngineError:
            assert stage == "grade"
        engine.close()
        assert sum(stage in body["messages"][-1]["content"] for body in server.bodies) == wanted


def test_samples_that_were_paid_are_kept_when_the_budget_ends_in_their_midst(server, tmp_path):
    """A server that gives one answer a call: the budget is spent with the eighth of ten."""
    server.refuse = lambda body: "Unknown field 'n'" if "n" in body else None
    model = entry(server, max_requests=8, concurrency=1)
    with pytest.raises(EngineError, match="max_requests = 8;"):
        run(server, ["fine"], tmp_path, model=model, n=10)
    answers = run(server, ["fine"], tmp_path, n=10)
    assert [a.text for a in answers] == [f"fine {i}" for i in range(10)]
    assert [b["seed"] for b in server.bodies if "n" not in b] == [*range(8), 8, 9]
