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
        ("5.3 million people", "5300000 people"),
        ("5300 thousand", "5300000"),
        ("1,285,220 km", "1,285,220 km"),
        ("two and three", "2 and 3"),
        ("1066 1067", "1066 1067"),
        ("the tenth century", "the 10th century"),
        ("half of it", "half of it"),
        ("the first half of a match", "the first half of a match"),
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
