"""The openai engine and what servers know: what one lacks is found once and worked around, what it has is used."""

import pytest

from ralc.llm import complete
from ralc.llm.engines import build
from ralc.llm.engines.dialects import Dialect
from ralc.llm.errors import EngineError
from ralc.llm.models import ModelConfig
from ralc.llm.requests import Request
from tests.hostile import Hostile, entry, prompts, run

pytestmark = pytest.mark.usefixtures("short_waits")


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


def test_a_server_that_lists_no_alternatives_keeps_its_log_probabilities():
    told = {"content": [{"token": "Lima", "logprob": -0.2}]}
    choice = {"index": 0, "finish_reason": "stop", "message": {"content": "Lima"}, "logprobs": told}
    dialect = Dialect(ModelConfig(engine="openai", model="m", base_url="http://x"), "other")
    request = Request("m", ({"role": "user", "content": "q"},), logprobs=True, alternatives=5)
    sent, part = dialect.body(request)
    (answer,) = dialect.answers({"choices": [choice]}, part)
    assert (sent["top_logprobs"], answer.token_logprobs, answer.alternatives) == (5, (-0.2,), None)
    assert not dialect.lacks


@pytest.mark.parametrize(
    ("field", "refusal"),
    [
        ("n", "n must be 1"),
        ("n", "n > 1 is not supported"),
        ("n", "Only one completion choice is allowed"),
        ("n", "Multiple candidates is not enabled for this model"),
        ("logprobs", "Unknown parameter: logprobs."),
        ("seed", "seed: Extra inputs are not permitted"),
    ],
)
def test_a_refusal_without_marks_around_the_field_is_understood(server, tmp_path, field, refusal):
    server.refuse = lambda body: refusal if field in body else None
    answers = run(
        server, ["fine a", "fine b"], tmp_path, n=2, logprobs=True, model=entry(server, concurrency=1)
    )
    assert [answer.error for answer in answers] == [None] * 4
    assert sum(field in body for body in server.bodies) == 1


@pytest.mark.parametrize("refusal", ["temperature must be below 1", "the content is not allowed: n words"])
def test_a_refusal_of_something_else_teaches_nothing(server, tmp_path, refusal):
    server.refuse = lambda body: refusal if "bad" in body["messages"][-1]["content"] else None
    run(server, ["fine a", "bad b", "fine c"], tmp_path, allowed=1.0, model=entry(server, concurrency=1))
    assert all(body["n"] == 3 for body in server.bodies)


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


def test_where_the_engine_seeds_no_request_has_a_seed(server, tmp_path):
    run(server, ["fine a"], tmp_path, model=entry(server, seeding="engine"))
    assert ["seed" in body for body in server.bodies] == [False]
