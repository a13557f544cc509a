"""Numbers in words as digits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralc.english.numerals import in_digits


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("twenty-four", "24"),
        ("one hundred and five", "105"),
        ("five point three million", "5300000"),
        ("5.3 million people", "5300000 people"),
        ("5300 thousand", "5300000"),
        ("1,285,220 km", "1,285,220 km"),
        ("two and three", "2 and 3"),
        ("1066 1067", "1066 1067"),
        ("the tenth century", "the 10th century"),
        ("five and a half", "5.5"),
        ("two and a half million", "2500000"),
        ("a year and a half", "1.5 year"),
        ("half a dozen", "6"),
        ("half of it", "half of it"),
        ("2.5 and a half km", "2.5 and a half km"),
        ("twice", "2 times"),
        ("half an hour", "0.5 hour"),
        ("twenty-two and a half", "22.5"),
        ("half a million", "500000"),
        ("the first half of a match", "the first half of a match"),
        ("a tenth of a mile", "0.1 mile"),
        ("3 × 10^8", "300000000"),
        ("the right one of one", "the right one of 1"),
        ("one million two hundred thousand", "1200000"),
        ("A million times", "A million times"),
        ("someone", "someone"),
        ("2Po", "2Po"),
    ],
)
def test_numbers(text: str, expected: str) -> None:
    assert in_digits(text) == expected


@given(st.text())
def test_any_text(text: str) -> None:
    assert isinstance(in_digits(text), str)


@given(st.integers(0, 99))
def test_digits_stay(number: int) -> None:
    assert in_digits(str(number)) == str(number)
