"""Long steps say how far they are, where the model stages do; short ones say nothing."""

import re

import pandas as pd
import pytest

from ralc import clustering, evaluators, grading
from ralc.llm import Request, to_table
from ralc.rewriting import choose_rewrites, list_candidates
from tests.synthetic import make_questions

QUESTIONS = make_questions(("worldfacts-qa",), 2)
IDS = QUESTIONS["question_id"].tolist()
ANSWERS = pd.DataFrame(
    {
        "question_id": IDS,
        "sentence": 0,
        "prompt": "direct",
        "sample": 0,
        "text": "Aville.",
        "finish_reason": "stop",
    }
)
TEXTS = pd.DataFrame({"item": ["a", "b"], "text": ["Perhaps Oslo.", "Surely Oslo."]})
READ = TEXTS[["text"]].assign(alpha=[2.0, 9.0], beta=[3.0, 1.0])
TASK = {"task": "t", "method": "ralc", "text": "It is Oslo.", "hedges": ["perhaps"], "frames": ["adverb"]}
TASK |= {"loop": "closed", "passes": "", "whole": None, "hedge_alpha": [2.0], "hedge_beta": [3.0]}
TASKS = pd.DataFrame([TASK | {"alpha": 2.0, "beta": 3.0}])
HEDGES = pd.DataFrame({"expression": ["perhaps"], "frame": ["adverb"]})
FOUND = TEXTS[["text"]].assign(task="t", origin="grammar", hedge="perhaps")


def candidates() -> None:
    in_the_loop = {"lexicon": None, "evaluator": {"cue_model": {"method": "cue_model"}}}
    list_candidates(TASKS, None, None, method="guided", **in_the_loop)


#: What takes minutes at the size of the paper's experiment and asks no model, and what it says at its end.
STEPS = {
    "clusters: 2/2 questions (100 %)": lambda: clustering.cluster(ANSWERS, QUESTIONS),
    "grades: 2/2 answers (100 %)": lambda: grading.grade(ANSWERS, QUESTIONS),
    "candidates: 1/1 rewrites (100 %)": candidates,
    "readings by cue_model: 2/2 texts (100 %)": lambda: evaluators.load("cue_model").readings(TEXTS),
    "choices: 1/1 rewrites (100 %)": lambda: choose_rewrites(TASKS, FOUND, READ, seed=1),
    "requests: 1/1 rendered (100 %)": lambda: to_table([Request("m", ({"role": "user", "content": "x"},))]),
}


@pytest.mark.parametrize("said", STEPS)
def test_a_long_step_says_how_far_it_is_and_a_short_one_nothing(said, capsys, monkeypatch):
    STEPS[said]()
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("ralc.io.console.EVERY_S", 0.0)
    STEPS[said]()
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(said)
    assert re.fullmatch(r", +[\d.]+ \w+/s, 00:00 left", last.removeprefix(said))
