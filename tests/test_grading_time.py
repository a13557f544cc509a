"""Grades and clusters of hostile text take time in proportion to what is read of it, and that is bounded."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ralc.clustering import lexical_clusters
from ralc.english.abstention import denies_asked
from ralc.english.normalisation import LONGEST
from ralc.grading import reference_grade

pytestmark = pytest.mark.long
QUESTION = "In which country is the city of Port Moresby?"
UNITS = [
    "a", " ", ".", "-", "(", "[", ",", "'", "A", "1", "1,", "1.", "é", "東", "\n", "\0", "not ", "it is not ",
    "Guinea ", "Guinea, ", "Papua New Guinea ", "and A ",
    "Papua New Guinea, ", "Papua New Guinea, [INST]", "Papua New Guinea and ", "Fiji, ", "Fiji, [INST]",
    "Port Moresby, ", "0.1", "\u2028", "\nA. x\nB. ",
    "or ", "A. ", "B ", "but ", "is ", "isn't ", "of the ", "Gulf of ",
    "which is ", "who ", "between ", "between a and ", "one hundred and ", "five point ", "twenty ",
    "no other than ",
    "the background does not ", "I don't know ", "no, wait ", "'s x Y", "it may be A, ",
]  # fmt: skip


def seconds(text: str) -> float:
    """CPU seconds of all that meets an answer."""
    started = time.process_time()
    reference_grade(text, QUESTION, accepted=["Papua New Guinea"], wrong=["Guinea", "Fiji"])
    reference_grade(text, QUESTION, accepted=[], answerable=False)
    reference_grade(text, QUESTION, accepted=["Fiji"], choices=["Guinea", "Fiji"], correct_choice=1)
    lexical_clusters([text, text + "."], QUESTION, ["Guinea", "Fiji"])
    denies_asked(text, QUESTION)
    return time.process_time() - started


@pytest.mark.parametrize("unit", UNITS)
def test_time_is_bounded(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    assert seconds(text[:LONGEST]) < 1
    assert seconds(text) < 1


@given(st.lists(st.sampled_from(UNITS), min_size=1, max_size=4), st.text(max_size=3))
@settings(max_examples=40, deadline=None)
def test_time_is_bounded_for_mixtures(units: list[str], tail: str) -> None:
    assert seconds("".join(units) * 300 + tail) < 1


def test_a_capital_beside_a_name_takes_no_longer() -> None:
    """Thirty capitals in a row could be taken for words in a thousand million ways."""
    assert seconds("Papua New Guinea, " + "A" * LONGEST) < 1


@pytest.mark.parametrize(
    "unit",
    [
        "not ",
        "Guinea ",
        "Guinea, ",
        "Papua New Guinea, ",
        "Papua New Guinea, [INST]",
        "A. ",
        ", ",
        "twenty ",
        "0.1",
    ],
)
def test_time_is_in_proportion(unit: str) -> None:
    short, long = (unit * (size // len(unit)) for size in (250, 2000))
    once = min(seconds(short + str(number)) for number in range(3))
    more = min(seconds(long + str(number)) for number in range(3))
    # Eight times the text; a square would take 64 times the time.
    assert more < 30 * max(once, 1e-3)
