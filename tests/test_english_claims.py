"""Which part of an answer answers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralc.english.alignment import claim_words, key_words, main_clauses, on_topic, relates
from ralc.english.claims import claimed

CAPITAL = "What is the capital of Kenya?"


@pytest.mark.parametrize(
    ("text", "affirmed"),
    [
        ("The capital of Kenya is Nairobi.", "The capital of Kenya is Nairobi."),
        ("I do not know the capital of Kenya.", None),
        ("", None),
        ("Mombasa. No, wait, Nairobi.", "Nairobi."),
        ("Mombasa, sorry, I meant Nairobi", "Nairobi"),
        ("I have no idea. Nairobi?", "Nairobi?"),
        ("I am not sure, but it is Nairobi.", "but it is Nairobi"),
        ("I don't know whether it is Nairobi.", None),
        ("Most people think it is Mombasa, but it is Nairobi.", "but it is Nairobi."),
        ("Nairobi, which is larger than Mombasa.", "Nairobi."),
        ("It is not Mombasa.", ""),
        ("It is not Mombasa. It is Nairobi.", "It is Nairobi."),
    ],
)
def test_claims(text: str, affirmed: str | None) -> None:
    claim = claimed(text, CAPITAL)
    assert (claim and claim.affirmed) == affirmed


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The capital is Nairobi.", True),
        ("It is Nairobi.", True),
        ("Nairobi, a large city.", True),
        ("Nairobi is the capital.", True),
        ("Nairobi is the capital of Uganda.", False),
        ("The capital of Uganda is Nairobi.", False),
        ("Nairobi is a lovely place for a holiday.", False),
        ("The Kenyan capital is Nairobi.", True),
    ],
)
def test_topics(sentence: str, expected: bool) -> None:
    assert on_topic(sentence, CAPITAL) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (CAPITAL, {"kenya"}),
        ("In which US state is the city of Salt Lake City?", {"salt", "lake"}),
        ("What is the chemical symbol of tin?", {"tin"}),
        ("How many legs does a spider have?", {"spider"}),
        ("Who?", set()),
    ],
)
def test_key_words(question: str, expected: set[str]) -> None:
    assert key_words(question) == expected


def test_words_beyond_the_question() -> None:
    assert claim_words("I think the capital is probably Nairobi", CAPITAL) == ["Nairobi"]
    assert claim_words("the capital of Kenya", CAPITAL) == ["capital", "Kenya"]


def test_clauses_about_other_things() -> None:
    text = "It is Nairobi; Kampala is in Uganda."
    assert main_clauses(text, CAPITAL, lambda clause: False) == "It is Nairobi."
    assert main_clauses(text, CAPITAL, lambda clause: "Kampala" in clause) == text
    assert not relates("Kenya is a country.", CAPITAL)
    assert relates("The capital is a town.", CAPITAL)
    assert relates("Mombasa", CAPITAL)


@given(st.text(), st.text(max_size=50))
def test_nothing_breaks_them(text: str, question: str) -> None:
    claim = claimed(text, question)
    assert claim is None or isinstance(claim.on_topic, bool)
    assert isinstance(relates(text, question), bool)
    assert isinstance(main_clauses(text, question, lambda clause: False), str)
