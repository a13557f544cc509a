"""The signals of answers, and their calibration: which row meets which."""

import numpy as np
import pandas as pd
import pytest

from ralc import schemas
from ralc.pipeline import confidence, fitted_maps
from ralc.protocols import resolve
from ralc.registry import SIGNALS
from tests.cases import cases
from tests.synthetic import questions

NOBODY = pd.DataFrame({"item": [], "evaluator": [], "alpha": [], "beta": []})
HOW = {"target": "m", "evaluator": "cue_model"}


def of_oslo(clusters: list[int], signals=tuple(SIGNALS), **changed: object) -> pd.DataFrame:
    """The signals of an answer among four, by name, of which the second and third mean the same."""
    samples = pd.DataFrame(
        {"question_id": "q0", "prompt": ["direct"] * 4 + ["hedged"], "sample": [0, 1, 2, 3, 0]}
    )
    samples = samples.assign(
        text=["Oslo.", "Bergen.", "It is Bergen.", "Oslo", "Oslo."], finish_reason="stop"
    )
    samples["token_logprobs"] = [[np.log(0.5)], [np.log(0.8)], [np.log(0.6)], None, [np.log(0.1)]]
    answers = pd.DataFrame(
        {"question_id": ["q0"], "sentence": 0, "prompt": "direct", "text": "A", "start": 0}
    )
    answers = answers.assign(parent_answer=None, support=2, samples=4, members=[[1, 2]])
    readings = pd.DataFrame({"item": "m/q0/direct", "evaluator": ["cue_model", "cue_model_b"]})
    replies = pd.DataFrame(
        {"signal": "p_true", "question_id": ["q0"], "sentence": 0, "alpha": 15.0, "beta": 5.0}
    )
    computed = confidence.compute(
        samples.assign(token_ends=None).assign(**changed),
        pd.DataFrame({"question_id": "q0", "sample": range(4), "cluster": clusters}),
        answers,
        readings.assign(alpha=[3.0, 9.0], beta=1.0),
        pd.DataFrame({"question_id": ["q0"], "question": ["What is the capital of Norway?"]}),
        self_evaluation=replies,
        signals=signals,
        protocols={"paper": resolve("paper", letter=False)},
        **HOW,
    ).set_index("signal")
    return computed.assign(mean=computed["alpha"] / (computed["alpha"] + computed["beta"]))


def test_each_signal_is_of_the_original_answer():
    computed = of_oslo([0, 1, 1, 2])
    assert computed.loc["linguistic_confidence", ["alpha", "beta"]].tolist() == [3.0, 1.0]
    assert computed.loc["semantic_uncertainty", ["alpha", "beta"]].tolist() == [2.0, 2.0]
    assert computed.loc["p_true", ["alpha", "beta"]].tolist() == [15.0, 5.0]
    assert computed.loc["token_probability", "mean"] == pytest.approx(0.7)
    # A tie goes to the cluster that came first; the fourth sample has no log-probabilities.
    assert of_oslo([0, 1, 0, 1]).loc["token_probability", "mean"] == pytest.approx(0.55)
    assert of_oslo([0, 1, 2, 0]).loc["token_probability", "mean"] == pytest.approx(0.5, abs=1e-5)
    assert np.isnan(of_oslo([0] * 4, token_logprobs=None).loc["token_probability", "mean"])


def test_each_sentence_has_the_probability_of_its_own_tokens():
    """By hand: exp of the mean of its tokens; of an answer whose tokens' places are not known, of all of them."""
    whole = "He sings. In Oslo."
    samples = pd.DataFrame({"question_id": ["q", "r"], "prompt": "direct", "sample": 0, "text": whole})
    samples["token_logprobs"] = [np.log([0.9, 0.4, 0.8, 0.2])] * 2
    samples["token_ends"] = [[2, 9, 12, 18], None]
    answers = pd.DataFrame({"question_id": ["q", "q", "r", "r"], "sentence": [0, 1] * 2, "prompt": "direct"})
    answers = answers.assign(
        start=[0, 10] * 2, text=["He sings.", "In Oslo."] * 2, parent_answer=whole, members=[[0]] * 4
    )
    made = confidence.compute(
        samples.assign(finish_reason="stop"),
        pd.DataFrame({"question_id": ["q", "r"], "sample": 0, "cluster": 0}),
        answers,
        NOBODY,
        pd.DataFrame({"question_id": ["q", "r"], "question": ["Who?", "What?"]}),
        signals=["perplexity"],
        protocols={"ralc": resolve()},
        **HOW,
    )
    schemas.check(made, "signals")
    mean = made["alpha"] / (made["alpha"] + made["beta"])
    geometric = [0.36**0.5, 0.16**0.5, 0.0576**0.25, 0.0576**0.25]
    assert mean.tolist() == pytest.approx(geometric)


