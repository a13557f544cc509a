"""What is read in an answer: words, sentences, abstention."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralc.english.abstention import abstains, denies_background
from ralc.english.normalisation import cut_off, first_sentence, sentences, spans, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The N'Djaména!", ["ndjamena"]),
        ("Sana'a Sana‘a Sana`a", ["sanaa"] * 3),
        ("Ṣanʿāʾ and ʿAmmān’s", ["sana", "and", "amman"]),
        ("an A-Z", ["a", "z"]),
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
        ("It was George W. Bush. Really.", "It was George W. Bush."),
        ("It is in Washington, DC. It is large.", "It is in Washington, DC."),
        ("No. It is Paris.", "No."),
        ("It was No. 4 of them. Really.", "It was No. 4 of them."),
        ("Victor Hugo... wait, no", "Victor Hugo... wait, no"),
        ("It has 3.5 million. Yes", "It has 3.5 million."),
        ("Paris\nLyon", "Paris"),
        ('  "Paris."  ', "Paris."),
        ("Answer: Paris", "Paris"),
    ],
)
def test_first_sentence(text: str, expected: str) -> None:
    assert first_sentence(text) == expected


def test_sentences() -> None:
    assert list(sentences(" I don't know. \n\n Paris, in St. Denis?  Yes")) == [
        "I don't know.",
        "Paris, in St. Denis?",
        "Yes",
    ]
    assert list(sentences(" . \n")) == ["."]


def test_spans() -> None:
    text = "the Nile's bank"
    assert [text[start:end] for _, start, end in spans(text)] == ["Nile", "bank"]


def test_a_cut_sentence_ends_with_its_last_clause() -> None:
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
        "He explored the country, mapping previously unknown areas.",
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


@given(st.text())
def test_nothing_breaks_them(text: str) -> None:
    assert first_sentence(first_sentence(text)) is not None
    assert cut_off(text) in text
    assert abstains(text) or words(text)
    assert all(sentences(text))


@pytest.mark.parametrize(
    "unit", ["a", " ", "not ", "it does not ", "(", ", ", "the background is not ", ".\n", "A."]
)
def test_time_is_bounded_on_hostile_text(unit: str) -> None:
    started = time.perf_counter()
    text = unit * 200_000
    abstains(text), cut_off(first_sentence(text)), list(sentences(text))
    assert time.perf_counter() - started < 1
