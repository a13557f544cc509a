"""The signals of answers, and their calibration: which row meets which."""

import numpy as np
import pandas as pd
import pytest

from ralc import schemas
from ralc.pipeline import confidence, fitted_maps
from ralc.protocols import resolve
from ralc.registry import SIGNALS
from tests.synthetic import questions


class TestSignals:
    samples = pd.DataFrame(
        {
            "question_id": ["q0"] * 4 + ["q0"],
            "prompt": ["direct"] * 4 + ["hedged"],
            "sample": [0, 1, 2, 3, 0],
            "text": ["Oslo.", "Bergen.", "It is Bergen.", "Oslo", "Oslo."],
            "finish_reason": "stop",
            "token_logprobs": [[np.log(0.5)], [np.log(0.8)], [np.log(0.6)], None, [np.log(0.1)]],
            "token_ends": None,
        }
    )
    answers = pd.DataFrame(
        {
            "sentence": 0,
            "question_id": ["q0"],
            "prompt": ["direct"],
            "text": ["A"],
            "start": 0,
            "whole": None,
            "support": [2],
            "samples": [4],
            "members": [[1, 2]],
        }
    )
    readings = pd.DataFrame(
        {"item": "m/q0/direct", "evaluator": ["cue_model", "cue_model_b"], "alpha": [3.0, 9.0], "beta": 1.0}
    )

    questions = pd.DataFrame({"question_id": ["q0"], "question": ["What is the capital of Norway?"]})

    def compute(self, clusters: list[int], samples: pd.DataFrame | None = None) -> pd.DataFrame:
        table = pd.DataFrame({"question_id": "q0", "sample": range(4), "cluster": clusters})
        computed = confidence.compute(
            self.samples if samples is None else samples,
            table,
            self.answers,
            self.readings,
            self.questions,
            asked=pd.DataFrame(
                {"signal": "p_true", "question_id": ["q0"], "sentence": 0, "alpha": 15.0, "beta": 5.0}
            ),
            target="m",
            signals=list(SIGNALS),
            evaluator="cue_model",
            protocols={"paper": resolve("paper")},
        )
        return computed.set_index("signal")

    def test_each_signal_is_of_the_original_answer(self):
        computed = self.compute([0, 1, 1, 2])
        assert computed.loc["linguistic_confidence", ["alpha", "beta"]].tolist() == [3.0, 1.0]
        assert computed.loc["semantic_uncertainty", ["alpha", "beta"]].tolist() == [2.0, 2.0]
        token = computed.loc["token_probability"]
        assert token.alpha / (token.alpha + token.beta) == pytest.approx(0.7)
        assert computed.loc["p_true", ["alpha", "beta"]].tolist() == [15.0, 5.0]

    def test_ties_go_to_the_cluster_that_came_first(self):
        token = self.compute([0, 1, 0, 1]).loc["token_probability"]
        assert token.alpha / (token.alpha + token.beta) == pytest.approx(0.55)

    def test_a_cluster_without_log_probabilities_has_no_token_probability(self):
        computed = self.compute([0, 1, 2, 0]).loc["token_probability"]  # the fourth sample has none
        assert computed.alpha / (computed.alpha + computed.beta) == pytest.approx(0.5, abs=1e-5)
        bare = confidence.compute(
            self.samples.assign(token_logprobs=None),
            pd.DataFrame({"question_id": "q0", "sample": range(4), "cluster": 0}),
            self.answers,
            self.readings,
            self.questions,
            target="m",
            signals=["token_probability"],
            evaluator="cue_model",
            protocols={"ralc": resolve()},
        )
        assert bare.alpha.isna().all()


def test_each_sentence_has_the_probability_of_its_own_tokens():
    """By hand: exp of the mean of its tokens; of an answer whose tokens' places are not known, of all of them."""
    whole = "He sings. In Oslo."
    samples = pd.DataFrame({"question_id": ["q", "r"], "prompt": "direct", "sample": 0, "text": whole})
    samples["token_logprobs"] = [np.log([0.9, 0.4, 0.8, 0.2])] * 2
    samples["token_ends"] = [[2, 9, 12, 18], None]
    answers = pd.DataFrame({"question_id": ["q", "q", "r", "r"], "sentence": [0, 1] * 2, "prompt": "direct"})
    answers = answers.assign(
        start=[0, 10] * 2, text=["He sings.", "In Oslo."] * 2, whole=whole, members=[[0]] * 4
    )
    made = confidence.compute(
        samples.assign(finish_reason="stop"),
        pd.DataFrame({"question_id": ["q", "r"], "sample": 0, "cluster": 0}),
        answers,
        pd.DataFrame({"item": [], "evaluator": [], "alpha": [], "beta": []}),
        pd.DataFrame({"question_id": ["q", "r"], "question": ["Who?", "What?"]}),
        target="m",
        signals=["perplexity"],
        evaluator="cue_model",
        protocols={"ralc": resolve()},
    )
    schemas.check(made, "signals")
    mean = made["alpha"] / (made["alpha"] + made["beta"])
    geometric = [0.36**0.5, 0.16**0.5, 0.0576**0.25, 0.0576**0.25]
    assert mean.tolist() == pytest.approx(geometric)


