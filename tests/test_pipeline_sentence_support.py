"""What the other answers say of each sentence, told by a model: what is asked, and what is heard of its replies."""

import numpy as np
import pandas as pd
import pytest

from ralc.conditions import having
from ralc.llm import Response, from_table
from ralc.llm.tables import join, responses_table
from ralc.pipeline.sentence_support import METHODS
from ralc.signals import OF_SENTENCES

OTHERS = ["Lee was born in Oslo.", "Lee was born in Bonn. She wrote plays."]
SENTENCES = ["She was born in Oslo.", "She wrote plays."]
QUESTIONS = pd.DataFrame({"history": [[]], "question_id": ["q"], "question": ["Tell me of Lee."]})
ENTRIES = {"entailment": {"engine": "entailment", "model": "m"}, "llm": {"engine": "embedded", "model": "m"}}


def tables():
    """An answer of two sentences and two other answers, of a target beside which stands another."""
    own = {"target": ["m", "m", "n"], "question_id": "q", "sentence": [0, 1, 0], "prompt": "direct"}
    answers = pd.DataFrame({**own, "text": [*SENTENCES, "Lee."], "members": [[0]] * 3})
    samples = pd.DataFrame(
        {"target": [*"mmm", "n"], "question_id": "q", "prompt": "direct", "sample": [0, 1, 2, 0]}
        | {"text": [" ".join(SENTENCES), *OTHERS, "Lee."], "finish_reason": "stop"}
    )
    return answers, samples, QUESTIONS


def heard(method, reply):
    """What is heard where a model replies so to (other answer, sentence)."""
    support = METHODS[method]()
    requests = support.ask(*tables(), model=ENTRIES[method])
    responses = []
    for request in from_table(requests):
        asked = "\n".join(turn["content"] for turn in request.messages)
        (other,) = (one for one in OTHERS if one in asked)
        (sentence,) = (one for one in SENTENCES if f"{asked}\n".replace(other, "").count(f"{one}\n"))
        responses.append(Response(request.key, finish_reason="stop", **reply(other, sentence)))
    replies = join(requests, responses_table(responses))
    found = support.result(*tables(), having(replies, target="m"))
    assert list(found) == ["q"]
    return found["q"]


def nli(other, sentence):
    """A model of entailment that has read both."""
    if sentence == SENTENCES[0]:
        masses = (0.9, 0.1, 1e-9) if "Oslo" in other else (0.05, 0.05, 0.9)
    else:
        masses = (0.8, 0.15, 0.05) if "plays" in other else (0.02, 0.97, 0.01)
    return {"text": "neutral", "alternatives": tuple(np.log(masses))}


def test_a_model_of_entailment_tells_what_is_said_and_what_is_contradicted():
    said, contradicted = heard("entailment", nli)
    np.testing.assert_allclose(said, [[0.9, 0.05], [0.02, 0.8]])
    np.testing.assert_allclose(contradicted, [[0, 0.9], [0.01, 0.05]], atol=1e-8)
    spoken = OF_SENTENCES["support_if_mentioned"](said, contradicted)
    np.testing.assert_allclose(spoken.concentration, [3, 2])  # nobody contradicts what one alone speaks of
    np.testing.assert_allclose(spoken.alpha, [1.45, 1.3])


def test_a_language_model_says_it_in_a_letter_and_replies_of_no_use_are_left_out():
    said, contradicted = heard("llm", lambda other, sentence: {"text": "A" if "Oslo" in other else "B"})
    assert said.tolist() == [[1, 0], [1, 0]]
    assert contradicted.tolist() == [[0, 1], [0, 1]]
    said, _ = heard("llm", lambda other, sentence: {"text": "C" if "Oslo" in other else "Both are fine."})
    assert said.tolist() == [[0], [0]]


@pytest.mark.parametrize("method", ENTRIES)
def test_each_sentence_meets_each_other_answer_once(method):
    support = METHODS[method]()
    requests = support.ask(*tables(), model=ENTRIES[method])
    asked = requests[["target", "question_id", "sentence", "other"]].to_numpy().tolist()
    assert asked == [["m", "q", 0, 1], ["m", "q", 1, 1], ["m", "q", 0, 2], ["m", "q", 1, 2]]
