"""Functions that meet a model's or a user's text take time in proportion to its length, over strings made to be slow.

A pattern that tries again from every character is quadratic on the right string: 40,000 dots once took 21 seconds.
"""

import gc
import inspect
import json
import pkgutil
import time
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ralc import english, evaluators, preservation
from ralc.clustering import lexical_clusters
from ralc.english import changed_meaning, contradicts, misstates, place_hedge, read_cues, remove_hedge, unread
from ralc.evaluators.cue_model import weighted_sentences
from ralc.grading import reference_grade
from ralc.lexicon import expressions, sourcing
from ralc.registry import FRAMES
from ralc.rewriting import requests, selection

pytestmark = pytest.mark.long

#: Characters; a grade looks at no more than the second. Four times the text may take so many times as long (its square
#: would take sixteen), and what takes less than so many seconds is not measured.
SHORT = 500
LONG = 2_000
GROWTH = 9.0
LEAST = 5e-4
#: How a text is called that a model or a user wrote, and what functions are told beside it, by the parameter's name.
TEXTS = {"text", "sentence", "clause", "phrase", "words", "reply", "item", "question", "answer"}
TOLD = {
    "question": "What is the capital of France?", "names": ("Paris", "Papua New Guinea", "12"), "choices": (),
    "accepted": ["Paris"], "right": ["Paris", "Marie Curie"], "wrong": ["Lyon"], "count": 4, "cut": True, "start": 0,
    "rewrite": "It is Paris.", "original": "It is Paris.", "hedge": "perhaps", "expression": "perhaps",
    "frame": "adverb", "mean": 0.3,
}  # fmt: skip
HEDGES = expressions.load_hedges()
EVALUATOR = evaluators.load("cue_model")


def of_a_text() -> Iterator[tuple[str, Callable[[str], object]]]:
    """Every public function of these modules whose first argument is such a text, told the rest."""
    found = pkgutil.walk_packages(english.__path__, english.__name__ + ".")
    modules = [import_module(module.name) for module in found]
    for module in (*modules, sourcing, expressions, requests, selection):
        for name, function in vars(module).items():
            own = inspect.isfunction(inspect.unwrap(function)) and function.__module__ == module.__name__
            first, *others = (inspect.signature(function).parameters.values() if own else ()) or [None]
            if first and name[0] != "_" and first.name in TEXTS and first.annotation in {str, str | None}:
                told = {other.name: TOLD[other.name] for other in others if other.name in TOLD}
                yield f"{module.__name__}.{name}", partial(function, **told)


GRADES = {
    "lexical_clusters": lambda text: lexical_clusters([text, "It is Paris."], TOLD["question"]),
    "a choice": partial(
        reference_grade, question="", accepted=["A"], choices=["Lyon", "A"], correct_choice=1
    ),
    "unanswerable": partial(reference_grade, question=TOLD["question"], accepted=[], answerable=False),
    "a number": partial(reference_grade, question="How long is it in km?", accepted=["5.3"]),
}
FUNCTIONS: dict[str, Callable[[str], object]] = {
    **dict(of_a_text()),
    **GRADES,
    **{f"hedged as {frame}": partial(place_hedge, "perhaps", frame) for frame in FRAMES},
    "changed_meaning, of the rewrite": partial(changed_meaning, "It is Paris."),
    "hedges.removal": remove_hedge,
    "contradicts": lambda text: contradicts("it is unlikely", "clause", text, 0.2),
    "misstates": lambda text: misstates(text, "If it is old, it is Paris, and it is in France.", 0.6),
    "preservation": partial(preservation.Content(HEDGES["expression"]).dice, "It is Paris."),
    "evaluators.cues": lambda text: None if unread(text) else EVALUATOR.read([text]),
}
#: Functions of a text at least: one whose parameter goes by another name would leave these tests unseen.
FEWEST_FUNCTIONS = 85
#: Of which long texts are made: marks, words and phrases that rules look for.
PIECES = json.loads((Path(__file__).parent / "data" / "pieces.json").read_text())
every_function = pytest.mark.parametrize("name", FUNCTIONS)


def seconds(function: Callable[[str], object], text: str) -> float:
    """Processor time of one call, and of taking what it yields; what others run beside the test does not count."""
    start = time.process_time()
    made = function(text)
    if isinstance(made, Iterator):
        deque(made, maxlen=0)
    return time.process_time() - start


def grows(function: Callable[[str], object], cycle: str, sizes: tuple[int, int] = (SHORT, LONG)) -> bool:
    """Whether a function takes far longer than in proportion, three times in a row.

    The last texts are four times as long: a short one that is done at once shows no growth.
    """
    gc.disable()
    try:
        for again, scale in (("x", 1), ("y", 1), ("z", 4)):
            lengths = (size * scale for size in sizes)
            short, long = (
                seconds(function, again + (cycle * (size // len(cycle) + 1))[: size - 2] + again)
                for size in lengths
            )
            if long <= GROWTH * max(short, LEAST):
                return False
        return True
    finally:
        gc.enable()


def test_no_function_of_a_text_is_left_out():
    assert len(FUNCTIONS) >= FEWEST_FUNCTIONS


@every_function
def test_repeated_pieces_take_linear_time(name):
    FUNCTIONS[name]("It is Paris.")
    assert [piece for piece in PIECES if grows(FUNCTIONS[name], piece)] == []


@every_function
@settings(deadline=None, max_examples=5)
@given(st.lists(st.sampled_from(PIECES), min_size=2, max_size=5))
def test_mixed_pieces_take_linear_time(name, pieces):
    assert not grows(FUNCTIONS[name], "".join(pieces))


def test_texts_of_many_sentences_take_linear_time():
    for function, piece in ((read_cues, "I guess 5% risk wrong. "), (weighted_sentences, "It may. ")):
        assert not grows(function, piece, (10_000, 40_000))
    assert not grows(FUNCTIONS["evaluators.cues"], "It is Bonn. I could be wrong. ", (10_000, 40_000))


@pytest.mark.parametrize("name", GRADES)
def test_an_answer_of_any_length_takes_no_longer(name):
    """Thirty capitals in a row could be taken for words in a thousand million ways."""
    for piece in (*PIECES, "Papua New Guinea, " + "A" * 2000, "no other than ", "between a and "):
        assert not grows(GRADES[name], piece, (25_000, 100_000)), piece[:40]