def test_each_sentence_has_its_own_support_in_the_other_answers():
    texts = ["Ann lives in Oslo. She is 40.", "Ann Lee lives in Oslo.", "Ann is 40, and lives in Oslo."]
    samples = pd.DataFrame({"question_id": "q", "prompt": "direct", "sample": range(3), "text": texts})
    answers = pd.DataFrame({"question_id": "q", "sentence": [0, 1], "prompt": "direct", "members": [[0]] * 2})
    signals = ["support", "support_where_spoken_of", "answer_support"]
    made = confidence.compute(
        samples.assign(finish_reason="stop", token_logprobs=None, token_ends=None),
        pd.DataFrame({"question_id": "q", "sample": range(3), "cluster": range(3)}),
        answers.assign(text=["Ann lives in Oslo.", "She is 40."]),
        pd.DataFrame({"item": [], "evaluator": [], "alpha": [], "beta": []}),
        pd.DataFrame({"question_id": ["q"], "question": ["Tell me a bio of Ann Lee."]}),
        target="m",
        signals=signals,
        evaluator="cue_model",
        protocols={"ralc": resolve()},
    )
    schemas.check(made, "signals")
    made = made.set_index(["signal", "sentence"])
    # One sentence beside weighs 0.15: (1, 1) and (0, 1) are (0.85, 1) and (0.15, 1).
    assert made["alpha"].tolist() == pytest.approx([2.35, 1.65, 2.5, 1.5, 2.0, 2.0])
    assert made["beta"].tolist() == pytest.approx([0.65, 1.35, 0.5, 0.5, 1.0, 1.0])


class TestCalibration:
    signal = pd.DataFrame(
        {
            "protocol": "ralc",
            "question_id": [f"q{i}" for i in range(10)],
            "sentence": 0,
            "signal": "semantic_uncertainty",
            "alpha": 8.0,
            "beta": 2.0,
        }
    )

    def grades(self, outcome: list) -> pd.DataFrame:
        return pd.DataFrame(
            {
                "question_id": [f"q{i}" for i in range(10)],
                "sentence": 0,
                "prompt": "direct",
                "grade": "INCORRECT",
                "outcome": pd.array(outcome, "Int8"),
            }
        )

    def test_maps_see_the_train_split_alone_and_count_what_they_leave_out(self):
        fits = fitted_maps.fit(
            questions(),
            self.signal,
            self.grades([1, 0, None] + [1] * 7),
            methods={"default": "identity"},
            protocols={"ralc": resolve()},
        )
        assert [(fit["dataset"], fit["n"], fit["left_out"]) for fit in fits] == [("d", 2, 1)]
        calibrated = fitted_maps.apply(questions(), self.signal, fits)
        assert calibrated.question_id.tolist() == [f"q{i}" for i in range(3, 10)]
        assert set(calibrated.train) == {"d"}
        np.testing.assert_allclose(calibrated.alpha, 8.0)

    def test_a_map_of_one_answers_tokens_sees_more_nines_than_a_evaluator_has(self):
        for signal, eps in (("perplexity", 1e-6), ("token_probability", 0.0125)):
            [fit] = fitted_maps.fit(
                questions(),
                self.signal.assign(signal=signal),
                self.grades([1, 0] * 5),
                methods={"default": "platt"},
                protocols={"ralc": resolve()},
            )
            assert fit["parameters"]["eps"] == eps

    @pytest.mark.parametrize(
        ("outcomes", "said"),
        [([None] * 10, "3 grades of train"), ([1] * 3 + [None] * 7, "7 grades of held-out")],
    )
    def test_where_no_grade_could_be_read_the_grader_is_named(self, outcomes, said):
        with pytest.raises(ValueError, match=rf"d: 0 of {said} answers could be read; grader llm \(m\)"):
            fitted_maps.fit(
                questions(),
                self.signal,
                self.grades(outcomes),
                methods={"default": "platt"},
                protocols={"ralc": resolve()},
                grader="llm (m)",
            )

    def test_an_ablation_is_a_variant_and_another_protocol_has_the_default_alone(self):
        both = pd.concat([self.signal, self.signal.assign(protocol="paper")])
        fits = fitted_maps.fit(
            questions(),
            both,
            self.grades([1, 0, 1] + [1] * 7),
            methods={"default": "platt", "map=identity": "identity"},
            protocols={"ralc": resolve(), "paper": resolve("paper")},
        )
        names = [("ralc", "default"), ("ralc", "map=identity"), ("paper", "default")]
        assert [(fit["protocol"], fit["variant"]) for fit in fits] == names
        calibrated = schemas.check(fitted_maps.apply(questions(), both, fits), "calibrated")
        mean = calibrated.groupby(["protocol", "variant"], sort=False).alpha.first() / 10
        # Platt with smoothed targets and slope 0 gives (2 + 1) / (3 + 2 ...); without smoothing, the base rate.
        assert mean["ralc", "map=identity"] == pytest.approx(0.8)
        assert mean["paper", "default"] == pytest.approx(2 / 3, abs=1e-4)
        assert mean["ralc", "default"] != mean["paper", "default"]
