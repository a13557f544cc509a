"""What is read in an answer: words, first sentence, claim, abstention, names."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralc.english.candidates import chosen, named
from ralc.english.normalisation import (
    abstains,
    claim,
    cut_off,
    denies_background,
    first_sentence,
    head_clause,
    words,
)

CAPITAL = "What is the capital of Kenya?"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The N'Djaména!", ["ndjamena"]),
        ("an A-Z", ["z"]),
        ("131,940 km, 3.5 and 12.0", ["131940", "km", "3.5", "and", "12"]),
        ("Kenya's capital", ["kenya", "capital"]),
        ("", []),
        ("!?", []),
        ("東京", ["東京"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is Paris. It is large.", "It is Paris."),
        ("The symbol is K. It is a metal.", "The symbol is K."),
        ("It is Washington, D.C. and so on", "It is Washington, D.C. and so on"),
        ("In St. Louis. Really.", "In St. Louis."),
        ("It has 3.5 million. Yes", "It has 3.5 million."),
        ("Paris\nLyon", "Paris"),
        ('  "Paris."  ', "Paris."),
        ("Answer: Paris", "Paris"),
    ],
)
def test_first_sentence(text: str, expected: str) -> None:
    assert first_sentence(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The capital of Kenya is Nairobi.", ("nairobi",)),
        ("I think the capital is probably Nairobi.", ("nairobi",)),
        ("Nairobi, which is the largest city in Africa", ("nairobi",)),
        ("In Kenya, it is Nairobi (a city)", ("nairobi",)),
        ("It is Nairobi, or Mombasa.", ("nairobi", "mombasa")),
        ("It is North Korea.", ("north", "korea")),
        ("I do not know the capital of Kenya.", ()),
        ("The capital of Kenya.", ("capital", "of", "kenya")),
        ("", ()),
    ],
)
def test_claim(text: str, expected: tuple[str, ...]) -> None:
    assert claim(text, CAPITAL) == expected


def test_clauses() -> None:
    assert head_clause("Well, in Kenya, the capital is Nairobi; it is large.", CAPITAL) == "Well"
    assert cut_off("The capital is Nairobi, which is the") == "The capital is Nairobi"
    assert cut_off("Yes, it is the") == "Yes, it is the"


@pytest.mark.parametrize(
    "text",
    [
        "The background does not say.",
        "The background does not mention the currency of Peru.",
        "The passage doesn't provide enough information.",
        "It is not mentioned in the text.",
        "There is no information about this.",
        "This cannot be determined from the background.",
        "The answer is not stated in the background.",
    ],
)
def test_denials(text: str) -> None:
    assert denies_background(text)
    assert abstains(text)


@pytest.mark.parametrize(
    "text",
    [
        "The capital of Peru is Lima.",
        "The background says that it is Lima.",
        "It is perhaps Lima, but I may be wrong.",
        "The symbol of tin is Sn, not Ti.",
        "It is certainly not Lima.",
    ],
)
def test_no_denials(text: str) -> None:
    assert not denies_background(text)
    assert not abstains(text)


@pytest.mark.parametrize(
    "text", ["I don't know.", "I have no idea!", "I cannot answer that.", "Unknown.", " ", "..."]
)
def test_abstentions(text: str) -> None:
    assert abstains(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is Guinea-Bissau.", {1}),
        ("It is Guinea.", {0}),
        ("guinea or bissau guinea", {0}),
        ("Fe", {2}),
        ("fe FE", set()),
        ("the Côte d’Ivoire", {3}),
        ("Guineas", set()),
    ],
)
def test_named(text: str, expected: set[int]) -> None:
    assert named(text, ["Guinea", "Guinea Bissau", "Fe", "Cote d'Ivoire"]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("B", 1),
        ("b", None),
        ("(B)", 1),
        ("B. Lyon", 1),
        ("B. Paris", None),
        ("The answer is C.", 2),
        ("The answer is C", 2),
        ("The correct option: A) Paris", 0),
        ("A city named Lyon", 1),
        ("Paris or Lyon", None),
        ("It is Lyon, not Paris.", 1),
        ("Rome", None),
        ("Z.", None),
        ("", None),
    ],
)
def test_chosen(text: str, expected: int | None) -> None:
    assert chosen(text, ["Paris", "Lyon", "Nice"], "Which city?") == expected


@given(st.text(), st.text(max_size=50), st.lists(st.text(max_size=20), max_size=5))
def test_nothing_breaks_them(text: str, question: str, names: list[str]) -> None:
    assert first_sentence(first_sentence(text)) is not None
    assert isinstance(claim(text, question), tuple)
    assert cut_off(text) in text
    assert named(text, names) <= set(range(len(names)))
    assert chosen(text, names, question) in {None, *range(len(names))}
    assert abstains(text) or words(text)


@pytest.mark.parametrize(
    "unit", ["a", " ", "not ", "it does not ", "(", ", ", "the background is not ", ".\n", "A."]
)
def test_time_is_bounded_on_hostile_text(unit: str) -> None:
    started = time.perf_counter()
    text = unit * 200_000
    claim(text, CAPITAL), abstains(text), cut_off(first_sentence(text)), chosen(text, ["Paris", "Lyon"])
    assert time.perf_counter() - started < 1