def test_each_sentence_has_its_own_support_in_the_other_answers():
    texts = ["Ann lives in Oslo. She is 40.", "Ann Lee lives in Oslo.", "Ann is 40, and lives in Oslo."]
    samples = pd.DataFrame({"question_id": "q", "prompt": "direct", "sample": range(3), "text": texts})
    answers = pd.DataFrame({"question_id": "q", "sentence": [0, 1], "prompt": "direct", "members": [[0]] * 2})
    signals = ["support", "support_if_mentioned", "answer_support"]
    made = confidence.compute(
        samples.assign(finish_reason="stop", token_logprobs=None, token_ends=None),
        pd.DataFrame({"question_id": "q", "sample": range(3), "cluster": range(3)}),
        answers.assign(text=["Ann lives in Oslo.", "She is 40."]),
        NOBODY,
        pd.DataFrame({"question_id": ["q"], "question": ["Tell me a bio of Ann Lee."]}),
        signals=signals,
        protocols={"ralc": resolve()},
        **HOW,
    )
    schemas.check(made, "signals")
    made = made.set_index(["signal", "sentence"])
    # One sentence beside weighs 0.15: (1, 1) and (0, 1) are (0.85, 1) and (0.15, 1).
    assert made["alpha"].tolist() == pytest.approx([2.35, 1.65, 2.5, 1.5, 2.0, 2.0])
    assert made["beta"].tolist() == pytest.approx([0.65, 1.35, 0.5, 0.5, 1.0, 1.0])


RAW = pd.DataFrame({"question_id": [f"q{i}" for i in range(10)], "sentence": 0, "protocol": "ralc"})
RAW = RAW.assign(signal="semantic_uncertainty", alpha=8.0, beta=2.0)


def fits_of(outcome: list, signals: pd.DataFrame = RAW, **how: object) -> list[dict]:
    """The maps of ten graded answers, of which three fit them."""
    grades = RAW[["question_id", "sentence"]].assign(prompt="direct", grade="INCORRECT")
    grades["outcome"] = pd.array(outcome, "Int8")
    how = {"methods": {"default": "platt"}, "protocols": {"ralc": resolve()}} | how
    return fitted_maps.fit(questions(), signals, grades, **how)


def test_maps_see_the_train_split_alone_and_count_what_they_leave_out():
    fits = fits_of([1, 0, None] + [1] * 7, methods={"default": "identity"})
    assert [(fit["dataset"], fit["n"], fit["left_out"]) for fit in fits] == [("d", 2, 1)]
    calibrated = fitted_maps.apply(questions(), RAW, fits)
    assert calibrated[["question_id", "train"]].to_numpy().tolist() == [[f"q{i}", "d"] for i in range(3, 10)]
    foreign = [fits[0] | {"dataset": "e", "variant": name} for name in ("default", "map=beta")]
    assert set(fitted_maps.apply(questions(), RAW, foreign).variant) == {"default"}
    np.testing.assert_allclose(calibrated.alpha, 8.0)
    # A map of one answer's tokens sees more nines than an evaluator has.
    for signal, eps in (("perplexity", 1e-6), ("token_probability", 0.0125)):
        (fit,) = fits_of([1, 0] * 5, RAW.assign(signal=signal))
        assert fit["parameters"]["eps"] == eps


@cases
def test_where_no_grade_could_be_read_the_grader_is_named(outcomes, said):
    with pytest.raises(ValueError, match=rf"d: 0 of {said} answers could be read; grader llm \(m\)"):
        fits_of(outcomes, grader="llm (m)")


def test_an_ablation_is_a_variant_and_another_protocol_has_the_default_alone():
    both = pd.concat([RAW, RAW.assign(protocol="paper")])
    methods = {"default": "platt", "map=identity": "identity"}
    protocols = {"ralc": resolve(), "paper": resolve("paper")}
    fits = fits_of([1, 0, 1] + [1] * 7, both, methods=methods, protocols=protocols)
    names = [("ralc", "default"), ("ralc", "map=identity"), ("paper", "default")]
    assert [(fit["protocol"], fit["variant"]) for fit in fits] == names
    calibrated = schemas.check(fitted_maps.apply(questions(), both, fits), "calibrated")
    mean = calibrated.groupby(["protocol", "variant"], sort=False).alpha.first() / 10
    # Platt with smoothed targets and slope 0 gives (2 + 1) / (3 + 2 ...); without smoothing, the base rate.
    assert mean["ralc", "map=identity"] == pytest.approx(0.8)
    assert mean["paper", "default"] == pytest.approx(2 / 3, abs=1e-4)
    assert mean["ralc", "default"] != mean["paper", "default"]
