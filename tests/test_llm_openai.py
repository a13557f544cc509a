"""The openai engine against a hostile server: every good answer kept, every bad one retried or counted."""

import gzip
import json
import socket
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise

import pytest

from ralc.llm import complete, request_for
from ralc.llm.budget import Budget, BudgetReachedError
from ralc.llm.engines import EngineError, build
from ralc.llm.engines import openai as engine_module
from ralc.llm.models import ModelConfig

KEY = "sk-very-secret-4711"
TOKEN = {"token": "yes", "logprob": -0.5}


def choice(text, index=0, reason="stop", **fields):
    return {
        "index": index,
        "finish_reason": reason,
        "message": {"role": "assistant", "content": text},
        **fields,
    }


def good(body, **changes):
    """A right reply: answer i says the prompt and its seed."""
    said = [f"{body['messages'][-1]['content']} {body.get('seed', 0) + i}" for i in range(body.get("n", 1))]
    choices = [choice(text, i) for i, text in enumerate(said)]
    usage = {"prompt_tokens": 10, "completion_tokens": 4 * len(said)}
    return {"choices": choices, "usage": usage} | changes


class Hostile(ThreadingHTTPServer):
    """Misbehaves as the prompt says (``fault`` or ``fault*times``), then answers rightly."""

    daemon_threads = True

    def __init__(self, owner="somebody"):
        super().__init__(("127.0.0.1", 0), Handler)
        self.owner, self.seen, self.bodies, self.times = owner, Counter(), [], []
        self.refuse = lambda body: None
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def handle_error(self, request, client_address):
        pass  # the client hung up, as it should

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def reply(self, status, content, headers=(), length=None):
        content = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(length or len(content)))
        self.end_headers()
        self.wfile.write(content)
        self.wfile.flush()

    def do_GET(self):
        self.reply(200, {"data": [{"id": "m", "owned_by": self.server.owner}]})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = body["messages"][-1]["content"]
        self.server.bodies.append(body)
        self.server.times.append((prompt, time.monotonic()))
        self.server.seen[prompt] += 1
        if refusal := self.server.refuse(body):
            return self.reply(400, {"error": {"message": refusal}})
        fault, _, times = prompt.split()[0].partition("*")
        if self.server.seen[prompt] <= int(times or 1) and hasattr(self, fault):
            return getattr(self, fault)(body)
        return self.reply(200, good(body))

    def busy(self, body):
        self.reply(429, {"error": {"message": "slow down"}})

    def busy_told(self, body):
        self.reply(429, {"error": "slow down"}, [("Retry-After", "0.3")])

    def busy_dated(self, body):
        self.reply(503, b"", [("Retry-After", "Wed, 21 Oct 2015 07:28:00 GMT")])

    def broken(self, body):
        self.reply(500, {"detail": "internal"})

    def html(self, body):
        self.reply(502, b"<html><body>Bad gateway</body></html>")

    def html_fine(self, body):
        self.reply(200, b"<html><body>Welcome</body></html>", [("Content-Type", "text/html")])

    def hangs(self, body):
        time.sleep(1.5)
        self.reply(200, good(body))

    def drips(self, body):
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        for _ in range(30):
            self.wfile.write(b" ")
            self.wfile.flush()
            time.sleep(0.05)

    def closes(self, body):
        self.reply(200, json.dumps(good(body)).encode()[:40], length=400)
        self.connection.shutdown(socket.SHUT_RDWR)

    def closes_at_once(self, body):
        self.connection.shutdown(socket.SHUT_RDWR)

    def no_json(self, body):
        self.reply(200, json.dumps(good(body)).encode()[:-5])

    def deep_json(self, body):
        self.reply(200, b"[" * 200_000)

    def other_json(self, body):
        self.reply(200, [1, 2])

    def cut_utf8(self, body):
        self.reply(200, json.dumps(good(body, note="é"), ensure_ascii=False).encode()[:-3])

    def no_choices(self, body):
        self.reply(200, good(body, choices=[]))

    def null_choices(self, body):
        self.reply(200, good(body, choices=None))

    def odd_choices(self, body):
        odd = [
            5,
            {},
            {"message": None},
            choice(None),
            choice(7),
            choice("x", "0"),
            choice("x", -1),
            choice("x", 0, "magic"),
        ]
        self.reply(200, good(body, choices=odd))

    def too_few(self, body):
        self.reply(200, good(body, choices=good(body)["choices"][:1]))

    def too_many(self, body):
        self.reply(200, good(body, choices=[*good(body)["choices"], choice("one too many", body["n"])]))

    def unordered(self, body):
        self.reply(200, good(body, choices=good(body)["choices"][::-1]))

    def repeated(self, body):
        self.reply(200, good(body, choices=[good(body)["choices"][0]] * body["n"]))

    def vast(self, body):
        self.reply(200, b" " * 10_000_000 + json.dumps(good(body)).encode())

    def vast_nonsense(self, body):
        self.reply(200, b"x" * 10_000_000)

    def error_inside(self, body):
        self.reply(200, {"error": {"message": "overloaded"}})

    def text_with_key(self, body):
        self.reply(200, f"who is {KEY}?".encode())

    def key_at_the_cut(self, body):
        self.reply(500, b"x" * 295 + KEY.encode() + b"y" * 300)

    def told_far_away(self, body):
        self.reply(429, b"", [("Retry-After", "Mon, 01 Jan 2026 00:00:00 +99999999999999999")])

    def packed_twice(self, body):
        content = gzip.compress(gzip.compress(json.dumps(good(body)).encode()))
        self.reply(200, content, [("Content-Encoding", "gzip, gzip")])

    def many_headers(self, body):
        self.reply(200, good(body), [("X-More", "x" * 50_000)] * 4)

    def slow_headers(self, body):
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for _ in range(30):
            self.wfile.write(b"X-More: x\r\n")
            self.wfile.flush()
            time.sleep(0.05)

    def parts(self, body):
        self.reply(200, good(body, choices=[choice([{"type": "text", "text": "x"}])]))

    def surrogates(self, body):
        text = '{"choices": [{"index": 0, "finish_reason": "stop", "message": {"content": "half \\ud800 pair"}}]}'
        self.reply(200, text.encode())

    def unauthorised(self, body):
        self.reply(401, {"error": {"message": f"Incorrect API key provided: {KEY}."}})

    def filtered(self, body):
        self.reply(200, good(body, choices=[choice("", i, "content_filter") for i in range(body["n"])]))

    def too_long(self, body):
        self.reply(
            400, {"error": {"message": "maximum context length is 4096 tokens, you requested 5031 tokens"}}
        )


