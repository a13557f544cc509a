"""What only vLLM's offline engine does: seeds, and models that reason before they answer."""

import importlib.util
import json
import os
import sys
from types import SimpleNamespace

import pytest

from ralc.llm import request_for
from ralc.llm.engines import EngineError, ModelConfig, build
from ralc.llm.engines.vllm import Offline


def test_a_model_that_cannot_help_reasoning_is_refused_before_it_is_asked():
    tokenizer = SimpleNamespace(chat_template="<|start|>assistant<|channel|>final", all_special_ids=[])
    sizes = SimpleNamespace(max_model_len=100, max_logprobs=20)
    llm = SimpleNamespace(get_tokenizer=lambda: tokenizer, model_config=sizes)
    entry = {"engine": "vllm", "model": "m"}
    with pytest.raises(EngineError, match="set thinking: strip and reasoning_tokens"):
        Offline(ModelConfig.model_validate(entry), llm)


@pytest.fixture
def told(monkeypatch) -> list[dict]:
    """What a made-up vLLM is told when it is started, and then with each request."""
    found: list[dict] = []

    def chat(messages, parameters, **_) -> list[SimpleNamespace]:
        if "long" in [turns[0]["content"] for turns in messages]:  # vLLM's own error is no ValueError
            raise type("VLLMValidationError", (Exception,), {})("it is too long")
        return [_output() for _ in parameters]

    def keeps(**arguments) -> SimpleNamespace:
        found.append(arguments)
        return SimpleNamespace(
            get_tokenizer=lambda: SimpleNamespace(chat_template="", all_special_ids=[]),
            model_config=SimpleNamespace(max_model_len=1000, max_logprobs=20),
            chat=chat,
        )

    parts = {
        "vllm": {"LLM": keeps, "SamplingParams": keeps},
        "vllm.sampling_params": {"StructuredOutputsParams": keeps},
    }
    for name, values in parts.items():
        monkeypatch.setitem(sys.modules, name, SimpleNamespace(**values))
    return found


def _output() -> SimpleNamespace:
    said = {"text": "Lima", "finish_reason": "stop", "token_ids": [1, 2], "logprobs": None}
    return SimpleNamespace(prompt_token_ids=[1], outputs=[SimpleNamespace(**said)])


def test_each_request_has_its_seed_and_one_that_is_refused_fails_alone(told):
    entry = {"engine": "vllm", "model": "m"}
    turns = [[{"role": "user", "content": text}] for text in ("one", "two", "long", "three")]
    requests = [request_for(entry, turn, max_tokens=5).with_content_seed(7) for turn in turns]
    answers = [found for _, (found,) in sorted(build(entry).answer(requests))]
    assert [one.text or one.error for one in answers] == ["Lima", "Lima", "vllm: it is too long", "Lima"]
    assert {arguments.get("seed") for arguments in told} == {None, *(request.seed for request in requests)}


@pytest.mark.model
def test_reasoning_has_room_of_its_own_and_is_stripped_and_counted():
    if importlib.util.find_spec("vllm") is None or "RALC_TEST_MODEL" not in os.environ:
        pytest.skip("make test-vllm runs this in an environment of its own")
    entry = {"engine": "vllm", "model": os.environ["RALC_TEST_MODEL"], "context": 1024}
    entry |= {"engine_args": json.loads(os.environ.get("RALC_TEST_ENGINE_ARGS", "{}"))}
    entry |= {"thinking": "strip", "reasoning_tokens": 60, "dtype": os.environ.get("RALC_TEST_DTYPE", "auto")}
    engine = build(entry)
    reasons = request_for(
        entry,
        [{"role": "user", "content": "What is the capital of France?"}],
        max_tokens=4,
        constraint={"regex": "<think>[a-z ]{20,60}</think>Paris"},
    )
    ((_, (answer,)),) = engine.answer([reasons])
    engine.close()
    assert answer.text == "Paris"
    assert answer.finish_reason == "stop"
    assert answer.token_logprobs is None
    assert 4 < answer.reasoning_tokens < answer.completion_tokens <= 64
