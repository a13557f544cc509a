"""`ralc.integrations` with the real packages; models are a local server's, or the package's own fake one.

A package that is not in this environment is skipped: ``pip install`` that of an extra of `pyproject.toml` beside it.
"""

import asyncio
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib import import_module
from types import SimpleNamespace

import pytest

from ralc import WordCalibrator
from ralc.integrations import AnswerCalibrator
from tests import upstreams
from tests.cases import cases

os.environ |= {"LITELLM_LOCAL_MODEL_COST_MAP": "True"}  # else it asks the network for prices
QUESTION = "What is the capital of Peru?"
OWN = "It is Cusco."
MOST = "It is Lima."
SAMPLES = ["It is Lima."] * 7 + ["It is Quito."] * 3
FAILED = upstreams.refused("no", 403)


@pytest.fixture(scope="module")
def calibrators(tmp_path_factory):
    """Files of calibrators by what they were fitted on."""
    folder = tmp_path_factory.mktemp("calibrators")
    apart = ["Quito.", "It is Bogotá.", "La Paz", "Lima", "Cusco", "Oslo", "Bonn", "Rome", "Paris", "Bern"]
    samples = [["It is Lima."] * 10, ["It is Lima."] * 6 + ["Cusco."] * 4, apart] * 30
    correct = [1, 1, 0, 1, 0, 0] * 15
    answers = ["It is certainly Lima.", "It is probably Quito."] * 40
    fitted = {
        "samples": WordCalibrator().fit_samples(samples, correct, temperature=0.7),
        "own": WordCalibrator().fit_samples(samples, correct, answers=[one[0] for one in samples]),
        "words": WordCalibrator().fit_texts(answers, [1, 0, 0, 1] * 20),
        "score": WordCalibrator().fit([0.2, 0.9] * 40, [0, 1, 1, 1] * 20),
    }
    for name, calibrator in fitted.items():
        calibrator.save(folder / f"{name}.json")
    return {name: str(folder / f"{name}.json") for name in [*fitted, "missing"]}


def module(name):
    """A module of an integration, where its package is installed."""
    pytest.importorskip(name, reason=f"{name} is not installed: pip install 'pyralc[{name}]'")
    return import_module(f"ralc.integrations.{name}")


@cases
def test_a_calibrator_that_does_not_fit_is_refused_at_the_start(calibrators, name, samples, error):
    with pytest.raises((ValueError, OSError), match=error):
        AnswerCalibrator(calibrators[name], samples)


@cases
def test_what_is_said_in_place_of_an_answer(calibrators, name, answer, samples, wanted, text, reason):
    answers = AnswerCalibrator(calibrators[name])
    assert answers.wanted(answer, QUESTION) == wanted
    said, ralc = answers.reply(answer, samples, QUESTION)
    assert text in said
    assert ralc["reason"].startswith(reason)
    assert json.loads(json.dumps(ralc)) == ralc
    assert ralc["calibrated"] == (reason == "")
    assert (said != answer) == (reason == "")


def answered(message):
    return message.content, message.response_metadata.get("ralc", {})


def agent(calibrator, *texts, tools=()):
    """An agent of LangChain's own fake model, which says these texts, and what the model was asked with."""
    made = module("langchain")
    from langchain.agents import create_agent
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage

    asked = []

    class Model(GenericFakeChatModel):
        def bind_tools(self, tools, **settings):
            return self.bind(**settings)

        def _generate(self, messages, stop=None, run_manager=None, **settings):
            asked.append(settings)
            return super()._generate(messages, stop=stop, run_manager=run_manager, **settings)

    messages = (text if isinstance(text, AIMessage) else AIMessage(text) for text in texts)
    middleware = [made.CalibrationMiddleware(calibrator)]
    return create_agent(Model(messages=messages), tools=tools, middleware=middleware), asked


ASKED = {"messages": [("user", QUESTION)]}


@pytest.mark.parametrize("how", ["invoke", "ainvoke"])
def test_an_agent_of_langchain_answers_in_words(calibrators, how):
    made, asked = agent(calibrators["samples"], OWN, *SAMPLES)
    state = made.invoke(ASKED) if how == "invoke" else asyncio.run(made.ainvoke(ASKED))
    text, ralc = answered(state["messages"][-1])
    assert "Lima" in text
    assert ralc["changed"]
    assert asked == [{}] + [{"temperature": 0.7}] * 10


@pytest.mark.parametrize("how", ["invoke", "ainvoke"])
def test_an_agent_whose_samples_fail_answers_as_it_is(calibrators, how):
    made, _ = agent(calibrators["samples"], OWN, *SAMPLES[:3])  # the model has no more to say
    state = made.invoke(ASKED) if how == "invoke" else asyncio.run(made.ainvoke(ASKED))
    text, ralc = answered(state["messages"][-1])
    assert text == OWN
    assert "not on 3 answers" in ralc["reason"]