FAULTS = [
    name
    for name in vars(Handler)
    if not name.startswith(("_", "do_"))
    and name
    not in ("reply", "log_message", "protocol_version", "unauthorised", "filtered", "too_long", "surrogates")
]


@pytest.fixture
def server():
    server = Hostile()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def short_waits(monkeypatch):
    monkeypatch.setattr(engine_module, "FIRST_WAIT_S", 0.01)
    monkeypatch.setattr(engine_module, "LONGEST_WAIT_S", 0.02)
    monkeypatch.setenv("RALC_TEST_KEY", KEY)


def entry(server, **fields):
    common = {"engine": "openai", "model": "m", "base_url": server.address, "api_key_env": "RALC_TEST_KEY"}
    return common | {"timeout_s": 0.7, "concurrency": 6} | fields


def prompts(server, texts, **fields):
    return [
        request_for(entry(server), [{"role": "user", "content": text}], **{"n": 3, **fields})
        for text in texts
    ]


def run(server, texts, tmp_path, *, allowed=0.0, model=None, **fields):
    engine = build(model or entry(server))
    try:
        requests = prompts(server, texts, **fields)
        return complete(requests, engine, tmp_path / "j.jsonl", failures_allowed=allowed)
    finally:
        engine.close()


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


def test_what_never_works_is_counted_and_costs_no_good_answer(server, tmp_path):
    texts = ["broken*99 a", "fine b", "hangs*99 c", "fine d", "no_choices*99 e"]
    with pytest.raises(EngineError, match=r"3 of 5 requests got no answer after every retry"):
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
    assert [(b["n"], b["seed"]) for b in server.bodies] == [(3, 0), (2, 1), (1, 2)]


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
    answers = run(server, ["too_long*99 a", "filtered*99 b", "fine c"], tmp_path, n=1)
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


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("logprobs", "token_probability signal is unavailable"),
        ("n", "one answer a call"),
        ("seed", "takes no seed"),
        ("top_p", "takes no top_p"),
        ("response_format", "cannot constrain its output"),
        ("max_tokens", "max_completion_tokens is sent"),
    ],
)
def test_what_a_server_lacks_is_found_once_said_once_and_worked_around(server, tmp_path, capsys, field, said):
    server.refuse = lambda body: (
        f"Unsupported parameter: '{field}' is not supported." if field in body else None
    )
    json_constraint = {"json": {"type": ["string", "object"]}}
    engine = build(entry(server, concurrency=1))
    requests = prompts(server, ['"x"', '"y"'], logprobs=True, constraint=json_constraint, n=2)
    answers = complete(requests, engine, tmp_path / "j.jsonl")
    engine.close()
    assert len(answers) == 4
    assert all(a.error is None for a in answers)
    refused = [body for body in server.bodies if field in body]
    assert len(refused) == 1
    assert capsys.readouterr().err.count(said) == 1
    if field == "max_tokens":
        assert all(body["max_completion_tokens"] in (64, 128) for body in server.bodies[1:])


