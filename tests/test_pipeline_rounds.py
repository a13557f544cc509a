"""Answers asked for in rounds: who is asked further, what that costs, and what the signal then knows."""

import pytest

from ralc import clustering, datasets, sampling
from ralc.llm import Response, complete
from ralc.llm.record import Memory
from ralc.llm.tables import from_table, responses_table
from ralc.pipeline.confidence import answers_by_question
from ralc.pipeline.rounds import further
from ralc.signals import of_answers

MODEL = {"engine": "embedded", "model": "m"}
ANSWERS = [4, 6, 9]
STYLE = "short"


class Engine:
    """Of one question it says the same each time, of the others what hangs on the seed; it counts."""

    def __init__(self, known):
        self.known, self.asked = known, 0

    def answer(self, requests):
        for index, request in enumerate(requests):
            self.asked += request.n
            sure = self.known in request.messages[-1]["content"]
            said = [f"It is {7 if sure else (request.seed + i) % 997}." for i in range(request.n)]
            yield index, [Response(request.key, text, "stop", sample=i) for i, text in enumerate(said)]

    def close(self):
        """Nothing is open."""


@pytest.fixture(scope="module")
def questions():
    return datasets.load("worldfacts-qa", {"questions": 4}, seed=1).assign(split="test")


def answered(requests, engine, journal):
    return responses_table(complete(from_table(requests), engine, journal, progress=False))


def test_no_more_is_asked_of_what_is_settled_and_the_rest_as_if_all_had_been(questions):
    known = questions["question"][0]
    first = sampling.render(questions, MODEL, answers=ANSWERS[0], style=STYLE, hedged=("test",))
    engine, journal, requests = Engine(known), Memory(), first
    for after in ANSWERS[1:]:
        responses = answered(requests, engine, journal)
        requests = further(requests, responses, questions, answers=after, style=STYLE)
    responses = answered(requests, engine, journal)
    direct = requests[requests["prompt"] == "direct"].set_index("question_id")["n"]
    settled = questions["question_id"][0]
    assert direct.to_dict() == {name: 4 if name == settled else 9 for name in questions["question_id"]}
    # What is there already is not asked for again: four and three times nine, and the hedged answers.
    assert engine.asked == 4 + 3 * 9 + 4
    assert requests["key"].tolist() == first["key"].tolist()
    whole = sampling.render(questions, MODEL, answers=9, style=STYLE, hedged=("test",))
    every = sampling.parse(whole, answered(whole, Engine(known), Memory()), STYLE)
    samples = sampling.parse(requests, responses, STYLE)
    same = samples.merge(every, on=["question_id", "prompt", "sample"], suffixes=("", "_whole"))
    assert len(same) == len(samples) == 4 + 3 * 9 + 4
    assert (same["text"] == same["text_whole"]).all()
    # The signal's concentration is that of the answers that were really asked for.
    clusters = clustering.cluster(samples, questions)
    found = answers_by_question(samples, clusters)
    made = {name: of_answers("semantic_uncertainty", one) for name, one in found.items()}
    assert {name: float(one.concentration) for name, one in made.items()} == {
        name: n + 1.0 for name, n in direct.items()
    }


def test_a_question_that_was_never_answered_is_asked_further(questions):
    requests = sampling.render(questions[:1], MODEL, answers=4, style=STYLE, hedged=())
    [asked] = from_table(requests)
    failed = [Response(asked.key, "", "error", error="too long", sample=i, valid=False) for i in range(4)]
    found = further(requests, responses_table(failed), questions, answers=6, style=STYLE)
    assert found["n"].tolist() == [6]