def test_an_agent_calls_tools_as_it_is_inside_a_graph_that_is_kept(calibrators):
    module("langchain")
    from langchain_core.messages import AIMessage
    from langchain_core.tools import tool
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.graph import START, MessagesState, StateGraph

    @tool
    def capital(country: str) -> str:
        """The capital of a country."""
        return "Lima"

    call = {"name": "capital", "args": {"country": "Peru"}, "id": "1"}
    texts = [AIMessage("Let me see.", tool_calls=[call]), OWN, *SAMPLES]
    made, asked = agent(calibrators["samples"], *texts, tools=[capital])
    graph = StateGraph(MessagesState).add_node("agent", made).add_edge(START, "agent")
    graph = graph.compile(checkpointer=InMemorySaver())
    thread = {"configurable": {"thread_id": "1"}}
    graph.invoke(ASKED, thread)
    _, called, _, said = graph.get_state(thread).values["messages"]
    assert answered(called) == ("Let me see.", {})
    assert answered(said)[1]["changed"]
    assert len(asked) == 12


def test_an_agent_streams_its_words_alone(calibrators):
    made, _ = agent(calibrators["samples"], OWN, *SAMPLES)
    streamed = [message for message, _ in made.stream(ASKED, stream_mode="messages")]
    assert ["Lima" in one.text for one in streamed] == [True]
    assert streamed[0].response_metadata["ralc"]["changed"]


@pytest.mark.parametrize("how", ["call", "acall"])
@pytest.mark.parametrize("fails", [False, True])
def test_a_program_of_dspy_answers_in_words(calibrators, how, fails, tmp_path, monkeypatch):
    monkeypatch.setenv("DSPY_CACHEDIR", str(tmp_path))
    made = module("dspy")
    import dspy

    def habit(up, body, number):
        text = SAMPLES[number % 10] if body["temperature"] else OWN
        reply = upstreams.answer(number, f"[[ ## answer ## ]]\n{text}\n\n[[ ## completed ## ]]")
        return FAILED if fails and body["temperature"] else (200, reply, {})

    program = made.CalibratedWords(dspy.Predict("question -> answer"), calibrators["samples"])
    with upstreams.upstream(habit) as (address, up):
        lm = dspy.LM("openai/m", api_base=address, api_key="k", temperature=0, cache=False, num_retries=0)
        with dspy.context(lm=lm, trace=[]):
            told = (
                program(question=QUESTION) if how == "call" else asyncio.run(program.acall(question=QUESTION))
            )
            (trace,) = dspy.settings.trace  # what an optimizer learns from has no samples and no hedges
        assert trace[-1].answer == OWN
        first, *others = [body["temperature"] for body in up.asked]
        assert first == 0
        assert len(others) >= 10
        assert set(others) == {0.7}
    assert (told.confidence is None) == fails
    assert ("Lima" in told.answer) == (not fails)
    assert (told.answer == OWN) == fails
    assert [name for name, _ in program.named_predictors()] == ["program"]


@cases
def test_litellm_s_guardrail(calibrators, name, mode, more, calls, text, reason):
    made = module("litellm")
    import litellm

    def habit(up, body, number):
        if body.get("stream"):
            return 200, upstreams.events(number, OWN), {"Content-Type": "text/event-stream"}
        if body.get("temperature") != 0 and mode.endswith("fails"):
            return FAILED
        texts = [OWN] if body.get("temperature") == 0 else SAMPLES[: body.get("n", 1)]
        if mode == "anthropic":
            content = [{"type": "text", "text": texts[0]}]
            usage = {"input_tokens": 9, "output_tokens": 8}
            reply = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "m"}
            return 200, reply | {"content": content, "stop_reason": "end_turn", "usage": usage}, {}
        choices = [
            upstreams.answer(0, one)["choices"][0] | {"index": place} for place, one in enumerate(texts)
        ]
        return 200, upstreams.answer(number, "", choices=choices), {}

    guardrail = made.CalibrationGuardrail(
        calibrator=calibrators[name],
        own_answer=name == "own",
        guardrail_name="words",
        event_hook="post_call",
        default_on=True,
    )
    data = {"model": "openai/m", "messages": [{"role": "user", "content": QUESTION}], "temperature": 0}
    user = SimpleNamespace(api_key="k")

    async def reply(data):
        response = await litellm.acompletion(**data, num_retries=0)
        if not more.get("stream"):
            response = await guardrail.async_post_call_success_hook(data, user, response)
            return response.choices[0].message.content, response.ralc
        hook = guardrail.async_post_call_streaming_iterator_hook(user, response, data)
        chunks = [chunk async for chunk in hook]
        said = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
        assert any(getattr(chunk, "usage", None) for chunk in chunks)
        return said, next((chunk.ralc for chunk in chunks if hasattr(chunk, "ralc")), {})

    with upstreams.upstream(habit) as (address, up):
        up.mode = mode
        base = address.removesuffix("/v1") if mode == "anthropic" else address
        said, ralc = asyncio.run(reply(data | more | {"api_base": base, "api_key": "k"}))
        assert calls is None or len(up.asked) == calls
    assert text in said
    assert ralc.get("reason", "").startswith(reason or "")
    assert (said != OWN) == (reason == "")