def test_a_cut_that_a_server_does_not_take_is_not_left_out(server, tmp_path):
    server.refuse = lambda body: (
        "`temperature` and `top_p` cannot both be specified" if "top_p" in body else None
    )
    with pytest.raises(EngineError, match="cannot both be specified"):
        run(server, ["fine"], tmp_path, top_p=0.9)
    assert len(run(server, ["fine"], tmp_path, top_p=1)) == 3


def test_a_cloud_is_not_sent_what_only_local_servers_know(server, tmp_path):
    run(server, ["fine"], tmp_path, constraint={"choice": ["a"]})
    body = server.bodies[0]
    assert not {"top_k", "min_p", "grammar", "structured_outputs", "chat_template_kwargs"} & set(body)
    with pytest.raises(EngineError, match="takes no grammars"):
        run(server, ["fine 2"], tmp_path, constraint={"grammar": 'root ::= "a"'})


@pytest.mark.parametrize(
    ("owner", "constraint", "sent"),
    [
        ("vllm", {"choice": ["a", "b"]}, {"structured_outputs": {"choice": ["a", "b"]}}),
        ("vllm", {"regex": "[0-9]"}, {"structured_outputs": {"regex": "[0-9]"}}),
        ("llamacpp", {"choice": ["a", "b"]}, {"grammar": 'root ::= "a" | "b"'}),
        ("llamacpp", {"regex": "[0-9]"}, {"grammar": "root ::= [0-9]"}),
    ],
)
def test_constraints_are_sent_in_the_servers_terms(tmp_path, owner, constraint, sent):
    server = Hostile(owner)
    run(server, ["fine"], tmp_path, constraint=constraint, n=1)
    assert sent.items() <= server.bodies[0].items()
    assert server.bodies[0]["top_k"] == 0
    assert server.bodies[0]["chat_template_kwargs"] == {"enable_thinking": False}
    server.shutdown()
    server.server_close()


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
    assert [b["seed"] for b in server.bodies if "n" not in b] == [*range(7), 7, 8, 9]


def test_a_cost_that_is_not_told_cannot_be_kept(server, tmp_path, monkeypatch):
    monkeypatch.setattr(
        Handler, "fine", lambda self, body: self.reply(200, good(body, usage=None)), raising=False
    )
    model = entry(server, max_cost=5, price={"completion": 1.0})
    with pytest.raises(EngineError, match="does not count tokens, so max_cost cannot be kept"):
        run(server, ["fine"], tmp_path, model=model)


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
    with pytest.raises(ValueError, match="user name or password"):
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