@pytest.mark.parametrize(
    ("name", "error"), [("missing", "guardrail words: .* no such file"), ("own", "serve it with that option")]
)
def test_litellm_s_proxy_does_not_start_without_its_guardrail(calibrators, name, error):
    made = module("litellm")
    with pytest.raises(RuntimeError, match=error):  # the proxy skips a guardrail that raises ValueError
        made.CalibrationGuardrail(calibrator=calibrators[name], guardrail_name="words")


def test_a_guardrail_of_a_deployment_does_not_run_on_its_samples(calibrators):
    made = module("litellm")
    import litellm

    guardrail = made.CalibrationGuardrail(
        calibrator=calibrators["samples"], guardrail_name="words", event_hook="post_call", default_on=True
    )
    litellm.callbacks, before = [guardrail], litellm.callbacks
    try:
        with upstreams.upstream("plain") as (address, up):
            asked = {"model": "openai/m", "messages": [{"role": "user", "content": QUESTION}]}
            response = asyncio.run(
                litellm.acompletion(**asked, api_base=address, api_key="k", guardrails=["words"])
            )
            assert len(up.asked) == 12
    finally:
        litellm.callbacks = before
    assert response.ralc["samples"] == 10


def test_langfuse_gets_a_score_of_the_current_observation():
    made = module("langfuse")
    from langfuse import Langfuse

    received = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received.append((self.path, body))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(b'{"successes": [], "errors": []}')

        def log_message(self, *arguments):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    client = Langfuse(public_key="pk", secret_key="sk", base_url=f"http://127.0.0.1:{server.server_port}")
    with client.start_as_current_observation(name="answer", as_type="generation") as observed:
        assert made.score({"target": [0.9, 0.25], "calibrated": True, "reason": ""}) == 0.25
        assert made.score({"target": 0.6}, observed.score_trace, name="trace") == 0.6
        assert made.score({"calibrated": False, "reason": "it offers tools"}) is None
    client.shutdown()
    server.shutdown()
    bodies = [json.loads(body) for path, body in received if path.endswith(("/scores", "/ingestion"))]
    listed = [one for body in bodies for one in (body if isinstance(body, list) else body["batch"])]
    scores = {one["name"]: one for one in (entry.get("body", entry) for entry in listed)}
    assert {name: one["value"] for name, one in scores.items()} == {"confidence": 0.25, "trace": 0.6}
    assert scores["confidence"]["observationId"] == observed.id
    assert scores["confidence"]["metadata"]["calibrated"]


def asked_of_mcp(calls, *arguments):
    """What a client gets that starts the server as its configuration says; and the names of its tools."""
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    async def ask():
        command = ["-m", "ralc.integrations.mcp", *arguments]
        async with Client(
            stdio_client(StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ)))
        ) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            return names, [await client.call_tool(name, given) for name, given in calls]

    return asyncio.run(ask())


def test_a_client_of_mcp_reads_rewrites_and_asks_for_confidence(calibrators):
    module("mcp")
    calls = [
        ("read", {"text": "I think it might be Lima."}),
        ("read", {"text": "Das ist nicht Lima, glaube ich."}),
        ("rewrite", {"text": MOST, "confidence": 0.3}),
        ("rewrite", {"text": MOST, "confidence": 30}),
        ("confidence", {"samples": SAMPLES, "question": QUESTION}),
        ("confidence", {"samples": SAMPLES[:3]}),
    ]
    names, (read, foreign, rewritten, wrong, confidence, few) = asked_of_mcp(calls, calibrators["samples"])
    assert names == ["read", "rewrite", "confidence"]
    assert 0.3 < read.structured_content["read"] < 0.5
    assert "English" in foreign.structured_content["reason"]
    assert abs(rewritten.structured_content["read"] - 0.3) < 0.05
    assert wrong.is_error
    assert "less than or equal to 1" in wrong.content[0].text
    assert "Lima" in confidence.structured_content["text"]
    assert 0 < confidence.structured_content["target"] < 1
    assert "not on 3 answers" in few.structured_content["reason"]
    assert asked_of_mcp([])[0] == ["read", "rewrite"]


def test_mcp_s_server_says_in_a_line_why_it_does_not_start(calibrators, capsys):
    module("mcp")
    import runpy

    for name, why in {"missing": "no such file", "score": "fitted on score"}.items():
        sys.argv, before = ["ralc", calibrators[name]], sys.argv
        try:
            with pytest.raises(SystemExit, match=f"^ralc: .*{why}"):
                runpy.run_module("ralc.integrations.mcp", run_name="__main__")
        finally:
            sys.argv = before
